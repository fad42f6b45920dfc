/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One event on one CPU over one interval, as moments of its rotation slices. A
 * ratio estimator needs them to scale the count and to give its variance (Cochran,
 * Sampling Techniques, chapter 6).
 */
#ifndef BPMU_CELL_H
#define BPMU_CELL_H

#include <stdbool.h>

#include "arch.h"

/**
 * struct bpmu_cell - moments over the slices of one event
 * @count: events counted while its group was scheduled
 * @running: TSC ticks for which it was scheduled
 * @slices: number of slices
 * @sum_tt: sum of t^2, with t a slice's length in TSC ticks
 * @sum_tx: sum of t * x, with x the slice's count
 * @sum_xx: sum of x^2
 */
struct bpmu_cell {
	u64 count;
	u64 running;
	u64 slices;
	double sum_tt;
	double sum_tx;
	double sum_xx;
};

/* batches of a cell: slice n is in batch n modulo their number, at most this */
#define BPMU_BATCHES 32

/**
 * struct bpmu_batch - sums over every n-th slice of a cell
 * @count: events counted in these slices
 * @ticks: length of these slices in TSC ticks
 */
struct bpmu_batch {
	u64 count;
	u64 ticks;
};

/**
 * struct bpmu_estimate - a count with its uncertainty
 * @value: events; scaled to @enabled if the group was multiplexed
 * @variance: of @value, 0 if it is exact
 * @freedom: degrees of freedom of @variance
 * @enabled: TSC ticks that the session ran, summed over CPUs
 * @running: TSC ticks that the event was on a counter, summed over CPUs
 * @missing: the group was never scheduled on one of the CPUs, whose count is not
 *	in @value
 */
struct bpmu_estimate {
	double value;
	double variance;
	double freedom;
	u64 enabled;
	u64 running;
	bool missing;
};

/**
 * bpmu_cell_add_slice() - add a slice, or a piece of one
 * @cell: gets it
 * @count: events counted in it
 * @ticks: its length in TSC ticks
 *
 * Several pieces of one slice may be given one by one.
 */
static inline void bpmu_cell_add_slice(struct bpmu_cell *cell, u64 count,
				       u64 ticks)
{
	cell->count += count;
	cell->running += ticks;
	cell->slices++;
	cell->sum_tt += (double)ticks * ticks;
	cell->sum_tx += (double)ticks * count;
	cell->sum_xx += (double)count * count;
}

void bpmu_cell_sum(struct bpmu_cell *cell, const struct bpmu_cell *other,
		   int sign);
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool multiplexed,
			struct bpmu_estimate *sum);
double bpmu_student(double freedom);
double bpmu_student_p(double t, double freedom);
bool bpmu_estimate_seen(const struct bpmu_estimate *estimate);
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate);

#endif /* BPMU_CELL_H */
