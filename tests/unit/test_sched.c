// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the assignment of events to counters. If the events fit on the counters together, all
 * are assigned, in whatever order and with whatever restrictions. If they do not fit, the message
 * names an event that gets no counter.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/sched.h"
#include "intel.h"
#include "unit.h"

/**
 * struct fixture - a list of events and the counters that the scheduler gave them
 */
struct fixture {
	struct bpmu_event_list list;
	struct bpmu_sched sched;
	struct bpmu_error err;
};

static int assign_by(struct fixture *f, const char *part, unsigned int gp,
		     const char *events, const struct bpmu_sched_rules *rules)
{
	struct bpmu_pmu pmu = unit_pmu(part, gp);

	memset(f, 0, sizeof(*f));
	if (bpmu_event_list_parse(&pmu, gp < 8, events, &f->list, &f->err))
		fail_msg("%s", f->err.text);
	return bpmu_sched_assign(&pmu, &f->list, rules, &f->sched, &f->err);
}

static int assign(struct fixture *f, const char *part, unsigned int gp,
		  const char *events)
{
	return assign_by(f, part, gp, events, &bpmu_sched_no_rules);
}

static void release(struct fixture *f)
{
	bpmu_event_list_free(&f->list);
}

static void expect(const char *part, unsigned int gp, const char *events,
		   const u32 *counters, unsigned int nr)
{
	struct fixture f;
	unsigned int i;

	if (assign(&f, part, gp, events))
		fail_msg("%s", f.err.text);
	assert_int_equal(f.sched.nr, nr);
	for (i = 0; i < nr; i++)
		assert_int_equal(f.sched.slot[i].counter, counters[i]);
	release(&f);
}

static void refuse(const char *part, unsigned int gp, const char *events,
		   const char *says)
{
	struct fixture f;

	assert_int_equal(assign(&f, part, gp, events), -ENOSPC);
	assert_string_equal(f.err.text, says);
	release(&f);
}

TEST(counters_are_assigned_in_order)
{
	static const u32 counters[] = { 32, 33, 34, 0, 1 };

	expect("ivb", 4,
	       "instructions,cycles,ref-cycles,branches,branch-misses",
	       counters, 5);
}

/*
 * A fixed counter counts at the privilege level of the first event that is assigned to it. The same
 * event at another privilege level is counted on a general-purpose counter, as in perf.
 */
TEST(another_privilege_level_uses_a_general_counter)
{
	static const u32 counters[] = { 33, 0, 1, 32, 2 };
	static const u32 first[] = { 33, 0 };
	struct fixture f;

	expect("ivb", 4, "cycles,cycles:u,cycles:k,instructions:u,instructions",
	       counters, 5);
	/*
	 * On general counters cycles:u and CPU_CLK_UNHALTED.THREAD_P:u have the same event select,
	 * so one counter counts both events.
	 */
	expect("ivb", 4, "cycles,cycles:u,CPU_CLK_UNHALTED.THREAD_P:u,cycles",
	       first, 2);
	assert_int_equal(assign(&f, "ivb", 4, "cycles:u,cycles:k"), 0);
	assert_int_equal(f.sched.slot[0].select, BPMU_SEL_USR);
	assert_int_equal(f.sched.slot[1].select, 0x3c | BPMU_SEL_OS);
	release(&f);
}

TEST(events_make_way_for_restricted_ones)
{
	static const u32 counters[] = { 0, 1, 3, 2 };

	expect("ivb", 4, "r1c2,r2c2,r10e,CYCLE_ACTIVITY.STALLS_L1D_MISS",
	       counters, 4);
}

/*
 * Eight events need all eight counters. The last four of them can be counted on the first four
 * counters only.
 */
TEST(restricted_events_get_the_first_four_counters)
{
	struct fixture f;
	u64 used = 0;
	unsigned int i;
	u64 bit;

	assert_int_equal(assign(&f, "ivb", 8,
				"r10e,r2c2,rc5,r15e,r19c,r0ca3:c=12,r4a3:c=4,r5a3:c=5"),
			 0);
	assert_int_equal(f.sched.nr, 8);
	for (i = 0; i < f.sched.nr; i++) {
		bit = 1ULL << f.sched.slot[i].counter;
		assert_true(bit & f.sched.slot[i].counters);
		assert_false(bit & used);
		used |= bit;
	}
	assert_int_equal(f.sched.slot[5].counter, 2);
	release(&f);
}

