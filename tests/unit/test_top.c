// SPDX-License-Identifier: GPL-2.0
/* Tests of the keys of "barepmu top": each key has the effect that the help page promises. */
#include <string.h>

#include "cmd/top/top_state.h"
#include "unit.h"

#define MS 1000000ULL

static struct bpmu_tree all;
static struct bpmu_top_state top;

static void begin(unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	if (bpmu_tree_init(&all, "topdown", &pmu, 0, 4, &err) ||
	    bpmu_top_state_init(&top, &all, level, &err))
		fail_msg("%s", err.text);
	top.interval_ns = 1000 * MS;
}

TEST_FIXTURE(end)
{
	bpmu_top_state_free(&top);
	bpmu_tree_free(&all);
	return 0;
}

static int node(const char *name)
{
	int i = bpmu_metrics_find(&all.metrics, name);

	assert_true(i >= 0);
	return i;
}

static bool wanted(const char *name)
{
	return top.drill.wanted[node(name)];
}

static void cursor_is(const char *name)
{
	assert_string_equal(all.metrics.metric[top.cursor].name, name);
}

static void press(enum bpmu_top_key key, unsigned int times)
{
	while (times--)
		bpmu_top_press(&top, key);
}

TEST_BETWEEN(begins_with_level_1, NULL, end)
{
	begin(1);
	cursor_is("Frontend_Bound");
	assert_true(wanted("Backend_Bound"));
	assert_false(wanted("Memory_Bound"));
}

TEST_BETWEEN(begins_with_the_level_of_the_option, NULL, end)
{
	begin(3);
	assert_true(wanted("L1_Bound"));
	assert_false(wanted("MEM_Latency"));
}

TEST_BETWEEN(up_and_down_move_the_cursor, NULL, end)
{
	begin(1);
	press(BPMU_TOP_UP, 1);
	cursor_is("Frontend_Bound");
	press(BPMU_TOP_DOWN, 1);
	cursor_is("Bad_Speculation");
	press(BPMU_TOP_DOWN, 9);
	cursor_is("Backend_Bound");
	press(BPMU_TOP_HOME, 1);
	cursor_is("Frontend_Bound");
	press(BPMU_TOP_END, 1);
	cursor_is("Backend_Bound");
}

/*
 * The right arrow opens the node under the cursor: the children of the node are measured, but not
 * the children of these.
 */
TEST_BETWEEN(right_opens_a_node, NULL, end)
{
	begin(1);
	press(BPMU_TOP_END, 1);
	press(BPMU_TOP_RIGHT, 1);
	cursor_is("Backend_Bound");
	assert_true(wanted("Memory_Bound") && wanted("Core_Bound"));
	assert_false(wanted("L1_Bound") || wanted("Branch_Mispredicts"));
	press(BPMU_TOP_RIGHT, 1);
	cursor_is("Memory_Bound");
	press(BPMU_TOP_RIGHT, 2);
	assert_true(wanted("L1_Bound"));
	cursor_is("L1_Bound");
	press(BPMU_TOP_RIGHT, 1);
	cursor_is("L1_Bound");
}

/*
 * The left arrow closes a node: the cursor moves to its parent, and nothing below the parent is
 * measured any more.
 */
TEST_BETWEEN(left_closes_a_node, NULL, end)
{
	begin(1);
	press(BPMU_TOP_END, 1);
	press(BPMU_TOP_RIGHT, 4);
	cursor_is("L1_Bound");
	press(BPMU_TOP_LEFT, 1);
	cursor_is("Memory_Bound");
	assert_true(wanted("L1_Bound"));
	press(BPMU_TOP_LEFT, 1);
	assert_false(wanted("L1_Bound"));
	press(BPMU_TOP_LEFT, 2);
	cursor_is("Backend_Bound");
	assert_false(wanted("Memory_Bound"));
	press(BPMU_TOP_LEFT, 1);
	cursor_is("Backend_Bound");
}

/* Closing a node also closes all nodes below it. */
TEST_BETWEEN(left_closes_all_nodes_below, NULL, end)
{
	begin(4);
	assert_true(wanted("MEM_Latency"));
	top.cursor = node("Backend_Bound");
	press(BPMU_TOP_LEFT, 1);
	assert_false(wanted("Memory_Bound") || wanted("MEM_Latency"));
	press(BPMU_TOP_RIGHT, 1);
	assert_true(wanted("Memory_Bound"));
	assert_false(wanted("L1_Bound"));
}

TEST_BETWEEN(sort_keys_choose_the_column, NULL, end)
{
	int columns[BPMU_TOP_COLUMNS];

	begin(2);
	assert_int_equal(bpmu_top_columns(&top, columns), 4);
	assert_int_equal(columns[0], node("Frontend_Bound"));
	press(BPMU_TOP_SORT_RIGHT, 2);
	assert_int_equal(top.column, node("Bad_Speculation"));
	/*
	 * The CPUs remain sorted by the chosen node when the cursor moves to another level of the
	 * tree.
	 */
	top.cursor = node("Memory_Bound");
	assert_int_equal(bpmu_top_columns(&top, columns), 3);
	assert_int_equal(columns[0], node("Bad_Speculation"));
	assert_int_equal(columns[1], node("Memory_Bound"));
	press(BPMU_TOP_SORT_RIGHT, 5);
	assert_int_equal(top.column, node("Core_Bound"));
	press(BPMU_TOP_SORT_LEFT, 2);
	assert_int_equal(top.column, BPMU_TOP_BY_LOSS);
	press(BPMU_TOP_SORT_LEFT, 1);
	assert_int_equal(top.column, BPMU_TOP_BY_MHZ);
	press(BPMU_TOP_SORT_LEFT, 5);
	assert_int_equal(top.column, BPMU_TOP_BY_NUMBER);
	press(BPMU_TOP_SORT_RIGHT, 2);
	assert_int_equal(top.column, BPMU_TOP_BY_LOSS);
}

