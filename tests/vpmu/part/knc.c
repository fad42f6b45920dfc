// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner: two 40-bit counters per hardware thread. Register numbers
 * from Linux' msr-index.h, codes from libpfm4 and Linux' knc.c.
 */
#include "event/events.h"
#include "parts.h"

#define EVENT_MASK 0xffff

static const struct vpmu_event events[] = {
	{ 0x0000, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0001, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x0028, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x0028, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x0002, VCORE_PAGE_WALK },
	{ 0x003a, VCORE_LONG_PAGE_WALK },
	{ 0x0003, VCORE_DATA_READ_MISS },
	{ 0x0004, VCORE_DATA_WRITE_MISS },
	{ 0x0029, VCORE_DATA_READ_MISS },
	{ 0x0029, VCORE_DATA_WRITE_MISS },
	{ 0x000d, VCORE_ITLB_WALKS },
	{ 0x000e, VCORE_ICACHE_MISSES },
	{ 0x0012, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x0012, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0x0012, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x0012, VPMU_EXACTLY(VPMU_BR_OTHER) },
	{ 0x0012, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x0016, VPMU_EXACTLY(VPMU_INSTRUCTIONS) },
	{ 0x0020, VCORE_L1_HIT_INFLIGHT },
	{ 0x002a, VCORE_CORE_CYCLES },
	{ 0x002b, VCORE_MISPREDICTS },
	{ 0x002e, VCORE_EXEC_STAGE_CYCLES },
	{ 0x2016, VCORE_VPU_INSTRUCTIONS },
	{ 0x2018, VCORE_VPU_ELEMENTS },
	{ 0x10c4, VCORE_HWP_L2MISS },
	{ 0x10cb, VCORE_L2_READ_CACHE_FILL },
	{ 0x10cb, VCORE_L2_READ_MEM_FILL },
	{ 0x10f1, VCORE_L2_READ_CACHE_FILL },
	{ 0x10f2, VCORE_L2_WRITE_CACHE_FILL },
	{ 0x10f6, VCORE_L2_READ_MEM_FILL },
	{ 0x10f7, VCORE_L2_WRITE_MEM_FILL },
	{ 0x10d7, VCORE_L2_VICTIM },
	{ 0x10e7, VCORE_SNP_HITM },
	{ }
};

static const struct vpmu_event *const tables[] = { events, NULL };

/*
 * Returns the event tables for an event select of a counter. Counter 0 counts all events. Of the L2
 * events (codes 10H) counter 1 counts only two. For the other L2 events on counter 1 the returned
 * array has no table.
 */
static const struct vpmu_event *const *knc_events_of(uint64_t select,
						     unsigned int counter)
{
	unsigned int code = select & EVENT_MASK;
	bool of_l2 = (code >> 8) == 0x10 && code != 0x10f0 && code != 0x10f5;

	return of_l2 && counter ? vpmu_no_events : tables;
}

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
	.core = &vcore_knc,
	.events = knc_events_of,
};
