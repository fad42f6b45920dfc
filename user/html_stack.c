// SPDX-License-Identifier: GPL-2.0
/*
 * CPI stacks at three stages: an object with cpi and cells, of each stage its
 * components in the order of the enumeration: null if the part cannot count it,
 * else value, half and near (what it is nearly, or null); and of each component
 * bounds, the least and the most over the stages, or null.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cpistack.h"
#include "html_view.h"
#include "spread.h"
#include "tree_target.h"

/**
 * struct stack - being made
 * @html: the page
 * @tree: of the method
 * @counts: [group][event] of the tree
 * @json: the result, or NULL
 */
struct stack {
	struct bpmu_html *html;
	struct bpmu_tree tree;
	double *counts[BPMU_TREE_GROUPS];
	json_t *json;
};

static json_t *cell_of(const struct bpmu_cpistack_cell *cell)
{
	const char *near = cell->line ? cell->line->text : NULL;

	if (!cell->there)
		return json_null();
	return json_pack("{s:o,s:o,s:s?}", "value",
			 bpmu_html_number(cell->known ? cell->cpi : NAN),
			 "half", bpmu_html_half(cell->uncertainty),
			 "near", near);
}

static json_t *to_json(const struct bpmu_cpistack *stack)
{
	json_t *stages = json_array(), *bounds = json_array();
	unsigned int s, c;
	json_t *row;

	for (s = 0; s < BPMU_CPISTACK_STAGES; s++) {
		row = json_array();
		for (c = 0; c < BPMU_CPISTACK_COMPONENTS; c++)
			json_array_append_new(row, cell_of(&stack->cell[s][c]));
		json_array_append_new(stages, row);
	}
	for (c = 0; c < BPMU_CPISTACK_COMPONENTS; c++)
		json_array_append_new(bounds, stack->stages[c] > 1 ?
			json_pack("[f,f]", stack->low[c], stack->high[c]) :
			json_null());
	return json_pack("{s:o,s:o,s:o}", "cells", stages, "bounds", bounds,
			 "cpi", bpmu_html_number(stack->known ? stack->cpi :
						 NAN));
}

static void on_total(void *data, const struct bpmu_interval *interval)
{
	struct stack *s = data;
	unsigned int nr_cpus = s->html->target.cpus.nr;
	const double *const *counts = (const double *const *)s->counts;
	struct bpmu_tree_value *values;
	struct bpmu_cpistack stack;
	unsigned int g;

	values = calloc(s->tree.metrics.nr, sizeof(*values));
	if (!values)
		return;
	for (g = 0; g < s->tree.groups.nr; g++)
		bpmu_spread_counts(&s->tree, interval, nr_cpus, g,
				   s->counts[g]);
	bpmu_tree_eval(&s->tree, counts, values);
	bpmu_spread(&s->tree, interval, nr_cpus, counts, values);
	bpmu_cpistack_make(&stack, &s->tree, values);
	s->json = to_json(&stack);
	free(values);
}

static int read_all(struct stack *stack, struct bpmu_error *err)
{
	unsigned int g;
	int code;

	for (g = 0; g < stack->tree.groups.nr; g++) {
		stack->counts[g] = calloc(stack->tree.events[g].nr,
					  sizeof(double));
		if (!stack->counts[g])
			return bpmu_html_no_memory(err);
	}
	code = bpmu_html_run(stack->html, &stack->tree.groups, 0, on_total,
			     stack, err);
	return code || stack->json ? code : bpmu_html_no_memory(err);
}

/**
 * bpmu_html_stack() - the CPI stacks of a recording
 * @html: the page
 * @json: set
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOENT if the part has none, -ENODATA if an event was not
 * recorded, or another negative errno.
 */
int bpmu_html_stack(struct bpmu_html *html, json_t **json,
		    struct bpmu_error *err)
{
	struct bpmu_tree_plan plan = {
		.method = BPMU_CPISTACK_METHOD, .level = BPMU_TREE_ALL,
		.cpi = true,
	};
	struct stack stack = { .html = html };
	unsigned int g;
	int code;

	code = bpmu_tree_on_target(&stack.tree, &plan, &html->target, err);
	if (!code)
		code = bpmu_html_has(html, &stack.tree.groups, err);
	if (!code)
		code = read_all(&stack, err);
	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		free(stack.counts[g]);
	bpmu_tree_free(&stack.tree);
	if (code)
		json_decref(stack.json);
	else
		*json = stack.json;
	return code;
}
