// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "tree/tree.h"
#include "unit.h"

static void init(struct bpmu_tree *tree, unsigned int gp, int smt,
		 unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", gp);
	struct bpmu_error err;

	if (bpmu_tree_init(tree, "topdown", &pmu, smt, level, &err))
		fail_msg("%s", err.text);
}

static int window_of(const struct bpmu_tree *tree, const char *name)
{
	return tree->window[bpmu_metrics_find(&tree->metrics, name)];
}

/* The minimum number of groups for the paper's formulas. */
static void the_tree_needs_the_minimum_of_groups(void **state)
{
	static const struct {
		unsigned int gp;
		int smt;
		unsigned int level;
		unsigned int groups;
	} cases[] = {
		{ 4, 0, 1, 1 }, { 4, 1, 1, 1 }, { 8, 0, 1, 1 },
		{ 4, 0, 2, 4 }, { 4, 1, 2, 4 }, { 8, 0, 2, 2 },
	};
	struct bpmu_tree tree;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		init(&tree, cases[i].gp, cases[i].smt, cases[i].level);
		assert_int_equal(tree.groups.nr, cases[i].groups);
		bpmu_tree_free(&tree);
	}
}

static void nodes_of_level_1_are_computed_within_one_group(void **state)
{
	struct bpmu_tree tree;

	(void)state;
	init(&tree, 4, 0, 2);
	assert_int_equal(window_of(&tree, "Frontend_Bound"), 0);
	assert_int_equal(window_of(&tree, "Backend_Bound"), 0);
	assert_true(window_of(&tree, "Fetch_Latency_Bound") >= 0);
	assert_int_equal(window_of(&tree, "Fetch_Bandwidth_Bound"),
			 window_of(&tree, "Fetch_Latency_Bound"));
	/* The share that loads leave to stores needs both types of stalls. */
	assert_int_equal(window_of(&tree, "Memory_Bound"), -1);
	assert_int_equal(window_of(&tree, "Core_Bound"), -1);
	bpmu_tree_free(&tree);
}

static void every_group_has_the_clock(void **state)
{
	struct bpmu_tree tree;
	unsigned int g;

	(void)state;
	init(&tree, 4, 0, 2);
	for (g = 0; g < tree.groups.nr; g++) {
		assert_string_equal(tree.events[g].spec[0].text,
				    "CPU_CLK_UNHALTED.THREAD");
		assert_int_equal(tree.groups.group[g].sched.slot[0].counter,
				 BPMU_FIXED_BASE + 1);
	}
	bpmu_tree_free(&tree);
}

static void nodes_of_a_group_without_counts_have_no_value(void **state)
{
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	struct bpmu_tree_value value[128];
	struct bpmu_tree tree;
	unsigned int i;

	(void)state;
	init(&tree, 4, 0, 2);
	bpmu_tree_eval(&tree, counts, value);
	for (i = 0; i < tree.metrics.nr; i++) {
		assert_false(value[i].known);
		assert_false(value[i].flagged);
		assert_int_equal(value[i].flags & ~BPMU_VALUE_MIXED,
				 tree.shown[i] ?
				 BPMU_VALUE_MISSING : 0);
	}
	bpmu_tree_free(&tree);
}

/* Two counters are enough, although no sum fits on them at once. */
static void sums_are_divided_between_two_counters(void **state)
{
	const struct bpmu_tree_value *bad;
	struct bpmu_tree_value value[256];
	const double *counts[BPMU_TREE_GROUPS];
	double one[BPMU_TREE_GROUPS][16];
	struct bpmu_tree tree;
	unsigned int g;
	unsigned int i;

	(void)state;
	init(&tree, 2, 0, 1);
	assert_int_equal(tree.groups.nr, 2);
	for (g = 0; g < tree.groups.nr; g++) {
		for (i = 0; i < tree.events[g].nr; i++)
			one[g][i] = 4 * (g + 1);
		counts[g] = one[g];
	}
	unit_totals(&tree, counts);
	bpmu_tree_eval(&tree, counts, value);
	bad = &value[bpmu_metrics_find(&tree.metrics, "Bad_Speculation")];
	assert_true(bad->known);
	assert_true(bad->value == 1);
	assert_int_equal(bad->flags, BPMU_VALUE_MIXED);
	bpmu_tree_free(&tree);
}

