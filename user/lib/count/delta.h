/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts between two samples of a group (deltas). How a delta is computed from raw values depends
 * on the type of the register. The way is chosen once for each register, when the groups have been
 * made.
 */
#ifndef BPMU_DELTA_H
#define BPMU_DELTA_H

#include "event/groups.h"
#include "free.h"

/**
 * enum bpmu_delta_form - what a register of a group contains
 * @BPMU_DELTA_COUNT: a count that goes on from sample to sample; a register of n bits has it modulo
 *	2^n
 * @BPMU_DELTA_ANEW: a count that starts anew at 0 after each sample: that of fixed counter 3
 *	(TOPDOWN.SLOTS), if the group also reads PERF_METRICS
 * @BPMU_DELTA_FRACTION: a field of PERF_METRICS, in 1/255 of TOPDOWN.SLOTS
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
 * struct bpmu_delta - how the count of a group's register between two samples is computed
 * @form: &enum bpmu_delta_form
 * @slot: index of the register's value among the stored values of the previous sample
 * @value: index of the register's value in a sample
 * @mask: %BPMU_DELTA_COUNT: valid bits of the register
 * @shift: %BPMU_DELTA_FRACTION: lowest bit of the field
 * @with: index, as of @slot, of a second register whose value is needed, too: for
 *	%BPMU_DELTA_FRACTION the counter of TOPDOWN.SLOTS, for %BPMU_DELTA_GAUGE the TSC; -1 if no
 *	second register is needed
 * @with_value: index of the second register's value in a sample
 * @reg: %BPMU_DELTA_GAUGE: the free-running register
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
