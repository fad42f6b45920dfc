// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the verdict, the text below a Top-Down tree: it names the bottleneck that the values and
 * their confidence intervals show, or none if they allow no conclusion. Values and intervals are
 * made up.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/phase.h"
#include "count/verdict.h"
#include "unit.h"

#define LINES_MAX 512

static struct bpmu_tree tree;
static struct bpmu_tree_value values[LINES_MAX];

static void begin_of(const char *part, const char *method, unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu(part, 4);
	struct bpmu_error err;

	memset(values, 0, sizeof(values));
	if (bpmu_tree_init(&tree, method, &pmu, 0, level, &err))
		fail_msg("%s", err.text);
	assert_true(tree.metrics.nr <= LINES_MAX);
}

static void end(void)
{
	bpmu_tree_free(&tree);
}

/*
 * Sets the value of a node to @share, and the half-width of the value's confidence interval to
 * @half. Does nothing if the tree does not show the node.
 */
static void set(const char *name, double share, double half)
{
	int i = bpmu_metrics_find(&tree.metrics, name);

	assert_true(i >= 0);
	if (!tree.shown[i])
		return;
	values[i].known = true;
	values[i].value = share;
	values[i].uncertainty = half;
}

/*
 * Makes Ivy Bridge's tree down to @level. The nodes of level 1 have values below their thresholds.
 */
static void begin(unsigned int level)
{
	begin_of("ivb", "topdown", level);
	set("Frontend_Bound", 0.1, 0);
	set("Bad_Speculation", 0.1, 0);
	set("Retiring", 0.1, 0);
	set("Backend_Bound", 0.1, 0);
}

/* How the command that prints the verdict can measure longer. The verdict may advise this. */
static enum bpmu_longer longer;

static char *text(void)
{
	char *said = NULL;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	assert_non_null(out);
	bpmu_tree_judge(&tree, values);
	bpmu_verdict_text(out, &tree, values, longer);
	fclose(out);
	return said;
}

static void says(const char *part)
{
	char *said = text();

	if (!strstr(said, part))
		fail_msg("'%s' is not in:%s", part, said);
	free(said);
}

static void says_not(const char *part)
{
	char *said = text();

	if (strstr(said, part))
		fail_msg("'%s' is in:%s", part, said);
	free(said);
}

static bool has_flag(const char *name, unsigned int flag)
{
	return values[bpmu_metrics_find(&tree.metrics, name)].flags & flag;
}

static bool is_flagged(const char *name)
{
	return values[bpmu_metrics_find(&tree.metrics, name)].flagged;
}

/*
 * The verdict names a path through the tree: from a node of level 1 to the largest node below it,
 * and so on. L1_Bound, below Backend_Bound, is the deepest flagged node. But Frontend_Bound is
 * larger than Backend_Bound, so the path leads to Fetch_Latency_Bound.
 */
TEST(the_path_follows_the_largest_node_at_any_level)
{
	static const char *const paths[] = {
		"Flagged: Frontend_Bound.",
		"Flagged: Frontend_Bound > Fetch_Latency_Bound.",
		"Flagged: Frontend_Bound > Fetch_Latency_Bound.",
		"Flagged: Frontend_Bound > Fetch_Latency_Bound.",
	};
	unsigned int level;

	for (level = 1; level <= ARRAY_SIZE(paths); level++) {
		begin(level);
		set("Frontend_Bound", 0.65, 0);
		set("Fetch_Latency_Bound", 0.60, 0);
		set("Fetch_Bandwidth_Bound", 0.05, 0);
		set("Backend_Bound", 0.24, 0);
		set("Memory_Bound", 0.21, 0);
		set("L1_Bound", 0.11, 0);
		says(paths[level - 1]);
		assert_true(is_flagged("Backend_Bound"));
		end();
	}
}

static void measured(struct bpmu_phase *phase,
		     const struct bpmu_tree_value *of, double seconds, bool whole)
{
	const struct bpmu_phase_interval interval = {
		.measured = &tree, .values = of, .seconds = seconds,
		.whole = whole,
	};

	bpmu_phase_add(phase, &interval);
}

static void begin_phase(struct bpmu_phase *phase)
{
	struct bpmu_error err;

	if (bpmu_phase_init(phase, &tree, &err))
		fail_msg("%s", err.text);
}

/*
 * Over the whole run both Frontend_Bound and Backend_Bound are flagged. The path of nodes that the
 * verdict names begins with the larger of the two.
 */
