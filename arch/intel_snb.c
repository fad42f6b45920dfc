// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Sandy Bridge clients: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id snb_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x2a },
	{ 0 }
};

/*
 * Sandy Bridge has PMU version 3 (SDM Vol. 3, 19.3.4). CPUID enumerates four general-purpose
 * counters with hyper-threading on, eight with hyper-threading off.
 */
const struct bpmu_part bpmu_intel_snb = {
	.name = "snb",
	.title = "Intel Sandy Bridge",
	.pfm = "snb",
	.ids = snb_ids,
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
	.mchbar = bpmu_intel_snb_mchbar,
};

static const struct bpmu_cpu_id jkt_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x2d },
	{ 0 }
};

const struct bpmu_part bpmu_intel_jkt = {
	.name = "jkt",
	.title = "Intel Sandy Bridge (server)",
	.pfm = "snb_ep",
	.ids = jkt_ids,
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
	.uncore = &bpmu_intel_jkt_uncore,
	.free = BPMU_FREE_JKT,
};
