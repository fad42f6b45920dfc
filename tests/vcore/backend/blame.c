// SPDX-License-Identifier: GPL-2.0
/*
 * Attribution of lost issue slots to components of the CPI stacks, at three stages of an
 * out-of-order core: dispatch, issue and commit.
 *
 * Source: S. Eyerman, W. Heirman, K. Du Bois, I. Hur, "Multi-Stage CPI Stacks", table 2. The paper
 * treats a load that hits the L1D as an operation of several cycles, and attributes the whole
 * latency of an operation to one component. Here, enum vcore_part divides the paper's components
 * further.
 */
#include "ooo.h"

static bool has_result(const struct vcore_ooo *ooo,
		       const struct vcore_flight *flight)
{
	return flight->state == VCORE_UOP_DONE &&
	       flight->done <= ooo->core->cycle;
}

/*
 * Returns the component of the CPI stack for a cycle in which a slot waits for the data of an
 * executed load. A load that missed also spends the latency of a hit: these first cycles have a
 * component of their own (VCORE_PART_MISS_HIT), not that of the level that delivers the data.
 */
static enum vcore_part blame_executed_load(const struct vcore_flight *flight,
					   uint64_t now)
{
	if (flight->level <= VCORE_AT_L1 && !flight->tlb_missed)
		return VCORE_PART_L1_HIT;
	if (now < flight->hit_at)
		return VCORE_PART_MISS_HIT;
	if (now < flight->miss_at || flight->level <= VCORE_AT_L1)
		return VCORE_PART_DTLB;
	if (flight->from >= VCORE_AT_MEMORY)
		return VCORE_PART_MEMORY;
	return flight->from >= VCORE_AT_L3 ? VCORE_PART_L3 : VCORE_PART_L2;
}

static bool has_executed(const struct vcore_flight *flight)
{
	return flight->state == VCORE_UOP_DONE;
}

/* Returns true if the uop was ready before this cycle, but its port has executed another uop. */
static bool lacks_port(const struct vcore_ooo *ooo,
		       const struct vcore_flight *flight)
{
	return flight->done < ooo->core->cycle &&
	       vcore_bits_has(&ooo->ready[flight->port],
			      vcore_uop_index(flight));
}

static enum vcore_part blame_load(const struct vcore_ooo *ooo,
				  const struct vcore_flight *flight)
{
	if (has_executed(flight))
		return blame_executed_load(flight, ooo->core->cycle);
	if (flight->refused)
		return VCORE_PART_FILLS;
	if (flight->held)
		return VCORE_PART_BLOCKED;
	return lacks_port(ooo, flight) ? VCORE_PART_PORTS : VCORE_PART_L1_HIT;
}

/*
 * Returns the component for a cycle in which a slot waits for an operation of several cycles. The
 * first cycle of the operation has its own component, because perfect execution units also need one
 * cycle.
 */
static enum vcore_part blame_multicycle(const struct vcore_ooo *ooo,
					const struct vcore_flight *flight)
{
	uint64_t now = ooo->core->cycle;

	if (has_executed(flight))
		return now < flight->done - flight->latency + 1 ?
			VCORE_PART_ALU_FIRST : VCORE_PART_ALU;
	if (flight->divides && ooo->divider > now)
		return VCORE_PART_ALU;
	return lacks_port(ooo, flight) ? VCORE_PART_PORTS :
					 VCORE_PART_ALU_FIRST;
}

static enum vcore_part blame_uop(const struct vcore_ooo *ooo,
				 const struct vcore_flight *flight)
{
	if (flight->type == VCORE_LOAD)
		return blame_load(ooo, flight);
	if (flight->latency > 1)
		return blame_multicycle(ooo, flight);
	return !has_executed(flight) && lacks_port(ooo, flight) ?
		VCORE_PART_PORTS : VCORE_PART_DEPEND;
}

/*
 * Returns true if the reorder buffer holds no slot of the correct path. Slots are in program order:
 * if the oldest slot is on the wrong path, all are.
 */
static bool rob_empty(struct vcore_ooo *ooo)
{
	return ooo->head == ooo->tail || vcore_rob(ooo, ooo->head)->slot.wrong;
}

/*
 * Returns the first uop of the oldest slot whose result is not available yet, or NULL if all are.
 */
static const struct vcore_flight *head_uop(struct vcore_ooo *ooo)
{
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);
	const struct vcore_flight *flight;
	unsigned int i;

	for (i = 0; i < rob->nr; i++) {
		flight = vcore_flight(ooo, rob->seq + i);
		if (!has_result(ooo, flight))
			return flight;
	}
	return NULL;
}

static enum vcore_part blame_head(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight;

	if (ooo->head == ooo->tail)
		return VCORE_PART_OTHER;
	flight = head_uop(ooo);
	return flight ? blame_uop(ooo, flight) : VCORE_PART_OTHER;
}

/*
 * Returns the component for slots that the front end could not fill with uops of the correct path.
 * The front end lacks the correct path after a mispredicted branch and after a machine clear. These
 * two causes have separate components.
 */
