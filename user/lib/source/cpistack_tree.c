// SPDX-License-Identifier: GPL-2.0
#include "cpistack_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "tree_target.h"

/**
 * bpmu_cpistack_tree_make() - make the metric tree whose values are CPI stacks
 * @tree: filled in; free it with bpmu_cpistack_tree_free(), also after an error
 * @target: open target
 * @level: 1 for the components, 2 for the components and their parts, or BPMU_TREE_ALL
 * @work: number of units of work, such as frames, by which cycles are divided; 0 to divide them by
 *	instructions
 *
 * Return: 0, -ENOENT if the CPU model has no CPI stacks, or another negative errno.
 */
int bpmu_cpistack_tree_make(struct bpmu_cpistack_tree *tree,
			    struct bpmu_target *target, unsigned int level,
			    double work, struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = {
		.method = BPMU_CPISTACK_METHOD, .level = level, .cpi = true,
		.work = work,
	};
	int code;

	memset(tree, 0, sizeof(*tree));
	code = bpmu_tree_on_target(&tree->tree, &wish, target, err);
	if (code)
		return code;
	tree->values = calloc(tree->tree.metrics.nr, sizeof(*tree->values));
	return tree->values ? 0 : bpmu_error_no_memory(err, "CPI stacks");
}

/**
 * bpmu_cpistack_tree_eval() - evaluate the CPI stacks of an interval by their metric tree
 * @tree: from bpmu_cpistack_tree_make(); must outlive @stack
 * @interval: counts of the tree's groups
 * @nr_cpus: number of CPUs of the interval, over which counts are summed
 * @stack: filled in
 *
 * Not thread-safe.
 */
void bpmu_cpistack_tree_eval(struct bpmu_cpistack_tree *tree,
			     const struct bpmu_interval *interval,
			     unsigned int nr_cpus,
			     struct bpmu_cpistack *stack)
{
	bpmu_spread_eval(&tree->tree, interval, nr_cpus, tree->values);
	bpmu_cpistack_make(stack, &tree->tree, tree->values);
}

void bpmu_cpistack_tree_free(struct bpmu_cpistack_tree *tree)
{
	free(tree->values);
	bpmu_tree_free(&tree->tree);
	memset(tree, 0, sizeof(*tree));
}
