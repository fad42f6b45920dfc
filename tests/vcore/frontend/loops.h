/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loop predictor, for branches of loops with a constant trip count. Such a branch goes in one
 * direction as often as the trip count says, then once in the other.
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
 * @trips: trip count of the latest complete loop: number of times that the branch had direction
 *	@continues
 * @now: number of iterations of the current loop so far
 * @confidence: number of consecutive loops with the same trip count, saturating
 * @continues: direction that continues the loop: true for taken
 */
struct vcore_loop {
	uint64_t pc;
	uint32_t trips;
	uint32_t now;
	uint8_t confidence;
	bool continues;
};

/**
 * struct vcore_loops - the loop predictor of a core
 * @loop: [set][way], entries
 * @victim: number of the way to replace next, modulo VCORE_LOOPS_WAYS
 */
struct vcore_loops {
	struct vcore_loop loop[VCORE_LOOPS_SETS][VCORE_LOOPS_WAYS];
	unsigned int victim;
};

bool vcore_loops_taken(struct vcore_loops *loops, uint64_t pc, bool taken,
		       bool predicted);

#endif /* VCORE_LOOPS_H */
