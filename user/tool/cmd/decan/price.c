// SPDX-License-Identifier: GPL-2.0
/* Measures the time of the variants in rounds, each of which runs all variants once. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/plain.h"
#include "count/interval.h"
#include "decan.h"
#include "event/affinity.h"

/*
 * A loop that takes fewer TSC ticks than this may need several unmeasured runs before each
 * measurement, to warm up the caches. A longer loop gets at most one unmeasured run
 */
#define WARM_TICKS 3000000ULL
/*
 * maximum number of runs of the original loop to find two successive runs that take the same time
 */
#define SETTLE_RUNS 10
/*
 * Two runs take the same time if they differ by at most this fraction, or by at most this number of
 * TSC ticks
 */
#define AGREEMENT 0.03
#define AGREEMENT_TICKS 150
/* number of runs in which each group of events is counted; the median of the counts is used */
#define EVENT_RUNS 3
/*
 * size in bytes of the red zone, the stack below RSP that a function may use; and of a stack slot
 * for the widest load
 */
#define RED_ZONE 128
#define SLOT 64ULL
/* maximum number of instructions that are single-stepped in two iterations of the loop */
#define MAX_STEPS 100000
#define ORIGINAL_LIMIT_MS (24 * 3600 * 1000)
#define MIN_LIMIT_MS 1000
/*
 * If the timeout of the runs is below this number of ms, the original loop takes less than 20 ms,
 * and a run that other processes interrupt is repeated
 */
#define SHORT_LIMIT_MS (MIN_LIMIT_MS + 20 * SLOWER)
/* maximum number of times that a short run is made, if other processes interrupt it */
#define TRIES 5
/* Timeout of a variant, as a multiple of the time of the original loop */
#define SLOWER 10

static void fill_context(ZydisRegisterContext *context,
			 const struct user_regs_struct *regs)
{
	memset(context, 0, sizeof(*context));
	context->values[ZYDIS_REGISTER_RAX] = regs->rax;
	context->values[ZYDIS_REGISTER_RCX] = regs->rcx;
	context->values[ZYDIS_REGISTER_RDX] = regs->rdx;
	context->values[ZYDIS_REGISTER_RBX] = regs->rbx;
	context->values[ZYDIS_REGISTER_RSP] = regs->rsp;
	context->values[ZYDIS_REGISTER_RBP] = regs->rbp;
	context->values[ZYDIS_REGISTER_RSI] = regs->rsi;
	context->values[ZYDIS_REGISTER_RDI] = regs->rdi;
	context->values[ZYDIS_REGISTER_R8] = regs->r8;
	context->values[ZYDIS_REGISTER_R9] = regs->r9;
	context->values[ZYDIS_REGISTER_R10] = regs->r10;
	context->values[ZYDIS_REGISTER_R11] = regs->r11;
	context->values[ZYDIS_REGISTER_R12] = regs->r12;
	context->values[ZYDIS_REGISTER_R13] = regs->r13;
	context->values[ZYDIS_REGISTER_R14] = regs->r14;
	context->values[ZYDIS_REGISTER_R15] = regs->r15;
}

/*
 * If the next instruction to execute is a candidate, an instruction that a variant may remove,
 * stores the run-time address that it will access: in the first iteration of the loop (@again is
 * false) in &bpmu_candidate.seen, in the second iteration (@again is true) in &bpmu_candidate.next.
 */
static void record_address(struct bpmu_decan *decan, const struct user_regs_struct *regs,
			   bool again)
{
	const struct bpmu_zydis *zydis = decan->code.zydis;
	struct bpmu_candidate *candidate;
	ZydisRegisterContext context;
	const struct bpmu_insn *insn;
	unsigned int i;
	ZyanStatus status;
	ZyanU64 seen;

	for (i = 0; i < decan->candidates.nr; i++) {
		candidate = &decan->candidates.candidate[i];
		insn = candidate->insn;
		if (insn->address + decan->bias != regs->rip ||
		    !bpmu_insn_memory(insn))
			continue;
		fill_context(&context, regs);
		status = zydis->ZydisCalcAbsoluteAddressEx(&insn->z,
							   bpmu_insn_memory(insn),
							   regs->rip, &context,
							   &seen);
		if (ZYAN_SUCCESS(status))
			*(again ? &candidate->next : &candidate->seen) = seen;
	}
}

