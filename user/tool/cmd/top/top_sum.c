// SPDX-License-Identifier: GPL-2.0
#include "top_sum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "count/verdict.h"
#include "view/interval_row.h"

/**
 * struct counts - source of the numbers of a formula
 * @tree: the tree
 * @count: [group][event]
 */
struct counts {
	const struct bpmu_tree *tree;
	double *const *count;
};

static struct bpmu_value event_named(const struct counts *c, const char *name)
{
	struct bpmu_value value = { .known = false };
	const struct bpmu_event_list *events;
	unsigned int g, i;

	for (g = 0; g < c->tree->nr_groups; g++) {
		events = &c->tree->events[g];
		for (i = 0; i < events->nr; i++)
			if (!strcasecmp(events->spec[i].text, name) &&
			    isfinite(c->count[g][i]))
				return bpmu_value_of(c->count[g][i]);
	}
	return value;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	const struct counts *c = ctx;
	int line = bpmu_metrics_find(&c->tree->metrics, name);
	int constant = bpmu_metric_constant(name);

	if (line >= 0)
		return bpmu_expr_eval(c->tree->metrics.metric[line].expr,
				      lookup, ctx);
	return constant >= 0 ? c->tree->slot[constant] : event_named(c, name);
}

/* the first unit of time is the core's, if one of its events was counted */
static double clocks(const struct bpmu_tree *tree, double *const *count)
{
	struct counts c = { .tree = tree, .count = count };
	struct bpmu_value value;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->metrics.metric[i].clock)
			continue;
		value = bpmu_expr_eval(tree->metrics.metric[i].expr, lookup,
				       &c);
		return value.known ? value.number : NAN;
	}
	return NAN;
}

/**
 * bpmu_top_sum_up() - MHz, loss and verdict of a row
 * @tree: of the step that was measured
 * @row: with @values and @mhz; @loss and @worst are set
 */
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	struct bpmu_verdict verdict;
	double largest = 0;
	unsigned int i;

	bpmu_verdict_find(tree, row->values, &verdict);
	row->worst = bpmu_verdict_node(&verdict);
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i] && row->values[i].flagged &&
		    metric[i].level == 1 && row->values[i].value > largest)
			largest = row->values[i].value;
	row->loss = largest * row->mhz;
}

static void one_row(const struct bpmu_top_sum *sum, unsigned int r,
		    struct bpmu_interval_row *part, double *const *count,
		    struct bpmu_top_row *row)
{
	double seconds = sum->interval->duration;

	bpmu_interval_row_take(part, &sum->tree->groups, sum->interval,
			       sum->rows, r);
	bpmu_machine_evaluate(sum->machine, sum->tree, &part->interval,
			      part->nr_cpus, count, row->values);
	row->label = sum->rows->row[r].label;
	row->mhz = clocks(sum->tree, count) / (seconds * part->nr_cpus * 1e6);
	bpmu_top_sum_up(sum->tree, row);
}

/**
 * bpmu_top_sum_rows() - evaluate each row
 * @sum: the interval, and which CPUs are a row
 * @row: filled in, [nr rows]; their @values are allocated, [nr lines of the tree]
 * @err: set on failure
 *
 * Not thread-safe.
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_sum_rows(const struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		      struct bpmu_error *err)
{
	double *count[BPMU_TREE_GROUPS] = { };
	struct bpmu_interval_row part;
	unsigned int g, r;
	bool ready = true;
	int code;

	code = bpmu_interval_row_init(&part, &sum->tree->groups, sum->interval,
				      sum->nr_cpus, err);
	for (g = 0; g < sum->tree->nr_groups; g++) {
		count[g] = calloc(sum->tree->events[g].nr, sizeof(double));
		ready = ready && count[g];
	}
	if (!code && !ready)
		code = bpmu_error_set(err, -ENOMEM,
				      "rows: no memory; free some");
	for (r = 0; !code && r < sum->rows->nr; r++)
		one_row(sum, r, &part, count, &row[r]);
	bpmu_interval_row_free(&part);
	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		free(count[g]);
	return code;
}
