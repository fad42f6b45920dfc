// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "evaluation.h"
#include "count/cpi.h"
#include "count/flaw.h"
#include "recording_session.h"
#include "repeat.h"
#include "report_sums.h"
#include "source/cpistack_tree.h"

static const char about[] =
	"Usage: barepmu cpistack [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"CPI stacks: cycles per instruction by cause, at dispatch, issue and commit, with\n"
	"bounds of what removing a cause would save, system-wide on the chosen CPUs,\n"
	"while COMMAND runs or until interrupted. Most CPU models approximate some\n"
	"components and lack others, as noted below the stacks.\n\n";

enum own_option {
	OPTION_NORMALISE = BPMU_OPTION_OWN
};

static const struct bpmu_option table[] = {
	{ 'l', "level", "N",
	  "1: components; 2 (default): also their parts, where\n"
	  "there are events for them, in more groups" },
	{ OPTION_NORMALISE, "normalise", "INST|WORK=N",
	  "cycles per instruction (default), or per unit of the N\n"
	  "that the program does" },
	BPMU_OPTION_ROW_REPEAT("intervals; print the stacks"),
	BPMU_OPTION_ROWS_MEASURING,
	{ }
};

/**
 * struct call - options and state of "barepmu cpistack"
 * @options: options common to measuring commands
 * @target: the CPUs to measure, and what is known of their counters
 * @level: 1: the CPI stacks have components only; 2: they also have the parts into which components
 *	are divided
 * @work: number of units of work by which the stacks are divided; 0 to divide by instructions
 *	retired
 * @repeat: value of the option -r: a number of runs, or %BPMU_REPEAT_AUTO; 0 without -r
 * @runs: with -r, number of runs that were measured
 * @tree: metrics from which the stacks are computed
 * @lost: number of samples lost
 * @flaws: flaws that the samples report, such as a disturbed counter
 * @printed: number of stacks printed
 * @out: stream to which results are printed
 */
struct call {
	struct bpmu_options options;
	struct bpmu_target target;
	unsigned int level;
	double work;
	unsigned int repeat;
	unsigned int runs;
	struct bpmu_cpistack_tree tree;
	u64 lost;
	struct bpmu_flaws flaws;
	unsigned int printed;
	FILE *out;
};

static int cpistack_take_option(void *data, int option, const char *value,
				struct bpmu_error *err)
{
	struct call *call = data;

	if (option == 'l')
		return bpmu_options_number("-l", value, 1, 2, &call->level,
					   err);
	if (option == 'r')
		return bpmu_repeat_take(value, &call->repeat, err);
	if (option == OPTION_NORMALISE)
		return bpmu_cpi_take(value, &call->work, err);
	return bpmu_options_take(&call->options, option, value, err);
}

static int cpistack_check(void *data, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	struct call *call = data;
	int code = bpmu_options_check(&call->options, operands, err);

	return code ? code : bpmu_repeat_check(call->repeat, &call->options, err);
}

static int cpistack_prepare(struct call *call, struct bpmu_error *err)
{
	int code = bpmu_session_open(&call->target, &call->options, err);

	return code ? code : bpmu_cpistack_tree_make(&call->tree, &call->target,
						     call->level, call->work,
						     err);
}

static void print_text(const struct call *call,
		       const struct bpmu_cpistack *stack, double seconds)
{
	FILE *out = call->out;

	fprintf(out, "%s stacks on %s, system-wide on CPU %s",
		call->work > 0 ? "Cycle" : "CPI", call->target.info.title,
		call->target.cpus_text);
	bpmu_print_during(out, call->options.argv, call->runs);
	fprintf(out, "; %s %.3f s\n\n", call->options.interval_ns ? "to" : "in",
		seconds);
	bpmu_cpistack_text(out, stack);
	if (call->lost)
		fprintf(out,
			"%llu samples lost: counts are complete, intervals are coarser.\n",
			call->lost);
	bpmu_flaws_text(&call->flaws, out, "");
}

