/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts between two samples. The type of a register decides how its count is computed from raw
 * values. This is decided once for each slot, when the groups have been made.
 */
#ifndef BPMU_DELTA_H
#define BPMU_DELTA_H

#include "event/groups.h"
#include "free.h"

/**
 * enum bpmu_delta_form - contents of a slot's register
 * @BPMU_DELTA_COUNT: a free-running count, modulo the register's width
 * @BPMU_DELTA_ANEW: a count that restarts at 0 after each sample: that of the counter of slots when
 *	PERF_METRICS is read as well
 * @BPMU_DELTA_FRACTION: a field of PERF_METRICS, in 1/255 of the slots
 * @BPMU_DELTA_GAUGE: a momentary value, such as a temperature, which is multiplied by the time
 *	since the previous sample
 */
enum bpmu_delta_form {
	BPMU_DELTA_COUNT,
	BPMU_DELTA_ANEW,
	BPMU_DELTA_FRACTION,
	BPMU_DELTA_GAUGE
};

/**
 * struct bpmu_delta - how a slot's count between two samples is computed
 * @form: &enum bpmu_delta_form
 * @slot: index of the slot in the values of the previous sample
 * @value: index of the slot in the values of a sample
 * @mask: valid bits of the register, for %BPMU_DELTA_COUNT
 * @shift: lowest bit of the field, for %BPMU_DELTA_FRACTION
 * @with: index of the slot whose value is needed, too: that of the counter of slots for
 *	%BPMU_DELTA_FRACTION, that of the TSC for %BPMU_DELTA_GAUGE; -1 if there is none
 * @with_value: index of @with in the values of a sample
 * @reg: free-running register, for %BPMU_DELTA_GAUGE
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
