/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates a tree on some of the CPUs of an interval.
 */
#ifndef BPMU_TOP_SUM_H
#define BPMU_TOP_SUM_H

#include "event/rows.h"
#include "source/measure.h"
#include "top_draw.h"

/**
 * struct bpmu_top_sum - parameters of the evaluation
 * @tree: tree of the step that was measured; its slots and counts are overwritten
 * @interval: the counts
 * @nr_cpus: number of CPUs of @interval
 * @rows: aggregation of CPUs into rows
 */
struct bpmu_top_sum {
	const struct bpmu_tree *tree;
	const struct bpmu_interval *interval;
	unsigned int nr_cpus;
	const struct bpmu_rows *rows;
};

int bpmu_top_sum_rows(const struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		      struct bpmu_error *err);
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row);

#endif /* BPMU_TOP_SUM_H */
