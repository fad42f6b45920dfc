// SPDX-License-Identifier: GPL-2.0
#include "occupancy.h"

static void note(struct vcore_occupancy *o, uint64_t cycle, int by)
{
	unsigned int at = cycle % VCORE_AHEAD;
	uint64_t bit = 1ull << at % 64;

	o->change[at] += by;
	if (!(o->marked[at / 64] & bit))
		o->pending++;
	o->marked[at / 64] |= bit;
}

/**
 * vcore_occupancy_add() - one more is in use
 * @occupancy: of the thing
 * @start: first cycle; of one that was counted already, the next that was not
 * @end: first cycle in which it is no more; one that is too far ahead to be
 *	noted is cut there
 */
void vcore_occupancy_add(struct vcore_occupancy *occupancy, uint64_t start,
			 uint64_t end)
{
	uint64_t last = occupancy->cycle + VCORE_AHEAD - 1;

	if (start < occupancy->cycle)
		start = occupancy->cycle;
	if (end > last)
		end = last;
	if (start >= end)
		return;
	note(occupancy, start, 1);
	note(occupancy, end, -1);
}

/* the first cycle with a change: there is one */
static uint64_t next_change(const struct vcore_occupancy *o)
{
	unsigned int at = o->cycle % VCORE_AHEAD;
	uint64_t word = o->marked[at / 64] >> at % 64;
	uint64_t cycle = o->cycle;

	if (word)
		return cycle + __builtin_ctzll(word);
	for (cycle += 64 - at % 64; ; cycle += 64) {
		word = o->marked[cycle % VCORE_AHEAD / 64];
		if (word)
			return cycle + __builtin_ctzll(word);
	}
}

static void change(struct vcore_occupancy *o)
{
	unsigned int at = o->cycle % VCORE_AHEAD;

	o->taken += o->change[at];
	o->change[at] = 0;
	o->marked[at / 64] &= ~(1ull << at % 64);
	o->pending--;
}

static void count(struct vcore_occupancy *o, uint64_t cycle,
		  uint64_t *cycles_with, unsigned int most)
{
	unsigned int taken = o->taken;

	cycles_with[taken < most ? taken : most] += cycle - o->cycle;
	o->cycle = cycle;
}

/**
 * vcore_occupancy_advance() - count the cycles that have passed
 * @occupancy: of the thing
 * @cycle: the first that has not passed yet
 * @cycles_with: [k] grows by the cycles in which k were in use
 * @most: k of the last, which stands for more, too
 */
void vcore_occupancy_advance(struct vcore_occupancy *occupancy, uint64_t cycle,
			     uint64_t *cycles_with, unsigned int most)
{
	uint64_t next;

	while (occupancy->pending) {
		next = next_change(occupancy);
		if (next >= cycle)
			break;
		count(occupancy, next, cycles_with, most);
		change(occupancy);
	}
	if (occupancy->cycle < cycle)
		count(occupancy, cycle, cycles_with, most);
}
