// SPDX-License-Identifier: GPL-2.0
/*
 * The interface between an emulator and a virtual core. Its functions record the executed
 * instructions in the trace and decide when the core simulates them.
 */
#include "entry.h"

#include <stdlib.h>

/* The core simulates the recorded steps when there are at least this many. */
#define BATCH 512

/**
 * vcore_new() - create a virtual core for an emulator
 * @params: sizes and latencies; must stay valid until vcore_free()
 * @ideal: units that are simulated as perfect; must stay valid until vcore_free()
 * @cpu: number of the core in the package; for an in-order core, number of the thread
 *
 * Return: the core, or NULL if out of memory.
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
 * vcore_free() - free a virtual core of an emulator
 * @core: core, or NULL
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

/**
 * vcore_share() - let two virtual cores of an emulator be the threads of one core
 * @core: the core of the first thread
 * @sibling: number of the second thread's core in the package; one of the two numbers is even,
 *	the other odd
 *
 * On a part with &vcore_back_params.alternates, the threads issue in alternate cycles while both
 * run. Caches, buffers and ports are not shared. On other parts the function has no effect.
 */
void vcore_share(struct vcore *core, unsigned int sibling)
{
	core->shares = core->params->back.alternates;
	core->sibling = sibling;
}

static void simulate_core(struct vcore *core, bool all)
{
	if (core->inorder)
		vcore_inorder_run(core, all);
	else
		vcore_ooo_run(core, all);
}

/*
 * Returns true if the instruction may lead to @next_pc without an interrupt or a fault: it is a
 * branch, or a string instruction that iterates.
 */
static bool may_jump(const struct vcore_insn *insn, uint64_t next_pc)
{
	return insn->branch != VCORE_NO_BRANCH ||
	       (insn->rep && next_pc == insn->pc);
}

/* Returns the virtual address of an instruction that the emulator has decoded at @pc. */
static uint64_t virtual_address(const struct vcore *core, uint64_t pc, unsigned int priv)
{
	return priv ? pc + core->moved : pc;
}

static void close_step(struct vcore *core, uint64_t next_pc, unsigned int priv)
{
	struct vcore_step *step = vcore_step(&core->trace, core->trace.end);
	const struct vcore_insn *insn = step->insn;

	step->next_pc = next_pc;
	step->to = virtual_address(core, next_pc, priv);
	step->jumped = next_pc != insn->pc + insn->size;
	step->interrupted = (step->jumped && !may_jump(insn, next_pc)) ||
			    (priv != insn->priv && insn->branch != VCORE_FAR);
	core->open = false;
	core->trace.end++;
}

/*
 * Simulates all recorded steps before the privilege level changes, so that each cycle belongs to
 * one level.
 */
static void change_privilege_level(struct vcore *core, unsigned int priv)
{
	simulate_core(core, true);
	core->priv = priv;
}

/**
 * vcore_begin() - enter an instruction into the trace as the emulator starts to execute it
 * @core: core on which the instruction executes
 * @insn: instruction; must stay valid until vcore_settle()
 */
void vcore_begin(struct vcore *core, const struct vcore_insn *insn)
{
	struct vcore_trace *trace = &core->trace;

	if (core->open)
		close_step(core, insn->pc, insn->priv);
	if (insn->priv != core->priv)
		change_privilege_level(core, insn->priv);
	else if (trace->end - trace->fetch >= BATCH)
		simulate_core(core, false);
	vcore_step_begin(trace, insn)->pc = virtual_address(core, insn->pc, insn->priv);
	core->open = true;
}

/**
 * vcore_access() - enter a memory access of the latest instruction into the emulator's trace
 * @core: core on which the instruction executes
 * @access: the access, which is copied; an instruction's accesses beyond VCORE_MAX_ACCESSES are
 *	dropped
 */
void vcore_access(struct vcore *core, const struct vcore_access *access)
{
	struct vcore_step *step = vcore_step(&core->trace, core->trace.end);

	if (!core->open || step->nr_accesses == VCORE_MAX_ACCESSES)
		return;
	step->access[step->nr_accesses++] = *access;
	vcore_memory_prefetch_host(core->memory, access);
}

/**
 * vcore_assist() - enter into the emulator's trace that the latest instruction needs an assist
 * @core: core on which the instruction executes. For an in-order core or a core of AMD, which has
 *	no assists, nothing is entered
 */
