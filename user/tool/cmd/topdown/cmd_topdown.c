// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "command.h"
#include "drill_run.h"
#include "recording_session.h"
#include "topdown.h"
#include "tree/level.h"

/* more than any method has: the tree knows its own levels */
#define LEVELS_MOST 9

static const char help[] =
	"Usage: barepmu topdown [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Where the slots of the pipeline go, by the Top-Down method, on all chosen\n"
	"CPUs, whatever runs there, while COMMAND runs or until interrupted. Level 2\n"
	"needs more events than there are counters: groups of them take turns.\n\n"
	"  -l, --level N           how deep, 1 (default) to 4; of tma to 6\n"
	"      --drill             begin with level 1 and go on, while it runs, to what\n"
	"                          is below flagged nodes only; down to -l, or all of it\n"
	"  -M NAMES                only these metrics, globs or groups, on all levels\n"
	"      --method NAME       paper (default) or tma: Intel's tree, levels 1 to 6\n"
	"      --metrics PATH      metrics of this file, see barepmu-metrics(5), or of\n"
	"                          Intel's; can be said again to add more\n"
	"      --events PATH       events of Intel's JSON file, or of a directory\n"
	"      --extra             also nodes that the paper names without a formula\n"
	"      --paper             formulas as the paper prints them, with the counts put in\n"
	"      --cpi               as a stack of cycles per instruction\n"
	"      --no-multiplex      refuse levels that would have to take turns\n"
	"      --groups            only print which events are counted together\n"
	BPMU_ALERT_HELP
	BPMU_OPTIONS_HELP;

enum own_option {
	OPTION_GROUPS = BPMU_OPTION_OWN,
	OPTION_EXTRA,
	OPTION_PAPER,
	OPTION_CPI,
	OPTION_TOGETHER,
	OPTION_METRICS,
	OPTION_METHOD,
	OPTION_EVENTS,
	OPTION_DRILL,
	OPTION_ALERT,
	OPTION_ALERT_EXEC
};

static int take_option(struct bpmu_topdown *t, int option, char *value,
		       struct bpmu_error *err)
{
	switch (option) {
	case 'l':
		return bpmu_options_number("-l", value, 1, LEVELS_MOST,
					   &t->level, err);
	case 'M':
		return bpmu_choice_add_names(&t->choice, value, err);
	case OPTION_METRICS:
		return bpmu_choice_add_path(&t->choice, value, err);
	case OPTION_METHOD:
		return bpmu_choice_take_method(&t->choice, value, err);
	case OPTION_EVENTS:
		t->choice.events = value;
		return 0;
	case OPTION_PAPER:
		t->choice.paper = true;
		return 0;
	case OPTION_CPI:
		t->cpi = true;
		return 0;
	case OPTION_TOGETHER:
		t->together = true;
		return 0;
	case OPTION_EXTRA:
		t->extra = true;
		return 0;
	case OPTION_DRILL:
		t->drill = true;
		return 0;
	case OPTION_GROUPS:
		t->groups = true;
		return 0;
	case OPTION_ALERT:
		return bpmu_alerts_add(&t->alerts, value, err);
	case OPTION_ALERT_EXEC:
		t->alerts.command = value;
		return 0;
	default:
		return bpmu_options_take(&t->options, option, value, err);
	}
}

