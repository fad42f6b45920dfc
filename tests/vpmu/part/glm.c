// SPDX-License-Identifier: GPL-2.0
/*
 * Goldmont and Silvermont: registers (SDM Vol. 4, tables 2-2, 2-6 and 2-12; legal bits of the
 * off-core registers: Linux, core.c, intel_glm_extra_regs, intel_slm_extra_regs) and events (codes
 * from Intel's published event files of the parts). The simulated cores of both parts have the
 * sizes and latencies of Gracemont; like.c sets their number of slots per cycle.
 */
#include "event/events.h"
#include "intel.h"
#include "parts.h"

/* events that Goldmont and Silvermont both have */
static const struct vpmu_event common[] = {
	{ 0x01c2, VCORE_RETIRED_MS_SLOTS },
	{ 0x7ec4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0xf9c4, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0xf7c4, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0xbfc4, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x80c4, VCORE_NEAR_TAKEN },
	{ 0x01e6, VCORE_BACLEARS },
	{ 0x0280, VCORE_ICACHE_MISSES },
	{ 0x01b7, VPMU_PASSED(VPMU_OFFCORE_0) },
	{ 0x02b7, VPMU_PASSED(VPMU_OFFCORE_1) },
	{ }
};

static const struct vpmu_event glm_events[] = {
	{ 0x000e, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x009c, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x00c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x00c3, VCORE_CLEARS },
	{ 0x01ca, VCORE_BACKEND_SLOTS },
	{ 0x02ca, VCORE_RECOVERY_SLOTS },
	{ 0x00cd, VCORE_DIVIDER_ACTIVE },
	{ }
};

/*
 * Events of Silvermont and of Knights Landing. Event CAH is NO_ALLOC_CYCLES. With the umask
 * NOT_DELIVERED it counts cycles in which the front end supplies a uop for neither of the two
 * slots. With the umask MISPREDICTS it counts cycles of recovery from mispredictions. NOT_DELIVERED
 * is umask 50H on Silvermont, 90H on Knights Landing.
 */
static const struct vpmu_event slm_events[] = {
	{ 0x4004, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x8004, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x10c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x08c3, VCORE_CLEARS },
	{ 0x50ca, VPMU_CYCLES_WITH(VCORE_BUBBLES, 2) },
	{ 0x90ca, VPMU_CYCLES_WITH(VCORE_BUBBLES, 2) },
	{ 0x04ca, VCORE_RECOVERY_CYCLES },
	{ 0x01cd, VCORE_DIVIDER_ACTIVE },
	{ }
};

static const struct vpmu_event *const glm_tables[] = {
	glm_events, common, vpmu_intel_events, NULL
};

static const struct vpmu_event *const slm_tables[] = {
	slm_events, common, vpmu_intel_events, NULL
};

static const struct vpmu_event *const *glm_events_of(uint64_t select, unsigned int counter)
{
	(void)select;
	(void)counter;
	return glm_tables;
}

static const struct vpmu_event *const *slm_events_of(uint64_t select, unsigned int counter)
{
	(void)select;
	(void)counter;
	return slm_tables;
}

const struct vpmu_part vpmu_glm = {
	.name = "glm",
	.version = 4,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_fixed = 3,
	VPMU_INTEL_V4,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_grt,
	.prefetch = 0x5,
	.extra = { 0x760005ffbf, 0x360005ffbf },
	.events = glm_events_of,
};

const struct vpmu_part vpmu_slm = {
	.name = "slm",
	.version = 3,
	.arch_events = 7,
	.nr_gp = 2,
	.nr_fixed = 3,
	VPMU_INTEL_V3,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_grt,
	.prefetch = 0x5,
	.extra = { 0x768005ffff, 0x368005ffff },
	.events = slm_events_of,
};
