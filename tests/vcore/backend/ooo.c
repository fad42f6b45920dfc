// SPDX-License-Identifier: GPL-2.0
/*
 * Cycle-by-cycle simulation of an out-of-order core. Cycles in which nothing changes are skipped.
 */
#include "ooo.h"

#include <stdlib.h>

/*
 * Number of recorded steps that the front end needs, counted from the step that it fetches next. If
 * the trace has fewer, vcore_ooo_run() stops, unless its argument @all is true.
 */
#define AHEAD 64

/**
 * vcore_ooo_new() - create an out-of-order core: its back end and its front end
 * @core: core whose memory subsystem has been created
 *
 * Return: the back end, or NULL if the allocation failed.
 */
struct vcore_ooo *vcore_ooo_new(struct vcore *core)
{
	struct vcore_ooo *ooo = calloc(1, sizeof(*ooo));

	if (!ooo)
		return NULL;
	ooo->core = core;
	ooo->front = vcore_front_new(core->params, core->ideal, &core->trace,
				     core->memory, &core->fetches);
	if (!ooo->front) {
		free(ooo);
		return NULL;
	}
	ooo->stack.width = core->params->back.width;
	if (ooo->stack.width > core->params->back.retire_width)
		ooo->stack.width = core->params->back.retire_width;
	/*
	 * Numbers of uops begin with 1, because 0 in the register map stands for a register that no
	 * uop in flight produces.
	 */
	ooo->next = 1;
	ooo->oldest = 1;
	ooo->resolve = VCORE_NEVER;
	vcore_sched_reset(ooo);
	vcore_refused_reset(ooo);
	return ooo;
}

/**
 * vcore_ooo_free() - free an out-of-order core: its back end and its front end
 * @ooo: back end, or NULL
 */
void vcore_ooo_free(struct vcore_ooo *ooo)
{
	if (!ooo)
		return;
	vcore_front_free(ooo->front);
	free(ooo);
}

static void squash_wrong_path(struct vcore_ooo *ooo)
{
	while (ooo->tail > ooo->head) {
		const struct vcore_rob *rob = vcore_rob(ooo, ooo->tail - 1);
		unsigned int i;

		if (!rob->slot.wrong)
			return;
		for (i = 0; i < rob->nr; i++)
			vcore_sched_squash(ooo,
					   vcore_flight(ooo, rob->seq + i));
		ooo->next = rob->seq;
		ooo->tail--;
	}
}

/* Squashes the wrong path once the mispredicted branch has executed, and resteers the front end. */
static void resolve_branch(struct vcore_ooo *ooo)
{
	uint64_t now = ooo->core->cycle;

	if (now < ooo->resolve)
		return;
	squash_wrong_path(ooo);
	vcore_front_resolve(ooo->front, now);
	ooo->resolve = VCORE_NEVER;
	ooo->unresolved = false;
	ooo->recovered = now + ooo->core->params->front.recovery;
}

/*
 * A machine clear flushes slots that were counted in the base component of the CPI stacks when they
 * were issued. Moves these slots to the component of machine clears.
 */
static void undo_flushed(struct vcore_ooo *ooo)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);
	unsigned int issued = 0;
	unsigned int executed = 0;
	uint64_t nr;

	for (nr = ooo->head; nr < ooo->tail; nr++) {
		const struct vcore_rob *rob = vcore_rob(ooo, nr);

		issued += !rob->slot.wrong;
		executed += !rob->slot.wrong && !rob->pending;
		if (!rob->slot.wrong && rob->slot.last_of_insn)
			ooo->x87_top -= vcore_insn_of(ooo, rob->slot.step)
						->x87_pops;
	}
	counts->plain[VCORE_WRONG_SLOTS] += issued;
	vcore_stack_undo(&ooo->stack, counts, VCORE_DISPATCH, issued);
	vcore_stack_undo(&ooo->stack, counts, VCORE_ISSUE, executed);
}

/*
 * Counts a machine clear. MACHINE_CLEARS.COUNT includes microcode assists, because an assist begins
 * with a machine clear (H. Ragab et al., Rage Against the Machine Clear, USENIX Security 2021,
 * section 5).
 */
