/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branches that go one way a fixed number of times, then the other way once.
 */
#ifndef VCORE_LOOPS_H
#define VCORE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_LOOPS_SETS 16
#define VCORE_LOOPS_WAYS 4

/**
 * struct vcore_loop - a branch
 * @pc: its address, 0 for none
 * @trips: how often it went on in a row, last time
 * @now: how often so far
 * @confidence: number of correct predictions in a row
 * @on: direction that goes on
 */
struct vcore_loop {
	uint64_t pc;
	uint32_t trips;
	uint32_t now;
	uint8_t confidence;
	bool on;
};

/**
 * struct vcore_loops - branches that may be such
 * @loop: by address
 * @victim: next way that is given away
 */
struct vcore_loops {
	struct vcore_loop loop[VCORE_LOOPS_SETS][VCORE_LOOPS_WAYS];
	unsigned int victim;
};

bool vcore_loops_taken(struct vcore_loops *loops, uint64_t pc, bool taken,
		       bool predicted);

#endif /* VCORE_LOOPS_H */
