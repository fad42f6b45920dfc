// SPDX-License-Identifier: GPL-2.0
/* Makes nodes of an HTML page, such as metrics: JSON objects whose members html_view.h lists. */
#include <stdlib.h>
#include <string.h>

#include "html_view.h"
#include "metric/metric_unit.h"

/*
 * A node is flagged if the formula @flag is true. Returns as JSON the constant with which @flag
 * compares the value of node @name; null if @flag has no such comparison.
 */
static json_t *limit_of(const char *name, const struct bpmu_expr *flag)
{
	json_t *limit;

	if (!flag)
		return json_null();
	switch (flag->op) {
	case BPMU_EXPR_AND:
	case BPMU_EXPR_OR:
		limit = limit_of(name, flag->arg[0]);
		return json_is_null(limit) ? limit_of(name, flag->arg[1]) : limit;
	case BPMU_EXPR_LT:
	case BPMU_EXPR_LE:
	case BPMU_EXPR_GT:
	case BPMU_EXPR_GE:
		if (flag->arg[0]->op == BPMU_EXPR_NAME &&
		    !strcmp(flag->arg[0]->name, name) &&
		    flag->arg[1]->op == BPMU_EXPR_NUMBER)
			return bpmu_html_number(flag->arg[1]->number);
		return json_null();
	default:
		return json_null();
	}
}

/**
 * bpmu_html_node() - make a node (JSON object of a metric) for the HTML page, still without values
 * @metric: metric of the node
 *
 * Return: an object, or NULL if memory runs out.
 */
json_t *bpmu_html_node(const struct bpmu_metric *metric)
{
	char *threshold = metric->flag ? bpmu_expr_text(metric->flag) : NULL;
	json_t *node;

	node = json_pack("{s:s,s:i,s:i,s:s?,s:b,s:s?,s:s?,s:s?,s:s?,s:o}",
			 "name", metric->name, "level", (int)metric->level,
			 "parent", metric->parent, "unit", metric->unit,
			 "share", bpmu_unit_is_share(metric->unit),
			 "text", metric->text, "next", metric->next,
			 "source", metric->source, "threshold", threshold,
			 "limit", limit_of(metric->name, metric->flag));
	free(threshold);
	return node;
}

/**
 * bpmu_html_node_add() - append a node to the nodes of a part (view) of the HTML page
 * @nodes: nodes of the view
 * @node: node without values, or NULL if memory ran out; @nodes takes the reference
 * @id: number that identifies the node in the view
 * @rows: number of rows (CPUs or cores) of the view
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_html_node_add(json_t *nodes, json_t *node, unsigned int id,
		       unsigned int rows, struct bpmu_error *err)
{
	json_t *cells = json_array();

	while (rows--)
		json_array_append_new(cells, json_array());
	if (json_object_set_new(node, "c", cells) |
	    json_object_set_new(node, "id", json_integer(id)) |
	    json_object_set_new(node, "r", json_array()) |
	    json_object_set_new(node, "v", json_array()) |
	    json_object_set_new(node, "u", json_array()) |
	    json_array_append_new(nodes, node))
		return bpmu_html_no_memory(err);
	return 0;
}

/**
 * bpmu_html_node_errata() - set the errata of a node of the HTML page
 * @node: node from bpmu_html_node()
 * @errata: errata that affect the events of the node, possibly none
 */
void bpmu_html_node_errata(json_t *node, const struct bpmu_errata *errata)
{
	json_t *names = json_array();
	unsigned int i;

	for (i = 0; i < errata->nr; i++)
		json_array_append_new(names, json_string(errata->name[i]));
	json_object_set_new(node, "errata", names);
}

static void html_node_append(json_t *node, const char *key, json_t *value)
{
	json_array_append_new(json_object_get(node, key), value);
}

/**
 * bpmu_html_node_row() - append the value of the next CPU or core to a node of the HTML page
 * @node: node from bpmu_html_node()
 * @value: number, or null if there is none
 * @half: half-width from bpmu_html_half()
 */
void bpmu_html_node_row(json_t *node, json_t *value, json_t *half)
{
	html_node_append(node, "r", json_pack("[o,o]", value, half));
}

/**
 * bpmu_html_node_point() - append the value of the next interval to a node of the HTML page
 * @node: node from bpmu_html_node()
 * @value: number, or null if there is none
 * @half: half-width from bpmu_html_half()
 */
void bpmu_html_node_point(json_t *node, json_t *value, json_t *half)
{
	html_node_append(node, "v", value);
	html_node_append(node, "u", half);
}

/**
 * bpmu_html_node_cell() - append a CPU's or core's value of an interval to a node of the HTML page
 * @node: node from bpmu_html_node()
 * @row: index of the CPU or core among the rows of the view
 * @value: number, or null if there is none
 */
void bpmu_html_node_cell(json_t *node, unsigned int row, json_t *value)
{
	json_array_append_new(json_array_get(json_object_get(node, "c"), row),
			      value);
}
