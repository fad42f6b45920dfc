/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one counter of a group counted on one CPU in an interval, in as many
 * turns as the group had, and what that says of the time between its turns.
 */
#ifndef BPMU_CELL_H
#define BPMU_CELL_H

#include <stdbool.h>

#include "arch.h"

/**
 * struct bpmu_cell - sums over the turns
 * @count: counted
 * @running: TSC ticks of the turns
 * @turns: their number
 * @tt: sum of the squares of their lengths
 * @tx: sum of length times count
 * @xx: sum of the squares of their counts
 */
struct bpmu_cell {
	u64 count;
	u64 running;
	u64 turns;
	double tt;
	double tx;
	double xx;
};

/* turns are told apart by their number modulo at most this */
#define BPMU_BATCHES 32

/**
 * struct bpmu_batch - sums over every so many'th turn
 * @count: counted
 * @ticks: TSC ticks of these turns
 */
struct bpmu_batch {
	u64 count;
	u64 ticks;
};

/**
 * struct bpmu_estimate - a count with its uncertainty
 * @value: the count; where turns were taken, what it would have been in all of
 *	the time
 * @variance: of @value, 0 if it is exact
 * @freedom: degrees of freedom behind @variance
 * @enabled: TSC ticks
 * @running: TSC ticks
 * @missing: a CPU's group had no turn at all: its part is not in @value
 */
struct bpmu_estimate {
	double value;
	double variance;
	double freedom;
	u64 enabled;
	u64 running;
	bool missing;
};

void bpmu_cell_turn(struct bpmu_cell *cell, u64 count, u64 ticks);
void bpmu_cell_sum(struct bpmu_cell *cell, const struct bpmu_cell *other,
		   int sign);
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool turns,
			struct bpmu_estimate *sum);
double bpmu_student(double freedom);
double bpmu_student_p(double t, double freedom);
bool bpmu_estimate_seen(const struct bpmu_estimate *estimate);
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate);

#endif /* BPMU_CELL_H */
