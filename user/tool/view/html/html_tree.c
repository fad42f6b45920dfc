// SPDX-License-Identifier: GPL-2.0
/*
 * View (a table with plots) of a metric tree on an HTML page: values over the whole time and in
 * each interval, of all CPUs together and of each CPU.
 */
#include <math.h>
#include <stdlib.h>

#include "count/spread.h"
#include "count/verdict.h"
#include "html_view.h"
#include "metric/value_flag.h"
#include "source/tree_target.h"

/**
 * struct view - view of a metric tree, while it is made for an HTML page
 * @html: the page
 * @interval_ns: interval of the plots over time in ns; 0 if there are none
 * @tree: the tree
 * @values: values of the last interval, [nr metrics]
 * @axis: the view's arrays over time, [intervals]
 * @node: the metric's object, or NULL if it is not shown, [nr metrics]
 * @object: the JSON object of the view
 */
struct view {
	struct bpmu_html *html;
	u64 interval_ns;
	struct bpmu_tree tree;
	struct bpmu_tree_value *values;
	struct bpmu_html_axis axis;
	json_t **node;
	json_t *object;
};

static json_t *html_tree_number(const struct bpmu_tree_value *value)
{
	return bpmu_html_number(value->known ? value->value : NAN);
}

static json_t *html_tree_half(const struct bpmu_tree_value *value)
{
	return bpmu_html_half(bpmu_tree_half_width(value));
}

static void put_total(json_t *node, const struct bpmu_tree_value *value)
{
	char flags[BPMU_VALUE_FLAG_TEXT];

	bpmu_value_flags_text(value->flags, "", ", ", "", flags);
	json_object_set_new(node, "value", html_tree_number(value));
	json_object_set_new(node, "half", html_tree_half(value));
	json_object_set_new(node, "flagged", json_boolean(value->flagged));
	json_object_set_new(node, "flags", json_string(flags));
}

/* Adds the verdict, which names the bottleneck in a sentence, as "barepmu topdown" prints it. */
static void put_verdict(struct view *view)
{
	struct bpmu_verdict verdict;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	bpmu_verdict_find(&view->tree, view->values, &verdict);
	bpmu_verdict_text(out, &view->tree, view->values, BPMU_LONGER_RECORDING);
	fclose(out);
	json_object_set_new(view->object, "verdict", json_string(text));
	json_object_set_new(view->object, "worst",
			    json_integer(bpmu_verdict_node(&verdict)));
	free(text);
}

static void html_tree_on_total(void *data, const struct bpmu_interval *interval)
{
	struct view *view = data;
	unsigned int nr_cpus = view->html->type->target.cpus.nr;
	struct bpmu_interval cpu;
	unsigned int pos, i;

	/* If there are no plots over time, the whole time is the only interval. */
	if (!view->interval_ns)
		bpmu_html_axis_add(&view->axis, &view->tree.groups, interval,
				   nr_cpus);
	bpmu_spread_eval(&view->tree, interval, nr_cpus, view->values);
	for (i = 0; i < view->tree.metrics.nr; i++)
		if (view->node[i])
			put_total(view->node[i], &view->values[i]);
	put_verdict(view);
	for (pos = 0; pos < nr_cpus; pos++) {
		cpu = bpmu_interval_from(interval, pos, &view->tree.groups);
		bpmu_spread_eval(&view->tree, &cpu, 1, view->values);
		for (i = 0; i < view->tree.metrics.nr; i++)
			if (view->node[i])
				bpmu_html_node_row(view->node[i],
						   html_tree_number(&view->values[i]),
						   html_tree_half(&view->values[i]));
	}
}

static void html_tree_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct view *view = data;
	unsigned int nr_cpus = view->html->type->target.cpus.nr;
	struct bpmu_interval cpu;
	unsigned int pos, i;

	bpmu_html_axis_add(&view->axis, &view->tree.groups, interval, nr_cpus);
	bpmu_spread_eval(&view->tree, interval, nr_cpus, view->values);
	for (i = 0; i < view->tree.metrics.nr; i++)
		if (view->node[i])
			bpmu_html_node_point(view->node[i],
					     html_tree_number(&view->values[i]),
					     html_tree_half(&view->values[i]));
	/*
	 * The values of single CPUs get no confidence intervals, because these would double the
	 * time of evaluation.
	 */
	for (pos = 0; pos < nr_cpus; pos++) {
		cpu = bpmu_interval_from(interval, pos, &view->tree.groups);
		bpmu_spread_values(&view->tree, &cpu, 1, view->values);
		for (i = 0; i < view->tree.metrics.nr; i++)
			if (view->node[i])
				bpmu_html_node_cell(view->node[i], pos,
						    html_tree_number(&view->values[i]));
	}
}