/*
 * Single-steps a fork through two iterations of the loop, to find which addresses the candidates
 * access. Returns 0 or a negative errno.
 */
static int step_through(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = &decan->snapshot;
	struct user_regs_struct regs;
	pid_t pid, stopped;
	int status, code;
	unsigned int i, headers = 0;

	code = bpmu_snapshot_fork(snapshot, &pid, err);
	if (code)
		return code;
	for (i = 0; i < MAX_STEPS && !code; i++) {
		if (bpmu_trace_registers(pid, &regs))
			break;
		headers += regs.rip == snapshot->header;
		if (headers > 2)
			break;
		record_address(decan, &regs, headers > 1);
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0L);
		code = bpmu_trace_wait(&decan->trace, pid, BPMU_TRACE_FOREVER,
				       &stopped, &status, err);
		if (!code && (!WIFSTOPPED(status) ||
			      WSTOPSIG(status) != SIGTRAP))
			break;
	}
	bpmu_trace_kill(&decan->trace, pid);
	return code;
}

/*
 * Finds the variable that a candidate accesses, and stores its address and name in @found. The
 * symbols of the program or library that contains the loop tell the variable.
 */
static void name_array(void *data, const struct bpmu_candidate *candidate,
		       struct bpmu_array *found)
{
	const struct bpmu_decan *decan = data;
	const struct bpmu_elf *program = &decan->elf;
	const Elf64_Sym *symbol;

	if (!candidate->seen)
		return;
	symbol = bpmu_elf_at(program, STT_OBJECT,
			     candidate->seen - decan->bias);
	if (!symbol)
		return;
	found->start = symbol->st_value + decan->bias;
	snprintf(found->name, sizeof(found->name), "%s",
		 bpmu_elf_name(program, symbol));
	bpmu_plain(found->name, "");
}

static int check_threads(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	if (decan->snapshot.threads < 2 || !decan->candidates.locks)
		return 0;
	return bpmu_error_set(err, -ENOTSUP,
			      "loop %u of '%s': synchronises with other threads, of which only one is kept; take another loop",
			      decan->id, decan->name);
}

static int stop_at_loop(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = &decan->snapshot;
	const struct bpmu_loop *loop = decan->target;
	u64 *exits = calloc(loop->nr_exits + 1, sizeof(*exits));
	unsigned int i;
	int code;

	if (!exits)
		return bpmu_error_no_memory(err, "decan");
	for (i = 0; i < loop->nr_exits; i++)
		exits[i] = loop->exits[i] + decan->bias;
	snapshot->trace = &decan->trace;
	snapshot->helpers = decan->threads - 1;
	snapshot->header = bpmu_loop_header(&decan->code, loop) + decan->bias;
	snapshot->exits = exits;
	snapshot->nr_exits = loop->nr_exits;
	code = bpmu_snapshot_take(snapshot, decan->invocation, err);
	free(exits);
	snapshot->exits = NULL;
	if (!code)
		code = check_threads(decan, err);
	if (!code)
		code = bpmu_snapshot_prepare(snapshot, decan->cpu,
					     bpmu_brackets_size(&decan->code,
								loop), err);
	return code;
}

