/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drill-down while a program runs: chooses which nodes are measured, those of level 1 and the
 * children of flagged nodes.
 */
#ifndef BPMU_DRILL_H
#define BPMU_DRILL_H

#include "tree/tree.h"

/* A node is collapsed after it was not flagged in this number of consecutive intervals. */
#define BPMU_DRILL_PATIENCE 2

/**
 * struct bpmu_drill - state of a drill-down: the nodes to measure
 * @tree: tree of all nodes that may be measured
 * @wanted: true if the node is to be measured, [nr nodes of @tree]
 * @open: true if the node is expanded: its children are to be measured, too, [nr nodes of @tree]
 * @calm: number of intervals since an expanded node was last flagged as a bottleneck, [nr nodes of
 *	@tree]
 */
struct bpmu_drill {
	const struct bpmu_tree *tree;
	bool *wanted;
	bool *open;
	unsigned int *calm;
};

int bpmu_drill_init(struct bpmu_drill *drill, const struct bpmu_tree *tree,
		    struct bpmu_error *err);
void bpmu_drill_free(struct bpmu_drill *drill);
void bpmu_drill_judge(struct bpmu_drill *drill,
		      const struct bpmu_tree_value *values);
void bpmu_drill_open(struct bpmu_drill *drill, unsigned int i, bool open);
bool bpmu_drill_is_done(const struct bpmu_drill *drill,
			const struct bpmu_tree *step);
bool bpmu_drill_wants(void *drill, const struct bpmu_metric *metric);

#endif /* BPMU_DRILL_H */
