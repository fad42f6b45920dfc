/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds events in groups that were already counted, in a recording or in the session of another
 * process.
 */
#ifndef BPMU_COUNTED_H
#define BPMU_COUNTED_H

#include "sched.h"

int bpmu_counted_slot(const struct bpmu_part *part, const struct bpmu_sched *counted,
		      const struct bpmu_sched *wanted, unsigned int slot);
bool bpmu_counted_has(const struct bpmu_pmu *pmu, const struct bpmu_sched *counted,
		      const struct bpmu_event_spec *spec);
int bpmu_counted_lacks(const struct bpmu_pmu *pmu, bool live, const char *event,
		       struct bpmu_error *err);

#endif /* BPMU_COUNTED_H */
