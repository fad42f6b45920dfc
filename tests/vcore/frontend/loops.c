// SPDX-License-Identifier: GPL-2.0
#include "loops.h"

/* Shorter loops are left to the other predictors, which learn them from the history. */
#define FEWEST 8
/* Trip counts saturate here: longer loops are not predicted. */
#define MOST 65535
#define CONFIDENT 2
#define CONFIDENCE_MAX 7

static struct vcore_loop *loops_set(struct vcore_loops *loops, uint64_t pc)
{
	return loops->loop[(pc ^ pc >> 4) % VCORE_LOOPS_SETS];
}

static void loops_add(struct vcore_loops *loops, uint64_t pc, bool taken)
{
	unsigned int way = loops->victim++ % VCORE_LOOPS_WAYS;
	struct vcore_loop *loop = &loops_set(loops, pc)[way];

	if (loop->confidence) {
		loop->confidence--;
		return;
	}
	*loop = (struct vcore_loop) { .pc = pc, .on = !taken };
}

static void loop_learn(struct vcore_loop *loop, bool taken)
{
	if (taken == loop->on) {
		if (loop->now < MOST)
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
 * vcore_loops_taken() - predict a branch that ends a counted loop, and learn
 * from it
 * @loops: loop predictor
 * @pc: address of the branch
 * @taken: actual direction
 * @predicted: prediction of the other predictors
 *
 * Return: the prediction, which is @predicted if no loop is known at @pc.
 */
bool vcore_loops_taken(struct vcore_loops *loops, uint64_t pc, bool taken,
		       bool predicted)
{
	struct vcore_loop *set = loops_set(loops, pc);
	unsigned int way;

	for (way = 0; way < VCORE_LOOPS_WAYS; way++) {
		struct vcore_loop *loop = &set[way];

		if (loop->pc != pc)
			continue;
		if (loop->confidence >= CONFIDENT && loop->trips >= FEWEST &&
		    loop->trips < MOST)
			predicted = (loop->now == loop->trips) ^ loop->on;
		loop_learn(loop, taken);
		return predicted;
	}
	if (predicted != taken)
		loops_add(loops, pc, taken);
	return predicted;
}
