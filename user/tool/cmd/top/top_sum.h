/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates a tree from the counts of an interval, for the CPUs of each row.
 */
#ifndef BPMU_TOP_SUM_H
#define BPMU_TOP_SUM_H

#include "event/rows.h"
#include "metric/metric_formula.h"
#include "source/measure.h"
#include "top_draw.h"
#include "view/interval_row.h"

/**
 * struct bpmu_top_sum - an interval whose rows are evaluated when they are shown
 * @tree: tree of the step that was measured; its slots and counts are overwritten. Both it and the
 *	arrays of @interval must stay valid until the last row was judged
 * @interval: the counts
 * @nr_cpus: number of CPUs of @interval
 * @rows: aggregation of CPUs into rows
 * @part: memory for the counts of a row
 * @clock: clock of @tree, whose count is the MHz of a row
 */
struct bpmu_top_sum {
	const struct bpmu_tree *tree;
	struct bpmu_interval interval;
	unsigned int nr_cpus;
	const struct bpmu_rows *rows;
	struct bpmu_interval_row part;
	struct bpmu_formula clock;
};

int bpmu_top_sum_begin(struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		       struct bpmu_error *err);
void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r);
void bpmu_top_sum_judge(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r);
void bpmu_top_sum_end(struct bpmu_top_sum *sum);
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row);

#endif /* BPMU_TOP_SUM_H */
