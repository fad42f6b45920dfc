// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the Top-Down tree: at each level it has the values that were computed by hand, and a
 * node is flagged only below flagged parents.
 */

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_expr.h"
#include "tree/tree.h"
#include "unit.h"

#define TOLERANCE 0.000000001
#define EVENTS_MAX 16
#define METRICS_MAX 128
#define NONE NAN

/**
 * enum vector - columns of made-up counts and of expected values
 * @PLAIN: an ordinary program
 * @NEGATIVE: the scheduler is empty in more cycles than there are stalls, so a value is negative
 * @SHORT: more uops retired than issued, as may happen in a short time
 * @IDLE: nothing is counted
 * @SMT_T0: a thread of a core with hyper-threading
 * @SMT_T1: the core's other thread
 */
enum vector { PLAIN, NEGATIVE, SHORT, IDLE, SMT_T0, SMT_T1, VECTORS };

static const struct {
	const char *event;
	double count[VECTORS];
} counts[] = {
	{ "CPU_CLK_UNHALTED.THREAD", { 1000000, 1000000, 1000, 0 } },
	{ "CPU_CLK_UNHALTED.THREAD_P", { 0, 0, 0, 0, 1000000, 1000000 } },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", { 0, 0, 0, 0, 1000000, 1000000 } },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE",
	  { 600000, 600000, 1400, 0, 300000, 500000 } },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]",
	  { 80000, 80000, 200, 0, 40000, 90000 } },
	{ "UOPS_ISSUED.ANY", { 2200000, 2200000, 1900, 0, 1300000, 950000 } },
	{ "UOPS_RETIRED.RETIRE_SLOTS",
	  { 2000000, 2000000, 2020, 0, 1200000, 800000 } },
	{ "INT_MISC.RECOVERY_CYCLES", { 25000, 25000, 10, 0 } },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", { 0, 0, 0, 0, 25000, 25000 } },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", { 9000, 9000, 3, 0, NONE, NONE } },
	{ "MACHINE_CLEARS.COUNT", { 1000, 1000, 1, 0, NONE, NONE } },
	{ "IDQ.MS_UOPS", { 110000, 110000, 19, 0, NONE, NONE } },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE",
	  { 220000, 220000, 150, 0, NONE, NONE } },
	{ "RS_EVENTS.EMPTY_CYCLES", { 60000, 160000, 50, 0, NONE, NONE } },
	{ "UOPS_EXECUTED.THREAD:[>=1]",
	  { 780000, 780000, 850, 0, NONE, NONE } },
	{ "UOPS_EXECUTED.THREAD:[>=2]",
	  { 560000, 560000, 600, 0, NONE, NONE } },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY",
	  { 150000, 200000, 60, 0, NONE, NONE } },
	{ "RESOURCE_STALLS.SB", { 30000, 110000, 10, 0, NONE, NONE } },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS",
	  { 110000, 120000, 40, 0, NONE, NONE } },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS",
	  { 80000, 140000, 20, 0, NONE, NONE } },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_HIT", { 6000, 700, 14, 0, NONE, NONE } },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_MISS", { 2000, 300, 2, 0, NONE, NONE } },
	{ "UNC_CLOCK.SOCKET", { 500000, 500000, 500, 0, NONE, NONE } },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]",
	  { 300000, 300000, 100, 0, NONE, NONE } },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]",
	  { 50000, 50000, 0, 0, NONE, NONE } },
};

static const struct {
	const char *name;
	double value[VECTORS];
} expected[] = {
	{ "Frontend_Bound", { 0.15, 0.15, 0.35, NONE, 0.15, 0.25 } },
	{ "Bad_Speculation", { 0.075, 0.075, -0.02, NONE, 0.075, 0.1 } },
	{ "Retiring", { 0.5, 0.5, 0.505, NONE, 0.6, 0.4 } },
	{ "Backend_Bound", { 0.275, 0.275, 0.165, NONE, 0.175, 0.25 } },
	{ "Fetch_Latency_Bound", { 0.08, 0.08, 0.2, NONE, 0.08, 0.18 } },
	{ "Fetch_Bandwidth_Bound", { 0.07, 0.07, 0.15, NONE, 0.07, 0.07 } },
	{ "Branch_Mispredicts", { 0.0675, 0.0675, -0.015, NONE, NONE, NONE } },
	{ "Machine_Clears", { 0.0075, 0.0075, -0.005, NONE, NONE, NONE } },
	{ "MicroSequencer", { 0.025, 0.025, 0.00505, NONE, NONE, NONE } },
	{ "BASE", { 0.475, 0.475, 0.49995, NONE, NONE, NONE } },
	{ "Memory_Bound", { 0.18, 0.31, 0.07, NONE, NONE, NONE } },
	{ "Core_Bound", { 0.2, -0.03, 0.28, NONE, NONE, NONE } },
};

/*
 * Expected values of the nodes below level 2, and of the metrics that the formulas of these nodes
 * use.
 */
