// SPDX-License-Identifier: GPL-2.0
#include "drill_print.h"

#include <math.h>
#include <string.h>

#include "count/verdict.h"
#include "view/tree_print.h"

/**
 * struct view - what is printed
 * @t: the call
 * @tree: all nodes
 * @values: of each node
 * @nodes: when that was
 */
struct view {
	const struct bpmu_topdown *t;
	const struct bpmu_tree *tree;
	const struct bpmu_tree_value *values;
	const struct bpmu_drill_node *nodes;
};

static bool measured(const struct view *view, unsigned int i)
{
	return bpmu_tree_shown(view->tree, i) && view->nodes[i].seconds > 0;
}

/* a node with children of which none was measured */
static bool closed(const struct view *view, unsigned int i)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	bool children = false;
	unsigned int c;

	for (c = i + 1; c < view->tree->metrics.nr; c++) {
		if (metric[c].parent != (int)i ||
		    !bpmu_tree_shown(view->tree, c))
			continue;
		if (measured(view, c))
			return false;
		children = true;
	}
	return children && measured(view, i);
}

static void print_nodes(const struct view *view)
{
	double run = view->t->seconds;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++) {
		if (!measured(view, i))
			continue;
		bpmu_tree_node(view->t->out, view->tree, i, &view->values[i]);
		fputs("  [", view->t->out);
		if (view->t->options.interval_ns)
			fprintf(view->t->out, "%.2f to %.2f s; ",
				view->nodes[i].from, view->nodes[i].to);
		fprintf(view->t->out,
			"measured %.0f %%, flagged %.0f %% of the run]\n",
			100 * view->nodes[i].seconds / run,
			100 * view->nodes[i].flagged / run);
	}
}

/* those that are flagged or not, and below which nothing was measured */
static unsigned int list_closed(const struct view *view, bool flagged,
				const char *before)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++)
		if (closed(view, i) && view->values[i].flagged == flagged)
			fprintf(view->t->out, "%s%s", nr++ ? ", " : before,
				metric[i].name);
	return nr;
}

static unsigned int level_reached(const struct view *view)
{
	unsigned int level = 0;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++)
		if (measured(view, i) &&
		    view->tree->metrics.metric[i].level > level)
			level = view->tree->metrics.metric[i].level;
	return level;
}

static void what_is_missing(const struct view *view)
{
	FILE *out = view->t->out;

	if (list_closed(view, false,
			"Not measured, as not flagged: what is below "))
		fputs(".\n", out);
	if (list_closed(view, true, "Not measured yet: what is below "))
		fprintf(out,
			"; level %u was reached, with more time it goes deeper.\n",
			level_reached(view));
}

static void errata(const struct view *view)
{
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++)
		if (measured(view, i))
			bpmu_errata_note(view->t->out,
					 view->tree->metrics.metric[i].name,
					 &view->tree->errata[i]);
}

/**
 * bpmu_drill_add() - a node was measured in one more interval
 * @node: zeroed before the first
 * @value: in the interval
 * @seconds: length of the interval
 * @whole: it was not cut short: else the value only counts if its uncertainty is
 *	known
 *
 * Context: any.
 */
void bpmu_drill_add(struct bpmu_drill_node *node,
		    const struct bpmu_tree_value *value, double seconds,
		    bool whole)
{
	double part = value->uncertainty * seconds;

	node->seconds += seconds;
	if (value->flagged)
		node->flagged += seconds;
	node->flags |= value->flags;
	if (!value->known || (!whole && isinf(value->uncertainty)))
		return;
	node->known += seconds;
	node->sum += value->value * seconds;
	node->squares += part * part;
	node->longer = fmax(node->longer, value->longer);
}

/**
 * bpmu_drill_mean() - the values over all the time that nodes were measured
 * @tree: of all nodes; its slots are overwritten
 * @nodes: for each line
 * @values: filled in for each line, and judged
 *
 * Intervals' slices are independent, and their lengths the weights.
 *
 * Context: any.
 */
void bpmu_drill_mean(const struct bpmu_tree *tree,
		     const struct bpmu_drill_node *nodes,
		     struct bpmu_tree_value *values)
{
	const struct bpmu_drill_node *node;
	struct bpmu_tree_value *value;
	unsigned int i;

	memset(values, 0, tree->metrics.nr * sizeof(*values));
	for (i = 0; i < tree->metrics.nr; i++) {
		node = &nodes[i];
		value = &values[i];
		value->flags = node->flags;
		value->known = node->known > 0;
		if (!value->known)
			continue;
		value->flags &= ~BPMU_VALUE_NONE;
		value->value = node->sum / node->known;
		value->uncertainty = sqrt(node->squares) / node->known;
		if (node->known < node->longer)
			value->longer = node->longer;
	}
	bpmu_tree_judge(tree, values);
}

/**
 * bpmu_drill_text() - the tree as far as it was measured
 * @topdown: with the time, the tree of all nodes
 * @values: for each line the value of its node: with intervals the latest one,
 *	else the mean of the run
 * @nodes: for each line when that was measured
 *
 * Context: process.
 */
void bpmu_drill_text(const struct bpmu_topdown *topdown,
		     const struct bpmu_tree_value *values,
		     const struct bpmu_drill_node *nodes)
{
	const struct view view = {
		.t = topdown, .tree = &topdown->tree, .values = values,
		.nodes = nodes,
	};

	bpmu_topdown_head(topdown);
	print_nodes(&view);
	what_is_missing(&view);
	bpmu_verdict_text(topdown->out, &topdown->tree, values);
	errata(&view);
	bpmu_topdown_loss(topdown);
}
