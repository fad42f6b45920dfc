// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Nehalem and Westmere have PMU version 3, whose counters cannot be written at full width. Source
 * of the models: mapfile.csv of Intel's event files; of the bits that switch prefetchers off:
 * Intel, "Disclosure of H/W prefetcher control on some Intel processors", 2014. The two threads of
 * a core share MSR_OFFCORE_RSP: in Linux, arch/x86/events/intel/core.c, these parts lack
 * PMU_FL_NO_HT_SHARING. The uncore of the EX parts, boxes with match registers (Linux,
 * uncore_nhmex.c), is not programmed.
 */
static const struct bpmu_cpu_id nhm_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x1a },
	{ BPMU_VENDOR_INTEL, 6, 0x1e },
	{ BPMU_VENDOR_INTEL, 6, 0x1f },
	{ 0 }
};

const struct bpmu_part bpmu_intel_nhm = {
	.name = "nhm",
	.title = "Intel Nehalem (Bloomfield, Lynnfield, Gainestown)",
	.pfm = "nhm",
	.ids = nhm_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_nhm_extras,
	.data_source = BPMU_DATA_SOURCE_NHM,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.free = BPMU_FREE_NHM,
	.uncore = &bpmu_intel_nhm_uncore,
	.no_energy = BPMU_BEFORE_RAPL,
};

static const struct bpmu_cpu_id nhm_ex_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x2e },
	{ 0 }
};

const struct bpmu_part bpmu_intel_nhm_ex = {
	.name = "nhm-ex",
	.title = "Intel Nehalem EX (Beckton)",
	.pfm = "nhm_ex",
	.ids = nhm_ex_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_nhm_extras,
	.data_source = BPMU_DATA_SOURCE_NHM,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.free = BPMU_FREE_NHM,
	.no_energy = BPMU_BEFORE_RAPL,
	.no_uncore = BPMU_EX_BOXES,
};

static const struct bpmu_cpu_id wsm_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x25 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_wsm = {
	.name = "wsm",
	.title = "Intel Westmere (Clarkdale, Arrandale)",
	.pfm = "wsm",
	.ids = wsm_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_wsm_extras,
	.data_source = BPMU_DATA_SOURCE_NHM,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.free = BPMU_FREE_NHM,
	.uncore = &bpmu_intel_nhm_uncore,
	.no_energy = BPMU_BEFORE_RAPL,
};

static const struct bpmu_cpu_id wsm_ep_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x2c },
	{ 0 }
};

const struct bpmu_part bpmu_intel_wsm_ep = {
	.name = "wsm-ep",
	.title = "Intel Westmere EP (Gulftown)",
	.pfm = "wsm_dp",
	.ids = wsm_ep_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_wsm_extras,
	.data_source = BPMU_DATA_SOURCE_NHM,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.free = BPMU_FREE_NHM,
	.uncore = &bpmu_intel_nhm_uncore,
	.no_energy = BPMU_BEFORE_RAPL,
};

static const struct bpmu_cpu_id wsm_ex_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x2f },
	{ 0 }
};

const struct bpmu_part bpmu_intel_wsm_ex = {
	.name = "wsm-ex",
	.title = "Intel Westmere EX (Eagleton)",
	.pfm = "wsm_dp",
	.ids = wsm_ex_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_wsm_extras,
	.data_source = BPMU_DATA_SOURCE_NHM,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_NEXT,
	.lbr = 16,
	.free = BPMU_FREE_NHM,
	.no_energy = BPMU_BEFORE_RAPL,
	.no_uncore = BPMU_EX_BOXES,
};
