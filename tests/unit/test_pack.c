// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the distribution of a tree's events over groups. The events of each formula are counted
 * at the same time, in as few groups as possible. If the events of a formula do not fit in a group,
 * the summands of the formula are counted in several groups. Each summand is then divided by the
 * clocks that were counted in the same group.
 */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_pack.h"
#include "metric/metric_program.h"
#include "unit.h"

#define TOLERANCE 0.000000001

/*
 * Formulas of table 7 of the Top-Down paper, for CPUs without hyper-threading, and formulas of
 * nodes that table 2 of the paper leaves out.
 */
static const char paper[] =
	"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
	"Socket := UNC_CLOCK.SOCKET | clock\n"
	"Slots := 4 * Clocks\n"
	"Frontend = IDQ_UOPS_NOT_DELIVERED.CORE / Slots\n"
	"  Latency = IDQ_UOPS_NOT_DELIVERED.CORE:[>=4] / Clocks\n"
	"  Bandwidth = Frontend - Latency\n"
	"Bad = (UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + 4 * INT_MISC.RECOVERY_CYCLES) / Slots\n"
	"  Branch = BR_MISP_RETIRED.ALL_BRANCHES / (BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT) * Bad\n"
	"  Clears = Bad - Branch\n"
	"Retiring = UOPS_RETIRED.RETIRE_SLOTS / Slots\n"
	"  Micro = UOPS_RETIRED.RETIRE_SLOTS / UOPS_ISSUED.ANY * IDQ.MS_UOPS / Slots\n"
	"  Base = Retiring - Micro\n"
	"Backend = 1 - (Frontend + Bad + Retiring)\n"
	"  Memory = (CYCLE_ACTIVITY.STALLS_MEM_ANY + RESOURCE_STALLS.SB) / Clocks\n"
	"    L1 = (CYCLE_ACTIVITY.STALLS_MEM_ANY - CYCLE_ACTIVITY.STALLS_L1D_MISS) / Clocks\n"
	"    L2 = (CYCLE_ACTIVITY.STALLS_L1D_MISS - CYCLE_ACTIVITY.STALLS_L2_MISS) / Clocks\n"
	"    L3 = Hit * CYCLE_ACTIVITY.STALLS_L2_MISS / Clocks\n"
	"    External = (1 - Hit) * CYCLE_ACTIVITY.STALLS_L2_MISS / Clocks\n"
	"      Mem_Bandwidth = UNC_ARB_TRK_OCCUPANCY.ALL:[>=28] / Socket\n"
	"      Mem_Latency = UNC_ARB_TRK_OCCUPANCY.ALL:[>=1] / Socket - Mem_Bandwidth\n"
	"    Stores = RESOURCE_STALLS.SB / Clocks\n"
	"  Core = (CYCLE_ACTIVITY.CYCLES_NO_EXECUTE - RS_EVENTS.EMPTY_CYCLES + UOPS_EXECUTED.THREAD:[>=1] - UOPS_EXECUTED.THREAD:[>=2]) / Clocks - Memory\n"
	"Hit := MEM_LOAD_UOPS_RETIRED.LLC_HIT / (MEM_LOAD_UOPS_RETIRED.LLC_HIT + 7 * MEM_LOAD_UOPS_RETIRED.LLC_MISS)\n";

/*
 * Knights Corner has two programmable counters and no fixed one, so in each group one of the two
 * must count the clocks.
 */
static const char phi_counts[] =
	"a = INSTRUCTIONS_EXECUTED\nb = CPU_CLK_UNHALTED\n"
	"c = VPU_INSTRUCTIONS_EXECUTED\nd = VPU_ELEMENTS_ACTIVE\n"
	"e = DATA_READ_MISS_OR_WRITE_MISS\nf = DATA_READ_OR_WRITE\n"
	"g = L2_DATA_READ_MISS_MEM_FILL\nh = L1_DATA_HIT_INFLIGHT_PF1\n"
	"i = L2_DATA_WRITE_MISS_MEM_FILL\nj = EXEC_STAGE_CYCLES\n"
	"k = HWP_L2MISS\nl = DATA_PAGE_WALK\n"
	"m = L2_VICTIM_REQ_WITH_DATA\nn = LONG_DATA_PAGE_WALK\n"
	"o = SNP_HITM_L2\n";

