/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise events, whose samples have the address of an instruction that caused the event: which of
 * them AMD's parts sample by IBS, and whose samples have the address of the data.
 */
#ifndef BPMU_PRECISE_H
#define BPMU_PRECISE_H

#include "event/event.h"
#include "event/sched.h"

int bpmu_precise_choose(const struct bpmu_pmu *pmu, struct bpmu_event_spec *spec,
			struct bpmu_error *err);
bool bpmu_precise_has_data(const struct bpmu_part *part, const struct bpmu_sched_slot *slot);

#endif /* BPMU_PRECISE_H */
