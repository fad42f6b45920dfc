// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Broadwell clients: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id bdw_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3d },
	{ BPMU_VENDOR_INTEL, 6, 0x47 },
	{ 0 }
};

/*
 * Broadwell has PMU version 3 (SDM Vol. 3, 19.3.4). CPUID enumerates four general-purpose counters
 * with hyper-threading on, eight with hyper-threading off.
 */
const struct bpmu_part bpmu_intel_bdw = {
	.name = "bdw",
	.title = "Intel Broadwell",
	.pfm = "bdw",
	.ids = bdw_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_jkt_extras,
	.data_source = BPMU_DATA_SOURCE_HSW,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_NEEDS_OS | BPMU_QUIRK_PERIOD_64,
	.lbr = 16,
	.uncore = &bpmu_intel_snb_uncore,
	.free = BPMU_FREE_HSW | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_bdw_mchbar,
};

static const struct bpmu_cpu_id bdx_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x4f },
	{ BPMU_VENDOR_INTEL, 6, 0x56 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_bdx = {
	.name = "bdx",
	.title = "Intel Broadwell (server)",
	.pfm = "bdw_ep",
	.ids = bdx_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_jkt_extras,
	.data_source = BPMU_DATA_SOURCE_HSW,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_NEEDS_OS | BPMU_QUIRK_DRAM_UNIT | BPMU_QUIRK_PERIOD_64,
	.lbr = 16,
	.uncore = &bpmu_intel_bdx_uncore,
	.free = BPMU_FREE_HSX,
};
