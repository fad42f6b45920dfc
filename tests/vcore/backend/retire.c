// SPDX-License-Identifier: GPL-2.0
/*
 * Retirement in an out-of-order core: slots retire in program order, and the counters of retired
 * instructions, uops and loads are incremented.
 */
#include "ooo.h"

#define LINE 64

static const enum vcore_plain level_counts[] = {
	[VCORE_AT_L1] = VCORE_L1_HIT,
	[VCORE_AT_FILL] = VCORE_LFB_HIT,
	[VCORE_AT_L2] = VCORE_L2_HIT,
	[VCORE_AT_L3] = VCORE_L3_HIT,
	[VCORE_AT_SNOOP_HIT] = VCORE_L3_HIT,
	[VCORE_AT_SNOOP_HITM] = VCORE_L3_HIT,
	[VCORE_AT_MEMORY] = VCORE_L3_MISS,
};

/*
 * Returns the cycles from the execution of a load until it had its data. A load whose data a store
 * has forwarded, and one from a device, have not looked into the L1D.
 */
static uint64_t cycles_of(const struct vcore_params *params, const struct vcore_flight *load)
{
	if (load->hit_at)
		return load->done + params->memory.l1d.latency - load->hit_at;
	return load->access->device ? params->memory.memory : params->back.forward;
}

static void count_load(const struct vcore *core, uint64_t *plain, const struct vcore_flight *load,
		       bool locked)
{
	plain[VCORE_LOADS]++;
	plain[VCORE_SLOW_LOADS] += cycles_of(core->params, load) > core->slow;
	plain[VCORE_LOCK_LOADS] += locked;
	plain[VCORE_SPLIT_LOADS] += load->split;
	plain[VCORE_STLB_MISS_LOADS] += load->walked;
	if (load->level != VCORE_NO_ACCESS)
		plain[level_counts[load->level]]++;
	if (load->level == VCORE_AT_SNOOP_HIT)
		plain[VCORE_L3_HIT_XSNP_HIT]++;
	if (load->level == VCORE_AT_SNOOP_HITM)
		plain[VCORE_L3_HIT_XSNP_HITM]++;
}

/*
 * Returns true if an instruction that was fetched after the store lies in a line that the store
 * writes.
 */
static bool is_in_flight(struct vcore_ooo *ooo, uint64_t step, const struct vcore_access *access)
{
	uint64_t first = access->pa / LINE, last = (access->pa + access->size - 1) / LINE;
	const struct vcore_insn *insn;

	while (++step < ooo->core->trace.fetch) {
		insn = vcore_insn_of(ooo, step);
		if (insn->pa / LINE <= last && (insn->pa + insn->size - 1) / LINE >= first)
			return true;
	}
	return false;
}

/*
 * Requests a machine clear if a store writes a line of code whose instructions are in the pipeline,
 * because the store may have changed these instructions.
 */
static void check_code(struct vcore_ooo *ooo, uint64_t step, const struct vcore_access *access)
{
	if (access->device || !vcore_memory_invalidate_code(ooo->core->memory, access) ||
	    !is_in_flight(ooo, step, access))
		return;
	ooo->clear_next = true;
	ooo->clear_code = true;
}

static void retire_uop(struct vcore_ooo *ooo, const struct vcore_flight *flight,
		       const struct vcore_insn *insn, uint64_t step)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;
	const struct vcore_access *access = flight->access;

	if (!access)
		return;
	if (flight->type == VCORE_LOAD && !insn->prefetch) {
		count_load(ooo->core, plain, flight, insn->locked);
		vcore_lsq_retire_load(ooo);
	} else if (flight->type == VCORE_STA) {
		plain[VCORE_STORES]++;
		plain[VCORE_SPLIT_STORES] +=
			access->pa % LINE + access->size > LINE;
		check_code(ooo, step, access);
	}
}

