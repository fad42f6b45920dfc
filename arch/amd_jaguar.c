// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * MSRs of four counters of 48 bits; each counter is enabled by its event select alone. Source:
 * AMD64 Architecture Programmer's Manual Vol. 2, 13.2; Linux, msr-index.h, MSR_K7_EVNTSEL0 and
 * MSR_K7_PERFCTR0
 */
#define K7_MSRS { \
	.select = 0xc0010000, \
	.counter = 0xc0010004, \
	.counter_full = 0xc0010004, \
	.stride = 1, \
}

/*
 * AMD's family 16h, Jaguar and Puma, which dispatches two macro-ops per cycle (AMD, Software
 * Optimization Guide for Family 16h, 52128).
 */
static const struct bpmu_cpu_id jaguar_ids[] = {
	{ BPMU_VENDOR_AMD, 0x16, 0x00, 0xff },
	{ 0 }
};

const struct bpmu_part bpmu_amd_jaguar = {
	.name = "jaguar",
	.title = "AMD Jaguar or Puma (16h)",
	.pfm = "amd64_fam16h",
	.ids = jaguar_ids,
	.msrs = K7_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY | BPMU_SEL_EVENT_HIGH,
	.gp_counters = 4,
	.gp_width = 48,
	.issue_width = 2,
	.threads = 1,
	.free = BPMU_FREE_CLOCKS,
	.uncore = &bpmu_amd_jaguar_uncore,
	.no_energy = BPMU_BEFORE_ZEN,
};

/*
 * AMD's family 10h, which dispatches three macro-ops per cycle (AMD, Software Optimization Guide
 * for Family 10h, 40546). A core's counters can also count events of the northbridge, but the cores
 * of a node would have to agree on who counts which, as in Linux' __amd_get_nb_event_constraints().
 * barepmu does not count events of this northbridge.
 */
static const struct bpmu_cpu_id k10_ids[] = {
	{ BPMU_VENDOR_AMD, 0x10, 0x00, 0xff },
	{ 0 }
};

const struct bpmu_part bpmu_amd_k10 = {
	.name = "k10",
	.title = "AMD K10 (10h)",
	.pfm = "amd64_fam10h_barcelona",
	.ids = k10_ids,
	.msrs = K7_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY | BPMU_SEL_EVENT_HIGH,
	.gp_counters = 4,
	.gp_width = 48,
	.issue_width = 3,
	.threads = 1,
	.free = BPMU_FREE_CLOCKS,
	.no_energy = BPMU_BEFORE_ZEN,
	.no_uncore = "core counters count its events",
};