static int make_variants(struct bpmu_decan *decan, struct bpmu_error *err)
{
	u64 stack = decan->snapshot.regs.rsp;
	int code = step_through(decan, err);

	/*
	 * In some variants a load reads this stack slot instead of its array. The slot is aligned,
	 * and below the red zone, so that the loop's code does not use it.
	 */
	decan->candidates.with.slot = (int)(((stack - RED_ZONE + SLOT - 1) &
					     ~(SLOT - 1)) - stack);
	if (!code)
		code = bpmu_candidates_group(&decan->candidates, name_array,
					     decan, err);
	decan->variants.function = decan->name;
	decan->variants.loop_id = decan->id;
	decan->variants.code = &decan->code;
	decan->variants.loop = decan->target;
	decan->variants.candidates = &decan->candidates;
	decan->variants.kinds = decan->kinds;
	decan->variants.threads = decan->threads;
	return code ? code : bpmu_variants_make(&decan->variants, err);
}

/* Stores in a variant whether its run left the loop by an exit, and if not, why the run ended. */
static void decan_price_note(struct bpmu_variant *variant, const struct bpmu_run *run)
{
	char text[64];

	variant->ok = run->status == BPMU_RUN_OK;
	snprintf(variant->status, sizeof(variant->status), "%s",
		 bpmu_run_status_text(run, text));
}

static int count_iterations(struct bpmu_decan *decan,
			    struct bpmu_variant *variant,
			    struct bpmu_error *err)
{
	struct bpmu_run run = {
		.mode = BPMU_RUN_COUNT, .edit = variant->edit,
		.nr = variant->nr, .limit_ms = decan->limit_ms,
		.learn = true,
		.wanted = decan->variants.variant->iterations,
		.fork = decan->share ? &decan->fork : NULL,
	};
	int code = bpmu_run(&decan->brackets, &run, err);

	if (code)
		return code;
	decan_price_note(variant, &run);
	variant->iterations = run.times.iterations;
	if (variant->ok && variant->iterations !=
			   decan->variants.variant->iterations) {
		variant->ok = false;
		snprintf(variant->status, sizeof(variant->status),
			 "iterations changed");
	}
	return 0;
}

static bool runs_agree(u64 one, u64 next)
{
	u64 distance = one > next ? one - next : next - one;

	return distance <= AGREEMENT_TICKS || distance <= AGREEMENT * next;
}

/*
 * Runs the original loop in a new fork until two successive runs take the same time. The first run
 * is not compared: it has page faults, TLB misses and cache misses that the loop does not have in
 * the user's program. They come from fork(): the child maps pages of files and of large mappings
 * only when it accesses them. Returns 0 or a negative errno.
 */
static int settle(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_warm_up *warm = &decan->warm_up;
	u64 ticks = 0, before;
	int code = 0;

	for (warm->tried = 0; warm->tried < SETTLE_RUNS && !warm->settled;
	     warm->tried++) {
		struct bpmu_run run = {
			.mode = BPMU_RUN_TIMED, .limit_ms = ORIGINAL_LIMIT_MS,
			.fork = &decan->fork,
		};

		before = ticks;
		code = bpmu_run(&decan->brackets, &run, err);
		if (code)
			return code;
		ticks = run.times.ticks;
		if (!warm->tried)
			warm->cold = ticks;
		warm->settled = warm->tried > 1 && runs_agree(before, ticks);
	}
	warm->ticks = ticks;
	warm->runs = warm->settled ? warm->tried - 2 : 1;
	/*
	 * @warm->runs is the number of unmeasured runs before each measurement. For a long loop,
	 * one is enough. One is also the maximum if each measurement is made in a new fork: with
	 * more unmeasured runs the branch predictor would learn the loop's data.
	 */
	if (warm->runs > 1 && (!decan->share || ticks >= WARM_TICKS))
		warm->runs = 1;
	if (ticks >= WARM_TICKS && runs_agree(warm->cold, ticks))
		warm->runs = 0;
	if (!decan->share)
		bpmu_fork_end(&decan->fork, &decan->snapshot);
	return 0;
}

