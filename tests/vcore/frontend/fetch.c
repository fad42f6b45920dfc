// SPDX-License-Identifier: GPL-2.0
/* Fetch in one cycle: of steps of the trace on the correct path, and of slots on the wrong path. */
#include "step_slots.h"

/* Number of cycles of the moving average &vcore_front.rate, the mean number of slots per cycle. */
#define RATE_CYCLES 8

/**
 * vcore_fetch_redirect() - end the fetch of the current code window and block after a jump
 * @front: front end
 */
void vcore_fetch_redirect(struct vcore_front *front)
{
	vcore_decoded_close(front->decoded);
	vcore_fetches_flush(front->fetches);
	front->window = VCORE_NOT_FETCHED;
	front->predecoded = 0;
}

/*
 * Predicts the branch at the end of a step and trains the predictor with the outcome. A branch does
 * not train the predictor if an interrupt kept the branch from being executed, or if the branch has
 * trained the predictor before.
 */
static enum vcore_prediction predict_branch(struct vcore_front *front,
					    const struct vcore_step_slots *m,
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

/*
 * Adds an instruction to the uop cache. A branch that is macro-fused into the instruction has no
 * slot of its own, but is added too, because another jump may lead to it.
 */
static void fill_uop_cache(struct vcore_front *front, const struct vcore_step_slots *m)
{
	if (!front->legacy || front->repeats)
		return;
	vcore_decoded_add(front->decoded, m->insn, m->slots, m->microcode);
	if (m->fused_next)
		vcore_decoded_add(front->decoded, m->next->insn, 0, false);
}

/* Returns true if all steps up to @last must retire before the step after @last is fetched. */
static bool drains_after(const struct vcore_front *front,
			 const struct vcore_step *last)
{
	const struct vcore_trace *trace = front->trace;
	const struct vcore_insn *insn = last->insn;

	if (insn->serialises || insn->branch == VCORE_FAR || last->interrupted)
		return true;
	return trace->fetch < trace->end &&
	       trace->step[trace->fetch % VCORE_TRACE].insn->priv != insn->priv;
}

/*
 * Completes the fetch of a step when all its slots are in the queue. Returns false if the next step
 * cannot be fetched in the same cycle.
 */
static bool finish_step(struct vcore_front *front, const struct vcore_step_slots *m)
{
	const struct vcore_step *last = m->fused_next ? m->next : m->step;

	fill_uop_cache(front, m);
	front->uop = 0;
	front->stalled = false;
	front->trace->fetch += 1 + m->fused_next;
	front->repeats = m->insn->rep && m->next && m->next->insn == m->insn &&
			 m->step->next_pc == m->insn->pc &&
			 !m->step->interrupted;
	front->draining = drains_after(front, last);
	front->wrong = front->prediction == VCORE_WRONG;
	front->branch = front->trace->fetch - 1;
	if (front->prediction == VCORE_LATE)
		vcore_supply_stop(front, VCORE_STALL_LATE,
				  front->now + 1 + front->params->baclear);
	if (front->repeats)
		return true;
	if (last->jumped || last->interrupted)
		vcore_fetch_redirect(front);
	return !last->jumped && !front->wrong && !front->draining;
}

static bool fetch_step(struct vcore_front *front, struct vcore_group *group,
		       struct vcore_counts *counts)
{
	struct vcore_step_slots step_slots = vcore_step_slots_next(front);

	if (!front->uop) {
		if (!vcore_supply_begin(front, &step_slots, group, counts))
			return false;
		front->prediction = predict_branch(front, &step_slots, counts);
	}
	return vcore_step_slots_put(front, &step_slots, group) &&
	       finish_step(front, &step_slots);
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
 * @front: front end; its queue must have room for the slots of a full cycle
 * @counts: counts to which the events of the cycle are added
 */
void vcore_fetch_cycle(struct vcore_front *front, struct vcore_counts *counts)
{
	struct vcore_group group = { .lack = front->lack };

	front->lack = VCORE_LACKS_DECODED;
	while (group.slots < front->width && vcore_fetch_has_step(front) &&
	       fetch_step(front, &group, counts))
		;
	if (group.slots) {
		front->rate += 16 * group.slots / RATE_CYCLES;
		front->rate -= front->rate / RATE_CYCLES;
		count_supply(front, group.slots, counts);
	} else if (front->resume <= front->now) {
		front->lack = group.lack;
	}
}

/**
 * vcore_fetch_wrong() - fetch slots of the wrong path in one cycle
 * @front: front end; its queue must have room for the slots of a full cycle
 * @counts: counts to which the events of the cycle are added
 *
 * The trace has no instructions of the wrong path. Instead, the front end makes up slots, at the
 * mean rate at which it has fetched slots of the correct path.
 */
void vcore_fetch_wrong(struct vcore_front *front, struct vcore_counts *counts)
{
	unsigned int slots, i;

	front->credit += front->rate;
	slots = front->credit / 16;
	front->credit %= 16;
	for (i = 0; i < slots; i++)
		*vcore_append_slot(front, VCORE_LACKS_DECODED) =
			(struct vcore_slot) {
				.step = front->branch, .nr = 1, .uops = 1,
				.wrong = true,
			};
	if (slots)
		count_supply(front, slots, counts);
}