static const char phi_ratios[] =
	"a = CPU_CLK_UNHALTED / INSTRUCTIONS_EXECUTED\n"
	"b = VPU_ELEMENTS_ACTIVE / VPU_INSTRUCTIONS_EXECUTED\n"
	"c = VPU_ELEMENTS_ACTIVE / DATA_READ_OR_WRITE\n"
	"d = VPU_ELEMENTS_ACTIVE / DATA_READ_MISS_OR_WRITE_MISS\n"
	"e = DATA_READ_MISS_OR_WRITE_MISS / DATA_READ_OR_WRITE\n"
	"f = L1_DATA_HIT_INFLIGHT_PF1 / DATA_READ_OR_WRITE\n"
	"g = DATA_PAGE_WALK / DATA_READ_OR_WRITE\n"
	"h = LONG_DATA_PAGE_WALK / DATA_READ_OR_WRITE\n"
	"i = EXEC_STAGE_CYCLES / CPU_CLK_UNHALTED\n"
	"j = L2_DATA_READ_MISS_MEM_FILL / CPU_CLK_UNHALTED\n"
	"k = L2_DATA_WRITE_MISS_MEM_FILL / CPU_CLK_UNHALTED\n"
	"l = HWP_L2MISS / CPU_CLK_UNHALTED\n"
	"m = L2_VICTIM_REQ_WITH_DATA / CPU_CLK_UNHALTED\n"
	"n = SNP_HITM_L2 / CPU_CLK_UNHALTED\n";

/*
 * A formula with more events than counters is split into its summands. Each summand is counted
 * together with the clock.
 */
static const char large[] =
	"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
	"x = (UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES) / Clocks\n";

/**
 * struct packed - metrics of a tree and the groups that count their events
 */
struct packed {
	struct bpmu_metrics metrics;
	struct bpmu_needs needs;
	struct bpmu_pack pack;
};

static void pack(struct packed *p, const char *text,
		 const struct bpmu_pmu *pmu, unsigned int level, bool arb_both)
{
	struct bpmu_error err;
	unsigned int l;
	unsigned int i;

	memset(p, 0, sizeof(*p));
	if (bpmu_metrics_parse(&p->metrics, "t.bpm", text, &err) ||
	    bpmu_needs_begin(&p->needs, &p->metrics, pmu, 0, &err))
		fail_msg("%s", err.text);
	p->needs.rules.arb_both = arb_both;
	for (l = 1; l <= level; l++)
		for (i = 0; i < p->metrics.nr; i++)
			if (p->metrics.metric[i].level == l &&
			    bpmu_needs_add(&p->needs, i, &err))
				fail_msg("%s", err.text);
	if (bpmu_pack_groups(&p->needs, &p->pack, &err))
		fail_msg("%s", err.text);
}

static void unpack(struct packed *p)
{
	bpmu_needs_free(&p->needs);
	bpmu_metrics_free(&p->metrics);
}

static unsigned int groups_of(const struct packed *p, int bank)
{
	unsigned int nr = 0;
	unsigned int g;
	unsigned int i;

	for (g = 0; g < p->pack.nr; g++) {
		for (i = 0; i < p->needs.events.nr; i++)
			if (bpmu_event_set_has(&p->pack.group[g], i))
				break;
		nr += bpmu_needs_bank(&p->needs, i) == bank;
	}
	return nr;
}