static const struct {
	const char *name;
	double value[VECTORS];
} expected_below[] = {
	{ "TotalSlots", { 4000000, 4000000, 4000, 0, 2000000, 2000000 } },
	{ "BrMispredFraction", { 0.9, 0.9, 0.75, NONE, NONE, NONE } },
	{ "RetireUopFraction",
	  { 10 / 11., 10 / 11., 2020 / 1900., NONE, 12 / 13., 16 / 19. } },
	{ "ExecutionStalls", { 0.38, 0.28, 0.35, NONE, NONE, NONE } },
	{ "L1_Bound", { 0.04, 0.08, 0.02, NONE, NONE, NONE } },
	{ "L2_Bound", { 0.03, -0.02, 0.02, NONE, NONE, NONE } },
	{ "L3HitFraction", { 0.3, 0.25, 0.5, NONE, NONE, NONE } },
	{ "L3_Bound", { 0.024, 0.035, 0.01, NONE, NONE, NONE } },
	{ "Ext_Memory_Bound", { 0.056, 0.105, 0.01, NONE, NONE, NONE } },
	{ "Stores_Bound", { 0.03, 0.11, 0.01, NONE, NONE, NONE } },
	{ "MEM_Bandwidth", { 0.1, 0.1, 0, NONE, NONE, NONE } },
	{ "MEM_Latency", { 0.5, 0.5, 0.2, NONE, NONE, NONE } },
};

/**
 * struct measured - a Top-Down tree and the values of its nodes
 */
struct measured {
	struct bpmu_tree tree;
	struct bpmu_tree_value value[METRICS_MAX];
};

static double count_of(const char *event, enum vector v)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (!strcmp(counts[i].event, event))
			return counts[i].count[v];
	return NONE; /* The paper has no formula for the nodes that use this event. */
}

/*
 * Computes the tree from a column of counts[]. All counts of a column belong to the same time.
 * Group g is counted g + 1 times as long, so its counts are g + 1 times those of the column. @gp:
 * number of general counters.
 */
static void measure(struct measured *m, unsigned int gp, unsigned int level,
		    enum vector v)
{
	double count[BPMU_TREE_GROUPS][EVENTS_MAX];
	const double *group[BPMU_TREE_GROUPS];
	struct bpmu_pmu pmu = unit_pmu("ivb", gp);
	const struct bpmu_event_list *events;
	struct bpmu_error err;
	unsigned int g;
	unsigned int i;

	if (bpmu_tree_init(&m->tree, "topdown", &pmu, v >= SMT_T0, level, &err))
		fail_msg("%s", err.text);
	assert_true(m->tree.metrics.nr <= METRICS_MAX);
	for (g = 0; g < m->tree.groups.nr; g++) {
		events = &m->tree.events[g];
		assert_true(events->nr <= EVENTS_MAX);
		for (i = 0; i < events->nr; i++)
			count[g][i] = (g + 1) * count_of(events->spec[i].text,
							 v);
		group[g] = count[g];
	}
	unit_totals(&m->tree, group);
	bpmu_tree_eval(&m->tree, group, m->value);
}

static const struct bpmu_tree_value *value_of(const struct measured *m,
					      const char *name)
{
	int i = bpmu_metrics_find(&m->tree.metrics, name);

	assert_true(i >= 0);
	return &m->value[i];
}

static void check_vector(unsigned int gp, unsigned int level, enum vector v,
			 unsigned int nr)
{
	const struct bpmu_tree_value *value;
	struct measured m;
	unsigned int i;
	double want;

	measure(&m, gp, level, v);
	for (i = 0; i < nr; i++) {
		value = value_of(&m, expected[i].name);
		want = expected[i].value[v];
		if (value->known == isnan(want) ||
		    (value->known && fabs(value->value - want) > TOLERANCE))
			fail_msg("%s: %g in vector %d on %u counters",
				 expected[i].name, value->value, v, gp);
		assert_int_equal(!!(value->flags & BPMU_VALUE_BELOW_0),
				 value->known && want < 0);
		assert_int_equal(!!(value->flags & BPMU_VALUE_ABOVE_1),
				 value->known && want > 1);
	}
	bpmu_tree_free(&m.tree);
}

TEST(level_1_has_values_computed_by_hand)
{
	enum vector v;

	for (v = PLAIN; v < VECTORS; v++)
		check_vector(4, 1, v, 4);
	check_vector(8, 1, PLAIN, 4);
}

TEST(level_2_has_values_computed_by_hand)
{
	enum vector v;

	for (v = PLAIN; v < VECTORS; v++) {
		check_vector(4, 2, v, 12);
		check_vector(8, 2, v, 12);
	}
}

/*
 * Checks the nodes of expected_below[] for column @v of counts[]. The core's groups of events are
 * multiplexed. Counts of the uncore are divided by the uncore's own clock. @gp: number of general
 * counters.
 */
