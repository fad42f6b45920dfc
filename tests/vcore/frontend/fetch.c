// SPDX-License-Identifier: GPL-2.0
#include "making.h"

/* The number of cycles over which the pace of the wrong path is averaged. */
#define PACE_CYCLES 8

/**
 * vcore_fetch_elsewhere() - stop at a change of the flow, which starts a new
 * window
 * @front: front end
 */
void vcore_fetch_elsewhere(struct vcore_front *front)
{
	vcore_decoded_close(front->decoded);
	front->window = VCORE_NOWHERE;
	front->predecoded = 0;
}

/* Branches that an interrupt prevented from executing do not train the predictor. */
static enum vcore_prediction predict(struct vcore_front *front,
				     const struct vcore_making *m,
				     struct vcore_counts *counts)
{
	uint64_t number = front->trace->fetch + m->fused_next;
	enum vcore_prediction prediction;

	if (!m->branch || m->branch->insn->branch == VCORE_FAR ||
	    m->branch->interrupted || number < front->learnt ||
	    front->ideal->bpred)
		return VCORE_RIGHT;
	front->learnt = number + 1;
	prediction = vcore_predictor_branch(front->predictor, m->branch->insn,
					    m->branch->jumped,
					    m->branch->next_pc);
	counts->plain[VCORE_BACLEARS] += prediction == VCORE_LATE;
	return prediction;
}

/* Adds decoded slots to the uop cache; a fused branch is added for its address only. */
static void remember(struct vcore_front *front, const struct vcore_making *m)
{
	if (!front->legacy || front->repeats)
		return;
	vcore_decoded_add(front->decoded, m->insn, m->slots, m->microcode);
	if (m->fused_next)
		vcore_decoded_add(front->decoded, m->next->insn, 0, false);
}

/*
 * Returns true if everything up to @last must retire before the next step is
 * fetched.
 */
static bool orders(const struct vcore_front *front,
		   const struct vcore_step *last)
{
	const struct vcore_trace *trace = front->trace;
	const struct vcore_insn *insn = last->insn;

	if (insn->serialises || insn->branch == VCORE_FAR || last->interrupted)
		return true;
	return trace->fetch < trace->end &&
	       trace->step[trace->fetch % VCORE_TRACE].insn->ring != insn->ring;
}

/*
 * Ends a step whose slots are all in the queue. Returns false if no other step
 * can follow in this cycle.
 */
static bool finish(struct vcore_front *front, const struct vcore_making *m)
{
	const struct vcore_step *last = m->fused_next ? m->next : m->step;

	remember(front, m);
	front->uop = 0;
	front->stalled = false;
	front->trace->fetch += 1 + m->fused_next;
	front->repeats = m->insn->rep && m->next && m->next->insn == m->insn &&
			 m->step->next_pc == m->insn->pc &&
			 !m->step->interrupted;
	front->draining = orders(front, last);
	front->wrong = front->prediction == VCORE_WRONG;
	front->branch = front->trace->fetch - 1;
	if (front->prediction == VCORE_LATE)
		vcore_supply_stop(front, VCORE_STALL_LATE,
				 front->now + 1 + front->params->baclear);
	if (front->repeats)
		return true;
	if (last->jumped || last->interrupted)
		vcore_fetch_elsewhere(front);
	return !last->jumped && !front->wrong && !front->draining;
}

static bool fetch_step(struct vcore_front *front, struct vcore_group *group,
		       struct vcore_counts *counts)
{
	struct vcore_making making = vcore_making_next(front);

	if (!front->uop) {
		if (!vcore_supply_begin(front, &making, group, counts))
			return false;
		front->prediction = predict(front, &making, counts);
	}
	return vcore_making_put(front, &making, group) &&
	       finish(front, &making);
}

static void count_supply(const struct vcore_front *front, unsigned int slots,
			 struct vcore_counts *counts)
{
	bool full = slots == front->width;

	switch (front->supply) {
	case VCORE_FROM_DSB:
		counts->plain[VCORE_DSB_UOPS] += slots;
		counts->plain[VCORE_DSB_CYCLES_ANY]++;
		counts->plain[VCORE_DSB_CYCLES_4] += full;
		break;
	case VCORE_FROM_MITE:
		counts->plain[VCORE_MITE_UOPS] += slots;
		counts->plain[VCORE_MITE_CYCLES_ANY]++;
		counts->plain[VCORE_MITE_CYCLES_4] += full;
		break;
	case VCORE_FROM_MS:
		counts->plain[VCORE_MS_UOPS] += slots;
		counts->plain[VCORE_MS_CYCLES_ANY]++;
		counts->plain[VCORE_MS_CYCLES_4] += full;
		break;
	}
}

/**
 * vcore_fetch_cycle() - fetch steps of the correct path in one cycle
 * @front: front end, whose queue has room for a full cycle
 * @counts: updated
 */
void vcore_fetch_cycle(struct vcore_front *front, struct vcore_counts *counts)
{
	struct vcore_group group = { .lack = front->lack };

	front->lack = VCORE_LACKS_DECODED;
	while (group.slots < front->width && vcore_fetch_may(front) &&
	       fetch_step(front, &group, counts))
		;
	if (group.slots) {
		front->pace += 16 * group.slots / PACE_CYCLES;
		front->pace -= front->pace / PACE_CYCLES;
		count_supply(front, group.slots, counts);
	} else if (front->resume <= front->now) {
		front->lack = group.lack;
	}
}

/**
 * vcore_fetch_wrong() - fetch slots of the wrong path in one cycle
 * @front: front end, whose queue has room for a full cycle
 * @counts: updated
 *
 * The instructions on the wrong path are unknown. Their slots arrive at the
 * mean rate of the correct path.
 */
void vcore_fetch_wrong(struct vcore_front *front, struct vcore_counts *counts)
{
	unsigned int slots, i;

	front->credit += front->pace;
	slots = front->credit / 16;
	front->credit %= 16;
	for (i = 0; i < slots; i++)
		*vcore_making_slot(front, VCORE_LACKS_DECODED) =
			(struct vcore_slot) {
				.step = front->branch, .nr = 1, .uops = 1,
				.wrong = true,
			};
	if (slots)
		count_supply(front, slots, counts);
}