/*
 * Runs the original loop. Its time determines the timeout of the variants, and how many unmeasured
 * runs precede each measurement. If possible, all runs are made in one fork of the program, because
 * after the first run its pages are mapped and its data are in the caches. But in one fork the
 * branch predictor learns the loop's data. So if variants change branches, each measurement is made
 * in a new fork. Returns 0; -ENOTSUP if the loop cannot be run alone; or another negative errno.
 */
static int try_original(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_variant *original = decan->variants.variant;
	u64 begin, ns;
	int code;

	decan->limit_ms = ORIGINAL_LIMIT_MS;
	code = count_iterations(decan, original, err);
	if (code)
		return code;
	if (!original->ok)
		return bpmu_error_set(err, -ENOTSUP,
				      "loop %u of '%s': ended by %s; only loops that keep to themselves can be analysed",
				      decan->id, decan->name, original->status);
	decan->share = !(decan->kinds & BPMU_VARIANT_BRANCHES);
	begin = bpmu_clock_ns(CLOCK_MONOTONIC);
	code = settle(decan, err);
	if (code)
		return code;
	ns = (bpmu_clock_ns(CLOCK_MONOTONIC) - begin) / decan->warm_up.tried;
	decan->limit_ms = SLOWER * ((double)ns / BPMU_NS_PER_MS) + MIN_LIMIT_MS;
	return 0;
}

/*
 * Runs a variant and sets *@cycles to its core cycles or TSC ticks. A short run is repeated if
 * other processes interrupted it. Returns 0 or a negative errno.
 */
static int decan_price_measure(struct bpmu_decan *decan, struct bpmu_run *run,
			       double *cycles, struct bpmu_error *err)
{
	unsigned int left = decan->limit_ms < SHORT_LIMIT_MS ? TRIES : 1;
	int code;

	run->limit_ms = decan->limit_ms;
	run->warm = decan->warm_up.runs;
	run->fork = decan->share ? &decan->fork : NULL;
	bpmu_decan_session_hook(decan->counting ? &decan->session : NULL, run);
	do {
		code = bpmu_run(&decan->brackets, run, err);
	} while (!code && run->status == BPMU_RUN_OK && run->disturbed &&
		 --left);
	*cycles = decan->counting ? bpmu_decan_session_cycles(&decan->session) :
		  run->times.ticks;
	return code;
}

/* Returns how many runs there will be in all, to show the progress as a percentage. */
static double total_runs(const struct bpmu_decan *decan)
{
	const struct bpmu_decan_session *session = &decan->session;
	double nr = decan->variants.nr, groups = 0;

	if (decan->counting && session->type.wanted.events.nr > 1)
		groups = session->type.wanted.groups.nr * (nr + 1);
	if (decan->counting)
		groups += session->type.tree.groups.nr * (session->all ? nr + 1 : 2);
	return nr * (decan->rounds + 2) + decan->rounds + groups * EVENT_RUNS;
}

static void step(struct bpmu_decan *decan)
{
	bpmu_progress_fraction(&decan->progress, decan->done++ / decan->runs);
}

static int measure_empty(struct bpmu_decan *decan, struct bpmu_error *err)
{
	double *sample = calloc(decan->rounds, sizeof(*sample));
	unsigned int i;
	int code = sample ? 0 : bpmu_error_no_memory(err, "decan");

	for (i = 0; i < decan->rounds && !code; i++) {
		struct bpmu_run run = { .mode = BPMU_RUN_EMPTY };

		step(decan);
		code = decan_price_measure(decan, &run, &sample[i], err);
	}
	if (!code)
		decan->empty = bpmu_median(sample, decan->rounds);
	free(sample);
	return code;
}

/*
 * Runs each variant once. Every other round runs them in reverse order, so that no variant always
 * follows the same other variant. Returns 0 or a negative errno.
 */
static int run_round(struct bpmu_decan *decan, unsigned int round,
		     struct bpmu_error *err)
{
	struct bpmu_variant *variant;
	double cycles;
	unsigned int i;
	int code = 0;

