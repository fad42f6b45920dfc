/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arbiter in front of memory, as one vCPU sees it: each request holds an
 * entry of its tracker from its start to its end, in that vCPU's own cycles.
 *
 * The tracker has 32 entries. More are not refused, as that would change the
 * core's times; they count as requests, not as occupancy. The package is the
 * sum of its vCPUs: their cycles do not overlap in any particular way, so
 * "cycles with k entries" adds up, and its clock is all cycles of all vCPUs.
 */
#ifndef VPMU_TRACKER_H
#define VPMU_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_TRACKER_ENTRIES 32
#define VPMU_TRACKER_AHEAD 16384
#define VPMU_SLICES 8

/**
 * struct vpmu_traffic - what was counted
 * @cycles_with: [k], cycles in which k entries were taken
 * @requests: entries taken
 * @writes: of them, for stores
 * @lookups: [slice][store][hit], lookups of the L3 by address
 */
struct vpmu_traffic {
	uint64_t cycles_with[VPMU_TRACKER_ENTRIES + 1];
	uint64_t requests;
	uint64_t writes;
	uint64_t lookups[VPMU_SLICES][2][2];
};

/**
 * struct vpmu_tracker - a vCPU's entries
 * @counted: up to @cycle
 * @cycle: first cycle that is not counted yet
 * @taken: entries taken in the cycle before that
 * @pending: changes ahead
 * @change: [cycle % size], entries taken less entries given back in it
 */
struct vpmu_tracker {
	struct vpmu_traffic counted;
	uint64_t cycle;
	int taken;
	unsigned int pending;
	int16_t change[VPMU_TRACKER_AHEAD];
};

void vpmu_tracker_advance(struct vpmu_tracker *tracker, uint64_t cycle);
void vpmu_tracker_add(struct vpmu_tracker *tracker, uint64_t start,
		      unsigned int cycles, unsigned int entries, bool store);
void vpmu_tracker_lookup(struct vpmu_tracker *tracker, uint64_t line,
			 bool store, bool hit);
void vpmu_traffic_add(struct vpmu_traffic *sum, const struct vpmu_traffic *one);
uint64_t vpmu_traffic_clock(const struct vpmu_traffic *traffic);

#endif /* VPMU_TRACKER_H */
