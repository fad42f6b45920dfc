// SPDX-License-Identifier: GPL-2.0
#include <float.h>
#include <math.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "tree.h"

/* shares are sums of rounded numbers: less than this is not below 0 */
#define ROUNDING 0.000000001

/* a difference of two counters may be below 0 */
static void tree_eval_load(struct bpmu_value *slot, const struct bpmu_event_spec *spec,
			   double count)
{
	slot->known = isfinite(count);
	slot->number = slot->known ? count : 0;
	slot->flags = 0;
	if (!slot->known)
		slot->flags |= BPMU_VALUE_MISSING;
	else if (count < 0 && spec->nr == 1)
		slot->flags |= BPMU_VALUE_WRAPPED;
}

static void load_all(const struct bpmu_tree *tree, const double *const *counts)
{
	const struct bpmu_event_list *events;
	struct bpmu_value *slot;
	unsigned int g;
	unsigned int i;

	for (g = 0; g < tree->nr_groups; g++) {
		events = &tree->events[g];
		slot = tree->slot + tree->program.first_count[g];
		for (i = 0; i < events->nr; i++)
			tree_eval_load(&slot[i], &events->spec[i],
				       counts[g] ? counts[g][i] : NAN);
	}
}

static unsigned int range_flags(const struct bpmu_metric *metric, double value)
{
	unsigned int flags = 0;

	if (value < -ROUNDING && bpmu_unit_is_share(metric->unit))
		flags |= BPMU_VALUE_BELOW_0;
	if (value > 1 + ROUNDING && bpmu_unit_is_share(metric->unit))
		flags |= BPMU_VALUE_ABOVE_1;
	return flags;
}

/**
 * bpmu_tree_compute() - the values of all metrics, without their flags
 * @tree: the tree; its slots are overwritten
 * @counts: for each group, for each of its events, what bpmu_sched_count()
 *	says; NAN for an event without count, NULL for a group without
 * @values: filled in, one for each of @tree->metrics; a line that is not shown
 *	has no value; all are exact, none is flagged
 *
 * Not thread-safe.
 */
void bpmu_tree_compute(const struct bpmu_tree *tree,
		       const double *const *counts,
		       struct bpmu_tree_value *values)
{
	const struct bpmu_value *value;
	unsigned int i;

	memset(values, 0, tree->metrics.nr * sizeof(*values));
	load_all(tree, counts);
	bpmu_program_run(&tree->program, 0, tree->first_flag, tree->slot);
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->value_slot[i])
			continue;
		value = &tree->slot[tree->value_slot[i]];
		values[i].known = value->known;
		values[i].value = value->number;
		values[i].flags = value->flags;
		if (tree->window[i] == BPMU_VIEW_MIXED)
			values[i].flags |= BPMU_VALUE_MIXED;
		if (tree->errata[i].nr)
			values[i].flags |= BPMU_VALUE_ERRATUM;
		if (value->known)
			values[i].flags |= range_flags(&tree->metrics.metric[i],
						       value->number);
	}
}

static void run_flags(const struct bpmu_tree *tree,
		      const struct bpmu_tree_value *values)
{
	struct bpmu_value *slot;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->value_slot[i])
			continue;
		slot = &tree->slot[tree->value_slot[i]];
		slot->known = values[i].known;
		slot->number = values[i].value;
	}
	bpmu_program_run(&tree->program, tree->first_flag,
			 tree->program.nr_steps, tree->slot);
}

static bool tree_eval_over(const struct bpmu_tree *tree, int slot)
{
	const struct bpmu_value *flag = &tree->slot[slot];

	return slot && flag->known && flag->number != 0;
}

/* a flag that changes when node @from goes to an end of its interval */
static void tree_eval_shift(const struct bpmu_tree *tree, unsigned int from,
			    struct bpmu_tree_value *values)
{
	const double value = values[from].value;
	const double half = fmin(values[from].uncertainty, DBL_MAX);
	unsigned int i;
	int sign;

	for (sign = -1; sign <= 1; sign += 2) {
		values[from].value = value + sign * half;
		run_flags(tree, values);
		for (i = 0; i < tree->metrics.nr; i++) {
			if (!tree->flag_slot[i] || !values[i].known)
				continue;
			if (tree_eval_over(tree, tree->flag_slot[i]) != values[i].flagged)
				values[i].flags |= BPMU_VALUE_UNDECIDED;
			values[i].maybe |= tree_eval_over(tree, tree->alone_slot[i]) !=
					   values[i].alone;
		}
	}
	values[from].value = value;
}

/**
 * bpmu_tree_judge() - which nodes are flagged
 * @tree: the tree; its slots are overwritten
 * @values: with values and uncertainties; what says whether they are flagged is
 *	set
 *
 * A node whose flag depends on where in its 95 % interval a value is, is not
 * flagged but undecided. So is none below it: whoever is flagged has a path of
 * flagged nodes to the root.
 *
 * Not thread-safe.
 */
void bpmu_tree_judge(const struct bpmu_tree *tree,
		     struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	struct bpmu_tree_value *value;
	unsigned int i;

	run_flags(tree, values);
	for (i = 0; i < tree->metrics.nr; i++) {
		values[i].flags &= ~BPMU_VALUE_UNDECIDED;
		values[i].maybe = false;
		values[i].flagged = values[i].known &&
				    tree_eval_over(tree, tree->flag_slot[i]);
		values[i].alone = values[i].known &&
				  tree_eval_over(tree, tree->alone_slot[i]);
	}
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->value_slot[i] && values[i].known &&
		    values[i].uncertainty > 0)
			tree_eval_shift(tree, i, values);
	for (i = 0; i < tree->metrics.nr; i++) {
		value = &values[i];
		if (metric[i].parent >= 0 &&
		    !values[metric[i].parent].flagged) {
			value->flags &= ~BPMU_VALUE_UNDECIDED;
			value->maybe = false;
		}
		value->flagged &= !(value->flags & BPMU_VALUE_UNDECIDED) &&
				  (metric[i].parent < 0 ||
				   values[metric[i].parent].flagged);
		value->alone &= value->flagged && !value->maybe;
	}
}

/**
 * bpmu_tree_eval() - the values of all metrics, and their flags
 * @tree: the tree; its slots are overwritten
 * @counts: as for bpmu_tree_compute()
 * @values: filled in as by it, and judged
 *
 * Not thread-safe.
 */
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values)
{
	bpmu_tree_compute(tree, counts, values);
	bpmu_tree_judge(tree, values);
}
