/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of a tree from counts, with the sampling error of multiplexing; confidence
 * intervals and p-values of counts and of means.
 */
#ifndef BPMU_SPREAD_H
#define BPMU_SPREAD_H

#include "interval.h"
#include "tree/tree.h"
#include "tree/tree_subset.h"

/*
 * Minimum number of slices of a group from which a confidence interval is computed. For programs
 * with bursts, 86 % of the 95 % intervals hold the true value with 4 slices, 92 to 94 % with 8
 * slices, and 95 % with 12 slices.
 */
#define BPMU_SPREAD_SLICES 12

double bpmu_student(double freedom);
double bpmu_student_p(double t, double freedom);
double bpmu_student_family(double freedom, unsigned int nr);
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate);
void bpmu_spread_values(const struct bpmu_tree *tree,
			const struct bpmu_interval *interval,
			unsigned int nr_cpus, struct bpmu_tree_value *values);
void bpmu_spread_subset(const struct bpmu_tree_subset *subset,
			const struct bpmu_interval *interval, unsigned int nr_cpus,
			struct bpmu_tree_value *values);
void bpmu_spread_eval(const struct bpmu_tree *tree,
		      const struct bpmu_interval *interval, unsigned int nr_cpus,
		      struct bpmu_tree_value *values);

#endif /* BPMU_SPREAD_H */
