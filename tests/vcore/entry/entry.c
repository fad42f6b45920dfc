// SPDX-License-Identifier: GPL-2.0
/*
 * Between an emulator and a virtual core: the trace and when it is simulated.
 */
#include <stdlib.h>

#include "entry.h"

/* steps that are worth a run */
#define BATCH 512

/**
 * vcore_new() - make a virtual core
 * @params: its sizes and latencies
 * @ideal: what is perfect
 * @cpu: its number in the package
 *
 * Return: the core, or NULL without memory
 */
struct vcore *vcore_new(const struct vcore_params *params,
			const struct vcore_ideal *ideal, unsigned int cpu)
{
	struct vcore *core = calloc(1, sizeof(*core));

	if (!core)
		return NULL;
	core->params = params;
	core->ideal = ideal;
	if (params->in_order)
		core->inorder = vcore_inorder_new(core, cpu);
	else
		core->memory = vcore_memory_new(params, ideal, cpu);
	if (core->memory && !core->inorder)
		core->ooo = vcore_ooo_new(core);
	if (core->ooo || core->inorder)
		return core;
	vcore_free(core);
	return NULL;
}

/**
 * vcore_free() - free a virtual core
 * @core: or NULL
 */
void vcore_free(struct vcore *core)
{
	if (!core)
		return;
	vcore_ooo_free(core->ooo);
	if (core->inorder)
		vcore_inorder_free(core->inorder);
	else if (core->memory)
		vcore_memory_free(core->memory);
	free(core);
}

static void run(struct vcore *core, bool all)
{
	if (core->inorder)
		vcore_inorder_run(core, all);
	else
		vcore_ooo_run(core, all);
}

/* nothing but a branch and the next iteration of a string instruction jumps */
static bool may_jump(const struct vcore_insn *insn, uint64_t next_pc)
{
	return insn->branch != VCORE_NO_BRANCH ||
	       (insn->rep && next_pc == insn->pc);
}

static void close_step(struct vcore *core, uint64_t next_pc, unsigned int ring)
{
	struct vcore_step *step = vcore_step(&core->trace, core->trace.end);
	const struct vcore_insn *insn = step->insn;

	step->next_pc = next_pc;
	step->jumped = next_pc != insn->pc + insn->size;
	step->interrupted = (step->jumped && !may_jump(insn, next_pc)) ||
			    (ring != insn->ring && insn->branch != VCORE_FAR);
	core->open = false;
	core->trace.end++;
}

/* each cycle belongs to one ring */
static void enter_ring(struct vcore *core, unsigned int ring)
{
	run(core, true);
	core->ring = ring;
}

/**
 * vcore_begin() - an instruction begins, the one before it is complete
 * @core: that executes it
 * @insn: which; stays where it is until vcore_settle()
 */
void vcore_begin(struct vcore *core, const struct vcore_insn *insn)
{
	struct vcore_trace *trace = &core->trace;

	if (core->open)
		close_step(core, insn->pc, insn->ring);
	if (insn->ring != core->ring)
		enter_ring(core, insn->ring);
	else if (trace->end - trace->fetch >= BATCH)
		run(core, false);
	vcore_step_begin(trace, insn);
	core->open = true;
}

/**
 * vcore_access() - an access of the instruction that began last
 * @core: that executes it
 * @access: copied; what exceeds VCORE_MAX_ACCESSES is left out
 */
void vcore_access(struct vcore *core, const struct vcore_access *access)
{
	struct vcore_step *step = vcore_step(&core->trace, core->trace.end);

	if (!core->open || step->nr_accesses == VCORE_MAX_ACCESSES)
		return;
	step->access[step->nr_accesses++] = *access;
	vcore_memory_expect(core->memory, access);
}

static void close_last(struct vcore *core)
{
	const struct vcore_insn *insn;

	insn = vcore_step(&core->trace, core->trace.end)->insn;
	if (core->open && insn->branch == VCORE_NO_BRANCH)
		close_step(core, insn->pc + insn->size, insn->ring);
}

/**
 * vcore_settle() - run until all that was begun has retired
 * @core: the core
 *
 * A branch is left out if nobody knows yet where it goes.
 */
void vcore_settle(struct vcore *core)
{
	close_last(core);
	if (core->inorder)
		vcore_inorder_settle(core);
	else
		run(core, true);
}

/**
 * vcore_halt() - the thread halts or goes on
 * @core: the core
 * @halted: which; a thread of which no more is told halts, too
 */
void vcore_halt(struct vcore *core, bool halted)
{
	if (!halted)
		return;
	close_last(core);
	if (core->inorder) {
		vcore_inorder_halt(core);
	} else {
		run(core, true);
		vcore_memory_halt(core->memory);
	}
}
