// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/* Models of Ice Lake clients: SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id icl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x7d },
	{ BPMU_VENDOR_INTEL, 6, 0x7e },
	{ 0 }
};

/*
 * Ice Lake has PMU version 5 (SDM Vol. 3, 19.2.5): eight general-purpose counters, fixed counter 3
 * for slots, four fields in PERF_METRICS, and no bit ANY in event selects.
 */
const struct bpmu_part bpmu_intel_icl = {
	.name = "icl",
	.title = "Intel Ice Lake",
	.pfm = "icl",
	.ids = icl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_icl_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.lbr = 32,
	.metrics = 4,
	.uncore = &bpmu_intel_icl_uncore,
	.free = BPMU_FREE_ICL | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_icl_mchbar,
};

static const struct bpmu_cpu_id icx_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x6a },
	{ BPMU_VENDOR_INTEL, 6, 0x6c },
	{ 0 }
};

const struct bpmu_part bpmu_intel_icx = {
	.name = "icx",
	.title = "Intel Ice Lake (server)",
	.pfm = "icx",
	.ids = icx_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_icl_extras,
	.data_source = BPMU_DATA_SOURCE_SKX,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.metrics = 4,
	.quirks = BPMU_QUIRK_DRAM_UNIT,
	.lbr = 32,
	.free = BPMU_FREE_ICX,
	.uncore = &bpmu_intel_icx_uncore,
};

static const struct bpmu_cpu_id tgl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x8c },
	{ BPMU_VENDOR_INTEL, 6, 0x8d },
	{ 0 }
};

const struct bpmu_part bpmu_intel_tgl = {
	.name = "tgl",
	.title = "Intel Tiger Lake",
	.pfm = "icl",
	.ids = tgl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_icl_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.lbr = 32,
	.metrics = 4,
	.uncore = &bpmu_intel_tgl_uncore,
	.free = BPMU_FREE_ICL | BPMU_FREE_MEMORY64,
	.mchbar = bpmu_intel_tgl_mchbar,
};

static const struct bpmu_cpu_id rkl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0xa7 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_rkl = {
	.name = "rkl",
	.title = "Intel Rocket Lake",
	.pfm = "icl",
	.ids = rkl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_icl_extras,
	.data_source = BPMU_DATA_SOURCE_SKL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 5,
	.threads = 2,
	.prefetch = BPMU_PREFETCH_ALL,
	.lbr = 32,
	.metrics = 4,
	.uncore = &bpmu_intel_tgl_uncore,
	.free = BPMU_FREE_ICL | BPMU_FREE_MEMORY,
	.mchbar = bpmu_intel_rkl_mchbar,
};
