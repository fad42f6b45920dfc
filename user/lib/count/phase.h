/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A phase of a program: the values of a tree's nodes since level 1 last changed.
 */
#ifndef BPMU_PHASE_H
#define BPMU_PHASE_H

#include "tree/tree.h"

/* of a phase at least so many intervals are known before one can lie outside */
#define BPMU_PHASE_KNOWN 3

/* smaller changes of a share, in all of its slots, begin no phase */
#define BPMU_PHASE_LEAST 0.02

/**
 * struct bpmu_phase_node - a node in the intervals of a phase
 * @seconds: time in which it was measured
 * @known: time of these in intervals in which it had a value
 * @nr: number of @known
 * @sum: sum of the values, times the seconds of each
 * @squares: sum of the squares of the values, times the seconds
 * @errors: sum of the squares of uncertainty times seconds
 * @longer: seconds to measure it at least
 * @flags: flags of all values
 */
struct bpmu_phase_node {
	double seconds;
	double known;
	unsigned int nr;
	double sum;
	double squares;
	double errors;
	double longer;
	unsigned int flags;
};

/**
 * struct bpmu_phase - the latest phase
 * @tree: tree with all nodes
 * @node: state of the nodes, [nr lines]
 * @odd: values of the latest interval, if that lies outside of the phase
 * @odd_begin: seconds at which it began
 * @odd_seconds: its length, 0 if there is none
 * @begin: seconds at which the phase began
 * @changes: phases before
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
 * struct bpmu_phase_interval - one interval
 * @measured: tree whose nodes were measured
 * @values: [nr lines]
 * @begin: seconds at which it began
 * @seconds: its length
 * @whole: it was not cut short: else a value only counts if its uncertainty is
 *	known
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
