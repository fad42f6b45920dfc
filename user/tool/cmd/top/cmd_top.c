// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "client/holder.h"
#include "command.h"
#include "period_options.h"
#include "recording_session.h"
#include "top.h"
#include "top_by.h"
#include "tree/level.h"

#define INTERVAL_NS BPMU_NS_PER_S

enum option_number {
	OPTION_BY = BPMU_OPTION_OWN
};

static const char about[] =
	"Usage: barepmu top [OPTION]...\n\n"
	"Live view of the Top-Down tree, of all chosen CPUs and of each of them, or of each\n"
	"core, die, socket or node, until q is pressed; ? lists the keys. Without a\n"
	"terminal each interval is printed as plain lines. With --by instead of the tree:\n"
	"where an event happens.\n\n";

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_LEVEL(":\nnodes that are open initially; default 1"),
	BPMU_OPTION_ROW_NAMES(":\nonly these, on all levels"),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_METHOD,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_EXTRA,
	BPMU_OPTION_ROWS_PER,
	{ OPTION_BY, "by", "KEY",
	  "instead of the tree: what interrupts by an event have\n"
	  "interrupted, by symbol, line, address, cpu, comm or pid" },
	BPMU_OPTION_ROW_EVENT(";\nof --by: one that interrupts; default " BPMU_ANY_EVENT),
	{ 'c', NULL, "PERIOD", "of --by: interrupt each time it has happened PERIOD times" },
	{ 'F', "freq", "HZ",
	  "of --by: interrupt HZ times a second; default " BPMU_ANY_FREQUENCY },
	BPMU_OPTION_ROWS_CPUS,
	{ 'I', "interval", "TIME", "interval of new values; default 1s" },
	BPMU_OPTION_ROW_TIMER("source of the samples; auto is hard here"),
	BPMU_OPTION_ROW_TAKE_OVER,
	BPMU_OPTION_ROWS_COUNT,
	BPMU_OPTION_ROWS_TIMEOUT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

/* Parses the argument of --by. Returns 0, or -EINVAL if it is no key that a live view can have. */
static int take_key(enum bpmu_by_type *key, const char *text, struct bpmu_error *err)
{
	int code = bpmu_by_parse(text, key, err);

	if (code || (*key != BPMU_BY_STACK && !bpmu_by_is_of_records(*key)))
		return code;
	return bpmu_error_set(err, -EINVAL,
		"--by %s: not in a live view; use record and report --by %s", text, text);
}

/* Notes which options were given that are of the tree, and which are of --by. */
static void top_note_option(struct bpmu_top *top, int option)
{
	static const int of_tree[] = {
		'l', 'M', 'g', 'A', BPMU_OPTION_METHOD, BPMU_OPTION_METRICS, BPMU_OPTION_EXTRA,
		BPMU_OPTION_PER_CORE, BPMU_OPTION_PER_CACHE, BPMU_OPTION_PER_DIE,
		BPMU_OPTION_PER_SOCKET, BPMU_OPTION_PER_NODE,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(of_tree); i++)
		if (option == of_tree[i])
			top->of_tree = option;
	if (option == 'e' || option == 'c' || option == 'F')
		top->of_key = option;
}

static int top_take_option(void *call, int option, const char *value,
			   struct bpmu_error *err)
{
	struct bpmu_top *top = call;

	top_note_option(top, option);
	if (bpmu_options_rows(&top->by, option))
		return 0;
	switch (option) {
	case OPTION_BY:
		return take_key(&top->key, value, err);
	case 'e':
		return bpmu_wanted_add(&top->analysis.wanted, value, err);
	case 'c':
	case 'F':
		return bpmu_periods_take(&top->analysis.wanted.periods, option, value, err);
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

static const char *top_option_text(int id, char text[BPMU_OPTION_TEXT])
{
	struct bpmu_given given = { .letter = id < BPMU_OPTION_LONG ? id : 0 };
	const struct bpmu_option *option;

	for (option = table; option->id != id; option++)
		;
	given.name = option->name;
	bpmu_given_text(&given, text);
	return text;
}

static int top_check(const struct bpmu_top *top, struct bpmu_error *err)
{
	char text[BPMU_OPTION_TEXT];

	if (top->key && top->of_tree)
		return bpmu_error_set(err, -EINVAL,
			"%s: is of the tree, instead of which --by shows where an event happens; drop one of them",
			top_option_text(top->of_tree, text));
	if (!top->key && top->of_key)
		return bpmu_error_set(err, -EINVAL,
			"-%c: is of --by; add --by symbol", top->of_key);
	return 0;
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
	if (!code)
		code = top_check(top, err);
	if (code || !operands.nr)
		return code;
	return bpmu_error_set(err, -EINVAL,
			      "command '%s': not run by top, whose screen it would write to; start it elsewhere, or use topdown",
			      operands.word[0]);
}

/*
 * If another driver uses the uncore's counters, limits the tree of a core type to the levels that
 * need only counters of the core. A message on the screen says so. Returns 0 or a negative errno.
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

/*
 * Makes the tree of a core type, with all nodes that the user can open (measure and show). Returns
 * 0 or a negative errno.
 */
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
 * @top: state of "barepmu top"; its member analysis has the requested metrics, its member section
 *	is filled in
 *
 * A core type without a tree is left out; a message on the screen says so.
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
		 * A core type may have been left out. The elements of @top->section for the others
		 * are moved together, so that there is no gap.
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

/* Samples an event instead of measuring the tree. Returns 0 or a negative errno. */
static int run_by(struct bpmu_top *top, struct bpmu_error *err)
{
	struct bpmu_wanted *wanted = &top->analysis.wanted;
	int code = 0;

	wanted->together = true;
	if (!wanted->text)
		code = bpmu_wanted_add(wanted, BPMU_ANY_EVENT, err);
	if (!code && !wanted->periods.nr)
		code = bpmu_periods_take(&wanted->periods, 'F', BPMU_ANY_FREQUENCY, err);
	return code ? code : bpmu_top_by_run(&top->options, &top->analysis, top->key, err);
}

static int top_run_session(struct bpmu_ctx *ctx, struct bpmu_top *top)
{
	int code;

	setlocale(LC_CTYPE, "");
	if (top->key) {
		code = run_by(top, &ctx->err);
	} else {
		code = top_prepare(top, &ctx->err);
		if (!code)
			code = bpmu_top_measure(top, &ctx->err);
	}
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