TEST(equal_terms_share_a_counter)
{
	struct fixture f;

	assert_int_equal(assign(&f, "ivb", 4,
				"r1b1:[=1],r1b1:[>=2],r1b1:[=2]"), 0);
	assert_int_equal(f.sched.nr, 3);
	assert_int_equal(bpmu_sched_count(bpmu_part_by_name("ivb"), &f.sched,
					  &f.list.spec[0],
					  (const u64[]){ 70, 30, 10 }), 40);
	assert_int_equal(bpmu_sched_count(bpmu_part_by_name("ivb"), &f.sched,
					  &f.list.spec[1],
					  (const u64[]){ 70, 30, 10 }), 30);
	assert_int_equal(bpmu_sched_count(bpmu_part_by_name("ivb"), &f.sched,
					  &f.list.spec[2],
					  (const u64[]){ 70, 30, 10 }), 20);
	release(&f);
}

/* r1b1:[=1] has two terms, r1b1:[>=1] and r1b1:[>=2], the second of which is subtracted. */
TEST(an_event_is_scheduled_if_all_of_its_terms_are)
{
	const struct bpmu_part *part = bpmu_part_by_name("ivb");
	struct fixture one, both;

	assert_int_equal(assign(&one, "ivb", 4, "r1b1:[>=1]"), 0);
	assert_int_equal(assign(&both, "ivb", 4, "r1b1:[=1]"), 0);
	assert_true(bpmu_sched_has(part, &one.sched, &one.list.spec[0]));
	assert_false(bpmu_sched_has(part, &one.sched, &both.list.spec[0]));
	assert_true(bpmu_sched_has(part, &both.sched, &one.list.spec[0]));
	assert_true(bpmu_sched_has(part, &both.sched, &both.list.spec[0]));
	release(&one);
	release(&both);
}

TEST(refuses_two_events_for_one_counter)
{
	refuse("ivb", 4,
	       "CYCLE_ACTIVITY.STALLS_L1D_MISS,L1D_PEND_MISS.PENDING",
	       "event 'L1D_PEND_MISS.PENDING': needs counter 2, which 'CYCLE_ACTIVITY.STALLS_L1D_MISS' already takes; measure them in several runs");
	refuse("ivb", 4, "ref-cycles:u,ref-cycles:k",
	       "event 'ref-cycles:k': needs fixed counter 2, which 'ref-cycles:u' already takes; measure them in several runs");
	refuse("knc", 0, "L2_READ_MISS,L2_WRITE_HIT",
	       "event 'L2_WRITE_HIT': needs counter 0, which 'L2_READ_MISS' already takes; measure them in several runs");
}

/*
 * An event that leaks also counts on the same counter of the core's other thread. By the rules of
 * this test the event is counted on counter 0 of one thread and on counter 1 of the other thread.
 * No other event may use these two counters.
 */
TEST(a_leaking_event_has_a_counter_of_its_own)
{
	struct bpmu_sched_rules rules = bpmu_sched_no_rules;
	struct fixture f;

	rules.leak[0] = 0;
	rules.leak[1] = 1;
	assert_int_equal(assign_by(&f, "ivb", 4, "r1d1,r10e,r1c2", &rules), 0);
	assert_int_equal(f.sched.slot[0].counter, 0);
	assert_int_equal(f.sched.slot[0].sibling, 1);
	assert_int_equal(f.sched.slot[1].counter, 2);
	assert_int_equal(f.sched.slot[1].sibling, 2);
	assert_int_equal(f.sched.slot[2].counter, 3);
	assert_int_equal(f.sched.slot[2].sibling, 3);
	release(&f);
}

