// SPDX-License-Identifier: GPL-2.0
/*
 * AMD Zen 2 and Zen 4: registers from Linux' msr-index.h, events from AMD's
 * Processor Programming References, as in Linux' perf event files of the parts.
 */
#include "events.h"

#define EVENT_HIGH 0xf00000000ull
#define GUEST_HOST 0x30000000000ull
/* bits 19 and 21 mean nothing */
#define SELECT_LEGAL (0xffd7ffffull | EVENT_HIGH | GUEST_HOST)

static uint64_t exact_event(const struct vpmu_snapshot *now, unsigned int ring,
			    unsigned int event, unsigned int umask)
{
	const uint64_t loads = now->exact[VPMU_LOADS][ring];
	const uint64_t stores = now->exact[VPMU_STORES][ring];

	switch (event) {
	case 0x29:
		return (umask & 1 ? loads : 0) + (umask & 2 ? stores : 0);
	case 0x40:
		return loads + stores;
	case 0xc0:
		return now->exact[VPMU_INSTRUCTIONS][ring];
	case 0xc2:
		return vpmu_branches(now, ring);
	case 0xc6:
		return now->exact[VPMU_BR_FAR][ring];
	case 0xc8:
		return now->exact[VPMU_BR_RETURN][ring];
	case 0xd1:
		return now->exact[VPMU_BR_CONDITIONAL][ring];
	default:
		return 0;
	}
}

/* slots by what they were lost to exist from Zen 4 on */
static uint64_t lost_slots(const struct vpmu_ring_counts *counts,
			   unsigned int umask, uint64_t select)
{
	if (vpmu_options.part != &vpmu_zen4)
		return 0;
	if (umask == 0x01)
		return vpmu_per_cycle(counts, VPMU_BUBBLES, select);
	return umask == 0x1e ? counts->plain[VPMU_BACKEND_SLOTS] : 0;
}

static uint64_t model_event(const struct vpmu_ring_counts *counts,
			    unsigned int event, unsigned int umask,
			    uint64_t select)
{
	const uint64_t *plain = counts->plain;

	switch (event) {
	case 0x76:
		return plain[VPMU_CYCLES];
	case 0xaa:
		return vpmu_per_cycle(counts, VPMU_ISSUED, select);
	case 0xc1:
		return vpmu_per_cycle(counts, VPMU_RETIRED, select);
	case 0xc3:
		return plain[VPMU_MISPREDICTS];
	case 0x1a0:
		return lost_slots(counts, umask, select);
	default:
		return 0;
	}
}

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	unsigned int event = (select & 0xff) | (select & EVENT_HIGH) >> 24;
	unsigned int umask = select >> 8 & 0xff;

	(void)counter;
	return exact_event(now, ring, event, umask) +
	       model_event(&now->ring[ring], event, umask, select);
}

/* each counter has its own enable bit and nothing else */
const struct vpmu_part vpmu_zen2 = {
	.name = "zen2",
	.perfctr_core = true,
	.nr_gp = 6,
	.width = 48,
	.stride = 2,
	.select = 0xc0010200,
	.counter = 0xc0010201,
	.old_select = 0xc0010000,
	.old_counter = 0xc0010004,
	.select_reserved = ~SELECT_LEGAL,
	.params = {
		.width = 6, .rob = 224, .stores = 48, .fills = 22, .l1 = 4,
		.l2 = 12, .l3 = 39, .memory = 250, .walk = 24,
		.wrong_path = 8, .recovery = 4, .resteer = 3, .serialise = 20,
	},
	.count = count,
};

const struct vpmu_part vpmu_zen4 = {
	.name = "zen4",
	.amd_version = 2,
	.perfctr_core = true,
	.nr_gp = 6,
	.width = 48,
	.stride = 2,
	.select = 0xc0010200,
	.counter = 0xc0010201,
	.old_select = 0xc0010000,
	.old_counter = 0xc0010004,
	.global_ctrl = 0xc0000301,
	.global_status = 0xc0000300,
	.global_ovf = 0xc0000302,
	.select_reserved = ~SELECT_LEGAL,
	.params = {
		.width = 6, .rob = 320, .stores = 64, .fills = 22, .l1 = 4,
		.l2 = 14, .l3 = 50, .memory = 300, .walk = 24,
		.wrong_path = 8, .recovery = 4, .resteer = 3, .serialise = 20,
	},
	.count = count,
};
