// SPDX-License-Identifier: GPL-2.0
/*
 * Checks of the self-test that run loops whose counts are known. They check whether all counters of
 * all CPUs count exactly, wrap at their width, and interrupt when they overflow; whether fixed
 * counters agree with general-purpose counters and the TSC; and on which counters an event can be
 * counted.
 */
#include <stdlib.h>
#include <string.h>

#include "event/event_counters.h"
#include "event/event_name.h"
#include "events.h"
#include "intel.h"
#include "selftest.h"
#include "trial/errata_overflow.h"

/*
 * number of runs of a loop by which a counter is checked; the counter passes if it is right in the
 * majority of the runs, so that one disturbed run is no failure
 */
#define RUNS 5
/* Every counter must count exactly this number of instructions, which a loop executes */
#define INSTRUCTIONS 1000000
/* number of iterations of the loops by which the counter constraints of events are checked */
#define SHORT_ROUNDS 2000
/*
 * maximum relative difference of two counters that count the same event: they do not start at the
 * same time
 */
#define TOLERANCE 0.01

/**
 * struct tally - result of one check for all counters of all CPUs
 * @counters: number of counters checked
 * @wrong: number of counters that failed
 * @example: description of the first counter that failed, for the user
 * @refused: why the module refuses the check's sessions; empty if it does not
 */
struct tally {
	unsigned int counters;
	unsigned int wrong;
	char example[200];
	char refused[sizeof(struct bpmu_error)];
};

/**
 * struct run - what a counter counted in one run of a loop
 * @deviation: measured count of the loop minus the expected count
 * @interrupts: number of interrupts during the run; on some CPU models each interrupt may make the
 *	count wrong by 1 (see "barepmu errata")
 */
struct run {
	double deviation;
	double interrupts;
};

static bool is_exact(const struct run *run)
{
	return run->deviation <= run->interrupts &&
	       run->deviation >= -run->interrupts;
}

static int by_deviation(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return x->deviation < y->deviation ? -1 : x->deviation > y->deviation;
}

/*
 * Writes what a counter has counted in the runs of a loop to the self-test's report. @runs has RUNS
 * elements, sorted by their deviation.
 */
static void raw_runs(struct bpmu_selftest *selftest, const char *check, u32 cpu,
		     const struct bpmu_sched_slot *slot, double expected,
		     const struct run *runs, unsigned int good)
{
	char counter[20];
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "counter", bpmu_selftest_counter(slot->counter, counter),
		  BPMU_FIELD_TEXT },
		{ "event", slot->text, BPMU_FIELD_TEXT },
		{ "expected", .form = BPMU_FIELD_FIXED, .number = expected },
		{ "runs", .form = BPMU_FIELD_WHOLE, .whole = RUNS },
		{ "right", .form = BPMU_FIELD_WHOLE, .whole = good },
		{ "least", .form = BPMU_FIELD_FIXED,
		  .number = expected + runs[0].deviation },
		{ "median", .form = BPMU_FIELD_FIXED,
		  .number = expected + runs[RUNS / 2].deviation },
		{ "most", .form = BPMU_FIELD_FIXED,
		  .number = expected + runs[RUNS - 1].deviation },
	};

	bpmu_selftest_raw(selftest, check, fields, ARRAY_SIZE(fields));
}

/*
 * Returns the run that is reported as the error of a counter that has failed: the run with the
 * median deviation or, if that run is exact, a run next to it that is not exact. @runs has RUNS
 * elements, sorted by deviation; at most two of them are exact.
 */
static const struct run *typical_error(const struct run *runs)
{
	const struct run *median = &runs[RUNS / 2];

	if (!is_exact(median))
		return median;
	return is_exact(median - 1) ? median + 1 : median - 1;
}

/*
 * Decides whether a counter passes a check, and adds it to @tally. The counter passes if it was
 * exact in more than half of the RUNS elements of @runs. Returns false if the counter fails.
 */
static bool judge_runs(struct bpmu_selftest *selftest, const char *check, u32 cpu,
		       const struct bpmu_sched_slot *slot, double expected,
		       struct run *runs, struct tally *tally)
{
	unsigned int i, good = 0;
	char counter[20];

	for (i = 0; i < RUNS; i++)
		good += is_exact(&runs[i]);
	qsort(runs, RUNS, sizeof(*runs), by_deviation);
	raw_runs(selftest, check, cpu, slot, expected, runs, good);
	tally->counters++;
	if (good > RUNS / 2)
		return true;
	if (!tally->wrong++)
		snprintf(tally->example, sizeof(tally->example),
			 "CPU %u, counter %s, %s: %.0f instead of %.0f, wrong in %u of %u runs",
			 cpu, bpmu_selftest_counter(slot->counter, counter), slot->text,
			 expected + typical_error(runs)->deviation, expected, RUNS - good,
			 RUNS);
	return false;
}

