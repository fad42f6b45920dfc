// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the Top-Down trees: nodes have the values of the published formulas. The expected values
 * were computed by hand from these formulas, for the made-up counts of formulas.h.
 */

#include "formulas.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"
#include "tree/tree.h"
#include "unit.h"

#define METHOD "topdown"
#define LEVELS 4
#define TOLERANCE 0.0000000001

/**
 * struct place - CPU model and made-up counts for which formulas are evaluated
 * @part: descriptor of the CPU model
 * @metrics: metrics of the CPU model
 * @smt: hyper-threading is on
 * @column: column of the made-up counts in formulas.h
 */
struct place {
	const struct bpmu_part *part;
	struct bpmu_metrics metrics;
	int smt;
	int column;
};

static double count_of(const struct place *place, const char *event)
{
	size_t i;

	if (!strcmp(event, "SMT"))
		return place->smt;
	if (!strcmp(event, "TOPDOWN.SLOTS"))
		return place->part->issue_width *
		       (place->smt ? shared_clocks[place->column] :
				     count_of(place,
					      "CPU_CLK_UNHALTED.THREAD"));
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (!strcmp(counts[i].event, event))
			return counts[i].count[place->column];
	fail_msg("%s: %s has no count", place->part->name, event);
	return 0;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	struct place *place = ctx;
	struct bpmu_value value = { .known = true };

	value.number = count_of(place, name);
	return value;
}

static const struct formula *formula_of(const char *metric, const char *part)
{
	char word[16];
	size_t i;

	snprintf(word, sizeof(word), "%s ", part);
	for (i = 0; i < ARRAY_SIZE(formulas); i++)
		if (!strcmp(formulas[i].metric, metric) &&
		    strstr(formulas[i].parts, word))
			return &formulas[i];
	return NULL;
}

static void load(struct place *place, const char *part)
{
	struct bpmu_error err;

	memset(place, 0, sizeof(*place));
	place->part = bpmu_part_by_name(part);
	if (bpmu_metrics_builtin(&place->metrics, METHOD, place->part, &err))
		fail_msg("%s", err.text);
}

static void check_metric(struct place *place, const struct bpmu_metric *metric)
{
	const struct formula *formula;
	struct bpmu_value value;
	double want;

	formula = formula_of(metric->name, place->part->name);
	if (!formula)
		fail_msg("%s: %s has no value to compare with",
			 place->part->name, metric->name);
	want = formula->value[place->column][place->smt];
	value = unit_value(&place->metrics, metric->expr, lookup, place);
	if (!value.known || fabs(value.number - want) > TOLERANCE)
		fail_msg("%s: %s is %.12g, not %.12g, in column %d, smt %d",
			 place->part->name, metric->name, value.number, want,
			 place->column, place->smt);
}

static void check_values(const char *part)
{
	struct place place;
	unsigned int i;

	load(&place, part);
	for (place.smt = 0; place.smt < 2; place.smt++)
		for (place.column = 0; place.column < NR_COUNTS; place.column++)
			for (i = 0; i < place.metrics.nr; i++)
				if (place.metrics.metric[i].level)
					check_metric(&place,
						     &place.metrics.metric[i]);
	bpmu_metrics_free(&place.metrics);
}

static const char *const parts[] = {
	"snb", "jkt", "ivb", "ivt", "hsw", "hsx", "bdw", "bdx", "skl", "skx",
	"icl", "icx", "tgl", "rkl", "spr", "gnr", "adl", "slm", "avn", "glm", "glp",
	"knl", "zen4", "zen5", "zen6",
};

TEST(metrics_have_values_computed_by_hand)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		check_values(parts[i]);
}

/* If formulas.h has an expected value of a metric on a CPU model, this CPU model has the metric. */
TEST(no_node_is_missing)
{
	struct place place;
	size_t p;
	size_t i;

	for (p = 0; p < ARRAY_SIZE(parts); p++) {
		load(&place, parts[p]);
		for (i = 0; i < ARRAY_SIZE(formulas); i++)
			if (formula_of(formulas[i].metric, parts[p]) ==
				    &formulas[i] &&
			    bpmu_metrics_find(&place.metrics,
					      formulas[i].metric) < 0)
				fail_msg("%s: lacks %s", parts[p],
					 formulas[i].metric);
		bpmu_metrics_free(&place.metrics);
	}
}

