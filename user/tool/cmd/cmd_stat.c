// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/signals.h"
#include "evaluation.h"
#include "event/prefetchers.h"
#include "recording_session.h"
#include "replay/report_progress.h"
#include "report_sums.h"
#include "stat/stat.h"
#include "tpebs.h"
#include "tree/level.h"

#define REPEAT_MAX 1000000U

/* A command that signal N killed has the exit status STATUS_SIGNAL + N. */
#define STATUS_SIGNAL 128

static const char about[] =
	"Usage: barepmu stat [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Counts events system-wide on the chosen CPUs, while COMMAND runs or until\n"
	"interrupted.\n\n";

enum own_option {
	OPTION_TOGETHER = BPMU_OPTION_OWN,
	OPTION_PREFETCHERS,
	OPTION_METRIC_ONLY,
	OPTION_COMPACT,
	OPTION_PRE,
	OPTION_POST
};

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_EVENT(";\ndefault " BPMU_WANTED_DEFAULT),
	BPMU_OPTION_ROW_NAMES(""),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_LEVEL(",\nas metrics"),
	BPMU_OPTION_ROW_METHOD,
	{ OPTION_COMPACT, "compact", NULL,
	  "one line per interval and row, with all values" },
	{ OPTION_METRIC_ONLY, "metric-only", NULL, "metrics without events" },
	BPMU_OPTION_ROWS_PER,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_TPEBS,
	BPMU_OPTION_ROW_METRICS,
	{ 'r', "repeat", "N",
	  "run COMMAND N times; print means with 95 % intervals" },
	{ OPTION_PRE, "pre", "CMD", "shell command to run before each COMMAND" },
	{ OPTION_POST, "post", "CMD", "shell command to run after it; neither is counted" },
	{ OPTION_PREFETCHERS, "prefetchers", "on|off|MASK",
	  "switch the cores' prefetchers on or off, or off those\n"
	  "with a bit of MSR 0x1A4 in MASK; restored at the end" },
	{ OPTION_TOGETHER, "no-multiplex", NULL,
	  "refuse events that need multiplexing" },
	BPMU_OPTION_ROWS_MEASURING,
	{ }
};

static int stat_take_option(void *call, int option, const char *value,
			    struct bpmu_error *err)
{
	struct bpmu_stat *stat = call;

	if (bpmu_options_rows(&stat->by, option))
		return 0;
	switch (option) {
	case 'e':
		return bpmu_wanted_add(&stat->analysis.wanted, value, err);
	case 'l':
		return bpmu_level_take(&stat->level, "-l", value, err);
	case 'r':
		return bpmu_options_number("-r", value, 1, REPEAT_MAX,
					   &stat->repeat, err);
	case OPTION_PREFETCHERS:
		stat->prefetchers = true;
		return bpmu_prefetchers_parse(value, &stat->prefetch, err);
	case OPTION_METRIC_ONLY:
		stat->metric_only = true;
		return 0;
	case OPTION_COMPACT:
		stat->compact = true;
		return 0;
	case OPTION_PRE:
		stat->pre = value;
		return 0;
	case OPTION_POST:
		stat->post = value;
		return 0;
	case OPTION_TOGETHER:
		stat->analysis.wanted.together = true;
		return 0;
	default:
		return bpmu_options_choose(&stat->options, &stat->analysis.choice,
					   option, value, err);
	}
}

static int stat_check(void *call, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	struct bpmu_stat *stat = call;
	int code = bpmu_options_check(&stat->options, operands, err);

	if (!code)
		code = bpmu_tpebs_check(&stat->options, &stat->analysis.choice, err);
	if (!code)
		code = bpmu_stat_add_level(stat, err);
	if (code)
		return code;
	if (stat->repeat && (!stat->options.argv || stat->options.interval_ns))
		return bpmu_error_set(err, -EINVAL,
			"-r: repeats a command, without -I; name the command");
	if ((stat->pre || stat->post) && !stat->options.argv)
		return bpmu_error_set(err, -EINVAL,
			"--pre, --post: run before and after a command; name the command");
	if (stat->compact && stat->options.format != BPMU_TEXT)
		return bpmu_error_set(err, -EINVAL,
			"--compact: is a form of text; leave out --compact, or -x and -j");
	if (stat->options.recorder) {
		stat->analysis.wanted.periods = stat->options.recorder->periods;
		stat->analysis.wanted.together |= stat->analysis.wanted.periods.nr;
	}
	stat->everyday = !stat->analysis.wanted.text &&
			 !bpmu_stat_has_metrics(&stat->analysis.choice) &&
			 !stat->options.replay && !stat->options.recorder;
	if (stat->metric_only && !bpmu_stat_has_metrics(&stat->analysis.choice))
		return bpmu_error_set(err, -EINVAL,
			"--metric-only: no metrics were asked for; name them with -M or -l");
	return 0;
}

