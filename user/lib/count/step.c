// SPDX-License-Identifier: GPL-2.0
#include "step.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flaw.h"
#include "spread.h"

/*
 * A step is a time in which a drill-down measures the same nodes. Adds groups to a step, so that it
 * uses each bank (set of counters, such as those of the memory controllers) that any step needs. In
 * a running session the module can replace the groups of a bank, but it cannot begin to use a bank,
 * and cannot stop using one.
 */
static int keep_banks(struct bpmu_tree *tree, const struct bpmu_tree *all,
		      struct bpmu_error *err)
{
	enum bpmu_bank_id bank;
	unsigned int g, end;
	int code = 0;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (tree->groups.nr_of[bank])
			continue;
		g = bpmu_groups_first(&all->groups, bank);
		end = g + all->groups.nr_of[bank];
		for (; g < end && !code; g++)
			code = bpmu_tree_join(tree, &all->events[g], false, err);
	}
	return code;
}

static int alloc_counts(struct bpmu_step *step, struct bpmu_error *err)
{
	unsigned int g, nr;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		nr = step->tree.events[g].nr;
		if (!nr)
			continue;
		step->sum[g] = calloc(nr, sizeof(double));
		step->seen[g] = calloc(nr, sizeof(double));
		if (!step->sum[g] || !step->seen[g])
			return bpmu_error_no_memory(err, "topdown");
	}
	return 0;
}

/**
 * bpmu_step_make() - prepare a step, in which some nodes are measured
 * @step: filled in
 * @wish: parameters for bpmu_tree_make(): the nodes to measure in the step, and how
 * @all: tree of the nodes of all steps, with the constants of its formulas set for the machine;
 *	must outlive @step
 *
 * Return: 0 or a negative errno, as of bpmu_tree_make(); after an error @step need not be freed.
 */
int bpmu_step_make(struct bpmu_step *step,
		   const struct bpmu_tree_wish *wish,
		   const struct bpmu_tree *all, struct bpmu_error *err)
{
	int code;

	memset(step, 0, sizeof(*step));
	code = bpmu_tree_make(&step->tree, wish, err);
	if (code)
		return code;
	memcpy(step->tree.slot, all->slot, BPMU_NR_CONSTANTS * sizeof(*all->slot));
	code = keep_banks(&step->tree, all, err);
	if (!code)
		code = alloc_counts(step, err);
	step->spread = calloc(step->tree.metrics.nr, sizeof(double));
	step->longer = calloc(step->tree.metrics.nr, sizeof(double));
	step->occurred = calloc(step->tree.metrics.nr, sizeof(bool));
	step->bursty = calloc(step->tree.metrics.nr, sizeof(double));
	if (!code && (!step->spread || !step->longer || !step->occurred || !step->bursty))
		code = bpmu_error_no_memory(err, "topdown");
	if (code)
		bpmu_step_free(step);
	return code;
}

/**
 * bpmu_step_free() - free a step of a drill-down
 * @step: from bpmu_step_make(), or zeroed
 */
void bpmu_step_free(struct bpmu_step *step)
{
	unsigned int g;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		free(step->sum[g]);
		free(step->seen[g]);
	}
	free(step->spread);
	free(step->longer);
	free(step->occurred);
	free(step->bursty);
	bpmu_tree_free(&step->tree);
	memset(step, 0, sizeof(*step));
}

/*
 * Adds the square of each value's uncertainty in an interval, times the interval's length, to
 * @step->spread. Squares are added, because errors of different intervals are independent.
 */
static void add_spread(struct bpmu_step *step,
		       const struct bpmu_interval *interval,
		       const struct bpmu_tree_value *values)
{
	double part;
	unsigned int i;

	for (i = 0; i < step->tree.metrics.nr; i++) {
		step->longer[i] = fmax(step->longer[i], values[i].longer);
		step->occurred[i] |= !(values[i].flags & BPMU_VALUE_UNSEEN);
		if (values[i].flags & BPMU_VALUE_BURSTY)
			step->bursty[i] += interval->duration;
		/*
		 * A short last interval without a known uncertainty is left out: it would add
		 * little.
		 */
		if (!interval->whole && isinf(values[i].uncertainty))
			continue;
		part = values[i].uncertainty * interval->duration;
		step->spread[i] += part * part;
	}
	step->seconds += interval->duration;
}

/**
 * bpmu_step_add() - evaluate an interval, and add its counts to the drill-down's present step
 * @step: the step (a time in which the same nodes are measured); the counts are added to its sums
 * @nr_cpus: number of CPUs of the interval
 * @interval: counts of the interval
 * @values: set to the values of the interval, as by bpmu_spread_eval(), [nr metrics of the tree]
 *
 * Not thread-safe.
 */
void bpmu_step_add(struct bpmu_step *step, unsigned int nr_cpus,
		   const struct bpmu_interval *interval,
		   struct bpmu_tree_value *values)
{
	const struct bpmu_tree *tree = &step->tree;
	double enabled;
	unsigned int g, i, pos;

	bpmu_spread_eval(tree, interval, nr_cpus, values);
	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		if (!tree->events[g].nr)
			continue;
		enabled = 0;
		for (pos = 0; pos < nr_cpus; pos++)
			enabled += bpmu_interval_time(interval,
				bpmu_unit_facts[tree->events[g].spec[0].term[0].unit].bank,
				pos);
		step->enabled[g] += enabled;
		for (i = 0; i < tree->events[g].nr; i++) {
			if (isnan(tree->counts[g][i]))
				continue;
			step->sum[g][i] += tree->counts[g][i];
			step->seen[g][i] += enabled;
		}
	}
	step->whole |= interval->whole;
	step->flags |= bpmu_flaws_of_values(bpmu_flaws_of(interval, nr_cpus));
	add_spread(step, interval, values);
}

static double total(double sum, double seen, double enabled)
{
	if (!seen)
		return NAN;
	return seen == enabled ? sum : sum * enabled / seen;
}

/**
 * bpmu_step_total() - compute the values of a step's nodes over all intervals of the step
 * @step: a step of a drill-down (a time in which the same nodes are measured) with intervals; the
 *	counts of its tree are set to the totals
 * @values: filled in, [nr metrics of the tree]
 *
 * If a group was not counted in an interval, its events are assumed to have occurred at the same
 * rate as in the other intervals. A node is flagged as bursty if it was bursty in more than half of
 * the time.
 *
 * Not thread-safe.
 */
void bpmu_step_total(struct bpmu_step *step, struct bpmu_tree_value *values)
{
	unsigned int g, i;

	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		for (i = 0; i < step->tree.events[g].nr; i++)
			step->tree.counts[g][i] = total(step->sum[g][i],
							step->seen[g][i],
							step->enabled[g]);
	bpmu_tree_compute(&step->tree, (const double *const *)step->tree.counts, NULL,
			  values);
	for (i = 0; step->flags && i < step->tree.nr_valued; i++)
		values[step->tree.valued[i]].flags |= step->flags;
	for (i = 0; step->seconds > 0 && i < step->tree.metrics.nr; i++) {
		values[i].uncertainty = sqrt(step->spread[i]) /
					step->seconds;
		if (!step->occurred[i])
			values[i].flags |= BPMU_VALUE_UNSEEN;
		if (2 * step->bursty[i] > step->seconds)
			values[i].flags |= BPMU_VALUE_BURSTY;
		if (step->seconds >= step->longer[i])
			continue;
		values[i].longer = step->longer[i];
		values[i].runs = ceil(step->longer[i] / step->seconds);
		values[i].flags |= BPMU_VALUE_FEW;
	}
	bpmu_tree_judge(&step->tree, values);
}
