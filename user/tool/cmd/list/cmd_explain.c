// SPDX-License-Identifier: GPL-2.0
/* "barepmu explain": explains a node of a tree, or an event, with advice. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/nearest.h"
#include "event/event_name.h"
#include "errata_facts.h"
#include "evaluation.h"
#include "events.h"
#include "list.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"
#include "metric/metric_unit.h"
#include "replay/report_replay.h"
#include "tree/level.h"

#define EVENTS_MAX 64

enum own_option {
	OPTION_PART = BPMU_OPTION_OWN
};

static const struct bpmu_option table[] = {
	{ OPTION_PART, "part", "NAME", "of this CPU model; default: this machine's" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static const char about[] =
	"Usage: barepmu explain [--part NAME] NODE|EVENT [RECORDING]\n\n"
	"Explains a node of a tree: meaning, remedies if it is over its threshold,\n"
	"formula and children; or an event: its code, counters and errata. With a\n"
	"recording also its value there, and the formula with the counts substituted.\n\n";

/**
 * struct call - options and state of "barepmu explain NODE|EVENT"
 * @list: the CPU model, and the files with its events and metrics
 * @part: name of the CPU model, or NULL for this machine's
 * @method: name of the method whose metric tree has NODE, such as "topdown"; NULL until it is found
 */
struct call {
	struct bpmu_list list;
	const char *part;
	const char *method;
};

static int explain_take_option(void *data, int option, const char *value,
			       struct bpmu_error *err)
{
	struct call *call = data;

	(void)option;
	(void)err;
	call->part = value;
	return 0;
}

static void explain_print_path(const struct bpmu_metrics *metrics, int i)
{
	if (metrics->metric[i].parent >= 0) {
		explain_print_path(metrics, metrics->metric[i].parent);
		fputs(" > ", stdout);
	}
	fputs(metrics->metric[i].name, stdout);
}

/*
 * Adds to @names, without duplicates, the names of those events that an expression needs. @nr is
 * the number of names before the call. Returns the number after the call, at most EVENTS_MAX.
 */
static unsigned int find_events(const struct bpmu_metrics *metrics,
				const struct bpmu_expr *expr,
				const char *names[EVENTS_MAX], unsigned int nr)
{
	unsigned int k;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		if (i >= 0)
			return find_events(metrics, metrics->metric[i].expr,
					   names, nr);
		for (k = 0; k < nr && strcmp(names[k], expr->name); k++)
			;
		if (k == nr && nr < EVENTS_MAX &&
		    bpmu_metric_constant(expr->name) < 0)
			names[nr++] = expr->name;
	}
	for (k = 0; k < BPMU_EXPR_ARGS && expr->arg[k]; k++)
		nr = find_events(metrics, expr->arg[k], names, nr);
	return nr;
}

static void print_events(const struct bpmu_part *part,
			 const struct bpmu_metrics *metrics,
			 const struct bpmu_expr *expr)
{
	const char *names[EVENTS_MAX];
	const struct bpmu_event *row;
	char name[128];
	unsigned int nr = find_events(metrics, expr, names, 0);
	unsigned int i;

	puts("\nIt is counted by:");
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(names[i], ":"), names[i]);
		row = bpmu_event_row(part, name);
		printf("  %-46s %s\n", names[i],
		       row && row->desc ? row->desc : "");
	}
}

static void print_children(const struct bpmu_metrics *metrics, int parent)
{
	bool head = false;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++) {
		if (metrics->metric[i].parent != parent ||
		    !metrics->metric[i].level)
			continue;
		if (!head)
			puts("\nIt is divided into:");
		head = true;
		printf("  %-30s %s\n", metrics->metric[i].name,
		       metrics->metric[i].text ?: "");
	}
}

