// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "topdown --drill", which measures only some nodes at a time: it follows the largest
 * flagged loss down the tree, stays at a node while the node is flagged, and moves on when it is
 * not.
 */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/topdown/drill_locate.h"
#include "cmd/topdown/drill_print.h"
#include "cmd/topdown/drill_run.h"
#include "count/drill.h"
#include "count/step.h"
#include "unit.h"

#define LINES_MAX 128

static struct bpmu_tree all;
static struct bpmu_drill drill;
static struct bpmu_tree_value values[LINES_MAX];
static struct bpmu_drill_node times[LINES_MAX];

/*
 * Faked count of each event on each CPU in an interval of the measurement. If @seen is false, the
 * group of the event was not on the counters in the interval, and the event has no count.
 */
static double counted;
static bool seen;

/* Faked counts per clock, of events whose names begin so; NULL: each event has @counted. */
static const struct unit_rate {
	const char *begins;
	double rate;
} *rates;

static double count_of(const char *event)
{
	unsigned int i;

	for (i = 0; rates && *rates[i].begins; i++)
		if (!strncmp(event, rates[i].begins, strlen(rates[i].begins)))
			break;
	return rates ? rates[i].rate * counted : counted;
}

/* Faked uncertainty of the value of every node in an interval. */
static double uncertainty;
/* Faked flags of the value of every node in an interval. */
static unsigned int flags;
/* Number of CPUs whose counts were added up for the latest interval. */
static unsigned int cpus_added_up;

void __wrap_bpmu_spread_eval(const struct bpmu_tree *tree,
			     const struct bpmu_interval *interval, unsigned int nr_cpus,
			     struct bpmu_tree_value *into)
{
	unsigned int g, i;

	(void)interval;
	cpus_added_up = nr_cpus;
	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			tree->counts[g][i] = seen ? nr_cpus * count_of(tree->events[g].spec[i].text) : NAN;
	bpmu_tree_compute(tree, (const double *const *)tree->counts, NULL, into);
	for (i = 0; i < tree->metrics.nr; i++)
		into[i].uncertainty = uncertainty;
	for (i = 0; i < tree->metrics.nr; i++)
		into[i].flags |= flags;
	if (rates)
		bpmu_tree_judge(tree, into);
}

static void begin(unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	memset(times, 0, sizeof(times));
	if (bpmu_tree_init(&all, "topdown", &pmu, 0, level, &err) ||
	    bpmu_drill_init(&drill, &all, &err))
		fail_msg("%s", err.text);
	assert_true(all.metrics.nr <= LINES_MAX);
}

static void end(void)
{
	bpmu_drill_free(&drill);
	bpmu_tree_free(&all);
}

static int node(const char *name)
{
	int i = bpmu_metrics_find(&all.metrics, name);

	assert_true(i >= 0);
	return i;
}

/*
 * Passes an interval to the drill, which then decides which nodes to measure next. Each measured
 * node has a value. Only the nodes with the given names are flagged; NULL ends the names.
 */
static void flag(const char *name, ...)
{
	va_list args;
	unsigned int i;

	memset(values, 0, sizeof(values));
	for (i = 0; i < all.metrics.nr; i++)
		values[i].known = drill.wanted[i];
	va_start(args, name);
	for (; name; name = va_arg(args, const char *))
		values[node(name)].flagged = true;
	va_end(args);
	bpmu_drill_judge(&drill, values);
}

static bool wanted(const char *name)
{
	return drill.wanted[node(name)];
}

static unsigned int nr_wanted(void)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < all.metrics.nr; i++)
		nr += drill.wanted[i];
	return nr;
}

TEST(a_drill_begins_with_level_1)
{
	begin(4);
	assert_int_equal(nr_wanted(), 4);
	assert_true(wanted("Retiring") && wanted("Backend_Bound"));
	flag(NULL);
	assert_int_equal(nr_wanted(), 4);
	end();
}

