// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the verdict below a tree: it names the bottleneck that the values and their confidence
 * intervals show, or none if they allow no conclusion. Values and intervals are made up.
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
 * Sets a node's value and the half-width of its interval; a node that the tree does not have is
 * ignored.
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

/* Makes Ivy Bridge's tree, in which each root has a value below its threshold. */
static void begin(unsigned int level)
{
	begin_of("ivb", "topdown", level);
	set("Frontend_Bound", 0.1, 0);
	set("Bad_Speculation", 0.1, 0);
	set("Retiring", 0.1, 0);
	set("Backend_Bound", 0.1, 0);
}

/* The option by which the command that prints the verdict can measure longer. */
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

/* L1_Bound, below Backend_Bound, is deeper and smaller than any node below Frontend_Bound. */
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

/* Two nodes are flagged over the whole run; the verdict names the larger one first. */
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
	 * The run has 2 s with 1.25 times each node's share and 1 s with half of it, so each mean
	 * is the share.
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
 * A verdict needs the slices of 0.5 s. The run has two intervals of 0.2 s and one of 0.1 s without
 * enough slices for an uncertainty; two more intervals of 0.2 s suffice.
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
	/* The mean of two independent values has an uncertainty of 0.04 / sqrt(2). */
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
 * The verdict compares only siblings. Fetch_Latency_Bound is larger than Core_Bound, but is no
 * sibling of it.
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
	/* A child that is a share of something else than slots may be larger than its parent. */
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
	/* Bad_Speculation is the largest: no other node is named beside it. */
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
 * The threshold of 20 % is inside of the interval 22 +- 3 %, so the node is undecided; it is
 * outside of 25 +- 3 %.
 */
TEST(an_undecided_node_is_not_flagged)
{
	begin(2);
	set("Backend_Bound", 0.22, 0.03);
	set("Memory_Bound", 0.4, 0);
	says("Nothing is flagged for sure, but Backend_Bound may be over its threshold: measure longer.");
	assert_true(has_flag("Backend_Bound", BPMU_VALUE_UNDECIDED));
	assert_false(is_flagged("Backend_Bound"));
	/* A node that exceeds its threshold is not mentioned if its parent is not flagged. */
	assert_false(is_flagged("Memory_Bound"));
	assert_false(has_flag("Memory_Bound", BPMU_VALUE_UNDECIDED));
	/* The value is below the threshold, but its interval includes it. */
	set("Backend_Bound", 0.18, 0.03);
	says("Backend_Bound may be over its threshold");
	set("Backend_Bound", 0.18, 0.01);
	says("Nothing is flagged: no bottleneck");
	set("Backend_Bound", 0.24, 0.03);
	says("Flagged: Backend_Bound > Memory_Bound.");
	/*
	 * The node's uncertainty is unknown, so it cannot be known whether the node exceeds its
	 * threshold.
	 */
	set("Backend_Bound", 0.9, INFINITY);
	says("Backend_Bound may be over its threshold");
	end();
}

/*
 * A larger sibling may be flagged, so the path cannot tell which of the two comes next: it ends at
 * their parent.
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

/* If the difference of two nodes is not significant, both are named, with their difference. */
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
	/* Two exact values are both named only if they are equal. */
	set("Memory_Bound", 0.31, 0);
	set("Core_Bound", 0.3099, 0);
	says("Flagged: Backend_Bound > Memory_Bound > L1_Bound.");
	set("Core_Bound", 0.31, 0);
	says("Backend_Bound > Memory_Bound or Core_Bound.");
	end();
}

