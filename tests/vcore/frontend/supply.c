// SPDX-License-Identifier: GPL-2.0
/* The supply of issue slots: from which source the front end takes them, and when fetch stalls. */
#include "step_slots.h"

#define LINE_SHIFT 6
#define PAGE_SHIFT 12
/*
 * Capacity of the queue between predecoder and decoders, in blocks of
 * &vcore_front_params.fetch_bytes.
 */
#define PREDECODED_BLOCKS 3

/**
 * vcore_supply_lack() - get the reason for which slots lack while their supply is stalled
 * @stall: reason why fetch stalled
 *
 * Return: the reason, &enum vcore_lack.
 */
enum vcore_lack vcore_supply_lack(enum vcore_stall stall)
{
	switch (stall) {
	case VCORE_STALL_CODE:
		return VCORE_LACKS_CODE;
	case VCORE_STALL_CODE_L3:
		return VCORE_LACKS_CODE_L3;
	case VCORE_STALL_CODE_MEMORY:
		return VCORE_LACKS_CODE_MEMORY;
	case VCORE_STALL_PAGE:
		return VCORE_LACKS_PAGE;
	case VCORE_STALL_RESTEER:
		return VCORE_LACKS_PATH;
	case VCORE_STALL_ORDER:
		return VCORE_LACKS_ORDER;
	default:
		return VCORE_LACKS_DECODED;
	}
}

/**
 * vcore_supply_stop() - stall the supply of slots until a cycle
 * @front: front end
 * @stall: reason why fetch stalls
 * @until: first cycle in which fetch continues
 */
void vcore_supply_stop(struct vcore_front *front, enum vcore_stall stall,
		       uint64_t until)
{
	front->stall = stall;
	front->resume = until;
	front->lack = vcore_supply_lack(stall);
}

/*
 * Returns the reason why a code fetch stalls. If the line missed the L1I and its page missed the
 * ITLB, the slower of the two misses is the reason. A line from memory or from the L3 is slower
 * than the page, and the page is slower than a line from the L2.
 */
static enum vcore_stall fetch_stall(const struct vcore_reply *reply)
{
	if (reply->from >= VCORE_AT_MEMORY)
		return VCORE_STALL_CODE_MEMORY;
	if (reply->from >= VCORE_AT_L3)
		return VCORE_STALL_CODE_L3;
	return reply->stlb_hit || reply->walked ? VCORE_STALL_PAGE :
						  VCORE_STALL_CODE;
}

/*
 * Fetches a line of code from the L1I. Returns false, and stalls fetch, if the L1I lacks the line.
 */
static bool fetch_line(struct vcore_front *front, uint64_t va, uint64_t pa,
		       struct vcore_counts *counts)
{
	struct vcore_reply reply;

	if (pa >> LINE_SHIFT == front->line)
		return true;
	reply = vcore_memory_fetch(front->memory, front->now, va, pa, counts);
	if (front->fetches->on)
		vcore_fetches_access(front->fetches, front->now, &reply);
	if (!reply.refused)
		front->line = pa >> LINE_SHIFT;
	if (!reply.refused && reply.level != VCORE_AT_L1) {
		counts->plain[VCORE_ICACHE_MISSES]++;
		vcore_decoded_drop(front->decoded, pa);
	}
	if (reply.done <= front->now)
		return true;
	vcore_supply_stop(front, fetch_stall(&reply), reply.done);
	return false;
}

/*
 * Fetches the line of an instruction, or both lines if the instruction crosses a line. If the
 * second line is in another page, it is not fetched, because its physical address is not known.
 */
static bool fetch_lines(struct vcore_front *front, const struct vcore_insn *in,
			struct vcore_counts *counts)
{
	uint64_t last = in->pa + in->size - 1;

	if (in->pa >> LINE_SHIFT == front->line &&
	    last >> LINE_SHIFT == front->line)
		return true;
	if (!fetch_line(front, in->pc, in->pa, counts))
		return false;
	if (last >> LINE_SHIFT == in->pa >> LINE_SHIFT ||
	    last >> PAGE_SHIFT != in->pa >> PAGE_SHIFT)
		return true;
	return fetch_line(front, in->pc + in->size - 1, last, counts);
}

/*
 * Chooses the source of slots: the uop cache or the decoders. Returns false if the front end
 * switches to the other source, because then no slot is supplied in the rest of this cycle.
 */
