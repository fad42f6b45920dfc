/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arbiter in front of memory: each request holds an entry of its tracker from
 * its arrival until its data leave; prefetches do, too. All cores of a package have
 * the same one, in the package's time: its clock goes on while any of them does.
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
 * struct vcore_traffic - what was counted
 * @cycles_with: [k], cycles in which k entries were taken; the last stands for
 *	more, of a part that has more
 * @requests: entries taken
 * @writes: of them, lines that go to memory
 * @lookups: [slice][store][hit], lookups of the L3 by address
 */
struct vcore_traffic {
	uint64_t cycles_with[VCORE_TRACKER_ENTRIES + 1];
	uint64_t requests;
	uint64_t writes;
	uint64_t lookups[VCORE_SLICES][2][2];
};

/**
 * struct vcore_tracker - the arbiter's entries
 * @counted: up to the cycle of @entries
 * @entries: taken
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