TEST(a_data_fabric_has_more_counters_than_a_box)
{
	const char *text = "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_0,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_1,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_2,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_3,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_4,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_5,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_6,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_7,"
			   "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_8";
	const struct bpmu_cpuid cpuid = { .eax = 1, .ebx = 9 << 10 | 6 };
	struct bpmu_pmu pmu;
	struct fixture f = { .list.nr = 0 };
	unsigned int i;

	bpmu_pmu_init(&pmu, bpmu_part_by_name("zen4"), &cpuid, 0);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, text, &f.list, &f.err), 0);
	assert_int_equal(bpmu_sched_assign(&pmu, &f.list, &bpmu_sched_no_rules,
					   &f.sched, &f.err), 0);
	assert_int_equal(f.sched.nr, 9);
	for (i = 0; i < 9; i++) {
		assert_int_equal(f.sched.slot[i].counter, BPMU_COUNTER_DF + i);
		assert_int_equal(f.sched.slot[i].sibling, BPMU_COUNTER_DF + i);
	}
	pmu.counters[BPMU_UNIT_DF] = 8;
	release(&f);
	memset(&f, 0, sizeof(f));
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, text, &f.list, &f.err), 0);
	assert_int_equal(bpmu_sched_assign(&pmu, &f.list, &bpmu_sched_no_rules,
					   &f.sched, &f.err), -ENOSPC);
	assert_string_equal(f.err.text,
			    "event 'LOCAL_SOCKET_READ_DATA_BEATS_DRAM_8': the data fabric's counters for it are taken by others; measure them in several runs");
	release(&f);
}

/*
 * A CBo has one filter for all of its counters. Two events that use the same field of the filter
 * must have the same value in it, or be in different groups.
 */
TEST(events_of_a_box_share_its_filter)
{
	static const u32 two[] = { 361, 360 };
	static const u32 three[] = { 360, 361, 362 };

	expect("ivt", 4,
	       "UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182,UNC_C_TOR_OCCUPANCY.OPCODE:filter_opc=0x182",
	       two, 2);
	expect("bdx", 4,
	       "UNC_C_LLC_LOOKUP.ANY:filter_state=1,UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182,UNC_C_CLOCKTICKS",
	       three, 3);
	refuse("bdx", 4,
	       "UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182,UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x181",
	       "event 'UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x181': wants another filter than 'UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182', and a CBo has but one; measure them in several runs");
	/*
	 * The first event leaves the field nc of the filter at 0, so that it restricts nothing. The
	 * first event therefore cannot share the filter with an event that needs nc=1.
	 */
	refuse("ivt", 4,
	       "UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182,UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182:filter_nc=1",
	       "event 'UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182:filter_nc=1': wants another filter than 'UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182', and a CBo has but one; measure them in several runs");
}

#define READS "r1b7:offcore_rsp=0x10001"
#define WRITES "r1b7:offcore_rsp=0x10002"

/*
 * There are two off-core response MSRs. Each is used by an event code of its own, but any off-core
 * request can be counted with either MSR. Events of the front end have only one MSR.
 */
TEST(off_core_events_share_two_registers)
{
	static const u32 counters[] = { 0, 1, 2 };
	struct fixture f;
	u64 deltas[] = { 5, 7 };

	assert_int_equal(assign(&f, "skl", 4, READS "," WRITES), 0);
	assert_int_equal(f.sched.nr, 2);
	assert_int_equal(f.sched.slot[0].select, 0x301b7);
	assert_int_equal(f.sched.slot[0].filter, 0x10001);
	assert_int_equal(f.sched.slot[1].select, 0x301bb);
	assert_int_equal(f.sched.slot[1].filter, 0x10002);
	assert_int_equal(bpmu_sched_count(bpmu_part_by_name("skl"), &f.sched,
					  &f.list.spec[0], deltas), 5);
	assert_int_equal(bpmu_sched_count(bpmu_part_by_name("skl"), &f.sched,
					  &f.list.spec[1], deltas), 7);
	release(&f);
	/*
	 * Two events with the same off-core request are one event, even if their codes name
	 * different registers.
	 */
	expect("skl", 4, READS ",r1bb:offcore_rsp=0x10001", counters, 1);
	/*
	 * The same off-core request at another privilege level is another event, but both events
	 * use the same register.
	 */
	expect("skl", 4, READS "," WRITES ",r1bb:offcore_rsp=0x10001:u", counters, 3);
	expect("skl", 4, READS "," WRITES ",r1c6:frontend=0x11", counters, 3);
	refuse("skl", 4, READS "," WRITES ",r1b7:offcore_rsp=0x10004",
	       "event 'r1b7:offcore_rsp=0x10004': wants another offcore_rsp than '" READS "', and a CPU has two such registers; measure them in several runs");
	refuse("skl", 4, "r1c6:frontend=0x11,r1c6:frontend=0x12",
	       "event 'r1c6:frontend=0x12': wants another frontend than 'r1c6:frontend=0x11', and a CPU has one such register; measure them in several runs");
	refuse("tnt", 4, "r1b7:offcore_rsp=0x8000000000000001,r1b7:offcore_rsp=0x8000000000000002",
	       "event 'r1b7:offcore_rsp=0x8000000000000002': wants another offcore_rsp than 'r1b7:offcore_rsp=0x8000000000000001', and a CPU has two such registers; measure them in several runs");
}