static void print_rows(const struct call *call,
		       const struct bpmu_cpistack *stack,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_field when[] = {
		{ "time", .form = BPMU_FIELD_FIXED, .number = interval->seconds,
		  .digits = 6 },
		{ "wall", .form = BPMU_FIELD_STAMP, .stamp = &interval->stamp },
		{ "cpus", call->target.cpus_text, BPMU_FIELD_TEXT },
		{ "runs", .form = BPMU_FIELD_WHOLE, .whole = call->runs },
	};
	struct bpmu_table table = {
		.out = call->out, .format = call->options.format,
		.separator = call->options.separator, .type = "cpistack",
		.when = { when, ARRAY_SIZE(when) - !call->repeat }, .headed = call->printed,
	};

	bpmu_cpistack_rows(&table, stack);
}

static void add_to_sums(const struct call *call,
			const struct bpmu_interval *interval)
{
	const struct bpmu_tree *tree = &call->tree.tree;
	unsigned int i;

	if (call->options.interval_ns && !interval->whole)
		return;
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i])
			bpmu_metric_sum(&tree->metrics.metric[i], &call->tree.values[i],
					call->target.cpus_text,
					call->options.sums);
}

static void cpistack_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct call *call = data;
	struct bpmu_cpistack stack;
	unsigned int pos;

	for (pos = 0; pos < call->target.cpus.nr; pos++)
		call->lost += interval->lost[pos];
	bpmu_flaws_add(&call->flaws, interval, &call->target.cpus);
	bpmu_cpistack_tree_eval(&call->tree, interval, call->target.cpus.nr,
				&stack);
	if (call->options.sums) {
		call->options.sums->flaws = call->flaws;
		add_to_sums(call, interval);
		return;
	}
	if (call->options.format == BPMU_TEXT)
		print_text(call, &stack, interval->seconds);
	else
		print_rows(call, &stack, interval);
	if (interval->last && call->options.format == BPMU_JSON)
		bpmu_flaws_json(&call->flaws, call->out);
	call->printed++;
}

static int cpistack_measure(struct call *call, int *status, struct bpmu_error *err)
{
	const struct bpmu_target *const targets[BPMU_CORE_TYPES] = { &call->target };
	struct bpmu_measure m = bpmu_session_measure(&call->options,
						     &call->target);
	int code;

	m.groups[0] = &call->tree.tree.groups;
	m.emit = cpistack_on_interval;
	m.data = call;
	call->out = bpmu_options_open(&call->options, err);
	if (!call->out)
		return -EIO;
	bpmu_session_print_to(&m, call->out);
	code = bpmu_repeat_run(call->repeat, &call->options, targets, &m, &call->runs, status, err);
	return bpmu_options_close(&call->options, call->out, code, err);
}

static int cpistack_run(struct bpmu_ctx *ctx, void *data)
{
	struct call *call = data;
	int status = 0;
	int code;

	code = cpistack_prepare(call, &ctx->err);
	if (!code)
		code = cpistack_measure(call, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_cpistack_tree_free(&call->tree);
	bpmu_target_close(&call->target);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

static void cpistack_begin(void *data, const struct bpmu_options *initial)
{
	struct call *call = data;

	call->options = *initial;
	call->level = BPMU_TREE_ALL;
}

const struct bpmu_evaluation bpmu_evaluation_cpistack = {
	.options = &(const struct bpmu_option_table){
		.command = "cpistack", .about = about, .option = table,
		.command_follows = true, .set = cpistack_take_option,
	},
	.size = sizeof(struct call), .begin = cpistack_begin, .check = cpistack_check,
	.run = cpistack_run,
};

/**
 * bpmu_cmd_cpistack() - run "barepmu cpistack", which prints CPI stacks: where cycles went
 */
int bpmu_cmd_cpistack(struct bpmu_ctx *ctx, int argc, char **argv)
{
	return bpmu_evaluation_words(&bpmu_evaluation_cpistack, ctx, argc, argv);
}