TEST(the_verdict_of_a_run_uses_the_whole_run)
{
	static const struct {
		const char *name;
		double share;
	} nodes[] = {
		{ "Frontend_Bound", 0.17 }, { "Fetch_Latency_Bound", 0.16 },
		{ "Bad_Speculation", 0.05 }, { "Retiring", 0.08 },
		{ "Backend_Bound", 0.70 }, { "Memory_Bound", 0.65 },
		{ "Ext_Memory_Bound", 0.62 }, { "MEM_Latency", 0.60 },
	};
	struct bpmu_tree_value of[LINES_MAX] = { };
	struct bpmu_phase phase;
	unsigned int i, k;

	begin(4);
	begin_phase(&phase);
	/*
	 * For 2 s the value of each node is 1.25 times its @share, and for 1 s half of its @share.
	 * The mean over the 3 s is @share.
	 */
	for (k = 0; k < 2; k++) {
		for (i = 0; i < ARRAY_SIZE(nodes); i++)
			of[bpmu_metrics_find(&tree.metrics, nodes[i].name)] =
				(struct bpmu_tree_value){
					.known = true,
					.value = nodes[i].share *
						 (k ? 0.5 : 1.25),
				};
		measured(&phase, of, k ? 1 : 2, true);
	}
	bpmu_phase_mean(&phase, values);
	says("Flagged: Backend_Bound > Memory_Bound > Ext_Memory_Bound > MEM_Latency.");
	for (i = 0; i < ARRAY_SIZE(nodes); i++)
		assert_float_equal(values[bpmu_metrics_find(&tree.metrics,
				   nodes[i].name)].value, nodes[i].share,
				   0.000001);
	bpmu_phase_free(&phase);
	end();
}

/*
 * A verdict needs a measurement of 0.5 s. The run has two intervals of 0.2 s, and one of 0.1 s
 * whose uncertainty is unknown. With two more intervals of 0.2 s there is a verdict.
 */
TEST(the_verdict_of_a_run_needs_enough_slices)
{
	struct bpmu_tree_value whole[LINES_MAX] = { };
	struct bpmu_tree_value tail[LINES_MAX] = { };
	struct bpmu_phase phase;
	unsigned int k;
	int node;

	begin(1);
	begin_phase(&phase);
	memcpy(whole, values, sizeof(whole));
	node = bpmu_metrics_find(&tree.metrics, "Backend_Bound");
	whole[node] = (struct bpmu_tree_value){
		.known = true, .value = 0.4, .uncertainty = 0.04, .longer = 0.5,
	};
	tail[node] = (struct bpmu_tree_value){
		.known = true, .value = 0.4, .uncertainty = INFINITY,
	};
	for (k = 0; k < 2; k++)
		measured(&phase, whole, 0.2, true);
	measured(&phase, tail, 0.1, false);
	bpmu_phase_mean(&phase, values);
	/*
	 * The two intervals of 0.2 s have independent values with an uncertainty of 0.04 each. The
	 * mean of the two values has an uncertainty of 0.04 / sqrt(2).
	 */
	assert_float_equal(values[node].uncertainty, 0.0282843, 0.000001);
	says("measure longer: at least 0.5 s.");
	for (k = 0; k < 2; k++)
		measured(&phase, whole, 0.2, true);
	bpmu_phase_mean(&phase, values);
	says("Flagged: Backend_Bound.");
	bpmu_phase_free(&phase);
	end();
}

/*
 * The verdict compares only nodes with the same parent. Fetch_Latency_Bound is larger than
 * Core_Bound, but has another parent.
 */
TEST(only_siblings_are_compared)
{
	begin(2);
	set("Retiring", 0.2, 0);
	set("Frontend_Bound", 0.25, 0);
	set("Fetch_Latency_Bound", 0.24, 0);
	set("Backend_Bound", 0.3, 0);
	set("Memory_Bound", 0.21, 0);
	set("Core_Bound", 0.22, 0);
	says("Flagged: Backend_Bound > Core_Bound.");
	/* Memory_Bound is a share of clocks, not of slots, so it may be larger than its parent. */
	set("Memory_Bound", 0.9, 0);
	says("Flagged: Backend_Bound > Memory_Bound.");
	end();
}

