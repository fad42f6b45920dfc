// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of phases of a program in "topdown --drill": a lasting change of the values begins a new
 * phase, and the values of a phase are those of its own intervals only.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/phase.h"
#include "unit.h"

#define LINES_MAX 128
#define SECONDS 0.2

static struct bpmu_tree tree;
static struct bpmu_phase phase;
static struct bpmu_tree_value of[LINES_MAX];
static struct bpmu_tree_value mean[LINES_MAX];
static double now;
static double uncertainty;
static bool cut_short;

TEST_FIXTURE(begin)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	if (bpmu_tree_init(&tree, "topdown", &pmu, 0, 2, &err) ||
	    bpmu_phase_init(&phase, &tree, &err))
		fail_msg("%s", err.text);
	assert_true(tree.metrics.nr <= LINES_MAX);
	memset(of, 0, sizeof(of));
	now = 0;
	uncertainty = 0;
	cut_short = false;
	return 0;
}

TEST_FIXTURE(end)
{
	bpmu_phase_free(&phase);
	bpmu_tree_free(&tree);
	return 0;
}

static int node(const char *name)
{
	int i = bpmu_metrics_find(&tree.metrics, name);

	assert_true(i >= 0);
	return i;
}

static void set(const char *name, double value)
{
	of[node(name)] = (struct bpmu_tree_value){
		.known = true, .value = value, .uncertainty = uncertainty,
	};
}

/*
 * Adds @nr intervals in which Backend_Bound has the value @backend, and Retiring has 1 - @backend.
 */
static void intervals(unsigned int nr, double backend)
{
	const struct bpmu_phase_interval interval = {
		.measured = &tree, .values = of, .seconds = SECONDS,
		.whole = !cut_short,
	};
	struct bpmu_phase_interval next;

	set("Backend_Bound", backend);
	set("Retiring", 1 - backend);
	for (; nr; nr--) {
		next = interval;
		next.begin = now;
		bpmu_phase_add(&phase, &next);
		now += SECONDS;
	}
}

static void expect(const char *name, double wanted, unsigned int changes)
{
	bpmu_phase_mean(&phase, mean);
	assert_float_equal(mean[node(name)].value, wanted, 0.000001);
	assert_int_equal(phase.changes, changes);
}

/*
 * After a change, two intervals with the new values are enough to begin a new phase. The new phase
 * begins at the change: its values are those of these two intervals.
 */
TEST_BETWEEN(a_lasting_change_begins_a_phase, begin, end)
{
	intervals(50, 0.1);
	intervals(2, 0.7);
	expect("Backend_Bound", 0.7, 1);
	assert_float_equal(phase.begin, 50 * SECONDS, 0.000001);
	assert_true(mean[node("Backend_Bound")].flagged);
	intervals(3, 0.7);
	expect("Backend_Bound", 0.7, 1);
	intervals(2, 0.2);
	expect("Backend_Bound", 0.2, 2);
}

/* If only one interval is different, no phase begins: the interval counts for the current phase. */
TEST_BETWEEN(one_different_interval_begins_no_phase, begin, end)
{
	intervals(4, 0.1);
	intervals(1, 0.7);
	intervals(5, 0.1);
	expect("Backend_Bound", 0.16, 0);
}

TEST_BETWEEN(a_last_different_interval_begins_no_phase, begin, end)
{
	intervals(4, 0.1);
	intervals(1, 0.6);
	expect("Backend_Bound", 0.2, 0);
}

/* A value that alternates from interval to interval is one phase. */
TEST_BETWEEN(an_alternating_value_is_one_phase, begin, end)
{
	unsigned int k;

	for (k = 0; k < 20; k++)
		intervals(1, k % 2 ? 0.8 : 0.2);
	expect("Backend_Bound", 0.5, 0);
}

/*
 * A change begins no phase if it is smaller than the uncertainty of the new value plus the
 * uncertainty of the phase so far. Here the sum is 0.1 + 0.1 / sqrt(4), because the phase has four
 * intervals.
 */
TEST_BETWEEN(an_uncertain_change_begins_no_phase, begin, end)
{
	uncertainty = 0.1;
	intervals(4, 0.20);
	intervals(4, 0.34);
	expect("Backend_Bound", 0.27, 0);
	end(test_state);
	begin(test_state);
	uncertainty = 0.1;
	intervals(4, 0.20);
	intervals(4, 0.36);
	expect("Backend_Bound", 0.36, 1);
}

TEST_BETWEEN(a_small_change_begins_no_phase, begin, end)
{
	intervals(4, 0.20);
	intervals(4, 0.215);
	expect("Backend_Bound", 0.2075, 0);
	end(test_state);
	begin(test_state);
	intervals(4, 0.20);
	intervals(4, 0.225);
	expect("Backend_Bound", 0.225, 1);
}

/*
 * A change of nodes below level 1 begins no phase, because these nodes are not measured in all
 * intervals. When a phase begins, the values of all nodes, with these included, are computed from
 * the intervals of the new phase only.
 */
TEST_BETWEEN(deeper_nodes_begin_no_phase, begin, end)
{
	set("Memory_Bound", 0.1);
	intervals(4, 0.5);
	set("Memory_Bound", 0.5);
	intervals(4, 0.5);
	expect("Memory_Bound", 0.3, 0);
	intervals(4, 0.9);
	expect("Memory_Bound", 0.5, 1);
	of[node("Memory_Bound")].known = false;
	intervals(4, 0.1);
	bpmu_phase_mean(&phase, mean);
	assert_false(mean[node("Memory_Bound")].known);
}