/*
 * Pins the calling thread to a CPU, and prepares to count loops on this CPU: fills in @info with
 * the PMU of the CPU, and @check for a trial (a session that counts one loop). Returns 0 or a
 * negative errno.
 */
static int prepare_trial(struct bpmu_selftest *selftest, u32 cpu,
			 struct bpmu_info *info, struct bpmu_errata_check *check,
			 struct bpmu_error *err)
{
	int code;

	code = bpmu_client_pmu_of(selftest->target.client, cpu, info, err);
	if (!code)
		code = bpmu_trial_settle(cpu, err);
	*check = (struct bpmu_errata_check){
		.trial = {
			.client = selftest->target.client,
			.info = info,
			.cpu = cpu,
		},
		.smt = selftest->target.smt,
	};
	bpmu_trial_clear(&check->trial);
	return code;
}

/*
 * Stores what each counter has counted in run @k in @runs. The deviation of a run is the count with
 * the loop (@with), minus the count with an empty loop (@without), minus the expected count.
 */
static void deviations(struct run runs[BPMU_MAX_COUNTERS][RUNS], unsigned int k,
		       const struct bpmu_sched *sched,
		       const struct bpmu_trial_counts *without,
		       const struct bpmu_trial_counts *with, double expected)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		runs[i][k] = (struct run){
			.deviation = (double)with->own[i] -
				     (double)without->own[i] - expected,
			.interrupts = with->interrupts + without->interrupts,
		};
}

/*
 * Counts an empty loop, and then the loop @bench with @rounds iterations. Does so RUNS times, and
 * stores the results in @runs, [counter of the trial][RUNS]. Returns 0 or a negative errno.
 */
static int run_all(struct bpmu_trial *trial, const struct bpmu_bench *bench,
		   u64 rounds, double expected,
		   struct run runs[BPMU_MAX_COUNTERS][RUNS],
		   struct bpmu_error *err)
{
	struct bpmu_trial_counts with, without;
	unsigned int k;
	int code = 0;

	for (k = 0; k < RUNS && !code; k++) {
		code = bpmu_trial_run(trial, bench, 0, true, &without, err);
		if (!code)
			code = bpmu_trial_run(trial, bench, rounds, false,
					      &with, err);
		if (!code)
			deviations(runs, k, &trial->group.sched, &without,
				   &with, expected);
	}
	return code;
}

static int count_cpu(struct bpmu_selftest *selftest, u32 cpu,
		     struct tally *tally, struct bpmu_error *err)
{
	struct run runs[BPMU_MAX_COUNTERS][RUNS];
	struct bpmu_errata_check check;
	struct bpmu_sched *sched = &check.trial.group.sched;
	struct bpmu_info info;
	unsigned int i;
	int code;

	code = prepare_trial(selftest, cpu, &info, &check, err);
	if (code)
		return code;
	bpmu_errata_count_instructions(&check);
	code = bpmu_trial_begin(&check.trial, err);
	if (!code)
		code = run_all(&check.trial, &bpmu_bench_alu,
			       INSTRUCTIONS / bpmu_bench_alu.instructions,
			       INSTRUCTIONS, runs, err);
	if (!code)
		code = bpmu_trial_end(&check.trial, err);
	for (i = 0; !code && i < sched->nr; i++)
		judge_runs(selftest, "counters", cpu, &sched->slot[i], INSTRUCTIONS,
			   runs[i], tally);
	return code;
}

static int check_each_cpu(struct bpmu_selftest *selftest, const char *what,
			  struct tally *tally,
			  int (*on)(struct bpmu_selftest *selftest, u32 cpu,
				    struct tally *tally, struct bpmu_error *err),
		    struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &selftest->target.cpus;
	unsigned int i;
	int code = 0;

	bpmu_progress_begin(&selftest->progress, what);
	for (i = 0; i < cpus->nr && !code; i++) {
		bpmu_progress_fraction(&selftest->progress, (double)i / cpus->nr);
		code = on(selftest, cpus->cpu[i], tally, err);
	}
	bpmu_progress_end(&selftest->progress);
	return code;
}

/**
 * bpmu_selftest_counters() - self-test by loops: check that all counters of all CPUs count exactly
 *
 * The calling thread stays pinned to the last of the tested CPUs.
 */
