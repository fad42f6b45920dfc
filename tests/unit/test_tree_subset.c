// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of a subset of a tree: its metrics have the values, and the flags, that they have in the
 * whole tree, although only the events and the statements are evaluated that they need.
 */
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "unit.h"

#define CPUS 2
#define METRICS 128
#define DRAWS 200

static struct bpmu_tree tree;
static struct bpmu_tree_subset subset;
static struct bpmu_tree_value whole[METRICS];
static struct bpmu_tree_value some[METRICS];
static struct bpmu_cell *cell;
static const u64 enabled[CPUS] = { 1000, 1000 };
static struct bpmu_interval interval = { .duration = 1, .enabled = enabled };

TEST_FIXTURE(begin)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	srand(1);
	interval.shared[BPMU_BANK_UNCORE] = enabled;
	if (bpmu_tree_init(&tree, "topdown", &pmu, 0, 4, &err) ||
	    bpmu_tree_subset_init(&subset, &tree, &err))
		return -1;
	cell = calloc(CPUS * tree.groups.slots, sizeof(*cell));
	interval.cell = cell;
	return !cell || tree.metrics.nr > METRICS;
}

TEST_FIXTURE(end)
{
	bpmu_tree_subset_free(&subset);
	bpmu_tree_free(&tree);
	free(cell);
	return 0;
}

/* Draws counts. A group has none on a CPU in some cases. */
static void draw(void)
{
	unsigned int i, pos, g, running;

	for (pos = 0, i = 0; pos < CPUS; pos++)
		for (g = 0; g < tree.groups.nr; g++) {
			running = rand() % 4 ? 300 : 0;
			for (; i < pos * tree.groups.slots + tree.groups.group[g].first +
			       tree.groups.group[g].sched.nr; i++)
				cell[i] = (struct bpmu_cell){
					.count = running ? rand() % 1000000 : 0, .running = running,
					.slices = running ? 1 : 0,
				};
		}
}

static void assert_same(unsigned int i)
{
	assert_int_equal(some[i].known, whole[i].known);
	assert_int_equal(some[i].flagged, whole[i].flagged);
	if (whole[i].known)
		assert_true(some[i].value == whole[i].value);
}

/* Also a node that is flagged only below others: these are in its subset, too. */
TEST_BETWEEN(a_metric_alone_has_the_value_and_the_flag_of_the_tree, begin, end)
{
	unsigned int flagged[5] = { 0 }, unknown = 0;
	unsigned int n, i;

	assert_true(tree.groups.nr_of[BPMU_BANK_CORE] > 1);
	for (n = 0; n < DRAWS; n++) {
		draw();
		for (i = 0; i < tree.metrics.nr; i++) {
			/* What the whole tree has left behind must not matter. */
			memset(some, 0xff, sizeof(some));
			bpmu_tree_subset_begin(&subset);
			bpmu_tree_subset_add(&subset, i);
			bpmu_tree_subset_end(&subset);
			bpmu_spread_subset(&subset, &interval, CPUS, some);
			bpmu_spread_values(&tree, &interval, CPUS, whole);
			bpmu_tree_judge(&tree, whole);
			assert_same(i);
			flagged[tree.metrics.metric[i].level] += whole[i].flagged;
			unknown += tree.value_slot[i] && !whole[i].known;
			draw();
		}
	}
	for (i = 1; i < 5; i++)
		assert_true(flagged[i]);
	assert_true(unknown);
}

/* The order in which metrics are added does not matter: nodes above others are judged first. */
TEST_BETWEEN(all_metrics_in_any_order_are_those_of_the_tree, begin, end)
{
	const unsigned int nr = tree.metrics.nr;
	unsigned int flagged = 0;
	unsigned int n, i;

	for (n = 0; n < DRAWS; n++) {
		draw();
		memset(some, n % 2 ? 0xff : 0, sizeof(some));
		bpmu_tree_subset_begin(&subset);
		for (i = 0; i < nr; i++)
			bpmu_tree_subset_add(&subset, n % 4 < 2 ? i : nr - 1 - i);
		bpmu_tree_subset_end(&subset);
		bpmu_spread_subset(&subset, &interval, CPUS, some);
		bpmu_spread_values(&tree, &interval, CPUS, whole);
		bpmu_tree_judge(&tree, whole);
		for (i = 0; i < nr; i++) {
			assert_same(i);
			flagged += whole[i].flagged && tree.metrics.metric[i].level > 1;
		}
	}
	assert_true(flagged);
}

TEST_BETWEEN(roots_need_few_of_the_events_and_statements, begin, end)
{
	unsigned int n, i, k, statements = 0, events = 0, all = 0;

	bpmu_tree_subset_begin(&subset);
	for (i = 0; i < tree.metrics.nr; i++)
		if (tree.metrics.metric[i].level == 1)
			bpmu_tree_subset_add(&subset, i);
	bpmu_tree_subset_end(&subset);
	for (k = 0; k < subset.nr_runs; k++)
		statements += subset.run[k].end - subset.run[k].first;
	for (k = 0; k < BPMU_TREE_GROUPS; k++)
		events += subset.group[k].nr;
	for (i = 0; i < BPMU_TREE_GROUPS; i++)
		all += tree.events[i].nr;
	assert_true(statements && 3 * statements < tree.program.nr_statements);
	assert_true(events && 3 * events < all);
	for (n = 0; n < DRAWS; n++) {
		draw();
		bpmu_spread_subset(&subset, &interval, CPUS, some);
		bpmu_spread_values(&tree, &interval, CPUS, whole);
		bpmu_tree_judge(&tree, whole);
		for (i = 0; i < tree.metrics.nr; i++)
			if (tree.metrics.metric[i].level == 1)
				assert_same(i);
	}
}

TEST_BETWEEN(an_event_may_be_counted_for_itself, begin, end)
{
	double count;

	draw();
	cell[0].running = 300;
	bpmu_spread_values(&tree, &interval, CPUS, whole);
	count = tree.counts[0][1];
	tree.counts[0][1] = -1;
	bpmu_tree_subset_begin(&subset);
	bpmu_tree_subset_add_event(&subset, 0, 1);
	bpmu_tree_subset_end(&subset);
	assert_int_equal(subset.nr_runs, 0);
	bpmu_spread_subset(&subset, &interval, CPUS, some);
	assert_true(tree.counts[0][1] == count);
}
