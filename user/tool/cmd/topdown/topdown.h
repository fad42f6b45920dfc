/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu topdown" evaluates and how it is printed.
 */
#ifndef BPMU_TOPDOWN_H
#define BPMU_TOPDOWN_H

#include <stdio.h>

#include "alert.h"
#include "count/flaw.h"
#include "options.h"
#include "source/machine.h"
#include "source/measure.h"
#include "source/target.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

/**
 * struct bpmu_topdown - a call of the command
 * @options: shared ones
 * @choice: which metrics
 * @level: deepest level, or 0 if none was given
 * @extra: nodes beyond the method's own too
 * @cpi: print the stack of cycles per instruction instead
 * @compact: print a line for each interval
 * @formula: print how each value comes about
 * @together: refuse what would have to be multiplexed
 * @groups: print the groups, do not measure
 * @drill: measure below flagged nodes only
 * @target: what it measures on
 * @others: kinds of CPUs beside this one: their calls follow in an array,
 *	[BPMU_KINDS] at most, and are printed behind this one
 * @kind: name of the kind of CPUs, shown where there are two; else NULL
 * @machine: what it is
 * @errata_cpu: which errata there are
 * @alerts: what to watch for
 * @whole: all of @choice can be measured
 * @wish: how the tree is made
 * @tree: the method
 * @counts: [group][event], over all CPUs of the target
 * @seconds: how long that took
 * @duration: of the last interval
 * @stamp: end of the last interval
 * @lost: samples lost
 * @flaws: what samples said against the counts
 * @trees: printed so far
 * @step: number of the step that is printed
 * @verdict: of the interval before, or NULL
 * @out: where results go
 */
struct bpmu_topdown {
	struct bpmu_options options;
	struct bpmu_choice choice;
	unsigned int level;
	bool extra;
	bool cpi;
	bool compact;
	bool formula;
	bool together;
	bool groups;
	bool drill;
	struct bpmu_target target;
	unsigned int others;
	const char *kind;
	struct bpmu_machine machine;
	struct bpmu_errata_cpu errata_cpu;
	struct bpmu_alerts alerts;
	bool whole;
	struct bpmu_tree_wish wish;
	struct bpmu_tree tree;
	double *counts[BPMU_TREE_GROUPS];
	double seconds;
	double duration;
	struct bpmu_stamp stamp;
	u64 lost;
	struct bpmu_flaws flaws;
	unsigned int trees;
	unsigned int step;
	char *verdict;
	FILE *out;
};

int bpmu_topdown_schedule(struct bpmu_topdown *topdown, struct bpmu_error *err);
void bpmu_topdown_unschedule(struct bpmu_topdown *topdown);
int bpmu_topdown_share(struct bpmu_topdown topdown[BPMU_KINDS],
		       struct bpmu_error *err);
int bpmu_topdown_open(struct bpmu_topdown topdown[BPMU_KINDS],
		      struct bpmu_error *err);

void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval);
void bpmu_topdown_head(const struct bpmu_topdown *topdown);
void bpmu_topdown_loss(const struct bpmu_topdown *topdown);
void bpmu_topdown_rows(struct bpmu_topdown *topdown,
		       const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values);
void bpmu_topdown_verdict(struct bpmu_topdown *topdown,
			  const struct bpmu_tree_value *values);
void bpmu_topdown_alert(struct bpmu_topdown *topdown,
			const struct bpmu_tree_value *values);
void bpmu_topdown_groups(const struct bpmu_topdown *topdown);

#endif /* BPMU_TOPDOWN_H */