static void count_clear(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;

	plain[VCORE_CLEARS]++;
	if (rob->clear || ooo->clear_next) {
		plain[ooo->clear_code ? VCORE_CLEARS_CODE : VCORE_CLEARS_ORDERING]++;
		return;
	}
	plain[VCORE_ASSISTS]++;
	vcore_step(&ooo->core->trace, rob->slot.step)->assist_uops =
		ooo->core->params->back.assist;
}

/*
 * Performs a machine clear: flushes all uops in flight and lets fetch restart at the oldest
 * instruction.
 */
static void machine_clear(struct vcore_ooo *ooo)
{
	const struct vcore_params *params = ooo->core->params;
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);
	uint64_t now = ooo->core->cycle;

	count_clear(ooo, rob);
	undo_flushed(ooo);
	vcore_front_refetch(ooo->front, rob->slot.step, now + params->back.clear);
	ooo->tail = ooo->head;
	ooo->oldest = ooo->next;
	vcore_tag_flush(&ooo->core->tag);
	vcore_sched_reset(ooo);
	vcore_refused_reset(ooo);
	vcore_lsq_reset(ooo);
	vcore_stores_reset(ooo);
	ooo->resolve = VCORE_NEVER;
	ooo->unresolved = false;
	ooo->clear_next = false;
	ooo->clear_code = false;
	ooo->clearing = true;
	ooo->recovered = now + params->front.recovery;
	ooo->did.active = true;
}

/* Lets the front end resume after a serialising instruction when the pipeline is empty. */
static void resume_drained(struct vcore_ooo *ooo)
{
	if (ooo->head != ooo->tail || vcore_front_peek(ooo->front) ||
	    vcore_front_lacks(ooo->front) != VCORE_LACKS_ORDER ||
	    (ooo->serialised && ooo->store_head != ooo->store_senior))
		return;
	vcore_front_drained(ooo->front, ooo->core->cycle);
}

static void check_invalidations(struct vcore_ooo *ooo)
{
	uint64_t line;

	while (vcore_memory_invalidated(ooo->core->memory, &line))
		vcore_lsq_invalidated(ooo, line);
}

static void count_stalls(uint64_t *plain, const struct vcore_did *did,
			 unsigned int lost, uint64_t cycles)
{
	plain[VCORE_BACKEND_SLOTS] += lost * cycles;
	plain[VCORE_STALL_ANY] += cycles;
	if (did->stalls & VCORE_FULL_ROB)
		plain[VCORE_STALL_ROB] += cycles;
	if (did->stalls & VCORE_FULL_RS)
		plain[VCORE_STALL_RS] += cycles;
	if (did->stalls & VCORE_FULL_STORES)
		plain[VCORE_STALL_SB] += cycles;
	if (did->stalls & VCORE_FULL_LOADS)
		plain[VCORE_STALL_LB] += cycles;
}

static void count_histogram(struct vcore_counts *counts,
			    enum vcore_per_cycle quantity, unsigned int nr,
			    uint64_t cycles)
{
	if (nr)
		counts->cycles_with[quantity][nr] += cycles;
}

/*
 * Counts each issue slot of @cycles cycles in one category: issued, lost to recovery, lost to a
 * full back end, taken by the core's other thread, or fetch bubble. The other thread's slots are
 * those in which this thread could issue. After a recovery, slots are fetch bubbles until the front
 * end has slots of the correct path again.
 */
static void count_pipeline(struct vcore_ooo *ooo, uint64_t cycles)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);
	const struct vcore_did *did = &ooo->did;
	unsigned int lost = ooo->core->params->back.width - did->issued;

	counts->plain[VCORE_WRONG_SLOTS] += did->issued - did->issued_correct;
	if (did->recovering) {
		counts->plain[VCORE_RECOVERY_CYCLES] += cycles;
		counts->plain[VCORE_RECOVERY_SLOTS] += lost * cycles;
	} else if (did->stalls) {
		count_stalls(counts->plain, did, lost, cycles);
	} else if (did->yields) {
		counts->plain[VCORE_CONTENDED_SLOTS] += lost * cycles;
	} else {
		count_histogram(counts, VCORE_BUBBLES, lost, cycles);
	}
	if (!did->stalls && !did->yields)
		count_histogram(counts, VCORE_UNSUPPLIED, lost, cycles);
	count_histogram(counts, VCORE_ISSUED, did->issued, cycles);
	count_histogram(counts, VCORE_RETIRED, did->retired, cycles);
	count_histogram(counts, VCORE_EXECUTED, did->executed, cycles);
}

