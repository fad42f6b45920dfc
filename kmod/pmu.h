/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counter registers: the only file of the module that touches hardware.
 */
#ifndef BPMU_PMU_H
#define BPMU_PMU_H

#include <linux/types.h>

#include "arch.h"
#include "plan.h"

/* enough for every part: SDM Vol. 3, CPUID leaf 0xA; checked in the probe */
#define BPMU_PMU_MAX_GP 16
#define BPMU_PMU_MAX_FIXED 4

/**
 * struct bpmu_pmu_saved - what one CPU's registers held before a session
 * @select: event selects
 * @counter: general counters
 * @fixed: fixed counters
 * @fixed_ctrl: control of the fixed counters
 * @global_ctrl: global enable bits
 * @global_status: overflow bits
 */
struct bpmu_pmu_saved {
	u64 select[BPMU_PMU_MAX_GP];
	u64 counter[BPMU_PMU_MAX_GP];
	u64 fixed[BPMU_PMU_MAX_FIXED];
	u64 fixed_ctrl;
	u64 global_ctrl;
	u64 global_status;
};

int bpmu_pmu_probe(void);
const struct bpmu_pmu *bpmu_pmu_get(void);

int bpmu_pmu_reserve(void);
void bpmu_pmu_release(void);
u64 bpmu_pmu_guard_ns(void);

u64 bpmu_pmu_foreign(void);
int bpmu_pmu_save(struct bpmu_pmu_saved *saved);
void bpmu_pmu_restore(const struct bpmu_pmu_saved *saved);
int bpmu_pmu_program(const struct bpmu_plan_group *group);
void bpmu_pmu_start(const struct bpmu_plan_group *group);
void bpmu_pmu_stop(void);
void bpmu_pmu_read(const struct bpmu_plan_group *group, u64 *values);

#endif /* BPMU_PMU_H */
