// SPDX-License-Identifier: GPL-2.0
#include "intel.h"
#include "parts.h"

static const struct bpmu_cpu_id no_ids[] = {
	{ 0 }
};

/*
 * Itanium 2 is not x86: the module cannot run on it. This descriptor without registers lets the
 * tool evaluate counts from elsewhere. Its event selects have the layout of the other parts.
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
