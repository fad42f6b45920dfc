/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A phase of a program: the values of a tree's nodes since level 1 last changed.
 */
#ifndef BPMU_PHASE_H
#define BPMU_PHASE_H

#include "tree/tree.h"

/* minimum number of intervals of a phase before the next phase can begin */
#define BPMU_PHASE_KNOWN 3

/* minimum change of a share, as a fraction of all slots, that begins a phase */
#define BPMU_PHASE_LEAST 0.02

/**
 * struct bpmu_phase_node - moments of a node over the intervals of a phase
 * @seconds: length in seconds of the intervals in which the node was measured
 * @known: length in seconds of the intervals in which the node had a value
 * @nr: number of intervals in which the node had a value
 * @sum: sum of value * seconds
 * @squares: sum of value^2 * seconds
 * @errors: sum of (uncertainty * seconds)^2
 * @longer: largest &bpmu_tree_value.longer of the intervals
 * @occurred: in some interval each event of the node was counted at least once
 * @flags: union of the flags of all values
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
 * struct bpmu_phase - the latest phase
 * @tree: tree with all nodes
 * @node: moments of the nodes, [nr lines]
 * @odd: values of the latest interval if it lies outside of the phase, [nr lines]
 * @odd_begin: start of the interval of @odd, in seconds of the run
 * @odd_seconds: length of the interval of @odd in seconds, 0 if @odd has no values
 * @begin: start of the phase, in seconds of the run
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
 * @measured: tree whose nodes were measured
 * @values: values of the nodes, [nr lines]
 * @begin: start of the interval, in seconds of the run
 * @seconds: length of the interval in seconds
 * @whole: the interval has its full length; in a shorter one, values of unknown
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