int bpmu_selftest_counters(struct bpmu_selftest *selftest,
			   struct bpmu_error *err)
{
	struct tally tally = { };
	int code;

	code = check_each_cpu(selftest, "counting loops", &tally, count_cpu, err);
	if (code)
		return code;
	if (!tally.counters)
		bpmu_selftest_say(selftest, "counters", BPMU_SELFTEST_FAIL,
				  "no counter can hold instructions");
	else if (tally.wrong)
		bpmu_selftest_say(selftest, "counters", BPMU_SELFTEST_FAIL,
				  "%u of %u counters count a loop of %u instructions wrongly: %s",
				  tally.wrong, tally.counters, INSTRUCTIONS,
				  tally.example);
	else
		bpmu_selftest_say(selftest, "counters", BPMU_SELFTEST_OK,
				  "all %u counters of CPU %s count a loop of %u instructions exactly",
				  tally.counters, selftest->target.cpus_text,
				  INSTRUCTIONS);
	return 0;
}

/*
 * Returns true if a counter of @width bits has wrapped between two reads with the values @first and
 * @last: @first is a value of the upper half of the counter's range, and @last is less than @first.
 */
static bool wrapped(u8 width, u64 first, u64 last)
{
	u64 end = width < 64 ? BPMU_BIT(width) - 1 : ~0ull;

	return first <= end && first > end / 2 && last < first;
}

/*
 * Counts two loops with counters that start a little below the value at which they wrap. @counts[0]
 * is set to the counts of an empty loop, in which the counters must not wrap. @counts[1] is set to
 * the counts of a loop that is long enough that they must wrap; *@rounds is set to its number of
 * iterations. Returns 0 or a negative errno.
 */
static int run_wrapping(struct bpmu_trial *trial, u64 *rounds,
			struct bpmu_trial_counts counts[2], struct bpmu_error *err)
{
	int code;

	*rounds = 2 * trial->config.top / bpmu_bench_alu.instructions;
	code = bpmu_trial_begin(trial, err);
	if (!code)
		code = bpmu_trial_run(trial, &bpmu_bench_alu, 0, true,
				      &counts[0], err);
	if (!code)
		code = bpmu_trial_run(trial, &bpmu_bench_alu, *rounds, true,
				      &counts[1], err);
	return code ? code : bpmu_trial_end(trial, err);
}

/*
 * Counts an empty loop, and sets *@most to the largest count of any counter: the number of
 * instructions that start and stop a session. Returns 0 or a negative errno.
 */
static int count_empty_loop(struct bpmu_trial *trial, u64 *most, struct bpmu_error *err)
{
	struct bpmu_trial_counts counts;
	unsigned int i;
	int code;

	code = bpmu_trial_begin(trial, err);
	if (!code)
		code = bpmu_trial_run(trial, &bpmu_bench_alu, 0, true, &counts,
				      err);
	*most = 0;
	for (i = 0; !code && i < trial->group.sched.nr; i++)
		if (counts.own[i] > *most)
			*most = counts.own[i];
	return code ? code : bpmu_trial_end(trial, err);
}

static void raw_width(struct bpmu_selftest *selftest, u32 cpu,
		      const char *counter, u8 width, u64 first, u64 last)
{
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "counter", counter, BPMU_FIELD_TEXT },
		{ "width", .form = BPMU_FIELD_WHOLE, .whole = width },
		{ "first", .form = BPMU_FIELD_HEX, .whole = first },
		{ "last", .form = BPMU_FIELD_HEX, .whole = last },
	};

	bpmu_selftest_raw(selftest, "widths", fields, ARRAY_SIZE(fields));
}

static int wrap_cpu(struct bpmu_selftest *selftest, u32 cpu,
		    struct tally *tally, struct bpmu_error *err)
{
	struct run runs[BPMU_MAX_COUNTERS][RUNS];
	struct bpmu_errata_check check;
	struct bpmu_sched *sched = &check.trial.group.sched;
	u64 first[BPMU_MAX_COUNTERS], last[BPMU_MAX_COUNTERS];
	unsigned int inside[BPMU_MAX_COUNTERS] = { };
	u8 width[BPMU_MAX_COUNTERS];
	struct bpmu_trial_counts counts[2];
	struct bpmu_info info;
	double expected = 0;
	char counter[20];
	unsigned int i, k;
	u64 rounds, most;
	bool good;
	int code;