TEST_BETWEEN(incomplete_intervals_begin_no_phase, begin, end)
{
	intervals(4, 0.2);
	cut_short = true;
	intervals(4, 0.6);
	expect("Backend_Bound", 0.4, 0);
	uncertainty = INFINITY;
	intervals(4, 0.9);
	expect("Backend_Bound", 0.4, 0);
}

/* An event is "unseen" in a phase only if it occurred in none of the phase's intervals. */
TEST_BETWEEN(an_event_is_unseen_only_if_no_interval_has_seen_it, begin, end)
{
	set("Machine_Clears", 0);
	of[node("Machine_Clears")].flags = BPMU_VALUE_UNSEEN;
	intervals(2, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_true(mean[node("Machine_Clears")].flags & BPMU_VALUE_UNSEEN);
	set("Machine_Clears", 0.01);
	intervals(1, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_false(mean[node("Machine_Clears")].flags & BPMU_VALUE_UNSEEN);
}

/* It has occurred in the phase even if it did not in the latest interval. */
TEST_BETWEEN(an_event_that_was_seen_first_is_not_unseen, begin, end)
{
	set("Machine_Clears", 0.01);
	intervals(1, 0.5);
	set("Machine_Clears", 0);
	of[node("Machine_Clears")].flags = BPMU_VALUE_UNSEEN;
	intervals(2, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_false(mean[node("Machine_Clears")].flags & BPMU_VALUE_UNSEEN);
}

/*
 * Flags of any interval are those of the phase. That a value needs a longer measurement is true of
 * the phase only if the phase is not as long as the longest one that an interval asked for.
 */
TEST_BETWEEN(a_phase_has_the_flags_of_its_intervals, begin, end)
{
	struct bpmu_tree_value *of_clears = &of[node("Machine_Clears")];
	const struct bpmu_tree_value *clears = &mean[node("Machine_Clears")];

	set("Machine_Clears", 0.1);
	of_clears->flags = BPMU_VALUE_ERRATUM | BPMU_VALUE_FEW;
	of_clears->longer = 2 * SECONDS;
	intervals(1, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_true(clears->flags & BPMU_VALUE_FEW && clears->flags & BPMU_VALUE_ERRATUM);
	assert_true(clears->longer == 2 * SECONDS);
	of_clears->flags = BPMU_VALUE_BURSTY;
	of_clears->longer = SECONDS;
	intervals(1, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_false(clears->flags & BPMU_VALUE_FEW);
	assert_true(clears->flags & BPMU_VALUE_ERRATUM && clears->flags & BPMU_VALUE_BURSTY);
	assert_true(clears->longer == 0);
	of_clears->longer = 4.5 * SECONDS;
	intervals(1, 0.5);
	of_clears->longer = 0;
	intervals(1, 0.5);
	bpmu_phase_mean(&phase, mean);
	assert_true(clears->flags & BPMU_VALUE_FEW);
	assert_true(clears->longer == 4.5 * SECONDS);
}

/* Only of three intervals or more is it known how much they vary. */
TEST_BETWEEN(two_intervals_are_too_few_to_tell_a_change, begin, end)
{
	intervals(2, 0.1);
	intervals(2, 0.7);
	expect("Backend_Bound", 0.4, 0);
	end(test_state);
	begin(test_state);
	intervals(3, 0.1);
	intervals(2, 0.7);
	expect("Backend_Bound", 0.7, 1);
}

/* The standard deviation of 0.4, 0.5 and 0.6 is 0.1, and a phase has values within three of them. */
TEST_BETWEEN(a_phase_is_three_standard_deviations_wide, begin, end)
{
	static const struct {
		double value, mean;
		unsigned int changes;
	} cases[] = {
		{ 0.79, 0.616, 0 }, { 0.81, 0.81, 1 }, { 0.21, 0.384, 0 }, { 0.19, 0.19, 1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		end(test_state);
		begin(test_state);
		intervals(1, 0.4);
		intervals(1, 0.5);
		intervals(1, 0.6);
		intervals(2, cases[i].value);
		expect("Backend_Bound", cases[i].mean, cases[i].changes);
	}
}

/* A short interval between two different ones does not hide the change. */
TEST_BETWEEN(a_short_interval_leaves_a_change_open, begin, end)
{
	intervals(50, 0.1);
	intervals(1, 0.7);
	cut_short = true;
	intervals(1, 0.7);
	cut_short = false;
	intervals(1, 0.7);
	expect("Backend_Bound", 0.7, 1);
	assert_float_equal(phase.begin, 50 * SECONDS, 0.000001);
}

/* The values of nodes that an interval did not measure are not looked at. */
TEST_BETWEEN(nodes_that_are_not_measured_are_left_out, begin, end)
{
	struct bpmu_tree partial = tree;
	bool shown[LINES_MAX];
	struct bpmu_phase_interval interval = {
		.measured = &partial, .values = of, .seconds = SECONDS, .whole = true,
	};
	unsigned int i;

	intervals(4, 0.1);
	memcpy(shown, tree.shown, tree.metrics.nr * sizeof(*shown));
	shown[node("Backend_Bound")] = false;
	partial.shown = shown;
	set("Backend_Bound", 0.7);
	of[node("Backend_Bound")].flags = BPMU_VALUE_ERRATUM;
	for (i = 0; i < 4; i++) {
		interval.begin = now;
		bpmu_phase_add(&phase, &interval);
		now += SECONDS;
	}
	expect("Backend_Bound", 0.1, 0);
	expect("Retiring", 0.9, 0);
	assert_false(mean[node("Backend_Bound")].flags & BPMU_VALUE_ERRATUM);
}
