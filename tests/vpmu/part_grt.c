// SPDX-License-Identifier: GPL-2.0
/*
 * Gracemont, Alder Lake's efficient core: registers (SDM Vol. 4, tables 2-2 and
 * 2-46) and events (codes from Intel's published event file of the part).
 */
#include "events.h"

/* TOPDOWN_*.ALL: the fields of PERF_METRICS as events */
static uint64_t topdown(const struct vpmu_ring_counts *counts,
			unsigned int event)
{
	switch (event) {
	case 0x71:
		return vpmu_per_cycle(counts, VPMU_BUBBLES, 0);
	case 0x73:
		return counts->plain[VPMU_BAD_SLOTS];
	case 0x74:
		return counts->plain[VPMU_BACKEND_SLOTS];
	default:
		return 0;
	}
}

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	const struct vpmu_ring_counts *counts = &now->ring[ring];
	unsigned int code = select & 0xffff;

	(void)counter;
	switch (code) {
	case CODE(0x3c, 0x00):
	case CODE(0x3c, 0x01):
		return counts->plain[VPMU_CYCLES];
	case CODE(0xc2, 0x00):
		return vpmu_per_cycle(counts, VPMU_RETIRED, 0);
	case CODE(0xc5, 0x00):
		return counts->plain[VPMU_MISPREDICTS];
	case CODE(0x2e, 0x41):
	case CODE(0x2e, 0x4f):
		return vpmu_intel_loads(counts, code);
	default:
		return topdown(counts, code) +
		       vpmu_intel_exact(now, ring, code);
	}
}

const struct vpmu_part vpmu_adl_e = {
	.name = "adl_e",
	.version = 5,
	.arch_events = 8,
	.core = 0x20,
	.nr_gp = 6,
	.nr_fixed = 3,
	.width = 48,
	.fixed_width = 48,
	.stride = 1,
	.select = 0x186,
	.counter = 0xc1,
	.counter_full = 0x4c1,
	.fixed = 0x309,
	.fixed_ctrl = 0x38d,
	.fixed_reserved = 0x444,
	.global_ctrl = 0x38f,
	.global_status = 0x38e,
	.global_ovf = 0x390,
	.global_set = 0x391,
	.global_inuse = 0x392,
	.capabilities = 0x345,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffdfffffull,
	.params = {
		.width = 5, .rob = 256, .stores = 50, .fills = 16, .l1 = 3,
		.l2 = 17, .l3 = 70, .memory = 300, .walk = 20,
		.wrong_path = 8, .recovery = 4, .resteer = 3, .serialise = 20,
	},
	.count = count,
};
