/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The architectural events (SDM Vol. 3, table 19-1) and the events of PMU version 2's fixed
 * counters (table 19-2), under the names that they have on most parts. Any general-purpose counter
 * can count any architectural event; CPUID tells how many such counters there are.
 */
#include "arch.h"

#define INTEL_ARCH_ANY (BPMU_FIXED_BIT(0) - 1)

static const struct bpmu_event intel_arch_events[] = {
	{ "BR_INST_RETIRED.ALL_BRANCHES",
	  "Branches completed, all types",
	  0x00c4, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "BR_MISP_RETIRED.ALL_BRANCHES",
	  "Completed branches that had been predicted wrongly",
	  0x00c5, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "CPU_CLK_UNHALTED.REF",
	  "Cycles at a fixed rate, not that of the core, in which the thread was not halted",
	  0x013c, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "CPU_CLK_UNHALTED.REF_TSC",
	  "Cycles at the rate of the time stamp counter in which the thread was not halted",
	  0, BPMU_FIXED_BIT(2), BPMU_FIXED_BIT(2), NULL },
	{ "CPU_CLK_UNHALTED.THREAD",
	  "Core cycles in which the thread was not halted",
	  0, BPMU_FIXED_BIT(1), BPMU_FIXED_BIT(1), NULL },
	{ "CPU_CLK_UNHALTED.THREAD_P",
	  "Core cycles in which the thread was not halted, on a general counter",
	  0x003c, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "INST_RETIRED.ANY",
	  "Instructions completed",
	  0, BPMU_FIXED_BIT(0), BPMU_FIXED_BIT(0), NULL },
	{ "INST_RETIRED.ANY_P",
	  "Instructions completed, on a general counter",
	  0x00c0, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "LONGEST_LAT_CACHE.MISS",
	  "Core requests that missed the last cache",
	  0x412e, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
	{ "LONGEST_LAT_CACHE.REFERENCE",
	  "Core requests to the last cache",
	  0x4f2e, INTEL_ARCH_ANY, INTEL_ARCH_ANY, NULL },
};
