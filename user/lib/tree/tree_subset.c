// SPDX-License-Identifier: GPL-2.0
#include "tree_subset.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_tree_subset_init() - allocate a subset of a tree, to which metrics are then added
 * @subset: filled in; the caller calls bpmu_tree_subset_free(), also after an error
 * @tree: the tree, from bpmu_tree_make(), with counters: not for counts from another tool; must
 *	outlive @subset
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_tree_subset_init(struct bpmu_tree_subset *subset, const struct bpmu_tree *tree,
			  struct bpmu_error *err)
{
	const unsigned int counts = tree->program.first_result;

	*subset = (struct bpmu_tree_subset){ .tree = tree };
	subset->metric = calloc(tree->metrics.nr + 1, sizeof(*subset->metric));
	subset->needed = calloc(counts + tree->program.nr_statements + 1, sizeof(*subset->needed));
	subset->run = calloc(tree->program.nr_statements + 1, sizeof(*subset->run));
	subset->event = calloc(counts + 1, sizeof(*subset->event));
	subset->slots = calloc(counts + 1, sizeof(*subset->slots));
	subset->count = calloc(counts + 1, sizeof(*subset->count));
	return subset->metric && subset->needed && subset->run && subset->event && subset->slots &&
	       subset->count ? 0 : bpmu_error_no_memory(err, "metrics");
}

/**
 * bpmu_tree_subset_free() - free a subset of a tree
 * @subset: from bpmu_tree_subset_init(), or zeroed
 */
void bpmu_tree_subset_free(struct bpmu_tree_subset *subset)
{
	free(subset->metric);
	free(subset->needed);
	free(subset->run);
	free(subset->event);
	free(subset->slots);
	free(subset->count);
	memset(subset, 0, sizeof(*subset));
}

/**
 * bpmu_tree_subset_begin() - begin to choose what belongs to a subset of a tree
 * @subset: from bpmu_tree_subset_init(); empty on return. bpmu_tree_subset_end() ends the choice
 */
void bpmu_tree_subset_begin(struct bpmu_tree_subset *subset)
{
	const struct bpmu_program *program = &subset->tree->program;

	subset->nr_metrics = 0;
	memset(subset->needed, 0, program->first_result + program->nr_statements);
}

static bool is_inside(const struct bpmu_tree_subset *subset, unsigned int metric)
{
	unsigned int k;

	for (k = 0; k < subset->nr_metrics; k++)
		if (subset->metric[k] == metric)
			return true;
	return false;
}

/**
 * bpmu_tree_subset_add() - add a metric, and the nodes above it, to a subset of a tree
 * @subset: after bpmu_tree_subset_begin()
 * @metric: number of the metric. If the tree does not measure it, its value will be unknown
 */
void bpmu_tree_subset_add(struct bpmu_tree_subset *subset, unsigned int metric)
{
	const struct bpmu_tree *tree = subset->tree;
	int i;

	for (i = metric; i >= 0 && !is_inside(subset, i); i = tree->metrics.metric[i].parent) {
		subset->metric[subset->nr_metrics++] = i;
		if (tree->value_slot[i])
			subset->needed[tree->value_slot[i]] = true;
		if (tree->flag_slot[i])
			subset->needed[tree->flag_slot[i]] = true;
	}
}

/**
 * bpmu_tree_subset_add_event() - let a subset of a tree set &bpmu_tree.counts of an event
 * @subset: after bpmu_tree_subset_begin()
 * @g: number of a group
 * @event: index of the event in &bpmu_tree.events of the group
 */
void bpmu_tree_subset_add_event(struct bpmu_tree_subset *subset, unsigned int g,
				unsigned int event)
{
	subset->needed[subset->tree->program.first_count[g] + event] = true;
}

/* Adds the variables from which a statement is computed. */
static void need_operands(struct bpmu_tree_subset *subset, const struct bpmu_statement *statement)
{
	const struct bpmu_op *op = subset->tree->program.op;
	unsigned int k;

	for (k = statement->first; k < statement->end; k++)
		if (op[k].op == BPMU_EXPR_NAME)
			subset->needed[op[k].slot] = true;
}