static int explain_print_node(const struct call *call,
			      const struct bpmu_metrics *metrics, int i, struct bpmu_error *err)
{
	struct bpmu_errata *errata = bpmu_errata_of_metrics(&call->list.cpu, metrics);
	const struct bpmu_metric *m = &metrics->metric[i];
	char words[BPMU_ERRATA_WORDS];

	if (!errata)
		return bpmu_error_no_memory(err, "errata");
	explain_print_path(metrics, i);
	printf("\nLevel %u of method %s on %s, %s%s\n\n", m->level, call->method,
	       call->list.cpu.part->title,
	       bpmu_unit_is_share(m->unit) ? "a share of " : "in ",
	       m->unit ?: "no unit");
	if (m->text)
		printf("  %s.\n", m->text);
	if (m->flag) {
		fputs("\nIt deserves a look if ", stdout);
		bpmu_expr_print(stdout, m->flag);
		fputs(m->parent >= 0 ?
		      " and the nodes above it are over theirs. Then:\n" :
		      ". Then:\n", stdout);
		printf("  %s.\n", m->next ?: "nothing is known to try");
	}
	printf("\nIt is computed as:\n  %s = ", m->name);
	bpmu_expr_print(stdout, m->expr);
	putchar('\n');
	print_events(call->list.cpu.part, metrics, m->expr);
	print_children(metrics, i);
	bpmu_errata_words(&errata[i], words);
	if (errata[i].nr)
		printf("\nErrata that touch it: %s; see 'barepmu list errata'\n",
		       words);
	free(errata);
	return 0;
}

static int find_node(const struct bpmu_metrics *metrics, const char *name)
{
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].level &&
		    !strcasecmp(metrics->metric[i].name, name))
			return i;
	return -1;
}

static bool has_erratum(const struct bpmu_errata *errata, const char *name)
{
	unsigned int i;

	for (i = 0; i < errata->nr; i++)
		if (!strcmp(errata->name[i], name))
			return true;
	return false;
}

static int explain_event(const struct call *call, const char *name)
{
	const struct bpmu_event *row = bpmu_event_row(call->list.cpu.part, name);
	struct bpmu_errata errata = { .nr = 0 };
	const struct bpmu_erratum *erratum;
	unsigned int i;

	if (!row)
		return -ENOENT;
	printf("%s\n%s event of %s, category %s\n\n  %s.\n", row->name,
	       row->unit == BPMU_UNIT_CORE ? "core" : "uncore",
	       call->list.cpu.part->title, bpmu_event_category(row),
	       row->desc ?: "It has no description; see the vendor's manual");
	puts("\nIts code and counters:");
	bpmu_list_event_details(&call->list, row);
	bpmu_errata_of_row(&call->list.cpu, row, &errata);
	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (has_erratum(&errata, erratum->name) &&
		    bpmu_errata_match(&call->list.cpu, erratum) != BPMU_ERRATA_NO)
			printf("\n%s: %s\n  %s.\n", erratum->name, erratum->text,
			       erratum->advice);
	return 0;
}

static int explain_unknown(const struct call *call, const char *name,
			   struct bpmu_error *err)
{
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST];
	struct bpmu_metrics metrics;
	struct bpmu_error ignored;
	unsigned int i;
	int ret;

	if (bpmu_event_no_uncore(call->list.cpu.part, name))
		return bpmu_event_unknown(call->list.cpu.part, name, err);
	bpmu_event_nearest(call->list.cpu.part, &nearest);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	if (!bpmu_metrics_builtin(&metrics, BPMU_LIST_METHOD,
				  call->list.cpu.part, &ignored)) {
		nearest = (struct bpmu_nearest){ .typed = name };
		for (i = 0; i < metrics.nr; i++)
			if (metrics.metric[i].level)
				bpmu_nearest_offer(&nearest,
						   metrics.metric[i].name);
		if (nearest.nr)
			bpmu_nearest_list(&nearest, list, sizeof(list));
	}
	ret = bpmu_error_set(err, -ENOENT,
			     "explain: '%s': neither a node nor an event of %s; %s%s%s 'barepmu list'",
			     name, call->list.cpu.part->name,
			     *list ? "did you mean " : "", list,
			     *list ? "? See" : "see");
	bpmu_metrics_free(&metrics);
	return ret;
}

static int explain_name(struct call *call, const char *name, struct bpmu_error *err)
{
	static const char *const methods[] = {
		"topdown", "phi", "cpistack", "itanium2", "basic",
		"power", "groups", "tma"
	};
	struct bpmu_metrics metrics;
	size_t k;
	int ret, i;

	for (k = 0; k < ARRAY_SIZE(methods); k++) {
		ret = bpmu_metrics_builtin(&metrics, methods[k],
					   call->list.cpu.part, err);
		i = ret ? -1 : find_node(&metrics, name);
		if (i >= 0) {
			call->method = methods[k];
			ret = explain_print_node(call, &metrics, i, err);
		}
		bpmu_metrics_free(&metrics);
		if (i >= 0)
			return ret;
		if (ret && ret != -ENOENT)
			return ret;
	}
	return explain_event(call, name) ? explain_unknown(call, name, err) : 0;
}

