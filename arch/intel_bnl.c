// SPDX-License-Identifier: GPL-2.0
#include "free.h"
#include "intel.h"
#include "parts.h"

/*
 * Bonnell and Saltwell, the in-order cores of Atom N, D and Z up to 2012, with two threads and two
 * slots per cycle. Source of the models: mapfile.csv of Intel's event files; of the slots: LLVM,
 * X86ScheduleAtom.td, IssueWidth, taken from Intel's optimization manual, chapter 13. CPUID
 * enumerates only one fixed counter on some models. Linux reads neither energy nor C-state
 * registers of these parts.
 */
static const struct bpmu_cpu_id bnl_ids[] = {
	{ BPMU_VENDOR_INTEL, 6, 0x1c },
	{ BPMU_VENDOR_INTEL, 6, 0x26 },
	{ BPMU_VENDOR_INTEL, 6, 0x27 },
	{ BPMU_VENDOR_INTEL, 6, 0x35 },
	{ BPMU_VENDOR_INTEL, 6, 0x36 },
	{ 0 }
};

const struct bpmu_part bpmu_intel_bnl = {
	.name = "bnl",
	.title = "Intel Bonnell or Saltwell (Atom D, N and Z)",
	.pfm = "atom",
	.ids = bnl_ids,
	.msrs = BPMU_INTEL_MSRS,
	.legal = BPMU_SEL_LEGAL,
	.cpuid_leaf = BPMU_CPUID_PERFMON,
	.issue_width = 2,
	.threads = 2,
	.free = BPMU_FREE_INTEL,
	.no_energy = BPMU_BEFORE_RAPL,
	.no_uncore = BPMU_NOT_DOCUMENTED,
};
