/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the result of a drill-down (topdown --drill): a tree whose nodes were measured at
 * different times of the run.
 */
#ifndef BPMU_DRILL_PRINT_H
#define BPMU_DRILL_PRINT_H

#include "count/phase.h"
#include "topdown.h"

/**
 * struct bpmu_drill_node - when a drill-down has measured a node
 * @from: start of the interval of the node's latest value, in seconds since the run began
 * @to: end of the interval of the node's latest value, in seconds since the run began
 * @seconds: total time in seconds for which the node was measured
 * @flagged: total length in seconds of the intervals in which the node was flagged
 */
struct bpmu_drill_node {
	double from;
	double to;
	double seconds;
	double flagged;
};

void bpmu_drill_text(struct bpmu_topdown_view *topdown,
		     const struct bpmu_tree_value *values,
		     const struct bpmu_drill_node *nodes,
		     const struct bpmu_phase *phase);

#endif /* BPMU_DRILL_PRINT_H */
