// SPDX-License-Identifier: GPL-2.0
/*
 * CPI stacks at three stages of the pipeline (dispatch, issue and commit): a JSON object with
 *
 *   cpi
 *   rows     [rows], in the order of &enum bpmu_cpistack_row, with name, parent (index of
 *            the row that includes this one, or null) and shown
 *   cells    [stages][rows]: null if the CPU model cannot count the row, else value and
 *            half in cycles per instruction, and near (text on the approximation, or null)
 *   bounds   [rows]: minimum and maximum over the stages, or null if fewer than two
 *            stages have the row
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "html_view.h"
#include "source/cpistack_tree.h"

/**
 * struct stack - view of CPI stacks, while it is made for an HTML page
 * @html: the page
 * @tree: metrics from which the stacks are computed
 * @json: JSON object of the view
 */
struct stack {
	struct bpmu_html *html;
	struct bpmu_cpistack_tree tree;
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

static json_t *row_of(const struct bpmu_cpistack *stack, unsigned int c)
{
	enum bpmu_cpistack_row parent = bpmu_cpistack_parent(c);

	return json_pack("{s:s,s:o,s:b}", "name", bpmu_cpistack_name(c),
			 "parent", parent == c ? json_null() :
						 json_integer(parent),
			 "shown", bpmu_cpistack_has(stack, c));
}

static void put_stack(json_t *json, const struct bpmu_cpistack *stack)
{
	json_t *stages = json_array(), *bounds = json_array();
	json_t *rows = json_array();
	unsigned int s, c;
	json_t *row;

	for (s = 0; s < BPMU_CPISTACK_STAGES; s++) {
		row = json_array();
		for (c = 0; c < BPMU_CPISTACK_ROWS; c++)
			json_array_append_new(row, cell_of(&stack->cell[s][c]));
		json_array_append_new(stages, row);
	}
	for (c = 0; c < BPMU_CPISTACK_ROWS; c++) {
		json_array_append_new(rows, row_of(stack, c));
		json_array_append_new(bounds, stack->stages[c] > 1 ?
			json_pack("[f,f]", stack->low[c], stack->high[c]) :
			json_null());
	}
	json_object_set_new(json, "rows", rows);
	json_object_set_new(json, "cells", stages);
	json_object_set_new(json, "bounds", bounds);
	json_object_set_new(json, "cpi", bpmu_html_number(stack->known ? stack->cpi : NAN));
}

static void html_stack_on_total(void *data, const struct bpmu_interval *interval)
{
	struct stack *s = data;
	struct bpmu_cpistack stack;

	bpmu_cpistack_tree_eval(&s->tree, interval, s->html->type->target.cpus.nr,
				&stack);
	put_stack(s->json, &stack);
}

static void html_stack_free(void *data)
{
	struct stack *stack = data;

	bpmu_cpistack_tree_free(&stack->tree);
	json_decref(stack->json);
	free(stack);
}

/**
 * bpmu_html_stack() - make the HTML page's view of CPI stacks
 * @html: the page; bpmu_html_read() later reads the view's values from the recording
 * @json: set to the view
 *
 * Return: 0, -ENOENT if the CPU model has no CPI stacks, -ENODATA if an event was not
 * recorded, or another negative errno.
 */
int bpmu_html_stack(struct bpmu_html *html, json_t **json,
		    struct bpmu_error *err)
{
	struct stack *stack = calloc(1, sizeof(*stack));
	int code;

	if (!stack)
		return bpmu_html_no_memory(err);
	stack->html = html;
	stack->json = json_object();
	code = bpmu_cpistack_tree_make(&stack->tree, &html->type->target,
				       BPMU_TREE_ALL, 0, err);
	if (!code)
		code = bpmu_html_has(html, &stack->tree.tree.groups, err);
	if (code == -ENODATA)
		bpmu_error_set(err, code,
			       "CPI stacks: their events were not recorded; record them with 'barepmu record --cpistack'");
	if (!code)
		code = bpmu_html_count(html, &stack->tree.tree.groups, 0,
				       html_stack_on_total, stack, err);
	if (code) {
		html_stack_free(stack);
		return code;
	}
	*json = json_incref(stack->json);
	return bpmu_html_keep(html, stack, html_stack_free, err);
}
