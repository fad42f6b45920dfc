// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "evaluation.h"
#include "count/cpi.h"
#include "drill_locate.h"
#include "drill_run.h"
#include "recording_session.h"
#include "repeat.h"
#include "topdown.h"
#include "tpebs.h"
#include "tree/level.h"

/*
 * maximum of the option -l; it is larger than the number of levels of any tree, and each tree
 * refuses levels that it does not have
 */
#define LEVEL_LIMIT 9

static const char about[] =
	"Usage: barepmu topdown [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Top-Down analysis: where the pipeline slots go, system-wide on the chosen CPUs,\n"
	"while COMMAND runs or until interrupted. Level 2 needs more events than there\n"
	"are counters: event groups are multiplexed.\n\n";

enum own_option {
	OPTION_GROUPS = BPMU_OPTION_OWN,
	OPTION_CPI,
	OPTION_NORMALISE,
	OPTION_COMPACT,
	OPTION_FORMULA,
	OPTION_MEMORY_BY,
	OPTION_TOGETHER,
	OPTION_DRILL,
	OPTION_LOCATE,
	OPTION_ALERT,
	OPTION_ALERT_EXEC
};

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_LEVEL(";\ndefault 1"),
	{ 'l', "td-level", "N", NULL },
	{ OPTION_DRILL, "drill", NULL,
	  "begin with level 1 and follow only flagged nodes, as\n"
	  "the workload runs; down to -l, or to the last level" },
	{ OPTION_DRILL, "drilldown", NULL, NULL },
	{ OPTION_LOCATE, "locate", "FILE",
	  "of --drill: then run COMMAND again, sampled by an event\n"
	  "of the flagged node into FILE, and print its lines" },
	BPMU_OPTION_ROW_NAMES(":\nonly these, on all levels"),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_METHOD,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_TPEBS,
	BPMU_OPTION_ROW_EXTRA,
	BPMU_OPTION_ROW_PAPER,
	{ OPTION_MEMORY_BY, "memory-by", "imc",
	  "MEM_Bandwidth and MEM_Latency by the queues of the\n"
	  "memory channels, which are system-wide (servers)" },
	BPMU_OPTION_ROW_REPEAT("a verdict; print the tree"),
	BPMU_OPTION_ROWS_PER,
	{ OPTION_FORMULA, "formula", NULL,
	  "also each node's formula, with the counts substituted" },
	{ OPTION_CPI, "cpi", NULL, "the same as --normalise INST" },
	{ OPTION_NORMALISE, "normalise", "INST|WORK=N",
	  "print a stack of cycles per instruction, or per unit\n"
	  "of the N that the program does" },
	{ OPTION_COMPACT, "compact", NULL,
	  "one line per interval: level 1 or the nodes of -M, and\n"
	  "the node at which the verdict ends" },
	{ OPTION_TOGETHER, "no-multiplex", NULL,
	  "refuse levels that need multiplexing" },
	{ OPTION_GROUPS, "groups", NULL,
	  "only print the event groups and their counters" },
	{ OPTION_ALERT, "alert", "'NAME > NUMBER [for TIME]'",
	  "end with exit status 3 when the condition has held\n"
	  "for TIME; also >= < <=; NUMBER may have a %;\n"
	  "needs -I; may be repeated" },
	{ OPTION_ALERT_EXEC, "alert-exec", "CMD",
	  "instead, run CMD in a shell once per alert, with\n"
	  "BAREPMU_ALERT and BAREPMU_VALUE, and continue" },
	BPMU_OPTION_ROWS_MEASURING,
	{ }
};

static int topdown_take_option(void *call, int option, const char *value,
			       struct bpmu_error *err)
{
	struct bpmu_topdown *t = call;

	if (bpmu_options_rows(&t->by, option))
		return 0;
	switch (option) {
	case 'l':
		return bpmu_options_number("-l", value, 1, LEVEL_LIMIT,
					   &t->level, err);
	case 'r':
		return bpmu_repeat_take(value, &t->repeat, err);
	case OPTION_CPI:
		t->cpi = true;
		return 0;
	case OPTION_NORMALISE:
		t->cpi = true;
		return bpmu_cpi_take(value, &t->work, err);
	case OPTION_COMPACT:
		t->compact = true;
		return 0;
	case OPTION_MEMORY_BY:
		t->analysis.choice.memory_by = value;
		return 0;
	case OPTION_FORMULA:
		t->formula = true;
		return 0;
	case OPTION_TOGETHER:
		t->together = true;
		return 0;
	case BPMU_OPTION_EXTRA:
		t->extra = true;
		return 0;
	case OPTION_DRILL:
		t->drill = true;
		return 0;
	case OPTION_LOCATE:
		t->locate = value;
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
		return bpmu_options_choose(&t->options, &t->analysis.choice, option,
					   value, err);
	}
}

/*
 * Refuses options that make a row for each CPU, core or the like, such as -A, together with options
 * that have one result for all CPUs. Returns 0 or -EINVAL.
 */
static int topdown_check_rows(const struct bpmu_topdown *t, struct bpmu_error *err)
{
	if (t->by == BPMU_ROWS_ALL || !(t->drill || t->cpi || t->formula || t->alerts.nr ||
					t->analysis.choice.paper))
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"topdown: rows of CPUs are not with --drill, --cpi, --normalise, --formula, --paper and --alert, which have one result for all CPUs; leave these out, or choose CPUs with -C");
}

