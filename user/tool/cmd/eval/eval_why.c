// SPDX-License-Identifier: GPL-2.0
/*
 * Tells why metrics have no value (missing counts, missing constants, or events that cannot be
 * counted), and what part of the input is not used.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"
#include "event/event_name.h"
#include "metric/metric_expr.h"
#include "view/tree_print.h"

/**
 * struct missing - events and constants that metrics need but the input lacks
 * @eval: state of "barepmu eval"
 * @event: true if the event is missing, [nr events of the tree]
 * @constant: true if the constant is missing, [BPMU_NR_CONSTANTS]
 * @nr: number of names printed so far
 * @object: JSON object to which the names of missing events and constants are written
 */
struct missing {
	struct bpmu_eval *eval;
	bool *event;
	bool constant[BPMU_NR_CONSTANTS];
	unsigned int nr;
	struct bpmu_object object;
};

static bool eval_why_lacks(const struct bpmu_eval *eval, unsigned int metric)
{
	return eval->values[metric].flags & BPMU_VALUE_MISSING;
}

static void mark_name(struct missing *missing, const char *name)
{
	const struct bpmu_eval *eval = missing->eval;
	const struct bpmu_event_list *events = &eval->tree.events[0];
	int constant = bpmu_metric_constant(name);
	unsigned int i;

	if (constant >= 0)
		missing->constant[constant] = !eval->tree.slot[constant].known;
	for (i = 0; i < events->nr; i++)
		if (!strcmp(events->spec[i].text, name))
			missing->event[i] = isnan(eval->counts[i]);
}

static void eval_why_mark(struct missing *missing, const struct bpmu_expr *expr)
{
	const struct bpmu_metrics *lines = &missing->eval->tree.metrics;
	int line;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		line = bpmu_metrics_find(lines, expr->name);
		if (line >= 0)
			eval_why_mark(missing, lines->metric[line].expr);
		else
			mark_name(missing, expr->name);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		eval_why_mark(missing, expr->arg[i]);
}

static void eval_why_print_name(struct missing *missing, const char *name)
{
	const struct bpmu_field element = { .text = name, .form = BPMU_FIELD_TEXT };

	if (missing->eval->format == BPMU_JSON)
		bpmu_object_put(&missing->object, &element, 1);
	else
		fprintf(missing->eval->out, "%s%s", missing->nr++ ? ", " : "", name);
}

static void eval_why_print_names(struct missing *missing)
{
	const struct bpmu_event_list *events = &missing->eval->tree.events[0];
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		if (missing->event[i])
			eval_why_print_name(missing, events->spec[i].text);
	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		if (missing->constant[i])
			eval_why_print_name(missing, bpmu_metric_constant_name(i));
}

static void print_missing(struct missing *missing, const char *name,
			  const struct bpmu_fields *when)
{
	const struct bpmu_field metric = { "metric", name, BPMU_FIELD_TEXT };
	FILE *out = missing->eval->out;
	const struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "missing", .when = *when,
	};

	if (missing->eval->format == BPMU_JSON) {
		missing->object = bpmu_table_open(&table, &metric, 1);
		bpmu_object_open(&missing->object, "names", '[');
		eval_why_print_names(missing);
		bpmu_object_close(&missing->object, ']');
		bpmu_table_close(&missing->object);
	} else {
		fprintf(out, "  %s: missing ", name);
		eval_why_print_names(missing);
		fputc('\n', out);
	}
}

