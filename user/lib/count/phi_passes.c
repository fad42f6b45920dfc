// SPDX-License-Identifier: GPL-2.0
#include "phi_passes.h"

#include <string.h>

/*
 * Events of each pass (run of the program). Nine passes of two counters would suffice for the 17
 * events. With a tenth pass the dividend and the divisor of a metric are counted in the same pass.
 * A disturbance of the program then changes both counts by the same factor, which cancels out.
 */
static const char *const pass_events[BPMU_PHI_PASSES][BPMU_PHI_COUNTERS] = {
	{ "INSTRUCTIONS_EXECUTED", "CPU_CLK_UNHALTED" },
	{ "VPU_INSTRUCTIONS_EXECUTED", "VPU_ELEMENTS_ACTIVE" },
	{ "DATA_READ_MISS_OR_WRITE_MISS", "DATA_READ_OR_WRITE" },
	{ "L2_DATA_READ_MISS_MEM_FILL", "L1_DATA_HIT_INFLIGHT_PF1" },
	{ "L2_DATA_WRITE_MISS_MEM_FILL", "EXEC_STAGE_CYCLES" },
	{ "HWP_L2MISS", "DATA_PAGE_WALK" },
	{ "L2_VICTIM_REQ_WITH_DATA", "LONG_DATA_PAGE_WALK" },
	{ "SNP_HITM_L2" },
	{ "L2_DATA_READ_MISS_CACHE_FILL" },
	{ "L2_DATA_WRITE_MISS_CACHE_FILL" },
};

/**
 * bpmu_phi_event() - name of an event that the passes for Xeon Phi's metrics count
 * @i: index of the event, below BPMU_PHI_EVENTS: the index of the pass (run of the program) in
 *	which it is counted, times 2, plus the index of the counter
 *
 * Return: the name, or NULL if this counter is not used in this pass.
 */
const char *bpmu_phi_event(unsigned int i)
{
	return pass_events[i / BPMU_PHI_COUNTERS][i % BPMU_PHI_COUNTERS];
}

/**
 * bpmu_phi_passes_make() - put the events of Xeon Phi's metrics on counters, in passes
 * @passes: filled in; free it with bpmu_phi_passes_free(), also after an error
 * @pmu: PMU of Knights Corner
 * @smt: true if threads share a core
 */
int bpmu_phi_passes_make(struct bpmu_phi_passes *passes, const struct bpmu_pmu *pmu,
			 int smt, struct bpmu_error *err)
{
	unsigned int p, i;
	int code = 0;

	memset(passes, 0, sizeof(*passes));
	bpmu_groups_begin(&passes->groups, pmu);
	for (p = 0; p < BPMU_PHI_PASSES && !code; p++) {
		for (i = 0; i < BPMU_PHI_COUNTERS && !code; i++)
			if (pass_events[p][i])
				code = bpmu_event_list_add(pmu, smt,
							   pass_events[p][i],
							   &passes->events[p],
							   err);
		if (!code)
			code = bpmu_groups_add(&passes->groups, &passes->events[p],
					       err);
	}
	return code;
}

/**
 * bpmu_phi_passes_spec() - the event of a counter in a pass (run of the program) for Xeon Phi
 * @passes: from bpmu_phi_passes_make()
 * @i: index of the pass, times 2, plus the index of the counter; below BPMU_PHI_EVENTS
 *
 * Return: the event, or NULL if this counter is not used in this pass.
 */
const struct bpmu_event_spec *
bpmu_phi_passes_spec(const struct bpmu_phi_passes *passes, unsigned int i)
{
	const struct bpmu_event_list *list;

	list = &passes->events[i / BPMU_PHI_COUNTERS];
	i %= BPMU_PHI_COUNTERS;
	return i < list->nr ? &list->spec[i] : NULL;
}

void bpmu_phi_passes_free(struct bpmu_phi_passes *passes)
{
	unsigned int p;

	bpmu_groups_free(&passes->groups);
	for (p = 0; p < BPMU_PHI_PASSES; p++)
		bpmu_event_list_free(&passes->events[p]);
}
