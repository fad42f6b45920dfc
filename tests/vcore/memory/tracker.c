// SPDX-License-Identifier: GPL-2.0
#include "tracker.h"

/**
 * vcore_tracker_advance() - count the occupancy of the arbiter's tracker up to a cycle
 * @tracker: counts of the arbiter
 * @cycle: cycle up to which the occupancy is counted, exclusive
 */
void vcore_tracker_advance(struct vcore_tracker *tracker, uint64_t cycle)
{
	vcore_occupancy_advance(&tracker->entries, cycle,
				tracker->counted.cycles_with,
				VCORE_TRACKER_ENTRIES);
	vcore_occupancy_advance(&tracker->queue, cycle, tracker->counted.waiting, 1);
}

/**
 * vcore_tracker_add() - count a request to memory that enters the arbiter's tracker
 * @tracker: counts of the arbiter
 * @start: cycle in which the request arrives
 * @end: first cycle in which the entry of the request is free again
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
 * vcore_tracker_wait() - count the time that a read in the arbiter's tracker waits for the channel
 * @tracker: counts of the arbiter
 * @start: cycle in which the request arrives
 * @end: cycle in which the transfer of the line starts
 */
void vcore_tracker_wait(struct vcore_tracker *tracker, uint64_t start,
			uint64_t end)
{
	tracker->counted.waits += end - start;
	vcore_occupancy_add(&tracker->queue, start, end);
}

/**
 * vcore_slice_of() - get the slice of the L3 to which the tracker assigns a line
 * @line: line address / 64
 *
 * The slice is a hash of the line number: the exclusive or of the number's groups of six bits. The
 * hash spreads consecutive lines, and lines with a stride of a power of two, over all slices.
 */
unsigned int vcore_slice_of(uint64_t line)
{
	line ^= line >> 24;
	line ^= line >> 12;
	line ^= line >> 6;
	return line % VCORE_SLICES;
}

/**
 * vcore_tracker_lookup() - count a lookup of the L3 in the arbiter's tracker
 * @tracker: counts of the arbiter
 * @line: line address / 64
 * @request: type of the request
 * @hit: true if the L3 had the line
 * @cycles: cycles from the request until the data arrive
 */
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  enum vcore_request request, bool hit, uint64_t cycles)
{
	struct vcore_slice *slice = &tracker->counted.slice[vcore_slice_of(line)];

	slice->lookups[request][hit]++;
	slice->cycles[request][hit] += cycles;
}

/**
 * vcore_traffic_clock() - get the number of cycles that the arbiter's tracker has counted
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