	code = prepare_trial(selftest, cpu, &info, &check, err);
	if (code)
		return code;
	bpmu_errata_count_instructions(&check);
	code = count_empty_loop(&check.trial, &most, err);
	check.trial.config.top = 2 * most + 500;
	for (k = 0; k < RUNS && !code; k++) {
		code = run_wrapping(&check.trial, &rounds, counts, err);
		expected = (double)rounds * bpmu_bench_alu.instructions;
		if (code)
			break;
		deviations(runs, k, sched, &counts[0], &counts[1], expected);
		for (i = 0; i < sched->nr; i++) {
			width[i] = bpmu_pmu_width(&info.pmu,
						  sched->slot[i].counter);
			good = wrapped(width[i], counts[1].first[i],
				       counts[1].last[i]);
			inside[i] += good;
			/*
			 * The values of one run are kept for the report: of the last run in which
			 * the counter did not wrap as it must or, if the counter wrapped correctly
			 * in all runs, of the first run.
			 */
			if (k && good)
				continue;
			first[i] = counts[1].first[i];
			last[i] = counts[1].last[i];
		}
	}
	for (i = 0; !code && i < sched->nr; i++) {
		bpmu_selftest_counter(sched->slot[i].counter, counter);
		raw_width(selftest, cpu, counter, width[i],
			  first[i], last[i]);
		if (judge_runs(selftest, "widths", cpu, &sched->slot[i], expected,
			       runs[i], tally) && inside[i] <= RUNS / 2 &&
		    !tally->wrong++)
			snprintf(tally->example, sizeof(tally->example),
				 "CPU %u, counter %s: it went from 0x%llx to 0x%llx, which is no wrap at %u bits",
				 cpu, counter, first[i], last[i], width[i]);
	}
	return code;
}

/**
 * bpmu_selftest_widths() - self-test by loops: check that all counters wrap at their width
 *
 * The calling thread stays pinned to the last of the tested CPUs.
 */
int bpmu_selftest_widths(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	struct tally tally = { };
	int code;

	code = check_each_cpu(selftest, "wrapping counters", &tally, wrap_cpu, err);
	if (code)
		return code;
	if (tally.wrong)
		bpmu_selftest_say(selftest, "widths", BPMU_SELFTEST_FAIL,
				  "%u of %u counters are wrong where they wrap: %s",
				  tally.wrong, tally.counters, tally.example);
	else
		bpmu_selftest_say(selftest, "widths", BPMU_SELFTEST_OK,
				  "all %u counters of CPU %s wrap at their width and lose nothing",
				  tally.counters, selftest->target.cpus_text);
	return 0;
}

/**
 * struct interrupting - interrupts of a counter in the runs of a loop
 * @verdict: what the interrupts of a run show: of the last run that was wrong or, if none was, of
 *	the last run
 * @count: events counted in that run
 * @right: number of runs in which each overflow interrupted, at the right period
 */
struct interrupting {
	struct bpmu_overflow_verdict verdict;
	u64 count;
	unsigned int right;
};

static void raw_interrupts(struct bpmu_selftest *selftest, u32 cpu,
			   const struct bpmu_sched_slot *slot, const struct interrupting *result)
{
	char counter[20];
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "counter", bpmu_selftest_counter(slot->counter, counter), BPMU_FIELD_TEXT },
		{ "event", slot->text, BPMU_FIELD_TEXT },
		{ "runs", .form = BPMU_FIELD_WHOLE, .whole = RUNS },
		{ "right", .form = BPMU_FIELD_WHOLE, .whole = result->right },
		{ "count", .form = BPMU_FIELD_WHOLE, .whole = result->count },
		{ "period", .form = BPMU_FIELD_WHOLE, .whole = BPMU_OVERFLOW_PERIOD },
		{ "interrupts", .form = BPMU_FIELD_WHOLE, .whole = result->verdict.nr },
		{ "missing", .form = BPMU_FIELD_WHOLE, .whole = result->verdict.missing },
		{ "early", .form = BPMU_FIELD_WHOLE, .whole = result->verdict.early },
		{ "skid", .form = BPMU_FIELD_WHOLE, .whole = result->verdict.skid },
	};

	bpmu_selftest_raw(selftest, "interrupts", fields, ARRAY_SIZE(fields));
}

/* Runs a loop RUNS times, in which the trial's only counter interrupts. */
static int run_interrupting(struct bpmu_trial *trial, struct interrupting *result,
			    struct bpmu_error *err)
{
	const struct bpmu_part *part = trial->info->pmu.part;
	struct bpmu_overflow_verdict verdict;
	struct bpmu_trial_counts counts;
	unsigned int i;
	int code = 0;
	bool right;

