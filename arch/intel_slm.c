// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Silvermont and its successor Airmont have two slots per cycle (Linux,
 * arch/x86/events/intel/core.c, slm_events_attrs), two general-purpose counters and the same events
 * (mapfile.csv of Intel's event files). Source of the models: Linux, intel-family.h. Models 5DH and
 * 65H, SoFIA, are in neither of these sources and count only the architectural events.
 *
 * Their energy units are 2^n microjoules: SDM Vol. 4, table 2-8, and Linux, intel_rapl_common.c,
 * rapl_check_unit_atom(). SDM table 2-10 says the same of model 4DH. That model has the units of
 * all other parts instead: in issue 13 of powercap/raplcap microjoules gave more than 10 kW; Linux,
 * turbostat.c, slvd_features. Only table 2-10 lists the bits that switch prefetchers off.
 */
static const struct bpmu_cpu_id slm_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x37 },
	{ BPMU_VENDOR_INTEL, 6, 0x4a },
	{ BPMU_VENDOR_INTEL, 6, 0x4c },
	{ BPMU_VENDOR_INTEL, 6, 0x5a },
	{ BPMU_VENDOR_INTEL, 6, 0x75 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_slm = {
	.name = "slm",
	.title = "Intel Silvermont or Airmont (Bay Trail, Braswell, Cherry Trail)",
	.pfm = "slm",
	.ids = slm_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_slm_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 2,
	.threads = 1,
	.quirks = BPMU_QUIRK_MICROJOULES | BPMU_QUIRK_PEBS_0,
	.free = BPMU_FREE_SLM,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};

static const struct bpmu_cpu_id avn_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x4d },
	{ 0 }
};

const struct bpmu_part bpmu_intel_avn = {
	.name = "avn",
	.title = "Intel Silvermont (Avoton, Rangeley)",
	.pfm = "slm",
	.ids = avn_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.extras = bpmu_intel_slm_extras,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 2,
	.threads = 1,
	.prefetch = BPMU_PREFETCH_ATOM,
	.quirks = BPMU_QUIRK_PEBS_0,
	.free = BPMU_FREE_SLM,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};
