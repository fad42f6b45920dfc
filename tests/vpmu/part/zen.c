// SPDX-License-Identifier: GPL-2.0
/*
 * AMD Zen 2 and Zen 4: registers from Linux' msr-index.h, events from AMD's
 * Processor Programming References, as in Linux' perf event files of the parts.
 */
#include "event/events.h"
#include "machine/options.h"
#include "parts.h"

#define EVENT_HIGH 0xf00000000ull
#define EVENT_1XX 0x100000000ull
#define GUEST_HOST 0x30000000000ull
/* bits 19 and 21 are reserved */
#define SELECT_LEGAL (0xffd7ffffull | EVENT_HIGH | GUEST_HOST)

static const struct vpmu_event events[] = {
	{ 0x0129, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0229, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x0329, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0329, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x0729, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0729, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x0040, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0040, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x00c0, VPMU_EXACTLY(VPMU_INSTRUCTIONS) },
	{ 0x00c1, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x00c2, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x00c2, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0x00c2, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x00c2, VPMU_EXACTLY(VPMU_BR_OTHER) },
	{ 0x00c2, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x00c3, VCORE_MISPREDICTS },
	{ 0x00c4, VCORE_NEAR_TAKEN },
	{ 0x00c5, VCORE_MISPREDICTS_NEAR_TAKEN },
	{ 0x00c6, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x00c8, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x00d1, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x00d3, VCORE_DIVIDER_ACTIVE },
	{ 0x00d4, VCORE_DIVIDES },
	{ 0x0076, VCORE_CYCLES },
	{ 0x00aa, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x07aa, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x0164, VCORE_L2_CODE_READS },
	{ 0x0164, VCORE_L2_CODE_HITS | VPMU_LESS },
	{ 0x0864, VCORE_L2_DEMAND_READS },
	{ 0x0864, VCORE_L2_DEMAND_READ_HITS | VPMU_LESS },
	{ 0x0964, VCORE_L2_CODE_READS },
	{ 0x0964, VCORE_L2_CODE_HITS | VPMU_LESS },
	{ 0x0964, VCORE_L2_DEMAND_READS },
	{ 0x0964, VCORE_L2_DEMAND_READ_HITS | VPMU_LESS },
	{ 0x1060, VCORE_L2_CODE_READS },
	{ 0x4060, VCORE_L2_RFOS },
	{ 0x8060, VCORE_L2_DEMAND_READS },
	{ 0xff60, VCORE_L2_CODE_READS },
	{ 0xff60, VCORE_L2_RFOS },
	{ 0xff60, VCORE_L2_DEMAND_READS },
	{ 0x0082, VCORE_L2_CODE_HITS },
	{ 0x0083, VCORE_L2_CODE_READS },
	{ 0x0083, VCORE_L2_CODE_HITS | VPMU_LESS },
	{ 0x0084, VCORE_ITLB_STLB_HIT },
	{ 0xf045, VCORE_DTLB_LOAD_WALKS },
	{ 0xff45, VCORE_DTLB_LOAD_WALKS },
	{ 0xff45, VCORE_DTLB_LOAD_STLB_HIT },
	{ }
};

/* events of lost dispatch slots exist from Zen 4 on */
static const struct vpmu_event lost_slots[] = {
	{ 0x01a0, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x1ea0, VCORE_BACKEND_SLOTS },
	{ }
};

static const struct vpmu_event *const tables[] = { events, NULL };
static const struct vpmu_event *const zen4_tables[] = { lost_slots, NULL };

static const struct vpmu_event *const *zen_events_of(uint64_t select,
						     unsigned int counter)
{
	uint64_t high = select & EVENT_HIGH;

	(void)counter;
	if (!high)
		return tables;
	if (high == EVENT_1XX && vpmu_options.part->amd_version)
		return zen4_tables;
	return vpmu_no_events;
}

#define PERFCTR_CORE \
	.perfctr_core = true, \
	.nr_gp = 6, \
	.width = 48, \
	.stride = 2, \
	.select = 0xc0010200, \
	.counter = 0xc0010201, \
	.old_select = 0xc0010000, \
	.old_counter = 0xc0010004, \
	.select_reserved = ~SELECT_LEGAL, \
	.events = zen_events_of

/* no global control: the bit of the event select enables a counter */
const struct vpmu_part vpmu_zen2 = {
	PERFCTR_CORE,
	.name = "zen2",
	.core = &vcore_zen2,
};

const struct vpmu_part vpmu_zen4 = {
	PERFCTR_CORE,
	.name = "zen4",
	.amd_version = 2,
	.global_ctrl = 0xc0000301,
	.global_status = 0xc0000300,
	.global_ovf = 0xc0000302,
	.core = &vcore_zen4,
};
