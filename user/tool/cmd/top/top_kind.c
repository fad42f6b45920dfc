// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules the trees of "barepmu top", on one core type or on two.
 */
#include <stdio.h>

#include "client/holder.h"
#include "recording_session.h"
#include "source/tree_target.h"
#include "top.h"
#include "tree/level.h"

/* the kernel's driver holds the uncore: use the levels that need core counters only */
static int without_uncore(struct bpmu_top *top, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = &top->tree.groups;
	bool left_out = false;
	unsigned int level;

	for (level = BPMU_LEVELS; level; level--) {
		top->wish.level = level;
		if (bpmu_tree_on_target(&top->tree, &top->wish, &top->target,
					err))
			continue;
		if (!groups->nr_of[BPMU_SIDE_UNCORE])
			break;
		left_out = true;
		bpmu_tree_free(&top->tree);
	}
	if (!level)
		return bpmu_holder_uncore(err);
	if (left_out)
		snprintf(top->view.note, sizeof(top->view.note),
			 "down to level %u only: unload intel_uncore, which has the uncore's counters",
			 level);
	return 0;
}

static int make_tree(struct bpmu_top *top, struct bpmu_error *err)
{
	const struct bpmu_choice *choice = &top->choice;
	struct bpmu_error ignored;

	top->wish = (struct bpmu_tree_wish){
		.errata = &top->errata_cpu, .extra = top->extra,
		.level = BPMU_TREE_ALL,
	};
	bpmu_choice_wish(&top->choice, &top->wish);
	if (!choice->names && !choice->nr_paths && bpmu_holder_uncore(&ignored))
		return without_uncore(top, err);
	return bpmu_tree_on_target(&top->tree, &top->wish, &top->target, err);
}

/**
 * bpmu_top_schedule() - make the tree of a target, with all nodes that can be opened
 * @top: of the call, with a target
 * @err: set on failure
 *
 * Return: 0 or a negative errno; the tree is to be freed in any case.
 */
int bpmu_top_schedule(struct bpmu_top *top, struct bpmu_error *err)
{
	int code;

	bpmu_vendor_this_cpu(&top->choice.vendor);
	code = bpmu_machine_find(&top->machine, &top->target, err);
	top->choice.board = &top->target.info.pmu;
	if (!code)
		code = bpmu_choice_load(&top->choice, &top->target.info.pmu, err);
	if (code)
		return code;
	/* use the descriptor with the events that were loaded from files */
	bpmu_errata_cpu_init(&top->errata_cpu, &top->target.info,
			     top->target.smt);
	code = make_tree(top, err);
	if (!code)
		bpmu_machine_set(&top->machine, &top->tree);
	return code;
}

/* copies the request for the other core type */
static int ask(struct bpmu_top *to, const struct bpmu_top *from,
	       struct bpmu_error *err)
{
	to->options = from->options;
	to->level = from->level;
	to->extra = from->extra;
	return bpmu_choice_copy(&to->choice, &from->choice, err);
}

/* whether one of two core types has a tree */
static int try_kind(const struct bpmu_top *top,
		    const struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_top trial = { .target = *target };
	int code;

	trial.target.client = top->target.client;
	code = ask(&trial, top, err);
	if (!code)
		code = bpmu_top_schedule(&trial, err);
	if (!code && target != &top->target)
		code = bpmu_target_check_other(target, &trial.tree.groups,
					       err);
	bpmu_tree_free(&trial.tree);
	bpmu_choice_free(&trial.choice);
	return code;
}

/**
 * bpmu_top_share() - make the trees of two core types
 * @top: with targets, the first of the call; each gets its tree
 * @err: set on failure
 *
 * If only one core type has a tree, the first call gets that one, with a note.
 *
 * Return: 0, or the error of the first core type if neither has a tree.
 */
int bpmu_top_share(struct bpmu_top top[BPMU_KINDS], struct bpmu_error *err)
{
	struct bpmu_target *other = &top[1].target;
	struct bpmu_error why;
	int first, second;
	unsigned int k;
	int code = 0;

	first = try_kind(top, &top->target, err);
	second = try_kind(top, other, &why);
	if (first && second)
		return first;
	if (first || second) {
		bpmu_target_alone(&top->target, other, first, first ?: second,
				  first ? err : &why);
		return bpmu_top_schedule(top, err);
	}
	top->others = BPMU_KINDS - 1;
	for (k = 0; k < BPMU_KINDS && !code; k++) {
		if (k)
			code = ask(&top[k], top, err);
		if (!code)
			code = bpmu_top_schedule(&top[k], err);
	}
	return code;
}

/**
 * bpmu_top_open() - connect to the module, and make the trees
 * @top: the first with options, the others empty; each gets its target and tree
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_top_open(struct bpmu_top top[BPMU_KINDS], struct bpmu_error *err)
{
	int code;

	code = bpmu_session_open_kinds(&top->target, &top->options,
				       &top[1].target, err);
	if (code)
		return code;
	if (top[1].target.cpus.nr)
		return bpmu_top_share(top, err);
	return bpmu_top_schedule(top, err);
}
