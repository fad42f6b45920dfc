// SPDX-License-Identifier: GPL-2.0
#include "tracker.h"

/**
 * vcore_tracker_advance() - count the cycles that have passed
 * @tracker: counts of the arbiter
 * @cycle: first cycle that has not passed yet
 */
void vcore_tracker_advance(struct vcore_tracker *tracker, uint64_t cycle)
{
	vcore_occupancy_advance(&tracker->entries, cycle,
				tracker->counted.cycles_with,
				VCORE_TRACKER_ENTRIES);
}

/**
 * vcore_tracker_add() - count a request to memory
 * @tracker: counts of the arbiter
 * @start: cycle in which the request arrives
 * @end: first cycle in which its entry is free again
 * @write: true for a write, false for a read
 */
void vcore_tracker_add(struct vcore_tracker *tracker, uint64_t start,
		       uint64_t end, bool write)
{
	tracker->counted.requests++;
	tracker->counted.writes += write;
	vcore_occupancy_add(&tracker->entries, start, end);
}

/**
 * vcore_tracker_lookup() - count a lookup of the L3
 * @tracker: counts of the arbiter
 * @line: line address / 64
 * @store: true for a store, false for a load
 * @hit: the L3 has the line
 */
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  bool store, bool hit)
{
	tracker->counted.lookups[line % VCORE_SLICES][store][hit]++;
}

/**
 * vcore_traffic_clock() - the number of cycles counted
 * @traffic: counts of the arbiter
 */
uint64_t vcore_traffic_clock(const struct vcore_traffic *traffic)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		sum += traffic->cycles_with[k];
	return sum;
}
