// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of trees of Top-Down metrics: one group of events suffices for the metrics of level 1, and
 * a metric gets a flag instead of a wrong value if a count is missing, if a counter has wrapped, or
 * if its formula divides by 0.
 */

#include <errno.h>
#include <math.h>
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

/*
 * The tree of each level has the smallest number of groups that suffices for the paper's formulas.
 */
TEST(the_tree_needs_the_minimum_of_groups)
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

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		init(&tree, cases[i].gp, cases[i].smt, cases[i].level);
		assert_int_equal(tree.groups.nr, cases[i].groups);
		bpmu_tree_free(&tree);
	}
}

TEST(nodes_of_level_1_are_computed_within_one_group)
{
	struct bpmu_tree tree;

	init(&tree, 4, 0, 2);
	assert_int_equal(window_of(&tree, "Frontend_Bound"), 0);
	assert_int_equal(window_of(&tree, "Backend_Bound"), 0);
	assert_true(window_of(&tree, "Fetch_Latency_Bound") >= 0);
	assert_int_equal(window_of(&tree, "Fetch_Bandwidth_Bound"),
			 window_of(&tree, "Fetch_Latency_Bound"));
	/*
	 * Memory_Bound and Core_Bound need the stalls of loads and the stalls of stores, which are
	 * counted in two different groups. The two metrics are therefore computed from the counts
	 * of two groups, not from those of one group alone.
	 */
	assert_int_equal(window_of(&tree, "Memory_Bound"), -1);
	assert_int_equal(window_of(&tree, "Core_Bound"), -1);
	bpmu_tree_free(&tree);
}

TEST(every_group_has_the_clock)
{
	struct bpmu_tree tree;
	unsigned int g;

	init(&tree, 4, 0, 2);
	for (g = 0; g < tree.groups.nr; g++) {
		assert_string_equal(tree.events[g].spec[0].text,
				    "CPU_CLK_UNHALTED.THREAD");
		assert_int_equal(tree.groups.group[g].sched.slot[0].counter,
				 BPMU_FIXED_BASE + 1);
	}
	bpmu_tree_free(&tree);
}

