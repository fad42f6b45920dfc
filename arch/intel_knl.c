// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Knights Landing and Knights Mill have cores like Silvermont's with four threads. Source of the
 * models: Linux, intel-family.h. In their MSR 0x1A4 bit 0 switches the L1 prefetcher off and bit 1
 * the L2 prefetcher (LIKWID, cpuFeatures.c). Other parts have other bits; barepmu does not switch
 * the prefetchers of these two.
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
	.quirks = BPMU_QUIRK_DRAM_UNIT | BPMU_QUIRK_PEBS_0,
	.lbr = 8,
	.free = BPMU_FREE_KNL,
	.uncore = &bpmu_intel_knl_uncore,
	.no_uncore = "its cha, pcu, ubox and irp are not programmed",
};
