// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU that the Top-Down paper proposes: an Ivy Bridge core with the events of the
 * paper's table 1, and with CPI stacks. The event codes are this project's own
 * (arch/intel_topdown_events.h).
 */
#include "intel.h"
#include "parts.h"

#define STACK(code, stage) \
	{ 0x0000 | (code), VPMU_STACK(stage, VCORE_BASE) }, \
	{ 0x0100 | (code), VPMU_STACK(stage, VCORE_ICACHE) }, \
	{ 0x0200 | (code), VPMU_STACK(stage, VCORE_BPRED) }, \
	{ 0x0300 | (code), VPMU_STACK(stage, VCORE_DCACHE) }, \
	{ 0x0400 | (code), VPMU_STACK(stage, VCORE_ALU_LATENCY) }, \
	{ 0x0500 | (code), VPMU_STACK(stage, VCORE_DEPEND) }, \
	{ 0x0600 | (code), VPMU_STACK(stage, VCORE_OTHER) }, \
	{ 0x1000 | (code), VPMU_STACK_PART(stage, VCORE_PART_CODE_L2) }, \
	{ 0x1100 | (code), VPMU_STACK_PART(stage, VCORE_PART_CODE_L3) }, \
	{ 0x1200 | (code), VPMU_STACK_PART(stage, VCORE_PART_CODE_MEMORY) }, \
	{ 0x1300 | (code), VPMU_STACK_PART(stage, VCORE_PART_ITLB) }, \
	{ 0x1400 | (code), VPMU_STACK_PART(stage, VCORE_PART_MISS_HIT) }, \
	{ 0x1500 | (code), VPMU_STACK_PART(stage, VCORE_PART_DTLB) }, \
	{ 0x1600 | (code), VPMU_STACK_PART(stage, VCORE_PART_L2) }, \
	{ 0x1700 | (code), VPMU_STACK_PART(stage, VCORE_PART_L3) }, \
	{ 0x1800 | (code), VPMU_STACK_PART(stage, VCORE_PART_MEMORY) }, \
	{ 0x1900 | (code), VPMU_STACK_PART(stage, VCORE_PART_FILLS) }, \
	{ 0x1a00 | (code), VPMU_STACK_PART(stage, VCORE_PART_STORES) }, \
	{ 0x1b00 | (code), VPMU_STACK_PART(stage, VCORE_PART_ALU) }, \
	{ 0x1c00 | (code), VPMU_STACK_PART(stage, VCORE_PART_ALU_FIRST) }, \
	{ 0x1d00 | (code), VPMU_STACK_PART(stage, VCORE_PART_L1_HIT) }, \
	{ 0x1e00 | (code), VPMU_STACK_PART(stage, VCORE_PART_BLOCKED) }, \
	{ 0x1f00 | (code), VPMU_STACK_PART(stage, VCORE_PART_PORTS) }, \
	{ 0x2000 | (code), VPMU_STACK_PART(stage, VCORE_PART_STORE_BUFFER) }, \
	{ 0x2100 | (code), VPMU_STACK_PART(stage, VCORE_PART_CLEARS) }, \
	{ 0x2200 | (code), VPMU_STACK_PART(stage, VCORE_PART_DECODE) }, \
	{ 0x2300 | (code), VPMU_STACK_PART(stage, VCORE_PART_ORDER) }

static const struct vpmu_event events[] = {
	{ 0x01e0, VPMU_SLOTS },
	{ 0x02e0, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x04e0, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x08e0, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x10e0, VCORE_RECOVERY_SLOTS },
	{ 0x20e0, VCORE_MISPREDICTS },
	{ 0x40e0, VCORE_CLEARS },
	{ 0x80e0, VCORE_RETIRED_MS_SLOTS },
	{ 0x01e1, VPMU_PER_CYCLE(VCORE_EXECUTED) },
	{ 0x01e2, VCORE_NO_EXECUTE_LOAD },
	{ 0x02e2, VCORE_NO_EXECUTE_L1 },
	{ 0x04e2, VCORE_NO_EXECUTE_L2 },
	{ 0x08e2, VCORE_NO_EXECUTE_L3 },
	{ 0x10e2, VCORE_FEW_EXECUTE_STORES },
	{ 0x01e3, VPMU_OUTSTANDING },
	STACK(0xf0, VCORE_DISPATCH),
	STACK(0xf1, VCORE_ISSUE),
	STACK(0xf2, VCORE_COMMIT),
	{ }
};

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, NULL
};

static const struct vpmu_event *const *topdown_events_of(uint64_t select,
							 unsigned int counter)
{
	(void)select;
	(void)counter;
	return tables;
}

const struct vpmu_part vpmu_topdown = {
	.name = "topdown",
	.version = 3,
	.arch_events = 7,
	.nr_gp = 8,
	.nr_fixed = 3,
	VPMU_INTEL_V3,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_ivb,
	.events = topdown_events_of,
};