/*
 * Counts the cycles in which the store buffer is full and at most two uops execute. If no uop
 * executes in such a cycle and a load is pending, the cycle is charged to loads, not to stores (A.
 * Yasin, "A Top-Down Method for Performance Analysis and Counters Architecture", section 3.7).
 */
static void count_stores(struct vcore_ooo *ooo, uint64_t cycles,
			 uint64_t stalled_by_loads)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;

	if (ooo->did.executed <= 2 && ooo->did.stalls & VCORE_FULL_STORES)
		plain[VCORE_FEW_EXECUTE_STORES] += cycles - stalled_by_loads;
}

/*
 * Counts the cycles from @begin until @end in which a load is pending. No load becomes pending
 * between @begin and @end. Loads whose data a store delays stay pending until @end.
 */
static void count_pending(struct vcore_ooo *ooo, uint64_t begin, uint64_t end)
{
	static const enum vcore_plain pending[] = {
		[VCORE_PENDING_LOAD] = VCORE_CYCLES_LOAD,
		[VCORE_PENDING_L1] = VCORE_CYCLES_L1,
		[VCORE_PENDING_L2] = VCORE_CYCLES_L2,
		[VCORE_PENDING_L3] = VCORE_CYCLES_L3,
	};
	static const enum vcore_plain stalled[] = {
		[VCORE_PENDING_LOAD] = VCORE_NO_EXECUTE_LOAD,
		[VCORE_PENDING_L1] = VCORE_NO_EXECUTE_L1,
		[VCORE_PENDING_L2] = VCORE_NO_EXECUTE_L2,
		[VCORE_PENDING_L3] = VCORE_NO_EXECUTE_L3,
	};
	uint64_t *plain = vcore_counts(ooo->core)->plain;
	uint64_t since[VCORE_NR_PENDING];
	unsigned int i;

	for (i = 0; i < VCORE_NR_PENDING; i++) {
		uint64_t until = ooo->pending[i] < end ? ooo->pending[i] : end;

		if (i == VCORE_PENDING_LOAD && ooo->held)
			until = end;
		since[i] = until > begin ? until - begin : 0;
		plain[pending[i]] += since[i];
		if (!ooo->did.executed)
			plain[stalled[i]] += since[i];
	}
	count_stores(ooo, end - begin,
		     ooo->did.executed ? 0 : since[VCORE_PENDING_LOAD]);
}

/* Adds @cycles cycles to the counts. Each of them is counted like the current cycle. */
static void count_cycles(struct vcore_ooo *ooo, uint64_t cycles)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;

	plain[VCORE_CYCLES] += cycles;
	if (!ooo->scheduled)
		plain[VCORE_RS_EMPTY] += cycles;
	if (!ooo->did.executed)
		plain[VCORE_NO_EXECUTE] += cycles;
	count_pipeline(ooo, cycles);
}

static void keep_earlier(uint64_t *next, uint64_t now, uint64_t cycle)
{
	if (cycle > now && cycle < *next)
		*next = cycle;
}

/*
 * Returns the next cycle in which the core's state changes. Does not look at the uops that the
 * scheduler will wake. If all steps have retired, this is the next cycle, because the run ends when
 * no slot is carried to it.
 */
static uint64_t next_activity(struct vcore_ooo *ooo)
{
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);
	const struct vcore_trace *trace = &ooo->core->trace;
	uint64_t now = ooo->core->cycle;
	uint64_t next = vcore_front_next(ooo->front, now);

	if (trace->retired == trace->end)
		return now + 1;
	keep_earlier(&next, now, vcore_stores_next(ooo));
	keep_earlier(&next, now, ooo->resolve);
	keep_earlier(&next, now, ooo->recovered);
	if (ooo->head != ooo->tail && !rob->pending)
		keep_earlier(&next, now, rob->done);
	return next;
}

