/* SPDX-License-Identifier: GPL-2.0 */
/* Mean and variance of the values that a metric or event has in several runs or intervals. */
#ifndef BPMU_REPORT_SUMS_H
#define BPMU_REPORT_SUMS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/print.h"
#include "count/flaw.h"
#include "tree/tree.h"

/**
 * struct bpmu_sum - mean and variance over runs of an event or metric on a set of CPUs
 * @label: text that names the row of the result, such as the list of its CPUs
 * @name: event or metric
 * @unit: unit of the values
 * @share: whether the values are fractions, which are printed in per cent
 * @nr: number of runs in which the value is known
 * @mean: mean of the values
 * @squares: sum of squared deviations from the mean
 * @flags: flags that the value has in any run, a subset of %BPMU_VALUE_FLAWS
 */
struct bpmu_sum {
	char *label;
	char *name;
	char *unit;
	bool share;
	unsigned int nr;
	double mean;
	double squares;
	unsigned int flags;
};

/**
 * struct bpmu_sums - mean and variance, over several runs, of all events and metrics
 * @sum: means and variances, [@nr], in the order in which the first run added its values
 * @nr: number of elements of @sum
 * @room: number of elements for which @sum has memory
 * @next: index in @sum to which the next value probably belongs, because all runs add their values
 *	in the same order
 * @failed: true if an allocation failed, so that values are missing
 * @flaws: flaws of the measurement in the latest run that has flaws
 */
struct bpmu_sums {
	struct bpmu_sum *sum;
	unsigned int nr;
	unsigned int room;
	unsigned int next;
	bool failed;
	struct bpmu_flaws flaws;
};

void bpmu_sums_add(struct bpmu_sums *sums, const char *label, const char *name,
		   const char *unit, bool share, double value,
		   unsigned int flags);
void bpmu_metric_sum(const struct bpmu_metric *metric,
		     const struct bpmu_tree_value *value, const char *label,
		     struct bpmu_sums *sums);
struct bpmu_sum *bpmu_sums_find(const struct bpmu_sums *sums,
				const char *label, const char *name);
unsigned int bpmu_sums_runs(const struct bpmu_sums *sums);
double bpmu_sum_half_width(const struct bpmu_sum *sum);
void bpmu_sums_print(FILE *out, enum bpmu_format format, const char *separator,
		     const struct bpmu_sums *sums);
void bpmu_sums_free(struct bpmu_sums *sums);

#endif /* BPMU_REPORT_SUMS_H */