	*result = (struct interrupting){ };
	for (i = 0; i < RUNS && !code; i++) {
		code = bpmu_trial_run(trial, &bpmu_bench_alu, bpmu_overflow_rounds(part), false,
				      &counts, err);
		if (code)
			break;
		bpmu_overflow_judge(trial, &counts, 0, &verdict);
		right = verdict.nr && !verdict.missing && !verdict.early &&
			verdict.skid <= bpmu_overflow_skid(part);
		if (!right || result->right == i) {
			result->verdict = verdict;
			result->count = counts.own[0];
		}
		result->right += right;
	}
	return code ? code : bpmu_trial_end(trial, err);
}

static void judge_interrupts(struct bpmu_selftest *selftest, u32 cpu,
			     const struct bpmu_sched_slot *slot,
			     const struct interrupting *result, struct tally *tally)
{
	const struct bpmu_overflow_verdict *verdict = &result->verdict;
	char counter[20];

	raw_interrupts(selftest, cpu, slot, result);
	tally->counters++;
	if (result->right > RUNS / 2)
		return;
	if (!tally->wrong++)
		snprintf(tally->example, sizeof(tally->example),
			 "CPU %u, counter %s, %s: %u interrupts in %llu counts, %u early, %u missing, skid %llu, wrong in %u of %u runs",
			 cpu, bpmu_selftest_counter(slot->counter, counter), slot->text,
			 verdict->nr, result->count, verdict->early, verdict->missing,
			 verdict->skid, RUNS - result->right, RUNS);
}

static int interrupt_cpu(struct bpmu_selftest *selftest, u32 cpu, struct tally *tally,
			 struct bpmu_error *err)
{
	struct bpmu_errata_check check;
	struct interrupting result;
	struct bpmu_sched sched;
	struct bpmu_info info;
	unsigned int i;
	int code;

	code = prepare_trial(selftest, cpu, &info, &check, err);
	if (code)
		return code;
	bpmu_errata_count_instructions(&check);
	sched = check.trial.group.sched;
	for (i = 0; i < sched.nr && !code && !tally->refused[0]; i++) {
		code = bpmu_overflow_begin(&check.trial, &sched.slot[i], err);
		if (bpmu_overflow_refused(code)) {
			snprintf(tally->refused, sizeof(tally->refused), "%s", err->text);
			return 0;
		}
		if (!code)
			code = run_interrupting(&check.trial, &result, err);
		if (!code)
			judge_interrupts(selftest, cpu, &sched.slot[i], &result, tally);
	}
	return code;
}

/**
 * bpmu_selftest_interrupts() - self-test by loops: check that each overflow of a counter interrupts
 *
 * The check is skipped where the module has no interrupts. The calling thread stays pinned to the
 * last of the tested CPUs.
 */
int bpmu_selftest_interrupts(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	struct tally tally = { };
	int code;

	code = check_each_cpu(selftest, "interrupting counters", &tally, interrupt_cpu, err);
	if (code)
		return code;
	if (tally.wrong)
		bpmu_selftest_say(selftest, "interrupts", BPMU_SELFTEST_FAIL,
				  "%u of %u counters do not interrupt at each overflow, every %u instructions: %s",
				  tally.wrong, tally.counters, BPMU_OVERFLOW_PERIOD, tally.example);
	else if (tally.refused[0])
		bpmu_selftest_say(selftest, "interrupts", BPMU_SELFTEST_SKIP, "%s", tally.refused);
	else
		bpmu_selftest_say(selftest, "interrupts", BPMU_SELFTEST_OK,
				  "all %u counters of CPU %s interrupt at each overflow, every %u instructions",
				  tally.counters, selftest->target.cpus_text,
				  BPMU_OVERFLOW_PERIOD);
	return 0;
}

/**
 * struct fixed - a fixed counter other than number 0, which counts instructions retired
 * @row: event that the fixed counter counts
 * @number: number of the fixed counter, from 1 on
 * @slot: index of the fixed counter's count among the counts of a trial (a session that counts a
 *	loop)
 * @twin: index, among these counts, of the count that a general-purpose counter has of the same
 *	event; -1 if there is none
 */
struct fixed {
	const struct bpmu_event *row;
	u32 number;
	unsigned int slot;
	int twin;
};

static const struct bpmu_event *loop_fixed_row(const struct bpmu_part *part,
					       u64 counter)
{
	const struct bpmu_event *rows;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (rows[i].unit == BPMU_UNIT_CORE && rows[i].counters == counter)
			return &rows[i];
	return NULL;
}

