// SPDX-License-Identifier: GPL-2.0
/*
 * AMD Zen 2, Zen 4 and Zen 5: registers from Linux' msr-index.h, events from AMD's Processor
 * Programming References, as in Linux' perf event files of the parts. AMD's CPUs before Bulldozer
 * have the same registers as Jaguar.
 */
#include "event/events.h"
#include "parts.h"

#define EVENT_HIGH 0xf00000000ull
#define EVENT_1XX 0x100000000ull
#define GUEST_HOST 0x30000000000ull
/* legal bits of a core event select of AMD's; bits 19 and 21 are reserved */
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

/*
 * Events of AMD's Top-Down metrics, from Zen 4 on: dispatch slots without a uop, by the cause of
 * the loss, and retired microcode uops. During the recovery from a misprediction the front end
 * supplies no uops: these slots count as lost by the front end.
 */
static const struct vpmu_event slots[] = {
	{ 0x01a0, VPMU_PER_CYCLE(VCORE_UNSUPPLIED) },
	{ 0x1ea0, VCORE_BACKEND_SLOTS },
	{ 0x60a0, VCORE_CONTENDED_SLOTS },
	{ 0x00c2, VCORE_RETIRED_MS_SLOTS },
	{ }
};

static const struct vpmu_event waits[] = {
	{ 0x02d6, VCORE_NO_RETIRE_WAITS },
	{ 0xa2d6, VCORE_NO_RETIRE_LOAD },
	{ }
};

/*
 * Zen 4's event that counts restarts of the pipeline, without those that mispredictions cause. On
 * Zen 5 the code of this event is 19FH.
 */
static const struct vpmu_event zen4_restarts[] = {
	{ 0x0096, VCORE_CLEARS },
	{ }
};

static const struct vpmu_event zen5_restarts[] = {
	{ 0x019f, VCORE_CLEARS },
	{ 0x029f, VCORE_MISPREDICTS },
	{ }
};

static const struct vpmu_event *const zen2_tables[] = { events, NULL };
static const struct vpmu_event *const zen4_tables[] = { events, waits, zen4_restarts, NULL };
static const struct vpmu_event *const zen5_tables[] = { events, waits, zen5_restarts, NULL };
static const struct vpmu_event *const slots_tables[] = { slots, NULL };

/*
 * Returns the event tables for an event select. Event codes have 12 bits: @low is for codes 0xxH,
 * @high for codes 1xxH. There are no tables for other codes.
 */
static const struct vpmu_event *const *events_in(uint64_t select,
						 const struct vpmu_event *const *low,
						 const struct vpmu_event *const *high)
{
	uint64_t code = select & EVENT_HIGH;

	if (!code)
		return low;
	return code == EVENT_1XX ? high : vpmu_no_events;
}

static const struct vpmu_event *const *zen2_events_of(uint64_t select, unsigned int counter)
{
	(void)counter;
	return events_in(select, zen2_tables, vpmu_no_events);
}

static const struct vpmu_event *const *zen4_events_of(uint64_t select, unsigned int counter)
{
	(void)counter;
	return events_in(select, zen4_tables, slots_tables);
}

static const struct vpmu_event *const *zen5_events_of(uint64_t select, unsigned int counter)
{
	(void)counter;
	return events_in(select, zen5_tables, slots_tables);
}

/* What IBS can do from Zen 2 on */
#define IBS (VPMU_IBS_FLAGS | VPMU_IBS_FETCHES | VPMU_IBS_OPS | VPMU_IBS_READ_WRITE | \
	     VPMU_IBS_COUNT_OPS | VPMU_IBS_TARGET | VPMU_IBS_LONG | VPMU_IBS_RIP_CHECK | VPMU_IBS_FUSED | \
	     VPMU_IBS_REFILL)

#define PERFCTR_CORE \
	.perfctr_core = true, \
	.perfctr_shared = true, \
	.nr_gp = 6, \
	.width = 48, \
	.stride = 2, \
	.select = 0xc0010200, \
	.counter = 0xc0010201, \
	.old_select = 0xc0010000, \
	.old_counter = 0xc0010004, \
	.select_reserved = ~SELECT_LEGAL

#define PERFMON_V2 \
	PERFCTR_CORE, \
	.amd_version = 2, \
	.global_ctrl = 0xc0000301, \
	.global_status = 0xc0000300, \
	.global_ovf = 0xc0000302

/*
 * Jaguar, also used for K10: four counters, with the legacy MSRs only; event codes are Zen's. The
 * L2 has counters only with the option complex=, the northbridge only with the option fabric=. No
 * test uses these options with K10.
 */
const struct vpmu_part vpmu_jaguar = {
	.name = "jaguar",
	.perfctr_shared = true,
	.nr_gp = 4,
	.width = 48,
	.stride = 1,
	.select = 0xc0010000,
	.counter = 0xc0010004,
	.select_reserved = ~SELECT_LEGAL,
	.core = &vcore_zen2,
	.events = zen2_events_of,
};

/*
 * Zen 2. There is no global control register: the enable bit of an event select starts the counter.
 */
const struct vpmu_part vpmu_zen2 = {
	PERFCTR_CORE,
	.name = "zen2",
	.ibs = IBS,
	.core = &vcore_zen2,
	.events = zen2_events_of,
};

const struct vpmu_part vpmu_zen4 = {
	PERFMON_V2,
	.name = "zen4",
	.ibs = IBS | VPMU_IBS_ZEN4,
	.core = &vcore_zen4,
	.events = zen4_events_of,
};

const struct vpmu_part vpmu_zen5 = {
	PERFMON_V2,
	.name = "zen5",
	.ibs = IBS | VPMU_IBS_ZEN4 | VPMU_IBS_LATENCY,
	.core = &vcore_zen5,
	.events = zen5_events_of,
};
