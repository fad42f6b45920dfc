// SPDX-License-Identifier: GPL-2.0
#include "phase.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A value may differ from the mean of the values in a phase by this number of standard deviations,
 * plus the half-widths of both confidence intervals, before it is taken as a sign of a new phase.
 */
#define OUTSIDE 3

/**
 * bpmu_phase_init() - initialize a phase without intervals
 * @phase: filled in; free it with bpmu_phase_free(), also after an error
 * @tree: tree of all nodes that may be measured; must outlive @phase
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_phase_init(struct bpmu_phase *phase, const struct bpmu_tree *tree,
		    struct bpmu_error *err)
{
	memset(phase, 0, sizeof(*phase));
	phase->tree = tree;
	phase->node = calloc(tree->metrics.nr, sizeof(*phase->node));
	phase->odd = calloc(tree->metrics.nr, sizeof(*phase->odd));
	if (!phase->node || !phase->odd)
		return bpmu_error_no_memory(err, "topdown");
	return 0;
}

/**
 * bpmu_phase_free() - free a phase
 * @phase: from bpmu_phase_init(), even if that function failed
 */
void bpmu_phase_free(struct bpmu_phase *phase)
{
	free(phase->node);
	free(phase->odd);
}

static void add_value(struct bpmu_phase_node *node,
		      const struct bpmu_tree_value *value, double seconds,
		      bool whole)
{
	double error = value->uncertainty * seconds;

	node->seconds += seconds;
	node->flags |= value->flags;
	if (!value->known || (!whole && isinf(value->uncertainty)))
		return;
	node->nr++;
	node->known += seconds;
	node->sum += value->value * seconds;
	node->squares += value->value * value->value * seconds;
	node->errors += error * error;
	node->longer = fmax(node->longer, value->longer);
	node->occurred |= !(value->flags & BPMU_VALUE_UNSEEN);
}

/*
 * Checks if a node's value is outside of the phase: if it differs from the phase's mean by more
 * than a limit. The limit combines the 95 % confidence intervals of the value and of the mean with
 * the variation between the intervals of the phase.
 */
static bool node_is_outside(const struct bpmu_phase_node *node,
			    const struct bpmu_tree_value *value)
{
	double mean, variance, limit;

	if (node->nr < BPMU_PHASE_KNOWN || !value->known)
		return false;
	mean = node->sum / node->known;
	variance = node->squares / node->known - mean * mean;
	variance = fmax(0, variance) * node->nr / (node->nr - 1);
	limit = value->uncertainty + sqrt(node->errors) / node->known +
		OUTSIDE * sqrt(variance);
	return fabs(value->value - mean) > fmax(limit, BPMU_PHASE_LEAST);
}

static bool is_outside(const struct bpmu_phase *phase,
		       const struct bpmu_phase_interval *interval)
{
	const struct bpmu_metric *metric = phase->tree->metrics.metric;
	unsigned int i;

	for (i = 0; i < phase->tree->metrics.nr; i++)
		if (metric[i].level == 1 && interval->measured->shown[i] &&
		    node_is_outside(&phase->node[i], &interval->values[i]))
			return true;
	return false;
}

static void phase_add(struct bpmu_phase *phase,
		      const struct bpmu_phase_interval *interval)
{
	unsigned int i;

	for (i = 0; i < phase->tree->metrics.nr; i++)
		if (interval->measured->shown[i])
			add_value(&phase->node[i], &interval->values[i],
				  interval->seconds, interval->whole);
}

static void keep_odd(struct bpmu_phase *phase,
		     const struct bpmu_phase_interval *interval)
{
	unsigned int nr = phase->tree->metrics.nr;

	memcpy(phase->odd, interval->values, nr * sizeof(*phase->odd));
	phase->odd_begin = interval->begin;
	phase->odd_seconds = interval->seconds;
}

static void add_odd(struct bpmu_phase *phase)
{
	unsigned int i;

	for (i = 0; phase->odd_seconds > 0 && i < phase->tree->metrics.nr; i++)
		if (phase->odd[i].known)
			add_value(&phase->node[i], &phase->odd[i],
				  phase->odd_seconds, true);
	phase->odd_seconds = 0;
}

/**
 * bpmu_phase_add() - add an interval to a phase
 * @phase: the phase. If the value of a node of level 1 is outside of the phase (too far from its
 *	mean) in two consecutive intervals, these two intervals become a new phase
 * @interval: the interval, which follows the interval of the previous call
 *
 * A single interval outside still belongs to the phase, because programs have spikes. An interval
 * that is shorter than requested does not begin a phase.
 */
void bpmu_phase_add(struct bpmu_phase *phase,
		    const struct bpmu_phase_interval *interval)
{
	bool outside = interval->whole && is_outside(phase, interval);

	if (outside && !phase->odd_seconds) {
		keep_odd(phase, interval);
		return;
	}
	if (outside) {
		memset(phase->node, 0,
		       phase->tree->metrics.nr * sizeof(*phase->node));
		phase->begin = phase->odd_begin;
		phase->changes++;
	}
	if (interval->whole)
		add_odd(phase);
	phase_add(phase, interval);
}

/**
 * bpmu_phase_mean() - mean values of a phase
 * @phase: the phase. If the values of the latest interval are too far from the means of the phase,
 *	the interval was not yet counted to the phase; it is now added
 * @values: filled in with the mean values, also with their flags, [nr metrics of the tree]
 *
 * Intervals are weighted by their lengths. The uncertainty of the mean assumes that the errors of
 * different intervals are independent.
 *
 * Not thread-safe.
 */
void bpmu_phase_mean(struct bpmu_phase *phase, struct bpmu_tree_value *values)
{
	const struct bpmu_tree *tree = phase->tree;
	const struct bpmu_phase_node *node;
	struct bpmu_tree_value *value;
	unsigned int i;

	add_odd(phase);
	memset(values, 0, tree->metrics.nr * sizeof(*values));
	for (i = 0; i < tree->metrics.nr; i++) {
		node = &phase->node[i];
		value = &values[i];
		value->flags = node->flags;
		value->known = node->known > 0;
		if (!value->known)
			continue;
		value->flags &= ~(BPMU_VALUE_NONE | BPMU_VALUE_FEW);
		if (node->occurred)
			value->flags &= ~BPMU_VALUE_UNSEEN;
		value->value = node->sum / node->known;
		value->uncertainty = sqrt(node->errors) / node->known;
		if (node->known >= node->longer)
			continue;
		value->longer = node->longer;
		value->flags |= BPMU_VALUE_FEW;
	}
	bpmu_tree_judge(tree, values);
}