static int count_event(struct bpmu_errata_check *check, const char *name)
{
	const char *const names[] = { name, NULL };

	return bpmu_errata_count(check, names) ?
	       (int)check->trial.group.sched.nr - 1 : -1;
}

static unsigned int find_fixed(struct bpmu_errata_check *check,
			       struct fixed *fixed, unsigned int most)
{
	const struct bpmu_pmu *pmu = &check->trial.info->pmu;
	const struct bpmu_event *row, *twin;
	unsigned int nr = 0;
	int slot, n;

	for (n = 1; n < pmu->fixed_counters && nr < most; n++) {
		row = loop_fixed_row(pmu->part, BPMU_FIXED_BIT(n));
		slot = row ? count_event(check, row->name) : -1;
		if (slot < 0)
			continue;
		twin = bpmu_event_general(pmu->part, BPMU_FIXED_BIT(n));
		fixed[nr++] = (struct fixed){
			.row = row,
			.number = n,
			.slot = slot,
			.twin = twin ? count_event(check, twin->name) : -1,
		};
	}
	return nr;
}

/*
 * Sets *@least and *@most, between which the count of a fixed counter must be. If a general-purpose
 * counter has counted the same event, the bounds are TOLERANCE below and above its count. If not, a
 * count of pipeline slots must be between 1 slot a cycle and the issue width, and any other count
 * must be between 1 and the number of TSC ticks.
 */
static void fixed_bounds(const struct fixed *fixed, const struct bpmu_pmu *pmu,
			 const struct bpmu_trial_counts *counts, double cycles,
			 double *least, double *most)
{
	*least = 1;
	*most = counts->ticks * (1 + TOLERANCE);
	if (fixed->twin >= 0) {
		*least = counts->own[fixed->twin] * (1 - TOLERANCE);
		*most = counts->own[fixed->twin] * (1 + TOLERANCE);
	} else if (BPMU_FIXED_BASE + fixed->number == BPMU_FIXED_SLOTS) {
		/*
		 * The core's slots are divided between its threads. Even if the other thread is
		 * busy, this thread gets at least one slot in each of its cycles.
		 */
		*least = cycles;
		*most = cycles * pmu->part->issue_width * (1 + TOLERANCE);
	}
}

static void raw_fixed(struct bpmu_selftest *selftest, u32 cpu,
		      const struct fixed *fixed, u64 count, double least,
		      double most, u64 ticks)
{
	char counter[20];
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "counter",
		  bpmu_selftest_counter(BPMU_FIXED_BASE + fixed->number, counter),
		  BPMU_FIELD_TEXT },
		{ "event", fixed->row->name, BPMU_FIELD_TEXT },
		{ "count", .form = BPMU_FIELD_WHOLE, .whole = count },
		{ "least", .form = BPMU_FIELD_FIXED, .number = least },
		{ "most", .form = BPMU_FIELD_FIXED, .number = most },
		{ "tsc", .form = BPMU_FIELD_WHOLE, .whole = ticks },
	};

	bpmu_selftest_raw(selftest, "fixed", fields, ARRAY_SIZE(fields));
}

static int fixed_cpu(struct bpmu_selftest *selftest, u32 cpu,
		     struct tally *tally, struct bpmu_error *err)
{
	struct fixed fixed[BPMU_FIXED_BASE];
	struct bpmu_trial_counts counts;
	struct bpmu_errata_check check;
	struct bpmu_info info;
	double least, most, cycles;
	unsigned int i, k, nr, good[BPMU_FIXED_BASE] = { };
	int code;

	code = prepare_trial(selftest, cpu, &info, &check, err);
	if (code)
		return code;
	nr = find_fixed(&check, fixed, BPMU_FIXED_BASE);
	if (!nr)
		return 0;
	code = bpmu_trial_begin(&check.trial, err);
	for (k = 0; k < RUNS && !code; k++) {
		code = bpmu_trial_run(&check.trial, &bpmu_bench_alu,
				      INSTRUCTIONS / bpmu_bench_alu.instructions,
				      false, &counts, err);
		cycles = 0;
		for (i = 0; i < nr && !code; i++) {
			u64 count = counts.own[fixed[i].slot];

			cycles = fixed[i].number == 1 ? count : cycles;
			fixed_bounds(&fixed[i], &info.pmu, &counts, cycles, &least,
				     &most);
			good[i] += count && count >= least && count <= most;
			raw_fixed(selftest, cpu, &fixed[i], count, least, most,
				  counts.ticks);
			if (k == RUNS - 1 && good[i] <= RUNS / 2 &&
			    !tally->wrong++)
				snprintf(tally->example,
					 sizeof(tally->example),
					 "CPU %u, fixed %u, %s: %llu, not from %.0f to %.0f",
					 cpu, fixed[i].number,
					 fixed[i].row->name, count, least,
					 most);
		}
	}
	tally->counters += nr;
	return code ? code : bpmu_trial_end(&check.trial, err);
}

