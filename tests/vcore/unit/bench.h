/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test bench for the front end. The front end fetches a synthetic program, and a minimal back end
 * takes the slots and counts them.
 */
#ifndef VCORE_BENCH_H
#define VCORE_BENCH_H

#include "frontend/fetched.h"
#include "frontend/front.h"
#include "test.h"

#define BENCH_CODE 0x400000ull
#define BENCH_INSNS 16384
#define BENCH_LACKS (VCORE_LACKS_TRACE + 1)

/* Current cycle of a bench whose front end is tested without a back end. */
#define BENCH_NOW 1000
/* What the physical address of an instruction of bench_record() has more than the virtual one. */
#define BENCH_MOVED 0x500000ull

/**
 * struct bench - a test bench for the front end, with its counts
 * @params: sizes and latencies of the core; may be changed before bench_start()
 * @ideal: units that are simulated as perfect; may be changed before bench_start()
 * @trace: executed instructions, all on the correct path
 * @memory: memory hierarchy
 * @fetches: counts fetches of @front, and tags one
 * @front: front end under test
 * @counts: counts that the front end has increased
 * @insn: [@nr], instructions of the program, which starts at BENCH_CODE
 * @nr: number of instructions
 * @at: index of the next instruction to record
 * @end: address after the last instruction
 * @steps: number of steps recorded so far
 * @most: maximum of @steps, 0 for no limit
 * @next: function that returns the index of the instruction after @at; NULL if the program is a
 *	loop without other branches
 * @step: function that modifies a step after it was recorded, or NULL
 * @blocked: function that returns true if the back end takes no slot in a cycle, or NULL
 * @skip: true if consecutive idle cycles are simulated by one call
 * @cycle: the next cycle to simulate
 * @resolve: cycle in which the mispredicted branch executes, or UINT64_MAX
 * @expected: number of the step that the next slot must have
 * @slots: number of delivered slots of the correct path
 * @wrong: number of delivered slots of the wrong path
 * @fused: number of delivered slots with a macro-fused pair
 * @microcode: number of delivered slots from the microcode sequencer
 * @mispredicted: number of delivered mispredicted branches
 * @lost: [&enum vcore_lack], number of slots that the front end did not deliver, by reason
 */
struct bench {
	struct vcore_params params;
	struct vcore_ideal ideal;
	struct vcore_trace trace;
	struct vcore_memory *memory;
	struct vcore_fetches fetches;
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
/* Resets the counts of the bench. */
void bench_clear(struct bench *bench);
struct vcore_insn *bench_add(struct bench *bench, unsigned int size,
			     unsigned int slots);
void bench_fill(struct bench *bench, unsigned int nr, unsigned int size,
		unsigned int slots);
struct vcore_insn *bench_branch(struct bench *bench, enum vcore_branch type,
				unsigned int size);
uint32_t bench_draw(uint32_t number);
/* Makes a bench, at cycle BENCH_NOW, whose front end has stalls of different lengths. */
int bench_setup_at_now(void **state);
/* Records the execution of an instruction that is @offset bytes from the begin of the code. */
struct vcore_insn *bench_record(struct bench *bench, unsigned int offset, unsigned int size,
				unsigned int slots);
/* Takes the recorded instructions back, and makes a new front end at cycle BENCH_NOW. */
void bench_renew(struct bench *bench);
/* Checks entry @nr of the queue of the front end. */
void bench_assert_slot(const struct bench *bench, unsigned int nr, uint64_t ready,
		       enum vcore_lack lack, struct vcore_slot slot);

#endif /* VCORE_BENCH_H */
