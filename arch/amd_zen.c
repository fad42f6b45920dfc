// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * MSRs of Zen's six counters of 48 bits (AMD64 Architecture Programmer's Manual Vol. 2, 13.2). The
 * global registers exist from Zen 4 on: CPUID leaf 0x8000_0022 enumerates them and the number of
 * counters. Source of the addresses: Linux, msr-index.h, MSR_F15H_PERF_*, MSR_AMD64_PERF_CNTR_*.
 */
#define ZEN_MSRS { \
	.select = 0xc0010200, \
	.counter = 0xc0010201, \
	.counter_full = 0xc0010201, \
	.global_ctrl = 0xc0000301, \
	.global_status = 0xc0000300, \
	.global_ovf = 0xc0000302, \
	.stride = 2, \
}

/*
 * Bits of an event select that user space may set. Bits 41:40, which restrict counting to guest or
 * host, are not among them.
 */
#define ZEN_LEGAL	(BPMU_SEL_LEGAL_NOANY | BPMU_SEL_EVENT_HIGH)

/*
 * Code and name of the event that needs two counters, merged into one. Source: Linux,
 * arch/x86/events/amd/core.c, amd_is_pair_event_code()
 */
#define ZEN_MERGED	0x03
#define ZEN_MERGED_NAME "RETIRED_SSE_AVX_FLOPS"

/*
 * Zen's models. Source: Linux 7.3, arch/x86/kernel/cpu/amd.c, bsp_init_amd(); for models 0x80 to
 * 0x8f tools/perf/pmu-events/arch/x86/mapfile.csv. All models of Hygon's family 18h are Zen
 * (hygon.c), and perf programs them like AMD's family 17h.
 */
static const struct bpmu_cpu_id zen1_ids[] = {
	{ BPMU_VENDOR_AMD, 0x17, 0x00, 0x2f },
	{ BPMU_VENDOR_AMD, 0x17, 0x50, 0x5f },
	{ BPMU_VENDOR_AMD, 0x18, 0x00, 0xff },
	{ 0 }
};

const struct bpmu_part bpmu_amd_zen1 = {
	.name = "zen1",
	.title = "AMD Zen or Hygon Dhyana",
	.pfm = "amd64_fam17h_zen1",
	.ids = zen1_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 6,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen_uncore,
};

static const struct bpmu_cpu_id zen2_ids[] = {
	{ BPMU_VENDOR_AMD, 0x17, 0x30, 0x4f },
	{ BPMU_VENDOR_AMD, 0x17, 0x60, 0x8f },
	{ BPMU_VENDOR_AMD, 0x17, 0x90, 0x91 },
	{ BPMU_VENDOR_AMD, 0x17, 0xa0, 0xaf },
	{ 0 }
};

const struct bpmu_part bpmu_amd_zen2 = {
	.name = "zen2",
	.title = "AMD Zen 2",
	.pfm = "amd64_fam17h_zen2",
	.ids = zen2_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 6,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen_uncore,
};

static const struct bpmu_cpu_id zen3_ids[] = {
	{ BPMU_VENDOR_AMD, 0x19, 0x00, 0x0f },
	{ BPMU_VENDOR_AMD, 0x19, 0x20, 0x5f },
	{ 0 }
};

const struct bpmu_part bpmu_amd_zen3 = {
	.name = "zen3",
	.title = "AMD Zen 3",
	.pfm = "amd64_fam19h_zen3",
	.ids = zen3_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 6,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen3_uncore,
};

static const struct bpmu_cpu_id zen4_ids[] = {
	{ BPMU_VENDOR_AMD, 0x19, 0x10, 0x1f },
	{ BPMU_VENDOR_AMD, 0x19, 0x60, 0xaf },
	{ 0 }
};

const struct bpmu_part bpmu_amd_zen4 = {
	.name = "zen4",
	.title = "AMD Zen 4",
	.pfm = "amd64_fam19h_zen4",
	.ids = zen4_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 6,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen4_uncore,
};

static const struct bpmu_cpu_id zen5_ids[] = {
	{ BPMU_VENDOR_AMD, 0x1a, 0x00, 0x2f },
	{ BPMU_VENDOR_AMD, 0x1a, 0x40, 0x4f },
	{ BPMU_VENDOR_AMD, 0x1a, 0x60, 0x7f },
	{ BPMU_VENDOR_AMD, 0x1a, 0xd0, 0xd7 },
	{ 0 }
};

const struct bpmu_part bpmu_amd_zen5 = {
	.name = "zen5",
	.title = "AMD Zen 5",
	.pfm = "amd64_fam1ah_zen5",
	.ids = zen5_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 8,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen4_uncore,
};

static const struct bpmu_cpu_id zen6_ids[] = {
	{ BPMU_VENDOR_AMD, 0x1a, 0x50, 0x5f },
	{ BPMU_VENDOR_AMD, 0x1a, 0x80, 0xaf },
	{ BPMU_VENDOR_AMD, 0x1a, 0xc0, 0xcf },
	{ BPMU_VENDOR_AMD, 0x1a, 0xd8, 0xef },
	{ 0 }
};

/*
 * Zen 6 has the same kinds of registers as Zen 5. CPUID leaf 0x8000_0022 enumerates how many of
 * each kind it has. Its events are those of Linux' event files for Zen 6, which have no events of
 * the data fabric.
 */
const struct bpmu_part bpmu_amd_zen6 = {
	.name = "zen6",
	.title = "AMD Zen 6",
	.pfm = "amd64_fam1ah_zen6",
	.ids = zen6_ids,
	.msrs = ZEN_MSRS,
	.legal = ZEN_LEGAL,
	.merged = ZEN_MERGED,
	.merged_name = ZEN_MERGED_NAME,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 8,
	.threads = 2,
	.free = BPMU_FREE_ZEN,
	.uncore = &bpmu_amd_zen4_uncore,
};
