/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace: a queue of the instructions that the guest has executed, from the emulator to the
 * virtual core.
 */
#ifndef VCORE_TRACE_H
#define VCORE_TRACE_H

#include "insn.h"

#define VCORE_MAX_ACCESSES 8
/*
 * Capacity of the trace in steps. It holds all steps in flight, and the steps that the front end
 * needs ahead of its fetch.
 */
#define VCORE_TRACE 2048

/**
 * struct vcore_access - a memory access of an executed instruction
 * @va: virtual address
 * @pa: physical address, which indexes the caches
 * @size: bytes
 * @store: true for a store, false for a load
 * @device: the access goes to a device, not to memory
 */
struct vcore_access {
	uint64_t va;
	uint64_t pa;
	uint8_t size;
	bool store;
	bool device;
};

/**
 * struct vcore_step - one execution of an instruction
 * @insn: the instruction
 * @pc: virtual address at which @insn was executed. The emulator may have decoded it at another one
 *	of the same physical address, &vcore_insn.pc
 * @next_pc: address of the instruction executed next, as the emulator has decoded it
 * @to: virtual address of the instruction executed next
 * @jumped: true if @next_pc is not the address that follows @insn
 * @assist: a microcode assist is due when the instruction would retire
 * @assist_uops: number of uops of the microcode assist, which follow the uops of @insn; 0 until the
 *	assist begins
 * @interrupted: an interrupt or a fault followed this step; @next_pc is its handler, not a target
 *	of @insn
 * @retired: cycle in which an out-of-order core has retired the instruction
 * @nr_accesses: number of valid elements of @access. The i-th load belongs to the i-th VCORE_LOAD
 *	of @insn, and the i-th store to the i-th VCORE_STA. An access for which @insn has no such
 *	uop (a surplus access) gets an additional uop
 * @access: array of the accesses in program order; it is in &vcore_trace.access
 */
struct vcore_step {
	const struct vcore_insn *insn;
	uint64_t pc;
	uint64_t next_pc;
	uint64_t to;
	bool jumped;
	bool interrupted;
	bool assist;
	uint8_t assist_uops;
	uint64_t retired;
	uint8_t nr_accesses;
	struct vcore_access *access;
};

/**
 * struct vcore_trace - a ring buffer of steps, numbered from 0 since power-on
 * @step: [number % VCORE_TRACE], the steps
 * @access: [number % VCORE_TRACE][VCORE_MAX_ACCESSES], accesses of the steps
 * @end: number of the step that is being recorded; all steps before it are
 *	complete
 * @fetch: number of the step that the front end fetches next
 * @retired: number of the oldest step that has not retired
 */
struct vcore_trace {
	struct vcore_step step[VCORE_TRACE];
	struct vcore_access access[VCORE_TRACE][VCORE_MAX_ACCESSES];
	uint64_t end;
	uint64_t fetch;
	uint64_t retired;
};

static inline struct vcore_step *vcore_step(struct vcore_trace *trace,
					    uint64_t number)
{
	return &trace->step[number % VCORE_TRACE];
}

/* Starts to record the next step of the trace, at first without accesses. Returns the step. */
static inline struct vcore_step *
vcore_step_begin(struct vcore_trace *trace, const struct vcore_insn *insn)
{
	struct vcore_step *step = vcore_step(trace, trace->end);

	step->insn = insn;
	step->pc = insn->pc;
	step->assist = false;
	step->assist_uops = 0;
	step->nr_accesses = 0;
	step->access = trace->access[trace->end % VCORE_TRACE];
	return step;
}

/*
 * Returns the number of uops of a step. Filler uops and the uops of a microcode assist are
 * included. The uops of surplus accesses, for which the instruction itself has no uop, are not.
 */
static inline unsigned int vcore_step_filled(const struct vcore_step *step)
{
	return step->insn->nr_uops + step->insn->filler + step->assist_uops;
}

#endif /* VCORE_TRACE_H */
