// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * AMD's family 15h: Bulldozer, Piledriver, Steamroller and Excavator. They have the registers of
 * Zen, without the global registers. Which of the six counters can count an event depends on the
 * event. Four macro-ops are dispatched per cycle, to the two cores of a compute unit in turn (AMD,
 * Software Optimization Guide for Family 15h, 47414, 2.1). Linux programs all models in the same
 * way: arch/x86/events/amd/core.c, amd_core_pmu_init().
 */
static const struct bpmu_cpu_id bulldozer_ids[] = {
	{ BPMU_VENDOR_AMD, 0x15, 0x00, 0xff },
	{ 0 }
};

const struct bpmu_part bpmu_amd_bulldozer = {
	.name = "bulldozer",
	.title = "AMD Bulldozer to Excavator (15h)",
	.pfm = "amd64_fam15h_interlagos",
	.ids = bulldozer_ids,
	.msrs = {
		.select = 0xc0010200,
		.counter = 0xc0010201,
		.counter_full = 0xc0010201,
		.stride = 2,
	},
	.legal = BPMU_SEL_LEGAL_NOANY | BPMU_SEL_EVENT_HIGH,
	.gp_counters = 6,
	.gp_width = 48,
	.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
	.issue_width = 4,
	.threads = 2,
	.free = BPMU_FREE_CLOCKS,
	.uncore = &bpmu_amd_bulldozer_uncore,
	.no_energy = BPMU_BEFORE_ZEN,
};
