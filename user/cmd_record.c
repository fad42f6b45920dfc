// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "holder.h"
#include "main.h"
#include "measure.h"
#include "options.h"
#include "recording.h"
#include "wanted.h"

#define DEFAULT_INTERVAL_NS 10000000ULL

static const char help[] =
	"Usage: barepmu record -o FILE [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Writes samples of all chosen CPUs to FILE as they come, while COMMAND runs or\n"
	"until interrupted. Nothing is computed meanwhile: this is the cheapest way to\n"
	"measure. The manual describes the file.\n\n"
	"  -e, --event EVENTS      what to count, see \"barepmu list\"; several with\n"
	"                          commas; default " BPMU_WANTED_DEFAULT "\n"
	"      --no-multiplex      refuse events that would have to take turns\n"
	BPMU_OPTIONS_HELP;

enum own_option {
	OPTION_TOGETHER = BPMU_OPTION_OWN
};

/**
 * struct record - a call of the command
 * @options: shared ones
 * @target: what it measures on
 * @wanted: what was asked for
 * @measure: the measurement
 * @recording: where it goes
 */
struct record {
	struct bpmu_options options;
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	struct bpmu_measure measure;
	struct bpmu_recording recording;
};

static int take_words(struct record *r, int argc, char **argv,
		      struct bpmu_error *err)
{
	static const struct option options[] = {
		BPMU_LONG_OPTIONS,
		{ "event", required_argument, NULL, 'e' },
		{ "no-multiplex", no_argument, NULL, OPTION_TOGETHER },
		{ }
	};
	int option;
	int code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+e:" BPMU_OPTIONS, options,
				     NULL)) != -1) {
		code = 0;
		if (option == 'e')
			code = bpmu_wanted_add(&r->wanted, optarg, err);
		else if (option == OPTION_TOGETHER)
			r->wanted.together = true;
		else
			code = bpmu_options_take(&r->options, option, optarg,
						 err);
		if (code == -ENOENT)
			return bpmu_options_wrong("record", argv, err);
		if (code)
			return code;
	}
	code = bpmu_options_check(&r->options, argc, argv, err);
	if (!code && !r->options.output && !r->options.help)
		return bpmu_error_set(err, -EINVAL,
			"record: where to is missing; add -o FILE");
	return code;
}

static int on_ready(void *data, struct bpmu_error *err)
{
	struct record *r = data;

	return bpmu_recording_describe(&r->recording, &r->target,
				       &r->wanted.groups,
				       bpmu_measure_period_ns(&r->measure),
				       err);
}

static void on_records(void *data, const void *records, size_t bytes)
{
	struct record *r = data;

	bpmu_recording_add(&r->recording, records, bytes);
}

static int measure(struct record *r, int *status, struct bpmu_error *err)
{
	struct bpmu_error ignored;
	int code, closed;

	r->measure = (struct bpmu_measure){
		.client = r->target.client,
		.info = &r->target.info,
		.cpus = r->target.cpus.cpu,
		.nr_cpus = r->target.cpus.nr,
		.groups = &r->wanted.groups,
		.interval_ns = r->options.interval_ns ?: DEFAULT_INTERVAL_NS,
		.timer = r->options.timer,
		.timeout_ns = r->options.timeout_ns,
		.argv = r->options.argv,
		.records = on_records,
		.ready = on_ready,
		.data = r,
	};
	code = bpmu_recording_create(&r->recording, r->options.output, err);
	if (code)
		return code;
	code = bpmu_measure_run(&r->measure, status, err);
	closed = bpmu_recording_close(&r->recording, code ? &ignored : err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code ? code : closed;
}

static int run(struct bpmu_ctx *ctx, struct record *r)
{
	int status = 0;
	int code;

	code = bpmu_target_open(&r->target, r->options.cpus, &ctx->err);
	if (!code)
		code = bpmu_wanted_plan(&r->wanted, &r->target, &ctx->err);
	if (!code)
		code = measure(r, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_target_close(&r->target);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

/**
 * bpmu_cmd_record() - "barepmu record"
 * @ctx: state
 * @argc: number of words, from the command's name on
 * @argv: the words
 *
 * Return: the command's exit status, or the tool's own.
 */
int bpmu_cmd_record(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct record r = { };
	int status;
	int code;

	code = take_words(&r, argc, argv, &ctx->err);
	if (code) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (r.options.help) {
		fputs(help, stdout);
		status = BPMU_EXIT_OK;
	} else {
		status = run(ctx, &r);
	}
	bpmu_wanted_free(&r.wanted);
	return status;
}
