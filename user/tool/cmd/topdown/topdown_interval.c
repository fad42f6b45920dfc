// SPDX-License-Identifier: GPL-2.0
/*
 * From an interval's counts to the trees of the kinds of CPUs.
 */
#include <stdio.h>

#include "count/spread.h"
#include "report_sums.h"
#include "topdown.h"

static void topdown_interval_take(struct bpmu_topdown *t, const struct bpmu_interval *interval)
{
	unsigned int g, pos;
	double tsc = 0;

	for (g = 0; g < t->tree.groups.nr; g++)
		bpmu_spread_counts(&t->tree, interval, t->target.cpus.nr, g,
				   t->counts[g]);
	for (pos = 0; pos < t->target.cpus.nr; pos++) {
		t->lost += interval->lost[pos];
		tsc += interval->enabled[pos];
	}
	bpmu_flaws_add(&t->flaws, interval, &t->target.cpus);
	bpmu_machine_set(&t->machine, &t->tree, interval->duration, tsc);
	t->seconds = interval->seconds;
	t->duration = interval->duration;
	t->stamp = interval->stamp;
	bpmu_topdown_tree(t, interval);
}

static void take_other(struct bpmu_topdown *t,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_interval behind =
		bpmu_interval_behind(interval, t->target.cpus.nr,
				     &t->tree.groups);

	t->other->out = t->out;
	/* there is but one head */
	t->other->trees = t->trees;
	if (t->options.format == BPMU_TEXT && !t->options.sums && !t->compact)
		fputc('\n', t->out);
	topdown_interval_take(t->other, &behind);
}

/* for programs; people are told below each tree, or below all lines */
static void topdown_interval_end(struct bpmu_topdown *t)
{
	if (t->options.sums)
		t->options.sums->flaws = t->flaws;
	else if (t->options.format == BPMU_JSON)
		bpmu_flaws_json(&t->flaws, t->out);
	else if (t->compact)
		bpmu_topdown_loss(t);
	if (t->other)
		topdown_interval_end(t->other);
}

/**
 * bpmu_topdown_interval() - evaluate and print an interval
 * @topdown: &struct bpmu_topdown
 * @interval: its counts
 */
void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval)
{
	struct bpmu_topdown *t = topdown;

	topdown_interval_take(t, interval);
	if (t->other)
		take_other(t, interval);
	if (interval->last)
		topdown_interval_end(t);
}
