// SPDX-License-Identifier: GPL-2.0
#include "step.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flaw.h"
#include "spread.h"

/*
 * The module changes groups only where there are some: who may come to the
 * uncore has to count there from the start.
 */
static int keep_uncore(struct bpmu_groups *groups, const struct bpmu_tree *all,
		       struct bpmu_error *err)
{
	unsigned int g = bpmu_groups_first(&all->groups, BPMU_SIDE_UNCORE);
	unsigned int end = g + all->groups.nr_of[BPMU_SIDE_UNCORE];
	int code = 0;

	if (groups->nr_of[BPMU_SIDE_UNCORE])
		return 0;
	for (; g < end && !code; g++)
		code = bpmu_groups_add(groups, &all->events[g], err);
	return code;
}

static int alloc_counts(struct bpmu_step *step, struct bpmu_error *err)
{
	unsigned int g, nr;

	for (g = 0; g < step->tree.nr_groups; g++) {
		nr = step->tree.events[g].nr;
		step->counts[g] = calloc(nr, sizeof(double));
		step->sum[g] = calloc(nr, sizeof(double));
		step->seen[g] = calloc(nr, sizeof(double));
		if (!step->counts[g] || !step->sum[g] || !step->seen[g])
			return bpmu_error_no_memory(err, "topdown");
	}
	return 0;
}

/**
 * bpmu_step_make() - a step before it begins
 * @step: filled in
 * @wish: with the nodes to measure
 * @all: a tree of all nodes that may come in other steps; outlives @step
 * @err: set on failure
 *
 * Return: as bpmu_tree_make(); on failure nothing is to be freed.
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
	code = keep_uncore(&step->tree.groups, all, err);
	if (!code)
		code = alloc_counts(step, err);
	step->spread = calloc(step->tree.metrics.nr, sizeof(double));
	step->longer = calloc(step->tree.metrics.nr, sizeof(double));
	if (!code && (!step->spread || !step->longer))
		code = bpmu_error_no_memory(err, "topdown");
	if (code)
		bpmu_step_free(step);
	return code;
}

/**
 * bpmu_step_free() - undo bpmu_step_make()
 * @step: made, or zeroed
 */
void bpmu_step_free(struct bpmu_step *step)
{
	unsigned int g;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		free(step->counts[g]);
		free(step->sum[g]);
		free(step->seen[g]);
	}
	free(step->spread);
	free(step->longer);
	bpmu_tree_free(&step->tree);
	memset(step, 0, sizeof(*step));
}

static void step_add_event(struct bpmu_step *step, unsigned int nr_cpus,
			    const struct bpmu_interval *interval, unsigned int g,
			    unsigned int i)
{
	struct bpmu_estimate now;

	now = bpmu_interval_sum(&step->tree.groups, g, interval, nr_cpus,
				&step->tree.events[g].spec[i]);
	if (!i)
		step->enabled[g] += now.enabled;
	step->counts[g][i] = NAN;
	if (!bpmu_estimate_seen(&now))
		return;
	step->counts[g][i] = now.value;
	step->sum[g][i] += now.value;
	step->seen[g][i] += now.enabled;
}

/**
 * bpmu_step_add() - an interval of the step
 * @step: its counts become those of the interval
 * @nr_cpus: measured
 * @interval: what was counted
 */
void bpmu_step_add(struct bpmu_step *step, unsigned int nr_cpus,
		    const struct bpmu_interval *interval)
{
	unsigned int g, i;

	for (g = 0; g < step->tree.nr_groups; g++)
		for (i = 0; i < step->tree.events[g].nr; i++)
			step_add_event(step, nr_cpus, interval, g, i);
	step->whole |= interval->whole;
	step->flags |= bpmu_flaws_of_values(bpmu_flaws_of(interval, nr_cpus));
}

/* slices of different intervals are independent, their lengths are the weights */
static void add_spread(struct bpmu_step *step,
		       const struct bpmu_interval *interval,
		       const struct bpmu_tree_value *values)
{
	double part;
	unsigned int i;

	for (i = 0; i < step->tree.metrics.nr; i++) {
		step->longer[i] = fmax(step->longer[i], values[i].longer);
		/* a short end adds little, and may have too few slices */
		if (!interval->whole && isinf(values[i].uncertainty))
			continue;
		part = values[i].uncertainty * interval->duration;
		step->spread[i] += part * part;
	}
	step->seconds += interval->duration;
}

/**
 * bpmu_step_eval() - the values of its nodes in an interval
 * @step: with the interval's counts
 * @nr_cpus: measured
 * @interval: the latest one of bpmu_step_add()
 * @values: filled in, [nr lines of the method]
 *
 * Not thread-safe.
 */
void bpmu_step_eval(struct bpmu_step *step, unsigned int nr_cpus,
		     const struct bpmu_interval *interval,
		     struct bpmu_tree_value *values)
{
	const double *const *counts = (const double *const *)step->counts;

	bpmu_tree_compute(&step->tree, counts, values);
	bpmu_spread(&step->tree, interval, nr_cpus, counts, values);
	add_spread(step, interval, values);
}

static double total(double sum, double seen, double enabled)
{
	if (!seen)
		return NAN;
	return seen == enabled ? sum : sum * enabled / seen;
}

/**
 * bpmu_step_total() - the values of its nodes in all intervals so far
 * @step: with intervals; its counts become those of all of them
 * @values: filled in, [nr lines of the method]
 *
 * An event of a group that had no slice in some intervals counts there as it did
 * in the others.
 *
 * Not thread-safe.
 */
void bpmu_step_total(struct bpmu_step *step, struct bpmu_tree_value *values)
{
	unsigned int g, i;

	for (g = 0; g < step->tree.nr_groups; g++)
		for (i = 0; i < step->tree.events[g].nr; i++)
			step->counts[g][i] = total(step->sum[g][i],
						    step->seen[g][i],
						    step->enabled[g]);
	bpmu_tree_compute(&step->tree, (const double *const *)step->counts,
			  values);
	for (i = 0; step->flags && i < step->tree.metrics.nr; i++)
		if (step->tree.value_slot[i])
			values[i].flags |= step->flags;
	for (i = 0; step->seconds > 0 && i < step->tree.metrics.nr; i++) {
		values[i].uncertainty = sqrt(step->spread[i]) /
					step->seconds;
		if (step->seconds < step->longer[i])
			values[i].longer = step->longer[i];
	}
	bpmu_tree_judge(&step->tree, values);
}