static int compare(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/**
 * bpmu_tree_subset_end() - find the statements and the events that a subset of a tree needs
 * @subset: after bpmu_tree_subset_add() of all its metrics
 */
void bpmu_tree_subset_end(struct bpmu_tree_subset *subset)
{
	const struct bpmu_tree *tree = subset->tree;
	const struct bpmu_program *program = &tree->program;
	const bool *results = subset->needed + program->first_result;
	struct bpmu_tree_subset_group *group;
	unsigned int i, g, nr = 0;

	/* A statement needs only variables that are computed before it. */
	for (i = program->nr_statements; i-- > 0; )
		if (results[i])
			need_operands(subset, &program->statement[i]);
	subset->nr_runs = 0;
	for (i = 0; i < program->nr_statements; i++) {
		if (!results[i])
			continue;
		if (!i || !results[i - 1])
			subset->run[subset->nr_runs++].first = i;
		subset->run[subset->nr_runs - 1].end = i + 1;
	}
	subset->has_totals = false;
	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		group = &subset->group[g];
		*group = (struct bpmu_tree_subset_group){
			.event = subset->event + nr, .slots = subset->slots + nr,
		};
		for (i = 0; i < tree->events[g].nr; i++) {
			if (!subset->needed[program->first_count[g] + i])
				continue;
			group->event[group->nr] = i;
			if (g < tree->nr_groups)
				group->slots[group->nr] = tree->event_slots[g][i];
			group->nr++;
		}
		nr += group->nr;
		subset->has_totals |= g >= BPMU_TREE_TOTAL(0) && group->nr;
	}
	/* The flag of a node depends on that of its parent, which has a lower number. */
	qsort(subset->metric, subset->nr_metrics, sizeof(*subset->metric), compare);
}

/**
 * bpmu_tree_subset_compute() - compute the metrics of a subset of a tree
 * @subset: after bpmu_tree_subset_end(). &bpmu_tree.counts of its events are set, and the constants of
 *	the tree's formulas. The other variables of the formulas are overwritten
 * @values: of the metrics of the subset known, value and flagged are set, as bpmu_tree_eval() would;
 *	[nr metrics of the tree]
 *
 * Not thread-safe.
 */
void bpmu_tree_subset_compute(const struct bpmu_tree_subset *subset,
			      struct bpmu_tree_value *values)
{
	const struct bpmu_tree_subset_group *group;
	const struct bpmu_tree *tree = subset->tree;
	const struct bpmu_metric *metric;
	const struct bpmu_value *flag;
	struct bpmu_tree_value *value;
	unsigned int g, i, k;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		/* After the last group, go on with the events that are in all groups of a bank. */
		if (g == tree->nr_groups && !subset->has_totals)
			break;
		if (g == tree->nr_groups)
			g = BPMU_TREE_TOTAL(0);
		group = &subset->group[g];
		for (k = 0; k < group->nr; k++)
			tree->slot[tree->program.first_count[g] + group->event[k]] =
				bpmu_value_of(tree->counts[g][group->event[k]]);
	}
	for (k = 0; k < subset->nr_runs; k++)
		bpmu_program_run(&tree->program, subset->run[k].first, subset->run[k].end, tree->slot);
	for (k = 0; k < subset->nr_metrics; k++) {
		i = subset->metric[k];
		metric = &tree->metrics.metric[i];
		value = &values[i];
		value->known = tree->value_slot[i] && tree->slot[tree->value_slot[i]].known;
		value->value = value->known ? tree->slot[tree->value_slot[i]].number : 0;
		flag = &tree->slot[tree->flag_slot[i]];
		value->flagged = value->known && tree->flag_slot[i] && flag->known &&
				 flag->number != 0 &&
				 (metric->parent < 0 || metric->stands ||
				  values[metric->parent].flagged);
	}
}