TEST(the_paper_s_formulas_need_the_minimum_of_groups)
{
	static const struct {
		unsigned int gp;
		unsigned int level;
		bool both;
		unsigned int core;
		unsigned int uncore;
	} cases[] = {
		{ 4, 1, false, 1, 0 }, { 4, 2, false, 4, 0 },
		{ 4, 3, false, 5, 0 }, { 4, 4, false, 5, 2 },
		{ 4, 4, true, 5, 1 }, { 8, 1, false, 1, 0 },
		{ 8, 2, false, 2, 0 }, { 8, 3, false, 3, 0 },
		{ 8, 4, false, 3, 2 },
	};
	struct bpmu_pmu pmu;
	struct packed p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pmu = unit_pmu("ivb", cases[i].gp);
		pack(&p, paper, &pmu, cases[i].level, cases[i].both);
		if (groups_of(&p, BPMU_BANK_CORE) != cases[i].core ||
		    groups_of(&p, BPMU_BANK_UNCORE) != cases[i].uncore)
			fail_msg("case %zu: %u and %u groups", i,
				 groups_of(&p, BPMU_BANK_CORE),
				 groups_of(&p, BPMU_BANK_UNCORE));
		unpack(&p);
	}
}

TEST(groups_have_the_clock_of_their_bank)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct packed p;
	unsigned int g;
	int core;
	int uncore;

	pack(&p, paper, &pmu, 4, false);
	core = bpmu_needs_event(&p.needs, "CPU_CLK_UNHALTED.THREAD");
	uncore = bpmu_needs_event(&p.needs, "UNC_CLOCK.SOCKET");
	for (g = 0; g < p.pack.nr; g++) {
		assert_int_equal(bpmu_event_set_has(&p.pack.group[g], core),
				 g < 5);
		assert_int_equal(bpmu_event_set_has(&p.pack.group[g], uncore),
				 g >= 5);
	}
	unpack(&p);
}

/*
 * If all events of a formula are in one group, they are counted during the same clocks. The group
 * then counts the clocks only if the formula names them.
 */
TEST(events_compared_within_a_group_need_no_clock)
{
	static const struct {
		const char *text;
		bool clock;
	} cases[] = {
		{ "c := TOPDOWN.SLOTS / 6 | clock\na = instructions / cycles\n",
		  false },
		{ "c := TOPDOWN.SLOTS / 6 | clock\na = instructions / cycles\n"
		  "b = UOPS_ISSUED.ANY / SECONDS\n", false },
		{ "c := TOPDOWN.SLOTS / 6 | clock\na = instructions / c\n",
		  true },
		{ "c := TOPDOWN.SLOTS / 6 | clock\na = instructions / cycles\n"
		  "b = UOPS_ISSUED.ANY / TOPDOWN.SLOTS\n", true },
		{ "c := TOPDOWN.SLOTS / 6 | clock\n"
		  "a = instructions * POWER.PKG\n", true },
	};
	struct bpmu_pmu pmu = unit_pmu("adl", 8);
	struct packed p;
	size_t i;

	pmu.free = pmu.part->free;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pack(&p, cases[i].text, &pmu, 1, false);
		assert_int_equal(bpmu_event_set_has(&p.pack.group[0],
						    bpmu_needs_event(&p.needs, "TOPDOWN.SLOTS")),
				 cases[i].clock);
		unpack(&p);
	}
}

TEST(phi_s_ratios_need_14_groups)
{
	struct bpmu_pmu pmu = unit_pmu("knc", 0);
	struct packed p;

	pack(&p, phi_counts, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 8);
	unpack(&p);
	pack(&p, phi_ratios, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 14);
	unpack(&p);
}

TEST(a_formula_too_large_for_a_group_is_divided)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct packed p;

	pack(&p, large, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 2);
	unpack(&p);
}

/*
 * The modifier [=2] is the difference of two counts: the count of [>=2] minus the count of [>=3].
 * The event of this test can only be counted on counter 2, so the two counts do not fit in one
 * group.
 */
