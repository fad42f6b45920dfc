// SPDX-License-Identifier: GPL-2.0
#include "tracker.h"

static unsigned int visible(int taken)
{
	return taken < VPMU_TRACKER_ENTRIES ? taken : VPMU_TRACKER_ENTRIES;
}

static void step(struct vpmu_tracker *tracker)
{
	int16_t *change = &tracker->change[tracker->cycle % VPMU_TRACKER_AHEAD];

	if (*change) {
		tracker->taken += *change;
		tracker->pending--;
		*change = 0;
	}
	tracker->counted.cycles_with[visible(tracker->taken)]++;
	tracker->cycle++;
}

/**
 * vpmu_tracker_advance() - count the cycles that have passed
 * @tracker: of the vCPU
 * @cycle: the first that has not passed yet
 */
void vpmu_tracker_advance(struct vpmu_tracker *tracker, uint64_t cycle)
{
	while (tracker->pending && tracker->cycle < cycle)
		step(tracker);
	if (tracker->cycle >= cycle)
		return;
	tracker->counted.cycles_with[visible(tracker->taken)] +=
		cycle - tracker->cycle;
	tracker->cycle = cycle;
}

static void note(struct vpmu_tracker *tracker, uint64_t cycle, int entries)
{
	int16_t *change;
	bool before;

	change = &tracker->change[cycle % VPMU_TRACKER_AHEAD];
	before = *change;
	*change += entries;
	tracker->pending += !!*change - before;
}

/**
 * vpmu_tracker_add() - a request to memory
 * @tracker: of the vCPU
 * @start: cycle in which it starts, not before the latest that was counted
 * @cycles: how long it takes
 * @entries: how many it needs
 * @store: made for a store
 *
 * One that starts further ahead than can be noted is a request without
 * occupancy; a reorder buffer full of misses does not reach that far.
 */
void vpmu_tracker_add(struct vpmu_tracker *tracker, uint64_t start,
		      unsigned int cycles, unsigned int entries, bool store)
{
	tracker->counted.requests += entries;
	if (store)
		tracker->counted.writes += entries;
	if (start + cycles >= tracker->cycle + VPMU_TRACKER_AHEAD)
		return;
	note(tracker, start, entries);
	note(tracker, start + cycles, -(int)entries);
}

/**
 * vpmu_tracker_lookup() - a lookup of the L3
 * @tracker: of the vCPU
 * @line: address
 * @store: or a load
 * @hit: found
 */
void vpmu_tracker_lookup(struct vpmu_tracker *tracker, uint64_t line,
			 bool store, bool hit)
{
	tracker->counted.lookups[line % VPMU_SLICES][store][hit]++;
}

/**
 * vpmu_traffic_add() - add up vCPUs
 * @sum: grows
 * @one: by that
 */
void vpmu_traffic_add(struct vpmu_traffic *sum, const struct vpmu_traffic *one)
{
	const uint64_t *from = (const uint64_t *)one;
	uint64_t *to = (uint64_t *)sum;
	unsigned int i;

	for (i = 0; i < sizeof(*one) / sizeof(*from); i++)
		to[i] += from[i];
}

/**
 * vpmu_traffic_clock() - all cycles
 * @traffic: in which
 */
uint64_t vpmu_traffic_clock(const struct vpmu_traffic *traffic)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 0; k <= VPMU_TRACKER_ENTRIES; k++)
		sum += traffic->cycles_with[k];
	return sum;
}
