// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Lakefield: a Sunny Cove without hyper-threading and four Tremonts, the first hybrid part. Intel
 * publishes no events of it, and Linux knows none: the events are those of the same cores in Ice
 * Lake and Elkhart Lake. CPUID enumerates four general and three fixed counters on both core types.
 * No source says whether the performance core has more counters, or has PERF_METRICS. The registers
 * of energy and C-states are not documented.
 */
static const struct bpmu_cpu_id lkf_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x8a, .core = BPMU_CORE_PERFORMANCE },
	{ 0 }
};

const struct bpmu_part bpmu_intel_lkf = {
	.name = "lkf",
	.title = "Intel Lakefield, performance core",
	.pfm = "icl",
	.ids = lkf_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_icl_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 1,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_NOT_DOCUMENTED,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};

static const struct bpmu_cpu_id lkf_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x8a, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_lkf_e = {
	.name = "lkf-e",
	.title = "Intel Lakefield, efficient core",
	.pfm = "tnt",
	.ids = lkf_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_tnt_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 1,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_NOT_DOCUMENTED,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};