TEST(descends_below_flagged_nodes)
{
	begin(4);
	flag("Backend_Bound", NULL);
	assert_int_equal(nr_wanted(), 6);
	assert_true(wanted("Memory_Bound") && wanted("Core_Bound"));
	flag("Backend_Bound", "Memory_Bound", NULL);
	assert_int_equal(nr_wanted(), 11);
	assert_true(wanted("L1_Bound") && wanted("Stores_Bound"));
	flag("Backend_Bound", "Memory_Bound", "Ext_Memory_Bound", NULL);
	assert_int_equal(nr_wanted(), 13);
	flag("Backend_Bound", "Memory_Bound", "Ext_Memory_Bound",
	     "MEM_Latency", NULL);
	assert_int_equal(nr_wanted(), 13);
	end();
}

TEST(stops_at_the_level_of_the_option)
{
	begin(2);
	flag("Backend_Bound", NULL);
	flag("Backend_Bound", "Memory_Bound", NULL);
	assert_int_equal(nr_wanted(), 6);
	assert_false(wanted("L1_Bound"));
	end();
}

TEST(descends_below_two_flagged_nodes)
{
	begin(4);
	flag("Backend_Bound", "Bad_Speculation", NULL);
	assert_int_equal(nr_wanted(), 8);
	assert_true(wanted("Memory_Bound") && wanted("Branch_Mispredicts"));
	end();
}

TEST(leaves_a_node_after_several_unflagged_intervals)
{
	begin(4);
	flag("Backend_Bound", NULL);
	flag("Backend_Bound", "Memory_Bound", NULL);
	flag(NULL);
	assert_true(wanted("L1_Bound"));
	flag("Backend_Bound", "Memory_Bound", NULL);
	flag(NULL);
	assert_true(wanted("L1_Bound"));
	flag(NULL);
	assert_int_equal(nr_wanted(), 4);
	end();
}

TEST(moves_to_another_flagged_node)
{
	begin(4);
	flag("Backend_Bound", NULL);
	flag("Backend_Bound", "Memory_Bound", NULL);
	flag("Bad_Speculation", NULL);
	assert_true(wanted("L1_Bound") && wanted("Branch_Mispredicts"));
	flag("Bad_Speculation", NULL);
	assert_false(wanted("L1_Bound") || wanted("Memory_Bound"));
	assert_int_equal(nr_wanted(), 6);
	end();
}

/*
 * The node Memory_Bound is no longer flagged, but its parent is, so the drill moves up only to the
 * parent.
 */
TEST(moves_up_if_the_parent_keeps_its_flag)
{
	begin(4);
	flag("Backend_Bound", NULL);
	flag("Backend_Bound", "Memory_Bound", NULL);
	flag("Backend_Bound", "Core_Bound", NULL);
	flag("Backend_Bound", "Core_Bound", NULL);
	assert_true(wanted("Memory_Bound") && !wanted("L1_Bound"));
	end();
}

TEST(stays_while_nodes_have_no_value)
{
	unsigned int i;

	begin(4);
	flag("Backend_Bound", NULL);
	memset(values, 0, sizeof(values));
	for (i = 0; i < 2 * BPMU_DRILL_PATIENCE; i++)
		bpmu_drill_judge(&drill, values);
	assert_true(wanted("Memory_Bound"));
	end();
}

/*
 * A node is undecided if its 95 % interval includes its threshold. The drill measures the children
 * of such a node, and continues to measure them as long as the node is undecided.
 */
TEST(enters_an_undecided_node_and_does_not_leave_it)
{
	unsigned int i;

	begin(4);
	memset(values, 0, sizeof(values));
	values[node("Backend_Bound")].known = true;
	values[node("Backend_Bound")].flags = BPMU_VALUE_UNDECIDED;
	for (i = 0; i < 2 * BPMU_DRILL_PATIENCE; i++)
		bpmu_drill_judge(&drill, values);
	assert_true(wanted("Memory_Bound"));
	end();
}

