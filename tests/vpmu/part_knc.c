// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner: two 40-bit counters per hardware thread. Register numbers
 * from Linux' msr-index.h, codes from libpfm4 and Linux' knc.c.
 */
#include "vpmu.h"

#define EVENT_MASK 0xffff

static uint64_t l1_misses(const uint64_t *plain)
{
	return plain[VPMU_L2_HIT] + plain[VPMU_L3_HIT] + plain[VPMU_L3_MISS];
}

/* cycles in which the thread's instruction was in the execution stage */
static uint64_t exec_stage(const struct vpmu_ring_counts *counts)
{
	return counts->cycles_with[VPMU_ISSUED][1] +
	       counts->cycles_with[VPMU_ISSUED][2];
}

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	const uint64_t *plain = now->ring[ring].plain;
	uint64_t loads = now->exact[VPMU_LOADS][ring];
	uint64_t stores = now->exact[VPMU_STORES][ring];
	unsigned int code = select & EVENT_MASK;

	/* the L2's events are on counter 0 only, but for two */
	if ((code >> 8) == 0x10 && counter && code != 0x10f0 && code != 0x10f5)
		return 0;
	switch (code) {
	case 0x0000:
		return loads;
	case 0x0001:
		return stores;
	case 0x0002:
		return plain[VPMU_TLB_MISS];
	case 0x0003:
		return l1_misses(plain);
	case 0x0004:
		return plain[VPMU_L1D_MISS_STORE];
	case 0x000e:
		return plain[VPMU_L1I_MISS];
	case 0x0012:
		return vpmu_branches(now, ring);
	case 0x0016:
		return now->exact[VPMU_INSTRUCTIONS][ring];
	case 0x0028:
		return loads + stores;
	case 0x0029:
		return l1_misses(plain) + plain[VPMU_L1D_MISS_STORE];
	case 0x002a:
		return plain[VPMU_CYCLES];
	case 0x002b:
		return plain[VPMU_MISPREDICTS];
	case 0x002e:
		return exec_stage(&now->ring[ring]);
	case 0x10cb:
	case 0x10f6:
		return plain[VPMU_L3_HIT] + plain[VPMU_L3_MISS];
	default:
		return 0;
	}
}

/* remote caches and memory cost a core 250 cycles or more */
const struct vpmu_part vpmu_knc = {
	.name = "knc",
	.nr_gp = 2,
	.width = 40,
	.stride = 1,
	.select = 0x28,
	.counter = 0x20,
	.global_ctrl = 0x2f,
	.global_status = 0x2d,
	.global_ovf = 0x2e,
	.select_reserved = ~0xffffffffull,
	.params = {
		.width = 2, .rob = 4, .stores = 36, .fills = 10, .rest = 1,
		.l1 = 1, .l2 = 21, .l3 = 250, .memory = 270, .walk = 25,
		.wrong_path = 1, .recovery = 2, .resteer = 2, .serialise = 10,
	},
	.count = count,
};