void vcore_assist(struct vcore *core)
{
	if (core->open && core->params->back.assist)
		vcore_step(&core->trace, core->trace.end)->assist = true;
}

/**
 * vcore_next() - enter the address after the latest instruction into the emulator's trace
 * @core: core on which the latest instruction executes
 * @pc: address of the next instruction, as &vcore_insn.pc; an interrupt may still precede its execution
 * @priv: privilege level of the next instruction
 */
void vcore_next(struct vcore *core, uint64_t pc, unsigned int priv)
{
	if (core->open)
		close_step(core, pc, priv);
}

/**
 * vcore_fault() - enter into the emulator's trace that the latest instruction has faulted
 * @core: core on which it has begun
 *
 * A branch that has faulted is not taken: it is not told to &vcore.taken.
 */
void vcore_fault(struct vcore *core)
{
	struct vcore_step *step = vcore_step(&core->trace, core->trace.end);

	if (!core->open)
		return;
	close_step(core, step->insn->pc, step->insn->priv);
	step->interrupted = true;
}

/*
 * Completes the last step if it is known where it leads: to the next instruction, unless it is a
 * branch.
 */
static void close_last_step(struct vcore *core)
{
	const struct vcore_insn *insn;

	insn = vcore_step(&core->trace, core->trace.end)->insn;
	if (core->open && insn->branch == VCORE_NO_BRANCH)
		close_step(core, insn->pc + insn->size, insn->priv);
}

/**
 * vcore_advance() - simulate what the emulator has entered into the trace, without emptying the core
 * @core: core
 *
 * The latest instructions stay in the trace and in flight, as if the emulator went on.
 */
void vcore_advance(struct vcore *core)
{
	simulate_core(core, false);
}

/**
 * vcore_behind() - number of instructions in the emulator's trace that have not retired
 * @core: core
 *
 * Return: the number of instructions whose counts are incomplete. All of them are of one privilege
 * level.
 */
uint64_t vcore_behind(const struct vcore *core)
{
	return core->trace.end + core->open - core->trace.retired;
}

/**
 * vcore_oldest() - oldest instruction in the emulator's trace that had not retired in a cycle
 * @core: an out-of-order core
 * @cycle: the cycle, of which no more than some hundred instructions have retired since
 *
 * It is sought among the instructions since the privilege level last changed: the core was empty
 * then, and an event of one level has not occurred in cycles before.
 *
 * Return: its virtual address, 0 if the trace has none.
 */
uint64_t vcore_oldest(struct vcore *core, uint64_t cycle)
{
	struct vcore_trace *trace = &core->trace;
	uint64_t step = trace->retired;
	uint64_t least = trace->end < VCORE_TRACE ? 0 : trace->end - VCORE_TRACE + 1;

	while (step > least && vcore_step(trace, step - 1)->retired > cycle &&
	       vcore_step(trace, step - 1)->insn->priv == core->priv)
		step--;
	return step < trace->end + core->open ? vcore_step(trace, step)->pc : 0;
}

/**
 * vcore_settle() - simulate all that the emulator has entered into the trace
 * @core: core
 *
 * If the last instruction is a branch, it stays in the trace until its target is known.
 */
void vcore_settle(struct vcore *core)
{
	close_last_step(core);
	if (core->inorder)
		vcore_inorder_settle(core);
	else
		simulate_core(core, true);
}

/**
 * vcore_cut() - simulate all that the emulator has entered, although it could have gone on
 * @core: core
 *
 * As vcore_settle(), but at a place that the guest does not know of. With the instructions that would
 * follow, an out-of-order core would fill up and wait for the oldest one. The slots that lack them
 * are therefore those of a full reorder buffer, not fetch bubbles.
 */
void vcore_cut(struct vcore *core)
{
	core->cut = true;
	vcore_settle(core);
	core->cut = false;
}

/**
 * vcore_halt() - tell the core of an emulator's thread that the thread halts or resumes
 * @core: core of the thread
 * @halted: true if the thread halts, or will execute no more instructions; false if it resumes
 */
void vcore_halt(struct vcore *core, bool halted)
{
	if (!halted)
		return;
	close_last_step(core);
	if (core->inorder) {
		vcore_inorder_halt(core);
	} else {
		simulate_core(core, true);
		vcore_memory_halt(core->memory);
	}
}