static void mark_needs(const struct bpmu_eval *eval, bool *needs,
		       const struct bpmu_expr *expr)
{
	const struct bpmu_metrics *lines = &eval->tree.metrics;
	const struct bpmu_event_list *events = &eval->tree.events[0];
	unsigned int i;
	int line;

	expr = bpmu_expr_taken(expr, eval->smt);
	if (expr->op == BPMU_EXPR_NAME) {
		line = bpmu_metrics_find(lines, expr->name);
		if (line >= 0)
			mark_needs(eval, needs, lines->metric[line].expr);
		for (i = 0; line < 0 && i < events->nr; i++)
			needs[i] |= !strcmp(events->spec[i].text, expr->name);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		mark_needs(eval, needs, expr->arg[i]);
}

/**
 * bpmu_eval_needs() - find which events each metric needs, to say why eval has no value
 * @eval: state of "barepmu eval", with a tree; &bpmu_eval.needs is filled in
 */
void bpmu_eval_needs(struct bpmu_eval *eval)
{
	unsigned int nr = eval->tree.events[0].nr;
	unsigned int i;

	for (i = 0; i < eval->tree.metrics.nr; i++)
		if (eval->tree.shown[i])
			mark_needs(eval, eval->needs + (size_t)i * nr,
				   eval->tree.metrics.metric[i].expr);
}

/**
 * bpmu_eval_missing() - print why metrics of eval have no value: missing counts and constants
 * @eval: state of "barepmu eval", after a set of counts was evaluated
 * @when: JSON members with the time and CPUs of the counts
 *
 * Nothing is printed in CSV, whose flags say that a count is missing.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_eval_missing(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct missing missing = { .eval = eval };
	unsigned int nr = eval->tree.events[0].nr;
	unsigned int i;

	if (eval->format == BPMU_CSV)
		return 0;
	missing.event = calloc(nr + 1, sizeof(*missing.event));
	if (!missing.event)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->tree.metrics.nr; i++) {
		if (!eval->tree.shown[i] || !eval_why_lacks(eval, i))
			continue;
		memset(missing.event, 0, nr * sizeof(*missing.event));
		memset(missing.constant, 0, sizeof(missing.constant));
		missing.nr = 0;
		eval_why_mark(&missing, eval->tree.metrics.metric[i].expr);
		print_missing(&missing, eval->tree.metrics.metric[i].name, when);
	}
	free(missing.event);
	return 0;
}

/**
 * bpmu_eval_lacks_most() - check if most metrics of eval have no value because counts are missing
 * @eval: state of "barepmu eval", after a set of counts was evaluated
 *
 * Return: true if more than half of the requested metrics lack a count or a constant.
 */
bool bpmu_eval_lacks_most(const struct bpmu_eval *eval)
{
	unsigned int shown = 0, lacking = 0;
	unsigned int i;

	for (i = 0; i < eval->tree.metrics.nr; i++) {
		shown += eval->tree.shown[i];
		lacking += eval->tree.shown[i] && eval_why_lacks(eval, i);
	}
	return 2 * lacking > shown;
}

/* maximum number of missing counts that bpmu_eval_lacking() names */
#define LACKING_MAX 8

/**
 * bpmu_eval_lacking() - print in one sentence why most metrics of eval have no value
 * @eval: state of "barepmu eval", after a set of counts was evaluated; &bpmu_eval.format is text
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_eval_lacking(struct bpmu_eval *eval)
{
	const struct bpmu_event_list *events = &eval->tree.events[0];
	struct missing missing = { .eval = eval };
	unsigned int shown = 0, lacking = 0, more = 0;
	unsigned int i;

	missing.event = calloc(events->nr + 1, sizeof(*missing.event));
	if (!missing.event)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->tree.metrics.nr; i++) {
		shown += eval->tree.shown[i];
		if (!eval->tree.shown[i] || !eval_why_lacks(eval, i))
			continue;
		lacking++;
		eval_why_mark(&missing, eval->tree.metrics.metric[i].expr);
	}
	fprintf(eval->out, "  No value for %u of %u metrics: the counts lack ", lacking, shown);
	for (i = 0; i < events->nr + BPMU_NR_CONSTANTS; i++) {
		if (i < events->nr ? !missing.event[i] : !missing.constant[i - events->nr])
			continue;
		if (missing.nr == LACKING_MAX)
			more++;
		else
			eval_why_print_name(&missing, i < events->nr ? events->spec[i].text :
					    bpmu_metric_constant_name(i - events->nr));
	}
	if (more)
		fprintf(eval->out, " and %u more, which -v names", more);
	fputs(".\n", eval->out);
	free(missing.event);
	return 0;
}

/**
 * bpmu_eval_refused() - print which requested metrics the CPU model cannot measure, and why
 * @eval: state of "barepmu eval", after all counts were evaluated
 */
void bpmu_eval_refused(struct bpmu_eval *eval)
{
	const struct bpmu_field when = { "label", .absent = true };
	struct bpmu_table table = {
		.out = eval->out, .format = eval->format,
		.separator = eval->separator, .when = { &when, 1 },
		.headed = eval->rows,
	};

	bpmu_tree_refused(&table, &eval->choice);
}

/* maximum number of unused events that are named without -v */
#define UNUSED_MAX 8

/*
 * Prints to standard error why an event of the input, @name, is not used. @input is the input's
 * name.
 */
static void print_unused(const struct bpmu_eval *eval, const char *input, const char *name)
{
	struct bpmu_event_spec spec;
	struct bpmu_error why;

	if (!bpmu_event_parse(&eval->pmu, eval->smt, name, &spec, &why))
		bpmu_event_free(&spec);
	else
		fprintf(stderr, "barepmu: %s: not used: %s\n", input, why.text);
}

/*
 * Some events have several counts in the input, because several event groups counted them. Prints a
 * message to standard error that names these events.
 */
static void print_shared(const struct bpmu_eval *eval, const char *input)
{
	unsigned int i, nr = 0;

	for (i = 0; i < eval->nr_columns; i++)
		if (eval->column[i].of_groups)
			fprintf(stderr, "%s%s", nr++ ? ", " : "barepmu: ",
				eval->column[i].name);
	if (nr)
		fprintf(stderr, ": counted by several groups in %s; taken is the count of the group that counted most other events\n",
			input);
}

/**
 * bpmu_eval_unused() - print which events and metrics of the input eval did not use, and why
 * @eval: state of "barepmu eval", after all counts were evaluated
 * @input: name of the input
 *
 * Only with -v, the names are printed of events that the kernel counts in software, of metrics that
 * perf computed, and of events with several counts: such input is often not used.
 */
void bpmu_eval_unused(const struct bpmu_eval *eval, const char *input)
{
	unsigned int i, nr = 0;

	for (i = 0; i < eval->nr_columns; i++) {
		if (eval->column[i].known || !eval->column[i].counted ||
		    (!eval->verbose && bpmu_event_other(eval->column[i].name)))
			continue;
		if (nr++ < UNUSED_MAX || eval->verbose)
			print_unused(eval, input, eval->column[i].name);
	}
	if (nr > UNUSED_MAX && !eval->verbose)
		fprintf(stderr, "barepmu: %s: not used: %u more events, which -v names\n",
			input, nr - UNUSED_MAX);
	if (!eval->verbose)
		return;
	print_shared(eval, input);
	if (eval->perf_metrics)
		fprintf(stderr, "barepmu: %s: not used: %lu line%s with metrics of perf's own\n",
			input, eval->perf_metrics, eval->perf_metrics > 1 ? "s" : "");
}
