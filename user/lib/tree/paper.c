// SPDX-License-Identifier: GPL-2.0
#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "metric/metric_constant.h"
#include "metric/metric_expr.h"

/**
 * struct view - what is needed to print the formula of a node, with counts in place of events
 * @tree: the tree with the node
 * @counts: counts, [group][event]
 * @values: values of the nodes
 * @group: group that holds all events of the node, or BPMU_VIEW_MIXED
 */
struct view {
	const struct bpmu_tree *tree;
	const double *const *counts;
	const struct bpmu_tree_value *values;
	int group;
};

/*
 * Returns the expression that is printed in place of @expr. For the name of a definition, or of a
 * node that is not shown, it is the formula; for an "if" on hyper-threading it is the branch that
 * applies. Returns NULL for an event, a constant or a shown node, whose name or value is printed.
 */
static const struct bpmu_expr *paper_expand(void *ctx, const struct bpmu_expr *expr)
{
	const struct view *view = ctx;
	const struct bpmu_metrics *metrics = &view->tree->metrics;
	const struct bpmu_expr *taken;
	int i;

	taken = bpmu_expr_taken(expr, view->tree->smt);
	if (taken != expr)
		return taken;
	if (expr->op != BPMU_EXPR_NAME)
		return NULL;
	i = bpmu_metrics_find(metrics, expr->name);
	return i >= 0 && !view->tree->shown[i] ? metrics->metric[i].expr : NULL;
}

static double count_in(const struct view *view, unsigned int g,
		       const char *name)
{
	const struct bpmu_event_list *events = &view->tree->events[g];
	unsigned int i;

	for (i = 0; view->counts[g] && i < events->nr; i++)
		if (!strcmp(events->spec[i].text, name))
			return view->counts[g][i];
	return NAN;
}

static double paper_count_of(const struct view *view, const char *name)
{
	double count = NAN;
	unsigned int g;

	if (view->group >= 0)
		return count_in(view, view->group, name);
	for (g = BPMU_TREE_GROUPS; isnan(count) && g-- > BPMU_TREE_TOTAL(0);)
		count = count_in(view, g, name);
	for (g = 0; isnan(count) && g < view->tree->nr_groups; g++)
		count = count_in(view, g, name);
	return count;
}

static bool write_number(FILE *out, bool known, double number)
{
	if (known)
		fprintf(out, "%.15g", number);
	else
		fputs("(no value)", out);
	return true;
}

/* Writes the value of the node or constant @name, or the count of the event @name; returns true. */
static bool write_value(void *ctx, FILE *out, const char *name)
{
	const struct view *view = ctx;
	int i = bpmu_metrics_find(&view->tree->metrics, name);
	const struct bpmu_value *constant;
	double count;

	if (i >= 0) {
		if (!view->values[i].known)
			return write_number(out, false, 0);
		fprintf(out, "%.6g", view->values[i].value);
		return true;
	}
	i = bpmu_metric_constant(name);
	if (i >= 0) {
		constant = &view->tree->slot[i];
		return write_number(out, constant->known, constant->number);
	}
	count = paper_count_of(view, name);
	if (isnan(count))
		return write_number(out, false, 0);
	fprintf(out, "%.0f", count);
	return true;
}

static void paper_print_line(FILE *out, int indent, const char *name,
			     const struct bpmu_expr *expr,
			     const struct bpmu_expr_names *names)
{
	fprintf(out, "%*s%s = ", indent, "", name);
	bpmu_expr_print_as(out, expr, names);
	fputc('\n', out);
}

static char *paper_text_of(const struct bpmu_expr *expr,
			   const struct bpmu_expr_names *names)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	bpmu_expr_print_as(out, expr, names);
	fclose(out);
	return text;
}

/*
 * Checks if @expr is printed differently with @names, which replaces names in it by formulas or by
 * counts. If not, the caller does not print @expr again.
 */
static bool differs(const struct bpmu_expr *expr,
		    const struct bpmu_expr_names *names)
{
	char *plain = paper_text_of(expr, NULL);
	char *expanded = paper_text_of(expr, names);
	bool different = !plain || !expanded || strcmp(plain, expanded);

	free(plain);
	free(expanded);
	return different;
}

static void paper_print_node(FILE *out, struct view *view, unsigned int i)
{
	const struct bpmu_metric *metric = &view->tree->metrics.metric[i];
	const struct bpmu_tree_value *value = &view->values[i];
	struct bpmu_expr_names names = { .ctx = view };
	int indent = 2 * metric->level;
	int under = indent + strlen(metric->name);
	char flags[BPMU_VALUE_FLAG_TEXT];

	view->group = view->tree->window[i];
	paper_print_line(out, indent, metric->name, metric->expr, NULL);
	names.replace = paper_expand;
	if (differs(metric->expr, &names))
		paper_print_line(out, under, "", metric->expr, &names);
	names.write = write_value;
	paper_print_line(out, under, "", metric->expr, &names);
	fprintf(out, "%*s = ", under, "");
	if (value->known)
		fprintf(out, "%.6g", value->value);
	else
		fputs("no value", out);
	if (bpmu_value_flags_text(value->flags, "", ", ", "", flags))
		fprintf(out, "  (%s)", flags);
	fputc('\n', out);
}

/**
 * bpmu_paper_print() - print formulas with their counts in the notation of the Top-Down paper
 * @counts: as for bpmu_tree_eval()
 * @values: values from bpmu_tree_eval()
 * @only: name of the only node to print, or NULL
 *
 * The counts in a printed formula are scaled to the whole time. If the counts are of different
 * groups, the value that is printed after the formula can differ slightly from the formula's
 * result. The value is computed from counts that are divided by the cycles during which their own
 * group was counted.
 */
void bpmu_paper_print(FILE *out, const struct bpmu_tree *tree,
		      const double *const *counts,
		      const struct bpmu_tree_value *values, const char *only)
{
	struct view view = { .tree = tree, .counts = counts,
			     .values = values };
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i] &&
		    (!only || !strcasecmp(tree->metrics.metric[i].name, only)))
			paper_print_node(out, &view, i);
}
