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
		return bpmu_options_choose(&top->options, &top->analysis.choice, option,
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
 * If another driver uses the uncore's counters, limits the tree of a core type to those levels that
 * need only core counters, with a note on the screen. Returns 0 or a negative errno.
 */
static int without_uncore(struct bpmu_top_section *section, struct bpmu_core_type *type,
			  struct bpmu_error *err)
{
	bool left_out = false;
	unsigned int level;

	for (level = BPMU_LEVELS_TMA; level; level--) {
		type->wish.level = level;
		if (bpmu_core_type_tree(type, err))
			continue;
		if (!type->groups->nr_of[BPMU_BANK_UNCORE])
			break;
		left_out = true;
		bpmu_tree_free(&type->tree);
	}
	if (!level)
		return bpmu_holder_uncore(err);
	if (left_out)
		snprintf(section->view.note, sizeof(section->view.note),
			 "down to level %u only: unload intel_uncore, which has the uncore's counters",
			 level);
	return 0;
}

/* Makes the tree of a core type, with all nodes that the user can open. Returns 0 or an errno. */
static int top_prepare_type(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	struct bpmu_top *top = data;
	const struct bpmu_choice *choice = &top->analysis.choice;
	struct bpmu_error ignored;
	int code = bpmu_core_type_load(type, err);

	if (code)
		return code;
	type->wish = (struct bpmu_tree_wish){ .extra = top->extra, .level = BPMU_TREE_ALL };
	if (!choice->names && !choice->nr_paths && bpmu_holder_uncore(&ignored))
		return without_uncore(&top->section[type - top->analysis.core], type, err);
	return bpmu_core_type_tree(type, err);
}

/**
 * bpmu_top_schedule() - make the metric trees of all core types for the command "barepmu top"
 * @top: state of "barepmu top", whose @analysis has the requested metrics; its @section is filled
 *	in
 *
 * A core type without a tree is left out; a note on the screen says so.
 *
 * Return: 0, or the error of the first core type if none has a tree.
 */
int bpmu_top_schedule(struct bpmu_top *top, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &top->analysis;
	unsigned int k;
	int code;

	code = bpmu_analysis_ask(analysis, err);
	if (!code)
		code = bpmu_analysis_keep(analysis, top_prepare_type, top, false, err);
	for (k = 0; k < analysis->nr && !code; k++) {
		/*
		 * A core type may have been left out. Move the sections of the others together, so
		 * that there is no gap.
		 */
		top->section[k] = top->section[analysis->type[k] - analysis->core];
		top->section[k].type = analysis->type[k];
	}
	return code;
}

static int make_state(struct bpmu_top *top, struct bpmu_top_section *section,
		      struct bpmu_error *err)
{
	const bool chosen = top->analysis.choice.names;
	unsigned int level = chosen ? BPMU_TREE_ALL : 1;
	struct bpmu_top_view *view = &section->view;
	int code;

	view->title = section->type->target.info.title;
	view->cpus = section->type->target.cpus_text;
	view->tree = &section->type->tree;
	code = bpmu_top_state_init(&section->state, view->tree, top->level ?: level, err);
	if (code)
		return code;
	section->state.chosen = chosen;
	section->state.by = top->by;
	section->state.interval_ns = top->options.interval_ns;
	view->values = calloc(view->tree->metrics.nr, sizeof(*view->values));
	view->measured = calloc(view->tree->metrics.nr, sizeof(*view->measured));
	if (!view->values || !view->measured)
		return bpmu_error_set(err, -ENOMEM,
				      "top: no memory; free some");
	return bpmu_top_rows_of(section, err);
}

static int top_prepare(struct bpmu_top *top, struct bpmu_error *err)
{
	unsigned int k;
	int code;

	code = bpmu_session_analyse(&top->analysis, &top->options, err);
	if (!code)
		code = bpmu_top_schedule(top, err);
	for (k = 0; k < top->analysis.nr && !code; k++)
		code = make_state(top, &top->section[k], err);
	return code;
}

static void top_release(struct bpmu_top *top)
{
	struct bpmu_top_section *section = top->section;
	unsigned int k;

	for (k = 0; k < BPMU_CORE_TYPES; k++, section++) {
		if (section->type)
			bpmu_top_rows_free(section);
		bpmu_top_state_free(&section->state);
		free(section->view.values);
		free(section->view.measured);
	}
	bpmu_analysis_free(&top->analysis);
}

static int top_run_session(struct bpmu_ctx *ctx, struct bpmu_top *top)
{
	int code;

	setlocale(LC_CTYPE, "");
	code = top_prepare(top, &ctx->err);
	if (!code)
		code = bpmu_top_measure(top, &ctx->err);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

/**
 * bpmu_cmd_top() - run "barepmu top", the live view of the Top-Down tree
 */
int bpmu_cmd_top(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_top top = { .by = BPMU_ROWS_CPU };
	int code, status;

	code = top_take_words(&top, argc, argv, &ctx->err);
	if (code < 0)
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	else
		status = code ? BPMU_EXIT_OK : top_run_session(ctx, &top);
	top_release(&top);
	return status;
}
