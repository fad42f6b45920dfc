/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arbiter in front of memory. Each request, including prefetches, holds an entry of the
 * arbiter's tracker from its arrival until its data leave. All cores of a package share the
 * arbiter. Times are in the package's time, which advances while any core runs.
 */
#ifndef VCORE_TRACKER_H
#define VCORE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counts.h"
#include "occupancy.h"

#define VCORE_TRACKER_ENTRIES VCORE_MAX_OUTSTANDING
#define VCORE_SLICES 64

/* Types of requests to the L3. */
enum vcore_request {
	VCORE_REQUEST_READ,		/* loads, page walks, prefetches into the L2 */
	VCORE_REQUEST_RFO,
	VCORE_REQUEST_CODE,
	VCORE_REQUEST_PREFETCH,		/* prefetches into the L3 only */
	VCORE_REQUESTS
};

/**
 * struct vcore_slice - counts of a slice of the L3
 * @lookups: [&enum vcore_request][1 for hits, 0 for misses], number of lookups
 * @cycles: the same indices, sum of the latencies in cycles; a latency is added when the request
 *	is made
 */
struct vcore_slice {
	uint64_t lookups[VCORE_REQUESTS][2];
	uint64_t cycles[VCORE_REQUESTS][2];
};

/**
 * struct vcore_traffic - counts of the arbiter
 * @cycles_with: [k], cycles in which k entries were in use; the last element includes cycles with
 *	more entries
 * @requests: number of requests
 * @writes: number of requests that write a line to memory
 * @waiting: [0] is the number of cycles in which no read waited for the channel, [1] of those in
 *	which one or more reads waited
 * @waits: sum over all reads of the cycles for which the read waited for the channel
 * @slice: [vcore_slice_of()], counts of the L3's slices
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
 * struct vcore_tracker - the arbiter
 * @counted: counts of the cycles that have passed
 * @entries: occupancy of the tracker's entries
 * @queue: occupancy of the queue of reads that wait for the channel
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