TEST(refuses_an_event_too_large_for_a_group)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics metrics = { };
	struct bpmu_needs needs;
	struct bpmu_error err;

	assert_int_equal(bpmu_metrics_parse(&metrics, "t.bpm",
					    "a = L1D_PEND_MISS.PENDING:[=2]\n",
					    &err), 0);
	assert_int_equal(bpmu_needs_begin(&needs, &metrics, &pmu, 0, &err), 0);
	assert_int_equal(bpmu_needs_add(&needs, 0, &err), -ENOSPC);
	assert_string_equal(err.text,
			    "event 'L1D_PEND_MISS.PENDING:[=2]': needs counter 2, which 'L1D_PEND_MISS.PENDING:[=2]' already takes; measure them in several runs");
	bpmu_needs_free(&needs);
	bpmu_metrics_free(&metrics);
}

/* Formulas can contain a constant that says whether hyper-threading is on. It is not counted. */
TEST(constants_are_no_events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct packed p;

	pack(&p, "a = UOPS_ISSUED.ANY * SMT * THREADS / SECONDS\n", &pmu, 1,
	     false);
	assert_int_equal(p.needs.events.nr, 1);
	unpack(&p);
}

/*
 * This tree has 75 events, as many as the largest built-in tree. With four counters they need at
 * least 19 groups.
 */
TEST(packs_75_events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	char text[8192] = "c := CPU_CLK_UNHALTED.THREAD | clock\n";
	struct packed p;
	unsigned int first, next;
	size_t len;
	int i;

	for (i = 0; i < 75; i++) {
		len = strlen(text);
		snprintf(text + len, sizeof(text) - len,
			 "m%d = UOPS_ISSUED.ANY:c%d / c\n", i, i + 1);
	}
	pack(&p, text, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 19);
	/* Groups are in the order of their first events, behind the clock that all have. */
	for (i = 0, first = 1; i < 19; i++, first = next) {
		for (next = 1; !bpmu_event_set_has(&p.pack.group[i], next); next++)
			;
		assert_true(bpmu_event_set_has(&p.pack.group[i], 0));
		assert_true(!i || next > first);
	}
	unpack(&p);
}

/*
 * The formula with four events is packed first, but its events are the last ones: its group comes
 * behind that of the events 65 to 68. Event 0 is the clock.
 */
TEST(groups_of_late_events_are_in_order_too)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	char text[8192] = "c := CPU_CLK_UNHALTED.THREAD | clock\n";
	struct packed p;
	unsigned int e;
	int i;

	for (i = 0; i < 68; i++)
		sprintf(text + strlen(text), "m%d = UOPS_ISSUED.ANY:c%d / c\n", i, i + 1);
	strcat(text, "last = (IDQ.MS_UOPS:c1 + IDQ.MS_UOPS:c2 + IDQ.MS_UOPS:c3 + IDQ.MS_UOPS:c4) / c\n");
	pack(&p, text, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 18);
	for (e = 1; e <= 72; e++)
		assert_true(bpmu_event_set_has(&p.pack.group[(e - 1) / 4], e));
	unpack(&p);
}

/*
 * The formula of each name uses the previous name twice. If each use was evaluated, the work would
 * double with each name.
 */
TEST(names_that_double_do_not_double_the_work)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	char text[8192] = "a0 := UOPS_ISSUED.ANY / IDQ.MS_UOPS\n";
	struct packed p;
	size_t len;
	int i;

	for (i = 0; i < 60; i++) {
		len = strlen(text);
		snprintf(text + len, sizeof(text) - len,
			 "a%d := a%d * a%d + a%d\n", i + 1, i, i, i);
	}
	strcat(text, "x = a60\n");
	pack(&p, text, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 1);
	unpack(&p);
}

static const struct unit_count counts[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "CPU_CLK_UNHALTED.THREAD_P", 1000 },
	{ "INST_RETIRED.ANY", 700 },
	{ "UOPS_ISSUED.ANY", 100 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 200 }, { "IDQ.MS_UOPS", 300 },
	{ "RESOURCE_STALLS.SB", 400 }, { "RS_EVENTS.EMPTY_CYCLES", 500 },
	{ "UNC_CLOCK.SOCKET", 500 }, { "UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]", 300 },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]", 50 },
};

