// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of events on Ivy Bridge. An event may be given by name, by number or with
 * modifiers. It gets the event select that the manual gives, and the counters that can count it.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "unit.h"

#define UK 0x30000
#define U 0x10000
#define K 0x20000

static const struct {
	const char *text;
	u64 select;
	u64 counters;
	const char *row;
} ivb_events[] = {
	{ "UOPS_ISSUED.ANY", UK | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "uops_issued.any", UK | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ " UOPS_ISSUED.ANY\t", UK | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "UOPS_ISSUED:ANY:u", U | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "UOPS_ISSUED.ANY:k", K | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "UOPS_ISSUED.ANY:uk", UK | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "UOPS_ISSUED.ANY:u:k", UK | 0x10e, 0xf, "UOPS_ISSUED.ANY" },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]", 0x403019c, 0xf, NULL },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>3]", 0x403019c, 0xf, NULL },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>= 4]", 0x403019c, 0xf, NULL },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[<3]", 0x383019c, 0xf, NULL },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[<=2]", 0x383019c, 0xf, NULL },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[=0]", 0x183019c, 0xf, NULL },
	{ "UOPS_EXECUTED.THREAD:c=2", 0x20301b1, 0xf, NULL },
	{ "UOPS_EXECUTED.THREAD:c1:e1:i1", 0x18701b1, 0xf, NULL },
	{ "UOPS_EXECUTED.THREAD:c=1:e:i:t:u", 0x1a501b1, 0xf, NULL },
	{ "UOPS_EXECUTED.THREAD:[>=255]", 0xff0301b1, 0xf, NULL },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x60306a3, 0xf, NULL },
	{ "CYCLE_ACTIVITY.STALLS_LDM_PENDING", 0x60306a3, 0xf, NULL },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY:[>=6]", 0x60306a3, 0xf, NULL },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0xc030ca3, 0x4, NULL },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS", 0x50305a3, 0xf, NULL },
	{ "MACHINE_CLEARS.COUNT", 0x10701c3, 0xf, NULL },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", 0x123030d, 0xf, NULL },
	{ "UOPS_EXECUTED.CORE_CYCLES_NONE", 0x18302b1, 0xf, NULL },
	{ "cycles", UK, BPMU_FIXED_BIT(1), "CPU_CLK_UNHALTED.THREAD" },
	{ "instructions:u", U, BPMU_FIXED_BIT(0), "INST_RETIRED.ANY" },
	{ "ref-cycles", UK, BPMU_FIXED_BIT(2), "CPU_CLK_UNHALTED.REF_TSC" },
	{ "cycles:t", 0x230000, BPMU_FIXED_BIT(1), "CPU_CLK_UNHALTED.THREAD" },
	{ "branches", UK | 0xc4, 0xf, "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", UK | 0xc5, 0xf, "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "cache-references", UK | 0x4f2e, 0xf, NULL },
	/*
	 * Event selects of perf's generic names, from Linux, arch/x86/events/intel/core.c,
	 * snb_hw_cache_event_ids.
	 */
	{ "L1-dcache-loads", UK | 0x81d0, 0xf, NULL },
	{ "l1-dcache-loads:u", U | 0x81d0, 0xf, NULL },
	{ "L1-dcache-load-misses", UK | 0x151, 0xf, NULL },
	{ "L1-dcache-stores", UK | 0x82d0, 0xf, NULL },
	{ "L1-icache-load-misses", UK | 0x280, 0xf, NULL },
	{ "dTLB-load-misses", UK | 0x8108, 0xf, NULL },
	{ "dTLB-store-misses", UK | 0x149, 0xf, NULL },
	{ "iTLB-load-misses", UK | 0x185, 0xf, NULL },
	{ "UOPS_ISSUED.ANY:PMC2", UK | 0x10e, 0x4, "UOPS_ISSUED.ANY" },
	{ "UOPS_ISSUED.ANY:c=1:pmc0:u", U | 0x101010e, 0x1, NULL },
	{ "INST_RETIRED.ANY:FIXC0", UK, BPMU_FIXED_BIT(0), NULL },
	/* Events as users of likwid-perfctr write them, with the counter after a colon. */
	{ "INSTR_RETIRED_ANY:FIXC0", UK, BPMU_FIXED_BIT(0), "INST_RETIRED.ANY" },
	{ "CPU_CLK_UNHALTED_CORE:FIXC1", UK, BPMU_FIXED_BIT(1),
	  "CPU_CLK_UNHALTED.THREAD" },
	{ "CPU_CLK_UNHALTED_REF:FIXC2", UK, BPMU_FIXED_BIT(2),
	  "CPU_CLK_UNHALTED.REF_TSC" },
	{ "cache-misses", UK | 0x412e, 0xf, "LONGEST_LAT_CACHE.MISS" },
	{ "cpu/event=0x9c,umask=0x1,cmask=4,inv,edge,any/u", 0x4a5019c, 0xf,
	  NULL },
	{ "cpu/event=0xc2,umask=2/", UK | 0x2c2, 0xf, NULL },
	{ "cpu/config=0x2c2/:k", K | 0x2c2, 0xf, NULL },
	{ "cpu/instructions/u", U, BPMU_FIXED_BIT(0), NULL },
	{ "cpu/UOPS_EXECUTED.THREAD,cmask=2/", 0x20301b1, 0xf, NULL },
	/* A field after a name replaces that field of the named event, as in perf. */
	{ "cpu/UOPS_EXECUTED.THREAD,umask=2/", UK | 0x2b1, 0xf, NULL },
	{ "cpu/UOPS_EXECUTED.THREAD,umask=1/", UK | 0x1b1, 0xf, "UOPS_EXECUTED.THREAD" },
	{ "cpu/UOPS_EXECUTED.THREAD,event=0xc2,umask=2/", UK | 0x2c2, 0xf, NULL },
	{ "cpu/event=0xb1,umask=1,umask=2/", UK | 0x2b1, 0xf, NULL },
	{ "r2c2", UK | 0x2c2, 0xf, NULL },
	{ "r4a3019c", 0x4a3019c, 0xf, NULL },
	{ "r102c2", U | 0x2c2, 0xf, NULL },
	{ "r0ca3:c=12", 0xc030ca3, 0x4, NULL },
	{ "r1c0", UK | 0x1c0, 0x2, NULL },
};

