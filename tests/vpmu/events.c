// SPDX-License-Identifier: GPL-2.0
#include "events.h"

/* cycles in which the quantity was at least @least, or below it */
static uint64_t threshold(const struct vpmu_ring_counts *counts,
			  const uint64_t *cycles_with, unsigned int least,
			  bool invert)
{
	uint64_t reached = 0;
	unsigned int k;

	for (k = least; k <= VPMU_MAX_WIDTH; k++)
		reached += cycles_with[k];
	return invert ? counts->plain[VPMU_CYCLES] - reached : reached;
}

/**
 * vpmu_per_cycle() - an event that may grow by more than one in a cycle
 * @counts: totals of one ring
 * @what: the quantity
 * @select: with counter mask and invert
 */
uint64_t vpmu_per_cycle(const struct vpmu_ring_counts *counts,
			enum vpmu_per_cycle what, uint64_t select)
{
	const uint64_t *cycles_with = counts->cycles_with[what];
	unsigned int cmask = select >> 24 & 0xff;
	uint64_t sum = 0;
	unsigned int k;

	if (cmask)
		return threshold(counts, cycles_with, cmask,
				 select & VPMU_BIT(23));
	for (k = 1; k <= VPMU_MAX_WIDTH; k++)
		sum += k * cycles_with[k];
	return sum;
}

/**
 * vpmu_intel_activity() - CYCLE_ACTIVITY from Skylake on
 * @counts: totals of one ring
 * @select: the counter mask says that all bits of the umask hold
 */
uint64_t vpmu_intel_activity(const struct vpmu_ring_counts *counts,
			     uint64_t select)
{
	const uint64_t *plain = counts->plain;
	unsigned int umask = select >> 8 & 0xff;

	if (umask != (select >> 24 & 0xff))
		return 0;
	switch (umask) {
	case 0x04:
		return plain[VPMU_STALLS_TOTAL];
	case 0x05:
		return plain[VPMU_STALLS_L2];
	case 0x06:
		return plain[VPMU_STALLS_L3];
	case 0x0c:
		return plain[VPMU_STALLS_L1D];
	case 0x14:
		return plain[VPMU_STALLS_MEM];
	default:
		return 0;
	}
}

/**
 * vpmu_intel_loads() - where loads found their data
 * @counts: totals of one ring
 * @code: event and umask
 */
uint64_t vpmu_intel_loads(const struct vpmu_ring_counts *counts,
			  unsigned int code)
{
	const uint64_t *plain = counts->plain;

	switch (code) {
	case CODE(0xd1, 0x01):
		return plain[VPMU_L1D_HIT];
	case CODE(0xd1, 0x02):
		return plain[VPMU_L2_HIT];
	case CODE(0xd1, 0x04):
		return plain[VPMU_L3_HIT];
	case CODE(0xd1, 0x08):
		return plain[VPMU_L2_HIT] + plain[VPMU_L3_HIT] +
		       plain[VPMU_L3_MISS];
	case CODE(0x2e, 0x4f):
	case CODE(0xd1, 0x10):
		return plain[VPMU_L3_HIT] + plain[VPMU_L3_MISS];
	case CODE(0xd1, 0x20):
	case CODE(0x2e, 0x41):
		return plain[VPMU_L3_MISS];
	default:
		return 0;
	}
}

/**
 * vpmu_intel_exact() - instructions by kind
 * @now: totals
 * @ring: 0 or 1
 * @code: event and umask
 */
uint64_t vpmu_intel_exact(const struct vpmu_snapshot *now, unsigned int ring,
			  unsigned int code)
{
	switch (code) {
	case CODE(0xc0, 0x00):
	case CODE(0xc0, 0x01):
		return now->exact[VPMU_INSTRUCTIONS][ring];
	case CODE(0xc4, 0x00):
		return vpmu_branches(now, ring);
	case CODE(0xc4, 0x01):
	case CODE(0xc4, 0x11):
		return now->exact[VPMU_BR_CONDITIONAL][ring];
	case CODE(0xc4, 0x02):
		return now->exact[VPMU_BR_CALL][ring];
	case CODE(0xc4, 0x08):
		return now->exact[VPMU_BR_RETURN][ring];
	case CODE(0xc4, 0x40):
		return now->exact[VPMU_BR_FAR][ring];
	case CODE(0xd0, 0x81):
		return now->exact[VPMU_LOADS][ring];
	case CODE(0xd0, 0x82):
		return now->exact[VPMU_STORES][ring];
	default:
		return 0;
	}
}