static int html_tree_make_nodes(struct view *view, json_t *nodes, struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = &view->tree.metrics;
	unsigned int i;
	int code = 0;

	for (i = 0; i < metrics->nr && !code; i++) {
		if (!view->tree.shown[i])
			continue;
		view->node[i] = bpmu_html_node(&metrics->metric[i]);
		code = bpmu_html_node_add(nodes, view->node[i], i,
					  view->html->type->target.cpus.nr, err);
		if (!code)
			bpmu_html_node_errata(view->node[i],
					      &view->tree.errata[i]);
	}
	return code;
}

static int alloc(struct view *view, struct bpmu_error *err)
{
	unsigned int nr = view->tree.metrics.nr;

	view->values = calloc(nr, sizeof(*view->values));
	view->node = calloc(nr, sizeof(*view->node));
	return view->values && view->node ? 0 : bpmu_html_no_memory(err);
}

static json_t *html_tree_row_labels(const struct bpmu_target *target)
{
	json_t *rows = json_array();
	unsigned int pos;

	for (pos = 0; pos < target->cpus.nr; pos++)
		json_array_append_new(rows, json_sprintf("CPU %u",
							 target->cpus.cpu[pos]));
	return rows;
}

static int html_tree_fill(struct view *view, json_t *object, struct bpmu_error *err)
{
	json_t *nodes = json_array();
	int code;

	const char *version = bpmu_metrics_version(&view->tree.metrics);

	if (json_object_set_new(object, "nodes", nodes) ||
	    (version && json_object_set_new(object, "version", json_string(version))) ||
	    json_object_set_new(object, "rows",
				html_tree_row_labels(&view->html->type->target)))
		return bpmu_html_no_memory(err);
	code = alloc(view, err);
	if (!code)
		code = html_tree_make_nodes(view, nodes, err);
	if (!code)
		code = bpmu_html_axis_begin(&view->axis, object,
					    &view->tree.groups, err);
	if (!code)
		code = bpmu_html_count(view->html, &view->tree.groups, 0,
				       html_tree_on_total, view, err);
	if (!code && view->interval_ns)
		code = bpmu_html_count(view->html, &view->tree.groups, view->interval_ns,
				       html_tree_on_interval, view, err);
	return code;
}

static void html_tree_free(void *data)
{
	struct view *view = data;

	free(view->values);
	free(view->node);
	bpmu_tree_free(&view->tree);
	json_decref(view->object);
	free(view);
}

static struct view *html_tree_new(struct bpmu_html *html, u64 interval_ns)
{
	struct view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->html = html;
	view->interval_ns = interval_ns;
	view->object = json_object();
	return view;
}

/**
 * bpmu_html_tree() - make the HTML page's view of a metric tree
 * @html: the page; bpmu_html_read() later reads the view's values from the recording
 * @wish: parameters of the tree; @wish->errata is set by this function
 * @interval_ns: interval of the plots over time in ns; 0 if there are none
 * @json: set to the view
 *
 * Return: 0, -ENODATA if an event was not recorded, or another negative errno.
 */
int bpmu_html_tree(struct bpmu_html *html, struct bpmu_tree_wish *wish,
		   u64 interval_ns, json_t **json, struct bpmu_error *err)
{
	struct view *view = html_tree_new(html, interval_ns);
	int code;

	if (!view)
		return bpmu_html_no_memory(err);
	wish->errata = &html->type->errata;
	code = bpmu_tree_on_target(&view->tree, wish, &html->type->target, err);
	if (!code)
		bpmu_machine_set(&html->type->machine, &view->tree);
	if (!code)
		code = bpmu_html_has(html, &view->tree.groups, err);
	if (!code)
		code = html_tree_fill(view, view->object, err);
	if (code) {
		html_tree_free(view);
		return code;
	}
	*json = json_incref(view->object);
	return bpmu_html_keep(html, view, html_tree_free, err);
}
