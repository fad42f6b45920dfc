// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Skymont and Darkmont have eight slots per cycle. Their fixed counters 4 to 6, which count
 * Top-Down's slots, are not used, because these cores have no fixed counter 3; general-purpose
 * counters can count the same events. Source of models and native models: mapfile.csv of Intel's
 * event files.
 */
static const struct bpmu_cpu_id arl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xc5, .core = BPMU_CORE_EFFICIENT, .native = 3 },
	{ BPMU_VENDOR_INTEL, 6, 0xc6, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_arl_e = {
	.name = "arl-e",
	.title = "Intel Arrow Lake, efficient core",
	.pfm = "arl_skt",
	.ids = arl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id lnl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xbd, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_lnl_e = {
	.name = "lnl-e",
	.title = "Intel Lunar Lake, efficient core",
	.pfm = "lnl_skt",
	.ids = lnl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id ptl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xcc, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xd5, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xe5, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_ptl_e = {
	.name = "ptl-e",
	.title = "Intel Panther Lake or Wildcat Lake, efficient core",
	.pfm = "ptl_dkt",
	.ids = ptl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_cmt_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_AT_MSR("0x201e"),
};

static const struct bpmu_cpu_id cwf_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xdd },
	{ 0 }
};

const struct bpmu_part bpmu_intel_cwf = {
	.name = "cwf",
	.title = "Intel Clearwater Forest",
	.pfm = "cwf",
	.ids = cwf_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_cmt_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.quirks = BPMU_QUIRK_PSYS_UNIT,
	.free = BPMU_FREE_SPR,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};