/*
 * From Panther Cove on there are four off-module registers. Each register has an event of its own.
 * These four events differ in the unit mask. On Arctic Wolf each of these events can be counted on
 * only one counter.
 */
TEST(off_module_events_share_four_registers)
{
	static const struct {
		const char *part, *events;
		u64 select[4];
		u32 counter[4];
	} cases[] = {
		{ "nvl", "r12a:offcore_rsp=1,r12a:offcore_rsp=2,r42a:offcore_rsp=4,r12a:offcore_rsp=8",
		  { 0x3012a, 0x3022a, 0x3042a, 0x3082a }, { 0, 1, 2, 3 } },
		{ "nvl", "r8d6:offcore_rsp=1,r8d6:offcore_rsp=2,r82a:offcore_rsp=4,r12a:offcore_rsp=8",
		  { 0x308d6, 0x301d6, 0x3022a, 0x3042a }, { 0, 1, 2, 3 } },
		{ "nvl-e", "r8b7:offcore_rsp=1,r8b7:offcore_rsp=2,r8b7:offcore_rsp=4,r1d4:offcore_rsp=8",
		  { 0x308b7, 0x301b7, 0x302b7, 0x304d4 }, { 3, 0, 1, 2 } },
	};
	static const u32 once[] = { 0 };
	struct fixture f;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (assign(&f, cases[i].part, 8, cases[i].events))
			fail_msg("%s", f.err.text);
		assert_int_equal(f.sched.nr, 4);
		for (k = 0; k < 4; k++) {
			assert_int_equal(f.sched.slot[k].select, cases[i].select[k]);
			assert_int_equal(f.sched.slot[k].counter, cases[i].counter[k]);
			assert_int_equal(f.sched.slot[k].filter, 1 << k);
		}
		release(&f);
	}
	/*
	 * Two events with the same off-core request are one event, even if their codes name
	 * different registers.
	 */
	expect("nvl", 8, "r12a:offcore_rsp=1,r82a:offcore_rsp=1", once, 1);
	expect("nvl-e", 8, "r1b7:offcore_rsp=1,r8b7:offcore_rsp=1", once, 1);
	refuse("dmr", 8, "r12a:offcore_rsp=1,r12a:offcore_rsp=2,r12a:offcore_rsp=4,r12a:offcore_rsp=8,r12a:offcore_rsp=16",
	       "event 'r12a:offcore_rsp=16': wants another offcore_rsp than 'r12a:offcore_rsp=1', and a CPU has four such registers; measure them in several runs");
}

/*
 * A memory channel has a fixed counter for its clock. The clock can be counted on a general counter
 * as well.
 */
TEST(a_memory_channel_has_a_clock_counter)
{
	static const u32 five[] = { 384, 385, 386, 387, 388 };
	static const u32 two[] = { 388, 384 };

	expect("ivt", 4,
	       "UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR,UNC_M_ACT_COUNT.RD,UNC_M_DCLOCKTICKS,UNC_M_CLOCKTICKS_F",
	       five, 5);
	expect("bdx", 4, "UNC_M_CLOCKTICKS,UNC_M_CLOCKTICKS_P", two, 2);
}

TEST(refuses_more_events_than_counters)
{
	refuse("ivb", 4, "r10e,r2c2,rc5,rc4,rc0",
	       "event 'rc0': 5 events need general counters, this CPU has 4; measure them in several runs");
	refuse("knc", 0, "BRANCHES,CODE_READ,DATA_READ",
	       "event 'DATA_READ': 3 events need general counters, this CPU has 2; measure them in several runs");
}

