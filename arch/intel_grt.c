// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models with efficient cores of Alder or Raptor Lake: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id adl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x97, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0x9a, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xb7, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xba, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xbf, .core = BPMU_CORE_EFFICIENT },
	/* Alder Lake-N, which has only efficient cores */
	{ BPMU_VENDOR_INTEL, 6, 0xbe },
	{ 0 }
};

/* Gracemont has six general-purpose counters and three fixed ones, but not PERF_METRICS. */
const struct bpmu_part bpmu_intel_adl_e = {
	.name = "adl-e",
	.title = "Intel Alder Lake or Raptor Lake, efficient core",
	.pfm = "adl_grt",
	.ids = adl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_grt_extras,
	.data_source = BPMU_DATA_SOURCE_GRT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 1,
	.uncore = &bpmu_intel_adl_uncore,
	.free = BPMU_FREE_ADL | BPMU_FREE_MEMORY64,
	.mchbar = bpmu_intel_adl_mchbar,
};
