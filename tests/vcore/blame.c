// SPDX-License-Identifier: GPL-2.0
/*
 * Why the stages of an out-of-order core processed less than they could.
 *
 * Source: S. Eyerman, W. Heirman, K. Du Bois, I. Hur, "Multi-Stage CPI Stacks",
 * table 2. A load that hits the L1D is no arithmetic and counts as a dependence.
 */
#include "ooo.h"

static enum vcore_component blame_uop(const struct vcore_flight *flight)
{
	if (flight->kind == VCORE_LOAD) {
		if (flight->level > VCORE_AT_L1 || flight->tlb_missed ||
		    flight->refused)
			return VCORE_DCACHE;
		return VCORE_DEPEND;
	}
	return flight->latency > 1 ? VCORE_ALU_LATENCY : VCORE_DEPEND;
}

static bool has_result(const struct vcore_ooo *ooo,
		       const struct vcore_flight *flight)
{
	return flight->state == VCORE_UOP_DONE &&
	       flight->done <= ooo->core->cycle;
}

/* the oldest slot is of the right path if there is one of it at all */
static bool rob_empty(struct vcore_ooo *ooo)
{
	return ooo->head == ooo->tail || vcore_rob(ooo, ooo->head)->slot.wrong;
}

static enum vcore_component blame_head(struct vcore_ooo *ooo)
{
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);
	unsigned int i;

	for (i = 0; i < rob->nr; i++) {
		const struct vcore_flight *flight;

		flight = vcore_flight(ooo, rob->seq + i);
		if (!has_result(ooo, flight))
			return blame_uop(flight);
	}
	return VCORE_OTHER;
}

/*
 * Behind a mispredicted branch the front end has nothing of the right path. A
 * machine clear is no misprediction, but empties the pipeline as one.
 */
static enum vcore_component blame_front(const struct vcore_ooo *ooo)
{
	if (ooo->clearing)
		return VCORE_OTHER;
	if (ooo->did.recovering || ooo->unresolved ||
	    ooo->did.lacks == VCORE_LACKS_PATH)
		return VCORE_BPRED;
	return ooo->did.lacks == VCORE_LACKS_CODE ? VCORE_ICACHE : VCORE_OTHER;
}

static enum vcore_component blame_stores(struct vcore_ooo *ooo)
{
	return ooo->store_head < ooo->store_sent &&
	       vcore_store(ooo, ooo->store_head)->missed ?
		VCORE_DCACHE : VCORE_OTHER;
}

static enum vcore_component blame_dispatch(struct vcore_ooo *ooo)
{
	if (ooo->unresolved || !ooo->did.stalls)
		return blame_front(ooo);
	if (ooo->did.stalls & (VCORE_FULL_ROB | VCORE_FULL_RS))
		return blame_head(ooo);
	if (ooo->did.stalls & VCORE_FULL_STORES)
		return blame_stores(ooo);
	return VCORE_OTHER;
}

/* who makes an operand that is not there, or NULL */
static const struct vcore_flight *maker(struct vcore_ooo *ooo,
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

static enum vcore_component blame_operand(struct vcore_ooo *ooo,
					  const struct vcore_flight *flight)
{
	unsigned int i;

	for (i = 0; i < flight->sources; i++) {
		const struct vcore_flight *producer = maker(ooo, flight, i);

		if (producer)
			return blame_uop(producer);
	}
	return blame_uop(flight);
}

static enum vcore_component blame_issue(struct vcore_ooo *ooo)
{
	unsigned int uop;

	if (ooo->scheduled == ooo->scheduled_wrong)
		return blame_front(ooo);
	uop = vcore_bits_first(&ooo->waiting, ooo->oldest % VCORE_UOPS);
	if (uop == VCORE_BITS_NONE)
		return VCORE_OTHER;
	return blame_operand(ooo, &ooo->uop[uop]);
}

static enum vcore_component blame_commit(struct vcore_ooo *ooo)
{
	return rob_empty(ooo) ? blame_front(ooo) : blame_head(ooo);
}

static inline void stage_cycles(struct vcore_ooo *ooo, enum vcore_stage stage,
				enum vcore_component (*blame)(struct vcore_ooo *),
				unsigned int slots, uint64_t cycles)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);
	struct vcore_stack *stack = &ooo->stack;
	enum vcore_component lost = VCORE_OTHER;

	if (cycles > 1 || slots + stack->carry[stage] < stack->width)
		lost = blame(ooo);
	if (slots) {
		vcore_stack_cycle(stack, counts, stage, slots, lost);
		cycles--;
	}
	vcore_stack_idle(stack, counts, stage, lost, cycles);
}

/**
 * vcore_blame() - account for cycles in the CPI stacks
 * @ooo: the core, behind the first of them
 * @cycles: how many; nothing happens in the others
 */
void vcore_blame(struct vcore_ooo *ooo, uint64_t cycles)
{
	const struct vcore_did *did = &ooo->did;

	stage_cycles(ooo, VCORE_DISPATCH, blame_dispatch, did->issued_right,
		     cycles);
	stage_cycles(ooo, VCORE_ISSUE, blame_issue, did->executed_slots,
		     cycles);
	stage_cycles(ooo, VCORE_COMMIT, blame_commit, did->retired, cycles);
}

/* a result to come, if it is known when */
static void sooner(uint64_t *next, const struct vcore_ooo *ooo,
		   const struct vcore_flight *flight)
{
	if (flight->state == VCORE_UOP_DONE && flight->done < *next &&
	    flight->done > ooo->core->cycle)
		*next = flight->done;
}

/**
 * vcore_blame_next() - when another may be to blame, though nothing else happens
 * @ooo: the core
 *
 * Of several results that something waits for, each but the last wakes nobody.
 *
 * Return: the first such cycle behind the present one, or VCORE_NEVER.
 */
uint64_t vcore_blame_next(struct vcore_ooo *ooo)
{
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);
	uint64_t next = VCORE_NEVER;
	unsigned int uop, i;

	if (ooo->head != ooo->tail)
		for (i = 0; i < rob->nr; i++)
			sooner(&next, ooo, vcore_flight(ooo, rob->seq + i));
	uop = vcore_bits_first(&ooo->waiting, ooo->oldest % VCORE_UOPS);
	if (uop == VCORE_BITS_NONE)
		return next;
	for (i = 0; i < ooo->uop[uop].sources; i++) {
		const struct vcore_flight *producer;

		producer = maker(ooo, &ooo->uop[uop], i);
		if (producer)
			sooner(&next, ooo, producer);
	}
	return next;
}