/* The user may open and close nodes: what is below a closed node closes, too. */
TEST(nodes_open_and_close_with_those_above)
{
	begin(4);
	bpmu_drill_open(&drill, node("Memory_Bound"), true);
	assert_int_equal(nr_wanted(), 4);
	bpmu_drill_open(&drill, node("Backend_Bound"), true);
	assert_int_equal(nr_wanted(), 6);
	bpmu_drill_open(&drill, node("Memory_Bound"), true);
	bpmu_drill_open(&drill, node("Ext_Memory_Bound"), true);
	assert_int_equal(nr_wanted(), 13);
	bpmu_drill_open(&drill, node("Retiring"), true);
	assert_true(wanted("BASE"));
	bpmu_drill_open(&drill, node("Backend_Bound"), false);
	assert_false(wanted("Memory_Bound") || wanted("L1_Bound") || wanted("MEM_Latency"));
	assert_true(wanted("BASE"));
	bpmu_drill_open(&drill, node("Backend_Bound"), true);
	assert_true(wanted("Memory_Bound") && !wanted("L1_Bound") && !wanted("MEM_Latency"));
	/* An opened node has all of its patience. */
	flag(NULL);
	bpmu_drill_open(&drill, node("Backend_Bound"), true);
	flag(NULL);
	assert_true(wanted("Memory_Bound"));
	flag(NULL);
	assert_false(wanted("Memory_Bound"));
	end();
}

/* What is measured is what is wanted, node by node. */
TEST(a_step_goes_on_if_it_measures_what_is_wanted)
{
	unsigned int i;

	begin(4);
	for (i = 0; i < all.metrics.nr; i++)
		all.shown[i] = drill.wanted[i];
	assert_true(bpmu_drill_is_done(&drill, &all));
	for (i = 0; i < all.metrics.nr; i++) {
		all.shown[i] = !all.shown[i];
		assert_false(bpmu_drill_is_done(&drill, &all));
		all.shown[i] = !all.shown[i];
	}
	end();
}

static void make_step(struct bpmu_step *step, struct bpmu_pmu *pmu)
{
	const struct bpmu_tree_wish wish = {
		.pmu = pmu, .level = all.level,
		.lines = &all.metrics, .wanted = bpmu_drill_wants,
		.wanted_ctx = &drill,
	};
	struct bpmu_error err;

	if (bpmu_step_make(step, &wish, &all, &err))
		fail_msg("%s", err.text);
}

/*
 * A step of the drill is a period in which it measures the same nodes. Only the nodes that the
 * drill has reached are measured. The step's tree has the constants of the machine. If any node of
 * the tree needs uncore counters, each step has a group for the uncore.
 */
TEST(a_step_has_the_nodes_and_constants_of_the_drill)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_step step;
	unsigned int level;

	for (level = 3; level <= 4; level++) {
		begin(level);
		bpmu_tree_set(&all, BPMU_CONSTANT_CORES, 6);
		make_step(&step, &pmu);
		assert_true(step.tree.slot[BPMU_CONSTANT_CORES].number == 6);
		assert_int_equal(step.tree.nr_groups, 1);
		assert_int_equal(step.tree.groups.nr_of[BPMU_BANK_CORE], 1);
		assert_int_equal(all.groups.nr_of[BPMU_BANK_UNCORE] > 0,
				 level == 4);
		assert_int_equal(step.tree.groups.nr - 1,
				 all.groups.nr_of[BPMU_BANK_UNCORE]);
		assert_true(step.tree.shown[node("Retiring")]);
		assert_false(step.tree.shown[node("BASE")]);
		bpmu_step_free(&step);
		end();
	}
}

/* Begins a drill down a tree of a metric file, and makes its first step. */
static void begin_step(struct bpmu_step *step, struct bpmu_pmu *pmu, const char *text)
{
	struct bpmu_error err;

	if (unit_tree(&all, text, pmu, BPMU_TREE_ALL, &err) ||
	    bpmu_drill_init(&drill, &all, &err))
		fail_msg("%s", err.text);
	make_step(step, pmu);
}

/*
 * A bank is a set of counters that are multiplexed together, for example the core's counters or
 * those of the memory controllers. A running session can replace its groups only by groups of the
 * same banks. The node Memory needs two banks that its parent Link does not need. The first step of
 * the drill measures only Link, but it must already count on the banks of Memory too.
 */
