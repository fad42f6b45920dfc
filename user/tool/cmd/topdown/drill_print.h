/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree of which other nodes were measured at other times.
 */
#ifndef BPMU_DRILL_PRINT_H
#define BPMU_DRILL_PRINT_H

#include "topdown.h"

/**
 * struct bpmu_drill_node - when a node was measured
 * @from: seconds into the run at which its latest value begins
 * @to: seconds at which it ends
 * @seconds: measured in all
 * @flagged: of these, in intervals in which it was flagged
 * @known: of these, in intervals in which it had a value
 * @sum: sum of the values, times the seconds of each
 * @squares: sum of the squares of their uncertainties times the seconds
 * @longer: seconds to measure it at least
 * @flags: of all values
 */
struct bpmu_drill_node {
	double from;
	double to;
	double seconds;
	double flagged;
	double known;
	double sum;
	double squares;
	double longer;
	unsigned int flags;
};

void bpmu_drill_add(struct bpmu_drill_node *node,
		    const struct bpmu_tree_value *value, double seconds,
		    bool whole);
void bpmu_drill_mean(const struct bpmu_tree *tree,
		     const struct bpmu_drill_node *nodes,
		     struct bpmu_tree_value *values);
void bpmu_drill_text(const struct bpmu_topdown *topdown,
		     const struct bpmu_tree_value *values,
		     const struct bpmu_drill_node *nodes);

#endif /* BPMU_DRILL_PRINT_H */