TEST(bad_speculation_comes_first)
{
	begin(2);
	set("Bad_Speculation", 0.2, 0);
	set("Branch_Mispredicts", 0.19, 0);
	set("Machine_Clears", 0.01, 0);
	set("Backend_Bound", 0.5, 0);
	set("Memory_Bound", 0.4, 0);
	says("Flagged: Bad_Speculation > Branch_Mispredicts first, then Backend_Bound > Memory_Bound.\nBad_Speculation comes first: that much of the work is on wrong paths");
	says("Branch_Mispredicts: Slots lost to mispredicted branches");
	says("Memory_Bound: Cycles lost");
	/* Bad_Speculation is the largest node, so no other node of level 1 is named. */
	set("Bad_Speculation", 0.6, 0);
	set("Backend_Bound", 0.25, 0);
	says("Flagged: Bad_Speculation > Branch_Mispredicts.\nBad_Speculation comes first");
	says_not("Memory_Bound");
	/* Bad_Speculation is below its threshold, so it is not mentioned. */
	set("Bad_Speculation", 0.14, 0);
	says("Flagged: Backend_Bound > Memory_Bound.");
	says_not("comes first");
	end();
}

/*
 * The threshold of Backend_Bound is 20 %. The node is undecided if its confidence interval, such as
 * 22 +- 3 %, includes the threshold. The confidence interval 24 +- 3 % does not include the
 * threshold.
 */
TEST(an_undecided_node_is_not_flagged)
{
	begin(2);
	set("Backend_Bound", 0.22, 0.03);
	set("Memory_Bound", 0.4, 0);
	says("Nothing is flagged for sure, but Backend_Bound may be over its threshold: measure longer.");
	assert_true(has_flag("Backend_Bound", BPMU_VALUE_UNDECIDED));
	assert_false(is_flagged("Backend_Bound"));
	/*
	 * Memory_Bound exceeds its threshold, but is not mentioned, because its parent is not
	 * flagged.
	 */
	assert_false(is_flagged("Memory_Bound"));
	assert_false(has_flag("Memory_Bound", BPMU_VALUE_UNDECIDED));
	/*
	 * The value is below the threshold of 20 %, but its confidence interval includes the
	 * threshold.
	 */
	set("Backend_Bound", 0.18, 0.03);
	says("Backend_Bound may be over its threshold");
	set("Backend_Bound", 0.18, 0.01);
	says("Nothing is flagged: no bottleneck");
	set("Backend_Bound", 0.24, 0.03);
	says("Flagged: Backend_Bound > Memory_Bound.");
	/*
	 * The uncertainty of the value is unknown, so it is not known whether the node exceeds its
	 * threshold.
	 */
	set("Backend_Bound", 0.9, INFINITY);
	says("Backend_Bound may be over its threshold");
	end();
}

/*
 * Memory_Bound is larger than Core_Bound, but may be below its threshold. The path cannot tell
 * which of the two comes next, so it ends at their parent.
 */
TEST(the_path_ends_above_an_undecided_larger_node)
{
	begin(2);
	set("Backend_Bound", 0.5, 0.01);
	set("Memory_Bound", 0.25, 0.1);
	set("Core_Bound", 0.12, 0.01);
	says("Flagged: Backend_Bound.\n");
	says("Below it Memory_Bound may be over its threshold: measure longer.");
	set("Memory_Bound", 0.25, 0.01);
	says("Flagged: Backend_Bound > Memory_Bound.");
	end();
}

/*
 * If the difference of the two largest children is not significant, both are named, with the
 * difference.
 */
TEST(nodes_that_do_not_differ_are_both_named)
{
	begin(3);
	set("Backend_Bound", 0.6, 0.01);
	set("Memory_Bound", 0.31, 0.03);
	set("L1_Bound", 0.3, 0.01);
	set("Core_Bound", 0.27, 0.02);
	says("Flagged: Backend_Bound > Memory_Bound or Core_Bound.\nNot distinguishable: measure longer.\nMemory_Bound: ");
	says("Core_Bound: Cycles with little execution");
	set("Core_Bound", 0.27, 0.005);
	says("Flagged: Backend_Bound > Memory_Bound > L1_Bound.");
	/*
	 * If the values of the two nodes are exact, both nodes are named only if the values are
	 * equal.
	 */
	set("Memory_Bound", 0.31, 0);
	set("Core_Bound", 0.3099, 0);
	says("Flagged: Backend_Bound > Memory_Bound > L1_Bound.");
	set("Core_Bound", 0.31, 0);
	says("Backend_Bound > Memory_Bound or Core_Bound.");
	end();
}

