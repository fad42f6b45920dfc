// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Arctic Wolf, the efficient core of Nova Lake. How many slots it has per cycle is not published:
 * Skymont's number is used. Source of the models: mapfile.csv of Intel's event files.
 */
static const struct bpmu_cpu_id nvl_e_ids[] = {
	{ BPMU_VENDOR_INTEL, 18, 0x01, .core = BPMU_CORE_EFFICIENT },
	{ BPMU_VENDOR_INTEL, 18, 0x03, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

const struct bpmu_part bpmu_intel_nvl_e = {
	.name = "nvl-e",
	.title = "Intel Nova Lake, efficient core",
	.pfm = "ix86arch",
	.ids = nvl_e_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_arw_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_NOT_DOCUMENTED,
	.no_uncore = BPMU_AT_MSR("0x711"),
};