static enum vcore_part blame_front(const struct vcore_ooo *ooo)
{
	static const enum vcore_part lacks[] = {
		[VCORE_LACKS_NOTHING] = VCORE_PART_OTHER,
		[VCORE_LACKS_CODE] = VCORE_PART_CODE_L2,
		[VCORE_LACKS_CODE_L3] = VCORE_PART_CODE_L3,
		[VCORE_LACKS_CODE_MEMORY] = VCORE_PART_CODE_MEMORY,
		[VCORE_LACKS_PAGE] = VCORE_PART_ITLB,
		[VCORE_LACKS_PATH] = VCORE_PART_BPRED,
		[VCORE_LACKS_DECODED] = VCORE_PART_DECODE,
		[VCORE_LACKS_ORDER] = VCORE_PART_ORDER,
		[VCORE_LACKS_TRACE] = VCORE_PART_OTHER,
	};

	if (ooo->clearing)
		return VCORE_PART_CLEARS;
	if (ooo->did.recovering || ooo->unresolved)
		return VCORE_PART_BPRED;
	return lacks[ooo->did.lacks];
}

/*
 * Returns the component for slots lost to a full store buffer. The component depends on what the
 * oldest store waits for.
 */
static enum vcore_part blame_stores(struct vcore_ooo *ooo)
{
	if (ooo->store_head == ooo->store_senior)
		return blame_head(ooo);
	if (ooo->store_head == ooo->store_sent)
		return VCORE_PART_FILLS;
	return vcore_store(ooo, ooo->store_head)->missed ?
		VCORE_PART_STORES : VCORE_PART_STORE_BUFFER;
}

/* Returns the uop that produces operand @source of @flight, or NULL if the operand is available. */
static const struct vcore_flight *pending_producer(struct vcore_ooo *ooo,
						   const struct vcore_flight *flight,
						   unsigned int source)
{
	const struct vcore_flight *producer;

	if (flight->producer[source] == VCORE_NO_UOP)
		return NULL;
	producer = &ooo->uop[flight->producer[source]];
	if (producer->seq < ooo->oldest || producer->seq >= flight->seq ||
	    has_result(ooo, producer))
		return NULL;
	return producer;
}

/*
 * Finds the first operand of @flight that is not available yet. Returns the uop that produces this
 * operand, or NULL if all operands are available.
 */
static const struct vcore_flight *first_pending_producer(struct vcore_ooo *ooo,
							 const struct vcore_flight *flight)
{
	const struct vcore_flight *producer = NULL;
	unsigned int i;

	for (i = 0; i < flight->sources && !producer; i++)
		producer = pending_producer(ooo, flight, i);
	return producer;
}

/*
 * Finds the oldest uop that waits in the scheduler. If this uop lacks an operand, returns the uop
 * that produces the operand, else the waiting uop itself. Returns NULL if no uop waits.
 */
static const struct vcore_flight *awaited_uop(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight, *producer;
	unsigned int uop;

	uop = vcore_bits_first(&ooo->waiting, ooo->oldest % VCORE_UOPS);
	if (uop == VCORE_BITS_NONE)
		return NULL;
	flight = &ooo->uop[uop];
	producer = first_pending_producer(ooo, flight);
	return producer ? producer : flight;
}

/*
 * Returns the uop to blame for the wait of the oldest load in the load buffer. If the load has
 * executed, this is the load itself. Otherwise it is the uop at the start of the dependence chain
 * that computes the load's address. Returns NULL if the load buffer is empty or if the load has its
 * data.
 */
static const struct vcore_flight *oldest_load(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight, *producer;

	if (ooo->load_head == ooo->load_tail)
		return NULL;
	flight = &ooo->uop[vcore_load(ooo, ooo->load_head)->uop];
	if (has_result(ooo, flight))
		return NULL;
	while (!has_executed(flight)) {
		producer = first_pending_producer(ooo, flight);
		if (!producer)
			break;
		flight = producer;
	}
	return flight;
}

/*
 * Returns the component for slots lost to a full load buffer. If the oldest load already has its
 * data, it only waits for older instructions to retire, and the oldest slot is to blame.
 */
static enum vcore_part blame_loads(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight = oldest_load(ooo);

	return flight ? blame_uop(ooo, flight) : blame_head(ooo);
}

static enum vcore_part blame_dispatch(struct vcore_ooo *ooo)
{
	if (ooo->unresolved || !ooo->did.stalls)
		return blame_front(ooo);
	if (ooo->did.stalls & (VCORE_FULL_ROB | VCORE_FULL_RS))
		return blame_head(ooo);
	if (ooo->did.stalls & VCORE_FULL_STORES)
		return blame_stores(ooo);
	return blame_loads(ooo);
}

/*
 * Returns the component for a cycle in which fewer uops executed than the width allows. If the
 * scheduler has no uop of the correct path, the front end determines the component. Otherwise the
 * oldest waiting uop does: the component is that of the uop that it waits for. If all uops are
 * ready, the component is contention for ports.
 */
