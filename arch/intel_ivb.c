// SPDX-License-Identifier: GPL-2.0
#include "intel.h"
#include "parts.h"

/* SDM Vol. 4, table 2-1 */
static const struct bpmu_cpu_id ivb_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x3a },
	{ BPMU_VENDOR_INTEL, 6, 0x3e },
	{ 0 }
};

/*
 * Architectural version 3 (SDM Vol. 3, 19.3.4): four general counters with
 * hyper-threading on, eight with it off; CPUID tells which.
 */
const struct bpmu_part bpmu_intel_ivb = {
	.name = "ivb",
	.title = "Intel Ivy Bridge",
	.pfm = "ivb",
	.ids = ivb_ids,
	.msrs = {
		.select = BPMU_MSR_PERFEVTSEL0,
		.counter = BPMU_MSR_PMC0,
		.counter_full = BPMU_MSR_A_PMC0,
		.fixed = BPMU_MSR_FIXED_CTR0,
		.fixed_ctrl = BPMU_MSR_FIXED_CTRL,
		.global_ctrl = BPMU_MSR_GLOBAL_CTRL,
		.global_status = BPMU_MSR_GLOBAL_STATUS,
		.global_ovf = BPMU_MSR_GLOBAL_OVF,
	},
	.legal = BPMU_SEL_LEGAL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 2,
};
