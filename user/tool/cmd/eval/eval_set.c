// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/verdict.h"
#include "eval.h"
#include "tree/cpi.h"
#include "tree/paper.h"

static void eval_set_gather(struct bpmu_eval *eval, const double *counts)
{
	const struct bpmu_eval_column *column;
	unsigned int i;

	for (i = 0; i < eval->nr_columns; i++) {
		column = &eval->column[i];
		if (column->constant < 0)
			continue;
		eval->tree.slot[column->constant] = isnan(counts[i]) ?
			column->before : bpmu_value_of(counts[i]);
	}
	for (i = 0; i < eval->tree.events[0].nr; i++)
		eval->counts[i] = eval->source[i] < 0 ? NAN :
				  counts[eval->source[i]];
}

static const char *heading(const struct bpmu_eval *eval)
{
	if (eval->cpi)
		return "Cycles per instruction";
	if (!eval->choice.names && eval->choice.method &&
	    !strcmp(eval->choice.method, "topdown"))
		return "Top-Down";
	return "Metrics";
}

static void eval_set_head(struct bpmu_eval *eval, const char *label)
{
	if (eval->format != BPMU_TEXT)
		return;
	fprintf(eval->out, "%s%s on %s%s%s\n\n", eval->rows ? "\n" : "",
		heading(eval), eval->pmu.part->title, *label ? ", " : "", label);
}

static int print_cpi(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = eval->out, .format = eval->format,
		.separator = eval->separator, .when = *when, .type = "cpi",
		.headed = eval->rows,
	};
	struct bpmu_cpi cpi;

	if (bpmu_cpi_stack(&cpi, &eval->tree, eval->values))
		return bpmu_error_no_memory(eval->err, "eval");
	bpmu_cpi_print(&table, &cpi, &eval->tree);
	bpmu_cpi_free(&cpi);
	return 0;
}

/*
 * The metrics of a Xeon Phi are not shares of one whole, so none of them is the
 * largest.
 */
static bool eval_set_is_phi(const struct bpmu_eval *eval)
{
	return eval->choice.method && !strcmp(eval->choice.method, "phi");
}

static void print_verdict(const struct bpmu_eval *eval)
{
	const struct bpmu_metric *metric = eval->tree.metrics.metric;
	unsigned int i;

	if (!eval_set_is_phi(eval)) {
		bpmu_verdict_text(eval->out, &eval->tree, eval->values);
		return;
	}
	fputc('\n', eval->out);
	for (i = 0; i < eval->tree.metrics.nr; i++)
		if (eval->values[i].flagged)
			fprintf(eval->out, "%s: %s.\n  Next: %s\n",
				metric[i].name, metric[i].text, metric[i].next);
}

static void print_tree(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = eval->out, .format = eval->format,
		.separator = eval->separator, .when = *when, .type = "metric",
		.headed = eval->rows,
	};

	switch (eval->format) {
	case BPMU_TEXT:
		bpmu_tree_text(eval->out, &eval->tree, eval->values);
		print_verdict(eval);
		if (!eval->choice.paper)
			break;
		fputc('\n', eval->out);
		bpmu_paper_print(eval->out, &eval->tree,
				 (const double *const *)&eval->counts,
				 eval->values);
		break;
	case BPMU_CSV:
		bpmu_tree_rows(&table, &eval->tree, eval->values);
		break;
	case BPMU_JSON:
		bpmu_tree_rows(&table, &eval->tree, eval->values);
		if (!eval_set_is_phi(eval))
			bpmu_verdict_json(eval->out, &eval->tree, eval->values,
					  when);
		break;
	}
}

/**
 * bpmu_eval_set() - evaluate and print a set of counts
 * @eval: the call, with its columns matched
 * @label: time stamp and CPUs of the counts
 * @counts: counts, [nr columns]; NAN for none
 * @flags: flags added to all values, mask of &enum bpmu_value_flag
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_eval_set(struct bpmu_eval *eval, const char *label,
		  const double *counts, unsigned int flags)
{
	const double *group[BPMU_TREE_GROUPS] = { eval->counts };
	const struct bpmu_field field = { "label", label, BPMU_FIELD_TEXT };
	const struct bpmu_fields when = { &field, 1 };
	unsigned int i;
	int ret = 0;

	eval_set_gather(eval, counts);
	bpmu_tree_eval(&eval->tree, group, eval->values);
	for (i = 0; i < eval->tree.metrics.nr && flags; i++)
		eval->values[i].flags |= flags;
	eval_set_head(eval, label);
	if (eval->cpi)
		ret = print_cpi(eval, &when);
	else
		print_tree(eval, &when);
	if (eval->verbose && !ret)
		ret = bpmu_eval_missing(eval, &when);
	eval->rows++;
	return ret;
}
