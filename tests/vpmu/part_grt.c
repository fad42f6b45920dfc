// SPDX-License-Identifier: GPL-2.0
/*
 * Gracemont, Alder Lake's efficient core: registers (SDM Vol. 4, tables 2-2 and
 * 2-46) and events (codes from Intel's published event file of the part).
 */
#include "events.h"

/* TOPDOWN_*.ALL: the fields of PERF_METRICS as events */
static const struct vpmu_event events[] = {
	{ 0x00c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x0071, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x0073, VCORE_WRONG_SLOTS },
	{ 0x0073, VCORE_RECOVERY_SLOTS },
	{ 0x0074, VCORE_BACKEND_SLOTS },
	{ }
};

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	(void)counter;
	return vpmu_events_count(events, now, ring, select) +
	       vpmu_events_count(vpmu_intel_events, now, ring, select);
}

/* the timing is that of the other kind of cores */
const struct vpmu_part vpmu_adl_e = {
	.name = "adl_e",
	.version = 5,
	.arch_events = 8,
	.kind = 0x20,
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
	.core = &vcore_spr,
	.count = count,
};
