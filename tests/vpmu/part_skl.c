// SPDX-License-Identifier: GPL-2.0
/*
 * Skylake, client: registers (SDM Vol. 4, tables 2-2 and 2-39) and events
 * (codes from Intel's published event file of the part).
 */
#include "events.h"

/* events of loads and of the front end's place exist on four counters only */
static bool wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (counter >= 4 && (code == CODE(0xa3, 0x14) || event == 0xc6 ||
			     event == 0xcd ||
			     (event >= 0xd0 && event <= 0xd3)))
		return true;
	return code == CODE(0xc0, 0x01) && counter != 1;
}

static uint64_t plain_event(const struct vpmu_ring_counts *counts,
			    unsigned int code)
{
	const uint64_t *plain = counts->plain;

	switch (code) {
	case CODE(0x3c, 0x00):
	case CODE(0x3c, 0x01):
		return plain[VPMU_CYCLES];
	case CODE(0x0d, 0x01):
		return plain[VPMU_RECOVERY_CYCLES];
	case CODE(0xc5, 0x00):
		return plain[VPMU_MISPREDICTS];
	case CODE(0x5e, 0x01):
		return plain[VPMU_RS_EMPTY];
	case CODE(0xa2, 0x08):
	case CODE(0xa6, 0x40):
		return plain[VPMU_STALLS_SB];
	case CODE(0x79, 0x30):
		return plain[VPMU_MS_UOPS];
	default:
		return vpmu_intel_loads(counts, code);
	}
}

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	const struct vpmu_ring_counts *counts = &now->ring[ring];
	unsigned int code = select & 0xffff;

	if (wrong_counter(code, counter))
		return 0;
	switch (code) {
	case CODE(0x9c, 0x01):
		return vpmu_per_cycle(counts, VPMU_BUBBLES, select);
	case CODE(0x0e, 0x01):
	case CODE(0xb1, 0x01):
	case CODE(0xb1, 0x02):
		return vpmu_per_cycle(counts, VPMU_ISSUED, select);
	case CODE(0xc2, 0x02):
		return vpmu_per_cycle(counts, VPMU_RETIRED, select);
	}
	if ((code & 0xff) == 0xa3)
		return vpmu_intel_activity(counts, select);
	return plain_event(counts, code) + vpmu_intel_exact(now, ring, code);
}

static const struct vpmu_uncore_part uncore = {
	.global_ctrl = 0xe01,
	.max_boxes = 7,
	.box_counters = 4,
};

const struct vpmu_part vpmu_skl = {
	.name = "skl",
	.version = 4,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_gp_alone = 8,
	.nr_fixed = 3,
	.width = 48,
	.fixed_width = 48,
	.stride = 1,
	.select = 0x186,
	.counter = 0xc1,
	.counter_full = 0x4c1,
	.fixed = 0x309,
	.fixed_ctrl = 0x38d,
	.global_ctrl = 0x38f,
	.global_status = 0x38e,
	.global_ovf = 0x390,
	.global_set = 0x391,
	.global_inuse = 0x392,
	.capabilities = 0x345,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffffffffull,
	.prefetch = 0xf,
	.params = {
		.width = 4, .rob = 224, .stores = 56, .fills = 12, .l1 = 4,
		.l2 = 12, .l3 = 40, .memory = 220, .walk = 20,
		.wrong_path = 7, .recovery = 4, .resteer = 3, .serialise = 20,
	},
	.uncore = &uncore,
	.count = count,
};