TEST(a_step_counts_on_all_banks_that_any_step_needs)
{
	static const char text[] =
		"Link = UNC_Q_CLOCKTICKS / cycles\n"
		"    Memory = UNC_M_CLOCKTICKS_F / POWER.PKG\n";
	static const enum bpmu_bank_id banks[] = {
		BPMU_BANK_CORE, BPMU_BANK_FREE_PACKAGE, BPMU_BANK_IMC, BPMU_BANK_LINK,
	};
	struct bpmu_pmu pmu = unit_pmu("ivt", 4);
	struct bpmu_step step;
	unsigned int i;

	pmu.nr[BPMU_UNIT_IMC] = 4;
	pmu.nr[BPMU_UNIT_LINK] = 2;
	pmu.free = pmu.part->free;
	begin_step(&step, &pmu, text);
	assert_true(step.tree.shown[node("Link")] && !step.tree.shown[node("Memory")]);
	assert_int_equal(step.tree.groups.nr, ARRAY_SIZE(banks));
	for (i = 0; i < ARRAY_SIZE(banks); i++)
		assert_int_equal(step.tree.groups.group[i].sched.bank, banks[i]);
	/*
	 * The groups of the other banks come before the group of Link's uncore event. This event
	 * therefore has another place in the step's tree than in the whole tree. Link must find its
	 * count at the place in the step's tree.
	 */
	assert_string_equal(step.tree.events[3].spec[0].text, "UNC_Q_CLOCKTICKS");
	assert_int_equal(step.tree.event_slots[3][0].nr, 1);
	assert_int_equal(step.tree.events[1].nr + step.tree.events[2].nr, 0);
	bpmu_step_free(&step);
	end();
}

/*
 * A step of the drill has several intervals. In the third interval the group of the event was not
 * on the counters. The event's total count is extrapolated to the whole step, with this interval
 * included.
 */
TEST(a_step_s_total_includes_intervals_without_a_slice)
{
	const u64 enabled[2] = { 300, 700 };
	const struct bpmu_interval whole = { .whole = true, .enabled = enabled };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_step step;

	begin(1);
	make_step(&step, &pmu);
	counted = 100;
	seen = true;
	bpmu_step_add(&step, 2, &whole, values);
	assert_true(step.tree.counts[0][0] == 200);
	counted = 300;
	bpmu_step_add(&step, 2, &whole, values);
	assert_true(step.tree.counts[0][0] == 600);
	seen = false;
	counted = 0;
	bpmu_step_add(&step, 2, &whole, values);
	assert_true(step.tree.counts[0][0] != step.tree.counts[0][0]);
	bpmu_step_total(&step, values);
	assert_true(step.tree.counts[0][0] == 1200);
	assert_true(step.enabled[0] == 3 * (300 + 700));
	bpmu_step_free(&step);
	end();
}

/*
 * In a step the drill measured for three seconds with an uncertainty of 0.04, and for one second
 * with 0.16. The uncertainty of the step is sqrt(0.12^2 + 0.16^2) / 4.
 */
TEST(a_step_s_uncertainty_is_weighted_by_time)
{
	const u64 enabled[2] = { 1000, 1000 };
	const struct bpmu_interval three = { .duration = 3, .enabled = enabled };
	const struct bpmu_interval one = { .duration = 1, .enabled = enabled };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	static const char *const level1[] = {
		"Frontend_Bound", "Bad_Speculation", "Retiring", "Backend_Bound",
	};
	struct bpmu_step step;
	double found;
	size_t i;

	begin(1);
	make_step(&step, &pmu);
	uncertainty = 0.04;
	bpmu_step_add(&step, 2, &three, values);
	uncertainty = 0.16;
	bpmu_step_add(&step, 2, &one, values);
	bpmu_step_total(&step, values);
	for (i = 0; i < ARRAY_SIZE(level1); i++) {
		found = values[node(level1[i])].uncertainty;
		assert_true(found > 0.0499999 && found < 0.0500001);
	}
	bpmu_step_free(&step);
	end();
}

/* An event is "unseen" in a step of the drill only if it occurred in no interval of that step. */
TEST(an_unseen_event_is_unseen_in_all_of_a_step)
{
	static const unsigned int flags_of[][3] = {
		{ BPMU_VALUE_UNSEEN, BPMU_VALUE_UNSEEN, BPMU_VALUE_UNSEEN },
		{ 0, BPMU_VALUE_UNSEEN, BPMU_VALUE_UNSEEN },
		{ BPMU_VALUE_UNSEEN, 0, BPMU_VALUE_UNSEEN },
		{ BPMU_VALUE_UNSEEN, BPMU_VALUE_UNSEEN, 0 },
	};
	const u64 enabled[2] = { 1000, 1000 };
	const struct bpmu_interval one = { .duration = 1, .enabled = enabled };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_step step;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(flags_of); i++) {
		begin(1);
		make_step(&step, &pmu);
		for (k = 0; k < 3; k++) {
			flags = flags_of[i][k];
			bpmu_step_add(&step, 2, &one, values);
		}
		flags = 0;
		bpmu_step_total(&step, values);
		assert_int_equal(values[node("Retiring")].flags & BPMU_VALUE_UNSEEN,
				 i ? 0 : BPMU_VALUE_UNSEEN);
		bpmu_step_free(&step);
		end();
	}
}