static bool is_near_taken(const struct vcore_step *step)
{
	return step->jumped && step->insn->branch != VCORE_NO_BRANCH &&
	       step->insn->branch != VCORE_FAR;
}

static void tell_taken(const struct vcore *core, const struct vcore_step *step,
		       bool mispredicted)
{
	struct vcore_taken branch = {
		.insn = step->insn, .from = step->pc, .to = step->to, .cycle = core->cycle,
		.mispredicted = mispredicted
	};

	if (step->jumped && !step->interrupted && step->insn->branch != VCORE_NO_BRANCH)
		core->taken(core->taken_data, &branch);
}

static void retire_branch(struct vcore_ooo *ooo, const struct vcore_slot *slot)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;
	const struct vcore_step *step;

	step = vcore_step(&ooo->core->trace, slot->step + slot->fused_next);
	plain[VCORE_NEAR_TAKEN] += is_near_taken(step);
	if (ooo->core->taken)
		tell_taken(ooo->core, step, slot->mispredicted);
	if (!slot->mispredicted)
		return;
	plain[VCORE_MISPREDICTS]++;
	plain[VCORE_MISPREDICTS_CONDITIONAL] +=
		step->insn->branch == VCORE_CONDITIONAL;
	plain[VCORE_MISPREDICTS_NEAR_TAKEN] += is_near_taken(step);
}

/* Tells that the instruction of a step has retired, and which slots it had. */
static void tell_retired(struct vcore_ooo *ooo, uint64_t step, uint64_t end)
{
	struct vcore *core = ooo->core;

	core->retired(core->retired_data, vcore_insn_of(ooo, step), end - ooo->told);
	ooo->told = end;
}

static void retire_insn(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	const struct vcore_slot *slot = &rob->slot;

	if (ooo->core->retired && slot->fused_next)
		tell_retired(ooo, slot->step, ooo->head + 1);
	ooo->store_senior = rob->stores;
	ooo->serialised = vcore_insn_of(ooo, slot->step)->serialises;
	retire_branch(ooo, slot);
	if (ooo->core->retired)
		tell_retired(ooo, slot->step + slot->fused_next, ooo->head + 1);
	vcore_step(&ooo->core->trace, slot->step)->retired = ooo->core->cycle;
	vcore_step(&ooo->core->trace, slot->step + slot->fused_next)->retired = ooo->core->cycle;
	ooo->core->trace.retired = slot->step + 1 + slot->fused_next;
	ooo->core->retire_latency[ooo->core->priv] = ooo->core->cycle - ooo->core->retired_at;
	ooo->core->retired_at = ooo->core->cycle;
}

static void tell_access(struct vcore_tagged *tagged, const struct vcore_flight *flight)
{
	if (flight->type == VCORE_STA)
		tagged->store = flight->access;
	if (flight->type != VCORE_LOAD || !flight->access)
		return;
	tagged->load = flight->access;
	tagged->level = flight->level;
	tagged->from = flight->from;
	tagged->tlb_missed = flight->tlb_missed;
	tagged->walked = flight->walked;
	tagged->split = flight->split;
	if (flight->level > VCORE_AT_L1)
		tagged->miss_cycles = flight->done - flight->miss_at;
	if (flight->tlb_missed)
		tagged->tlb_cycles = flight->miss_at - flight->hit_at;
}

/* Tells what has become of the tagged slot, which retires. */
static void tell_tagged(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	const struct vcore_slot *slot = &rob->slot;
	const struct vcore_step *step = vcore_step(&ooo->core->trace,
						   slot->step + slot->fused_next);
	struct vcore_tagged tagged = {
		.insn = vcore_insn_of(ooo, slot->step),
		.pc = vcore_step(&ooo->core->trace, slot->step)->pc,
		.mispredicted = slot->mispredicted,
		.fused = slot->fused_next, .microcode = slot->microcode, .done = rob->done,
		.retired = ooo->core->cycle,
	};
	unsigned int i;

	if (slot->last_of_insn && step->insn->branch != VCORE_NO_BRANCH)
		tagged.branch = step;
	for (i = 0; i < rob->nr; i++)
		tell_access(&tagged, vcore_flight(ooo, rob->seq + i));
	vcore_tag_retire(&ooo->core->tag, &tagged);
}