/**
 * bpmu_selftest_fixed() - self-test by loops: check that counts of fixed counters are within bounds
 *
 * The calling thread stays pinned to the last of the tested CPUs.
 */
int bpmu_selftest_fixed(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	struct tally tally = { };
	int code;

	code = check_each_cpu(selftest, "fixed counters", &tally, fixed_cpu, err);
	if (code)
		return code;
	if (!tally.counters)
		bpmu_selftest_say(selftest, "fixed", BPMU_SELFTEST_SKIP,
				  "no fixed counter that counts cycles");
	else if (tally.wrong)
		bpmu_selftest_say(selftest, "fixed", BPMU_SELFTEST_FAIL,
				  "%u of %u do not agree with general counters or the TSC: %s",
				  tally.wrong, tally.counters, tally.example);
	else
		bpmu_selftest_say(selftest, "fixed", BPMU_SELFTEST_OK,
				  "all %u that count cycles agree with general counters or the TSC",
				  tally.counters);
	return 0;
}

/**
 * struct known - an event whose count is known in a loop that copies memory
 * @names: names of the event on different CPU models, ended by NULL
 * @each: number of events in each iteration of the loop
 */
struct known {
	const char *const names[4];
	unsigned int each;
};

static int exact_on(struct bpmu_selftest *selftest,
		    struct bpmu_errata_check *check, const char *name,
		    u64 select, u32 counter, double expected, bool listed,
		    struct tally *tally, struct bpmu_error *err)
{
	struct run runs[BPMU_MAX_COUNTERS][RUNS];
	struct tally elsewhere = { };
	int code;

	bpmu_trial_clear(&check->trial);
	bpmu_trial_count(&check->trial, name, select, counter, counter);
	code = bpmu_trial_begin(&check->trial, err);
	if (!code)
		code = run_all(&check->trial, &bpmu_bench_copy, SHORT_ROUNDS,
			       expected, runs, err);
	if (!code)
		code = bpmu_trial_end(&check->trial, err);
	if (!code)
		judge_runs(selftest, listed ? "constraints" : "unlisted",
			   check->trial.cpu, &check->trial.group.sched.slot[0],
			   expected, runs[0], listed ? tally : &elsewhere);
	return code;
}

static int exact_events(struct bpmu_selftest *selftest,
			struct bpmu_errata_check *check, struct tally *tally,
			struct bpmu_error *err)
{
	const struct known known[] = {
		{ { "branches" }, bpmu_bench_copy.branches },
		{ { "MEM_UOPS_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_LOADS" },
		  bpmu_bench_copy.loads },
		{ { "MEM_UOPS_RETIRED.ALL_STORES", "MEM_INST_RETIRED.ALL_STORES" },
		  bpmu_bench_copy.stores },
		{ { "INST_RETIRED.ANY_P", "instructions" },
		  bpmu_bench_copy.instructions },
	};
	u64 general = bpmu_counters_general(&check->trial.info->pmu);
	u64 select, counters, left;
	const char *name;
	unsigned int i;
	u32 counter;
	int code = 0;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!bpmu_errata_event(check, known[i].names, &select,
				       &counters, &name) ||
		    !(counters & general))
			continue;
		for (left = general; left && !code; left &= left - 1) {
			counter = __builtin_ctzll(left);
			code = exact_on(selftest, check, name, select, counter,
					(double)SHORT_ROUNDS * known[i].each,
					counters >> counter & 1, tally, err);
		}
	}
	return code;
}

static void run_both_loops(u64 rounds, void **at)
{
	bpmu_bench_chase.run(rounds, at);
	bpmu_bench_copy.run(rounds, at);
}

static const struct bpmu_bench mixed_bench = { .run = run_both_loops };

/*
 * Writes to the self-test's report how often @counter has counted @event. @listed is true if the
 * event table says that @counter can count @event.
 */
