/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arbiter in front of memory: each request, including prefetches, holds an entry of
 * its tracker from its arrival until its data leave. All cores of a package share it,
 * in the package's time, which advances while any of them runs.
 */
#ifndef VCORE_TRACKER_H
#define VCORE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counts.h"
#include "occupancy.h"

#define VCORE_TRACKER_ENTRIES VCORE_MAX_OUTSTANDING
#define VCORE_SLICES 8

/**
 * struct vcore_traffic - counts of the arbiter
 * @cycles_with: [k], cycles in which k entries were in use; the last element
 *	also counts cycles with more
 * @requests: number of requests
 * @writes: number of these that write a line to memory
 * @lookups: lookups of the L3, [slice][store][hit]
 */
struct vcore_traffic {
	uint64_t cycles_with[VCORE_TRACKER_ENTRIES + 1];
	uint64_t requests;
	uint64_t writes;
	uint64_t lookups[VCORE_SLICES][2][2];
};

/**
 * struct vcore_tracker - the arbiter
 * @counted: counts up to the cycle of @entries
 * @entries: occupancy of its entries
 */
struct vcore_tracker {
	struct vcore_traffic counted;
	struct vcore_occupancy entries;
};

void vcore_tracker_advance(struct vcore_tracker *tracker, uint64_t cycle);
void vcore_tracker_add(struct vcore_tracker *tracker, uint64_t start,
		       uint64_t end, bool write);
void vcore_tracker_lookup(struct vcore_tracker *tracker, uint64_t line,
			  bool store, bool hit);
uint64_t vcore_traffic_clock(const struct vcore_traffic *traffic);

#endif /* VCORE_TRACKER_H */