static enum vcore_part blame_issue(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight;

	if (ooo->scheduled == ooo->scheduled_wrong)
		return blame_front(ooo);
	flight = awaited_uop(ooo);
	return flight ? blame_uop(ooo, flight) : VCORE_PART_PORTS;
}

static enum vcore_part blame_commit(struct vcore_ooo *ooo)
{
	return rob_empty(ooo) ? blame_front(ooo) : blame_head(ooo);
}

static inline void stage_cycle(struct vcore_ooo *ooo, enum vcore_stage stage,
			       enum vcore_part (*blame)(struct vcore_ooo *),
			       unsigned int slots)
{
	struct vcore_stack *stack = &ooo->stack;
	enum vcore_part lost = VCORE_PART_OTHER;

	if (slots + stack->carry[stage] < stack->width)
		lost = blame(ooo);
	vcore_stack_cycle(stack, vcore_counts(ooo->core), stage, slots, lost);
}

/*
 * Finds out if the oldest slot waits for the result of a uop, and if this uop is a load that waits
 * for its data. A load that has no address or no port yet does not count as waiting for data.
 */
static void find_wait(struct vcore_ooo *ooo, struct vcore_blamed *blamed)
{
	const struct vcore_flight *flight = rob_empty(ooo) ? NULL : head_uop(ooo);

	blamed->waits = flight;
	blamed->load = flight && flight->type == VCORE_LOAD &&
		       (has_executed(flight) || flight->refused || flight->held);
}

static void count_wait(struct vcore_ooo *ooo, const struct vcore_blamed *blamed,
		       uint64_t cycles)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;

	if (blamed->waits)
		plain[VCORE_NO_RETIRE_WAITS] += cycles;
	if (blamed->load)
		plain[VCORE_NO_RETIRE_LOAD] += cycles;
}

/**
 * vcore_blame() - blame components of the CPI stacks for the slots that a simulated cycle lost
 * @ooo: back end, after the simulation of the current cycle
 */
void vcore_blame(struct vcore_ooo *ooo)
{
	const struct vcore_did *did = &ooo->did;
	struct vcore_blamed blamed;

	stage_cycle(ooo, VCORE_DISPATCH, blame_dispatch, did->issued_correct);
	stage_cycle(ooo, VCORE_ISSUE, blame_issue, did->executed_slots);
	stage_cycle(ooo, VCORE_COMMIT, blame_commit, did->retired);
	if (did->retired)
		return;
	find_wait(ooo, &blamed);
	count_wait(ooo, &blamed, 1);
}

/*
 * Lowers *@until to the next cycle in which an executed uop's component of the CPI stack changes.
 */
static void lower_until(uint64_t *until, const struct vcore_flight *flight,
			uint64_t now)
{
	uint64_t change[4];
	unsigned int i;

	if (!flight || !has_executed(flight))
		return;
	change[0] = flight->done;
	change[1] = flight->done - flight->latency + 1;
	change[2] = flight->miss_at;
	change[3] = flight->hit_at;
	for (i = 0; i < 4; i++)
		if (change[i] > now && change[i] < *until)
			*until = change[i];
}

/**
 * vcore_blame_idle() - blame components of the CPI stacks for the slots that idle cycles lose
 * @ooo: back end, in the first of the idle cycles
 * @blamed: output: the component of each stage, valid up to the cycle &vcore_blamed.until
 *
 * The idle cycles end when a uop in the scheduler has all operands. If one operand of several
 * arrives, they go on, but the component that is blamed may change.
 */
void vcore_blame_idle(struct vcore_ooo *ooo, struct vcore_blamed *blamed)
{
	uint64_t now = ooo->core->cycle;

	blamed->lost[VCORE_DISPATCH] = blame_dispatch(ooo);
	blamed->lost[VCORE_ISSUE] = blame_issue(ooo);
	blamed->lost[VCORE_COMMIT] = blame_commit(ooo);
	find_wait(ooo, blamed);
	blamed->until = VCORE_NEVER;
	if (ooo->head != ooo->tail)
		lower_until(&blamed->until, head_uop(ooo), now);
	lower_until(&blamed->until, awaited_uop(ooo), now);
	if (ooo->did.stalls & VCORE_FULL_LOADS)
		lower_until(&blamed->until, oldest_load(ooo), now);
}

/**
 * vcore_blame_for() - add idle cycles to the components that vcore_blame_idle() has blamed
 * @ooo: back end
 * @blamed: attribution of the lost slots, from vcore_blame_idle()
 * @cycles: number of cycles
 */
void vcore_blame_for(struct vcore_ooo *ooo, const struct vcore_blamed *blamed,
		     uint64_t cycles)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);
	unsigned int i;

	for (i = 0; i < VCORE_STAGES; i++)
		vcore_stack_idle(&ooo->stack, counts, i, blamed->lost[i],
				 cycles);
	count_wait(ooo, blamed, cycles);
}
