/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loop predictor: branches that go in one direction a fixed number of times, then
 * once in the other.
 */
#ifndef VCORE_LOOPS_H
#define VCORE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_LOOPS_SETS 16
#define VCORE_LOOPS_WAYS 4

/**
 * struct vcore_loop - an entry of the loop predictor
 * @pc: address of the branch, 0 if unused
 * @trips: consecutive branches in the direction @on in the latest complete loop
 * @now: the same so far in the present loop
 * @confidence: number of loops in a row with the same trip count, saturating
 * @on: direction that continues the loop: true for taken
 */
struct vcore_loop {
	uint64_t pc;
	uint32_t trips;
	uint32_t now;
	uint8_t confidence;
	bool on;
};

/**
 * struct vcore_loops - loop predictor
 * @loop: [set][way]
 * @victim: next way to replace
 */
struct vcore_loops {
	struct vcore_loop loop[VCORE_LOOPS_SETS][VCORE_LOOPS_WAYS];
	unsigned int victim;
};

bool vcore_loops_taken(struct vcore_loops *loops, uint64_t pc, bool taken,
		       bool predicted);

#endif /* VCORE_LOOPS_H */
