/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A step of a drill-down: a time of the run in which the same nodes are measured.
 */
#ifndef BPMU_STEP_H
#define BPMU_STEP_H

#include "interval.h"
#include "tree/tree.h"

/**
 * struct bpmu_step - sums over the intervals of a step of a drill-down
 * @tree: nodes of the step, and the groups to count
 * @sum: counts over all CPUs, summed over the intervals in which the event was counted,
 *	[group][event]
 * @seen: TSC ticks of those intervals, [group][event]
 * @enabled: TSC ticks of all intervals, [group]
 * @spread: sum over intervals of (uncertainty of the metric's value * length of the interval)^2,
 *	[nr metrics]
 * @longer: longest measurement time in seconds that an interval would have needed for a confidence
 *	interval of the metric, &bpmu_tree_value.longer, [nr metrics]
 * @occurred: true if there is an interval in which each event of the metric occurred, [nr metrics]
 * @bursty: total length in seconds of the intervals in which the metric was bursty, [nr metrics]
 * @flags: mask of &enum bpmu_value_flag for the flaws that samples of the step report
 * @seconds: total length of all intervals in seconds
 * @whole: true if at least one of the intervals had the requested length
 */
struct bpmu_step {
	struct bpmu_tree tree;
	double *sum[BPMU_TREE_GROUPS];
	double *seen[BPMU_TREE_GROUPS];
	double enabled[BPMU_TREE_GROUPS];
	double *spread;
	double *longer;
	bool *occurred;
	double *bursty;
	unsigned int flags;
	double seconds;
	bool whole;
};

int bpmu_step_make(struct bpmu_step *step,
		   const struct bpmu_tree_wish *wish,
		   const struct bpmu_tree *all, struct bpmu_error *err);
void bpmu_step_free(struct bpmu_step *step);
void bpmu_step_add(struct bpmu_step *step, unsigned int nr_cpus,
		   const struct bpmu_interval *interval,
		   struct bpmu_tree_value *values);
void bpmu_step_total(struct bpmu_step *step, struct bpmu_tree_value *values);

#endif /* BPMU_STEP_H */
