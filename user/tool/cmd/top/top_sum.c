// SPDX-License-Identifier: GPL-2.0
#include "top_sum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "count/verdict.h"

/*
 * Returns whether the tree's event number @i of group @g is the one that operand @name of a formula
 * means.
 */
static bool is_operand(const struct bpmu_tree *tree, unsigned int g, unsigned int i,
		       const char *name)
{
	return !strcasecmp(tree->events[g].spec[i].text, name);
}

/*
 * Finds the operands of &bpmu_top_sum.clock among the constants and the events of the tree. Returns
 * 0 or -ENOMEM.
 */
static int find_counts(struct bpmu_top_sum *sum, struct bpmu_error *err)
{
	const struct bpmu_tree *tree = sum->tree;
	unsigned int k, g, i, nr = 0;

	for (g = 0; g < tree->nr_groups; g++)
		nr += tree->events[g].nr;
	sum->operand = calloc(sum->clock.nr + 1, sizeof(*sum->operand));
	sum->counts = calloc((size_t)sum->clock.nr * nr + 1, sizeof(*sum->counts));
	if (!sum->operand || !sum->counts)
		return bpmu_error_no_memory(err, "rows");
	for (k = 0, nr = 0; k < sum->clock.nr; k++) {
		sum->operand[k].constant = bpmu_metric_constant(sum->clock.operand[k]);
		sum->operand[k].first = nr;
		for (g = 0; g < tree->nr_groups && sum->operand[k].constant < 0; g++)
			for (i = 0; i < tree->events[g].nr; i++)
				if (is_operand(tree, g, i, sum->clock.operand[k]))
					sum->counts[nr++] = (struct bpmu_top_count){ g, i };
		sum->operand[k].end = nr;
	}
	return 0;
}

/*
 * Compiles the formula of the tree's first metric whose value is a number of clock cycles: the
 * core's clocks, if the tree's events are counted for a whole core. If there is no such metric, the
 * formula has no value. Returns 0 or -ENOMEM.
 */
static int make_clock(struct bpmu_top_sum *sum, struct bpmu_error *err)
{
	static const struct bpmu_expr unknown = { .op = BPMU_EXPR_NUMBER, .number = NAN };
	const struct bpmu_metrics *metrics = &sum->tree->metrics;
	unsigned int i;
	int code;

	for (i = 0; i < metrics->nr && !metrics->metric[i].clock; i++)
		;
	if (i < metrics->nr)
		code = bpmu_formula_make(&sum->clock, metrics, metrics->metric[i].expr, err);
	else
		code = bpmu_formula_make(&sum->clock, NULL, &unknown, err);
	return code ? code : find_counts(sum, err);
}

/*
 * Returns how many clock cycles were counted, by the counts with which the tree was last evaluated;
 * NAN if that is unknown. Of an event in several groups the first count that is known is taken.
 */
static double clocks(const struct bpmu_top_sum *sum)
{
	const struct bpmu_top_operand *operand = sum->operand;
	const struct bpmu_top_count *at;
	struct bpmu_value *slot = sum->clock.slot;
	struct bpmu_value value;
	unsigned int k, c;

	for (k = 0; k < sum->clock.nr; k++, operand++, slot++) {
		*slot = (struct bpmu_value){ };
		if (operand->constant >= 0)
			*slot = sum->tree->slot[operand->constant];
		for (c = operand->first; c < operand->end && !slot->known; c++) {
			at = &sum->counts[c];
			*slot = bpmu_value_of(sum->tree->counts[at->group][at->event]);
		}
	}
	value = bpmu_formula_run(&sum->clock);
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
 * @sum: the caller sets tree, interval, nr_cpus and rows, this function the other members. Before
 *	the first interval the caller zeroes these
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
	if (!code)
		code = make_clock(sum, err);
	return code ? code : bpmu_tree_subset_init(&sum->sorted, sum->tree, err);
}

/**
 * bpmu_top_sum_end() - free the memory of bpmu_top_sum_begin(), after the last row was evaluated
 * @sum: counts from bpmu_top_sum_begin(), or zeroed; this function may be called twice
 */
void bpmu_top_sum_end(struct bpmu_top_sum *sum)
{
	bpmu_interval_row_free(&sum->part);
	bpmu_formula_free(&sum->clock);
	bpmu_tree_subset_free(&sum->sorted);
	free(sum->operand);
	free(sum->counts);
	sum->operand = NULL;
	sum->counts = NULL;
	sum->chosen = false;
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

/*
 * Lets &bpmu_top_sum.sorted be what the order of rows needs that are sorted by @column. Values that
 * rows have for another column are given up.
 */
static void choose_sorted(struct bpmu_top_sum *sum, struct bpmu_top_row *row, int column)
{
	const struct bpmu_tree *tree = sum->tree;
	unsigned int r, i;

	for (r = 0; r < sum->rows->nr; r++)
		if (row[r].stage == BPMU_TOP_VALUED)
			row[r].stage = BPMU_TOP_COUNTED;
	bpmu_tree_subset_begin(&sum->sorted);
	for (i = 0; i < tree->metrics.nr && column == BPMU_TOP_BY_LOSS; i++)
		if (tree->shown[i] && tree->metrics.metric[i].level == 1)
			bpmu_tree_subset_add(&sum->sorted, i);
	if (column >= 0)
		bpmu_tree_subset_add(&sum->sorted, column);
	for (i = 0; sum->clock.nr && i < sum->operand[sum->clock.nr - 1].end; i++)
		bpmu_tree_subset_add_event(&sum->sorted, sum->counts[i].group, sum->counts[i].event);
	bpmu_tree_subset_end(&sum->sorted);
	sum->column = column;
	sum->chosen = true;
}

/**
 * bpmu_top_sum_values() - sum a row of the live view: compute by what it is sorted
 * @sum: after bpmu_top_sum_begin()
 * @row: the rows, [nr rows]
 * @r: index of the row, which is about a CPU, core or the like; nothing is done if the row has what
 *	@column needs
 * @column: as &bpmu_top_state.column. Without 95 % intervals the row's MHz are computed, and the
 *	value of this column: for a node this element of its values, for BPMU_TOP_BY_LOSS its loss
 *
 * Not thread-safe.
 */
void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *row, unsigned int r,
			 int column)
{
	const struct bpmu_interval_row *part;

	if (row[r].stage == BPMU_TOP_JUDGED)
		return;
	if (!sum->chosen || sum->column != column)
		choose_sorted(sum, row, column);
	row += r;
	if (row->stage == BPMU_TOP_VALUED)
		return;
	part = top_sum_part(sum, r);
	bpmu_spread_subset(&sum->sorted, &part->interval, part->nr_cpus, row->values);
	row->mhz = mhz_of(sum, part);
	if (column == BPMU_TOP_BY_LOSS)
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
