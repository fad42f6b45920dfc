// SPDX-License-Identifier: GPL-2.0
/*
 * Why metrics have no value: counts and constants that are missing, and events
 * that cannot be counted.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"
#include "metric/metric_expr.h"
#include "view/tree_print.h"

/**
 * struct lack - events and constants that a metric lacks
 * @eval: state of the evaluation
 * @event: whether the event is missing, [nr events of the tree]
 * @constant: the same of constants
 * @nr: names printed so far
 * @object: that names go to in JSON
 */
struct lack {
	struct bpmu_eval *eval;
	bool *event;
	bool constant[BPMU_NR_CONSTANTS];
	unsigned int nr;
	struct bpmu_object object;
};

static void mark_name(struct lack *lack, const char *name)
{
	const struct bpmu_eval *eval = lack->eval;
	const struct bpmu_event_list *events = &eval->tree.events[0];
	int constant = bpmu_metric_constant(name);
	unsigned int i;

	if (constant >= 0)
		lack->constant[constant] = !eval->tree.slot[constant].known;
	for (i = 0; i < events->nr; i++)
		if (!strcmp(events->spec[i].text, name))
			lack->event[i] = isnan(eval->counts[i]);
}

static void eval_why_mark(struct lack *lack, const struct bpmu_expr *expr)
{
	const struct bpmu_metrics *lines = &lack->eval->tree.metrics;
	int line;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		line = bpmu_metrics_find(lines, expr->name);
		if (line >= 0)
			eval_why_mark(lack, lines->metric[line].expr);
		else
			mark_name(lack, expr->name);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		eval_why_mark(lack, expr->arg[i]);
}

static void eval_why_print_name(struct lack *lack, const char *name)
{
	const struct bpmu_field element = { .text = name, .form = BPMU_FIELD_TEXT };

	if (lack->eval->format == BPMU_JSON)
		bpmu_object_put(&lack->object, &element, 1);
	else
		fprintf(lack->eval->out, "%s%s", lack->nr++ ? ", " : "", name);
}

static void eval_why_print_names(struct lack *lack)
{
	const struct bpmu_event_list *events = &lack->eval->tree.events[0];
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		if (lack->event[i])
			eval_why_print_name(lack, events->spec[i].text);
	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		if (lack->constant[i])
			eval_why_print_name(lack, bpmu_metric_constant_name(i));
}

static void print_lack(struct lack *lack, const char *name,
		       const struct bpmu_fields *when)
{
	const struct bpmu_field metric = { "metric", name, BPMU_FIELD_TEXT };
	FILE *out = lack->eval->out;
	const struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "missing", .when = *when,
	};

	if (lack->eval->format == BPMU_JSON) {
		lack->object = bpmu_table_open(&table, &metric, 1);
		bpmu_object_open(&lack->object, "names", '[');
		eval_why_print_names(lack);
		bpmu_object_close(&lack->object, ']');
		bpmu_table_close(&lack->object);
	} else {
		fprintf(out, "  %s: missing ", name);
		eval_why_print_names(lack);
		fputc('\n', out);
	}
}

/**
 * bpmu_eval_missing() - name what metrics lack
 * @eval: the call, with values
 * @when: the members that say when and where, in JSON
 *
 * Without room in CSV, whose flags say that something is missing.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_eval_missing(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct lack lack = { .eval = eval };
	unsigned int nr = eval->tree.events[0].nr;
	unsigned int i;

	if (eval->format == BPMU_CSV)
		return 0;
	lack.event = calloc(nr + 1, sizeof(*lack.event));
	if (!lack.event)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->tree.metrics.nr; i++) {
		if (!eval->tree.shown[i] ||
		    !(eval->values[i].flags & BPMU_VALUE_MISSING))
			continue;
		memset(lack.event, 0, nr * sizeof(*lack.event));
		memset(lack.constant, 0, sizeof(lack.constant));
		lack.nr = 0;
		eval_why_mark(&lack, eval->tree.metrics.metric[i].expr);
		print_lack(&lack, eval->tree.metrics.metric[i].name, when);
	}
	free(lack.event);
	return 0;
}

/**
 * bpmu_eval_refused() - name what was asked for and cannot be measured
 * @eval: the call, after the last set
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
