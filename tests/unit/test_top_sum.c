// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the sums that "barepmu top" shows: each line has the counts and the lost samples of its
 * CPUs, added up.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/top/top_sum.h"
#include "unit.h"

#define CPUS 4
#define LINES_MAX 256

static struct bpmu_tree tree;
static struct bpmu_tree_value values[2][LINES_MAX];
static struct bpmu_top_row row[2] = {
	{ .values = values[0] }, { .values = values[1] }
};

TEST_FIXTURE(begin)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	memset(values, 0, sizeof(values));
	return bpmu_tree_init(&tree, "topdown", &pmu, 0, 2, &err);
}

TEST_FIXTURE(end)
{
	bpmu_tree_free(&tree);
	return 0;
}

/* CPUs 0 and 2 are the threads of one core. CPUs 1 and 3 are the threads of the other core. */
TEST_BETWEEN(rows_of_cores_sum_their_threads, begin, end)
{
	const struct bpmu_topology topology[CPUS] = {
		{ 0, 0 }, { 0, 1 }, { 0, 0 }, { 0, 1 }
	};
	u32 numbers[CPUS] = { 0, 1, 2, 3 };
	const struct bpmu_cpulist cpus = { .cpu = numbers, .nr = CPUS };
	const u64 ticks[CPUS] = { 100, 100, 100, 100 };
	struct bpmu_interval interval = {
		.duration = 2, .enabled = ticks, .shared[BPMU_BANK_UNCORE] = ticks,
	};
	struct bpmu_rows rows;
	struct bpmu_top_sum sum = { .tree = &tree, .nr_cpus = CPUS, .rows = &rows };
	struct bpmu_cell *cell;
	struct bpmu_error err;
	unsigned int pos;

	cell = calloc(CPUS * tree.groups.slots, sizeof(*cell));
	assert_non_null(cell);
	for (pos = 0; pos < CPUS * tree.groups.slots; pos++)
		cell[pos] = (struct bpmu_cell){
			.count = (pos / tree.groups.slots + 1) * 4000000,
			.running = 100, .slices = 1,
		};
	interval.cell = cell;
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_CORE, &cpus, topology,
					&err), 0);
	sum.interval = interval;
	row[0].stage = BPMU_TOP_JUDGED;
	assert_int_equal(bpmu_top_sum_begin(&sum, row, &err), 0);
	bpmu_top_sum_judge(&sum, row, 0);
	bpmu_top_sum_values(&sum, row, 1, BPMU_TOP_BY_LOSS);
	assert_int_equal(row[0].stage, BPMU_TOP_JUDGED);
	assert_int_equal(row[1].stage, BPMU_TOP_VALUED);
	/*
	 * In 2 s the two threads of one core have 4 and 12 million clocks: 2 and 6 MHz, a mean of 4
	 * MHz. The threads of the other core have 8 and 16 million clocks: 4 and 8 MHz, a mean of 6
	 * MHz.
	 */
	assert_float_equal(row[0].mhz, 4, 0.001);
	assert_float_equal(row[1].mhz, 6, 0.001);
	/* Values that were computed once are kept. */
	row[0].mhz = 5;
	bpmu_top_sum_values(&sum, row, 0, BPMU_TOP_BY_LOSS);
	bpmu_top_sum_judge(&sum, row, 0);
	assert_float_equal(row[0].mhz, 5, 0.001);
	bpmu_top_sum_end(&sum);
	bpmu_rows_free(&rows);
	free(cell);
}

/* On CPU 0 all groups had a part of the time, on CPU 1 all but the first. */
static void count_groups(struct bpmu_cell *cell)
{
	unsigned int i;

	for (i = 0; i < tree.groups.slots; i++) {
		cell[i] = (struct bpmu_cell){ .count = 8000000, .running = 200, .slices = 1 };
		cell[tree.groups.slots + i] = cell[i];
	}
	for (i = 0; i < tree.groups.group[0].sched.nr; i++) {
		cell[i] = (struct bpmu_cell){ .count = 3000000 + i, .running = 100, .slices = 1 };
		cell[tree.groups.slots + i] = (struct bpmu_cell){ };
	}
}