/*
 * Retiring may be flagged because of MicroSequencer below it. At level 1 MicroSequencer is not
 * measured, and the path ends at Retiring.
 */
TEST(a_node_flagged_by_a_deeper_one_has_no_path)
{
	unsigned int level;

	for (level = 1; level <= 2; level++) {
		begin(level);
		set("Retiring", 0.5, 0);
		set("MicroSequencer", 0.2, 0);
		set("Backend_Bound", 0.4, 0);
		says("Flagged: Backend_Bound.\n");
		assert_int_equal(is_flagged("Retiring"), level == 2);
		set("Retiring", 0.75, 0);
		says(level == 1 ? "Flagged: Retiring." :
				  "Flagged: Retiring > MicroSequencer.");
		end();
	}
	for (level = 1; level <= 2; level++) {
		begin(level);
		set("Retiring", 0.5, 0);
		set("MicroSequencer", 0.2, 0);
		says("Nothing is flagged: no bottleneck stands out.\n");
		if (level == 1)
			says_not("Besides");
		else
			says("Besides, whatever its parent's share: Retiring > MicroSequencer.\nMicroSequencer: ");
		/*
		 * MicroSequencer may be over its threshold. It is therefore not known whether
		 * Retiring is flagged because of MicroSequencer, so Retiring is undecided.
		 */
		set("MicroSequencer", 0.11, 0.02);
		says("Nothing is flagged: no bottleneck");
		says_not("Besides");
		assert_int_equal(has_flag("Retiring", BPMU_VALUE_UNDECIDED),
				 level == 2);
		/* Retiring is undecided here because of its own uncertainty. */
		set("Retiring", 0.69, 0.02);
		set("MicroSequencer", 0.2, 0);
		says("Nothing is flagged for sure, but Retiring may be over");
		end();
	}
}

TEST(too_few_slices_withhold_the_verdict)
{
	begin(2);
	set("Backend_Bound", 0.9, 0.01);
	set("Memory_Bound", 0.785, 2.15);
	values[bpmu_metrics_find(&tree.metrics, "Memory_Bound")].longer = 0.312;
	says("No verdict (too few slices per group); measure longer: at least 0.4 s, or -l 1.");
	says_not("Flagged");
	values[bpmu_metrics_find(&tree.metrics, "Memory_Bound")].runs = 3;
	says("measure longer: at least 0.4 s, or -l 1.");
	/*
	 * There are several ways to measure longer, but each command has only some of them. The
	 * advice names only a way that the command that prints the verdict has.
	 */
	longer = BPMU_LONGER_REPEAT;
	says("measure longer: at least 0.4 s, such as 3 runs (topdown -r auto), or -l 1.");
	longer = BPMU_LONGER_INTERVAL;
	says("take longer intervals (-I): at least 0.4 s, or -l 1.");
	longer = BPMU_LONGER_RECORDING;
	says("record longer: at least 0.4 s, or --topdown 1.");
	longer = BPMU_LONGER_REPLAY;
	says("take longer intervals (-I): at least 0.4 s.\n");
	longer = BPMU_LONGER_RUN;
	end();
	begin(1);
	set("Backend_Bound", 0.9, 0.01);
	values[bpmu_metrics_find(&tree.metrics, "Backend_Bound")].longer = 1.2;
	says("at least 1.2 s.");
	says_not("-l 1");
	bpmu_tree_judge(&tree, values);
	assert_false(values[bpmu_metrics_find(&tree.metrics, "Backend_Bound")].flagged);
	end();
}

static void make(const char *lines)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	memset(values, 0, sizeof(values));
	if (unit_tree(&tree, lines, &pmu, BPMU_TREE_ALL, &err))
		fail_msg("%s", err.text);
}

TEST(without_flags_there_is_no_bottleneck)
{
	char *said;

	begin_of("ivb", "topdown", 1);
	says("No node has a value: no verdict.");
	end();
	begin(1);
	set("Retiring", 0.5, 0);
	says("Nothing is flagged: no bottleneck stands out.");
	end();
	/*
	 * Without thresholds no metric can be flagged, so the verdict is empty. It does not say
	 * that nothing is flagged.
	 */
	make("Share = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit clocks\n"
	     "\tPart = Share\n");
	set("Share", 0.9, 0);
	said = text();
	assert_string_equal(said, "");
	free(said);
	end();
}

