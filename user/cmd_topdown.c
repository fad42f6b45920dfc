// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
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
	"needs more events than there are counters: COMMAND then runs once for each\n"
	"group of them, or each group gets its share of --timeout.\n\n"
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

static int check_passes(const struct bpmu_topdown *t, struct bpmu_error *err)
{
	unsigned int nr = t->tree.nr_groups;

	if (nr == 1 || t->groups)
		return 0;
	if (t->options.interval_ns)
		return bpmu_error_set(err, -EINVAL,
			"-I: level %u needs %u groups of events, one after the other; take -l 1",
			t->level, nr);
	if (!t->options.argv && !t->options.timeout_ns)
		return bpmu_error_set(err, -EINVAL,
			"level %u needs %u groups of events, one after the other; add a command or --timeout",
			t->level, nr);
	return 0;
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
	for (g = 0; g < t->tree.nr_groups; g++) {
		t->counts[g] = calloc(t->tree.group[g].events.nr,
				      sizeof(double));
		if (!t->counts[g])
			return bpmu_error_set(err, -ENOMEM,
					      "topdown: out of memory");
	}
	return check_passes(t, err);
}

/* the counts of a group over all CPUs */
static void take_counts(struct bpmu_topdown *t,
			const struct bpmu_interval *interval)
{
	const struct bpmu_tree_group *group = &t->tree.group[t->group];
	const struct bpmu_sched *sched = &group->sched;
	unsigned int i, pos;

	for (i = 0; i < group->events.nr; i++) {
		t->counts[t->group][i] = 0;
		for (pos = 0; pos < t->target.cpus.nr; pos++)
			t->counts[t->group][i] +=
				bpmu_sched_count(sched, &group->events.spec[i],
						 interval->count +
						 (size_t)pos * sched->nr);
	}
	for (pos = 0; pos < t->target.cpus.nr; pos++)
		t->lost += interval->lost[pos];
}

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_topdown *t = data;

	take_counts(t, interval);
	if (t->options.interval_ns) {
		t->seconds = interval->seconds;
		bpmu_topdown_tree(t);
		return;
	}
	t->seconds += interval->duration;
}

static int measure_group(struct bpmu_topdown *t, int *status,
			 struct bpmu_error *err)
{
	const struct bpmu_measure m = {
		.client = t->target.client,
		.info = &t->target.info,
		.cpus = t->target.cpus.cpu,
		.nr_cpus = t->target.cpus.nr,
		.sched = &t->tree.group[t->group].sched,
		.interval_ns = t->options.interval_ns,
		.max_intervals = t->options.max_intervals,
		.timeout_ns = t->options.timeout_ns / t->tree.nr_groups,
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

static int measure(struct bpmu_topdown *t, int *status, struct bpmu_error *err)
{
	unsigned int nr = t->tree.nr_groups;
	int code;

	if (nr > 1 && t->options.argv && t->options.format == BPMU_TEXT)
		fprintf(t->out,
			"Running the command %u times, once for each group of events.\n",
			nr);
	fflush(t->out);
	for (t->group = 0; t->group < nr; t->group++) {
		code = measure_group(t, status, err);
		if (code)
			return code;
	}
	if (!t->options.interval_ns)
		bpmu_topdown_tree(t);
	return 0;
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
	for (g = 0; g < t->tree.nr_groups; g++)
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
