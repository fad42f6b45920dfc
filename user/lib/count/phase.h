/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A phase of a program: a time in which the values of the metric tree's nodes of level 1 (retiring,
 * bad speculation, ...) do not change. A change of these values begins the next phase.
 */
#ifndef BPMU_PHASE_H
#define BPMU_PHASE_H

#include "tree/tree.h"

/* Minimum number of intervals of a phase, before which the next phase cannot begin */
#define BPMU_PHASE_KNOWN 3

/* Minimum change of a node's share of the slots that begins a phase; the share is from 0 to 1 */
#define BPMU_PHASE_LEAST 0.02

/**
 * struct bpmu_phase_node - sums of a node's values over a phase, for the mean and the variance
 * @seconds: total length in seconds of the intervals in which the node was measured
 * @known: total length in seconds of the intervals in which the node had a value
 * @nr: number of intervals in which the node had a value
 * @sum: sum of value * seconds
 * @squares: sum of value^2 * seconds
 * @errors: sum of (uncertainty * seconds)^2
 * @longer: longest measurement time in seconds that an interval would have needed to have enough
 *	rotation slices for a confidence interval, &bpmu_tree_value.longer
 * @occurred: true if there is an interval in which each event of the node's formula occurred
 * @flags: flags that any of the values has, mask of &enum bpmu_value_flag
 */
struct bpmu_phase_node {
	double seconds;
	double known;
	unsigned int nr;
	double sum;
	double squares;
	double errors;
	double longer;
	bool occurred;
	unsigned int flags;
};

/**
 * struct bpmu_phase - the latest phase of a run
 * @tree: tree with all nodes
 * @node: sums of the values of a node, [nr nodes of @tree]
 * @odd: values of the latest interval if they are too far from the means of the phase, [nr nodes of
 *	@tree]. The next interval decides if a new phase has begun
 * @odd_begin: start of the interval in @odd, in seconds since the start of the run
 * @odd_seconds: length of the interval in @odd in seconds; 0 if @odd has no interval
 * @begin: start of the phase, in seconds since the start of the run
 * @changes: number of previous phases
 */
struct bpmu_phase {
	const struct bpmu_tree *tree;
	struct bpmu_phase_node *node;
	struct bpmu_tree_value *odd;
	double odd_begin;
	double odd_seconds;
	double begin;
	unsigned int changes;
};

/**
 * struct bpmu_phase_interval - an interval that is added to a phase
 * @measured: the metric tree; &bpmu_tree.shown tells which of its nodes were measured
 * @values: values of the nodes, [nr nodes of the tree]
 * @begin: start of the interval, in seconds since the start of the run
 * @seconds: length of the interval in seconds
 * @whole: true if the interval has the requested length; in a shorter interval, values of unknown
 *	uncertainty are ignored
 */
struct bpmu_phase_interval {
	const struct bpmu_tree *measured;
	const struct bpmu_tree_value *values;
	double begin;
	double seconds;
	bool whole;
};

int bpmu_phase_init(struct bpmu_phase *phase, const struct bpmu_tree *tree,
		    struct bpmu_error *err);
void bpmu_phase_free(struct bpmu_phase *phase);
void bpmu_phase_add(struct bpmu_phase *phase,
		    const struct bpmu_phase_interval *interval);
void bpmu_phase_mean(struct bpmu_phase *phase, struct bpmu_tree_value *values);

#endif /* BPMU_PHASE_H */