static void check_deep(unsigned int gp, enum vector v)
{
	const struct bpmu_tree_value *value;
	struct measured m;
	double want;
	size_t i;
	int node;

	measure(&m, gp, 4, v);
	for (i = 0; i < ARRAY_SIZE(expected_below); i++) {
		node = bpmu_metrics_find(&m.tree.metrics,
					 expected_below[i].name);
		if (!m.tree.metrics.metric[node].level)
			continue;
		value = &m.value[node];
		want = expected_below[i].value[v];
		if (value->known == isnan(want) ||
		    (value->known && fabs(value->value - want) > TOLERANCE))
			fail_msg("%s: %g in vector %d on %u counters",
				 expected_below[i].name, value->value, v, gp);
	}
	bpmu_tree_free(&m.tree);
}

TEST(level_4_has_values_computed_by_hand)
{
	enum vector v;

	for (v = PLAIN; v < VECTORS; v++) {
		check_vector(4, 4, v, 12);
		check_deep(4, v);
		check_deep(8, v);
	}
}

/**
 * struct formulas - metrics evaluated without groups, as if all events were counted all the time
 * @metrics: the metrics
 * @vector: column of counts
 */
struct formulas {
	struct bpmu_metrics metrics;
	enum vector vector;
};

static struct bpmu_value lookup(void *ctx, const char *name)
{
	struct formulas *f = ctx;
	struct bpmu_value value = { };

	value.number = strcmp(name, "SMT") ? count_of(name, f->vector) :
					     f->vector >= SMT_T0;
	value.known = !isnan(value.number);
	return value;
}

static double formula_value(struct formulas *f, const char *name)
{
	const struct bpmu_expr expr = { .op = BPMU_EXPR_NAME, .name = (char *)name };
	struct bpmu_value value = unit_value(&f->metrics, &expr, lookup, f);

	return value.known ? value.number : NAN;
}

static void load(struct formulas *f)
{
	struct bpmu_error err;

	if (bpmu_metrics_builtin(&f->metrics, "topdown",
				 bpmu_part_by_name("ivb"), &err))
		fail_msg("%s", err.text);
}

TEST(nodes_below_level_2_have_values_computed_by_hand)
{
	struct formulas f;
	double value;
	double want;
	size_t i;

	load(&f);
	for (f.vector = PLAIN; f.vector < VECTORS; f.vector++) {
		for (i = 0; i < ARRAY_SIZE(expected_below); i++) {
			want = expected_below[i].value[f.vector];
			value = formula_value(&f, expected_below[i].name);
			if (isnan(want) != isnan(value) ||
			    fabs(value - want) > TOLERANCE)
				fail_msg("%s: %g in vector %d",
					 expected_below[i].name, value,
					 f.vector);
		}
	}
	bpmu_metrics_free(&f.metrics);
}

/*
 * If all children of a node have the same denominator as the node, the values of the children add
 * up to the value of the node.
 */
TEST(children_add_up_to_their_parent)
{
	static const char *const memory[] = {
		"L1_Bound", "L2_Bound", "L3_Bound", "Ext_Memory_Bound",
		"Stores_Bound",
	};
	struct formulas f;
	double sum;
	size_t i;

	load(&f);
	for (f.vector = PLAIN; f.vector <= SHORT; f.vector++) {
		for (sum = 0, i = 0; i < ARRAY_SIZE(memory); i++)
			sum += formula_value(&f, memory[i]);
		assert_true(fabs(sum - formula_value(&f, "Memory_Bound")) <
			    TOLERANCE);
	}
	bpmu_metrics_free(&f.metrics);
}

static void expect_flags(enum vector v, const char *const *flagged)
{
	const struct bpmu_metric *metric;
	struct measured m;
	unsigned int i;
	unsigned int f;

	measure(&m, 4, 2, v);
	for (i = 0; i < m.tree.metrics.nr; i++) {
		metric = &m.tree.metrics.metric[i];
		for (f = 0; flagged[f]; f++)
			if (!strcmp(flagged[f], metric->name))
				break;
		if (m.value[i].flagged != !!flagged[f])
			fail_msg("%s in vector %d", metric->name, v);
	}
	bpmu_tree_free(&m.tree);
}

/*
 * In the counts of column SHORT the node Core_Bound is 0.28, above its threshold. It must not be
 * flagged, because its parent Backend_Bound is not flagged.
 */
TEST(a_node_is_flagged_only_below_flagged_parents)
{
	static const char *const none[] = { NULL };
	static const char *const plain[] = {
		"Backend_Bound", "Core_Bound", NULL
	};
	static const char *const negative[] = {
		"Backend_Bound", "Memory_Bound", NULL
	};
	static const char *const short_window[] = {
		"Frontend_Bound", "Fetch_Latency_Bound", NULL
	};

	expect_flags(PLAIN, plain);
	expect_flags(NEGATIVE, negative);
	expect_flags(SHORT, short_window);
	expect_flags(IDLE, none);
}