static int stat_prepare(struct bpmu_stat *stat, struct bpmu_error *err)
{
	int code;

	code = bpmu_stat_open(stat, err);
	if (!code && stat->everyday && stat->analysis.nr == 1)
		code = bpmu_stat_everyday(stat, err);
	if (!code && stat->prefetchers)
		code = bpmu_prefetchers_check(stat->analysis.type[0]->target.info.prefetch,
					      &stat->prefetch, err);
	return code ? code : bpmu_stat_prepare(stat, err);
}

/*
 * Runs the shell command of the option --pre or --post, whose name is @name. Does nothing if
 * @command is NULL. The events of the shell command are not counted. Returns 0, or a negative errno
 * if the command fails.
 */
static int run_hook(const char *name, const char *command, struct bpmu_error *err)
{
	struct sigaction old = bpmu_signals_keep_children();
	int status = command ? system(command) : 0;

	sigaction(SIGCHLD, &old, NULL);
	if (!status)
		return 0;
	return bpmu_error_set(err, -ECANCELED,
		"%s '%s': ended with status %d; nothing more is run", name,
		command, WIFEXITED(status) ? WEXITSTATUS(status) :
		STATUS_SIGNAL + WTERMSIG(status));
}

static int stat_on_ready(void *data, struct bpmu_error *err)
{
	struct bpmu_stat *stat = data;

	(void)err;
	stat->configured = true;
	return 0;
}

/*
 * Returns true if the measurement of the default metrics could not begin only because the counters
 * of the memory channels are in use or do not work. @code is the error with which it failed.
 */
static bool lacks_bandwidth(const struct bpmu_stat *stat, int code)
{
	return stat->bandwidth && !stat->configured &&
	       (code == -EADDRINUSE || code == -ENODEV || code == -EIO);
}

static int stat_measure(struct bpmu_stat *stat, int *status, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &stat->analysis;
	struct bpmu_measure m = bpmu_session_measure(&stat->options, &analysis->type[0]->target);
	int code = bpmu_analysis_measure(analysis, &m, err);

	if (code)
		return code;
	m.ready = stat_on_ready;
	m.prefetch = stat->prefetchers ? &stat->prefetch : NULL;
	m.emit = bpmu_stat_interval;
	m.emitted = bpmu_stat_write;
	m.data = stat;
	if (stat->out)
		bpmu_session_print_to(&m, stat->out);
	/* A buffer would only copy rows that bpmu_stat_write() writes many at a time. */
	if (stat->out && stat->options.interval_ns && stat->options.format != BPMU_TEXT &&
	    analysis->nr == 1)
		setvbuf(stat->out, NULL, _IONBF, 0);
	if (!stat->pre_done)
		code = run_hook("--pre", stat->pre, err);
	stat->pre_done = false;
	if (!code) {
		code = bpmu_session_run(&stat->options, analysis->target, &m, status, err);
		bpmu_stat_write(stat);
		stat->lacks_bandwidth = lacks_bandwidth(stat, code);
	}
	return code ? code : run_hook("--post", stat->post, err);
}

static int print_one(struct bpmu_stat *stat, int *status,
		     struct bpmu_error *err)
{
	int code;

	stat->out = bpmu_options_open(&stat->options, err);
	if (!stat->out)
		return -EIO;
	code = stat_measure(stat, status, err);
	return bpmu_options_close(&stat->options, stat->out, code, err);
}

