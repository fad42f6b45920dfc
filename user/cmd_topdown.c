// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "holder.h"
#include "main.h"
#include "topdown.h"

#define METHOD "topdown"
#define LEVELS 2

static const char help[] =
	"Usage: barepmu topdown [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Where the slots of the pipeline go, by the Top-Down method, on all chosen\n"
	"CPUs, whatever runs there, while COMMAND runs or until interrupted. Level 2\n"
	"needs more events than there are counters: groups of them take turns.\n\n"
	"  -l, --level N           how deep, 1 (default) or 2\n"
	"      --groups            only print which events are counted together\n"
	BPMU_OPTIONS_HELP;

enum own_option {
	OPTION_GROUPS = BPMU_OPTION_OWN
};

static int take_level(struct bpmu_topdown *t, const char *text,
		      struct bpmu_error *err)
{
	if (text[0] < '1' || text[0] > '0' + LEVELS || text[1])
		return bpmu_error_set(err, -EINVAL,
				      "-l '%s': no such level; 1 to %d exist",
				      text, LEVELS);
	t->level = text[0] - '0';
	return 0;
}

static int take_words(struct bpmu_topdown *t, int argc, char **argv,
		      struct bpmu_error *err)
{
	static const struct option options[] = {
		BPMU_LONG_OPTIONS,
		{ "level", required_argument, NULL, 'l' },
		{ "groups", no_argument, NULL, OPTION_GROUPS },
		{ }
	};
	int option;
	int code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+l:" BPMU_OPTIONS, options,
				     NULL)) != -1) {
		if (option == 'l') {
			code = take_level(t, optarg, err);
		} else if (option == OPTION_GROUPS) {
			t->groups = true;
			code = 0;
		} else {
			code = bpmu_options_take(&t->options, option, optarg,
						 err);
		}
		if (code == -ENOENT)
			return bpmu_options_wrong("topdown", argv, err);
		if (code)
			return code;
	}
	return bpmu_options_check(&t->options, argc, argv, err);
}

static int prepare(struct bpmu_topdown *t, struct bpmu_error *err)
{
	unsigned int g;
	int code;

	code = bpmu_target_open(&t->target, t->options.cpus, err);
	if (code)
		return code;
	code = bpmu_tree_init(&t->tree, METHOD, &t->target.info.pmu,
			      t->target.smt, t->level, err);
	if (code)
		return code;
	for (g = 0; g < t->tree.groups.nr; g++) {
		t->counts[g] = calloc(t->tree.events[g].nr, sizeof(double));
		if (!t->counts[g])
			return bpmu_error_set(err, -ENOMEM,
					      "topdown: out of memory");
	}
	return 0;
}

/* an event over all CPUs; NAN if nothing was seen of it */
static double count_of(const struct bpmu_topdown *t,
		       const struct bpmu_interval *interval,
		       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	unsigned int pos;

	for (pos = 0; pos < t->target.cpus.nr; pos++)
		bpmu_measure_estimate(&t->tree.groups, interval, pos, spec,
				      &sum);
	return sum.missing && !sum.running ? NAN : sum.value;
}

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_topdown *t = data;
	unsigned int g, i, pos;

	for (g = 0; g < t->tree.groups.nr; g++)
		for (i = 0; i < t->tree.events[g].nr; i++)
			t->counts[g][i] = count_of(t, interval,
						   &t->tree.events[g].spec[i]);
	for (pos = 0; pos < t->target.cpus.nr; pos++)
		t->lost += interval->lost[pos];
	t->seconds = interval->seconds;
	bpmu_topdown_tree(t);
}

static int measure(struct bpmu_topdown *t, int *status, struct bpmu_error *err)
{
	const struct bpmu_measure m = {
		.client = t->target.client,
		.info = &t->target.info,
		.cpus = t->target.cpus.cpu,
		.nr_cpus = t->target.cpus.nr,
		.groups = &t->tree.groups,
		.interval_ns = t->options.interval_ns,
		.timer = t->options.timer,
		.max_intervals = t->options.max_intervals,
		.timeout_ns = t->options.timeout_ns,
		.argv = t->options.argv,
		.emit = on_interval,
		.data = t,
	};
	int code;

	code = bpmu_measure_run(&m, status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
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
	int status = 0;
	unsigned int g;
	int code;

	code = prepare(t, &ctx->err);
	if (!code)
		code = print_result(t, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	for (g = 0; g < t->tree.groups.nr; g++)
		free(t->counts[g]);
	bpmu_tree_free(&t->tree);
	bpmu_target_close(&t->target);
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
	struct bpmu_topdown t = { .level = 1 };
	int code;

	code = take_words(&t, argc, argv, &ctx->err);
	if (code)
		return bpmu_fail(ctx, BPMU_EXIT_USAGE);
	if (t.options.help) {
		fputs(help, stdout);
		return BPMU_EXIT_OK;
	}
	return run(ctx, &t);
}