/* The number of statements of the last metric that run() computed. */
static unsigned int statements;

/*
 * Computes a metric from faked counts, and returns its value. counts[] has the number of events per
 * unit of time. Group g was on the counters for g + 1 units, and the whole measurement takes 10
 * units. @view: set to the number of the group whose counts the value is computed from, or to the
 * number that stands for the totals of all groups.
 */
static struct bpmu_value run(struct packed *p, const char *name, int *view)
{
	struct bpmu_value slot[64] = { { .known = false } };
	struct bpmu_program program;
	struct bpmu_compiler c;
	struct bpmu_error err;
	unsigned int next;
	unsigned int g;
	unsigned int i;
	double count;
	int result;

	if (bpmu_compile_begin(&c, &program, &p->needs, &p->pack, &err))
		fail_msg("%s", err.text);
	result = bpmu_compile_node(&c, bpmu_metrics_find(&p->metrics, name),
				   view);
	assert_true(result > 0 && result < 64);
	for (g = 0; g < BPMU_PACK_GROUPS; g++) {
		if (g >= p->pack.nr && g < BPMU_PACK_TOTAL(0))
			continue;
		next = program.first_count[g];
		for (i = 0; i < p->needs.events.nr; i++) {
			if (!bpmu_event_set_has(&p->pack.group[g], i))
				continue;
			count = unit_count_of(counts, ARRAY_SIZE(counts),
					      p->needs.events.spec[i].text);
			slot[next++] = bpmu_value_of(count * (g < p->pack.nr ?
							      g + 1 : 10));
		}
	}
	bpmu_program_run(&program, 0, program.nr_statements, slot);
	statements = program.nr_statements;
	bpmu_compile_end(&c);
	bpmu_program_free(&program);
	return slot[result];
}

/*
 * If the events of a formula are in groups that were on the counters at different times, each count
 * is divided by the clocks that its own group counted.
 */
TEST(values_across_groups_are_normalised_by_their_clocks)
{
	static const char text[] =
		"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
		"Socket := UNC_CLOCK.SOCKET | clock\n"
		"share = (UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES) / Clocks\n"
		"latency = (UNC_ARB_TRK_OCCUPANCY.ALL:[>=1] - UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]) / Socket\n"
		"both = UOPS_ISSUED.ANY / Clocks + UNC_ARB_TRK_OCCUPANCY.ALL:[>=1] / Socket\n"
		"sum = UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES\n";
	static const struct {
		const char *name;
		double value;
	} want[] = {
		{ "share", 1.5 }, { "latency", 0.5 }, { "both", 0.7 },
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_value value;
	struct packed p;
	size_t i;
	int view;

	pack(&p, text, &pmu, 1, false);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		value = run(&p, want[i].name, &view);
		if (view != BPMU_VIEW_MIXED || !value.known ||
		    fabs(value.number - want[i].value) > TOLERANCE)
			fail_msg("%s: %g", want[i].name, value.number);
	}
	value = run(&p, "sum", &view);
	assert_int_equal(view, BPMU_VIEW_MIXED);
	assert_true(fabs(value.number - 15000) < TOLERANCE);
	unpack(&p);
}

/*
 * A statement computes the count of an event per clock of its group. It is there once for all
 * places that name the event, and so is that of a definition.
 */
TEST(what_is_named_twice_is_computed_once)
{
	static const char text[] =
		"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
		"Sum := UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES\n"
		"once = Sum / Clocks\n"
		"events = (Sum + UOPS_ISSUED.ANY + RS_EVENTS.EMPTY_CYCLES + UOPS_ISSUED.ANY) / Clocks\n"
		"sums = (Sum + Sum + Sum) / Clocks\n";
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	unsigned int once;
	struct packed p;
	int view;

	pack(&p, text, &pmu, 1, false);
	assert_true(fabs(run(&p, "once", &view).number - 1.5) < TOLERANCE);
	once = statements;
	assert_true(fabs(run(&p, "events", &view).number - 2.2) < TOLERANCE);
	assert_int_equal(statements, once);
	assert_true(fabs(run(&p, "sums", &view).number - 4.5) < TOLERANCE);
	assert_int_equal(statements, once);
	unpack(&p);
}

