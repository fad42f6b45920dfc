/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overhead of taking a sample on this machine.
 */
#ifndef BPMU_OVERHEAD_H
#define BPMU_OVERHEAD_H

#include "arch.h"
#include "base/error.h"
#include "base/fields.h"

#define BPMU_OVERHEAD_FIELDS 6

/**
 * struct bpmu_overhead - TSC ticks of a sample on the first CPU
 * @events: number of counters read
 * @samples: number of samples taken to measure it
 * @median: median of the whole handler
 * @least: minimum of the whole handler
 * @most: maximum of the whole handler
 * @reading: median of reading the counters alone
 * @reading_low: lower bound of its 95 % confidence interval
 * @reading_high: upper bound of its 95 % confidence interval
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
