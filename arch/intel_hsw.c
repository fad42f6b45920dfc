// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Haswell clients: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id hsw_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3c },
	{ BPMU_VENDOR_INTEL, 6, 0x45 },
	{ BPMU_VENDOR_INTEL, 6, 0x46 },
	{ 0 }
};

/*
 * Haswell has PMU version 3 (SDM Vol. 3, 19.3.4). CPUID enumerates four general-purpose counters
 * with hyper-threading on, eight with hyper-threading off.
 */
const struct bpmu_part bpmu_intel_hsw = {
	.name = "hsw",
	.title = "Intel Haswell",
	.pfm = "hsw",
	.ids = hsw_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_jkt_extras,
	.data_source = BPMU_DATA_SOURCE_HSW,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SMT_LEAK,
	.lbr = 16,
	.uncore = &bpmu_intel_snb_uncore,
	.free = BPMU_FREE_HSW | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_hsw_mchbar,
};

static const struct bpmu_cpu_id hsx_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3f },
	{ 0 }
};

const struct bpmu_part bpmu_intel_hsx = {
	.name = "hsx",
	.title = "Intel Haswell (server)",
	.pfm = "hsw_ep",
	.ids = hsx_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_jkt_extras,
	.data_source = BPMU_DATA_SOURCE_HSW,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SMT_LEAK | BPMU_QUIRK_DRAM_UNIT,
	.lbr = 16,
	.uncore = &bpmu_intel_hsx_uncore,
	.free = BPMU_FREE_HSX,
};
