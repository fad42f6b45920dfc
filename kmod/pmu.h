/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counter registers of a logical CPU. With uncore.c and prefetch.c this is
 * all of the module that touches hardware.
 */
#ifndef BPMU_PMU_H
#define BPMU_PMU_H

#include <linux/types.h>

#include "arch.h"
#include "plan.h"

/**
 * struct bpmu_pmu_saved - what one CPU's registers held before a session
 * @select: event selects
 * @counter: general counters
 * @fixed: fixed counters
 * @fixed_ctrl: control of the fixed counters
 * @metrics: PERF_METRICS
 * @global_ctrl: global enable bits
 * @global_status: overflow bits
 */
struct bpmu_pmu_saved {
	u64 select[BPMU_MAX_GP];
	u64 counter[BPMU_MAX_GP];
	u64 fixed[BPMU_MAX_FIXED];
	u64 fixed_ctrl;
	u64 metrics;
	u64 global_ctrl;
	u64 global_status;
};

/**
 * bpmu_pmu_read() - raw values of a group's counters
 * @setup: of the group
 * @nr: number of its events
 * @values: filled in, one for each event
 *
 * The instruction itself: the kernel's own word for it can be traced.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static inline void bpmu_pmu_read(const struct bpmu_setup *setup,
				 unsigned int nr, u64 *values)
{
	unsigned long low, high;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		asm volatile("rdpmc"
			     : "=a" (low), "=d" (high) : "c" (setup->index[i]));
		values[i] = high << 32 | low;
	}
}

int bpmu_pmu_probe(void);
int bpmu_pmu_probe_cpu(void);
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu);
bool bpmu_pmu_reservation_works(void);
int bpmu_pmu_reserve(void);
void bpmu_pmu_release(void);
u64 bpmu_pmu_guard_ns(const struct bpmu_pmu *pmu);

u64 bpmu_pmu_foreign(void);
int bpmu_pmu_save(struct bpmu_pmu_saved *saved);
void bpmu_pmu_restore(const struct bpmu_pmu_saved *saved);
void bpmu_pmu_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group);
int bpmu_pmu_check(const struct bpmu_setup *setup);
void bpmu_pmu_program(const struct bpmu_setup *setup);
void bpmu_pmu_begin_near_top(u32 top);
void bpmu_pmu_start(const struct bpmu_setup *setup);
void bpmu_pmu_stop(void);
void bpmu_pmu_reset_metrics(void);

#endif /* BPMU_PMU_H */
