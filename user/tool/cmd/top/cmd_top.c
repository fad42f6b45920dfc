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

static const char help[] =
	"Usage: barepmu top [OPTION]...\n\n"
	"A live view of where the slots of the pipeline go, on all chosen CPUs and on\n"
	"each of them, until q is pressed; ? tells the keys. Without a terminal some\n"
	"plain lines for each interval.\n\n"
	"  -l, --level N           open down to this level at first, 1 (default) to 4\n"
	"  -M NAMES                only these metrics, globs or groups, on all levels\n"
	"      --metrics PATH      metrics of this file, see barepmu-metrics(5), or of\n"
	"                          Intel's; can be said again to add more\n"
	"      --events PATH       events of Intel's JSON file, or of a directory\n"
	"      --extra             also nodes that the paper names without a formula\n"
	"  -a, --all-cpus          all online CPUs (the default)\n"
	"  -C, --cpu LIST          only these CPUs: 0-3,8; or of a kind: adl-e\n"
	"  -I, --interval MS       a look every MS milliseconds, 1s by default\n"
	"      --timer auto|hard|tick  what takes the samples; auto is hard here\n"
	BPMU_TAKE_OVER_HELP
	"      --interval-count N  stop after N intervals\n"
	"      --timeout MS        stop after MS milliseconds; 10ms, 2s\n"
	"  -h, --help              this text\n";

enum own_option {
	OPTION_EXTRA = BPMU_OPTION_OWN,
	OPTION_METRICS,
	OPTION_EVENTS
};

static int take_option(struct bpmu_top *top, int option, char *value,
		       struct bpmu_error *err)
{
	switch (option) {
	case 'l':
		return bpmu_level_take(&top->level, "-l", value, err);
	case 'M':
		return bpmu_choice_add_names(&top->choice, value, err);
	case OPTION_METRICS:
		return bpmu_choice_add_path(&top->choice, value, err);
	case OPTION_EVENTS:
		top->choice.events = value;
		return 0;
	case OPTION_EXTRA:
		top->extra = true;
		return 0;
	default:
		return bpmu_options_take(&top->options, option, value, err);
	}
}

static int take_words(struct bpmu_top *top, int argc, char **argv,
		      struct bpmu_error *err)
{
	static const struct option options[] = {
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "interval", required_argument, NULL, 'I' },
		{ "timeout", required_argument, NULL, BPMU_OPTION_TIMEOUT },
		{ "interval-count", required_argument, NULL,
		  BPMU_OPTION_COUNT },
		{ "timer", required_argument, NULL, BPMU_OPTION_TIMER },
		{ "take-over", no_argument, NULL, BPMU_OPTION_TAKE_OVER },
		{ "help", no_argument, NULL, 'h' },
		{ "level", required_argument, NULL, 'l' },
		{ "metrics", required_argument, NULL, OPTION_METRICS },
		{ "events", required_argument, NULL, OPTION_EVENTS },
		{ "extra", no_argument, NULL, OPTION_EXTRA },
		{ }
	};
	int option;
	int code;

	top->options.interval_ns = INTERVAL_NS;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+aC:I:hl:M:", options,
				     NULL)) != -1) {
		code = take_option(top, option, optarg, err);
		if (code == -ENOENT)
			return bpmu_options_wrong("top", argv, err);
		if (code)
			return code;
	}
	if (optind < argc)
		return bpmu_error_set(err, -EINVAL,
				      "command '%s': not run by top, whose screen it would write to; start it elsewhere, or use topdown",
				      argv[optind]);
	return 0;
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

static int prepare(struct bpmu_top *top, struct bpmu_top *other,
		   struct bpmu_error *err)
{
	int code;

	code = bpmu_top_open(top, other, err);
	if (!code)
		code = make_state(top, err);
	if (!code && top->other)
		code = make_state(top->other, err);
	if (code)
		return code;
	top->cpus = bpmu_target_list(&top->target,
				     top->other ? &other->target : NULL,
				     &top->nr_cpus, err);
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

static int run(struct bpmu_ctx *ctx, struct bpmu_top *top)
{
	struct bpmu_top other = { };
	int code;

	setlocale(LC_CTYPE, "");
	code = prepare(top, &other, &ctx->err);
	if (!code)
		code = bpmu_top_measure(top, &ctx->err);
	release(&other);
	release(top);
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
	struct bpmu_top top = { };
	int status;

	if (take_words(&top, argc, argv, &ctx->err)) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (top.options.help) {
		fputs(help, stdout);
		status = BPMU_EXIT_OK;
	} else {
		return run(ctx, &top);
	}
	bpmu_choice_free(&top.choice);
	return status;
}