/*
 * A value that is no share is not compared with a share. Values in different units are not
 * compared, either.
 */
TEST(values_of_different_units_are_not_compared)
{
	make("Rate = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit uops/clock | flag > 1\n"
	     "Share = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit clocks | flag > 0.1\n"
	     "Other = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit clocks | flag > 0.1\n");
	set("Rate", 3, 0);
	says("Flagged: Rate.");
	set("Share", 0.2, 0);
	set("Other", 0.3, 0);
	says("Flagged: Other.");
	end();
}

/* Takes the value away from each node whose value is NAN. */
static void forget_nan(void)
{
	unsigned int i;

	for (i = 0; i < tree.metrics.nr; i++)
		if (isnan(values[i].value))
			values[i] = (struct bpmu_tree_value){
				.flags = BPMU_VALUE_MISSING,
			};
}

static void lose(const char *name)
{
	set(name, NAN, 0);
	forget_nan();
}

/*
 * These values are from published output. The kernel that counted the events did not scale slots,
 * so the values are impossible: nodes of level 1 cannot exceed 100 %, or be negative.
 */
TEST(impossible_values_give_no_verdict)
{
	begin(1);
	set("Frontend_Bound", 3.03, 0);
	set("Bad_Speculation", 1.33, 0);
	set("Retiring", 1.21, 0);
	set("Backend_Bound", -4.57, 0);
	says("No verdict: Frontend_Bound 303 %, Bad_Speculation 133 %, Retiring 121 %, Backend_Bound -457 % of slots cannot be; the counts contradict each other.");
	says_not("Flagged");
	end();
	/*
	 * If one value is impossible (below 0 or above 100 %), there is no verdict. A value that is
	 * impossible by no more than the usual error of counters is allowed.
	 */
	begin(1);
	set("Backend_Bound", 0.9, 0);
	set("Bad_Speculation", -0.04, 0);
	says("Flagged: Backend_Bound.");
	set("Bad_Speculation", -0.06, 0);
	says("No verdict: Bad_Speculation -6 % of slots cannot be");
	/* A value is not taken for impossible if a possible value is within its uncertainty. */
	set("Bad_Speculation", -0.06, 0.02);
	says("Flagged: Backend_Bound.");
	set("Bad_Speculation", 0.02, 0);
	set("Backend_Bound", 1.07, 0.01);
	says("No verdict: Backend_Bound 107 %");
	set("Backend_Bound", 1.07, 0.03);
	says("Flagged: Backend_Bound.");
	end();
}

TEST(the_path_ends_above_an_impossible_node)
{
	begin(3);
	set("Backend_Bound", 0.6, 0);
	set("Memory_Bound", 1.3, 0);
	set("Core_Bound", 0.3, 0);
	set("L1_Bound", 0.3, 0);
	says("Flagged: Backend_Bound.\n");
	says("Below it Memory_Bound is 130 %, which cannot be: its counts contradict each other.");
	end();
}

/* If one node of a level has no value, it may be the largest one, so there is no verdict. */
TEST(part_of_a_level_gives_no_verdict)
{
	static const char *const roots[] = {
		"Frontend_Bound", "Bad_Speculation", "Retiring", "Backend_Bound"
	};
	char part[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(roots); i++) {
		begin(2);
		set("Frontend_Bound", 0.3, 0);
		set("Retiring", 0.4, 0);
		lose(roots[i]);
		snprintf(part, sizeof(part),
			 "No verdict: %s has no value, and of a level only the whole tells what is largest.\n",
			 roots[i]);
		says(part);
		says_not("Flagged");
		end();
	}
	begin(1);
	lose("Frontend_Bound");
	lose("Bad_Speculation");
	lose("Backend_Bound");
	says("No verdict: Frontend_Bound, Bad_Speculation, Backend_Bound have no value");
	end();
	/*
	 * A node that the user did not ask for has no value, so there is no verdict in this case,
	 * too.
	 */
	begin(1);
	tree.shown[bpmu_metrics_find(&tree.metrics, "Backend_Bound")] = false;
	says("No verdict: Backend_Bound has no value");
	end();
	/* Memory_Bound, at level 2, has no value, so the path ends at its parent. */
	begin(2);
	set("Backend_Bound", 0.6, 0);
	set("Core_Bound", 0.2, 0);
	says("Flagged: Backend_Bound > Core_Bound.");
	lose("Memory_Bound");
	says("Flagged: Backend_Bound.\n");
	says("Below it Memory_Bound has no value, and of a level");
	end();
}

