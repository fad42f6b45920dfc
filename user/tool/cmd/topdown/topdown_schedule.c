// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules the tree of "barepmu topdown" on counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/tree_target.h"
#include "topdown.h"

static int refuse_multiplexed(const struct bpmu_topdown *t, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = &t->tree.groups;

	if (!bpmu_groups_multiplexed(groups, false) &&
	    !bpmu_groups_multiplexed(groups, true))
		return 0;
	return bpmu_error_set(err, -ENOSPC,
			      "level %u: needs %u groups of events, which would be multiplexed; see --groups, choose a lower level, or drop --no-multiplex",
			      t->tree.level, groups->nr);
}

/**
 * bpmu_topdown_schedule() - make the tree of a target, and schedule its events
 * @topdown: of the call, with a target
 * @err: set on failure
 *
 * Return: 0 or a negative errno; bpmu_topdown_unschedule() is needed in any case.
 */
int bpmu_topdown_schedule(struct bpmu_topdown *topdown, struct bpmu_error *err)
{
	struct bpmu_topdown *t = topdown;
	int code;

	bpmu_vendor_this_cpu(&t->choice.vendor);
	code = bpmu_machine_find(&t->machine, &t->target, err);
	if (!code)
		code = bpmu_choice_load(&t->choice, &t->target.info.pmu, err);
	if (code)
		return code;
	t->whole = bpmu_choice_is_whole(&t->choice);
	/* use the descriptor with the events that were loaded from files */
	bpmu_errata_cpu_init(&t->errata_cpu, &t->target.info, t->target.smt);
	t->wish = (struct bpmu_tree_wish){
		.errata = &t->errata_cpu, .extra = t->extra, .cpi = t->cpi,
		.level = t->level,
	};
	if (!t->level)
		t->wish.level = t->choice.names || t->drill ? BPMU_TREE_ALL : 1;
	bpmu_choice_wish(&t->choice, &t->wish);
	code = bpmu_tree_on_target(&t->tree, &t->wish, &t->target, err);
	if (code)
		return code;
	bpmu_machine_set(&t->machine, &t->tree);
	if (t->together)
		code = refuse_multiplexed(t, err);
	return code ? code : bpmu_alerts_know(&t->alerts, &t->tree.metrics,
					      t->tree.level, err);
}

/**
 * bpmu_topdown_unschedule() - undo bpmu_topdown_schedule()
 * @topdown: in any state
 */
void bpmu_topdown_unschedule(struct bpmu_topdown *topdown)
{
	bpmu_tree_free(&topdown->tree);
	free(topdown->verdict);
	topdown->verdict = NULL;
}