TEST(parses_events_of_ivb)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ivb_events); i++) {
		err.text[0] = '\0';
		if (bpmu_event_parse(&pmu, 1, ivb_events[i].text, &spec, &err))
			fail_msg("%s: %s", ivb_events[i].text, err.text);
		assert_int_equal(spec.nr, 1);
		assert_int_equal(spec.term[0].sign, 1);
		if (spec.term[0].select != ivb_events[i].select ||
		    spec.term[0].counters != ivb_events[i].counters)
			fail_msg("%s: %llx on %llx", ivb_events[i].text,
				 spec.term[0].select, spec.term[0].counters);
		if (ivb_events[i].row)
			assert_string_equal(spec.row->name, ivb_events[i].row);
		bpmu_event_free(&spec);
	}
}

TEST(an_equal_threshold_is_two_terms)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 0,
					  "UOPS_EXECUTED.THREAD:[=2]:u", &spec,
					  &err), 0);
	assert_int_equal(spec.nr, 2);
	assert_int_equal(spec.term[0].select, 0x20101b1);
	assert_int_equal(spec.term[0].sign, 1);
	assert_int_equal(spec.term[1].select, 0x30101b1);
	assert_int_equal(spec.term[1].sign, -1);
	bpmu_event_free(&spec);
}

static u64 counters_of(unsigned int gp, int smt, const char *text)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", gp);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	u64 counters;

	if (bpmu_event_parse(&pmu, smt, text, &spec, &err))
		fail_msg("%s", err.text);
	counters = spec.term[0].counters;
	bpmu_event_free(&spec);
	return counters;
}

