// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Panther Cove (Diamond Rapids) and Coyote Cove (Nova Lake), which have the same PMU: Linux 7.0,
 * arch/x86/events/intel/core.c, intel_pmu_init_pnc(). Neither Intel nor Linux says how many slots a
 * cycle has: Lion Cove's number is used. Intel has not published Diamond Rapids' events: the table
 * has the events that Linux names. Source of the models: Linux, intel-family.h, and mapfile.csv of
 * Intel's event files. It is not published which registers of energy and C-states these parts have.
 */
static const struct bpmu_cpu_id dmr_ids[] = {
	{ BPMU_VENDOR_INTEL, 19, 0x01 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_dmr = {
	.name = "dmr",
	.title = "Intel Diamond Rapids",
	.pfm = "ix86arch",
	.ids = dmr_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_pnc_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 2,
	.metrics = 8,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_NOT_DOCUMENTED,
	.no_uncore = BPMU_NOT_PROGRAMMED,
};

static const struct bpmu_cpu_id nvl_ids[] = {
	{ BPMU_VENDOR_INTEL, 18, 0x01, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 18, 0x03, .core = BPMU_CORE_PERFORMANCE },
	{ BPMU_VENDOR_INTEL, 18, 0x01 },
	{ BPMU_VENDOR_INTEL, 18, 0x03 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_nvl = {
	.name = "nvl",
	.title = "Intel Nova Lake, performance core",
	.pfm = "ix86arch",
	.ids = nvl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_V6,
	.extras = bpmu_intel_pnc_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 8,
	.threads = 1,
	.gp_counters = 8,
	.fixed_counters = 4,
	.metrics = 8,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_NOT_DOCUMENTED,
	.no_uncore = BPMU_AT_MSR("0x711"),
};
