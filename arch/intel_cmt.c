// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Crestmont, an efficient core with six slots per cycle. The two low-power efficient cores of Arrow
 * Lake H are Crestmont; its other efficient cores are Skymont, another native model. Source of
 * models and native models: mapfile.csv of Intel's event files.
 */
static const struct bpmu_cpu_id mtl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xaa, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xac, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 6, 0xb5, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_mtl_e = {
	.name = "mtl-e",
	.title = "Intel Meteor Lake or Arrow Lake U, efficient core",
	.pfm = "mtl_cmt",
	.ids = mtl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 1,
	.uncore = &bpmu_intel_mtl_uncore,
	.free = BPMU_FREE_ADL | BPMU_FREE_MEMORY64,
	.mchbar = bpmu_intel_mtl_mchbar,
};

static const struct bpmu_cpu_id arl_lp_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xc5, .core = BPMU_CORE_EFFICIENT, .native = 2 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_arl_lp = {
	.name = "arl-lp",
	.title = "Intel Arrow Lake H, low-power efficient core",
	.pfm = "arl_cmt",
	.ids = arl_lp_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 1,
	.free = BPMU_FREE_ADL,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id srf_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xaf },
	{ 0 }
};

const struct bpmu_part bpmu_intel_srf = {
	.name = "srf",
	.title = "Intel Sierra Forest",
	.pfm = "srf",
	.ids = srf_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 1,
	.quirks = BPMU_QUIRK_PSYS_UNIT,
	.free = BPMU_FREE_SPR,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id grr_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xb6 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_grr = {
	.name = "grr",
	.title = "Intel Grand Ridge",
	.pfm = "grr",
	.ids = grr_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_cmt_extras,
	.data_source = BPMU_DATA_SOURCE_CMT,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 6,
	.threads = 1,
	.quirks = BPMU_QUIRK_PSYS_UNIT,
	.free = BPMU_FREE_SPR,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};