/*
 * A node may be flagged because of a node below it. If the level of that node is not measured, the
 * path ends at the flagged one.
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
		 * MicroSequencer may exceed its threshold, and then Retiring would be flagged: so
		 * Retiring is undecided.
		 */
		set("MicroSequencer", 0.11, 0.02);
		says("Nothing is flagged: no bottleneck");
		says_not("Besides");
		assert_int_equal(has_flag("Retiring", BPMU_VALUE_UNDECIDED),
				 level == 2);
		/* Here Retiring is undecided because of its own uncertainty. */
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
	/* The advice names only ways to measure longer that the printing command has. */
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
	 * Without thresholds no metric can be flagged, so nothing is said, not even that nothing is
	 * flagged.
	 */
	make("Share = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD | unit clocks\n"
	     "\tPart = Share\n");
	set("Share", 0.9, 0);
	said = text();
	assert_string_equal(said, "");
	free(said);
	end();
}

/* A value that is no share is not compared with shares, nor with values in another unit. */
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

/* Makes all nodes whose value is NAN unknown. */
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

/* Published counts from a kernel that did not scale slots yield impossible shares. */
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
	 * One impossible value suffices for no verdict, unless it is impossible by no more than the
	 * usual error of counters.
	 */
	begin(1);
	set("Backend_Bound", 0.9, 0);
	set("Bad_Speculation", -0.04, 0);
	says("Flagged: Backend_Bound.");
	set("Bad_Speculation", -0.06, 0);
	says("No verdict: Bad_Speculation -6 % of slots cannot be");
	/* A value is not taken as impossible if its uncertainty can explain it. */
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

/* If one node has no value, the largest of the others need not be the largest of all. */
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
	/* A node that the user did not ask for has no value, either. */
	begin(1);
	tree.shown[bpmu_metrics_find(&tree.metrics, "Backend_Bound")] = false;
	says("No verdict: Backend_Bound has no value");
	end();
	/* A node on a deeper level has no value, so the path ends above it. */
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
 * Metrics beside the tree may have larger values, a threshold, and the unit of the roots: they are
 * still no candidates for the verdict.
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
	/* A metric beside the tree may lack a value: the tree is complete without it. */
	set("Frontend", 0.3, 0);
	lose("Per_Call");
	says("Flagged: Frontend > Latency.\n");
	end();
}

/*
 * AMD's fifth root has no children. Only the word "root" in the metric file makes it a node of the
 * tree.
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
		/* There is no verdict unless all five roots have a value. */
		lose("SMT_Contention");
		says("No verdict: SMT_Contention has no value");
		/* Like other roots, the fifth one cannot be more than the whole. */
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

/* If there are deeper levels that were not measured, the verdict advises to measure them. */
TEST(the_end_of_a_path_says_what_can_tell_more)
{
	begin(1);
	set("Backend_Bound", 0.6, 0);
	says("Next: look one level down: data or execution units\n");
	says_not("--extra");
	end();
	/*
	 * Level 2 was measured, and none of its nodes is flagged. On Ivy Bridge the nodes of
	 * --extra below may find crowded ports.
	 */
	begin(2);
	set("Backend_Bound", 0.6, 0);
	set("Memory_Bound", 0.05, 0);
	set("Core_Bound", 0.05, 0);
	says("Flagged: Backend_Bound.\nSlots without a uop because the backend could not take one\n--extra -l 3 measures more below it: Divider, Ports_Utilization.\n");
	says_not("look one level down");
	/* Below this leaf the tree has only nodes of --extra. */
	set("Core_Bound", 0.5, 0);
	says("Next: break chains, avoid divisions\n--extra -l 3 measures more below it: Divider, Ports_Utilization.\n");
	/*
	 * If a node below may be flagged, the advice is to measure longer, not to measure other
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
	/* The path ends at a leaf of the deepest level. */
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
		{ 0, 0, "{\"schema\":2,\"type\":\"verdict\",\"x\":1,\"verdict\":\"flagged\",\"first\":[],\"paths\":[[\"Backend_Bound\",\"Memory_Bound\"],[\"Backend_Bound\",\"Core_Bound\"]],\"besides\":[],\"why\":[],\"maybe\":null,\"longer\":null,\"longer_runs\":null}\n" },
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