static void raw_constraint(struct bpmu_selftest *selftest, u32 cpu, u32 counter,
			   const char *event, bool listed, u64 count)
{
	char number[20];
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "counter", bpmu_selftest_counter(counter, number),
		  BPMU_FIELD_TEXT },
		{ "event", event, BPMU_FIELD_TEXT },
		{ "listed", .form = BPMU_FIELD_FLAG, .whole = listed },
		{ "count", .form = BPMU_FIELD_WHOLE, .whole = count },
	};

	bpmu_selftest_raw(selftest, "constraints", fields, ARRAY_SIZE(fields));
}

static int try_row(struct bpmu_selftest *selftest,
		   struct bpmu_errata_check *check,
		   const struct bpmu_event *row, u64 select, u64 counters,
		   struct tally *tally, struct bpmu_error *err)
{
	u64 left = bpmu_counters_general(&check->trial.info->pmu);
	struct bpmu_trial_counts counts;
	u64 inside = 0, outside = 0;
	u32 counter;
	int code = 0;

	for (; left && !code; left &= left - 1) {
		counter = __builtin_ctzll(left);
		bpmu_trial_clear(&check->trial);
		bpmu_trial_count(&check->trial, row->name, select, counter,
				 counter);
		code = bpmu_trial_begin(&check->trial, err);
		if (!code)
			code = bpmu_trial_run(&check->trial, &mixed_bench,
					      SHORT_ROUNDS, true, &counts, err);
		if (!code)
			code = bpmu_trial_end(&check->trial, err);
		if (code)
			return code;
		raw_constraint(selftest, check->trial.cpu, counter, row->name,
			       counters >> counter & 1, counts.own[0]);
		if (counters >> counter & 1)
			inside += counts.own[0];
		else
			outside += counts.own[0];
	}
	tally->counters++;
	if (!inside && outside && !tally->wrong++)
		snprintf(tally->example, sizeof(tally->example),
			 "%s counts nothing on the counters listed for it, and %llu on others",
			 row->name, outside);
	return 0;
}

static int constrained(struct bpmu_selftest *selftest,
		       struct bpmu_errata_check *check, struct tally *tally,
		       struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &check->trial.info->pmu;
	u64 general = bpmu_counters_general(pmu);
	const struct bpmu_event *rows;
	const char *names[2] = { };
	u64 select, counters;
	const char *name;
	size_t nr, i;
	int code = 0;

	rows = bpmu_events(pmu->part, &nr);
	for (i = 0; i < nr && !code; i++) {
		names[0] = rows[i].name;
		bpmu_progress_fraction(&selftest->progress, (double)i / nr);
		if (rows[i].unit != BPMU_UNIT_CORE ||
		    !bpmu_errata_event(check, names, &select, &counters,
				       &name) ||
		    !(counters & general) || !(general & ~counters))
			continue;
		code = try_row(selftest, check, &rows[i], select, counters,
			       tally, err);
	}
	return code;
}

/**
 * bpmu_selftest_constraints() - self-test by loops: check the event table's counter constraints
 *
 * Only the first CPU is tested. An event whose count is known must have this count on each counter
 * that the event table lists for the event. Any other event that the table lists only for some
 * counters must count on one of these, unless it counts on no counter at all. Counts on other
 * counters are reported, but are no failure.
 *
 * The calling thread stays pinned to the first CPU.
 */
int bpmu_selftest_constraints(struct bpmu_selftest *selftest,
			      struct bpmu_error *err)
{
	struct tally exact = { }, rows = { };
	struct bpmu_errata_check check;
	struct bpmu_info info;
	void *arena = NULL;
	int code;

	bpmu_progress_begin(&selftest->progress, "events on each counter");
	code = bpmu_bench_arena(&arena, err);
	if (!code)
		code = prepare_trial(selftest, selftest->target.cpus.cpu[0], &info,
				     &check, err);
	check.trial.arena = arena;
	if (!code)
		code = exact_events(selftest, &check, &exact, err);
	if (!code)
		code = constrained(selftest, &check, &rows, err);
	bpmu_progress_end(&selftest->progress);
	free(arena);
	if (code)
		return code;
	if (exact.wrong || rows.wrong)
		bpmu_selftest_say(selftest, "constraints", BPMU_SELFTEST_FAIL,
				  "%u of %u known counts are wrong, %u of %u events count only on counters not listed for them: %s",
				  exact.wrong, exact.counters, rows.wrong,
				  rows.counters,
				  exact.wrong ? exact.example : rows.example);
	else
		bpmu_selftest_say(selftest, "constraints", BPMU_SELFTEST_OK,
				  "%u exact counts, each event on all counters listed for it; %u events of few counters",
				  exact.counters, rows.counters);
	return 0;
}
