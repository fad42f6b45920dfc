/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A front end on a bench: a program goes in, a simple back end takes what comes
 * out and notes it.
 */
#ifndef VCORE_BENCH_H
#define VCORE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/front.h"

#define BENCH_CODE 0x400000ull
#define BENCH_INSNS 16384
#define BENCH_LACKS (VCORE_LACKS_TRACE + 1)

/**
 * struct bench - what is tested, and what it did
 * @params: core, may be changed before bench_start()
 * @ideal: what is perfect, the same
 * @trace: correct path
 * @memory: caches
 * @front: front end
 * @counts: its counts
 * @insn: program, from BENCH_CODE on
 * @nr: instructions
 * @at: the one that runs next
 * @end: address behind the last
 * @steps: run so far
 * @most: no more than these are run, 0 for no limit
 * @next: which instruction runs behind one; NULL: in order, from the last to
 *	the first
 * @step: NULL, or may change a step
 * @blocked: NULL, or whether the back end takes nothing in a cycle
 * @skip: idle cycles in bulk
 * @cycle: next
 * @resolve: when the mispredicted branch executes, or UINT64_MAX
 * @expected: number of the step whose slot must come next
 * @slots: taken, of the correct path
 * @wrong: taken, of the wrong one
 * @fused: taken, with a second instruction
 * @microcode: taken, from the sequencer
 * @mispredicted: branches taken that were
 * @lost: slots that did not come, by reason
 */
struct bench {
	struct vcore_params params;
	struct vcore_ideal ideal;
	struct vcore_trace trace;
	struct vcore_memory *memory;
	struct vcore_front *front;
	struct vcore_counts counts;
	struct vcore_insn insn[BENCH_INSNS];
	unsigned int nr;
	unsigned int at;
	uint64_t end;
	uint64_t steps;
	uint64_t most;
	unsigned int (*next)(struct bench *bench, unsigned int at);
	void (*step)(struct bench *bench, struct vcore_step *step);
	bool (*blocked)(uint64_t cycle);
	bool skip;
	uint64_t cycle;
	uint64_t resolve;
	uint64_t expected;
	uint64_t slots;
	uint64_t wrong;
	uint64_t fused;
	uint64_t microcode;
	uint64_t mispredicted;
	uint64_t lost[BENCH_LACKS];
};

int bench_setup(void **state);
int bench_teardown(void **state);
void bench_start(struct bench *bench);
void bench_run(struct bench *bench, uint64_t cycles);
/* forgets what was counted so far */
void bench_clear(struct bench *bench);
struct vcore_insn *bench_add(struct bench *bench, unsigned int size,
			     unsigned int slots);
void bench_fill(struct bench *bench, unsigned int nr, unsigned int size,
		unsigned int slots);
struct vcore_insn *bench_branch(struct bench *bench, enum vcore_branch type,
				unsigned int size);
uint32_t bench_draw(uint32_t number);

#endif /* VCORE_BENCH_H */
