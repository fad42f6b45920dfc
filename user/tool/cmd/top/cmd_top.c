// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "client/holder.h"
#include "command.h"
#include "recording_session.h"
#include "source/tree_target.h"
#include "top.h"
#include "tree/level.h"

#define INTERVAL_NS BPMU_NS_PER_S

static const char about[] =
	"Usage: barepmu top [OPTION]...\n\n"
	"Live view of the Top-Down tree, of all chosen CPUs and of each of them, or of each\n"
	"core, die, socket or node, until q is pressed; ? lists the keys. Without a\n"
	"terminal each interval is printed as plain lines.\n\n";

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_LEVEL(":\nnodes that are open initially; default 1"),
	BPMU_OPTION_ROW_NAMES(":\nonly these, on all levels"),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_METHOD,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_EXTRA,
	BPMU_OPTION_ROWS_PER,
	BPMU_OPTION_ROWS_CPUS,
	{ 'I', "interval", "TIME", "interval of new values; default 1s" },
	BPMU_OPTION_ROW_TIMER("source of the samples; auto is hard here"),
	BPMU_OPTION_ROW_TAKE_OVER,
	BPMU_OPTION_ROWS_COUNT,
	BPMU_OPTION_ROWS_TIMEOUT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int top_take_option(void *call, int option, const char *value,
			   struct bpmu_error *err)
{
	struct bpmu_top *top = call;

	if (bpmu_options_rows(&top->by, option))
		return 0;
	switch (option) {
	case 'l':
		return bpmu_level_take(&top->level, "-l", value, err);
	case BPMU_OPTION_EXTRA:
		top->extra = true;
		return 0;
	default:
		return bpmu_options_choose(&top->options, &top->choice, option,
					   value, err);
	}
}

static int top_take_words(struct bpmu_top *top, int argc, char **argv,
			  struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "top", .about = about, .option = table,
		.command_follows = true, .set = top_take_option,
	};
	struct bpmu_operands operands;
	int code;

	top->options.interval_ns = INTERVAL_NS;
	code = bpmu_options_parse(&options, top, argc, argv, &operands, err);
	if (code || !operands.nr)
		return code;
	return bpmu_error_set(err, -EINVAL,
			      "command '%s': not run by top, whose screen it would write to; start it elsewhere, or use topdown",
			      operands.word[0]);
}

/*
 * Limits the tree to levels that need core counters only, if the kernel's driver holds the uncore,
 * and notes it.
 */
