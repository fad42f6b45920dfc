// SPDX-License-Identifier: GPL-2.0
#include "drill_print.h"

#include <string.h>

#include "count/verdict.h"
#include "view/tree_print.h"

/**
 * struct view - a drill-down that is being printed
 * @t: what topdown prints of the core type
 * @tree: tree with all nodes, also those that were not measured
 * @values: value of each node, [node]
 * @nodes: when each node was measured, [node]
 * @phase: phase of the run over which @values are means; NULL if @values are the latest values
 */
struct view {
	const struct bpmu_topdown_view *t;
	const struct bpmu_tree *tree;
	const struct bpmu_tree_value *values;
	const struct bpmu_drill_node *nodes;
	const struct bpmu_phase *phase;
};

static bool measured(const struct view *view, unsigned int i)
{
	double seconds = view->phase ? view->phase->node[i].seconds :
				       view->nodes[i].seconds;

	return view->tree->shown[i] && seconds > 0;
}

/* Returns true if a node was measured and has children, but none of the children was measured. */
static bool is_unmeasured(const struct view *view, unsigned int i)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	bool children = false;
	unsigned int c;

	for (c = i + 1; c < view->tree->metrics.nr; c++) {
		if (metric[c].parent != (int)i || !view->tree->shown[c])
			continue;
		if (measured(view, c))
			return false;
		children = true;
	}
	return children && measured(view, i);
}

/*
 * Prints the measured nodes. Returns true if the value of a node is an estimate, with a 95 %
 * interval.
 */
static bool print_nodes(const struct view *view)
{
	double run = view->t->seconds;
	bool estimated = false;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++) {
		if (!measured(view, i))
			continue;
		bpmu_tree_node(view->t->call->out, view->tree, i, &view->values[i],
			       BPMU_TREE_NAME);
		estimated |= bpmu_is_interval(bpmu_tree_half_width(&view->values[i]));
		fputs("  [", view->t->call->out);
		if (view->t->call->options.interval_ns)
			fprintf(view->t->call->out, "%.2f to %.2f s; ",
				view->nodes[i].from, view->nodes[i].to);
		fprintf(view->t->call->out,
			"measured %.0f %%, flagged %.0f %% of the run]\n",
			100 * view->nodes[i].seconds / run,
			100 * view->nodes[i].flagged / run);
	}
	return estimated;
}

/*
 * Prints the names of nodes that have children of which none was measured: of the flagged nodes if
 * @flagged is true, else of the nodes that are not flagged. Prints @before before the first name.
 * Returns the number of names.
 */
static unsigned int list_unmeasured(const struct view *view, bool flagged,
				    const char *before)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++)
		if (is_unmeasured(view, i) && view->values[i].flagged == flagged)
			fprintf(view->t->call->out, "%s%s", nr++ ? ", " : before,
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

static void print_unmeasured(const struct view *view)
{
	FILE *out = view->t->call->out;

	if (list_unmeasured(view, false,
			    "Not measured, because not flagged: children of "))
		fputs(".\n", out);
	if (list_unmeasured(view, true, "Not measured yet: children of "))
		fprintf(out,
			"; level %u was reached, with more time it goes deeper.\n",
			level_reached(view));
}

static void errata(const struct view *view)
{
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr; i++)
		if (measured(view, i))
			bpmu_errata_note(view->t->call->out,
					 view->tree->metrics.metric[i].name,
					 &view->tree->errata[i]);
}

/**
 * bpmu_drill_text() - print a drill-down as text: the nodes of the tree that it measured
 * @topdown: what topdown prints of a core type; the core type's tree has all nodes, also those that
 *	were not measured
 * @values: value of each node, [nr nodes]
 * @nodes: when each node was measured, [nr nodes]
 * @phase: phase of the run over which @values are means; NULL if @values are the latest values
 */
void bpmu_drill_text(struct bpmu_topdown_view *topdown,
		     const struct bpmu_tree_value *values,
		     const struct bpmu_drill_node *nodes,
		     const struct bpmu_phase *phase)
{
	const struct view view = {
		.t = topdown, .tree = &topdown->type->tree, .values = values,
		.nodes = nodes, .phase = phase,
	};
	bool estimated;

	bpmu_topdown_head(topdown);
	if (phase && phase->changes)
		fprintf(topdown->call->out,
			"Level 1 changed %u time%s, last at %.2f s: values are of the time since then; -I shows all.\n\n",
			phase->changes, phase->changes > 1 ? "s" : "",
			phase->begin);
	estimated = print_nodes(&view);
	print_unmeasured(&view);
	bpmu_verdict_text(topdown->call->out, view.tree, values, topdown->longer);
	errata(&view);
	bpmu_topdown_intervals(topdown, estimated);
	bpmu_topdown_loss(topdown);
}
