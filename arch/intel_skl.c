// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Skylake clients and their successors: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id skl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x4e },
	{ BPMU_VENDOR_INTEL, 6, 0x5e },
	{ BPMU_VENDOR_INTEL, 6, 0x8e },
	{ BPMU_VENDOR_INTEL, 6, 0x9e },
	{ BPMU_VENDOR_INTEL, 6, 0xa5 },
	{ BPMU_VENDOR_INTEL, 6, 0xa6 },
	{ 0 }
};

/*
 * Skylake has PMU version 4 (SDM Vol. 3, 19.2.4). Kaby Lake, Coffee Lake and Comet Lake have the
 * same PMU.
 */
const struct bpmu_part bpmu_intel_skl = {
	.name = "skl",
	.title = "Intel Skylake",
	.pfm = "skl",
	.ids = skl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_skl_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.lbr = 32,
	.uncore = &bpmu_intel_skl_uncore,
	.free = BPMU_FREE_SKL | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_skl_mchbar,
};

/*
 * Cannon Lake, whose core is Palm Cove. Neither Intel's event files nor perf's have this part.
 * LIKWID counts Skylake's events on it (src/perfmon.c), and libpfm4 reads its energy registers like
 * Skylake's (pfmlib_intel_rapl.c). No source tells its other registers, so they are not used.
 */
static const struct bpmu_cpu_id cnl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x66 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_cnl = {
	.name = "cnl",
	.title = "Intel Cannon Lake",
	.pfm = "skl",
	.ids = cnl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_skl_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.free = BPMU_FREE_INTEL | BPMU_FREE_RAPL_SKL,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};

static const struct bpmu_cpu_id skx_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x55 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_skx = {
	.name = "skx",
	.title = "Intel Skylake or Cascade Lake (server)",
	.pfm = "skx",
	.ids = skx_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.extras = bpmu_intel_skl_extras,
	.data_source = BPMU_DATA_SOURCE_SKX,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.quirks = BPMU_QUIRK_DRAM_UNIT,
	.lbr = 32,
	.uncore = &bpmu_intel_skx_uncore,
	.free = BPMU_FREE_SKX,
};
