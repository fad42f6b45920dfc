// SPDX-License-Identifier: GPL-2.0
#include "occupancy.h"

static void add_change(struct vcore_occupancy *o, uint64_t cycle, int by)
{
	unsigned int at = cycle % VCORE_AHEAD;

	o->change[at] += by;
	o->marked[at / 64] |= 1ull << at % 64;
}

/**
 * vcore_occupancy_add() - add the use of one entry to the occupancy of a resource
 * @occupancy: occupancy of the resource
 * @start: first cycle in which the entry is in use; cycles before &vcore_occupancy.cycle are
 *	ignored
 * @end: first cycle in which the entry is free again; cycles from &vcore_occupancy.cycle +
 *	VCORE_AHEAD - 1 on are ignored
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
	add_change(occupancy, start, 1);
	add_change(occupancy, end, -1);
	if (end > occupancy->last)
		occupancy->last = end;
}

static void count_until(struct vcore_occupancy *o, uint64_t cycle,
			uint64_t *cycles_with, unsigned int most)
{
	unsigned int taken = o->in_use;

	cycles_with[taken < most ? taken : most] += cycle - o->cycle;
	o->cycle = cycle;
}

/*
 * Clears the marks of the cycles from @first on and before @end in the word *@marked. Returns a
 * mask of the cleared marks.
 */
static uint64_t remove_changes(uint64_t *marked, uint64_t first, uint64_t end)
{
	uint64_t due = *marked;

	if (!due)
		return 0;
	due &= ~0ull << first % 64;
	if (end <= (first | 63))
		due &= (1ull << end % 64) - 1;
	*marked -= due;
	return due;
}

/*
 * Looks for changes from cycle @first on and before @end, in the word that has the mark of @first.
 * Counts the cycles up to the last of these changes.
 */
static void count_word(struct vcore_occupancy *o, uint64_t first, uint64_t end,
		       uint64_t *cycles_with, unsigned int most)
{
	uint64_t due = remove_changes(&o->marked[first % VCORE_AHEAD / 64], first,
				      end);

	for (; due; due &= due - 1) {
		unsigned int bit = __builtin_ctzll(due);
		uint64_t cycle = (first & ~63ull) + bit;
		int16_t *change = &o->change[cycle % VCORE_AHEAD];

		count_until(o, cycle, cycles_with, most);
		o->in_use += *change;
		*change = 0;
	}
}

/**
 * vcore_occupancy_advance() - count the occupancy of a resource in the cycles that have passed
 * @occupancy: occupancy of the resource
 * @cycle: cycle up to which the occupancy is counted, exclusive
 * @cycles_with: [k], counts of cycles; element k is increased by the number of cycles in which k
 *	entries were in use
 * @most: last index of @cycles_with; this element counts the cycles in which this number of entries
 *	or more were in use
 */
void vcore_occupancy_advance(struct vcore_occupancy *occupancy, uint64_t cycle,
			     uint64_t *cycles_with, unsigned int most)
{
	uint64_t from = occupancy->cycle;

	for (; from < cycle && from <= occupancy->last; from = (from | 63) + 1)
		count_word(occupancy, from, cycle, cycles_with, most);
	if (occupancy->cycle < cycle)
		count_until(occupancy, cycle, cycles_with, most);
}