/*
 * The two events of this ratio are in all groups. The ratio is therefore computed from the counts
 * of the whole time, not from the counts of one group.
 */
TEST(events_of_all_groups_are_taken_from_the_whole_time)
{
	static const char text[] =
		"Clocks := CPU_CLK_UNHALTED.THREAD | clock\n"
		"ipc = INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD\n"
		"sum = INST_RETIRED.ANY\n"
		"all = (UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES) / Clocks\n";
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_value value;
	struct packed p;
	int view;

	pack(&p, text, &pmu, 1, false);
	assert_int_equal(p.pack.nr, 2);
	value = run(&p, "ipc", &view);
	assert_int_equal(view, BPMU_PACK_TOTAL(BPMU_BANK_CORE));
	assert_true(fabs(value.number - 0.7) < TOLERANCE);
	/*
	 * INST_RETIRED.ANY is in both groups, so it was counted during the whole measurement, which
	 * takes 10 units of time.
	 */
	value = run(&p, "sum", &view);
	assert_true(fabs(value.number - 7000) < TOLERANCE);
	unpack(&p);
}

/* Formulas with clocks that are counted on general counters, so that a group may lack its clock */
static const char counted_text[] =
	"Clocks := CPU_CLK_UNHALTED.THREAD_P | clock\n"
	"Socket := UNC_CLOCK.SOCKET | clock\n"
	"a = UOPS_ISSUED.ANY / Clocks\n"
	"sum = UOPS_ISSUED.ANY + RESOURCE_STALLS.SB\n"
	"latency = UNC_ARB_TRK_OCCUPANCY.ALL:[>=1] / Socket\n";

/**
 * struct before - groups that were counted before the formulas were chosen
 * @list: events of each group
 * @groups: the groups
 */
struct before {
	struct bpmu_event_list list[3];
	struct bpmu_groups groups;
};

/*
 * Packs the events of counted_text[] into groups that have counted @events; returns the error of
 * bpmu_pack_counted(). All events are wanted but that of latency.
 */
static int pack_before(struct packed *p, struct before *before, const struct bpmu_pmu *pmu,
		       const char *const events[3], struct bpmu_error *err)
{
	struct bpmu_event_set wanted = { .word = { 0 } };
	unsigned int i;

	memset(p, 0, sizeof(*p));
	memset(before, 0, sizeof(*before));
	bpmu_groups_begin(&before->groups, pmu);
	for (i = 0; i < 3; i++)
		if (bpmu_event_list_parse(pmu, 1, events[i], &before->list[i], err) ||
		    bpmu_groups_add(&before->groups, &before->list[i], err))
			fail_msg("%s", err->text);
	if (bpmu_metrics_parse(&p->metrics, "t.bpm", counted_text, err) ||
	    bpmu_needs_begin(&p->needs, &p->metrics, pmu, 0, err))
		fail_msg("%s", err->text);
	p->needs.counted = true;
	for (i = 2; i < p->metrics.nr; i++)
		if (bpmu_needs_add(&p->needs, i, err))
			fail_msg("%s", err->text);
	for (i = 0; i < p->needs.events.nr; i++)
		if (bpmu_needs_bank(&p->needs, i) == BPMU_BANK_CORE)
			bpmu_event_set_add(&wanted, i);
	return bpmu_pack_counted(&p->needs, &before->groups, &wanted, &p->pack, err);
}

