/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a counter has counted between two samples. How to tell depends on the
 * register: it is found once, when the groups are made.
 */
#ifndef BPMU_DELTA_H
#define BPMU_DELTA_H

#include "event/groups.h"
#include "free.h"

/**
 * enum bpmu_delta_form - what a slot's register holds
 * @BPMU_DELTA_COUNT: a count that goes on, modulo the register's width
 * @BPMU_DELTA_ANEW: a count that begins at 0 after each sample: slots that are
 *	read together with PERF_METRICS
 * @BPMU_DELTA_FRACTION: PERF_METRICS: a 255th of these slots
 * @BPMU_DELTA_GAUGE: a state, which is weighted by the time for which it holds
 */
enum bpmu_delta_form {
	BPMU_DELTA_COUNT,
	BPMU_DELTA_ANEW,
	BPMU_DELTA_FRACTION,
	BPMU_DELTA_GAUGE
};

/**
 * struct bpmu_delta - how to take the difference of a slot
 * @form: &enum bpmu_delta_form
 * @slot: the slot, an index into the values of the sample before
 * @value: index into the values of a sample
 * @mask: of %BPMU_DELTA_COUNT, the bits that the register has
 * @shift: of %BPMU_DELTA_FRACTION, the lowest bit of its field
 * @with: the slot that is read together with it: of %BPMU_DELTA_FRACTION the slots,
 *	of %BPMU_DELTA_GAUGE the TSC; -1 for none
 * @with_value: index of that into the values of a sample
 * @reg: of %BPMU_DELTA_GAUGE
 */
struct bpmu_delta {
	enum bpmu_delta_form form;
	unsigned int slot;
	unsigned int value;
	u64 mask;
	unsigned int shift;
	int with;
	unsigned int with_value;
	const struct bpmu_free *reg;
};

struct bpmu_delta bpmu_delta_of_slot(const struct bpmu_pmu *pmu,
				     const struct bpmu_sched *sched,
				     unsigned int slot);
struct bpmu_delta *bpmu_deltas_new(const struct bpmu_pmu *pmu,
				   const struct bpmu_groups *groups);
u64 bpmu_delta(const struct bpmu_delta *delta, const u64 *last,
	       const u64 *values, u64 ticks);

#endif /* BPMU_DELTA_H */