static int without_uncore(struct bpmu_top *top, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = &top->tree.groups;
	bool left_out = false;
	unsigned int level;

	for (level = BPMU_LEVELS_TMA; level; level--) {
		top->wish.level = level;
		if (bpmu_tree_on_target(&top->tree, &top->wish, &top->target,
					err))
			continue;
		if (!groups->nr_of[BPMU_BANK_UNCORE])
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

/* makes the tree of a target, with all nodes that can be opened */
static int top_schedule(struct bpmu_top *top, struct bpmu_error *err)
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
static int top_copy_request(struct bpmu_top *to, const struct bpmu_top *from,
			    struct bpmu_error *err)
{
	to->options = from->options;
	to->level = from->level;
	to->extra = from->extra;
	to->by = from->by;
	return bpmu_choice_copy(&to->choice, &from->choice, err);
}

/* Tries to make the tree of one of two core types; returns 0 or the error. */
static int try_core_type(const struct bpmu_top *top,
			 const struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_top trial = { .target = *target };
	int code;

	trial.target.client = top->target.client;
	code = top_copy_request(&trial, top, err);
	if (!code)
		code = top_schedule(&trial, err);
	if (!code && target != &top->target)
		code = bpmu_target_check_other(target, &trial.tree.groups,
					       err);
	bpmu_tree_free(&trial.tree);
	bpmu_choice_free(&trial.choice);
	return code;
}

/**
 * bpmu_top_share() - make the trees of two core types for the live view
 * @top: calls with targets, [core type], the first with the request; trees are set
 *
 * If only one core type has a tree, the first call gets that one, with a note.
 *
 * Return: 0, or the error of the first core type if neither has a tree.
 */
int bpmu_top_share(struct bpmu_top top[BPMU_CORE_TYPES], struct bpmu_error *err)
{
	struct bpmu_target *other = &top[1].target;
	struct bpmu_error why;
	int first, second;
	unsigned int k;
	int code = 0;

	first = try_core_type(top, &top->target, err);
	second = try_core_type(top, other, &why);
	if (first && second)
		return first;
	if (first || second) {
		bpmu_target_alone(&top->target, other, first, first ?: second,
				  first ? err : &why);
		return top_schedule(top, err);
	}
	top->others = BPMU_CORE_TYPES - 1;
	for (k = 0; k < BPMU_CORE_TYPES && !code; k++) {
		if (k)
			code = top_copy_request(&top[k], top, err);
		if (!code)
			code = top_schedule(&top[k], err);
	}
	return code;
}

/* connects to the module, and makes the trees of one core type or of two */
static int top_open(struct bpmu_top top[BPMU_CORE_TYPES], struct bpmu_error *err)
{
	int code;

	code = bpmu_session_open_core_types(&top->target, &top->options,
					    &top[1].target, err);
	if (code)
		return code;
	if (top[1].target.cpus.nr)
		return bpmu_top_share(top, err);
	return top_schedule(top, err);
}

static int make_state(struct bpmu_top *top, struct bpmu_error *err)
{
	unsigned int level = top->choice.names ? BPMU_TREE_ALL : 1;
	struct bpmu_top_view *view = &top->view;
	int code;

	code = bpmu_top_state_init(&top->state, &top->tree,
				   top->level ? top->level : level, err);
	if (code)
		return code;
	top->state.chosen = top->choice.names;
	top->state.by = top->by;
	top->state.interval_ns = top->options.interval_ns;
	view->title = top->target.info.title;
	view->cpus = top->target.cpus_text;
	view->tree = &top->tree;
	view->values = calloc(top->tree.metrics.nr, sizeof(*view->values));
	view->measured = calloc(top->tree.metrics.nr, sizeof(*view->measured));
	if (!view->values || !view->measured)
		return bpmu_error_set(err, -ENOMEM,
				      "top: no memory; free some");
	return bpmu_top_rows_of(top, err);
}

static int top_prepare(struct bpmu_top top[BPMU_CORE_TYPES], struct bpmu_error *err)
{
	const struct bpmu_target *targets[BPMU_CORE_TYPES] = { };
	unsigned int k;
	int code;

	code = top_open(top, err);
	for (k = 0; k <= top->others && !code; k++) {
		targets[k] = &top[k].target;
		code = make_state(&top[k], err);
	}
	if (code)
		return code;
	top->cpus = bpmu_target_list(targets, top->first, &top->nr_cpus, err);
	return top->cpus ? 0 : -ENOMEM;
}

static void top_release(struct bpmu_top *top)
{
	bpmu_top_rows_free(top);
	bpmu_top_state_free(&top->state);
	free(top->view.values);
	free(top->view.measured);
	free(top->cpus);
	bpmu_tree_free(&top->tree);
	bpmu_target_close(&top->target);
	bpmu_choice_free(&top->choice);
}

static int top_run_session(struct bpmu_ctx *ctx, struct bpmu_top top[BPMU_CORE_TYPES])
{
	unsigned int k;
	int code;

	setlocale(LC_CTYPE, "");
	code = top_prepare(top, &ctx->err);
	if (!code)
		code = bpmu_top_measure(top, &ctx->err);
	/* the first target owns the client and is closed last */
	for (k = BPMU_CORE_TYPES; k--;)
		top_release(&top[k]);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

/**
 * bpmu_cmd_top() - "barepmu top"
 */
int bpmu_cmd_top(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_top top[BPMU_CORE_TYPES] = { { .by = BPMU_ROWS_CPU } };
	int code;

	code = top_take_words(top, argc, argv, &ctx->err);
	if (!code)
		return top_run_session(ctx, top);
	bpmu_choice_free(&top->choice);
	return code < 0 ? bpmu_fail(ctx, BPMU_EXIT_USAGE) : BPMU_EXIT_OK;
}