TEST(a_pmu_that_reads_0_gives_no_verdict)
{
	begin(1);
	set("Frontend_Bound", 0, 0);
	set("Bad_Speculation", 0, 0);
	set("Retiring", 0, 0);
	set("Backend_Bound", 1, 0);
	says("No verdict: Backend_Bound is all there is, to the last slot");
	says_not("Flagged");
	set("Retiring", 0.00001, 0);
	set("Backend_Bound", 0.99999, 0);
	says("Flagged: Backend_Bound.");
	end();
}

TEST(bad_speculation_comes_first_in_intels_tree_too)
{
	static const char *const parts[] = { "ivb", "skl", "icx", "spr" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		begin_of(parts[i], "tma", 1);
		set("tma_frontend_bound", 0.51, 0);
		set("tma_bad_speculation", 0.33, 0);
		set("tma_retiring", 0.15, 0);
		set("tma_backend_bound", 0.01, 0);
		says("Flagged: tma_bad_speculation first, then tma_frontend_bound.");
		end();
	}
}

/*
 * A metric that is not a node of the tree may be larger than the nodes. Such a metric may have a
 * threshold, and the same unit as the nodes of level 1. The verdict must not name such a metric.
 */
TEST(only_nodes_of_the_tree_compete)
{
	make("Useful_Work = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit slots | flag > 0.1\n"
	     "Frontend = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit slots | flag > 0.1\n"
	     "\tLatency = Frontend | unit slots | flag > 0.1\n"
	     "Backend = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit slots | flag > 0.1\n"
	     "\tMemory = Backend | unit slots | flag > 0.1\n"
	     "Per_Call = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | flag < 200\n");
	set("Useful_Work", 0.9, 0);
	set("Frontend", 0.3, 0);
	set("Latency", 0.2, 0);
	set("Backend", 0.05, 0);
	set("Memory", 0.05, 0);
	set("Per_Call", 50, 0);
	says("Flagged: Frontend > Latency.\n");
	set("Frontend", 0.05, 0);
	says("Nothing is flagged: no bottleneck stands out.");
	/* The verdict needs no value of a metric that is not a node of the tree. */
	set("Frontend", 0.3, 0);
	lose("Per_Call");
	says("Flagged: Frontend > Latency.\n");
	end();
}

/*
 * AMD's tree has a fifth root node, SMT_Contention, which has no children. It is a node of the tree
 * only because of the word "root" in the metric file.
 */
TEST(a_root_without_children_competes)
{
	static const char *const others[] = {
		"Frontend_Bound", "Bad_Speculation", "Retiring", "Backend_Bound"
	};
	unsigned int level;
	size_t i;

	for (level = 1; level <= 2; level++) {
		begin_of("zen4", "topdown", level);
		for (i = 0; i < ARRAY_SIZE(others); i++)
			set(others[i], 0.1, 0);
		set("Backend_Bound", 0.3, 0);
		set("SMT_Contention", 0.4, 0);
		says("Flagged: SMT_Contention.\n");
		says("give the thread a core of its own");
		set("SMT_Contention", 0.1, 0);
		says("Flagged: Backend_Bound.\n");
		/* There is a verdict only if all five root nodes have a value. */
		lose("SMT_Contention");
		says("No verdict: SMT_Contention has no value");
		/*
		 * Like the other root nodes, SMT_Contention cannot be larger than 100 % of slots.
		 */
		set("SMT_Contention", 1.2, 0);
		says("No verdict: SMT_Contention");
		end();
	}
	make("Frontend = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit slots | flag > 0.1\n"
	     "\tLatency = Frontend | unit slots | flag > 0.1\n"
	     "Other = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit slots | flag > 0.1 | root\n");
	set("Frontend", 0.3, 0);
	set("Latency", 0.2, 0);
	set("Other", 0.5, 0);
	says("Flagged: Other.\n");
	end();
}

