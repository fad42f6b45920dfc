// SPDX-License-Identifier: GPL-2.0
#include "events.h"

/* counter mask, invert and edge of a select */
#define EXTRA 0xff840000u
#define INVERT VPMU_BIT(23)
#define CODE 0xffffu
#define KIND 0x7f00
#define INDEX 0xff

/* cycles in which the quantity was at least @least, or below it */
static uint64_t threshold(const struct vcore_counts *counts,
			  const uint64_t *cycles_with, unsigned int most,
			  unsigned int least, bool invert)
{
	uint64_t reached = 0;
	unsigned int k;

	for (k = least; k <= most; k++)
		reached += cycles_with[k];
	return invert ? counts->plain[VCORE_CYCLES] - reached : reached;
}

/* an event that may grow by more than one in a cycle */
static uint64_t per_cycle(const struct vcore_counts *counts,
			  const uint64_t *cycles_with, unsigned int most,
			  uint64_t select)
{
	unsigned int cmask = select >> 24 & 0xff;

	return cmask ? threshold(counts, cycles_with, most, cmask,
				 select & INVERT) :
		       vcore_sum(cycles_with, most);
}

static uint64_t on_ports(const struct vcore_counts *counts, unsigned int mask)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < VCORE_MAX_PORTS; i++)
		if (mask >> i & 1)
			sum += counts->ports[i];
	return sum;
}

static uint64_t quantity(unsigned int what, const struct vpmu_snapshot *now,
			 unsigned int ring, uint64_t select)
{
	const struct vcore_counts *counts = &now->ring[ring];
	unsigned int i = what & INDEX;

	switch (what & KIND) {
	case VPMU_PER_CYCLE(0):
		return per_cycle(counts, counts->cycles_with[i],
				 VCORE_MAX_WIDTH, select);
	case VPMU_OUTSTANDING:
		return per_cycle(counts, counts->outstanding,
				 VCORE_MAX_OUTSTANDING, select);
	case VPMU_STACK(0, 0):
		return counts->stack[i >> 4][i & 0xf];
	case VPMU_PORTS(0):
		return on_ports(counts, i);
	case VPMU_COMPUTED(0):
		return counts->computed[i];
	case VPMU_EXACTLY(0):
		return now->exact[i][ring];
	case VPMU_SLOTS:
		return now->part->core->back.width *
		       counts->plain[VCORE_CYCLES];
	case VPMU_CYCLES_WITH(0, 0):
		return counts->cycles_with[i >> 4][i & 0xf];
	default:
		return counts->plain[i];
	}
}

/* the rows for a select, all of it or its event only */
static uint64_t add_up(const struct vpmu_event *events,
		       const struct vpmu_snapshot *now, unsigned int ring,
		       uint64_t select, uint32_t key, bool *found)
{
	const struct vpmu_event *event;
	uint64_t sum = 0, value;

	for (event = events; event->select || event->what; event++) {
		if (event->select != key)
			continue;
		*found = true;
		value = quantity(event->what, now, ring, select);
		sum += event->what & VPMU_LESS ? -value : value;
	}
	return sum;
}

/**
 * vpmu_events_count() - total of an event in one ring
 * @events: the table, ends with an empty row
 * @now: totals
 * @ring: 0 or 1
 * @select: event select
 *
 * Return: the total, 0 of an event without a row.
 */
uint64_t vpmu_events_count(const struct vpmu_event *events,
			   const struct vpmu_snapshot *now, unsigned int ring,
			   uint64_t select)
{
	uint32_t extra = select & EXTRA;
	bool found = false;
	uint64_t sum = 0;

	if (extra)
		sum = add_up(events, now, ring, select,
			     extra | (select & CODE), &found);
	if (!found)
		sum = add_up(events, now, ring, select, select & CODE, &found);
	return sum;
}