/*
 * Sandy Bridge cannot tell stalls for L1 from stalls for L2: there is no node L1_Bound, but the
 * nodes below it exist.
 */
TEST(snb_has_no_l1_bound)
{
	const struct bpmu_metric *metric;
	struct place place;
	int i;

	load(&place, "snb");
	assert_int_equal(bpmu_metrics_find(&place.metrics, "L1_Bound"), -1);
	assert_int_equal(bpmu_metrics_find(&place.metrics, "ICacheStalls"), -1);
	i = bpmu_metrics_find(&place.metrics, "MEM_Latency");
	assert_true(i >= 0);
	metric = &place.metrics.metric[place.metrics.metric[i].parent];
	assert_string_equal(metric->name, "Ext_Memory_Bound");
	metric = &place.metrics.metric[metric->parent];
	assert_string_equal(metric->name, "Memory_Bound");
	assert_int_equal(metric->level, 2);
	bpmu_metrics_free(&place.metrics);

	/*
	 * Haswell has no event that counts floating-point uops, so the node FP_Arith is missing,
	 * with its children.
	 */
	load(&place, "hsw");
	assert_int_equal(bpmu_metrics_find(&place.metrics, "FP_Arith"), -1);
	assert_int_equal(bpmu_metrics_find(&place.metrics, "FP_Vector"), -1);
	bpmu_metrics_free(&place.metrics);
}

/**
 * struct threshold - the value above which a node is flagged
 * @metric: the node
 * @limit: limit that Intel publishes for the node. Intel has other names for four nodes:
 *	Light_Operations for BASE, Heavy_Operations for MicroSequencer, DRAM_Bound for
 *	Ext_Memory_Bound, and Store_Bound for Stores_Bound.
 */
struct threshold {
	const char *metric;
	double limit;
};

static const struct threshold thresholds[] = {
	{ "Frontend_Bound", 0.15 }, { "Fetch_Latency_Bound", 0.1 },
	{ "Branch_Resteers", 0.05 }, { "ICache_Misses", 0.05 },
	{ "ITLB_Misses", 0.05 }, { "Fetch_Bandwidth_Bound", 0.2 },
	{ "MITE", 0.1 }, { "DSB", 0.15 }, { "MS", 0.05 },
	{ "Bad_Speculation", 0.15 },
	{ "Branch_Mispredicts", 0.1 }, { "Machine_Clears", 0.1 },
	{ "Retiring", 0.7 }, { "BASE", 0.6 }, { "FP_Arith", 0.2 },
	{ "X87_Use", 0.1 }, { "FP_Scalar", 0.1 }, { "FP_Vector", 0.1 },
	{ "MicroSequencer", 0.1 }, { "Backend_Bound", 0.2 },
	{ "Memory_Bound", 0.2 }, { "L1_Bound", 0.1 }, { "Store_Fwd_Blk", 0.1 },
	{ "L2_Bound", 0.05 }, { "L3_Bound", 0.05 }, { "Ext_Memory_Bound", 0.1 },
	{ "MEM_Bandwidth", 0.2 }, { "MEM_Latency", 0.1 },
	{ "MEM_Bandwidth_Offcore", 0.2 }, { "MEM_Latency_Offcore", 0.1 },
	{ "Stores_Bound", 0.2 }, { "Core_Bound", 0.1 }, { "Divider", 0.2 },
	{ "Ports_Utilization", 0.15 },
	{ "Pipeline_Restarts", 0.1 }, { "Fastpath", 0.6 }, { "Microcode", 0.1 },
	{ "SMT_Contention", 0.2 },
};

/*
 * Returns the value of a metric in the tests of thresholds. @ctx has the name of one metric and the
 * value that it gets. All other metrics are 0.
 */
static struct bpmu_value only(void *ctx, const char *name)
{
	const struct threshold *node = ctx;

	return (struct bpmu_value){
		.number = strcmp(name, node->metric) ? 0 : node->limit,
		.known = true,
	};
}

static bool flagged(const struct bpmu_metric *metric, const char *name,
		    double value)
{
	struct threshold node = { name, value };

	return unit_value(NULL, metric->flag, only, &node).number;
}

