// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules the tree of "barepmu topdown" on counters; on two core types a tree for
 * each, in one session.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recording_session.h"
#include "source/tree_target.h"
#include "topdown.h"

static int refuse_multiplexed(const struct bpmu_topdown *t, struct bpmu_error *err)
{
	unsigned int groups = bpmu_groups_most(&t->tree.groups);

	if (groups < 2)
		return 0;
	return bpmu_error_set(err, -ENOSPC,
			      "level %u: needs %u groups of events, which would be multiplexed; see --groups, choose a lower level, or drop --no-multiplex",
			      t->tree.level, groups);
}

/* events that are counted for a recording as well, so that "report" can compute other metrics */
static const char *const recorded_beside[] = { "cycles", "instructions", NULL };

/**
 * bpmu_topdown_schedule() - make the Top-Down tree of a target, and schedule its events
 * @topdown: the call, with a target
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
		.work = t->work,
		.level = t->level,
		.beside = t->options.recorder ? recorded_beside : NULL,
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
	bpmu_rows_free(&topdown->rows);
	free(topdown->verdict);
	topdown->verdict = NULL;
}

/* copies the request for the other core type */
static int copy_request(struct bpmu_topdown *to, const struct bpmu_topdown *from,
			struct bpmu_error *err)
{
	to->options = from->options;
	to->repeat = from->repeat;
	to->by = from->by;
	to->level = from->level;
	to->extra = from->extra;
	to->cpi = from->cpi;
	to->work = from->work;
	to->compact = from->compact;
	to->together = from->together;
	to->drill = from->drill;
	return bpmu_choice_copy(&to->choice, &from->choice, err);
}

/* Tries to schedule the tree of one of two core types; returns 0 or the error. */
static int try_tree(const struct bpmu_topdown *topdown,
		    const struct bpmu_target *target,
		    const struct bpmu_target *first, struct bpmu_error *err)
{
	struct bpmu_topdown trial = { .target = *target };
	int code;

	trial.target.client = first->client;
	code = copy_request(&trial, topdown, err);
	if (!code)
		code = bpmu_topdown_schedule(&trial, err);
	if (!code && target != first)
		code = bpmu_target_check_other(target, &trial.tree.groups,
					       err);
	bpmu_topdown_unschedule(&trial);
	bpmu_choice_free(&trial.choice);
	return code;
}

static int topdown_schedule_all(struct bpmu_topdown topdown[BPMU_CORE_TYPES],
				struct bpmu_error *err)
{
	unsigned int k;
	int code = 0;

	if (topdown->drill || topdown->alerts.nr)
		return bpmu_target_choose(&topdown[0].target, &topdown[1].target,
					  err);
	topdown->others = BPMU_CORE_TYPES - 1;
	for (k = 0; k < BPMU_CORE_TYPES && !code; k++) {
		topdown[k].core_type = topdown[k].target.info.part;
		if (k)
			code = copy_request(&topdown[k], topdown, err);
		if (!code)
			code = bpmu_topdown_schedule(&topdown[k], err);
	}
	return code;
}

/**
 * bpmu_topdown_share() - schedule the Top-Down trees of two core types
 * @topdown: calls with targets, [core type], the first with the request; trees are set
 *
 * If only one core type has a tree, the first call gets that one, with a note.
 *
 * Return: 0, -EINVAL if both cannot be measured at once, or the error of the first core
 * type if neither has a tree.
 */
int bpmu_topdown_share(struct bpmu_topdown topdown[BPMU_CORE_TYPES],
		       struct bpmu_error *err)
{
	struct bpmu_target *target = &topdown->target;
	struct bpmu_target *other = &topdown[1].target;
	struct bpmu_error why;
	int first, second;

	first = try_tree(topdown, target, target, err);
	second = try_tree(topdown, other, target, &why);
	if (first && second)
		return first;
	if (!first && !second)
		return topdown_schedule_all(topdown, err);
	bpmu_target_alone(target, other, first, first ?: second,
			  first ? err : &why);
	return bpmu_topdown_schedule(topdown, err);
}

/**
 * bpmu_topdown_open() - connect topdown to the module, and schedule the trees
 * @topdown: the first with options, the others empty; each gets its target and tree
 */
int bpmu_topdown_open(struct bpmu_topdown topdown[BPMU_CORE_TYPES],
		      struct bpmu_error *err)
{
	unsigned int k;
	int code;

	code = bpmu_session_open_core_types(&topdown->target, &topdown->options,
					    &topdown[1].target, err);
	if (code)
		return code;
	code = topdown[1].target.cpus.nr ? bpmu_topdown_share(topdown, err) :
					   bpmu_topdown_schedule(topdown, err);
	for (k = 0; !code && topdown->by != BPMU_ROWS_ALL && k <= topdown->others; k++)
		code = bpmu_session_rows(&topdown[k].target, &topdown->options, topdown->by,
					 &topdown[k].rows, err);
	return code;
}
