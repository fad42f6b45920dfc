/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counter registers of a package. Any CPU of the package reaches them; the
 * session sees to it that one does.
 */
#ifndef BPMU_UNCORE_H
#define BPMU_UNCORE_H

#include <linux/types.h>

#include "plan.h"

/* all counters of all boxes */
#define BPMU_UNCORE_REGISTERS (BPMU_UNCORE_BOXES * BPMU_UNCORE_PER_BOX)

/**
 * struct bpmu_uncore_saved - what a package's registers held before a session
 * @select: event selects, by counter number
 * @counter: counters, by counter number
 * @global_ctrl: start and stop
 */
struct bpmu_uncore_saved {
	u64 select[BPMU_UNCORE_REGISTERS];
	u64 counter[BPMU_UNCORE_REGISTERS];
	u64 global_ctrl;
};

bool bpmu_uncore_foreign(const struct bpmu_pmu *pmu);
int bpmu_uncore_save(const struct bpmu_pmu *pmu,
		     struct bpmu_uncore_saved *saved);
void bpmu_uncore_restore(const struct bpmu_pmu *pmu,
			 const struct bpmu_uncore_saved *saved);
int bpmu_uncore_program(const struct bpmu_pmu *pmu,
			const struct bpmu_plan_group *group);
void bpmu_uncore_start(const struct bpmu_pmu *pmu,
		       const struct bpmu_plan_group *group);
void bpmu_uncore_stop(const struct bpmu_pmu *pmu,
		      const struct bpmu_plan_group *group);
void bpmu_uncore_read(const struct bpmu_pmu *pmu,
		      const struct bpmu_plan_group *group, u64 *values);

#endif /* BPMU_UNCORE_H */
