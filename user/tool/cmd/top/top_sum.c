// SPDX-License-Identifier: GPL-2.0
#include "top_sum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "count/verdict.h"

static struct bpmu_value event_named(const struct bpmu_tree *tree, const char *name)
{
	struct bpmu_value value = { .known = false };
	const struct bpmu_event_list *events;
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++) {
		events = &tree->events[g];
		for (i = 0; i < events->nr; i++)
			if (!strcasecmp(events->spec[i].text, name) &&
			    isfinite(tree->counts[g][i]))
				return bpmu_value_of(tree->counts[g][i]);
	}
	return value;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	const struct bpmu_tree *tree = ctx;
	int constant = bpmu_metric_constant(name);

	return constant >= 0 ? tree->slot[constant] : event_named(tree, name);
}

/*
 * Compiles the formula of the tree's first metric whose value is a number of clock cycles: the
 * core's clocks, if the tree's events are counted for a whole core. If there is no such metric, the
 * formula has no value. Returns 0 or -ENOMEM.
 */
static int make_clock(const struct bpmu_tree *tree, struct bpmu_formula *clock,
		      struct bpmu_error *err)
{
	static const struct bpmu_expr unknown = { .op = BPMU_EXPR_NUMBER, .number = NAN };
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->metrics.metric[i].clock)
			return bpmu_formula_make(clock, &tree->metrics,
						 tree->metrics.metric[i].expr, err);
	return bpmu_formula_make(clock, NULL, &unknown, err);
}

/*
 * Returns how many clock cycles were counted, by the counts with which the tree was last evaluated;
 * NAN if that is unknown.
 */
static double clocks(const struct bpmu_top_sum *sum)
{
	struct bpmu_value value = bpmu_formula_eval(&sum->clock, lookup, (void *)sum->tree);

	return value.known ? value.number : NAN;
}

/*
 * Returns &bpmu_top_row.loss (clock cycles lost per microsecond) of a row whose nodes have been
 * flagged: its MHz times the value of the largest flagged node of level 1.
 */
static double loss_of(const struct bpmu_tree *tree, const struct bpmu_top_row *row)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	unsigned int v, i;
	double largest = 0;

	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		if (tree->shown[i] && row->values[i].flagged &&
		    metric[i].level == 1 && row->values[i].value > largest)
			largest = row->values[i].value;
	}
	return largest * row->mhz;
}

/**
 * bpmu_top_sum_up() - sum up a row of the live view: find loss and verdict from its values
 * @tree: tree of the nodes that were measured
 * @row: the row: its members values and mhz are read, its members loss and worst are set
 */
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row)
{
	struct bpmu_verdict verdict;

	bpmu_verdict_find(tree, row->values, &verdict);
	row->worst = bpmu_verdict_node(&verdict);
	row->loss = loss_of(tree, row);
}

/**
 * bpmu_top_sum_begin() - begin to sum rows of the live view: keep the counts of an interval
 * @sum: the caller sets all members except @part and @clock, which this function sets. Before the
 *	first interval the caller zeroes these two
 * @row: the rows, [nr rows], with memory for their values; all are marked as not yet evaluated
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_sum_begin(struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		       struct bpmu_error *err)
{
	unsigned int r;
	int code;

	for (r = 0; r < sum->rows->nr; r++)
		row[r].stage = BPMU_TOP_COUNTED;
	bpmu_top_sum_end(sum);
	code = bpmu_interval_row_init(&sum->part, &sum->tree->groups, &sum->interval,
				      sum->nr_cpus, err);
	return code ? code : make_clock(sum->tree, &sum->clock, err);
}

/**
 * bpmu_top_sum_end() - free the memory of bpmu_top_sum_begin(), after the last row was evaluated
 * @sum: counts from bpmu_top_sum_begin(), or zeroed; this function may be called twice
 */
void bpmu_top_sum_end(struct bpmu_top_sum *sum)
{
	bpmu_interval_row_free(&sum->part);
	bpmu_formula_free(&sum->clock);
}

/*
 * Copies the counts of the CPUs of row number @r of the live view (of a CPU or core, for example)
 * out of the interval into @sum->part. Returns @sum->part, which the next call overwrites.
 */
static const struct bpmu_interval_row *top_sum_part(struct bpmu_top_sum *sum, unsigned int r)
{
	bpmu_interval_row_copy(&sum->part, &sum->tree->groups, &sum->interval, sum->rows, r);
	return &sum->part;
}

/*
 * Returns the mean clock rate in MHz of the CPUs of a row, such as a core; NAN if unknown. @part
 * are the counts of the row. The caller must have evaluated the metrics of this row last: their
 * counts are in the tree.
 */
static double mhz_of(const struct bpmu_top_sum *sum, const struct bpmu_interval_row *part)
{
	return clocks(sum) / (sum->interval.duration * part->nr_cpus * 1e6);
}

/**
 * bpmu_top_sum_values() - sum a row of the live view: compute its values, without 95 % intervals
 * @sum: after bpmu_top_sum_begin()
 * @row: the rows, [nr rows]
 * @r: index of the row, which is about a CPU, core or the like; nothing is done if the values of
 *	the row are known
 *
 * Not thread-safe.
 */
void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r)
{
	const struct bpmu_interval_row *part;

	row += r;
	if (row->stage >= BPMU_TOP_VALUED)
		return;
	part = top_sum_part(sum, r);
	bpmu_spread_values(sum->tree, &part->interval, part->nr_cpus, row->values);
	bpmu_tree_judge(sum->tree, row->values);
	row->mhz = mhz_of(sum, part);
	row->loss = loss_of(sum->tree, row);
	row->stage = BPMU_TOP_VALUED;
}

/**
 * bpmu_top_sum_judge() - sum a row of the live view: compute all, with 95 % intervals and flags
 * @sum: after bpmu_top_sum_begin()
 * @row: the rows, [nr rows]
 * @r: index of the row, which is about a CPU, core or the like; nothing is done if all members of
 *	the row are known
 *
 * Not thread-safe.
 */
void bpmu_top_sum_judge(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r)
{
	const struct bpmu_interval_row *part;

	row += r;
	if (row->stage >= BPMU_TOP_JUDGED)
		return;
	part = top_sum_part(sum, r);
	bpmu_spread_eval(sum->tree, &part->interval, part->nr_cpus, row->values);
	row->mhz = mhz_of(sum, part);
	bpmu_top_sum_up(sum->tree, row);
	row->stage = BPMU_TOP_JUDGED;
}