	for (i = 0; i < decan->variants.nr && !code; i++) {
		variant = &decan->variants.variant[round % 2 ? i :
						   decan->variants.nr - 1 - i];
		step(decan);
		if (!variant->ok)
			continue;
		struct bpmu_run run = {
			.mode = BPMU_RUN_TIMED, .edit = variant->edit,
			.nr = variant->nr, .helpers = variant->threads - 1,
		};

		code = decan_price_measure(decan, &run, &cycles, err);
		if (code)
			break;
		decan_price_note(variant, &run);
		/* The first round only warms up: its times are not used. */
		if (variant->ok && round && variant->shares)
			variant->shares[variant->samples] = run.on_cpu;
		if (variant->ok && round)
			variant->sample[variant->samples++] = cycles;
	}
	return code;
}

static int count_all(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_variant *variant;
	unsigned int i;
	int code = 0;

	for (i = 0; i < decan->variants.nr && !code; i++) {
		step(decan);
		variant = &decan->variants.variant[i];
		variant->sample = calloc(decan->rounds, sizeof(double));
		if (variant->threads > 1)
			variant->shares = calloc(decan->rounds, sizeof(double));
		if (!variant->sample || (variant->threads > 1 && !variant->shares))
			return bpmu_error_no_memory(err, "decan");
		if (variant->skipped)
			snprintf(variant->status, sizeof(variant->status),
				 "skipped");
		else if (i)
			code = count_iterations(decan, variant, err);
	}
	return code;
}

static int run_rounds(struct bpmu_decan *decan, struct bpmu_error *err)
{
	unsigned int i;
	int code;

	code = count_all(decan, err);
	if (!code)
		code = measure_empty(decan, err);
	for (i = 0; i <= decan->rounds && !code; i++)
		code = run_round(decan, i, err);
	return code;
}

/*
 * Makes EVENT_RUNS runs, each with the parameters in @like. In each run the session counts its
 * present event group. Sets @counts to the median count of each event, and *@ticks to the TSC ticks
 * of the last run. Returns 0 or a negative errno.
 */
static int count_runs(struct bpmu_decan *decan, const struct bpmu_run *like,
		      double counts[BPMU_MAX_COUNTERS], u64 *ticks,
		      struct bpmu_error *err)
{
	struct bpmu_decan_session *session = &decan->session;
	double sample[BPMU_MAX_COUNTERS][EVENT_RUNS];
	struct bpmu_run run;
	double cycles;
	unsigned int i, k;
	int code = 0;

	for (k = 0; k < EVENT_RUNS && !code; k++) {
		step(decan);
		run = *like;
		code = decan_price_measure(decan, &run, &cycles, err);
		for (i = 0; i < session->group.sched.nr; i++)
			sample[i][k] = session->count[i];
		if (run.status == BPMU_RUN_OK)
			*ticks = run.times.ticks;
	}
	for (i = 0; i < session->group.sched.nr && !code; i++)
		counts[i] = bpmu_median(sample[i], EVENT_RUNS).value;
	return code;
}

/*
 * Counts the session's present event group in runs of variant @v, and stores the counts in @cells.
 * @empty has the counts of runs of the code before and after the loop alone; they are subtracted. If
 * there is only one CPU, the work of the tool is counted in these runs as well as in those of the
 * variant, and so is subtracted, too. Returns 0 or a negative errno.
 */
static int count_variant(struct bpmu_decan *decan, unsigned int v,
			 const double empty[BPMU_MAX_COUNTERS],
			 struct bpmu_cell *cells, struct bpmu_error *err)
{
	struct bpmu_variant *variant = &decan->variants.variant[v];
	const struct bpmu_run like = {
		.mode = BPMU_RUN_TIMED, .edit = variant->edit,
		.nr = variant->nr, .helpers = variant->threads - 1,
	};
	double counts[BPMU_MAX_COUNTERS];
	u64 ticks = 1;
	unsigned int i;
	int code;