/*
 * In a step of five seconds a node counts as bursty if it was bursty for three of them, but not if
 * it was bursty for two.
 */
TEST(a_node_is_bursty_that_is_so_in_most_of_a_step)
{
	const u64 enabled[2] = { 1000, 1000 };
	const struct bpmu_interval two = { .duration = 2, .enabled = enabled };
	const struct bpmu_interval three = { .duration = 3, .enabled = enabled };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_step step;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		begin(1);
		make_step(&step, &pmu);
		flags = i ? 0 : BPMU_VALUE_BURSTY;
		bpmu_step_add(&step, 2, &two, values);
		flags = i ? BPMU_VALUE_BURSTY : 0;
		bpmu_step_add(&step, 2, &three, values);
		flags = 0;
		bpmu_step_total(&step, values);
		assert_int_equal(values[node("Retiring")].flags & BPMU_VALUE_BURSTY,
				 i ? BPMU_VALUE_BURSTY : 0);
		bpmu_step_free(&step);
		end();
	}
}

static u64 interval_ns;

static char *text_of(const struct bpmu_phase *phase)
{
	struct bpmu_topdown t = { .drill = true, .options.interval_ns = interval_ns };
	struct bpmu_core_type type = { .tree = all };
	struct bpmu_topdown_view view = { .call = &t, .type = &type, .seconds = 10 };
	char *text = NULL;
	size_t size;
	char cpus[] = "0";

	type.target.cpus_text = cpus;
	strcpy(type.target.info.title, "Intel Ivy Bridge");
	t.out = open_memstream(&text, &size);
	assert_non_null(t.out);
	bpmu_drill_text(&view, values, times, phase);
	fclose(t.out);
	return text;
}

static void measured(const char *name, double seconds, double flagged)
{
	values[node(name)].known = true;
	values[node(name)].flagged = flagged > 0;
	times[node(name)] = (struct bpmu_drill_node){
		.from = 1, .to = 2, .seconds = seconds, .flagged = flagged,
	};
}

TEST(the_summary_names_reached_and_missing_nodes)
{
	begin(4);
	memset(values, 0, sizeof(values));
	measured("Backend_Bound", 10, 8);
	measured("Retiring", 10, 0);
	unit_text("drill", text_of(NULL));
	interval_ns = 200000000;
	unit_text("drill-intervals", text_of(NULL));
	interval_ns = 0;
	end();
}

/*
 * The drill ends with a summary. It covers only the time since the drill last changed the set of
 * nodes that it measures.
 */
TEST(the_summary_of_a_phase_names_its_changes)
{
	struct bpmu_phase phase = { .changes = 1, .begin = 7.5 };

	begin(4);
	phase.node = calloc(all.metrics.nr, sizeof(*phase.node));
	assert_non_null(phase.node);
	memset(values, 0, sizeof(values));
	measured("Backend_Bound", 10, 8);
	measured("Memory_Bound", 2.5, 2);
	phase.node[node("Backend_Bound")].seconds = 2.5;
	phase.node[node("Memory_Bound")].seconds = 2;
	values[node("Memory_Bound")].uncertainty = 0.012;
	unit_text("drill-phase", text_of(&phase));
	phase.changes = 3;
	unit_text("drill-phases", text_of(&phase));
	free(phase.node);
	end();
}

/* Counters of the CPU that write precise records. */
static u64 precise;

/*
 * Lets the drill end at a flagged node, and returns what it offers to find the node's lines;
 * *@event is set to the event.
 */