/*
 * A row has only what it is sorted by, and its MHz; it gets the value of another column when it is
 * sorted by that. With no count of the clock in the first group, the clock of the second is taken.
 */
TEST_BETWEEN(rows_have_the_column_by_which_they_are_sorted, begin, end)
{
	u32 numbers[2] = { 0, 1 };
	const struct bpmu_cpulist cpus = { .cpu = numbers, .nr = 2 };
	const struct bpmu_topology topology[2] = { { 0, 0 }, { 0, 1 } };
	const u64 ticks[2] = { 300, 300 };
	const int root = bpmu_metrics_find(&tree.metrics, "Frontend_Bound");
	const int node = bpmu_metrics_find(&tree.metrics, "Memory_Bound");
	struct bpmu_top_sum sum = { .tree = &tree, .nr_cpus = 2 };
	struct bpmu_rows rows;
	struct bpmu_cell *cell;
	struct bpmu_error err;

	assert_true(tree.groups.nr_of[BPMU_BANK_CORE] > 1);
	assert_int_equal(tree.groups.group[0].first, 0);
	cell = calloc(2 * tree.groups.slots, sizeof(*cell));
	assert_non_null(cell);
	count_groups(cell);
	sum.interval = (struct bpmu_interval){
		.duration = 3, .enabled = ticks, .shared[BPMU_BANK_UNCORE] = ticks, .cell = cell,
	};
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_CPU, &cpus, topology, &err), 0);
	sum.rows = &rows;
	assert_int_equal(bpmu_top_sum_begin(&sum, row, &err), 0);
	bpmu_top_sum_values(&sum, row, 0, BPMU_TOP_BY_LOSS);
	bpmu_top_sum_values(&sum, row, 1, BPMU_TOP_BY_LOSS);
	assert_float_equal(row[0].mhz, 3, 0.001);
	assert_float_equal(row[1].mhz, 4, 0.001);
	assert_true(values[0][root].known);
	assert_false(values[0][node].known);
	assert_true(row[0].loss > 0);
	row[0].mhz = 5;
	bpmu_top_sum_values(&sum, row, 0, BPMU_TOP_BY_LOSS);
	assert_float_equal(row[0].mhz, 5, 0.001);
	bpmu_top_sum_judge(&sum, row, 1);
	bpmu_top_sum_values(&sum, row, 0, node);
	bpmu_top_sum_values(&sum, row, 1, node);
	assert_true(values[0][node].known);
	assert_float_equal(row[0].mhz, 3, 0.001);
	assert_int_equal(row[1].stage, BPMU_TOP_JUDGED);
	bpmu_top_sum_end(&sum);
	bpmu_rows_free(&rows);
	free(cell);
}

static struct bpmu_tree_value *value_of(const char *name)
{
	int i = bpmu_metrics_find(&tree.metrics, name);

	assert_true(i >= 0);
	return &values[0][i];
}

static void flag(const char *name, double share)
{
	*value_of(name) = (struct bpmu_tree_value){
		.known = true, .value = share, .flagged = true, .alone = true,
	};
}

/*
 * The loss of a line is its clock rate in MHz, multiplied by the value of the largest flagged node
 * at level 1, here Backend_Bound. The worst node of a line may be at any level of the tree.
 */
TEST_BETWEEN(the_worst_node_may_be_of_any_level, begin, end)
{
	row[0].mhz = 1000;
	bpmu_top_sum_up(&tree, &row[0]);
	assert_int_equal(row[0].worst, -1);
	assert_float_equal(row[0].loss, 0, 0.001);
	flag("Frontend_Bound", 0.3);
	flag("Backend_Bound", 0.4);
	flag("Core_Bound", 0.1);
	flag("Fetch_Latency_Bound", 0.3);
	flag("Memory_Bound", 0.35);
	value_of("Retiring")->known = true;
	value_of("Retiring")->value = 0.9;
	value_of("Bad_Speculation")->known = true;
	bpmu_top_sum_up(&tree, &row[0]);
	assert_string_equal(tree.metrics.metric[row[0].worst].name,
			    "Memory_Bound");
	assert_float_equal(row[0].loss, 400, 0.001);
}
