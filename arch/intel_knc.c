// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

static const struct bpmu_cpu_id knc_ids[] = {
	{ BPMU_VENDOR_INTEL, 11, 1 },
	{ 0 }
};

/*
 * Knights Corner has two 40-bit counters per hardware thread, no fixed counters and no CPUID leaf
 * 0xA. Source of the MSR addresses: Linux, msr-index.h, MSR_KNC_*. No source describes bit 21 of
 * the event select, so user space may not set it.
 */
const struct bpmu_part bpmu_intel_knc = {
	.name = "knc",
	.title = "Intel Xeon Phi (Knights Corner)",
	.pfm = "knc",
	.ids = knc_ids,
	.msrs = {
		.select = 0x28,
		.counter = 0x20,
		.counter_full = 0x20,
		.global_ctrl = 0x2f,
		.global_status = 0x2d,
		.global_ovf = 0x2e,
		.stride = 1,
	},
	.legal = BPMU_SEL_LEGAL_NOANY,
	.gp_counters = 2,
	.gp_width = 40,
	.issue_width = 2,
	.threads = 4,
	.free = BPMU_FREE_TSCS,
	.no_energy = "the card's controller measures it, not an MSR",
	.no_uncore = BPMU_NOT_PROGRAMMED,
};
