// SPDX-License-Identifier: GPL-2.0
#include "tree_target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arbiter.h"

/*
 * Sets @both to true if the events of the tree need the second counter of the uncore's arbiter, and
 * this counter works.
 */
static int probe_arbiter(const struct bpmu_tree *tree,
			 struct bpmu_target *target, bool *both,
			 struct bpmu_error *err)
{
	const struct bpmu_event_list *events = tree->events;
	struct bpmu_event_list all = { };
	unsigned int nr = 0;
	unsigned int g;
	int code;

	for (g = 0; g < tree->nr_groups; g++)
		nr += events[g].nr;
	all.spec = calloc(nr, sizeof(*all.spec));
	if (!all.spec)
		return bpmu_error_no_memory(err, "metrics");
	for (g = 0; g < tree->nr_groups; all.nr += events[g++].nr)
		memcpy(all.spec + all.nr, events[g].spec,
		       events[g].nr * sizeof(*all.spec));
	code = bpmu_arbiter_probe(target, &all, both, err);
	free(all.spec);
	return code;
}

/**
 * bpmu_tree_on_target() - make a tree that a target can measure
 * @tree: filled in; free it with bpmu_tree_free() if this function succeeds
 * @wish: parameters of the tree; this function sets those that depend on the target
 * @target: open target, with the CPUs to measure
 *
 * Return: 0, or an error of bpmu_tree_make() or bpmu_arbiter_probe().
 */
int bpmu_tree_on_target(struct bpmu_tree *tree, struct bpmu_tree_wish *wish,
			struct bpmu_target *target, struct bpmu_error *err)
{
	int code;

	wish->pmu = &target->info.pmu;
	wish->smt = target->smt;
	wish->counted = bpmu_target_counted(target);
	wish->siblings = bpmu_target_has_siblings(target);
	code = bpmu_tree_make(tree, wish, err);
	if (code || !bpmu_groups_multiplexed(&tree->groups, BPMU_BANK_UNCORE))
		return code;
	code = probe_arbiter(tree, target, &wish->arb_both, err);
	if (!code && !wish->arb_both)
		return 0;
	bpmu_tree_free(tree);
	return code ? code : bpmu_tree_make(tree, wish, err);
}
