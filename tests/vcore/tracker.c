// SPDX-License-Identifier: GPL-2.0
#include "tracker.h"

/**
 * vcore_tracker_advance() - count the cycles that have passed
 * @tracker: of the core
 * @cycle: the first that has not passed yet
 * @counts: grow by them
 */
void vcore_tracker_advance(struct vcore_tracker *tracker, uint64_t cycle,
			   struct vcore_counts *counts)
{
	uint64_t with[VCORE_TRACKER_ENTRIES + 1] = { 0 };
	unsigned int k;

	vcore_occupancy_advance(&tracker->entries, cycle, with,
				VCORE_TRACKER_ENTRIES);
	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++) {
		tracker->counted.cycles_with[k] += with[k];
		counts->outstanding[k] += with[k];
	}
}

/**
 * vcore_tracker_add() - a request to memory
 * @tracker: of the core
 * @start: cycle in which it arrives
 * @end: first cycle in which its entry is free again
 * @write: a line goes to memory, or comes from there
 */
void vcore_tracker_add(struct vcore_tracker *tracker, uint64_t start,
		       uint64_t end, bool write)
{
	tracker->counted.requests++;
	tracker->counted.writes += write;
	vcore_occupancy_add(&tracker->entries, start, end);
}

/**
 * vcore_tracker_lookup() - a lookup of the L3
 * @tracker: of the core
 * @line: number
 * @store: or a load
 * @hit: found
 */
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  bool store, bool hit)
{
	tracker->counted.lookups[line % VCORE_SLICES][store][hit]++;
}

/**
 * vcore_traffic_add() - add up cores
 * @sum: grows
 * @one: by that
 */
void vcore_traffic_add(struct vcore_traffic *sum,
		       const struct vcore_traffic *one)
{
	const uint64_t *from = (const uint64_t *)one;
	uint64_t *to = (uint64_t *)sum;
	unsigned int i;

	for (i = 0; i < sizeof(*one) / sizeof(*from); i++)
		to[i] += from[i];
}

/**
 * vcore_traffic_clock() - all cycles
 * @traffic: in which
 */
uint64_t vcore_traffic_clock(const struct vcore_traffic *traffic)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		sum += traffic->cycles_with[k];
	return sum;
}