TEST(nodes_of_a_group_without_counts_have_no_value)
{
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	struct bpmu_tree_value value[128];
	struct bpmu_tree tree;
	unsigned int i;

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

/*
 * The tree can be measured on two counters, although the events of a single sum in its formulas
 * need more than two counters.
 */
TEST(sums_are_divided_between_two_counters)
{
	const struct bpmu_tree_value *bad;
	struct bpmu_tree_value value[256];
	const double *counts[BPMU_TREE_GROUPS];
	double one[BPMU_TREE_GROUPS][16];
	struct bpmu_tree tree;
	unsigned int g;
	unsigned int i;

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

TEST(wrapped_counts_and_divisors_of_0_are_flagged)
{
	struct bpmu_tree_value value[256];
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	double count[16];
	struct bpmu_tree tree;
	unsigned int i;

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

/*
 * An event that leaks is counted on a different counter on each of the two threads of a core.
 * Several pairs of counters are possible. The tree must use the first pair.
 */
TEST(leaking_events_use_the_first_possible_pair)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_tree_wish wish = {
		.method = "topdown", .level = 3, .pmu = &pmu, .smt = 1,
		.siblings = true,
	};
	struct bpmu_sched_rules first = bpmu_sched_no_rules, second = first;
	struct bpmu_tree tree;
	struct bpmu_error err;

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

TEST(refuses_unknown_methods_and_levels)
{
	refuse("topdown", "knc", 0, 1, -ENOENT,
	       "method 'topdown': not available on knc: its cores do not count slots, use 'barepmu phi'; see 'barepmu list events' for what can be counted");
	refuse("nothing", "ivb", 4, 1, -ENOENT,
	       "method 'nothing': not available on ivb; see 'barepmu list events' for what can be counted");
	refuse("topdown", "ivb", 4, 0, -ERANGE,
	       "level 0: these metrics have levels 1 to 4; choose one of them");
	refuse("topdown", "ivb", 4, 5, -ERANGE,
	       "level 5: these metrics have levels 1 to 4; choose one of them");
}

/* Returns one of a few counts, so that divisors are often 0 and conditions often change. */
static double some_count(unsigned int *seed)
{
	static const double counts[] = { 0, 1, 2, 7, 1000, 1e300, NAN };

	*seed = *seed * 1103515245 + 12345;
	return counts[(*seed >> 16) % ARRAY_SIZE(counts)];
}

static bool same(double tried, const struct bpmu_tree_value *value)
{
	return value->known ? tried == value->value : isnan(tried);
}

/*
 * Computes the tree for @nr random sets of counts of group @g, once for all sets together and once
 * for each set alone. Both ways must yield the same values.
 */
static void try_group(const struct bpmu_tree *tree, const double *counts[BPMU_TREE_GROUPS],
		      unsigned int g, unsigned int nr, unsigned int *seed)
{
	double replicates[16][BPMU_REPLICATES], other[16], tried[512][BPMU_REPLICATES];
	struct bpmu_tree_value before[512], value[512];
	const double *const kept = counts[g];
	unsigned int others[BPMU_TREE_GROUPS] = { };
	const struct bpmu_tree_tried *of;
	bool is_tried[512] = { };
	unsigned int i, r;

	assert_true(tree->metrics.nr <= ARRAY_SIZE(value));
	for (i = 0; i < tree->events[g].nr; i++)
		for (r = 0; r < nr; r++)
			replicates[i][r] = some_count(seed);
	for (i = 0; i < tree->events[g].nr; i++)
		memcpy(tree->other[g][i], replicates[i], nr * sizeof(*replicates[i]));
	if (g < tree->nr_groups)
		others[g] = nr;
	bpmu_tree_compute(tree, counts, others, before);
	if (g >= tree->nr_groups)
		bpmu_program_try(&tree->program, &tree->reach[g], tree->slot, nr);
	for (of = tree->tried[g]; of < tree->tried[g] + tree->nr_tried[g]; of++) {
		memcpy(tried[of->metric], of->value, nr * sizeof(*of->value));
		is_tried[of->metric] = true;
	}
	for (r = 0; r < nr; r++) {
		for (i = 0; i < tree->events[g].nr; i++)
			other[i] = replicates[i][r];
		counts[g] = other;
		bpmu_tree_compute(tree, counts, NULL, value);
		counts[g] = kept;
		for (i = 0; i < tree->metrics.nr; i++)
			if (!same(is_tried[i] ? tried[i][r] :
				  before[i].known ? before[i].value : NAN, &value[i]))
				fail_msg("group %u: %s: %g, not %g", g,
					 tree->metrics.metric[i].name, tried[i][r],
					 value[i].value);
	}
}

/*
 * Computes a tree for several sets of random counts, once for all sets together and once for each
 * set alone. Checks that both ways yield the same values.
 */
static void check_tries(struct bpmu_tree *tree)
{
	double one[BPMU_TREE_GROUPS][16];
	const double *counts[BPMU_TREE_GROUPS];
	unsigned int seed = 1, g, i, n;

	for (n = 0; n < 50; n++) {
		for (g = 0; g < BPMU_TREE_GROUPS; g++) {
			assert_true(tree->events[g].nr <= ARRAY_SIZE(one[g]));
			for (i = 0; i < tree->events[g].nr; i++)
				one[g][i] = some_count(&seed);
			counts[g] = one[g];
		}
		for (g = 0; g < BPMU_TREE_GROUPS; g++)
			if (tree->events[g].nr)
				try_group(tree, counts, g, 1 + n % BPMU_REPLICATES, &seed);
	}
}

TEST(several_values_are_those_of_one_at_a_time)
{
	static const struct {
		const char *part, *method;
		unsigned int gp, level;
	} cases[] = {
		{ "ivb", "topdown", 4, 4 }, { "ivb", "topdown", 8, 2 },
		{ "skl", "tma", 4, 3 }, { "zen4", "topdown", 6, 2 },
	};
	struct bpmu_error err;
	struct bpmu_tree tree;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pmu = unit_pmu(cases[i].part, cases[i].gp);
		if (bpmu_tree_init(&tree, cases[i].method, &pmu, 1, cases[i].level, &err))
			fail_msg("%s", err.text);
		check_tries(&tree);
		bpmu_tree_free(&tree);
	}
}

/*
 * The arbiter's group comes after the core's groups. When the core gets one group more, the index
 * of the arbiter's group changes, and formulas that use its counts must use the new index.
 */
TEST(what_depends_on_a_group_moves_with_it)
{
	static const char *const texts[] = {
		"L2_RQSTS.ALL_CODE_RD", "ARITH.FPU_DIV", "L1D.REPLACEMENT",
		"ICACHE.MISSES", "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK",
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list more = { };
	unsigned int before, i;
	struct bpmu_error err;
	struct bpmu_tree tree;

	if (bpmu_tree_init(&tree, "topdown", &pmu, 0, 4, &err))
		fail_msg("%s", err.text);
	before = bpmu_groups_first(&tree.groups, BPMU_BANK_UNCORE);
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (bpmu_event_list_add(&pmu, 0, texts[i], &more, &err))
			fail_msg("%s", err.text);
	if (bpmu_tree_join(&tree, &more, false, &err))
		fail_msg("%s", err.text);
	assert_true(bpmu_groups_first(&tree.groups, BPMU_BANK_UNCORE) > before);
	assert_true(tree.events[bpmu_groups_first(&tree.groups, BPMU_BANK_UNCORE)].nr);
	check_tries(&tree);
	bpmu_tree_free(&tree);
	bpmu_event_list_free(&more);
}

/* Each operator has operands of one group in some formulas, and of different groups in others. */
TEST(several_values_of_each_operator_are_those_of_one)
{
	static const char text[] =
		"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
		"A := UOPS_ISSUED.ANY\nB := UOPS_RETIRED.RETIRE_SLOTS\n"
		"C := IDQ.MS_UOPS\nD := RESOURCE_STALLS.SB\nE := RS_EVENTS.EMPTY_CYCLES\n"
		"sum = A + B\ndifference = A - B\nproduct = A * C\nratio = A / D\n"
		"least = min(A, E)\nmost = max(A, E, B)\nfirst = either(A, B)\n"
		"chosen = A if D else B\nless = A if A < B else 3\n"
		"least_or_same = A if A <= B else 3\nmore = A if A > B else 3\n"
		"most_or_same = A if A >= B else 3\nis = A if A = B else 3\n"
		"all = 1 if A > 1 and C > 1 else 0\nany = 1 if A > 1 or C > 1 else 0\n"
		"of_all = (sum + product) / (C - E) * 1.5\n";
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics lines = { .nr = 0 };
	const struct bpmu_tree_wish wish = {
		.lines = &lines, .pmu = &pmu, .smt = 1, .level = 1,
	};
	struct bpmu_error err;
	struct bpmu_tree tree;

	if (bpmu_metrics_parse(&lines, "test", text, &err) ||
	    bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	assert_true(tree.nr_groups > 1);
	check_tries(&tree);
	bpmu_tree_free(&tree);
	bpmu_metrics_free(&lines);
}
