/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates a metric tree for "barepmu top": for each row of the live view, from the counts in an
 * interval of the row's CPUs, such as those of a core.
 */
#ifndef BPMU_TOP_SUM_H
#define BPMU_TOP_SUM_H

#include "event/rows.h"
#include "metric/metric_formula.h"
#include "source/measure.h"
#include "top_draw.h"
#include "tree/tree_subset.h"
#include "view/interval_row.h"

/**
 * struct bpmu_top_count - where a tree has a count of an event
 * @group: number of the group
 * @event: index of the event in &bpmu_tree.events of the group
 */
struct bpmu_top_count {
	unsigned int group;
	unsigned int event;
};

/**
 * struct bpmu_top_operand - an operand of the formula for clock cycles
 * @constant: &enum bpmu_metric_constant, or -1 for an event
 * @first: index of the event's first count in &bpmu_top_sum.counts
 * @end: index after its last one
 */
struct bpmu_top_operand {
	int constant;
	unsigned int first;
	unsigned int end;
};

/**
 * struct bpmu_top_sum - counts of an interval; each row is evaluated from them when it is shown
 * @tree: tree of the nodes that were measured. Each evaluation of a row overwrites counts in the
 *	tree. The tree, and the arrays of @interval, must stay valid until the last row has been
 *	evaluated
 * @interval: the counts of all CPUs
 * @nr_cpus: number of CPUs of @interval
 * @rows: which CPUs each row of the live view adds up
 * @part: buffer for the counts of a row's CPUs
 * @clock: formula of @tree for clock cycles, from which the MHz of a row are computed
 * @operand: operands of @clock, [nr operands]
 * @counts: counts of all operands that are events
 * @chosen: @sorted and @column are set
 * @column: column by which rows are sorted, as &bpmu_top_state.column
 * @sorted: the part of @tree that @column and the MHz need
 */
struct bpmu_top_sum {
	const struct bpmu_tree *tree;
	struct bpmu_interval interval;
	unsigned int nr_cpus;
	const struct bpmu_rows *rows;
	struct bpmu_interval_row part;
	struct bpmu_formula clock;
	struct bpmu_top_operand *operand;
	struct bpmu_top_count *counts;
	bool chosen;
	int column;
	struct bpmu_tree_subset sorted;
};

int bpmu_top_sum_begin(struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		       struct bpmu_error *err);
void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r,
			 int column);
void bpmu_top_sum_judge(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r);
void bpmu_top_sum_end(struct bpmu_top_sum *sum);
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row);

#endif /* BPMU_TOP_SUM_H */
