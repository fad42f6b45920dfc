// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Tremont has four slots per cycle. Its models are Jacobsville (Snow Ridge), Elkhart Lake and
 * Jasper Lake: Linux, intel-family.h.
 */
static const struct bpmu_cpu_id tnt_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x86 },
	{ BPMU_VENDOR_INTEL, 6, 0x96 },
	{ BPMU_VENDOR_INTEL, 6, 0x9c },
	{ 0 }
};

const struct bpmu_part bpmu_intel_tnt = {
	.name = "tnt",
	.title = "Intel Tremont (Elkhart Lake, Jasper Lake, Snow Ridge)",
	.pfm = "tnt",
	.ids = tnt_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_tnt_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 1,
	.lbr = 32,
	.free = BPMU_FREE_TNT,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};