static char *offer(const char *flagged, const struct bpmu_topdown *call, char event[64])
{
	struct bpmu_core_type type = { .target.info.pmu = unit_pmu("ivb", 4) };
	struct bpmu_topdown t = *call;
	struct bpmu_topdown_view view = { .call = &t, .type = &type };
	char *text = NULL;
	size_t size;

	type.target.info.pmu.pebs = precise;
	begin(2);
	memset(values, 0, sizeof(values));
	measured("Frontend_Bound", 10, 0);
	measured("Retiring", 10, 0);
	measured("Bad_Speculation", 10, 0);
	measured("Backend_Bound", 10, 0);
	if (flagged) {
		values[node(flagged)].flagged = true;
		values[node(flagged)].alone = true;
		values[node(flagged)].value = 0.9;
	}
	type.tree = all;
	t.out = open_memstream(&text, &size);
	assert_non_null(t.out);
	bpmu_drill_offer(&view, values);
	fclose(t.out);
	end();
	strcpy(event, t.event);
	return text;
}

static void offers(const char *flagged, const struct bpmu_topdown *call, const char *event,
		   const char *text)
{
	char chosen[64];
	char *said = offer(flagged, call, chosen);

	assert_string_equal(said, text);
	assert_string_equal(chosen, event);
	free(said);
}

TEST(the_exact_command_that_finds_the_lines_is_offered)
{
	char *argv[] = { "./program", "10", NULL };
	const struct bpmu_topdown run = { .drill = true, .options.argv = argv };
	const struct bpmu_topdown cpus = { .drill = true, .options.cpus = "3" };
	const struct bpmu_topdown located = { .drill = true, .locate = "file" };

	offers("Backend_Bound", &run, "cycles",
	       "\nLines of Backend_Bound: barepmu record -e cycles -F 997 -o FILE -- ./program 10; barepmu report --by line FILE\n");
	offers("Backend_Bound", &cpus, "cycles",
	       "\nLines of Backend_Bound: barepmu record -e cycles -F 997 -C 3 --timeout 10s -o FILE; barepmu report --by line FILE\n");
	offers("Backend_Bound", &located, "cycles", "");
	offers(NULL, &run, "", "");
}

/* The event "cycles" is counted by a fixed counter or a general one: both must write records. */
TEST(precise_samples_are_offered_if_each_counter_of_the_event_has_them)
{
	char *argv[] = { "./program", NULL };
	const struct bpmu_topdown run = { .drill = true, .options.argv = argv };

	precise = ~(u64)0;
	offers("Backend_Bound", &run, "cycles:pp",
	       "\nLines of Backend_Bound: barepmu record -e cycles:pp -F 997 -o FILE -- ./program; barepmu report --by line FILE\n");
	precise = 0xff;
	offers("Backend_Bound", &run, "cycles",
	       "\nLines of Backend_Bound: barepmu record -e cycles -F 997 -o FILE -- ./program; barepmu report --by line FILE\n");
	precise = 0;
}

TEST(the_event_is_that_of_the_advice)
{
	struct bpmu_metric metric = { .next = "look one level down; sample A.B; make it rare" };
	char event[64], small[4];

	assert_true(bpmu_verdict_event(&metric, event, sizeof(event)));
	assert_string_equal(event, "A.B");
	assert_false(bpmu_verdict_event(&metric, small, 3));
	metric.next = "resample A.B";
	assert_false(bpmu_verdict_event(&metric, event, sizeof(event)));
	assert_string_equal(event, "");
	metric.next = NULL;
	assert_false(bpmu_verdict_event(&metric, event, sizeof(event)));
}

#define CPUS 2

/* Measurement as the drill has asked for it, and whether several intervals are faked. */
static struct bpmu_measure asked;
static bool several;

/* counts of a program that waits for the back end, and of one that waits for the front end */
static const struct unit_rate back_end[] = {
	{ "UOPS_RETIRED.RETIRE_SLOTS", 0.8 }, { "UOPS_ISSUED.ANY", 1 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 0.5 }, { "INT_MISC.RECOVERY_CYCLES", 0.01 },
	{ "CYCLE_ACTIVITY.STALLS_L1D", 0.4 }, { "CYCLE_ACTIVITY.STALLS_L2", 0.35 },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0.5 }, { "CPU_CLK", 1 }, { "cycles", 1 },
	{ "", 0.03 },
};

