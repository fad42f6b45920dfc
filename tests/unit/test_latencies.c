// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the mean retire latencies that a tree needs: those of the nodes that are shown, each once.
 * Intel publishes none of Lunar Lake.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tree/latencies.h"
#include "unit.h"

#define LOCKS "MEM_INST_RETIRED.LOCK_LOADS"

static struct bpmu_metrics lines;
static struct bpmu_tree tree;

static bool is_named(void *data, const struct bpmu_metric *metric)
{
	return !strcmp(metric->name, data);
}

/* Makes the tree of the metric @name, or of level @level, with latencies that are yet unmeasured. */
static void make_tree(const char *part, const char *name, unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu(part, 8);
	struct bpmu_tree_wish wish = {
		.lines = &lines, .pmu = &pmu, .level = level, .apart = true,
		.wanted = name ? is_named : NULL, .wanted_ctx = (void *)name,
	};
	struct bpmu_error err;

	memset(&lines, 0, sizeof(lines));
	lines.unmeasured = true;
	if (bpmu_metrics_join(&lines, "tma", bpmu_part_by_name(part), &err) ||
	    bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s: %s", part, err.text);
}

static void free_tree(void)
{
	bpmu_tree_free(&tree);
	bpmu_metrics_free(&lines);
}

TEST(a_node_needs_the_latencies_of_its_formula)
{
	struct bpmu_error err;
	const char **events;
	unsigned int nr;

	make_tree("lnl", "tma_lock_latency", BPMU_TREE_ALL);
	assert_int_equal(bpmu_tree_latencies(&tree, &events, &nr, &err), 0);
	assert_int_equal(nr, 1);
	assert_string_equal(events[0], LOCKS);
	free(events);
	free_tree();
}

/* Its own formula has none; those that it names have one each. */
TEST(a_node_needs_the_latencies_of_the_formulas_that_it_names)
{
	unsigned int nr, i, loads = 0;
	struct bpmu_error err;
	const char **events;

	make_tree("lnl", "tma_load_stlb_hit", BPMU_TREE_ALL);
	assert_int_equal(bpmu_tree_latencies(&tree, &events, &nr, &err), 0);
	for (i = 0; i < nr; i++)
		loads += !strcmp(events[i], "MEM_INST_RETIRED.STLB_HIT_LOADS");
	assert_int_equal(loads, 1);
	free(events);
	free_tree();
}

TEST(nodes_that_are_not_shown_need_none)
{
	struct bpmu_error err;
	const char **events;
	unsigned int nr;

	make_tree("lnl", NULL, 1);
	assert_int_equal(bpmu_tree_latencies(&tree, &events, &nr, &err), 0);
	assert_int_equal(nr, 0);
	free(events);
	free_tree();
	make_tree("skl", NULL, BPMU_TREE_ALL);
	assert_int_equal(bpmu_tree_latencies(&tree, &events, &nr, &err), 0);
	assert_int_equal(nr, 0);
	free(events);
	free_tree();
}

/* Latencies that are yet unmeasured are 0, whether or not Intel has published a mean. */
TEST(unmeasured_latencies_are_0)
{
	static const char *const part[] = { "lnl", "gnr" };
	int line;
	size_t i;

	for (i = 0; i < 2; i++) {
		make_tree(part[i], "tma_lock_latency", BPMU_TREE_ALL);
		line = bpmu_metrics_find(&lines, "retire_latency." LOCKS);
		assert_true(line >= 0);
		assert_int_equal(lines.metric[line].expr->op, BPMU_EXPR_NUMBER);
		assert_true(lines.metric[line].expr->number == 0);
		assert_string_equal(bpmu_metric_latency_event(&lines.metric[line]), LOCKS);
		free_tree();
	}
	assert_null(bpmu_metric_latency_event(&(struct bpmu_metric){ .name = LOCKS }));
}

/*
 * What a flag names is needed, and what a name in it stands for. Latencies are in the order of the
 * file, each once, and those of nodes that are not shown are left out.
 */
TEST(a_node_needs_the_latencies_of_its_flag)
{
	static const char text[] =
		"retire_latency.C := 3\n"
		"retire_latency.B := 2\n"
		"retire_latency.A := 1\n"
		"retire_latency.D := 4\n"
		"Sum := retire_latency.C + retire_latency.A\n"
		"first = retire_latency.A | flag first > Sum\n"
		"second = retire_latency.B + retire_latency.B | flag second > 1\n"
		"third = 1 | flag third > min(retire_latency.D, 5)\n";
	static const struct {
		const char *shown, *events;
	} cases[] = {
		{ "y..", "C A " }, { ".y.", "B " }, { "..y", "D " }, { "yyy", "C B A D " },
		{ "...", "" },
	};
	struct bpmu_tree of_text = { .work = 0 };
	const char **events;
	struct bpmu_error err;
	char printed[16];
	bool shown[8];
	unsigned int nr;
	unsigned int e;
	size_t i, k;

	if (bpmu_metrics_parse(&of_text.metrics, "t.bpm", text, &err))
		fail_msg("%s", err.text);
	assert_int_equal(of_text.metrics.nr, 8);
	of_text.shown = shown;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(shown, 0, sizeof(shown));
		for (k = 0; k < 3; k++)
			shown[5 + k] = cases[i].shown[k] == 'y';
		assert_int_equal(bpmu_tree_latencies(&of_text, &events, &nr, &err), 0);
		*printed = '\0';
		for (e = 0; e < nr; e++) {
			strcat(printed, events[e]);
			strcat(printed, " ");
		}
		assert_string_equal(printed, cases[i].events);
		free(events);
	}
	bpmu_metrics_free(&of_text.metrics);
}
