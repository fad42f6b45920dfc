// SPDX-License-Identifier: GPL-2.0
#include "stage.h"

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

static int alloc_counts(struct bpmu_stage *stage, struct bpmu_error *err)
{
	unsigned int g, nr;

	for (g = 0; g < stage->tree.nr_groups; g++) {
		nr = stage->tree.events[g].nr;
		stage->counts[g] = calloc(nr, sizeof(double));
		stage->sum[g] = calloc(nr, sizeof(double));
		stage->seen[g] = calloc(nr, sizeof(double));
		if (!stage->counts[g] || !stage->sum[g] || !stage->seen[g])
			return bpmu_error_no_memory(err, "topdown");
	}
	return 0;
}

/**
 * bpmu_stage_make() - a stage before it begins
 * @stage: filled in
 * @wish: with the nodes to measure
 * @all: a tree of all nodes that may come in other stages; outlives @stage
 * @err: set on failure
 *
 * Return: as bpmu_tree_make(); on failure nothing is to be freed.
 */
int bpmu_stage_make(struct bpmu_stage *stage,
		    const struct bpmu_tree_wish *wish,
		    const struct bpmu_tree *all, struct bpmu_error *err)
{
	int code;

	memset(stage, 0, sizeof(*stage));
	code = bpmu_tree_make(&stage->tree, wish, err);
	if (code)
		return code;
	code = keep_uncore(&stage->tree.groups, all, err);
	if (!code)
		code = alloc_counts(stage, err);
	stage->spread = calloc(stage->tree.metrics.nr, sizeof(double));
	stage->longer = calloc(stage->tree.metrics.nr, sizeof(double));
	if (!code && (!stage->spread || !stage->longer))
		code = bpmu_error_no_memory(err, "topdown");
	if (code)
		bpmu_stage_free(stage);
	return code;
}

/**
 * bpmu_stage_free() - undo bpmu_stage_make()
 * @stage: made, or zeroed
 */
void bpmu_stage_free(struct bpmu_stage *stage)
{
	unsigned int g;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		free(stage->counts[g]);
		free(stage->sum[g]);
		free(stage->seen[g]);
	}
	free(stage->spread);
	free(stage->longer);
	bpmu_tree_free(&stage->tree);
	memset(stage, 0, sizeof(*stage));
}

static void stage_add_event(struct bpmu_stage *stage, unsigned int nr_cpus,
			    const struct bpmu_interval *interval, unsigned int g,
			    unsigned int i)
{
	struct bpmu_estimate now;

	now = bpmu_interval_sum(&stage->tree.groups, g, interval, nr_cpus,
				&stage->tree.events[g].spec[i]);
	if (!i)
		stage->enabled[g] += now.enabled;
	stage->counts[g][i] = NAN;
	if (!bpmu_estimate_seen(&now))
		return;
	stage->counts[g][i] = now.value;
	stage->sum[g][i] += now.value;
	stage->seen[g][i] += now.enabled;
}

/**
 * bpmu_stage_add() - an interval of the stage
 * @stage: its counts become those of the interval
 * @nr_cpus: measured
 * @interval: what was counted
 */
void bpmu_stage_add(struct bpmu_stage *stage, unsigned int nr_cpus,
		    const struct bpmu_interval *interval)
{
	unsigned int g, i;

	for (g = 0; g < stage->tree.nr_groups; g++)
		for (i = 0; i < stage->tree.events[g].nr; i++)
			stage_add_event(stage, nr_cpus, interval, g, i);
	stage->whole |= interval->whole;
	stage->flags |= bpmu_flaws_of_values(bpmu_flaws_of(interval, nr_cpus));
}

/* slices of different intervals are independent, their lengths are the weights */
static void add_spread(struct bpmu_stage *stage,
		       const struct bpmu_interval *interval,
		       const struct bpmu_tree_value *values)
{
	double part;
	unsigned int i;

	for (i = 0; i < stage->tree.metrics.nr; i++) {
		stage->longer[i] = fmax(stage->longer[i], values[i].longer);
		/* a short end adds little, and may have too few slices */
		if (!interval->whole && isinf(values[i].uncertainty))
			continue;
		part = values[i].uncertainty * interval->duration;
		stage->spread[i] += part * part;
	}
	stage->seconds += interval->duration;
}

/**
 * bpmu_stage_eval() - the values of its nodes in an interval
 * @stage: with the interval's counts
 * @nr_cpus: measured
 * @interval: the latest one of bpmu_stage_add()
 * @values: filled in, one for each line of the method
 *
 * Not thread-safe.
 */
void bpmu_stage_eval(struct bpmu_stage *stage, unsigned int nr_cpus,
		     const struct bpmu_interval *interval,
		     struct bpmu_tree_value *values)
{
	const double *const *counts = (const double *const *)stage->counts;

	bpmu_tree_compute(&stage->tree, counts, values);
	bpmu_spread(&stage->tree, interval, nr_cpus, counts, values);
	add_spread(stage, interval, values);
}

static double total(double sum, double seen, double enabled)
{
	if (!seen)
		return NAN;
	return seen == enabled ? sum : sum * enabled / seen;
}

/**
 * bpmu_stage_total() - the values of its nodes in all intervals so far
 * @stage: with intervals; its counts become those of all of them
 * @values: filled in, one for each line of the method
 *
 * An event of a group that had no slice in some intervals counts there as it did
 * in the others.
 *
 * Not thread-safe.
 */
void bpmu_stage_total(struct bpmu_stage *stage, struct bpmu_tree_value *values)
{
	unsigned int g, i;

	for (g = 0; g < stage->tree.nr_groups; g++)
		for (i = 0; i < stage->tree.events[g].nr; i++)
			stage->counts[g][i] = total(stage->sum[g][i],
						    stage->seen[g][i],
						    stage->enabled[g]);
	bpmu_tree_compute(&stage->tree, (const double *const *)stage->counts,
			  values);
	for (i = 0; stage->flags && i < stage->tree.metrics.nr; i++)
		if (stage->tree.value_slot[i])
			values[i].flags |= stage->flags;
	for (i = 0; stage->seconds > 0 && i < stage->tree.metrics.nr; i++) {
		values[i].uncertainty = sqrt(stage->spread[i]) /
					stage->seconds;
		if (stage->seconds < stage->longer[i])
			values[i].longer = stage->longer[i];
	}
	bpmu_tree_judge(&stage->tree, values);
}
