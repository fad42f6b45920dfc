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

/* the first uop of the oldest slot that has no result, or NULL */
static const struct vcore_flight *head(struct vcore_ooo *ooo)
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

static enum vcore_component blame_head(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight = head(ooo);

	return flight ? blame_uop(flight) : VCORE_OTHER;
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

/* who makes the oldest waiting uop's operand, or that uop; NULL if none waits */
static const struct vcore_flight *awaited(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight;
	unsigned int uop, i;

	uop = vcore_bits_first(&ooo->waiting, ooo->oldest % VCORE_UOPS);
	if (uop == VCORE_BITS_NONE)
		return NULL;
	flight = &ooo->uop[uop];
	for (i = 0; i < flight->sources; i++) {
		const struct vcore_flight *producer = maker(ooo, flight, i);

		if (producer)
			return producer;
	}
	return flight;
}

static enum vcore_component blame_issue(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight;

	if (ooo->scheduled == ooo->scheduled_wrong)
		return blame_front(ooo);
	flight = awaited(ooo);
	return flight ? blame_uop(flight) : VCORE_OTHER;
}

static enum vcore_component blame_commit(struct vcore_ooo *ooo)
{
	return rob_empty(ooo) ? blame_front(ooo) : blame_head(ooo);
}

static inline void stage_cycle(struct vcore_ooo *ooo, enum vcore_stage stage,
			       enum vcore_component (*blame)(struct vcore_ooo *),
			       unsigned int slots)
{
	struct vcore_stack *stack = &ooo->stack;
	enum vcore_component lost = VCORE_OTHER;

	if (slots + stack->carry[stage] < stack->width)
		lost = blame(ooo);
	vcore_stack_cycle(stack, vcore_counts(ooo->core), stage, slots, lost);
}

/**
 * vcore_blame() - account for a cycle in the CPI stacks
 * @ooo: the core, behind it
 */
void vcore_blame(struct vcore_ooo *ooo)
{
	const struct vcore_did *did = &ooo->did;

	stage_cycle(ooo, VCORE_DISPATCH, blame_dispatch, did->issued_right);
	stage_cycle(ooo, VCORE_ISSUE, blame_issue, did->executed_slots);
	stage_cycle(ooo, VCORE_COMMIT, blame_commit, did->retired);
}

/* a result to come, if it is known when */
static void sooner(uint64_t *until, const struct vcore_flight *flight)
{
	if (flight && flight->state == VCORE_UOP_DONE && flight->done < *until)
		*until = flight->done;
}

/**
 * vcore_blame_idle() - what is to blame for cycles in which nothing happens
 * @ooo: the core, in the first of them
 * @blamed: result
 *
 * Of several results that something waits for, each but the last wakes nobody.
 */
void vcore_blame_idle(struct vcore_ooo *ooo, struct vcore_blamed *blamed)
{
	blamed->lost[VCORE_DISPATCH] = blame_dispatch(ooo);
	blamed->lost[VCORE_ISSUE] = blame_issue(ooo);
	blamed->lost[VCORE_COMMIT] = blame_commit(ooo);
	blamed->until = VCORE_NEVER;
	if (ooo->head != ooo->tail)
		sooner(&blamed->until, head(ooo));
	sooner(&blamed->until, awaited(ooo));
}

/**
 * vcore_blame_for() - account for cycles in which nothing happens
 * @ooo: the core
 * @blamed: for them
 * @cycles: how many
 */
void vcore_blame_for(struct vcore_ooo *ooo, const struct vcore_blamed *blamed,
		     uint64_t cycles)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);
	unsigned int i;

	for (i = 0; i < VCORE_STAGES; i++)
		vcore_stack_idle(&ooo->stack, counts, i, blamed->lost[i],
				 cycles);
}