static bool choose_supply(struct vcore_front *front, const struct vcore_step_slots *m,
			  const struct vcore_group *group)
{
	const struct vcore_insn *insn = m->insn;
	uint64_t window = insn->pa >> front->params->window_shift;
	bool entered = window != front->window;
	bool has;

	if (front->legacy && !entered)
		return true;
	front->window = window;
	has = vcore_decoded_has(front->decoded, insn->pa);
	if (entered && front->fetches->on)
		vcore_fetches_end(front->fetches, front->now, m->step, has);
	if (has != front->legacy)
		return true;
	front->legacy = !has;
	front->predecoded = 0;
	if (has) {
		vcore_decoded_close(front->decoded);
		return !group->slots;
	}
	vcore_supply_stop(front, VCORE_STALL_SWITCH,
			  front->now + front->params->switch_cycles);
	return false;
}

/*
 * Stalls fetch for a length-changing prefix, or for a switch from the uop cache or the decoders to
 * the microcode sequencer. Returns true if the instruction cannot start in this cycle.
 *
 * An instruction stalls fetch at most once, and only at the start of a cycle. From one microcode
 * flow to the next there is no switch, but each flow starts in a new cycle.
 */
static bool charge_penalties(struct vcore_front *front, const struct vcore_step_slots *m,
			     const struct vcore_group *group, struct vcore_counts *counts)
{
	bool lcp = front->legacy && m->insn->lcp;
	bool enters = m->microcode && front->supply != VCORE_FROM_MS;

	if (front->stalled || front->repeats || (!lcp && !m->microcode))
		return false;
	if (group->slots)
		return true;
	if (!lcp && !enters)
		return false;
	front->stalled = true;
	counts->plain[VCORE_MS_SWITCHES] += enters;
	if (lcp)
		vcore_supply_stop(front, VCORE_STALL_LCP,
				  front->now + front->params->lcp);
	else
		vcore_supply_stop(front, VCORE_STALL_SEQUENCER,
				  front->now + front->params->ms_switch);
	return true;
}

/*
 * Returns true if the instruction can be decoded in this cycle. The predecoder processes one block
 * of code per cycle, and only the first decoder can decode an instruction of several uops.
 */
static bool can_decode(struct vcore_front *front, const struct vcore_step_slots *m,
		       const struct vcore_group *group)
{
	uint64_t end = m->insn->pc + m->insn->size;
	unsigned int block = front->params->fetch_bytes;

	if (!group->insns) {
		if (front->predecoded < m->insn->pc)
			front->predecoded = m->insn->pc / block * block;
		if (front->predecoded < end + (PREDECODED_BLOCKS - 1) * block)
			front->predecoded += block;
	}
	if (m->fused_next)
		end += m->next->insn->size;
	if (group->insns && (m->slots > 1 || m->microcode))
		return false;
	return end <= front->predecoded &&
	       group->insns < front->params->decoders;
}

/**
 * vcore_supply_begin() - begin to supply the slots of a step, if that is possible in this cycle
 * @front: front end; &vcore_front.supply becomes the source of the slots
 * @step_slots: the step and its slots
 * @group: slots fetched in this cycle; the instruction is added to it
 * @counts: counts to which the events of fetch and decoding are added
 *
 * Return: true if the step has started; false if the caller must try again in a later cycle.
 */
bool vcore_supply_begin(struct vcore_front *front,
			const struct vcore_step_slots *step_slots,
			struct vcore_group *group, struct vcore_counts *counts)
{
	const struct vcore_insn *insn = step_slots->insn;
	enum vcore_supply supply;

	if (!fetch_lines(front, insn, counts) ||
	    !choose_supply(front, step_slots, group))
		return false;
	supply = step_slots->microcode ? VCORE_FROM_MS :
		 front->legacy ? VCORE_FROM_MITE : VCORE_FROM_DSB;
	if ((group->slots && supply != front->supply) ||
	    charge_penalties(front, step_slots, group, counts))
		return false;
	if (supply == VCORE_FROM_MITE && !can_decode(front, step_slots, group))
		return false;
	if (supply == VCORE_FROM_DSB && group->slots &&
	    group->bytes + insn->size > 1u << front->params->window_shift)
		return false;
	group->bytes += insn->size;
	group->insns++;
	front->supply = supply;
	return true;
}
