// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "holder.h"
#include "main.h"
#include "stat.h"

#define DEFAULT_EVENTS "cycles,instructions,branches,branch-misses"
/* for a part whose counters cannot hold those */
#define FEWER_EVENTS "cycles,instructions"

static const char help[] =
	"Usage: barepmu stat [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Counts events on all chosen CPUs, whatever runs there, while COMMAND runs or\n"
	"until interrupted.\n\n"
	"  -e, --event EVENTS      what to count, see \"barepmu list\"; several with\n"
	"                          commas; default " DEFAULT_EVENTS "\n"
	"  -A, --no-aggr           a row for each CPU\n"
	BPMU_OPTIONS_HELP;

/**
 * struct words - the command line before it is understood
 * @events: all -e, joined with commas, or NULL
 */
struct words {
	char *events;
};

static int add_events(struct words *words, const char *text,
		      struct bpmu_error *err)
{
	size_t have = words->events ? strlen(words->events) + 1 : 0;
	char *joined;

	joined = realloc(words->events, have + strlen(text) + 1);
	if (!joined)
		return bpmu_error_set(err, -ENOMEM, "-e: out of memory");
	if (have)
		joined[have - 1] = ',';
	strcpy(joined + have, text);
	words->events = joined;
	return 0;
}

static int take_words(struct bpmu_stat *stat, struct words *words, int argc,
		      char **argv, struct bpmu_error *err)
{
	static const struct option options[] = {
		BPMU_LONG_OPTIONS,
		{ "event", required_argument, NULL, 'e' },
		{ "no-aggr", no_argument, NULL, 'A' },
		{ }
	};
	int option;
	int code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+e:A" BPMU_OPTIONS, options,
				     NULL)) != -1) {
		if (option == 'e') {
			code = add_events(words, optarg, err);
		} else if (option == 'A') {
			stat->per_cpu = true;
			code = 0;
		} else {
			code = bpmu_options_take(&stat->options, option,
						 optarg, err);
		}
		if (code == -ENOENT)
			return bpmu_options_wrong("stat", argv, err);
		if (code)
			return code;
	}
	return bpmu_options_check(&stat->options, argc, argv, err);
}

static int assign(struct bpmu_stat *stat, const char *events,
		  struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &stat->target.info.pmu;
	int code;

	code = bpmu_event_list_parse(pmu, stat->target.smt, events,
				     &stat->events, err);
	if (code)
		return code;
	return bpmu_sched_assign(pmu, &stat->events, &stat->sched, err);
}

static int prepare(struct bpmu_stat *stat, const struct words *words,
		   struct bpmu_error *err)
{
	int code;

	code = bpmu_target_open(&stat->target, stat->options.cpus, err);
	if (code)
		return code;
	if (words->events)
		return assign(stat, words->events, err);
	if (!assign(stat, DEFAULT_EVENTS, err))
		return 0;
	bpmu_event_list_free(&stat->events);
	return assign(stat, FEWER_EVENTS, err);
}

static int measure(struct bpmu_stat *stat, int *status, struct bpmu_error *err)
{
	const struct bpmu_measure m = {
		.client = stat->target.client,
		.info = &stat->target.info,
		.cpus = stat->target.cpus.cpu,
		.nr_cpus = stat->target.cpus.nr,
		.sched = &stat->sched,
		.interval_ns = stat->options.interval_ns,
		.max_intervals = stat->options.max_intervals,
		.timeout_ns = stat->options.timeout_ns,
		.argv = stat->options.argv,
		.emit = bpmu_stat_interval,
		.data = stat,
	};
	struct bpmu_error ignored;
	int code, closed;

	stat->out = bpmu_options_open(&stat->options, err);
	if (!stat->out)
		return -EIO;
	code = bpmu_measure_run(&m, status, err);
	closed = bpmu_options_close(&stat->options, stat->out,
				    code ? &ignored : err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code ? code : closed;
}

static int run(struct bpmu_ctx *ctx, struct bpmu_stat *stat,
	       const struct words *words)
{
	int status = 0;
	int code;

	code = prepare(stat, words, &ctx->err);
	if (!code)
		code = measure(stat, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_event_list_free(&stat->events);
	bpmu_target_close(&stat->target);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

/**
 * bpmu_cmd_stat() - "barepmu stat"
 * @ctx: state
 * @argc: number of words, from the command's name on
 * @argv: the words
 *
 * Return: the command's exit status, or the tool's own.
 */
int bpmu_cmd_stat(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_stat stat = { };
	struct words words = { };
	int status;
	int code;

	code = take_words(&stat, &words, argc, argv, &ctx->err);
	if (code) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (stat.options.help) {
		fputs(help, stdout);
		status = BPMU_EXIT_OK;
	} else {
		status = run(ctx, &stat, &words);
	}
	free(words.events);
	return status;
}