static int topdown_check(void *call, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	struct bpmu_topdown *t = call;
	int code;

	if (t->drill && (t->groups || t->analysis.choice.paper || t->formula ||
			 t->cpi || t->analysis.choice.names))
		return bpmu_error_set(err, -EINVAL,
				      "--drill: not with --groups, --paper, --formula, --cpi or -M, as it chooses what to measure; say -l instead");
	if (t->drill && t->repeat)
		return bpmu_error_set(err, -EINVAL,
				      "-r: not with --drill, which follows a single run; leave one of them out");
	if (t->locate && (!t->drill || !operands->nr || t->options.interval_ns ||
			  t->options.format != BPMU_TEXT))
		return bpmu_error_set(err, -EINVAL,
				      "--locate: is of a whole run of --drill, as text; give --drill and a COMMAND to run twice, and leave out -I, -x and -j");
	if (t->analysis.choice.memory_by && t->analysis.choice.paper)
		return bpmu_error_set(err, -EINVAL,
				      "--memory-by: not with --paper, whose formulas are as printed; leave one of them out");
	if (t->compact && (t->options.format != BPMU_TEXT || t->cpi ||
			   t->formula || t->analysis.choice.paper || t->drill))
		return bpmu_error_set(err, -EINVAL,
			"--compact: is a form of text with a line for each interval; leave it out, or -x, -j, --cpi, --formula, --paper and --drill");
	if (t->options.recorder)
		t->analysis.wanted.periods = t->options.recorder->periods;
	code = topdown_check_rows(t, err);
	if (!code)
		code = bpmu_options_check(&t->options, operands, err);
	if (!code)
		code = bpmu_tpebs_check(&t->options, &t->analysis.choice, err);
	if (!code)
		code = bpmu_repeat_check(t->repeat, &t->options, err);
	return code ? code : bpmu_alerts_check(&t->alerts,
					       t->options.interval_ns, err);
}

static int topdown_measure(struct bpmu_topdown *t, int *status, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &t->analysis;
	struct bpmu_measure m = bpmu_session_measure(&t->options, &analysis->type[0]->target);
	unsigned int k;
	int code;

	/* A report of the recording may also want counts. */
	m.tree = !t->options.recorder;
	for (k = 0; t->options.recorder && k < analysis->nr; k++)
		t->options.recorder->tree[k] =
			bpmu_metrics_version(&analysis->type[k]->tree.metrics);
	code = bpmu_analysis_measure(analysis, &m, err);
	if (code)
		return code;
	m.stop = &t->alerts.stop;
	m.emit = bpmu_topdown_interval;
	m.data = t;
	bpmu_session_print_to(&m, t->out);
	m.watched |= t->alerts.nr;
	if (!t->drill)
		return bpmu_repeat_run(t->repeat, &t->options, analysis->target, &m, &t->runs,
				       status, err);
	code = bpmu_drill_run(t->view, &m, status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}

static int topdown_print_result(struct bpmu_topdown *t, int *status,
				struct bpmu_error *err)
{
	int code;

	if (t->groups) {
		bpmu_topdown_groups(t);
		return 0;
	}
	t->out = bpmu_options_open(&t->options, err);
	if (!t->out)
		return -EIO;
	code = topdown_measure(t, status, err);
	return bpmu_options_close(&t->options, t->out, code, err);
}

/* Measures the retire latencies that formulas need, and schedules again with them. */
static int topdown_take_latencies(struct bpmu_ctx *ctx, struct bpmu_topdown *t)
{
	char *latencies;
	int code = bpmu_tpebs_measure(ctx, &t->options, &t->analysis, &latencies, &ctx->err);

	if (code)
		return code;
	bpmu_analysis_close(&t->analysis);
	t->analysis.choice.unmeasured = false;
	t->analysis.choice.events = latencies;
	code = bpmu_topdown_open(t, &ctx->err);
	t->analysis.choice.events = NULL;
	bpmu_tpebs_remove(latencies);
	return code;
}

static int topdown_run(struct bpmu_ctx *ctx, void *call)
{
	struct bpmu_topdown *t = call;
	int status = 0;
	int code;

	code = bpmu_topdown_open(t, &ctx->err);
	if (!code && t->options.tpebs && !t->groups)
		code = topdown_take_latencies(ctx, t);
	if (!code)
		code = topdown_print_result(t, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	if (!code && t->alerts.stop)
		return BPMU_EXIT_ALERT;
	if (!code && !status && t->locate)
		return bpmu_drill_locate(ctx, t);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

static void topdown_begin(void *call, const struct bpmu_options *initial)
{
	struct bpmu_topdown *t = call;

	t->options = *initial;
}

static void topdown_end(void *call)
{
	bpmu_topdown_free(call);
}

const struct bpmu_evaluation bpmu_evaluation_topdown = {
	.options = &(const struct bpmu_option_table){
		.command = "topdown", .about = about, .option = table,
		.command_follows = true, .set = topdown_take_option,
	},
	.size = sizeof(struct bpmu_topdown), .begin = topdown_begin, .check = topdown_check,
	.run = topdown_run, .free = topdown_end,
};

/**
 * bpmu_cmd_topdown() - run "barepmu topdown", which tells where the pipeline slots go
 */
int bpmu_cmd_topdown(struct bpmu_ctx *ctx, int argc, char **argv)
{
	return bpmu_evaluation_words(&bpmu_evaluation_topdown, ctx, argc, argv);
}
