// SPDX-License-Identifier: GPL-2.0
#include "making.h"

#define LINE 64

static unsigned int beyond(unsigned int nr, unsigned int own)
{
	return nr > own ? nr - own : 0;
}

/* Returns the number of accesses beyond those of the instruction's own uops. */
static unsigned int extra_accesses(const struct vcore_step *step)
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
	return beyond(step->nr_accesses - stores, own_loads) +
	       beyond(stores, own_stores);
}

/*
 * A pair does not fuse across a line: the decoders must see both instructions at
 * once.
 */
static bool fuses_with_next(const struct vcore_making *m)
{
	const struct vcore_insn *insn = m->insn;

	return insn->fuses && m->next && !m->step->interrupted &&
	       insn->fuses & m->next->insn->condition &&
	       m->next->insn->pc == insn->pc + insn->size &&
	       m->next->insn->pc % LINE;
}

/**
 * vcore_making_next() - determine the slots of the next step
 * @front: front end, whose trace has a step
 *
 * The filler of a string instruction stands for the sequencer's way to the
 * loop; only the first iteration has it.
 *
 * Return: the step and its slots.
 */
struct vcore_making vcore_making_next(const struct vcore_front *front)
{
	uint64_t number = front->trace->fetch;
	struct vcore_making m = {
		.step = vcore_step(front->trace, number),
	};
	unsigned int filler, extra;

	m.insn = m.step->insn;
	if (number + 1 < front->trace->end)
		m.next = vcore_step(front->trace, number + 1);
	filler = front->repeats ? 0 : m.insn->filler;
	extra = m.step->nr_accesses ? extra_accesses(m.step) : 0;
	m.skipped = m.insn->filler - filler;
	m.uops = m.insn->nr_uops + filler + extra;
	m.slots = m.insn->nr_slots - m.skipped + extra;
	m.microcode = m.insn->microcoded ||
		      m.slots > front->params->complex_uops;
	m.fused_next = fuses_with_next(&m);
	if (m.fused_next)
		m.branch = m.next;
	else if (m.insn->branch)
		m.branch = m.step;
	return m;
}

/* Fills a slot with a uop and those fused with it. */
static void add_own(struct vcore_slot *slot, const struct vcore_insn *insn)
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
 * Fills a slot with a filler uop, or with a surplus access, which may be a load
 * or a store.
 */
static void add_other(struct vcore_slot *slot, const struct vcore_insn *insn)
{
	bool access = slot->first >= insn->nr_uops + insn->filler;

	slot->nr = 1;
	slot->uops = 1;
	slot->loads = access;
	slot->stores = access;
}

/**
 * vcore_making_slot() - append a slot to the queue
 * @front: front end
 * @lack: reason why it was not there earlier
 *
 * Return: the slot, which the caller fills in.
 */
struct vcore_slot *vcore_making_slot(struct vcore_front *front,
				     enum vcore_lack lack)
{
	unsigned int depth = front->legacy ? front->params->mite_depth :
			     front->params->dsb_depth;

	return vcore_queue_put(&front->queue, front->now + depth, lack);
}

/* Appends the slot that starts with uop @first; returns its number of uops. */
static unsigned int put_slot(struct vcore_front *front,
			     const struct vcore_making *making,
			     enum vcore_lack lack, unsigned int first)
{
	struct vcore_slot *slot = vcore_making_slot(front, lack);

	*slot = (struct vcore_slot) { 0 };
	slot->step = front->trace->fetch;
	slot->first = first;
	slot->first_of_insn = !first;
	slot->microcode = making->microcode;
	if (first < making->insn->nr_uops) {
		add_own(slot, making->insn);
	} else {
		slot->first += making->skipped;
		add_other(slot, making->insn);
	}
	if (first + slot->nr == making->uops) {
		slot->last_of_insn = true;
		slot->fused_next = making->fused_next;
		slot->mispredicted = front->prediction == VCORE_WRONG;
	}
	return slot->nr;
}

/**
 * vcore_making_put() - append a step's slots to the queue
 * @front: front end
 * @making: the step
 * @group: slots of this cycle, updated
 *
 * Return: false if some slots are left for the next cycle.
 */
bool vcore_making_put(struct vcore_front *front,
		      const struct vcore_making *making,
		      struct vcore_group *group)
{
	while (group->slots < front->width && front->uop < making->uops) {
		front->uop += put_slot(front, making, group->lack, front->uop);
		group->slots++;
	}
	return front->uop == making->uops;
}
