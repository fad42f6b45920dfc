/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arbiter's tracker of requests to memory. Each request, including prefetches, holds an entry
 * of the tracker from its arrival until its data leave. All cores of a package share the arbiter.
 * Times are in the package's time, which advances while any core runs.
 */
#ifndef VCORE_TRACKER_H
#define VCORE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counts.h"
#include "occupancy.h"

#define VCORE_TRACKER_ENTRIES VCORE_MAX_OUTSTANDING
#define VCORE_SLICES 64

/* Types of requests to the L3, as the events of its slices distinguish them. */
enum vcore_request {
	VCORE_REQUEST_READ,		/* loads, page walks, prefetches into the L2 */
	VCORE_REQUEST_RFO,
	VCORE_REQUEST_CODE,
	VCORE_REQUEST_PREFETCH,		/* prefetches into the L3 only */
	VCORE_REQUESTS
};

/**
 * struct vcore_slice - counts of the lookups in one slice of the L3
 * @lookups: [&enum vcore_request][hit], number of lookups; hit is 1 for hits and 0 for misses
 * @cycles: [&enum vcore_request][hit], sum of the latencies of these lookups in cycles; a latency
 *	is added when the request is made
 */
struct vcore_slice {
	uint64_t lookups[VCORE_REQUESTS][2];
	uint64_t cycles[VCORE_REQUESTS][2];
};

/**
 * struct vcore_traffic - counts of the arbiter since power-on
 * @cycles_with: [k], number of cycles in which k entries of the tracker were in use; the last
 *	element includes the cycles with more entries
 * @requests: number of requests to memory
 * @writes: number of these requests that write a line
 * @waiting: number of cycles in which no read waited for the memory channel ([0]), and of those in
 *	which at least one read waited ([1])
 * @waits: sum over all reads of the cycles for which each waited for the memory channel
 * @slice: [vcore_slice_of()], counts of lookups in the slices of the L3
 */
struct vcore_traffic {
	uint64_t cycles_with[VCORE_TRACKER_ENTRIES + 1];
	uint64_t requests;
	uint64_t writes;
	uint64_t waiting[2];
	uint64_t waits;
	struct vcore_slice slice[VCORE_SLICES];
};

/**
 * struct vcore_tracker - counts and occupancies of the arbiter's tracker
 * @counted: counts up to the cycle that was counted last
 * @entries: occupancy of the tracker's entries, by cycle
 * @queue: occupancy of the queue of reads that wait for the memory channel, by cycle
 */
struct vcore_tracker {
	struct vcore_traffic counted;
	struct vcore_occupancy entries;
	struct vcore_occupancy queue;
};

void vcore_tracker_advance(struct vcore_tracker *tracker, uint64_t cycle);
void vcore_tracker_add(struct vcore_tracker *tracker, uint64_t start,
		       uint64_t end, bool write);
void vcore_tracker_wait(struct vcore_tracker *tracker, uint64_t start,
			uint64_t end);
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  enum vcore_request request, bool hit, uint64_t cycles);
unsigned int vcore_slice_of(uint64_t line);
uint64_t vcore_traffic_clock(const struct vcore_traffic *traffic);

#endif /* VCORE_TRACKER_H */
