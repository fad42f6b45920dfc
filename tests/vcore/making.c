// SPDX-License-Identifier: GPL-2.0
#include "making.h"

#define LINE 64

/* behind the uops that share a slot with uop @first */
static unsigned int slot_end(const struct vcore_insn *insn, unsigned int first)
{
	unsigned int end = first + 1;

	while (end < insn->nr_uops && insn->uop[end].fused)
		end++;
	return end;
}

/* accesses that no uop of the instruction stands for */
static unsigned int further(const struct vcore_step *step)
{
	unsigned int have[2] = { 0, 0 }, need[2] = { 0, 0 };
	const struct vcore_insn *insn = step->insn;
	unsigned int i;

	for (i = 0; i < step->nr_accesses; i++)
		need[step->access[i].store]++;
	for (i = 0; i < insn->nr_uops; i++) {
		have[0] += insn->uop[i].kind == VCORE_LOAD;
		have[1] += insn->uop[i].kind == VCORE_STA;
	}
	return (need[0] > have[0] ? need[0] - have[0] : 0) +
	       (need[1] > have[1] ? need[1] - have[1] : 0);
}

/* not across a line: the decoders see both at once */
static bool fuses(const struct vcore_making *m)
{
	const struct vcore_insn *insn = m->insn;

	return insn->fuses && m->next && !m->step->interrupted &&
	       insn->fuses & m->next->insn->condition &&
	       m->next->insn->pc == insn->pc + insn->size &&
	       m->next->insn->pc % LINE;
}

/**
 * vcore_making_next() - what becomes of the next step
 * @front: front end; its trace has a step
 *
 * The first iteration of a string instruction takes its filler, the sequencer's
 * way to the loop; those behind it do not.
 *
 * Return: it.
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
	extra = m.step->nr_accesses ? further(m.step) : 0;
	m.skipped = m.insn->filler - filler;
	m.uops = m.insn->nr_uops + filler + extra;
	m.slots = m.insn->nr_slots - m.skipped + extra;
	m.microcode = m.insn->microcoded ||
		      m.slots > front->params->complex_uops;
	m.fused_next = fuses(&m);
	if (m.fused_next)
		m.branch = m.next;
	else if (m.insn->branch)
		m.branch = m.step;
	return m;
}

/* what the uops of a slot need in the back end */
static void set_needs(struct vcore_slot *slot, const struct vcore_insn *insn)
{
	unsigned int end = slot->first + slot->nr;
	unsigned int i;

	slot->uops = 0;
	slot->loads = 0;
	slot->stores = 0;
	for (i = slot->first; i < end; i++) {
		unsigned int kind = i < insn->nr_uops ? insn->uop[i].kind :
							VCORE_ALU;
		bool access = i >= insn->nr_uops + insn->filler;

		slot->uops += kind != VCORE_NONE;
		slot->loads += kind == VCORE_LOAD || access;
		slot->stores += kind == VCORE_STA || access;
	}
}

/**
 * vcore_making_put() - put a step's slots into the queue
 * @front: front end
 * @making: the step
 * @group: slots of this cycle
 *
 * Return: false if some are left for the next cycle.
 */
bool vcore_making_put(struct vcore_front *front,
		      const struct vcore_making *making,
		      struct vcore_group *group)
{
	struct vcore_slot slot = {
		.step = front->trace->fetch,
		.microcode = making->microcode,
	};
	unsigned int first, end;

	while (group->slots < front->width && front->uop < making->uops) {
		first = front->uop;
		end = slot_end(making->insn, first);
		slot.first = first + (first < making->insn->nr_uops ? 0 :
				      making->skipped);
		slot.nr = end - first;
		set_needs(&slot, making->insn);
		slot.first_of_insn = !first;
		slot.last_of_insn = end == making->uops;
		slot.fused_next = slot.last_of_insn && making->fused_next;
		slot.mispredicted = slot.last_of_insn &&
				    front->prediction == VCORE_WRONG;
		vcore_fetch_put(front, group->lack, slot);
		group->slots++;
		front->uop = end;
	}
	return front->uop == making->uops;
}
