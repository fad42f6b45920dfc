/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree of metrics on a PMU: which events it needs, in which groups, and its
 * values once these are counted.
 *
 *   bpmu_tree_init(&tree, "topdown", &pmu, smt, level, &err);
 *   measure tree.groups, fill counts[g][i] for each event i of tree.events[g]
 *   bpmu_tree_eval(&tree, counts, values);
 *   for each metric i of which bpmu_tree_shown(&tree, i): print values[i]
 *   bpmu_tree_free(&tree);
 */
#ifndef BPMU_TREE_H
#define BPMU_TREE_H

#include <stdbool.h>

#include "event.h"
#include "groups.h"
#include "metric.h"
#include "metric_pack.h"

#define BPMU_TREE_GROUPS BPMU_PACK_GROUPS

/**
 * struct bpmu_tree_value - a metric's value
 * @known: false if an event is missing or a divisor is 0: print "no value"
 * @value: as computed, never clamped; only if @known
 * @flagged: over its threshold, and so are all nodes above it
 * @impossible: below 0 or above 1, which no fraction can be
 */
struct bpmu_tree_value {
	bool known;
	double value;
	bool flagged;
	bool impossible;
};

/**
 * struct bpmu_tree - a method, down to some level, on a PMU
 * @metrics: lines of the method, nodes and definitions; values go by their
 *	numbers
 * @level: deepest level asked for
 * @events: of each group
 * @groups: the same on counters
 * @window: for each metric the group that holds all its events, or -1: then
 *	each count is taken per clock of its own group
 * @smt: as given
 */
struct bpmu_tree {
	struct bpmu_metrics metrics;
	unsigned int level;
	struct bpmu_event_list events[BPMU_TREE_GROUPS];
	struct bpmu_groups groups;
	int *window;
	int smt;
};

int bpmu_tree_init(struct bpmu_tree *tree, const char *method,
		   const struct bpmu_pmu *pmu, int smt, unsigned int level,
		   struct bpmu_error *err);
void bpmu_tree_free(struct bpmu_tree *tree);
bool bpmu_tree_shown(const struct bpmu_tree *tree, unsigned int i);
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values);

#endif /* BPMU_TREE_H */
