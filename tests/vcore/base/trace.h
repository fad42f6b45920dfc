/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the guest executed: a queue from the emulator to the virtual core.
 */
#ifndef VCORE_TRACE_H
#define VCORE_TRACE_H

#include "insn.h"

#define VCORE_MAX_ACCESSES 8
/* steps: what is in flight and what the front end may look ahead */
#define VCORE_TRACE 2048

/**
 * struct vcore_access - an access of an instruction to memory
 * @va: virtual address
 * @pa: physical address; caches work with it
 * @size: bytes
 * @store: or a load
 * @device: not memory
 */
struct vcore_access {
	uint64_t va;
	uint64_t pa;
	uint8_t size;
	bool store;
	bool device;
};

/**
 * struct vcore_step - an instruction that was executed
 * @insn: which
 * @next_pc: address of the next
 * @jumped: it went elsewhere than behind itself
 * @interrupted: it is no branch, or did not branch there: an interrupt or a
 *	fault came between it and the next
 * @nr_accesses: of @access; the i-th load belongs to the i-th VCORE_LOAD and so
 *	on; those beyond the uops make further ones
 * @access: in program order; they belong to the trace
 */
struct vcore_step {
	const struct vcore_insn *insn;
	uint64_t next_pc;
	bool jumped;
	bool interrupted;
	uint8_t nr_accesses;
	struct vcore_access *access;
};

/**
 * struct vcore_trace - the queue, a ring; numbers grow without end
 * @step: by number modulo VCORE_TRACE
 * @access: of each step, most of which have none or one
 * @end: number of the step that is being recorded; those before are complete
 * @fetch: number of the next step that the front end takes
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

/* the step that is recorded next, without accesses so far */
static inline struct vcore_step *
vcore_step_begin(struct vcore_trace *trace, const struct vcore_insn *insn)
{
	struct vcore_step *step = vcore_step(trace, trace->end);

	step->insn = insn;
	step->nr_accesses = 0;
	step->access = trace->access[trace->end % VCORE_TRACE];
	return step;
}

#endif /* VCORE_TRACE_H */
