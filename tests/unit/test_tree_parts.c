// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the trees of all CPU models, at every level and with every option: their events exist on
 * the CPU model, and every node has a value for counts that another tool has measured.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/verdict.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "tree/tree.h"
#include "unit.h"

/*
 * How an option changes the formulas of a tree: not at all, as --paper does, or as --memory-by imc
 * does.
 */
enum change {
	CHANGE_NONE,
	CHANGE_PAPER,
	CHANGE_MEMORY,
	CHANGES
};

/* Fills in different counts, so that no difference of two of them is 0. */
static void fill_counts(double *count, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		count[i] = 1000003 + 7919.0 * i * i;
}

static void check_values(struct bpmu_tree *tree, const char *what)
{
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	double count[BPMU_EVENT_SET_MAX];
	struct bpmu_tree_value *values;
	unsigned int i;

	fill_counts(count, tree->events[0].nr);
	counts[0] = count;
	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		if (i != BPMU_CONSTANT_SMT)
			bpmu_tree_set(tree, i, 2);
	values = calloc(tree->metrics.nr + 1, sizeof(*values));
	assert_non_null(values);
	bpmu_tree_eval(tree, counts, values);
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i] && !values[i].known &&
		    !(values[i].flags & BPMU_VALUE_DIVIDED_BY_0))
			fail_msg("%s: %s has no value", what, tree->metrics.metric[i].name);
	free(values);
}

/*
 * Loads the metrics of a method, and changes them as @change says. Returns false if this CPU model
 * does not have the method, or does not have it with this change.
 */
static bool make_lines(struct bpmu_metrics *lines, const char *method,
		       const struct bpmu_part *part, enum change change)
{
	struct bpmu_error err;
	int ret;

	ret = bpmu_metrics_builtin(lines, method, part, &err);
	if (ret && ret != -ENOENT)
		fail_msg("%s: %s", method, err.text);
	/*
	 * For Xeon Phi the test uses the metrics that are computed from counts of another tool.
	 * These counts are sums over threads and cores.
	 */
	if (!ret && !strcmp(method, "phi"))
		assert_int_equal(bpmu_metrics_of_counts(lines, &err), 0);
	if (!ret && change == CHANGE_PAPER)
		assert_int_equal(bpmu_metrics_as_printed(lines, part, &err), 0);
	if (!ret && change == CHANGE_MEMORY)
		ret = bpmu_metrics_memory_by(lines, "imc", part, &err);
	return !ret;
}

static void check_tree(const struct bpmu_part *part, struct bpmu_metrics *lines,
		       const char *method, unsigned int level, unsigned int options)
{
	struct bpmu_pmu pmu = unit_pmu(part->name, unit_most_counters(part, options & 1));
	struct bpmu_tree_wish wish = {
		.lines = lines, .pmu = &pmu,
		.smt = options & 1,
		.extra = options >> 1,
		.apart = true,
		.level = level,
	};
	struct bpmu_error err;
	struct bpmu_tree tree;
	char what[128];

	snprintf(what, sizeof(what), "%s, level %u%s%s", method, level,
		 wish.smt ? ", hyper-threading" : "", wish.extra ? ", extra" : "");
	if (bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s: %s", what, err.text);
	check_values(&tree, what);
	bpmu_tree_free(&tree);
}

/* Returns the deepest level of the nodes of a method; 0 if it has no nodes. */
static unsigned int deepest(const struct bpmu_metrics *lines)
{
	unsigned int level = 0;
	unsigned int i;

	for (i = 0; i < lines->nr; i++)
		if (lines->metric[i].level > level)
			level = lines->metric[i].level;
	return level;
}

static void check_levels(const struct bpmu_part *part, struct bpmu_metrics *lines,
			 const char *method)
{
	unsigned int level, options;

	for (options = 0; options < 4; options++)
		for (level = 1; level <= deepest(lines); level++)
			check_tree(part, lines, method, level, options);
}

static void every_tree_evaluates_at_every_level_with_every_option(void **state)
{
	static const char *const methods[] = {
		"topdown", "tma", "cpistack", "itanium2", "phi", "basic", "power", "groups"
	};
	const struct bpmu_part *part = *state;
	struct bpmu_metrics lines;
	int change;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(methods); i++)
		for (change = 0; change < CHANGES; change++) {
			if (make_lines(&lines, methods[i], part, change))
				check_levels(part, &lines, methods[i]);
			bpmu_metrics_free(&lines);
		}
}

/* Makes one root of the tree hold most slots, and checks that the verdict names it. */
static void check_verdict(const struct bpmu_tree *tree, unsigned int root)
{
	struct bpmu_tree_value *values = calloc(tree->metrics.nr, sizeof(*values));
	const char *name = tree->metrics.metric[root].name;
	struct bpmu_verdict verdict;
	unsigned int i;

	assert_non_null(values);
	for (i = 0; i < tree->metrics.nr; i++) {
		values[i].known = true;
		values[i].value = 0.03;
	}
	values[root].value = 0.9;
	values[root].flagged = true;
	values[root].alone = true;
	bpmu_verdict_find(tree, values, &verdict);
	if (bpmu_verdict_node(&verdict) != (int)root)
		fail_msg("%s is flagged, but not in the verdict", name);
	free(values);
}

/* On some parts no event tells what is below a root, which has no children there. */
static void a_flagged_root_is_the_verdict_with_or_without_children(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, unit_most_counters(part, false));
	struct bpmu_metrics lines;
	struct bpmu_tree_wish wish = { .lines = &lines, .pmu = &pmu, .apart = true, .level = 1 };
	struct bpmu_error err;
	struct bpmu_tree tree;
	unsigned int i;

	if (make_lines(&lines, "topdown", part, CHANGE_NONE)) {
		if (bpmu_tree_make(&tree, &wish, &err))
			fail_msg("%s", err.text);
		for (i = 0; i < tree.metrics.nr; i++)
			if (tree.shown[i])
				check_verdict(&tree, i);
		bpmu_tree_free(&tree);
	}
	bpmu_metrics_free(&lines);
}

int main(void)
{
	static const struct unit_check checks[] = {
		{ "a flagged root is the verdict with or without children",
		  a_flagged_root_is_the_verdict_with_or_without_children },
		{ "every tree evaluates at every level with every option",
		  every_tree_evaluates_at_every_level_with_every_option },
	};

	return unit_run_parts("tree_parts", checks, ARRAY_SIZE(checks));
}
