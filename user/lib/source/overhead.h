/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overhead of sampling: how long it takes to take a sample on this machine.
 */
#ifndef BPMU_OVERHEAD_H
#define BPMU_OVERHEAD_H

#include "arch.h"
#include "base/error.h"
#include "base/fields.h"

#define BPMU_OVERHEAD_FIELDS 6

/**
 * struct bpmu_overhead - how many TSC ticks it takes to take a sample on the first CPU
 * @events: number of counters that a sample reads
 * @samples: number of samples that were measured
 * @median: median time that the module's timer handler takes for a sample
 * @least: minimum time that the handler takes
 * @most: maximum time that the handler takes
 * @reading: median time of reading the counters alone
 * @reading_low: lower bound of the 95 % confidence interval of @reading
 * @reading_high: upper bound of the 95 % confidence interval of @reading
 */
struct bpmu_overhead {
	unsigned int events;
	unsigned int samples;
	u64 median;
	u64 least;
	u64 most;
	u64 reading;
	u64 reading_low;
	u64 reading_high;
};

void bpmu_overhead_fields(const struct bpmu_overhead *overhead,
			  struct bpmu_field field[BPMU_OVERHEAD_FIELDS]);
int bpmu_overhead_measure(struct bpmu_overhead *overhead,
			  struct bpmu_error *err);

#endif /* BPMU_OVERHEAD_H */
