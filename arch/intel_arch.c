// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

static const struct bpmu_cpu_id arch_ids[] = {
	{ BPMU_VENDOR_INTEL },
	{ BPMU_VENDOR_INTEL, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, .core = BPMU_CORE_EFFICIENT },
	{ 0 }
};

/*
 * Fallback for an Intel CPU that has CPUID leaf 0xA and belongs to no other part: it counts the
 * architectural events with the counters that CPUID enumerates. Bit 21 (ANY) is not legal, because
 * CPUID does not tell whether the CPU has this bit.
 */
const struct bpmu_part bpmu_intel_arch = {
	.name = "arch",
	.title = "Intel (architectural performance monitoring)",
	.pfm = "ix86arch",
	.ids = arch_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
	.free = BPMU_FREE_INTEL,
	.no_energy = "not architectural",
	.no_uncore = "not architectural",
};
