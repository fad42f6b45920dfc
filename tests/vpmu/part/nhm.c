// SPDX-License-Identifier: GPL-2.0
/*
 * Nehalem and Westmere: registers (SDM Vol. 4, tables 2-2 and 2-15) and events (codes from Intel's
 * published event files of the parts). Counters have no full-width MSRs. The threads of a core
 * share the off-core registers: in Linux' core.c these parts lack PMU_FL_NO_HT_SHARING. The
 * simulated core has the sizes and latencies of Ivy Bridge.
 */
#include "event/events.h"
#include "intel.h"
#include "parts.h"

static const struct vpmu_event events[] = {
	{ 0x010b, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x020b, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x100b, VCORE_SLOW_LOADS },
	{ 0x01cb, VCORE_L1_HIT },
	{ 0x04c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x04c4, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0x04c4, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x04c4, VPMU_EXACTLY(VPMU_BR_OTHER) },
	{ 0x04c4, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x04c5, VCORE_MISPREDICTS },
	{ 0x01b7, VPMU_PASSED(VPMU_OFFCORE_0) },
	{ 0x01bb, VPMU_PASSED(VPMU_OFFCORE_1) },
	{ 0x7f89, VCORE_MISPREDICTS },
	{ }
};

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, NULL
};

static const struct vpmu_event *const *nhm_events_of(uint64_t select, unsigned int counter)
{
	(void)select;
	(void)counter;
	return tables;
}

const struct vpmu_part vpmu_nhm = {
	.name = "nhm",
	.version = 3,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_fixed = 3,
	VPMU_INTEL_V3,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_ivb,
	.prefetch = 0xf,
	.extra = { 0xffff },
	.extra_shared = true,
	.events = nhm_events_of,
};
