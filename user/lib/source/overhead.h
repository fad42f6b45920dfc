/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the overhead of sampling on this machine: how long it takes to take a sample.
 */
#ifndef BPMU_OVERHEAD_H
#define BPMU_OVERHEAD_H

#include "arch.h"
#include "base/error.h"
#include "base/fields.h"

#define BPMU_OVERHEAD_FIELDS 6

/**
 * struct bpmu_overhead - how long the module takes to take a sample; all times are in TSC ticks
 * @events: number of counters that a sample reads
 * @samples: number of samples that were measured
 * @median: median time that the module's timer handler takes for a sample
 * @least: shortest time that the handler takes for a sample
 * @most: longest time that the handler takes for a sample
 * @reading: median time in which the handler reads the counters, a part of its time for a sample
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