static const struct unit_rate front_end[] = {
	{ "UOPS_RETIRED.RETIRE_SLOTS", 0.8 }, { "UOPS_ISSUED.ANY", 1 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 2.5 }, { "INT_MISC.RECOVERY_CYCLES", 0.01 },
	{ "CYCLE_ACTIVITY.STALLS_L1D", 0.4 }, { "CYCLE_ACTIVITY.STALLS_L2", 0.35 },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0.5 }, { "CPU_CLK", 1 }, { "cycles", 1 },
	{ "", 0.03 },
};

/*
 * Fakes five intervals. The third one and the last one are short, and other nodes are flagged in
 * them. The last one has lost samples. After the second one the drill chooses other nodes; it chooses
 * no others before these were counted, and none by short intervals.
 */
static void fake_several(const struct bpmu_measure *measure)
{
	const struct bpmu_groups *groups[BPMU_CORE_TYPES] = { measure->groups[0] }, *before;
	u64 enabled[CPUS] = { 1000, 1000 }, lost[CPUS] = { };
	struct bpmu_interval interval = {
		.enabled = enabled, .lost = lost, .stamp = { 1700000000000000000, 5000000000 },
	};
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		interval.whole = i % 2 || !i;
		interval.last = i == 4;
		interval.duration = interval.whole ? 1 : 0.25;
		interval.seconds += interval.duration;
		lost[1] = i == 4 ? 5 : 0;
		rates = interval.whole ? back_end : front_end;
		measure->emit(measure->data, &interval);
		before = groups[0];
		if (i && measure->next(measure->data, groups, &err))
			fail_msg("%s", err.text);
		assert_true((groups[0] != before) == (i == 1));
		interval.plan += i == 1;
		before = groups[0];
		if (i && measure->next(measure->data, groups, &err))
			fail_msg("%s", err.text);
		assert_ptr_equal(groups[0], before);
	}
}

/*
 * Fakes the measurement: makes one interval, and passes it to the function that the measurement
 * calls for each interval. In this interval the two CPUs were counted for 100 and 300 TSC ticks.
 */
int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
			 struct bpmu_error *err)
{
	u64 enabled[CPUS] = { 100, 300 };
	u64 lost[CPUS] = { 1, 2 };
	const struct bpmu_interval interval = {
		.whole = true, .last = true, .seconds = 1, .duration = 1,
		.enabled = enabled, .lost = lost,
	};

	(void)err;
	*exit_status = 0;
	asked = *measure;
	if (several)
		fake_several(measure);
	else
		measure->emit(measure->data, &interval);
	return 0;
}

/*
 * At its end "topdown --drill" reports the measured time and the lost samples. Both are sums over
 * all CPUs.
 */
TEST(a_run_sums_time_and_losses_of_all_cpus)
{
	u32 cpu[CPUS] = { 0, 1 };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	const struct bpmu_measure measure = { .nr_cpus = CPUS };
	struct bpmu_topdown t = {
		.drill = true, .options.format = BPMU_CSV, .options.separator = ",",
	};
	struct bpmu_core_type type = {
		.wish = { .pmu = &pmu, .level = 1 },
		.target.cpus = { .cpu = cpu, .nr = CPUS },
	};
	struct bpmu_topdown_view view = { .call = &t, .type = &type };
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	int status;

	begin(1);
	type.tree = all;
	type.target.info.pmu = pmu;
	type.target.cpus_text = "0-1";
	t.out = open_memstream(&text, &size);
	assert_non_null(t.out);
	seen = true;
	counted = 100;
	uncertainty = 0;
	assert_int_equal(bpmu_drill_run(&view, &measure, &status, &err), 0);
	assert_int_equal(cpus_added_up, CPUS);
	assert_int_equal(view.lost, 3);
	fclose(t.out);
	free(view.verdict);
	free(text);
	end();
}

