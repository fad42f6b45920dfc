/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree of which other nodes were measured at other times.
 */
#ifndef BPMU_DRILL_PRINT_H
#define BPMU_DRILL_PRINT_H

#include "count/phase.h"
#include "topdown.h"

/**
 * struct bpmu_drill_node - when a node was measured
 * @from: seconds into the run at which its latest value begins
 * @to: seconds at which it ends
 * @seconds: measured in all
 * @flagged: of these, in intervals in which it was flagged
 */
struct bpmu_drill_node {
	double from;
	double to;
	double seconds;
	double flagged;
};

void bpmu_drill_text(const struct bpmu_topdown *topdown,
		     const struct bpmu_tree_value *values,
		     const struct bpmu_drill_node *nodes,
		     const struct bpmu_phase *phase);

#endif /* BPMU_DRILL_PRINT_H */