static void wrapped_counts_and_divisors_of_0_are_flagged(void **state)
{
	struct bpmu_tree_value value[256];
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	double count[16];
	struct bpmu_tree tree;
	unsigned int i;

	(void)state;
	init(&tree, 4, 0, 1);
	for (i = 0; i < tree.events[0].nr; i++)
		count[i] = -1;
	counts[0] = count;
	bpmu_tree_eval(&tree, counts, value);
	i = bpmu_metrics_find(&tree.metrics, "Retiring");
	assert_int_equal(value[i].flags, BPMU_VALUE_WRAPPED);
	for (i = 0; i < tree.events[0].nr; i++)
		count[i] = 0;
	bpmu_tree_eval(&tree, counts, value);
	i = bpmu_metrics_find(&tree.metrics, "Retiring");
	assert_int_equal(value[i].flags, BPMU_VALUE_DIVIDED_BY_0);
	assert_false(value[i].known);
	bpmu_tree_free(&tree);
}

/* Of the pairs of counters for leaking events the first possible one is used. */
static void leaking_events_use_the_first_possible_pair(void **state)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_tree_wish wish = {
		.method = "topdown", .level = 3, .pmu = &pmu, .smt = 1,
		.siblings = true,
	};
	struct bpmu_sched_rules first = bpmu_sched_no_rules, second = first;
	struct bpmu_tree tree;
	struct bpmu_error err;

	(void)state;
	assert_true(bpmu_groups_leak_pair(0, &first));
	assert_true(bpmu_groups_leak_pair(1, &second));
	assert_memory_not_equal(first.leak, second.leak, sizeof(first.leak));
	assert_int_equal(bpmu_tree_make(&tree, &wish, &err), 0);
	assert_memory_equal(tree.groups.rules.leak, first.leak,
			    sizeof(first.leak));
	bpmu_tree_free(&tree);
}

static void refuse(const char *method, const char *part, unsigned int gp,
		   unsigned int level, int code, const char *says)
{
	struct bpmu_pmu pmu = unit_pmu(part, gp);
	struct bpmu_tree tree;
	struct bpmu_error err;

	assert_int_equal(bpmu_tree_init(&tree, method, &pmu, 1, level, &err),
			 code);
	assert_string_equal(err.text, says);
}

static void refuses_unknown_methods_and_levels(void **state)
{
	(void)state;
	refuse("topdown", "knc", 0, 1, -ENOENT,
	       "method 'topdown': not available on knc: its cores do not count slots, use 'barepmu phi'; see 'barepmu list events' for what can be counted");
	refuse("nothing", "ivb", 4, 1, -ENOENT,
	       "method 'nothing': not available on ivb; see 'barepmu list events' for what can be counted");
	refuse("topdown", "ivb", 4, 0, -ERANGE,
	       "level 0: these metrics have levels 1 to 4; choose one of them");
	refuse("topdown", "ivb", 4, 5, -ERANGE,
	       "level 5: these metrics have levels 1 to 4; choose one of them");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_needs_the_minimum_of_groups),
		cmocka_unit_test(nodes_of_level_1_are_computed_within_one_group),
		cmocka_unit_test(every_group_has_the_clock),
		cmocka_unit_test(nodes_of_a_group_without_counts_have_no_value),
		cmocka_unit_test(sums_are_divided_between_two_counters),
		cmocka_unit_test(wrapped_counts_and_divisors_of_0_are_flagged),
		cmocka_unit_test(leaking_events_use_the_first_possible_pair),
		cmocka_unit_test(refuses_unknown_methods_and_levels),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