/*
 * Adds options to @request: "barepmu report" would evaluate the metric tree of the recording; with
 * these options only node @name and the verdict are printed. Writes to @groups the names of the
 * tree's levels that the recording has; @request points to @groups. Returns 0 or a negative errno.
 */
static int explain_put_tree(const struct call *call, const struct bpmu_replay *replay,
			    const char *name, struct bpmu_request *request,
			    char groups[BPMU_LEVEL_GROUPS], struct bpmu_error *err)
{
	char **asked = bpmu_recording_about(replay->file)->asked;
	const struct bpmu_given tree[] = {
		{ .name = "method", .value = strcmp(call->method, "tma") ? "paper" : "tma" },
		{ .name = "formula" },
		{ .letter = 'M', .value = name },
	};
	const struct bpmu_given levels = { .letter = 'M', .value = groups };
	const char *level = bpmu_request_recorded(asked, "-l");
	unsigned int i, nr;
	int code = 0;

	request->name = "topdown";
	for (i = 0; i < ARRAY_SIZE(tree) && !code; i++)
		code = bpmu_request_add(request, &tree[i], err);
	if (code || strcmp(call->method, "topdown") || !level || strcmp(asked[0], "topdown"))
		return code;
	code = bpmu_level_take(&nr, "--topdown", level, err);
	if (!code)
		code = bpmu_level_groups(groups, NULL, nr, err);
	return code ? code : bpmu_request_add(request, &levels, err);
}

/*
 * Evaluates and prints node or event @name from a recording. This is done by the subcommand for
 * which the recording was made, such as "stat". The output depends on the recording only, not on
 * this machine. Returns an exit status.
 */
static int explain_evaluate(const struct call *call, struct bpmu_ctx *ctx,
			    struct bpmu_replay *replay, const char *name)
{
	const struct bpmu_given event = { .letter = 'e', .value = name };
	struct bpmu_request request = { .name = "stat" };
	char groups[BPMU_LEVEL_GROUPS];
	int status = BPMU_EXIT_FAILED;
	int code;

	putchar('\n');
	fflush(stdout);
	if (call->method)
		code = explain_put_tree(call, replay, name, &request, groups, &ctx->err);
	else
		code = bpmu_request_add(&request, &event, &ctx->err);
	ctx->options.replay = replay;
	ctx->options.only = call->method ? name : NULL;
	if (code)
		bpmu_fail(ctx, status);
	else
		status = bpmu_request_run(&request, ctx);
	bpmu_request_free(&request);
	return status;
}

static int explain_run(struct call *call, struct bpmu_ctx *ctx, const char *name,
		       const char *recording)
{
	struct bpmu_replay replay = { .name = recording };
	int status = BPMU_EXIT_OK;
	int code = 0;

	if (recording) {
		bpmu_tell_wait(recording);
		code = bpmu_recording_open(&replay.file, recording, &ctx->err);
	}
	if (code)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	if (recording && !call->part)
		call->part = bpmu_recording_about(replay.file)->info.part;
	code = bpmu_list_part(&call->list, call->part, &ctx->err);
	if (!code)
		code = explain_name(call, name, &ctx->err);
	if (code)
		status = bpmu_fail(ctx, BPMU_EXIT_FAILED);
	else if (recording)
		status = explain_evaluate(call, ctx, &replay, name);
	if (recording)
		bpmu_recording_shut(replay.file);
	return status;
}

/**
 * bpmu_cmd_explain() - run "barepmu explain", which tells what a node or an event means
 */
int bpmu_cmd_explain(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "explain", .about = about, .option = table,
		.set = explain_take_option,
	};
	struct call call = { .list.format = BPMU_TEXT };
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(&options, &call, argc, argv, &operands,
				  &ctx->err);
	if (!code && (operands.nr < 1 || operands.nr > 2))
		code = bpmu_error_set(&ctx->err, -EINVAL,
				      "explain: a node or an event is expected, and at most one recording; see 'barepmu explain --help'");
	if (code)
		return bpmu_usage(ctx, code);
	return explain_run(&call, ctx, operands.word[0], operands.word[1]);
}