static void release_before(struct packed *p, struct before *before)
{
	unsigned int i;

	unpack(p);
	bpmu_groups_free(&before->groups);
	for (i = 0; i < 3; i++)
		bpmu_event_list_free(&before->list[i]);
}

static bool has(const struct packed *p, unsigned int g, const char *event)
{
	return bpmu_event_set_has(&p->pack.group[g], bpmu_needs_event(&p->needs, event));
}

TEST(events_are_taken_from_the_groups_that_counted_them)
{
	static const char *const events[] = {
		"CPU_CLK_UNHALTED.THREAD_P,UOPS_ISSUED.ANY",
		"RESOURCE_STALLS.SB,CPU_CLK_UNHALTED.THREAD_P",
		"UNC_ARB_TRK_OCCUPANCY.ALL:[>=1],UNC_CLOCK.SOCKET",
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct before before;
	struct bpmu_error err;
	struct packed p;

	assert_int_equal(pack_before(&p, &before, &pmu, events, &err), 0);
	assert_int_equal(p.pack.nr, 3);
	assert_true(has(&p, 0, "UOPS_ISSUED.ANY") && !has(&p, 0, "RESOURCE_STALLS.SB"));
	assert_true(has(&p, 1, "RESOURCE_STALLS.SB") && !has(&p, 1, "UOPS_ISSUED.ANY"));
	assert_true(has(&p, 2, "UNC_CLOCK.SOCKET") && !has(&p, 1, "UNC_CLOCK.SOCKET"));
	/* Each group of the core has the clock of the core, and none that of the uncore. */
	assert_int_equal(p.needs.clock[BPMU_BANK_CORE], 0);
	assert_int_equal(p.needs.clock[BPMU_BANK_UNCORE], 1);
	assert_true(has(&p, BPMU_PACK_TOTAL(BPMU_BANK_CORE), "CPU_CLK_UNHALTED.THREAD_P"));
	assert_false(has(&p, BPMU_PACK_TOTAL(BPMU_BANK_CORE), "UOPS_ISSUED.ANY"));
	assert_int_equal(bpmu_event_set_size(&p.pack.group[BPMU_PACK_TOTAL(BPMU_BANK_UNCORE)]), 0);
	release_before(&p, &before);
}

TEST(without_a_clock_in_each_group_counts_are_not_divided)
{
	static const char *const events[] = {
		"CPU_CLK_UNHALTED.THREAD_P,UOPS_ISSUED.ANY", "RESOURCE_STALLS.SB",
		"UNC_ARB_TRK_OCCUPANCY.ALL:[>=1],UNC_CLOCK.SOCKET",
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_value value;
	struct before before;
	struct bpmu_error err;
	struct packed p;
	int view;

	assert_int_equal(pack_before(&p, &before, &pmu, events, &err), 0);
	assert_int_equal(p.needs.clock[BPMU_BANK_CORE], -1);
	assert_int_equal(p.needs.clock[BPMU_BANK_UNCORE], 1);
	/* Group 0 was on the counters for 1 unit of time, group 1 for 2: see run(). */
	value = run(&p, "sum", &view);
	assert_int_equal(view, BPMU_VIEW_MIXED);
	assert_true(value.known && fabs(value.number - (100 + 2 * 400)) < TOLERANCE);
	value = run(&p, "latency", &view);
	assert_int_equal(view, 2);
	assert_true(fabs(value.number - 0.6) < TOLERANCE);
	release_before(&p, &before);
}

/* What no group has counted is an error only for those metrics that are wanted. */
TEST(wanted_events_must_have_been_counted)
{
	static const char *const some[] = {
		"CPU_CLK_UNHALTED.THREAD_P,UOPS_ISSUED.ANY", "RESOURCE_STALLS.SB", "rc4",
	};
	static const char *const few[] = {
		"CPU_CLK_UNHALTED.THREAD_P,UOPS_ISSUED.ANY", "rc4", "rc5",
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct before before;
	struct bpmu_error err;
	struct packed p;

	assert_int_equal(pack_before(&p, &before, &pmu, some, &err), 0);
	release_before(&p, &before);
	assert_int_equal(pack_before(&p, &before, &pmu, few, &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'RESOURCE_STALLS.SB': was not recorded on ivb; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists");
	release_before(&p, &before);
}

/* Each of these events is counted on counter 2 alone. */
TEST(a_tree_has_as_many_groups_as_a_session_can_have)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics metrics = { };
	struct bpmu_needs needs;
	struct bpmu_pack pack;
	struct bpmu_error err;
	char text[4096] = "", says[128];
	unsigned int i;
	int more;

	for (i = 0; i <= BPMU_MAX_GROUPS; i++)
		sprintf(text + strlen(text), "m%u = L1D_PEND_MISS.PENDING:c%u\n", i, i + 1);
	assert_int_equal(bpmu_metrics_parse(&metrics, "t.bpm", text, &err), 0);
	for (more = 0; more < 2; more++) {
		assert_int_equal(bpmu_needs_begin(&needs, &metrics, &pmu, 0, &err), 0);
		for (i = 0; i < BPMU_MAX_GROUPS + (unsigned int)more; i++)
			assert_int_equal(bpmu_needs_add(&needs, i, &err), 0);
		assert_int_equal(bpmu_pack_groups(&needs, &pack, &err), more ? -ENOSPC : 0);
		if (!more)
			assert_int_equal(pack.nr, BPMU_MAX_GROUPS);
		bpmu_needs_free(&needs);
	}
	snprintf(says, sizeof(says),
		 "metrics: need more than %d groups of events; ask for a lower level",
		 BPMU_MAX_GROUPS);
	assert_string_equal(err.text, says);
	bpmu_metrics_free(&metrics);
}

/* The degree of a formula is the power of the counting time with which its value grows. */
TEST(formulas_have_the_degree_of_their_counts)
{
	static const struct {
		const char *text;
		int degree;
	} cases[] = {
		{ "1", 0 }, { "SMT", 0 }, { "SECONDS", 0 }, { "UOPS_ISSUED.ANY", 1 },
		{ "2 * UOPS_ISSUED.ANY", 1 }, { "UOPS_ISSUED.ANY / IDQ.MS_UOPS", 0 },
		{ "UOPS_ISSUED.ANY * IDQ.MS_UOPS", 2 }, { "1 / UOPS_ISSUED.ANY", -1 },
		{ "UOPS_ISSUED.ANY + 1", 1 }, { "1 - UOPS_ISSUED.ANY", 1 },
		{ "UOPS_ISSUED.ANY > IDQ.MS_UOPS", 0 }, { "UOPS_ISSUED.ANY and IDQ.MS_UOPS", 0 },
		{ "max(1, UOPS_ISSUED.ANY)", 1 }, { "1 if UOPS_ISSUED.ANY > 2 else IDQ.MS_UOPS", 1 },
		{ "IDQ.MS_UOPS if UOPS_ISSUED.ANY > 2 else 3", 1 },
		{ "1 if SMT else UOPS_ISSUED.ANY", 1 }, { "UOPS_ISSUED.ANY if SMT else 1", 0 },
		{ "UOPS_ISSUED.ANY / IDQ.MS_UOPS / IDQ.MS_UOPS", -1 },
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics metrics;
	struct bpmu_needs needs;
	struct bpmu_error err;
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(&metrics, 0, sizeof(metrics));
		snprintf(text, sizeof(text), "x := %s\ny = x\n", cases[i].text);
		assert_int_equal(bpmu_metrics_parse(&metrics, "t.bpm", text, &err), 0);
		assert_int_equal(bpmu_needs_begin(&needs, &metrics, &pmu, 0, &err), 0);
		if (bpmu_needs_degree(&needs, metrics.metric[1].expr) != cases[i].degree)
			fail_msg("%s", cases[i].text);
		bpmu_needs_free(&needs);
		bpmu_metrics_free(&metrics);
	}
}
