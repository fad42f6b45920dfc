// SPDX-License-Identifier: GPL-2.0
#include "loops.h"

/* Minimum trip count: TAGE's global history covers shorter loops, so these have no entry here. */
#define MIN_TRIPS 8
/* Maximum trip count: counters saturate here, and longer loops are not predicted. */
#define MAX_TRIPS 65535
#define CONFIDENT 2
#define CONFIDENCE_MAX 7

static struct vcore_loop *loop_set(struct vcore_loops *loops, uint64_t pc)
{
	return loops->loop[(pc ^ pc >> 4) % VCORE_LOOPS_SETS];
}

static void allocate_loop(struct vcore_loops *loops, uint64_t pc, bool taken)
{
	unsigned int way = loops->victim++ % VCORE_LOOPS_WAYS;
	struct vcore_loop *loop = &loop_set(loops, pc)[way];

	if (loop->confidence) {
		loop->confidence--;
		return;
	}
	*loop = (struct vcore_loop) { .pc = pc, .continues = !taken };
}

static void update_loop(struct vcore_loop *loop, bool taken)
{
	if (taken == loop->continues) {
		if (loop->now < MAX_TRIPS)
			loop->now++;
		if (loop->now > loop->trips)
			loop->confidence = 0;
		return;
	}
	if (loop->now != loop->trips)
		loop->confidence = 0;
	else if (loop->confidence < CONFIDENCE_MAX)
		loop->confidence++;
	loop->trips = loop->now;
	loop->now = 0;
}

/**
 * vcore_loops_taken() - let the loop predictor predict a branch's direction, then train it
 * @loops: loop predictor
 * @pc: address of the branch
 * @taken: actual direction of the branch, which trains the predictor
 * @predicted: direction that TAGE predicts
 *
 * Return: the predicted direction; @predicted if the loop predictor has no confident entry for @pc.
 */
bool vcore_loops_taken(struct vcore_loops *loops, uint64_t pc, bool taken,
		       bool predicted)
{
	struct vcore_loop *set = loop_set(loops, pc);
	unsigned int way;

	for (way = 0; way < VCORE_LOOPS_WAYS; way++) {
		struct vcore_loop *loop = &set[way];

		if (loop->pc != pc)
			continue;
		if (loop->confidence >= CONFIDENT && loop->trips >= MIN_TRIPS &&
		    loop->trips < MAX_TRIPS)
			predicted = (loop->now == loop->trips) ^ loop->continues;
		update_loop(loop, taken);
		return predicted;
	}
	if (predicted != taken)
		allocate_loop(loops, pc, taken);
	return predicted;
}
