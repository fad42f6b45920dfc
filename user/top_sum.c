// SPDX-License-Identifier: GPL-2.0
#include "top_sum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spread.h"

/**
 * struct part - of an interval: that of some CPUs
 * @interval: with only these
 * @cell: of @interval
 * @ticks: of @interval: enabled, then package
 * @count: [group][event]
 */
struct part {
	struct bpmu_interval interval;
	struct bpmu_cell *cell;
	u64 *ticks;
	double *count[BPMU_TREE_GROUPS];
};

/**
 * struct counts - where names of a formula get their numbers from
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

static bool worse(const struct bpmu_tree *tree,
		  const struct bpmu_tree_value *values, int i, int than)
{
	const struct bpmu_metric *metric = tree->metrics.metric;

	if (than < 0 || metric[i].level != metric[than].level)
		return than < 0 || metric[i].level > metric[than].level;
	return values[i].value > values[than].value;
}

/**
 * bpmu_top_sum_up() - what hurts most in a row
 * @tree: of the stage that was measured
 * @row: with @values and @mhz; @loss and @worst are set
 *
 * Context: any.
 */
void bpmu_top_sum_up(const struct bpmu_tree *tree, struct bpmu_top_row *row)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	double largest = 0;
	unsigned int i;

	row->worst = -1;
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!bpmu_tree_shown(tree, i) || !row->values[i].flagged)
			continue;
		if (worse(tree, row->values, i, row->worst))
			row->worst = i;
		if (metric[i].level == 1 && row->values[i].value > largest)
			largest = row->values[i].value;
	}
	row->loss = largest * row->mhz;
}

static void gather(const struct bpmu_top_sum *sum, unsigned int r,
		   struct part *part)
{
	const struct bpmu_interval *all = sum->interval;
	unsigned int slots = sum->tree->groups.slots;
	unsigned int nr = sum->rows->row[r].cpus;
	unsigned int pos;
	unsigned int to = 0;

	part->interval = *all;
	part->interval.cell = part->cell;
	part->interval.enabled = part->ticks;
	part->interval.package = part->ticks + nr;
	part->interval.batch = NULL;
	part->interval.batches = 0;
	for (pos = 0; pos < sum->nr_cpus; pos++) {
		if (sum->rows->of[pos] != r)
			continue;
		memcpy(part->cell + (size_t)to * slots,
		       all->cell + (size_t)pos * slots,
		       slots * sizeof(*part->cell));
		part->ticks[to] = all->enabled[pos];
		part->ticks[nr + to] = all->package[pos];
		to++;
	}
}

static void one_row(const struct bpmu_top_sum *sum, unsigned int r,
		    struct part *part, struct bpmu_top_row *row)
{
	unsigned int nr = sum->rows->row[r].cpus;
	double seconds = sum->interval->duration;
	unsigned int g, pos;
	double tsc = 0;

	gather(sum, r, part);
	for (g = 0; g < sum->tree->nr_groups; g++)
		bpmu_spread_counts(sum->tree, &part->interval, nr, g,
				   part->count[g]);
	for (pos = 0; pos < nr; pos++)
		tsc += part->interval.enabled[pos];
	bpmu_machine_set(sum->machine, sum->tree, seconds, tsc);
	bpmu_tree_eval(sum->tree, (const double *const *)part->count,
		       row->values);
	row->label = sum->rows->row[r].label;
	row->mhz = clocks(sum->tree, part->count) / (seconds * nr * 1e6);
	bpmu_top_sum_up(sum->tree, row);
}

static bool begin(const struct bpmu_top_sum *sum, struct part *part)
{
	bool ready;
	unsigned int g;

	memset(part, 0, sizeof(*part));
	part->cell = calloc((size_t)sum->nr_cpus * sum->tree->groups.slots,
			    sizeof(*part->cell));
	part->ticks = calloc(2 * (size_t)sum->nr_cpus, sizeof(*part->ticks));
	ready = part->cell && part->ticks;
	for (g = 0; g < sum->tree->nr_groups; g++) {
		part->count[g] = calloc(sum->tree->events[g].nr,
					sizeof(double));
		ready = ready && part->count[g];
	}
	return ready;
}

/**
 * bpmu_top_sum_rows() - the values of each row
 * @sum: the interval, and which CPUs are a row
 * @row: filled in, one for each row; their @values are there, one for each
 *	line of the tree
 * @err: set on failure
 *
 * Context: process, one call at a time.
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_sum_rows(const struct bpmu_top_sum *sum, struct bpmu_top_row *row,
		      struct bpmu_error *err)
{
	struct part part;
	unsigned int g, r;
	int code = 0;

	if (begin(sum, &part))
		for (r = 0; r < sum->rows->nr; r++)
			one_row(sum, r, &part, &row[r]);
	else
		code = bpmu_error_set(err, -ENOMEM,
				      "rows: no memory; free some");
	free(part.cell);
	free(part.ticks);
	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		free(part.count[g]);
	return code;
}