static void check_threshold(const char *part, const struct bpmu_metric *metric)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(thresholds); i++)
		if (!strcmp(thresholds[i].metric, metric->name))
			break;
	if (i == ARRAY_SIZE(thresholds) || !metric->flag)
		fail_msg("%s: %s has no threshold", part, metric->name);
	if (flagged(metric, metric->name, thresholds[i].limit - 0.001) ||
	    !flagged(metric, metric->name, thresholds[i].limit + 0.001))
		fail_msg("%s: %s is not flagged from %g on", part, metric->name,
			 thresholds[i].limit);
	if (metric->first != !strcmp(metric->name, "Bad_Speculation"))
		fail_msg("%s: which comes first: %s", part, metric->name);
}

TEST(nodes_are_flagged_above_their_thresholds)
{
	const struct bpmu_metric *retiring;
	const char *microcode;
	struct place place;
	unsigned int i;
	size_t p;

	for (p = 0; p < ARRAY_SIZE(parts); p++) {
		load(&place, parts[p]);
		for (i = 0; i < place.metrics.nr; i++)
			if (place.metrics.metric[i].level)
				check_threshold(parts[p],
						&place.metrics.metric[i]);
		/*
		 * Retiring is also flagged if the microcode sequencer supplies more than 10 % of
		 * the slots.
		 */
		i = bpmu_metrics_find(&place.metrics, "Retiring");
		retiring = &place.metrics.metric[i];
		microcode = bpmu_metrics_find(&place.metrics, "Microcode") < 0 ?
			"MicroSequencer" : "Microcode";
		assert_true(flagged(retiring, microcode, 0.101));
		assert_false(flagged(retiring, microcode, 0.099));
		bpmu_metrics_free(&place.metrics);
	}
}

/* The Top-Down tree of AMD replaces the paper's: no metric of the paper's tree is left. */
TEST(a_tree_of_a_part_replaces_the_common_one)
{
	static const char *const amd[] = { "zen4", "zen5", "zen6" };
	struct place place;
	size_t p;

	for (p = 0; p < ARRAY_SIZE(amd); p++) {
		load(&place, amd[p]);
		assert_int_equal(bpmu_metrics_find(&place.metrics, "Machine_Clears"), -1);
		assert_int_equal(bpmu_metrics_find(&place.metrics, "ThreadShare"), -1);
		assert_int_equal(place.metrics.nr_files, 1);
		bpmu_metrics_free(&place.metrics);
	}
}

/* A thread of AMD's CPUs has six counters, and level 1 has six events. */
TEST(level_1_of_amd_needs_one_group)
{
	static const char *const amd[] = { "zen4", "zen5", "zen6" };
	struct bpmu_tree tree;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	unsigned int smt;
	size_t p;

	for (p = 0; p < ARRAY_SIZE(amd); p++)
		for (smt = 0; smt < 2; smt++) {
			pmu = unit_pmu(amd[p], 6);
			if (bpmu_tree_init(&tree, METHOD, &pmu, smt, 1, &err))
				fail_msg("%s", err.text);
			assert_int_equal(tree.nr_groups, 1);
			assert_int_equal(tree.events[0].nr, 6);
			bpmu_tree_free(&tree);
			assert_int_equal(bpmu_tree_init(&tree, METHOD, &pmu, smt, 2, &err), 0);
			assert_int_equal(tree.nr_groups, 3);
			bpmu_tree_free(&tree);
		}
}

static unsigned int levels_of(const struct bpmu_part *part)
{
	return part->ids[0].vendor == BPMU_VENDOR_AMD || part->issue_width == 2 ||
	       part->threads == 1 ? 2 : LEVELS;
}

static void check_groups(const char *part, int smt)
{
	const struct bpmu_part *found = bpmu_part_by_name(part);
	struct bpmu_tree tree;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	unsigned int level;

	pmu = unit_pmu(part, unit_most_counters(found, smt));
	for (level = 1; level <= levels_of(found); level++) {
		if (bpmu_tree_init(&tree, METHOD, &pmu, smt, level, &err))
			fail_msg("%s, smt %d, level %u: %s", part, smt, level,
				 err.text);
		bpmu_tree_free(&tree);
	}
}

/*
 * All events that the formulas of a tree name are events of the CPU model. If a formula needs
 * several events that must be counted at the same time, they fit on the counters together.
 */
TEST(events_of_a_formula_fit_on_the_counters)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		check_groups(parts[i], 0);
		check_groups(parts[i], 1);
	}
}
