// SPDX-License-Identifier: GPL-2.0
#include "step_slots.h"

#define LINE 64

static unsigned int excess(unsigned int nr, unsigned int own)
{
	return nr > own ? nr - own : 0;
}

/* Returns the number of memory accesses of the step for which insn->uop has no load or STA uop. */
static unsigned int nr_surplus_accesses(const struct vcore_step *step)
{
	const struct vcore_insn *insn = step->insn;
	unsigned int stores = 0, own_loads = 0, own_stores = 0;
	unsigned int i;

	for (i = 0; i < step->nr_accesses; i++)
		stores += step->access[i].store;
	for (i = 0; i < insn->nr_uops; i++) {
		own_loads += insn->uop[i].type == VCORE_LOAD;
		own_stores += insn->uop[i].type == VCORE_STA;
	}
	return excess(step->nr_accesses - stores, own_loads) +
	       excess(stores, own_stores);
}

/*
 * Returns true if the branch of the next step macro-fuses with this step's instruction. If the
 * branch starts in the next line, it does not fuse.
 */
static bool fuses_with_next(const struct vcore_step_slots *m)
{
	const struct vcore_insn *insn = m->insn;

	return insn->fuses && m->next && !m->step->interrupted &&
	       insn->fuses & m->next->insn->condition &&
	       m->next->insn->pc == insn->pc + insn->size &&
	       m->next->insn->pc % LINE;
}

/**
 * vcore_step_slots_next() - find out the issue slots of the trace's next step
 * @front: front end, whose trace has a step
 *
 * The filler uops of a string instruction stand for the microcode before its loop. Only the first
 * iteration has them.
 *
 * Return: the step with its issue slots.
 */
struct vcore_step_slots vcore_step_slots_next(const struct vcore_front *front)
{
	uint64_t number = front->trace->fetch;
	struct vcore_step_slots m = {
		.step = vcore_step(front->trace, number),
	};
	unsigned int filler, extra;

	m.insn = m.step->insn;
	if (number + 1 < front->trace->end)
		m.next = vcore_step(front->trace, number + 1);
	filler = front->repeats ? 0 : m.insn->filler;
	extra = m.step->nr_accesses ? nr_surplus_accesses(m.step) : 0;
	m.skipped = m.insn->filler - filler;
	m.uops = m.insn->nr_uops + filler + m.step->assist_uops + extra;
	m.slots = m.insn->nr_slots - m.skipped + m.step->assist_uops + extra;
	m.microcode = m.insn->microcoded || m.step->assist_uops ||
		      m.slots > front->params->complex_uops;
	m.fused_next = fuses_with_next(&m);
	if (m.fused_next)
		m.branch = m.next;
	else if (m.insn->branch)
		m.branch = m.step;
	return m;
}

/*
 * Fills a slot with a uop of the instruction and with the uops micro-fused with it. slot->first is
 * the index of this uop.
 */
static void add_insn_uops(struct vcore_slot *slot, const struct vcore_insn *insn)
{
	const struct vcore_uop *uop = &insn->uop[slot->first];
	const struct vcore_uop *end = &insn->uop[insn->nr_uops];

	do {
		slot->nr++;
		slot->uops += uop->type != VCORE_NONE;
		slot->loads += uop->type == VCORE_LOAD;
		slot->stores += uop->type == VCORE_STA;
	} while (++uop < end && uop->fused);
}

/*
 * Fills a slot with a filler uop or, if slot->first is @end or more, with the uop of a surplus
 * access. A surplus access may be a load or a store, so its slot reserves an entry in both the load
 * and the store buffer.
 */
static void add_filler_or_access(struct vcore_slot *slot, unsigned int end)
{
	bool access = slot->first >= end;

	slot->nr = 1;
	slot->uops = 1;
	slot->loads = access;
	slot->stores = access;
}

/**
 * vcore_append_slot() - append one slot of a step to the front end's queue of slots to issue
 * @front: front end
 * @lack: reason why the slot was not fetched earlier
 *
 * Return: the slot, which the caller fills in.
 */
struct vcore_slot *vcore_append_slot(struct vcore_front *front,
				     enum vcore_lack lack)
{
	unsigned int depth = front->legacy ? front->params->mite_depth :
			     front->params->dsb_depth;

	return vcore_queue_put(&front->queue, front->now + depth, lack);
}

/*
 * Appends the slot whose first uop is the step's uop @first. Returns the number of uops in the
 * slot.
 */
static unsigned int append_slot(struct vcore_front *front,
				const struct vcore_step_slots *step_slots,
				enum vcore_lack lack, unsigned int first)
{
	struct vcore_slot *slot = vcore_append_slot(front, lack);

	*slot = (struct vcore_slot) { 0 };
	slot->step = front->trace->fetch;
	slot->first = first;
	slot->first_of_insn = !first;
	slot->microcode = step_slots->microcode;
	if (first < step_slots->insn->nr_uops) {
		add_insn_uops(slot, step_slots->insn);
	} else {
		slot->first += step_slots->skipped;
		add_filler_or_access(slot, vcore_step_filled(step_slots->step));
	}
	if (first + slot->nr == step_slots->uops) {
		slot->last_of_insn = true;
		slot->fused_next = step_slots->fused_next;
		slot->mispredicted = front->prediction == VCORE_WRONG;
	}
	return slot->nr;
}

/**
 * vcore_step_slots_put() - append the issue slots of a whole step to the queue
 * @front: front end
 * @step_slots: the step and its slots
 * @group: slots fetched in this cycle, to which the slots of the step are added
 *
 * Return: true if all slots of the step are in the queue; false if some remain for the next cycle.
 */
bool vcore_step_slots_put(struct vcore_front *front,
			  const struct vcore_step_slots *step_slots,
			  struct vcore_group *group)
{
	while (group->slots < front->width && front->uop < step_slots->uops) {
		front->uop += append_slot(front, step_slots, group->lack, front->uop);
		group->slots++;
	}
	return front->uop == step_slots->uops;
}