static int take_words(struct bpmu_topdown *t, int argc, char **argv,
		      struct bpmu_error *err)
{
	static const struct option options[] = {
		BPMU_LONG_OPTIONS,
		{ "level", required_argument, NULL, 'l' },
		{ "metrics", required_argument, NULL, OPTION_METRICS },
		{ "method", required_argument, NULL, OPTION_METHOD },
		{ "events", required_argument, NULL, OPTION_EVENTS },
		{ "extra", no_argument, NULL, OPTION_EXTRA },
		{ "paper", no_argument, NULL, OPTION_PAPER },
		{ "cpi", no_argument, NULL, OPTION_CPI },
		{ "no-multiplex", no_argument, NULL, OPTION_TOGETHER },
		{ "drill", no_argument, NULL, OPTION_DRILL },
		{ "groups", no_argument, NULL, OPTION_GROUPS },
		{ "alert", required_argument, NULL, OPTION_ALERT },
		{ "alert-exec", required_argument, NULL, OPTION_ALERT_EXEC },
		{ }
	};
	int option;
	int code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+l:M:" BPMU_OPTIONS, options,
				     NULL)) != -1) {
		code = take_option(t, option, optarg, err);
		if (code == -ENOENT)
			return bpmu_options_wrong("topdown", argv, err);
		if (code)
			return code;
	}
	if (t->drill && (t->groups || t->choice.paper || t->cpi || t->choice.names))
		return bpmu_error_set(err, -EINVAL,
				      "--drill: not with --groups, --paper, --cpi or -M, as it chooses what to measure; say -l instead");
	code = bpmu_options_check(&t->options, argc, argv, err);
	return code ? code : bpmu_alerts_check(&t->alerts,
					       t->options.interval_ns, err);
}

static int measure(struct bpmu_topdown *t, int *status, struct bpmu_error *err)
{
	const struct bpmu_topdown *other = t->other;
	unsigned int nr;
	u32 *cpus = bpmu_target_list(&t->target, other ? &other->target : NULL,
				     &nr, err);
	const struct bpmu_measure m = {
		.client = t->target.client,
		.info = &t->target.info,
		.cpus = cpus,
		.nr_cpus = nr,
		.groups = &t->tree.groups,
		.other = other ? &other->tree.groups : NULL,
		.nr_alike = t->target.cpus.nr,
		.interval_ns = t->options.interval_ns,
		.timer = t->options.timer,
		.take_over = t->options.take_over,
		.max_intervals = t->options.max_intervals,
		.timeout_ns = t->options.timeout_ns,
		.argv = t->options.argv,
		.stop = &t->alerts.stop,
		.emit = bpmu_topdown_interval,
		.data = t,
	};
	int code;

	if (!cpus)
		return -ENOMEM;
	if (!t->drill) {
		code = bpmu_session_run(&t->options, &t->target,
					other ? &other->target : NULL, &m,
					status, err);
	} else {
		code = bpmu_drill_run(t, &m, status, err);
		if (code == -EBUSY)
			bpmu_holder_explain(err);
	}
	free(cpus);
	return code;
}

static int print_result(struct bpmu_topdown *t, int *status,
			struct bpmu_error *err)
{
	struct bpmu_error ignored;
	int code, closed;

	if (t->groups) {
		bpmu_topdown_groups(t);
		return 0;
	}
	t->out = bpmu_options_open(&t->options, err);
	if (!t->out)
		return -EIO;
	code = measure(t, status, err);
	closed = bpmu_options_close(&t->options, t->out,
				    code ? &ignored : err);
	return code ? code : closed;
}

static int run(struct bpmu_ctx *ctx, struct bpmu_topdown *t)
{
	struct bpmu_topdown other = { };
	int status = 0;
	int code;

	code = bpmu_topdown_open(t, &other, &ctx->err);
	if (!code)
		code = print_result(t, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_topdown_unplan(&other);
	bpmu_target_close(&other.target);
	bpmu_choice_free(&other.choice);
	bpmu_topdown_unplan(t);
	bpmu_target_close(&t->target);
	if (!code && t->alerts.stop)
		return BPMU_EXIT_ALERT;
	return code && !status ? BPMU_EXIT_FAILED : status;
}

/**
 * bpmu_cmd_topdown() - "barepmu topdown"
 * @ctx: state
 * @argc: number of words, from the command's name on
 * @argv: the words
 *
 * Return: the command's exit status, or the tool's own.
 */
int bpmu_cmd_topdown(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_topdown t = { .options = ctx->options };
	int status;

	if (take_words(&t, argc, argv, &ctx->err)) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (t.options.help) {
		fputs(help, stdout);
		status = BPMU_EXIT_OK;
	} else {
		status = run(ctx, &t);
	}
	bpmu_choice_free(&t.choice);
	bpmu_alerts_free(&t.alerts);
	return status;
}