TEST(refuses_more_restricted_events_than_their_counters)
{
	refuse("ivb", 8, "r19c,r19c:u,r4a3:c=4,r5a3:c=5,r6a3:c=6",
	       "event 'r6a3:c=6': is one more than the 4 that fit on counters 0 to 3, the only ones for it; measure them in several runs");
}

TEST(refuses_more_events_than_a_group_holds)
{
	refuse("ivb", 8,
	       "rc1,rc2,rc3,rc4,rc5,rc6,rc7,rc8,rc9,rca,rcb,rcc,rcd,rce,rcf,rb1,rb2",
	       "event 'rb2': is one more than the 16 that a group can hold; measure them in several runs");
}

TEST(refuses_events_of_the_uncore_beyond_its_counters)
{
	refuse("ivb", 4,
	       "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28],UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]",
	       "event 'UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]': the package's counters for it are taken by others; measure them in several runs");
	refuse("ivt", 4,
	       "UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR,UNC_M_ACT_COUNT.RD,UNC_M_DCLOCKTICKS,UNC_M_ACT_COUNT.WR",
	       "event 'UNC_M_ACT_COUNT.WR': the memory channel's counters for it are taken by others; measure them in several runs");
}

TEST(refuses_leaking_events_for_lack_of_counters)
{
	struct bpmu_sched_rules rules = bpmu_sched_no_rules;
	struct fixture f;

	rules.leak[0] = 0;
	rules.leak[1] = 1;
	assert_int_equal(assign_by(&f, "ivb", 4, "r81d0,r82d0", &rules), -ENOSPC);
	assert_string_equal(f.err.text,
			    "event 'r82d0': with hyper-threading on, erratum BJ122/BV98/HSD29 keeps a counter of the sibling idle and leaves too few; measure them in several runs, or one thread of each core (-C)");
	release(&f);
	assert_int_equal(assign_by(&f, "ivb", 4, "r10e,r1c2,r2c2,rc4", &rules), -ENOSPC);
	release(&f);
	assert_int_equal(assign_by(&f, "ivb", 4, "r10e,r1c2,r2c2", &rules), 0);
	release(&f);
}

/*
 * Each box has a slot of its own. The boxes of the clock and of the arbiter have lower numbers than
 * those of the cache.
 */
#define FIRST (BPMU_COUNTER_UNCORE + 2 * BPMU_COUNTERS_PER_BOX)

TEST(an_event_of_boxes_is_counted_in_each)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { };
	struct bpmu_sched sched, given;
	struct bpmu_error err;
	unsigned int i;

	pmu.nr[BPMU_UNIT_CBO] = 3;
	assert_int_equal(bpmu_event_list_parse(&pmu, 1,
					       "UNC_CBO_CACHE_LOOKUP.ANY_I,UNC_CBO_CACHE_LOOKUP.ANY_MESI", &list,
					       &err), 0);
	assert_int_equal(bpmu_sched_assign(&pmu, &list, &bpmu_sched_no_rules, &sched, &err), 0);
	assert_int_equal(sched.nr, 6);
	assert_int_equal(sched.values, 6);
	assert_int_equal(sched.bank, bpmu_unit_facts[BPMU_UNIT_CBO].bank);
	for (i = 0; i < 6; i++) {
		unsigned int event = i < 2 ? i : (i - 2) / 2, box = i < 2 ? 0 : 1 + i % 2;

		assert_int_equal(sched.slot[i].counter,
				 FIRST + event + box * BPMU_COUNTERS_PER_BOX);
		assert_int_equal(sched.slot[i].sibling, sched.slot[i].counter);
		assert_ptr_equal(sched.slot[i].text, list.spec[event].text);
		assert_int_equal(sched.slot[i].value, i);
	}
	/* Events that another tool has counted may have a counter in common. */
	assert_int_equal(bpmu_sched_list(&pmu, &list, &given, &err), 0);
	assert_int_equal(given.nr, 6);
	assert_int_equal(given.values, 6);
	assert_int_equal(given.slot[1].counter, FIRST);
	assert_int_equal(given.slot[5].counter, FIRST + 2 * BPMU_COUNTERS_PER_BOX);
	pmu.nr[BPMU_UNIT_CBO] = 8;
	assert_int_equal(bpmu_sched_assign(&pmu, &list, &bpmu_sched_no_rules, &sched, &err), 0);
	assert_int_equal(sched.nr, BPMU_MAX_COUNTERS);
	pmu.nr[BPMU_UNIT_CBO] = 9;
	assert_int_equal(bpmu_sched_assign(&pmu, &list, &bpmu_sched_no_rules, &sched, &err),
			 -ENOSPC);
	assert_string_equal(err.text,
			    "event 'UNC_CBO_CACHE_LOOKUP.ANY_MESI': is one more than the 16 that a group can hold; measure them in several runs");
	bpmu_event_list_free(&list);
}

