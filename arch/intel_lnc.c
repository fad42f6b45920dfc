// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Lion Cove and Cougar Cove have eight slots per cycle and one thread per core. CPUID's bitmaps
 * enumerate ten general-purpose counters (bpmu_pmu_bitmaps()); the eight of the descriptor are used
 * if CPUID has no bitmaps. Source of the models: mapfile.csv of Intel's event files.
 */
static const struct bpmu_cpu_id arl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xc5, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xc6, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xc5 },
	{ BPMU_VENDOR_INTEL, 6, 0xc6 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_arl = {
	.name = "arl",
	.title = "Intel Arrow Lake, performance core",
	.pfm = "arl_lnc",
	.ids = arl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_lnc_extras,
	.data_source = BPMU_DATA_SOURCE_LNC,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id lnl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xbd, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xbd },
	{ 0 }
};

const struct bpmu_part bpmu_intel_lnl = {
	.name = "lnl",
	.title = "Intel Lunar Lake, performance core",
	.pfm = "lnl_lnc",
	.ids = lnl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_lnc_extras,
	.data_source = BPMU_DATA_SOURCE_LNC,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id ptl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xcc, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xd5, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xe5, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 6, 0xcc },
	{ BPMU_VENDOR_INTEL, 6, 0xd5 },
	{ BPMU_VENDOR_INTEL, 6, 0xe5 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_ptl = {
	.name = "ptl",
	.title = "Intel Panther Lake or Wildcat Lake, performance core",
	.pfm = "ptl_cgc",
	.ids = ptl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_lnc_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_AT_MSR("0x201e"),
};