TEST(events_have_their_legal_counters)
{
	assert_int_equal(counters_of(8, 0, "UOPS_ISSUED.ANY"), 0xff);
	assert_int_equal(counters_of(8, 1, "UOPS_ISSUED.ANY"), 0x0f);
	assert_int_equal(counters_of(4, 0, "UOPS_ISSUED.ANY"), 0x0f);
	assert_int_equal(counters_of(8, 0, "IDQ_UOPS_NOT_DELIVERED.CORE"), 0xf);
	assert_int_equal(counters_of(8, 0, "r19c"), 0xf);
	assert_int_equal(counters_of(8, 0, "r1b1"), 0xff);
	assert_int_equal(counters_of(8, 0, "UOPS_EXECUTED.THREAD:c1:i"), 0xf);
	assert_int_equal(counters_of(8, 0, "r55aa"), 0xff);
}

/*
 * Checks that the list of events in @text, with braces and patterns, expands to exactly @events,
 * which are separated by blanks.
 */
static void is_list(const char *text, const char *events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;
	char all[512] = "";
	unsigned int i;

	if (bpmu_event_list_parse(&pmu, 1, text, &list, &err))
		fail_msg("%s: %s", text, err.text);
	for (i = 0; i < list.nr; i++) {
		strcat(all, i ? " " : "");
		strcat(all, list.spec[i].text);
	}
	assert_string_equal(all, events);
	bpmu_event_list_free(&list);
}

TEST(expands_braces_and_globs)
{
	is_list("{cycles,instructions}:u,branches", "cycles:u instructions:u branches");
	is_list("branches, {cycles}", "branches cycles");
	is_list("{cpu/event=1,umask=2/,cycles}:k", "cpu/event=1,umask=2/:k cycles:k");
	is_list("{cycles:u,branches}:k", "cycles:u:k branches:k");
	/*
	 * A pattern with * or ? is replaced by all events that match it, in the order of the event
	 * table.
	 */
	is_list("icache*", "ICACHE.HIT ICACHE.IFETCH_STALL ICACHE.MISSES");
	is_list("ICACHE.MIS?ES:u", "ICACHE.MISSES:u");
	/*
	 * A pattern also matches generic names of perf: those that stand for one of the vendor's
	 * events, and those that have an entry of their own in an event table.
	 */
	is_list("l1-dcache-*:k",
		"L1-dcache-load-misses:k L1-dcache-loads:k L1-dcache-stores:k");
	is_list("LLC-*-misses", "LLC-load-misses LLC-store-misses LLC-prefetch-misses");
	/*
	 * If the pattern matches the vendor's name of an event, it does not yield the generic name
	 * of the same event too.
	 */
	is_list("inst*any", "INST_RETIRED.ANY");
	is_list("inst*n?", "INST_RETIRED.ANY");
	is_list("*retired*prec_dist", "INST_RETIRED.PREC_DIST");
}

TEST(parses_events_of_knc)
{
	struct bpmu_pmu pmu = unit_pmu("knc", 0);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 1,
					       "DATA_READ,L2_READ_MISS,r10cb,cycles:u",
					       &list, &err), 0);
	assert_int_equal(list.nr, 4);
	assert_int_equal(list.spec[0].term[0].select, UK);
	assert_int_equal(list.spec[0].term[0].counters, 0x3);
	assert_int_equal(list.spec[1].term[0].select, UK | 0x10cb);
	assert_int_equal(list.spec[1].term[0].counters, 0x1);
	assert_int_equal(list.spec[2].term[0].counters, 0x1);
	assert_int_equal(list.spec[3].term[0].select, U | 0x2a);
	bpmu_event_list_free(&list);
}

TEST(splits_a_list_at_commas_outside_of_events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 1,
					       "{cycles,instructions},cpu/event=1,umask=2/u, r2c2",
					       &list, &err), 0);
	assert_int_equal(list.nr, 4);
	assert_string_equal(list.spec[0].text, "cycles");
	assert_string_equal(list.spec[2].text, "cpu/event=1,umask=2/u");
	assert_string_equal(list.spec[3].text, "r2c2");
	bpmu_event_list_free(&list);
}

