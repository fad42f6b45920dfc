/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a tree: only those statements of its formulas, and those events, that some of its
 * metrics need. It gives the values of these metrics, and whether they are flagged, without the
 * uncertainty of multiplexing.
 */
#ifndef BPMU_TREE_SUBSET_H
#define BPMU_TREE_SUBSET_H

#include "tree.h"

/**
 * struct bpmu_tree_subset_group - the events of a group that a subset of a tree needs
 * @event: indices of the events in &bpmu_tree.events of the group, [@nr]
 * @slots: counters of the group that count these events, [@nr]; not set at BPMU_TREE_TOTAL()
 * @nr: number of events
 */
struct bpmu_tree_subset_group {
	unsigned int *event;
	struct bpmu_slots *slots;
	unsigned int nr;
};

/**
 * struct bpmu_tree_subset - a subset of a tree
 * @tree: the tree, from bpmu_tree_make(); must outlive the subset
 * @metric: the metrics of the subset, [@nr_metrics]
 * @nr_metrics: number of @metric
 * @needed: whether the subset needs a variable (slot) of &bpmu_tree.program, [variables]
 * @run: statements of &bpmu_tree.program to execute, [@nr_runs]: sequences of statements, from
 *	first to end
 * @nr_runs: number of @run
 * @group: events, [BPMU_TREE_GROUPS]
 * @has_totals: whether some of them are at BPMU_TREE_TOTAL()
 * @event: memory for the events of all groups
 * @slots: memory for their counters
 * @count: memory for the counts of the events of one group
 */
struct bpmu_tree_subset {
	const struct bpmu_tree *tree;
	unsigned int *metric;
	unsigned int nr_metrics;
	bool *needed;
	struct bpmu_statement *run;
	unsigned int nr_runs;
	struct bpmu_tree_subset_group group[BPMU_TREE_GROUPS];
	bool has_totals;
	unsigned int *event;
	struct bpmu_slots *slots;
	double *count;
};

int bpmu_tree_subset_init(struct bpmu_tree_subset *subset, const struct bpmu_tree *tree,
			  struct bpmu_error *err);
void bpmu_tree_subset_free(struct bpmu_tree_subset *subset);
void bpmu_tree_subset_begin(struct bpmu_tree_subset *subset);
void bpmu_tree_subset_add(struct bpmu_tree_subset *subset, unsigned int metric);
void bpmu_tree_subset_add_event(struct bpmu_tree_subset *subset, unsigned int g,
				unsigned int event);
void bpmu_tree_subset_end(struct bpmu_tree_subset *subset);
void bpmu_tree_subset_compute(const struct bpmu_tree_subset *subset,
			      struct bpmu_tree_value *values);

#endif /* BPMU_TREE_SUBSET_H */
