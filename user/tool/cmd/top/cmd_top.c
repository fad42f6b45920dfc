// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "command.h"
#include "top.h"
#include "tree/level.h"

#define INTERVAL_NS BPMU_NS_PER_S

static const char about[] =
	"Usage: barepmu top [OPTION]...\n\n"
	"Live view of the Top-Down tree, of all chosen CPUs and of each of them, until q\n"
	"is pressed; ? lists the keys. Without a terminal each interval is printed as\n"
	"plain lines.\n\n";

static const struct bpmu_option table[] = {
	{ 'l', "level", "N",
	  "initially open down to this level, 1 (default) to 4" },
	{ 'M', NULL, "NAMES",
	  "only these metrics, globs or groups, on all levels" },
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_EXTRA,
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

static int top_prepare(struct bpmu_top top[BPMU_KINDS], struct bpmu_error *err)
{
	const struct bpmu_target *kind[BPMU_KINDS] = { };
	unsigned int k;
	int code;

	code = bpmu_top_open(top, err);
	for (k = 0; k <= top->others && !code; k++) {
		kind[k] = &top[k].target;
		code = make_state(&top[k], err);
	}
	if (code)
		return code;
	top->cpus = bpmu_target_list(kind, top->first, &top->nr_cpus, err);
	return top->cpus ? 0 : -ENOMEM;
}

static void release(struct bpmu_top *top)
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

static int top_run_session(struct bpmu_ctx *ctx, struct bpmu_top top[BPMU_KINDS])
{
	unsigned int k;
	int code;

	setlocale(LC_CTYPE, "");
	code = top_prepare(top, &ctx->err);
	if (!code)
		code = bpmu_top_measure(top, &ctx->err);
	/* the first one's target, which has the client, at the end */
	for (k = BPMU_KINDS; k--;)
		release(&top[k]);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

/**
 * bpmu_cmd_top() - "barepmu top"
 * @ctx: state
 * @argc: number of words, from the command's name on
 * @argv: the words
 *
 * Return: the tool's exit status.
 */
int bpmu_cmd_top(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_top top[BPMU_KINDS] = { };
	int code;

	code = top_take_words(top, argc, argv, &ctx->err);
	if (!code)
		return top_run_session(ctx, top);
	bpmu_choice_free(&top->choice);
	return code < 0 ? bpmu_fail(ctx, BPMU_EXIT_USAGE) : BPMU_EXIT_OK;
}
