// SPDX-License-Identifier: GPL-2.0
#include "tracker.h"

/**
 * vcore_tracker_advance() - count the occupancy of the arbiter's tracker until now
 * @tracker: counts of the arbiter
 * @cycle: first cycle that has not passed yet
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
 * vcore_tracker_wait() - count how long a read in the arbiter's tracker waits for the channel
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
 * vcore_slice_of() - slice of the L3 for whose counts in the tracker a line counts
 * @line: line address / 64
 *
 * The hash is the exclusive or of the six-bit groups of the line's number. It spreads consecutive
 * lines, and lines with a stride of a power of two, over all slices.
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
 * @hit: the L3 has the line
 * @cycles: latency from the request to the arrival of its data
 */
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  enum vcore_request request, bool hit, uint64_t cycles)
{
	struct vcore_slice *slice = &tracker->counted.slice[vcore_slice_of(line)];

	slice->lookups[request][hit]++;
	slice->cycles[request][hit] += cycles;
}

/**
 * vcore_traffic_clock() - the number of cycles counted in the arbiter's tracker
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