/* When the node by which CPUs are sorted is no longer measured, they are sorted by loss again. */
TEST_BETWEEN(closing_the_sorted_node_sorts_by_loss, NULL, end)
{
	begin(2);
	top.cursor = node("Memory_Bound");
	press(BPMU_TOP_SORT_RIGHT, 1);
	assert_int_equal(top.column, node("Memory_Bound"));
	press(BPMU_TOP_LEFT, 2);
	assert_int_equal(top.column, BPMU_TOP_BY_LOSS);
}

TEST_BETWEEN(plus_and_minus_change_the_interval, NULL, end)
{
	begin(1);
	press(BPMU_TOP_LONGER, 1);
	assert_int_equal(top.interval_ns, 2000 * MS);
	press(BPMU_TOP_LONGER, 9);
	assert_int_equal(top.interval_ns, 10000 * MS);
	press(BPMU_TOP_SHORTER, 1);
	assert_int_equal(top.interval_ns, 5000 * MS);
	press(BPMU_TOP_SHORTER, 9);
	assert_int_equal(top.interval_ns, 100 * MS);
	/*
	 * The keys for a longer or shorter interval choose among fixed lengths. The option -I may
	 * give a length between two of them. A key then chooses the next fixed length.
	 */
	top.interval_ns = 300 * MS;
	press(BPMU_TOP_LONGER, 1);
	assert_int_equal(top.interval_ns, 500 * MS);
	top.interval_ns = 10 * MS;
	press(BPMU_TOP_SHORTER, 1);
	assert_int_equal(top.interval_ns, 10 * MS);
	top.interval_ns = 60000 * MS;
	press(BPMU_TOP_LONGER, 1);
	assert_int_equal(top.interval_ns, 60000 * MS);
	press(BPMU_TOP_SHORTER, 1);
	assert_int_equal(top.interval_ns, 10000 * MS);
}

TEST_BETWEEN(c_changes_the_rows, NULL, end)
{
	begin(1);
	assert_int_equal(top.by, BPMU_ROWS_CPU);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_CORE);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_CACHE);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_DIE);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_NODE);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_PACKAGE);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_CPU);
	press(BPMU_TOP_FREEZE, 1);
	press(BPMU_TOP_ROWS, 1);
	assert_int_equal(top.by, BPMU_ROWS_CPU);
	top.page = 5;
	press(BPMU_TOP_PAGE_DOWN, 2);
	press(BPMU_TOP_PAGE_UP, 1);
	assert_int_equal(top.first_row, 5);
	press(BPMU_TOP_PAGE_UP, 3);
	assert_int_equal(top.first_row, 0);
}

/* Any key closes the help page, and has no other effect then. */
TEST_BETWEEN(any_key_closes_the_help_only, NULL, end)
{
	begin(1);
	press(BPMU_TOP_HELP, 1);
	assert_true(top.help);
	press(BPMU_TOP_REDRAW, 1);
	assert_true(top.help);
	press(BPMU_TOP_FREEZE, 1);
	assert_false(top.help || top.frozen);
	press(BPMU_TOP_FREEZE, 1);
	assert_true(top.frozen);
	press(BPMU_TOP_HELP, 1);
	press(BPMU_TOP_OTHER, 1);
	assert_false(top.help);
	press(BPMU_TOP_HELP, 1);
	press(BPMU_TOP_QUIT, 1);
	assert_false(top.help || top.quit);
	press(BPMU_TOP_QUIT, 1);
	assert_true(top.quit);
}

TEST_BETWEEN(follow_opens_flagged_nodes, NULL, end)
{
	struct bpmu_tree_value values[256] = { };

	begin(1);
	assert_true(all.metrics.nr <= 256);
	values[node("Backend_Bound")].known = true;
	values[node("Backend_Bound")].flagged = true;
	bpmu_top_flags(&top, values);
	assert_false(wanted("Memory_Bound"));
	press(BPMU_TOP_FOLLOW, 1);
	bpmu_top_flags(&top, values);
	assert_true(wanted("Memory_Bound"));
	top.cursor = node("Memory_Bound");
	values[node("Backend_Bound")].flagged = false;
	bpmu_top_flags(&top, values);
	bpmu_top_flags(&top, values);
	assert_false(wanted("Memory_Bound"));
	cursor_is("Backend_Bound");
	press(BPMU_TOP_FOLLOW, 1);
	top.chosen = true;
	press(BPMU_TOP_FOLLOW, 1);
	assert_false(top.follow);
}