/* The fields of PERF_METRICS are fractions of the slots, and one value of a sample. */
TEST(fields_of_slots_have_one_value_in_common)
{
	static const unsigned int values[] = { 0, 1, 1, 2, 1, 3 };
	struct fixture f;
	unsigned int i;

	assert_int_equal(assign(&f, "icl", 8,
				"rc4,topdown-retiring,topdown-be-bound,rc5,topdown-bad-spec"), 0);
	assert_int_equal(f.sched.nr, 6);
	assert_int_equal(f.sched.values, 4);
	assert_string_equal(f.sched.slot[5].text, "slots");
	assert_int_equal(f.sched.slot[5].counter, BPMU_FIXED_BASE + 3);
	assert_true(f.sched.slot[5].select == 0x30000);
	for (i = 0; i < 6; i++)
		assert_int_equal(f.sched.slot[i].value, values[i]);
	assert_int_equal(f.sched.slot[1].field, 0);
	assert_int_equal(f.sched.slot[2].field, 3);
	assert_int_equal(f.sched.slot[4].field, 1);
	assert_int_equal(f.sched.slot[0].field, 0);
	release(&f);
	/* Slots that are asked for are not added once more. */
	assert_int_equal(assign(&f, "icl", 8, "slots,topdown-retiring"), 0);
	assert_int_equal(f.sched.nr, 2);
	release(&f);
}

TEST(an_event_is_fixed_if_all_of_its_counts_are)
{
	static const struct {
		const char *part, *text;
		bool fixed;
	} cases[] = {
		{ "ivb", "cycles", true }, { "ivb", "instructions:u", true }, { "ivb", "rc4", false },
		{ "ivb", "UOPS_ISSUED.ANY:[=1]", false }, { "ivb", "UNC_CLOCK.SOCKET", true },
		{ "ivb", "UNC_ARB_TRK_REQUESTS.ALL", false }, { "bdx", "UNC_M_CLOCKTICKS", true },
		{ "bdx", "UNC_M_CLOCKTICKS_P", false }, { "bdx", "UNC_C_CLOCKTICKS", false },
		{ "ivt", "UNC_U_CLOCKTICKS", true },
	};
	const struct bpmu_event_spec none = { };
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pmu = unit_pmu(cases[i].part, 4);
		assert_int_equal(bpmu_event_parse(&pmu, 1, cases[i].text, &spec, &err), 0);
		if (bpmu_sched_is_fixed(pmu.part, &spec) != cases[i].fixed)
			fail_msg("%s", cases[i].text);
		bpmu_event_free(&spec);
	}
	assert_false(bpmu_sched_is_fixed(pmu.part, &none));
}

/* A difference needs two counters, but not one that a slot has already. */
TEST(a_group_is_full_without_counters_for_all_counts)
{
	static const struct {
		const char *text;
		bool full;
	} cases[] = {
		{ "r1c2", false }, { "r1b1:[=1]", true }, { "r10e:[=1]", false }, { "cycles", false },
		{ "r10e:[>=1]", false },
	};
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct fixture f;
	unsigned int i;

	assert_int_equal(assign(&f, "ivb", 4, "r10e:[>=1],rc4,rc5,instructions"), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bpmu_event_parse(&pmu, 1, cases[i].text, &spec, &err), 0);
		if (bpmu_sched_is_full(&pmu, &f.sched, &spec) != cases[i].full)
			fail_msg("%s", cases[i].text);
		bpmu_event_free(&spec);
	}
	release(&f);
}