/* Runs a drill of several intervals down a tree whose back end is the bottleneck. */
static char *drill_said(enum bpmu_format format, u64 interval_ns)
{
	u32 cpu[CPUS] = { 0, 1 };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	const struct bpmu_measure measure = {
		.nr_cpus = CPUS, .interval_ns = interval_ns, .timer = BPMU_TIMER_AUTO,
	};
	struct bpmu_topdown t = {
		.drill = true, .options.format = format, .options.separator = ",",
		.options.interval_ns = interval_ns, .options.cpus = "0-1",
	};
	struct bpmu_core_type type = {
		.wish = { .pmu = &pmu, .level = 2 },
		.target.cpus = { .cpu = cpu, .nr = CPUS },
	};
	struct bpmu_topdown_view view = { .call = &t, .type = &type };
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	int status;

	begin(2);
	type.tree = all;
	type.target.info.pmu = pmu;
	type.target.cpus_text = "0-1";
	strcpy(type.target.info.title, "Intel Ivy Bridge");
	t.out = open_memstream(&text, &size);
	assert_non_null(t.out);
	seen = true;
	counted = 1000000;
	uncertainty = 0;
	several = true;
	assert_int_equal(bpmu_drill_run(&view, &measure, &status, &err), 0);
	several = false;
	rates = NULL;
	fclose(t.out);
	free(view.verdict);
	assert_int_equal(view.lost, 5);
	assert_int_equal(asked.interval_ns, interval_ns ?: 200000000);
	assert_int_equal(asked.timer, BPMU_TIMER_HARD);
	assert_ptr_equal(asked.most[0], &type.tree.groups);
	end();
	return text;
}

TEST(a_run_prints_what_it_has_measured)
{
	unit_text("drill-run", drill_said(BPMU_TEXT, 0));
	unit_text("drill-run-csv", drill_said(BPMU_CSV, 0));
	unit_text("drill-run-json", drill_said(BPMU_JSON, 0));
}

TEST(a_run_with_intervals_prints_each)
{
	unit_text("drill-run-intervals", drill_said(BPMU_TEXT, 1000000000));
	unit_text("drill-run-intervals-csv", drill_said(BPMU_CSV, 1000000000));
}

/* Words of the subcommands that "topdown --locate" has run, and what each of them returns */
static char ran[2][256];
static unsigned int runs;
static int returned[2];

static int run_locate(struct bpmu_ctx *ctx, int argc, char **argv)
{
	int i;

	(void)ctx;
	assert_true(runs < 2);
	for (i = 0; i < argc; i++)
		snprintf(ran[runs] + strlen(ran[runs]), sizeof(*ran) - strlen(ran[runs]), "%s%s",
			 i ? " " : "", argv[i]);
	assert_null(argv[argc]);
	return returned[runs++];
}

static int locate(const struct bpmu_topdown *call)
{
	const struct bpmu_ctx ctx = { .run = run_locate };

	memset(ran, 0, sizeof(ran));
	runs = 0;
	return bpmu_drill_locate(&ctx, call);
}

TEST(another_run_of_the_command_locates_the_bottleneck)
{
	char *argv[] = { "./program", "10", NULL };
	struct bpmu_topdown call = {
		.locate = "file", .event = "A.B:pp", .options.argv = argv,
	};

	assert_int_equal(locate(&call), 0);
	assert_int_equal(runs, 2);
	assert_string_equal(ran[0], "record -e A.B:pp -F 997 -o file -- ./program 10");
	assert_string_equal(ran[1], "report --by line file");
	call.options.cpus = "2-3";
	assert_int_equal(locate(&call), 0);
	assert_string_equal(ran[1], "report --by line file");
	call.options.output = "text";
	call.options.argv = argv + 1;
	returned[1] = 4;
	assert_int_equal(locate(&call), 4);
	assert_string_equal(ran[0], "record -e A.B:pp -F 997 -o file -C 2-3 -- 10");
	assert_string_equal(ran[1], "report --by line file -o text --append");
	returned[1] = 0;
}

TEST(a_command_that_fails_is_not_located)
{
	char *argv[] = { "./program", NULL };
	const struct bpmu_topdown call = {
		.locate = "file", .event = "cycles", .options.argv = argv,
	};

	returned[0] = 3;
	assert_int_equal(locate(&call), 3);
	assert_int_equal(runs, 1);
	returned[0] = 0;
}

TEST(nothing_is_recorded_if_nothing_is_flagged)
{
	const struct bpmu_topdown call = { .locate = "file" };
	char *said;

	unit_capture_begin(stderr);
	assert_int_equal(locate(&call), BPMU_EXIT_OK);
	said = unit_capture_end();
	assert_string_equal(said,
			    "barepmu: --locate: nothing is flagged, nothing is recorded\n");
	assert_int_equal(runs, 0);
	free(said);
}
