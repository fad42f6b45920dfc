// SPDX-License-Identifier: GPL-2.0
/*
 * "barepmu topdown" on two core types: a tree for each, in one session.
 */
#include "recording_session.h"
#include "topdown.h"

/* copies the request for the other core type */
static int copy_request(struct bpmu_topdown *to, const struct bpmu_topdown *from,
			struct bpmu_error *err)
{
	to->options = from->options;
	to->level = from->level;
	to->extra = from->extra;
	to->cpi = from->cpi;
	to->compact = from->compact;
	to->together = from->together;
	to->drill = from->drill;
	return bpmu_choice_copy(&to->choice, &from->choice, err);
}

/* whether one of two core types has a tree */
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

static int topdown_schedule_all(struct bpmu_topdown topdown[BPMU_KINDS],
		    struct bpmu_error *err)
{
	unsigned int k;
	int code = 0;

	if (topdown->drill || topdown->alerts.nr)
		return bpmu_target_choose(&topdown[0].target, &topdown[1].target,
					  err);
	topdown->others = BPMU_KINDS - 1;
	for (k = 0; k < BPMU_KINDS && !code; k++) {
		topdown[k].kind = topdown[k].target.info.part;
		if (k)
			code = copy_request(&topdown[k], topdown, err);
		if (!code)
			code = bpmu_topdown_schedule(&topdown[k], err);
	}
	return code;
}

/**
 * bpmu_topdown_share() - schedule the trees of two core types
 * @topdown: with targets, the first of the call; each gets its tree
 * @err: set on failure
 *
 * If only one core type has a tree, the first call gets that one, with a note.
 *
 * Return: 0, -EINVAL if both cannot be measured at once, or the error of the first core
 * type if neither has a tree.
 */
int bpmu_topdown_share(struct bpmu_topdown topdown[BPMU_KINDS],
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
 * bpmu_topdown_open() - connect to the module, and schedule the trees
 * @topdown: the first with options, the others empty; each gets its target and tree
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_topdown_open(struct bpmu_topdown topdown[BPMU_KINDS],
		      struct bpmu_error *err)
{
	int code;

	code = bpmu_session_open_kinds(&topdown->target, &topdown->options,
				       &topdown[1].target, err);
	if (code)
		return code;
	if (topdown[1].target.cpus.nr)
		return bpmu_topdown_share(topdown, err);
	return bpmu_topdown_schedule(topdown, err);
}