static int print_means(struct bpmu_stat *stat, const struct bpmu_sums *sums,
		       struct bpmu_error *err)
{
	stat->out = bpmu_options_open(&stat->options, err);
	if (!stat->out)
		return -EIO;
	if (stat->options.format == BPMU_TEXT) {
		fprintf(stat->out, "System-wide means of %u runs of '",
			bpmu_sums_runs(sums));
		bpmu_print_command(stat->out, stat->options.argv);
		fputs("', with the half-width of their 95 % confidence interval:\n\n",
		      stat->out);
	}
	bpmu_sums_print(stat->out, stat->options.format,
			stat->options.separator, sums);
	return bpmu_options_close(&stat->options, stat->out, 0, err);
}

static int repeat(struct bpmu_stat *stat, int *status, struct bpmu_error *err)
{
	struct bpmu_progress progress;
	struct bpmu_sums sums = { };
	unsigned int i;
	int code = 0;

	stat->options.sums = &sums;
	bpmu_progress_begin(&progress, "repeating");
	for (i = 0; i < stat->repeat && !code && *status < STATUS_SIGNAL; i++) {
		bpmu_progress_fraction(&progress, (double)i / stat->repeat);
		code = stat_measure(stat, status, err);
	}
	bpmu_progress_end(&progress);
	if (!code && sums.failed)
		code = bpmu_error_set(err, -ENOMEM,
				      "-r: out of memory; use fewer runs");
	if (!code)
		code = print_means(stat, &sums, err);
	bpmu_sums_free(&sums);
	return code;
}

/* Measures the retire latencies that formulas need, and prepares again with them. */
static int stat_take_latencies(struct bpmu_ctx *ctx, struct bpmu_stat *stat)
{
	char *latencies;
	int code = bpmu_tpebs_measure(ctx, &stat->options, &stat->analysis, &latencies, &ctx->err);

	if (code)
		return code;
	bpmu_stat_close(stat);
	stat->analysis.choice.unmeasured = false;
	stat->analysis.choice.events = latencies;
	code = stat_prepare(stat, &ctx->err);
	stat->analysis.choice.events = NULL;
	bpmu_tpebs_remove(latencies);
	return code;
}

/*
 * Runs "barepmu stat" and returns its exit status. If it fails only because memory bandwidth cannot
 * be measured, no error is printed: the caller runs it again without memory bandwidth.
 */
static int stat_run(struct bpmu_ctx *ctx, struct bpmu_stat *stat)
{
	int status = 0;
	int code;

	code = stat_prepare(stat, &ctx->err);
	if (!code && stat->options.tpebs)
		code = stat_take_latencies(ctx, stat);
	if (!code && stat->repeat)
		code = repeat(stat, &status, &ctx->err);
	else if (!code)
		code = print_one(stat, &status, &ctx->err);
	if (code && !stat->lacks_bandwidth)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

/*
 * Measures the default metrics again, without the memory bandwidth. The counters of the memory
 * channels could not be used. Returns the exit status.
 */
static int run_without_bandwidth(struct bpmu_ctx *ctx, struct bpmu_stat *stat)
{
	fprintf(stderr, "barepmu: %s; counted without DRAM_Read_Rate and DRAM_Write_Rate\n",
		ctx->err.text);
	bpmu_stat_close(stat);
	stat->bandwidth = false;
	stat->lacks_bandwidth = false;
	stat->no_bandwidth = true;
	stat->pre_done = true;
	return stat_run(ctx, stat);
}

static void stat_begin(void *call, const struct bpmu_options *initial)
{
	struct bpmu_stat *stat = call;

	stat->options = *initial;
}

static int stat_evaluate(struct bpmu_ctx *ctx, void *call)
{
	struct bpmu_stat *stat = call;
	int status = stat_run(ctx, stat);

	return stat->lacks_bandwidth ? run_without_bandwidth(ctx, stat) : status;
}

static void stat_end(void *call)
{
	bpmu_stat_free(call);
}

const struct bpmu_evaluation bpmu_evaluation_stat = {
	.options = &(const struct bpmu_option_table){
		.command = "stat", .about = about, .option = table,
		.command_follows = true, .set = stat_take_option,
	},
	.size = sizeof(struct bpmu_stat), .begin = stat_begin, .check = stat_check,
	.run = stat_evaluate, .free = stat_end,
};

/**
 * bpmu_cmd_stat() - run "barepmu stat", which counts events or metrics while a command runs
 */
int bpmu_cmd_stat(struct bpmu_ctx *ctx, int argc, char **argv)
{
	return bpmu_evaluation_words(&bpmu_evaluation_stat, ctx, argc, argv);
}
