/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of the same name, of several runs or intervals: mean and scatter.
 */
#ifndef BPMU_REPORT_SUMS_H
#define BPMU_REPORT_SUMS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/print.h"
#include "count/flaw.h"
#include "tree/tree.h"

/**
 * struct bpmu_sum - values of one name
 * @label: of the row: its CPUs
 * @name: event or metric
 * @unit: of the values
 * @share: of something: shown in per cent
 * @nr: values that were known
 * @mean: of them
 * @squares: sum of the squares of their deviations from it
 * @flags: what is to be known of some, of %BPMU_VALUE_FLAWS
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
 * struct bpmu_sums - all of them, in the order of the first run
 * @sum: sum of a name in a row, [nr]
 * @nr: their number
 * @room: in @sum
 * @next: the one that is likely to come next
 * @failed: memory ran out
 * @flaws: of the latest run that has any: what samples said against its counts
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
void bpmu_tree_sum(const struct bpmu_tree *tree, unsigned int i,
		   const struct bpmu_tree_value *value, const char *label,
		   struct bpmu_sums *sums);
struct bpmu_sum *bpmu_sums_find(const struct bpmu_sums *sums,
				const char *label, const char *name);
double bpmu_sum_half_width(const struct bpmu_sum *sum);
void bpmu_sums_print(FILE *out, enum bpmu_format format, const char *separator,
		     const struct bpmu_sums *sums);
void bpmu_sums_free(struct bpmu_sums *sums);

#endif /* BPMU_REPORT_SUMS_H */