/* Two counters cannot hold events that are counted on counter 2 alone. */
TEST(a_pattern_leaves_out_what_no_counter_holds)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 2);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 1, " l1d*t*:u", &list, &err), 0);
	assert_int_equal(list.nr, 1);
	assert_string_equal(list.spec[0].text, "L1D.REPLACEMENT:u");
	/* If it leaves all out, generic names such as L1-dcache-loads do not take their place. */
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "L1*[gs]", &list, &err), -ENODEV);
	assert_int_equal(list.nr, 1);
	assert_string_equal(err.text,
			    "event 'L1D_PEND_MISS.PENDING_CYCLES': no counter of this PMU can hold it; use another event");
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "icache*:zz", &list, &err), -EINVAL);
	assert_int_equal(list.nr, 1);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "L1-dcache-*:zz", &list, &err), -EINVAL);
	assert_int_equal(list.nr, 1);
	bpmu_event_list_free(&list);
	assert_int_equal(list.nr, 0);
	assert_int_equal(list.room, 0);
	assert_null(list.spec);
}

/* What another tool has counted stays on its fixed counter, and may be unknown. */
TEST(events_that_were_counted_are_taken_as_they_are)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_add_given(&pmu, 1, "cycles", false, &list, &err), 0);
	assert_int_equal(bpmu_event_list_add_given(&pmu, 1, "cycles:u", true, &list, &err), 0);
	assert_true(list.spec[1].term[0].counters == BPMU_FIXED_BIT(1));
	assert_int_equal(bpmu_event_list_add_given(&pmu, 1, "nothing", false, &list, &err),
			 -ENOENT);
	assert_int_equal(list.nr, 2);
	assert_int_equal(bpmu_event_list_add_given(&pmu, 1, "nothing", true, &list, &err), 0);
	assert_int_equal(list.nr, 3);
	assert_string_equal(list.spec[2].text, "nothing");
	assert_int_equal(list.spec[2].nr, 0);
	assert_int_equal(bpmu_event_list_add(&pmu, 1, "cycles:k", &list, &err), 0);
	assert_int_equal(list.nr, 4);
	assert_int_equal(list.spec[3].term[0].select, K | 0x3c);
	assert_true(list.spec[3].term[0].counters == 0xf);
	/* No general counter counts what this fixed counter counts, so that it stays there. */
	assert_int_equal(bpmu_event_list_add(&pmu, 1, "ref-cycles", &list, &err), 0);
	assert_int_equal(bpmu_event_list_add(&pmu, 1, "ref-cycles:k", &list, &err), 0);
	assert_true(list.spec[5].term[0].counters == BPMU_FIXED_BIT(2));
	/* ANY of the fixed counter is ANY of the event select, too. */
	assert_int_equal(bpmu_event_list_add(&pmu, 1, "cycles:t", &list, &err), 0);
	assert_int_equal(list.spec[6].term[0].select, UK | 0x20003c);
	bpmu_event_list_free(&list);
}

TEST(precise_events_have_a_p_among_their_modifiers)
{
	static const struct {
		const char *text;
		bool precise;
	} cases[] = {
		{ "cycles", false }, { "cycles:u", false }, { "cycles:p", true },
		{ "cycles:upp", true }, { "cycles:P", true }, { "cycles:u:kP", true },
		{ "cycles:p:c=2", true }, { "cycles:c=2:ppu", true }, { "cycles:PMC1", false },
		{ "cycles:pmc1:u", false }, { "cpu/event=0xc0/p", true },
		{ "cpu/event=0xc0,umask=0/", false }, { "cpu/cycles/u", false },
		{ "cpu/cycles:pp/", true }, { "cpu/p/", true }, { "pp", false }, { "", false },
		{ "ibs_op:u", true }, { " ibs_fetch ", true }, { "ibs_fetched", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (bpmu_event_is_precise(cases[i].text) != cases[i].precise)
			fail_msg("%s", cases[i].text);
}

TEST(occupancy_is_a_code_of_the_arbiter)
{
	unsigned int code;

	for (code = 0; code < 256; code++)
		assert_int_equal(bpmu_event_is_occupancy(0x1c000100 | code),
				 code == 0x80 || code == 0x83);
}
