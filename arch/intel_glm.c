// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Goldmont has three slots per cycle, Goldmont Plus four (Linux, arch/x86/events/intel/core.c,
 * topdown-total-slots). Source of the models: Linux, intel-family.h; of the bits that switch
 * prefetchers off: Linux, resctrl/pseudo_lock.c, resctrl_arch_get_prefetch_disable_bits().
 */
static const struct bpmu_cpu_id glm_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x5c },
	{ BPMU_VENDOR_INTEL, 6, 0x5f },
	{ 0 }
};

const struct bpmu_part bpmu_intel_glm = {
	.name = "glm",
	.title = "Intel Goldmont (Apollo Lake, Denverton)",
	.pfm = "glm",
	.ids = glm_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_glm_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 3,
	.threads = 1,
	.prefetch = BPMU_PREFETCH_ATOM,
	.quirks = BPMU_QUIRK_PEBS_0,
	.lbr = 32,
	.free = BPMU_FREE_GLM,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};

static const struct bpmu_cpu_id glp_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x7a },
	{ 0 }
};

const struct bpmu_part bpmu_intel_glp = {
	.name = "glp",
	.title = "Intel Goldmont Plus (Gemini Lake)",
	.pfm = "glm",
	.ids = glp_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_glm_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 4,
	.threads = 1,
	.prefetch = BPMU_PREFETCH_ATOM,
	.lbr = 32,
	.free = BPMU_FREE_GLM,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};