/*
 * Advances the current cycle to @end, or to the first cycle before @end in which a uop may execute.
 * If it becomes known meanwhile that a load has missed, marks the load as pending. Returns true if
 * a uop may execute.
 */
static bool skip_cycles(struct vcore_ooo *ooo, uint64_t end, uint64_t ready)
{
	uint64_t *now = &ooo->core->cycle;
	uint64_t begin = *now;
	uint64_t next;
	bool wakes;

	for (;;) {
		next = vcore_sched_next(ooo, ready, &wakes);
		if (wakes || next >= end)
			break;
		count_pending(ooo, begin, next);
		begin = next;
		*now = next;
		vcore_execute_due(ooo);
	}
	wakes &= next <= end;
	next = next < end ? next : end;
	if (next == VCORE_NEVER)
		next = begin + 1;
	count_pending(ooo, begin, next);
	*now = next;
	return wakes;
}

/*
 * Counts the current cycle, in which no uop executed, issued or retired, and skips the equally idle
 * cycles that follow it.
 */
static void skip_idle(struct vcore_ooo *ooo)
{
	struct vcore *core = ooo->core;
	uint64_t begin = core->cycle;
	uint64_t move = next_activity(ooo);
	bool waits = ooo->head != ooo->tail && vcore_front_waits(ooo->front);
	uint64_t tried = begin + 1;
	uint64_t ready = waits ? vcore_refused_end(ooo) : tried;
	struct vcore_blamed blamed;
	uint64_t since;
	bool wakes;

	for (;;) {
		since = core->cycle;
		vcore_blame_idle(ooo, &blamed);
		wakes = skip_cycles(ooo, blamed.until < move ? blamed.until : move,
				    ready);
		vcore_refused_sweep(ooo, core->cycle - tried);
		tried = core->cycle;
		count_cycles(ooo, core->cycle - since);
		vcore_blame_for(ooo, &blamed, core->cycle - since);
		if (!waits || wakes || core->cycle >= move)
			break;
		vcore_execute_due(ooo);
	}
	if (core->cycle - begin > 1)
		vcore_front_idle(ooo->front, core->cycle - begin - 1,
				 vcore_counts(core));
}

static bool has_activity(const struct vcore_did *did)
{
	return did->active || did->retired || did->executed || did->issued || did->yields;
}

static void simulate_cycle(struct vcore_ooo *ooo, bool all)
{
	struct vcore *core = ooo->core;

	ooo->did = (struct vcore_did){ 0 };
	check_invalidations(ooo);
	vcore_execute_due(ooo);
	resolve_branch(ooo);
	if (vcore_retire(ooo))
		machine_clear(ooo);
	vcore_stores_drain(ooo);
	vcore_lsq_barriers(ooo);
	vcore_execute(ooo);
	resume_drained(ooo);
	vcore_front_cycle(ooo->front, core->cycle, all, vcore_counts(core));
	vcore_issue(ooo);
	if (!has_activity(&ooo->did)) {
		skip_idle(ooo);
		return;
	}
	count_cycles(ooo, 1);
	count_pending(ooo, core->cycle, core->cycle + 1);
	vcore_blame(ooo);
	core->cycle++;
}

static bool all_retired(const struct vcore_ooo *ooo)
{
	const struct vcore_trace *trace = &ooo->core->trace;

	return trace->retired == trace->end && !ooo->stack.carry[VCORE_COMMIT];
}

/**
 * vcore_ooo_run() - simulate an out-of-order core while it executes the steps of the trace
 * @core: core
 * @all: true: simulate until all steps have retired; false: stop when fewer steps are left in the
 *	trace than the front end looks ahead
 */
void vcore_ooo_run(struct vcore *core, bool all)
{
	const struct vcore_trace *trace = &core->trace;
	struct vcore_ooo *ooo = core->ooo;

	while (all ? !all_retired(ooo) : trace->end - trace->fetch >= AHEAD) {
		vcore_memory_pace(core->memory, core->cycle);
		simulate_cycle(ooo, all);
	}
	vcore_memory_advance(core->memory, core->cycle, vcore_counts(core));
}
