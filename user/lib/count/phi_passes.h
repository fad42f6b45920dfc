/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passes of a measurement on Knights Corner. A pass is a run of the program, in which two events
 * are counted together.
 */
#ifndef BPMU_PHI_PASSES_H
#define BPMU_PHI_PASSES_H

#include "event/groups.h"

#define BPMU_PHI_COUNTERS 2
#define BPMU_PHI_PASSES 10
/*
 * Upper limit of the indices of events: with two counters, counter c of pass p counts the event
 * with the index 2 * p + c. In some passes the second counter is not used.
 */
#define BPMU_PHI_EVENTS (BPMU_PHI_PASSES * BPMU_PHI_COUNTERS)

/*
 * Indices of the two events by which it is known which threads ran, and for how long: instructions
 * executed and unhalted clocks
 */
#define BPMU_PHI_INSTRUCTIONS 0
#define BPMU_PHI_CLOCKS 1

/**
 * struct bpmu_phi_passes - passes of a measurement on Knights Corner
 * @events: events of each pass, [BPMU_PHI_PASSES]
 * @groups: groups of these events; the group of a pass has the index of the pass
 */
struct bpmu_phi_passes {
	struct bpmu_event_list events[BPMU_PHI_PASSES];
	struct bpmu_groups groups;
};

const char *bpmu_phi_event(unsigned int i);
int bpmu_phi_passes_make(struct bpmu_phi_passes *passes, const struct bpmu_pmu *pmu,
			 int smt, struct bpmu_error *err);
const struct bpmu_event_spec *
bpmu_phi_passes_spec(const struct bpmu_phi_passes *passes, unsigned int i);
void bpmu_phi_passes_free(struct bpmu_phi_passes *passes);

#endif /* BPMU_PHI_PASSES_H */
