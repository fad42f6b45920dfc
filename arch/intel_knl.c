// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Knights Landing and Knights Mill: cores like Silvermont's with four threads. Source of the
 * models: Linux, intel-family.h. Bits 0 and 1 of MSR 0x1A4 are the prefetchers of L1 and L2
 * there (LIKWID, cpuFeatures.c), unlike on other parts, and barepmu does not switch them.
 */
static const struct bpmu_cpu_id knl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x57 },
	{ BPMU_VENDOR_INTEL, 6, 0x85 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_knl = {
	.name = "knl",
	.title = "Intel Knights Landing or Knights Mill",
	.pfm = "knl",
	.ids = knl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_knl_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 2,
	.threads = 4,
	.quirks = BPMU_QUIRK_DRAM_UNIT,
	.lbr = 8,
	.free = BPMU_FREE_KNL,
	.uncore = &bpmu_intel_knl_uncore,
	.no_uncore = "its cha, pcu, ubox and irp are not programmed",
};
