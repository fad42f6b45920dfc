// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Sapphire Rapids: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id spr_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x8f },
	{ 0 }
};

/*
 * Golden Cove, like its successors below, has six slots per cycle and eight fields in PERF_METRICS.
 */
const struct bpmu_part bpmu_intel_spr = {
	.name = "spr",
	.title = "Intel Sapphire Rapids",
	.pfm = "spr",
	.ids = spr_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_glc_extras,
	.data_source = BPMU_DATA_SOURCE_SKX,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.metrics = 8,
	.quirks = BPMU_QUIRK_PSYS_UNIT | BPMU_QUIRK_LOADS_AUX,
	.free = BPMU_FREE_SPR,
	.uncore = &bpmu_intel_spr_uncore,
};

static const struct bpmu_cpu_id emr_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xcf },
	{ 0 }
};

const struct bpmu_part bpmu_intel_emr = {
	.name = "emr",
	.title = "Intel Emerald Rapids",
	.pfm = "emr",
	.ids = emr_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_glc_extras,
	.data_source = BPMU_DATA_SOURCE_SKX,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.metrics = 8,
	.quirks = BPMU_QUIRK_PSYS_UNIT | BPMU_QUIRK_LOADS_AUX,
	.free = BPMU_FREE_SPR,
	.uncore = &bpmu_intel_spr_uncore,
};

static const struct bpmu_cpu_id gnr_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xad },
	{ BPMU_VENDOR_INTEL, 6, 0xae },
	{ 0 }
};

const struct bpmu_part bpmu_intel_gnr = {
	.name = "gnr",
	.title = "Intel Granite Rapids",
	.pfm = "gnr",
	.ids = gnr_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_rwc_extras,
	.data_source = BPMU_DATA_SOURCE_SKX,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 2,
	.metrics = 8,
	.quirks = BPMU_QUIRK_PSYS_UNIT,
	.free = BPMU_FREE_SPR,
	.uncore = &bpmu_intel_gnr_uncore,
};

static const struct bpmu_cpu_id adl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x97, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0x9a, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xb7, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xba, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xbf, .core = BPMU_CORE_PERFORMANCE },
	/* the same models with efficient cores switched off or absent, and Bartlett Lake */
	{ BPMU_VENDOR_INTEL, 6, 0x97 },
	{ BPMU_VENDOR_INTEL, 6, 0x9a },
	{ BPMU_VENDOR_INTEL, 6, 0xb7 },
	{ BPMU_VENDOR_INTEL, 6, 0xba },
	{ BPMU_VENDOR_INTEL, 6, 0xbf },
	{ BPMU_VENDOR_INTEL, 6, 0xd7 },
	{ 0 }
};

/*
 * Performance cores of Alder and Raptor Lake. CPUID enumerates only counters that both core types
 * have: Linux, intel_pmu_init()
 */
const struct bpmu_part bpmu_intel_adl = {
	.name = "adl",
	.title = "Intel Alder Lake or Raptor Lake, performance core",
	.pfm = "adl_glc",
	.ids = adl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_glc_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 2,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.quirks = BPMU_QUIRK_LOADS_AUX,
	.uncore = &bpmu_intel_adl_uncore,
	.free = BPMU_FREE_ADL | BPMU_FREE_MEMORY64,
	.mchbar = bpmu_intel_adl_mchbar,
};

/*
 * Models of Meteor Lake, and of Arrow Lake U (0xb5), which has the same cores. Source: mapfile.csv
 * of Intel's event files
 */
static const struct bpmu_cpu_id mtl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xaa, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xac, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xb5, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xaa },
	{ BPMU_VENDOR_INTEL, 6, 0xac },
	{ BPMU_VENDOR_INTEL, 6, 0xb5 },
	{ 0 }
};

/* Redwood Cove, the performance core of Meteor Lake and Arrow Lake U */
const struct bpmu_part bpmu_intel_mtl = {
	.name = "mtl",
	.title = "Intel Meteor Lake or Arrow Lake U, performance core",
	.pfm = "mtl_rwc",
	.ids = mtl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_rwc_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 2,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.quirks = BPMU_QUIRK_FIXED0_NO_RETIRE,
	.uncore = &bpmu_intel_mtl_uncore,
	.free = BPMU_FREE_ADL | BPMU_FREE_MEMORY64,
	.mchbar = bpmu_intel_mtl_mchbar,
};
