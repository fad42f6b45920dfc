/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The metric tree from whose values CPI stacks are computed.
 *
 *   bpmu_cpistack_tree_make(&tree, &target, BPMU_TREE_ALL, 0, &err);
 *   measure tree.tree.groups
 *   bpmu_cpistack_tree_eval(&tree, interval, nr_cpus, &stack);
 *   bpmu_cpistack_tree_free(&tree);
 */
#ifndef BPMU_CPISTACK_TREE_H
#define BPMU_CPISTACK_TREE_H

#include "measure.h"
#include "target.h"
#include "tree/cpistack.h"

/**
 * struct bpmu_cpistack_tree - tree of the CPI stack method on a CPU model
 * @tree: tree of metrics, whose values are the components of a CPI stack
 * @values: values of these metrics in the latest interval, [nr metrics]
 */
struct bpmu_cpistack_tree {
	struct bpmu_tree tree;
	struct bpmu_tree_value *values;
};

int bpmu_cpistack_tree_make(struct bpmu_cpistack_tree *tree,
			    struct bpmu_target *target, unsigned int level,
			    double work, struct bpmu_error *err);
void bpmu_cpistack_tree_eval(struct bpmu_cpistack_tree *tree,
			     const struct bpmu_interval *interval,
			     unsigned int nr_cpus,
			     struct bpmu_cpistack *stack);
void bpmu_cpistack_tree_free(struct bpmu_cpistack_tree *tree);

#endif /* BPMU_CPISTACK_TREE_H */