/* If the tree has deeper levels, which were not measured, the verdict advises to measure them. */
TEST(the_end_of_a_path_says_what_can_tell_more)
{
	begin(1);
	set("Backend_Bound", 0.6, 0);
	says("Next: look one level down: data or execution units\n");
	says_not("--extra");
	end();
	/*
	 * Level 2 was measured, and none of its nodes below Backend_Bound is flagged. On Ivy Bridge
	 * the option --extra adds nodes below level 2. These nodes may show that execution ports
	 * are crowded.
	 */
	begin(2);
	set("Backend_Bound", 0.6, 0);
	set("Memory_Bound", 0.05, 0);
	set("Core_Bound", 0.05, 0);
	says("Flagged: Backend_Bound.\nSlots without a uop because the backend could not take one\n--extra -l 3 measures more below it: Divider, Ports_Utilization.\n");
	says_not("look one level down");
	/* Below Core_Bound the tree has only nodes that the option --extra adds. */
	set("Core_Bound", 0.5, 0);
	says("Next: break chains, avoid divisions\n--extra -l 3 measures more below it: Divider, Ports_Utilization.\n");
	/*
	 * Memory_Bound may be flagged, so the advice is to measure longer, not to measure more
	 * nodes.
	 */
	set("Core_Bound", 0.05, 0);
	set("Memory_Bound", 0.19, 0.05);
	says("Below it Memory_Bound may be over its threshold");
	says_not("--extra");
	end();
	begin(2);
	set("Frontend_Bound", 0.4, 0);
	set("Fetch_Latency_Bound", 0.35, 0);
	set("Fetch_Bandwidth_Bound", 0.05, 0);
	says("Next: profile-guided layout, huge pages for code\n--extra -l 3 measures more below it: Branch_Resteers, ICache_Misses, ITLB_Misses.\n");
	/* The path ends at a node of the deepest level. */
	set("Frontend_Bound", 0.1, 0);
	set("Bad_Speculation", 0.5, 0);
	set("Branch_Mispredicts", 0.4, 0);
	set("Machine_Clears", 0.1, 0);
	says("Next: sample BR_MISP_RETIRED.ALL_BRANCHES; make hot branches predictable or free of branches\n");
	says_not("level down");
	says_not("--extra");
	end();
}

TEST(json_has_the_verdict)
{
	static const struct {
		double bad, longer;
		const char *said;
	} cases[] = {
		{ 0, 0, "{\"schema\":3,\"type\":\"verdict\",\"x\":1,\"verdict\":\"flagged\",\"first\":[],\"paths\":[[\"Backend_Bound\",\"Memory_Bound\"],[\"Backend_Bound\",\"Core_Bound\"]],\"besides\":[],\"why\":[],\"maybe\":null,\"longer\":null,\"longer_runs\":null}\n" },
		{ 0.2, 0, "\"first\":[[\"Bad_Speculation\"]],\"paths\":[[\"Backend_Bound\",\"Memory_Bound\"]," },
		{ 0, 0.25, "\"verdict\":\"withheld\",\"first\":[],\"paths\":[],\"besides\":[],\"why\":[],\"maybe\":null,\"longer\":0.250,\"longer_runs\":3}\n" },
		{ 1.21, 0, "\"verdict\":\"contradictory\",\"first\":[],\"paths\":[],\"besides\":[],\"why\":[\"Bad_Speculation\"],\"maybe\":null,\"longer\":null,\"longer_runs\":null}\n" },
		{ NAN, 0, "\"verdict\":\"incomplete\",\"first\":[],\"paths\":[],\"besides\":[],\"why\":[\"Bad_Speculation\"],\"maybe\":null,\"longer\":null,\"longer_runs\":null}\n" },
	};
	static const struct bpmu_field x = {
		"x", .form = BPMU_FIELD_WHOLE, .whole = 1,
	};
	const struct bpmu_fields when = { &x, 1 };
	char *said = NULL;
	size_t size, i;
	FILE *out;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		begin(2);
		set("Backend_Bound", 0.6, 0);
		set("Memory_Bound", 0.3, 0);
		set("Core_Bound", 0.3, 0);
		set("Bad_Speculation", cases[i].bad, 0);
		forget_nan();
		values[0].longer = cases[i].longer;
		values[0].runs = ceil(cases[i].longer / 0.1);
		bpmu_tree_judge(&tree, values);
		out = open_memstream(&said, &size);
		assert_non_null(out);
		bpmu_verdict_json(out, &tree, values, &when);
		fclose(out);
		if (!strstr(said, cases[i].said))
			fail_msg("'%s' is not in: %s", cases[i].said, said);
		free(said);
		end();
	}
}
