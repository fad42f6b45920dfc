// SPDX-License-Identifier: GPL-2.0
#include "intel.h"
#include "parts.h"

static const struct bpmu_cpu_id no_ids[] = {
	{ 0 }
};

/*
 * Itanium 2 is not x86, so the module cannot run on it. This descriptor has no registers; with it
 * the tool evaluates counts that another program measured. Itanium 2's event selects have the same
 * fields as the event selects of other parts.
 */
const struct bpmu_part bpmu_intel_itanium2 = {
	.name = "itanium2",
	.title = "Intel Itanium 2",
	.ids = no_ids,
	.legal = BPMU_SEL_LEGAL_NOANY,
	.gp_counters = 4,
	.gp_width = 47,
	.issue_width = 6,
	.threads = 1,
};