static void note_access(const struct vcore *core, struct vcore_accessed *to,
			const struct vcore_flight *flight)
{
	if (!flight->access || to->insn->prefetch)
		return;
	if (flight->type == VCORE_STA) {
		to->store = true;
		to->store_va = flight->access->va;
		to->store_hit = vcore_memory_owns(core->memory, flight->access);
		to->store_walked = !vcore_memory_translates(core->memory, flight->access);
	}
	if (flight->type != VCORE_LOAD)
		return;
	to->load = true;
	to->load_va = flight->access->va;
	to->level = flight->level;
	to->walked = flight->walked;
	to->blocked = flight->blocked;
	to->cycles = cycles_of(core->params, flight);
	to->miss_cycles = flight->level > VCORE_AT_L1 ? flight->done - flight->miss_at : 0;
}

/* Notes the memory accesses of a slot that retires, for &vcore.accessed. */
static void note_accesses(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	struct vcore_accessed *to = &ooo->core->accessed[ooo->core->priv];
	unsigned int i;

	if (rob->slot.first_of_insn)
		*to = (struct vcore_accessed){ .insn = vcore_insn_of(ooo, rob->slot.step) };
	for (i = 0; to->insn && i < rob->nr; i++)
		note_access(ooo->core, to, vcore_flight(ooo, rob->seq + i));
}

static void retire_slot(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	uint64_t *plain = vcore_counts(ooo->core)->plain;
	const struct vcore_insn *insn = vcore_insn_of(ooo, rob->slot.step);
	unsigned int i;

	if (ooo->core->tag.flies && ooo->core->tag.slot == ooo->head)
		tell_tagged(ooo, rob);
	if (ooo->core->follows)
		note_accesses(ooo, rob);
	plain[VCORE_RETIRED_UOPS] += rob->nr;
	plain[VCORE_RETIRED_MS_SLOTS] += rob->slot.microcode;
	for (i = 0; i < rob->nr; i++)
		retire_uop(ooo, vcore_flight(ooo, rob->seq + i), insn, rob->slot.step);
	if (rob->slot.last_of_insn)
		retire_insn(ooo, rob);
	ooo->oldest += rob->nr;
	ooo->head++;
	ooo->did.retired++;
}

static bool fence_waits(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	return ooo->store_head != ooo->store_senior &&
	       vcore_insn_of(ooo, rob->slot.step)->fence & 2;
}

/*
 * Returns true if the instruction of the slot needs a microcode assist before it retires. Once the
 * assist has begun, the executed instruction (step) has assist uops, and no further assist is due.
 */
static bool assist_due(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	const struct vcore_step *step = vcore_step(&ooo->core->trace, rob->slot.step);

	return step->assist && !step->assist_uops;
}

static bool clear_due(struct vcore_ooo *ooo, const struct vcore_rob *rob)
{
	return rob->slot.first_of_insn &&
	       (rob->clear || ooo->clear_next || assist_due(ooo, rob));
}

/**
 * vcore_retire() - retire the slots that have their results, and count the retired events
 * @ooo: back end
 *
 * Return: true if a machine clear or an assist is due before the oldest instruction retires.
 */
bool vcore_retire(struct vcore_ooo *ooo)
{
	const struct vcore_rob *rob = vcore_rob(ooo, ooo->head);

	while (ooo->head < ooo->tail && !rob->pending &&
	       rob->done <= ooo->core->cycle && !fence_waits(ooo, rob) &&
	       ooo->did.retired < ooo->core->params->back.retire_width) {
		if (clear_due(ooo, rob))
			return true;
		retire_slot(ooo, rob);
		rob = vcore_rob(ooo, ooo->head);
	}
	return false;
}