	if (!variant->ok) {
		decan->done += EVENT_RUNS;
		return 0;
	}
	code = count_runs(decan, &like, counts, &ticks, err);
	if (code)
		return code;
	/*
	 * @empty was counted in other runs, without the loop. If the loop is short, a count in
	 * @empty may by chance exceed the count in @counts. The difference is then negative, and is
	 * set to 0.
	 */
	for (i = 0; i < decan->session.group.sched.nr; i++)
		counts[i] = fmax(counts[i] - empty[i], 0);
	variant->ticks = ticks;
	bpmu_decan_session_keep(&decan->session, cells, counts);
	return 0;
}

/*
 * Counts all event groups in the original loop and, with @all, in each variant. The groups are not
 * multiplexed: each is counted in runs of its own. Returns 0 or a negative errno.
 */
static int count_groups(struct bpmu_decan *decan,
			const struct bpmu_groups *groups,
			struct bpmu_cell *cells, bool all,
			struct bpmu_error *err)
{
	const struct bpmu_run like = { .mode = BPMU_RUN_EMPTY };
	double empty[BPMU_MAX_COUNTERS];
	unsigned int g, v;
	int code = 0;
	u64 ticks;

	for (g = 0; g < groups->nr && !code; g++) {
		code = bpmu_decan_session_use(&decan->session, groups, g, err);
		if (!code)
			code = count_runs(decan, &like, empty, &ticks, err);
		for (v = 0; v < decan->variants.nr && !code && (all || !v); v++)
			code = count_variant(decan, v, empty, cells +
					     (size_t)v * groups->slots +
					     groups->group[g].first, err);
	}
	return code;
}

static int count_more(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_decan_session *session = &decan->session;
	unsigned int v;
	int code = bpmu_decan_session_room(session, decan->variants.nr, err);

	if (!code && session->type.wanted.events.nr > 1)
		code = count_groups(decan, &session->type.wanted.groups,
				    session->event, true, err);
	if (!code)
		code = count_groups(decan, &session->type.tree.groups,
				    session->cell, session->all, err);
	for (v = 0; v < decan->variants.nr && !code && session->type.tree.metrics.nr;
	     v++)
		bpmu_decan_session_eval(session, v,
					decan->variants.variant[v].ticks);
	return code;
}

/*
 * Lets the tool run on all allowed CPUs but @cpu, so that the tool's own work is not counted on
 * @cpu. Sets @before to the affinity that the tool had before.
 */
static void leave_cpu(unsigned int cpu, struct bpmu_affinity *before)
{
	struct bpmu_affinity others;

	bpmu_affinity_get(0, before);
	others = *before;
	bpmu_affinity_remove(&others, cpu);
	/*
	 * This call fails if @cpu is the only CPU that the tool may use: then the tool stays on
	 * @cpu.
	 */
	bpmu_affinity_set(0, &others);
}

/**
 * bpmu_decan_measure() - price the instructions of a loop: measure the time of all variants
 * @decan: state of "barepmu decan" after bpmu_decan_find(); the results are filled in
 *
 * Not thread-safe.
 */
int bpmu_decan_measure(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_affinity before;
	int code;

	leave_cpu(decan->cpu, &before);
	code = stop_at_loop(decan, err);
	decan->brackets.snapshot = &decan->snapshot;
	decan->brackets.code = &decan->code;
	decan->brackets.loop = decan->target;
	decan->brackets.bias = decan->bias;
	if (!code)
		code = make_variants(decan, err);
	if (!code)
		code = bpmu_brackets_make(&decan->brackets, err);
	if (!code)
		code = try_original(decan, err);
	bpmu_progress_begin(&decan->progress, "decan");
	decan->runs = total_runs(decan);
	if (!code)
		code = run_rounds(decan, err);
	if (!code && decan->counting)
		code = count_more(decan, err);
	bpmu_progress_end(&decan->progress);
	bpmu_affinity_set(0, &before);
	if (!code)
		bpmu_variants_judge(&decan->variants, decan->empty);
	return code;
}
