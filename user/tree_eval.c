// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "metric_unit.h"
#include "tree.h"

/* shares are sums of rounded numbers: less than this is not below 0 */
#define ROUNDING 0.000000001

/* a difference of two counters may be below 0 */
static void load(struct bpmu_value *slot, const struct bpmu_event_spec *spec,
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
			load(&slot[i], &events->spec[i],
			     counts[g] ? counts[g][i] : NAN);
	}
}

static void judge(const struct bpmu_tree *tree, unsigned int i,
		  struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];
	struct bpmu_tree_value *value = &values[i];
	const struct bpmu_value *over;

	if (!value->known)
		return;
	if (value->value < -ROUNDING && bpmu_unit_is_share(metric->unit))
		value->flags |= BPMU_VALUE_BELOW_0;
	if (value->value > 1 + ROUNDING && bpmu_unit_is_share(metric->unit))
		value->flags |= BPMU_VALUE_ABOVE_1;
	if (!tree->flag_slot[i] ||
	    (metric->parent >= 0 && !values[metric->parent].flagged))
		return;
	over = &tree->slot[tree->flag_slot[i]];
	value->flagged = over->known && over->number != 0;
}

/**
 * bpmu_tree_eval() - the values of all metrics
 * @tree: the tree; its slots are overwritten
 * @counts: for each group, for each of its events, what bpmu_sched_count()
 *	says; NAN for an event without count, NULL for a group without
 * @values: filled in, one for each of @tree->metrics; a line that is not shown
 *	has no value; all are exact
 *
 * Context: any, one call at a time.
 */
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values)
{
	const struct bpmu_value *value;
	unsigned int i;

	memset(values, 0, tree->metrics.nr * sizeof(*values));
	load_all(tree, counts);
	bpmu_program_run(&tree->program, tree->slot);
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
		judge(tree, i, values);
	}
}
