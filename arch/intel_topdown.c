// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* A model number that no CPU of Intel's has, only the virtual PMU of the tests */
static const struct bpmu_cpu_id topdown_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xfe },
	{ 0 }
};

/*
 * The hardware that the Top-Down paper proposes: an Ivy Bridge with the events of the
 * paper's table 1, under its names, and events for CPI stacks.
 */
const struct bpmu_part bpmu_intel_topdown = {
	.name = "topdown",
	.title = "Top-Down paper's proposed counters",
	.pfm = "ix86arch",
	.ids = topdown_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.free = BPMU_FREE_SNB,
	.no_uncore = "the Top-Down paper has none",
};
