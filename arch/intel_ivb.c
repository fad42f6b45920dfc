// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Ivy Bridge clients: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id ivb_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3a },
	{ 0 }
};

/*
 * Ivy Bridge has PMU version 3 (SDM Vol. 3, 19.3.4). CPUID enumerates four general-purpose counters
 * with hyper-threading on, eight with hyper-threading off.
 */
const struct bpmu_part bpmu_intel_ivb = {
	.name = "ivb",
	.title = "Intel Ivy Bridge",
	.pfm = "ivb",
	.ids = ivb_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_snb_extras,
	.data_source = BPMU_DATA_SOURCE_SNB,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SMT_LEAK | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.uncore = &bpmu_intel_snb_uncore,
	.free = BPMU_FREE_SNB | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_ivb_mchbar,
};

static const struct bpmu_cpu_id ivt_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3e },
	{ 0 }
};

const struct bpmu_part bpmu_intel_ivt = {
	.name = "ivt",
	.title = "Intel Ivy Bridge (server)",
	.pfm = "ivb_ep",
	.ids = ivt_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_jkt_extras,
	.data_source = BPMU_DATA_SOURCE_SNB,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SMT_LEAK | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.uncore = &bpmu_intel_ivt_uncore,
	.free = BPMU_FREE_JKT,
};
