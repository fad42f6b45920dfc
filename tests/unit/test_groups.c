// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the distribution of events over groups: if there are more events than counters, there
 * are as few groups as possible, and each fits on the counters. With --no-multiplex more than one
 * group is refused.
 */

#include <errno.h>
#include <string.h>

#include "event/counted.h"
#include "event/groups.h"
#include "unit.h"

/**
 * struct fixture - a list of events, and the groups over which the events are distributed
 */
struct fixture {
	struct bpmu_pmu pmu;
	struct bpmu_event_list list;
	struct bpmu_groups groups;
	struct bpmu_error err;
};

static int make(struct fixture *f, const char *part, unsigned int gp,
		const char *events, const struct bpmu_groups_wish *wish)
{
	memset(f, 0, sizeof(*f));
	f->pmu = unit_pmu(part, gp);
	if (bpmu_event_list_parse(&f->pmu, gp < 8, events, &f->list, &f->err))
		fail_msg("%s", f->err.text);
	return bpmu_groups_make(&f->groups, &f->pmu, &f->list, wish, &f->err);
}

static void release(struct fixture *f)
{
	bpmu_groups_free(&f->groups);
	bpmu_event_list_free(&f->list);
}

static bool is_everywhere(const struct bpmu_groups *groups, const struct bpmu_event_spec *spec)
{
	struct bpmu_event_slots slots;

	bpmu_groups_event_slots(groups, spec, spec, &slots);
	return slots.everywhere;
}

TEST(events_that_fit_form_one_group)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, "cycles,instructions,rc4,rc5",
			      &wish), 0);
	assert_int_equal(f.groups.nr, 1);
	assert_int_equal(f.groups.slots, 4);
	assert_false(bpmu_groups_multiplexed(&f.groups, BPMU_BANK_CORE));
	release(&f);
}

TEST(more_events_form_several_groups)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4,
			      "r1c2,r2c2,r10e,rc4,rc5,r1b1,cycles", &wish), 0);
	assert_int_equal(f.groups.nr, 2);
	assert_int_equal(f.groups.group[0].events.nr, 5);
	assert_int_equal(f.groups.group[1].first, 5);
	assert_ptr_equal(bpmu_groups_find(&f.groups, &f.list.spec[5]),
			 &f.groups.group[1]);
	assert_true(bpmu_groups_multiplexed(&f.groups, BPMU_BANK_CORE));
	release(&f);
}

/*
 * An event on a fixed counter takes no counter from other events, so it is counted in all groups.
 */
TEST(events_on_fixed_counters_are_in_all_groups)
{
	static const char *const parts[] = { "ivb", "icl" };
	const struct bpmu_groups_wish wish = { };
	struct fixture f;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		assert_int_equal(make(&f, parts[i], 4,
				      "cycles,r1c2,r2c2,r10e,rc4,rc5,r1b1,instructions,instructions:u",
				      &wish), 0);
		assert_int_equal(f.groups.nr, 2);
		assert_true(is_everywhere(&f.groups, &f.list.spec[0]));
		assert_true(is_everywhere(&f.groups, &f.list.spec[7]));
		/*
		 * The events cycles and instructions take the fixed counters, which then count in
		 * user and kernel mode. The event instructions:u is therefore counted on a
		 * general-purpose counter.
		 */
		assert_false(is_everywhere(&f.groups, &f.list.spec[8]));
		assert_false(is_everywhere(&f.groups, &f.list.spec[1]));
		release(&f);
	}
}

/* If a box has a fixed counter for its clock, the clock is counted in all groups of the box. */
TEST(events_on_the_fixed_counter_of_a_box_are_in_all_groups)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4,
			      "UNC_CLOCK.SOCKET,UNC_ARB_TRK_OCCUPANCY.ALL,UNC_ARB_TRK_OCCUPANCY.ALL:[>=1],UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]",
			      &wish), 0);
	assert_true(f.groups.nr > 1);
	assert_true(is_everywhere(&f.groups, &f.list.spec[0]));
	assert_false(is_everywhere(&f.groups, &f.list.spec[2]));
	release(&f);
}

/*
 * The uncore of Nehalem has a counter only for its clock. The eight counters of its global queue
 * are therefore free for the other eight events.
 */
TEST(all_counters_of_the_global_queue_are_counted_at_once)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "nhm", 4,
			      "UNC_CLOCK.SOCKET,UNC_QMC_NORMAL_READS.CH0,UNC_QMC_NORMAL_READS.CH1,UNC_QMC_NORMAL_READS.CH2,UNC_QMC_WRITES.FULL_CH0,UNC_QMC_WRITES.FULL_CH1,UNC_QMC_WRITES.FULL_CH2,UNC_LLC_MISS.READ,UNC_LLC_MISS.WRITE",
			      &wish), 0);
	assert_int_equal(f.groups.nr, 1);
	release(&f);
}

/*
 * The user asks for only some of the recorded events. The groups of these events keep the numbers
 * that the groups have in the recording. A group may have no event left.
 */
TEST(parts_of_counted_groups_keep_their_places)
{
	struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups parts;
	struct bpmu_error err;
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, "cycles,r1c2,r2c2,r10e,rc4,rc5,r1b1",
			      &wish), 0);
	assert_int_equal(f.groups.nr, 2);
	wish.of = &f.groups;
	assert_int_equal(bpmu_event_list_parse(&f.pmu, 1, "rc5,cycles", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&parts, &f.pmu, &list, &wish, &err), 0);
	assert_int_equal(parts.nr, 2);
	assert_int_equal(parts.group[0].sched.nr, 1);
	assert_int_equal(parts.group[1].sched.nr, 2);
	assert_true(is_everywhere(&parts, &list.spec[1]));
	assert_false(is_everywhere(&parts, &list.spec[0]));
	bpmu_groups_free(&parts);
	bpmu_event_list_free(&list);
	assert_int_equal(bpmu_event_list_parse(&f.pmu, 1, "r412e", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&parts, &f.pmu, &list, &wish, &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'r412e': was not recorded on ivb; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists");
	bpmu_groups_free(&parts);
	bpmu_event_list_free(&list);
	release(&f);
}

static void expect_difference(const struct fixture *f)
{
	struct bpmu_slots slots;

	bpmu_groups_slots(&f->groups, 0, &f->list.spec[1], &slots);
	assert_int_equal(slots.nr, 2);
	assert_int_equal(slots.slot[0], 1);
	assert_int_equal(slots.sign[0], 1);
	assert_int_equal(slots.slot[1], 2);
	assert_int_equal(slots.sign[1], -1);
}

/*
 * Each count has an index in the array of all groups' counts. The index stays the same when other
 * events are added to the groups.
 */
TEST(slots_stay_valid_when_events_are_appended)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list more = { };
	struct bpmu_slots slots;
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, "rc4,r1b1:[=1]", &wish), 0);
	expect_difference(&f);
	assert_int_equal(bpmu_event_list_parse(&f.pmu, 1, "rc5", &more, &f.err), 0);
	bpmu_groups_slots(&f.groups, 0, &more.spec[0], &slots);
	assert_int_equal(slots.nr, 0);
	assert_int_equal(bpmu_groups_join(&f.groups, &more, true, &f.err), 0);
	expect_difference(&f);
	bpmu_groups_slots(&f.groups, 0, &more.spec[0], &slots);
	assert_int_equal(slots.nr, 1);
	assert_int_equal(slots.slot[0], 3);
	release(&f);
	bpmu_event_list_free(&more);
}

TEST(refuses_more_than_one_group_without_multiplexing)
{
	const struct bpmu_groups_wish wish = { .together = true };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, "r1c2,r2c2,r10e,rc4,rc5", &wish),
			 -ENOSPC);
	assert_string_equal(f.err.text,
			    "event 'rc5': 5 events need general counters, this CPU has 4; measure them in several runs");
	release(&f);
}

TEST(events_for_one_counter_form_several_groups)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "knc", 0,
			      "L2_READ_MISS,BRANCHES,L2_WRITE_HIT", &wish), 0);
	assert_int_equal(f.groups.nr, 2);
	assert_int_equal(f.groups.group[0].sched.slot[0].counter, 0);
	assert_int_equal(f.groups.group[0].sched.slot[1].counter, 1);
	assert_int_equal(f.groups.group[1].sched.slot[0].counter, 0);
	release(&f);
}

/*
 * An event that leaks also counts on the same counter of the core's other thread. Checks that while
 * a thread counts such an event on counter N, its sibling does not use counter N.
 */
static void expect_no_leak(const struct fixture *f)
{
	u64 used[2] = { 0, 0 }, leaks[2] = { 0, 0 };
	const struct bpmu_sched_slot *slot;
	unsigned int g, i;

	for (g = 0; g < f->groups.nr; g++)
		for (i = 0; i < f->groups.group[g].sched.nr; i++) {
			slot = &f->groups.group[g].sched.slot[i];
			used[0] |= BPMU_BIT(slot->counter);
			used[1] |= BPMU_BIT(slot->sibling);
			if (!bpmu_select_leaks(f->pmu.part, slot->select))
				continue;
			leaks[0] |= BPMU_BIT(slot->counter);
			leaks[1] |= BPMU_BIT(slot->sibling);
		}
	assert_true(leaks[0] && leaks[1]);
	assert_int_equal(leaks[0] & used[1], 0);
	assert_int_equal(leaks[1] & used[0], 0);
}

TEST(leaking_events_of_siblings_are_kept_apart)
{
	const struct bpmu_groups_wish wish = { .siblings = true };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4,
			      "r81d0,r82d0,r4d1,r20d1,CYCLE_ACTIVITY.STALLS_L1D_PENDING,rc4,cycles",
			      &wish), 0);
	assert_int_equal(f.groups.nr, 4);
	expect_no_leak(&f);
	release(&f);
}

/*
 * If an event leaks, the two threads of a core count it on two different counters.
 * bpmu_groups_leak_pair() enumerates all pairs of different counters; four counters have at most
 * 12.
 */
TEST(pairs_keep_two_counters_apart)
{
	struct bpmu_sched_rules rules;
	unsigned int i;

	for (i = 0; i < 100 && bpmu_groups_leak_pair(i, &rules); i++) {
		assert_in_range(rules.leak[0], 0, 3);
		assert_in_range(rules.leak[1], 0, 3);
		assert_int_not_equal(rules.leak[0], rules.leak[1]);
	}
	assert_int_equal(i, 10);
	assert_int_equal(rules.leak[0], 2);
	assert_int_equal(rules.leak[1], 0);
}

TEST(without_siblings_leaking_events_form_one_group)
{
	const struct bpmu_groups_wish wish = { };
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, "r81d0,r82d0,r4d1,r20d1", &wish),
			 0);
	assert_int_equal(f.groups.nr, 1);
	release(&f);
}

TEST(uncore_events_form_groups_of_their_own)
{
	struct bpmu_groups_wish wish = { };
	const char *events =
		"UNC_ARB_TRK_OCCUPANCY.ALL:[>=28],UNC_ARB_TRK_OCCUPANCY.ALL:[>=1],UNC_CLOCK.SOCKET,cycles";
	struct fixture f;

	assert_int_equal(make(&f, "ivb", 4, events, &wish), 0);
	assert_int_equal(f.groups.nr_of[BPMU_BANK_CORE], 1);
	assert_int_equal(f.groups.nr, 3);
	assert_int_equal(f.groups.group[1].sched.bank, BPMU_BANK_UNCORE);
	assert_int_equal(f.groups.group[1].sched.slot[0].counter,
			 BPMU_COUNTER_UNCORE + BPMU_COUNTERS_PER_BOX);
	assert_int_equal(f.groups.group[1].sched.slot[1].counter,
			 BPMU_COUNTER_UNCORE);
	assert_true(bpmu_groups_multiplexed(&f.groups, BPMU_BANK_UNCORE));
	assert_false(bpmu_groups_multiplexed(&f.groups, BPMU_BANK_CORE));
	release(&f);
	wish.arb_both = true;
	assert_int_equal(make(&f, "ivb", 4, events, &wish), 0);
	assert_int_equal(f.groups.nr, 2);
	assert_false(bpmu_groups_multiplexed(&f.groups, BPMU_BANK_UNCORE));
	release(&f);
}

/* Each event of this list needs counter 2, so that each has a group of its own. */
static void add_each(struct bpmu_event_list *list, const struct bpmu_pmu *pmu, unsigned int nr)
{
	static const char *const filters[] = { "", ":u", ":k", ":e" };
	struct bpmu_error err;
	char text[64];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "L1D_PEND_MISS.PENDING:c%u%s", 1 + i / 4,
			 filters[i % 4]);
		assert_int_equal(bpmu_event_list_add(pmu, 1, text, list, &err), 0);
	}
}

TEST(a_bank_has_as_many_groups_as_a_session_can_have)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { };
	struct bpmu_groups groups;
	struct bpmu_error err;
	char says[128];
	unsigned int g;

	add_each(&list, &pmu, BPMU_MAX_GROUPS);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err), 0);
	assert_int_equal(groups.nr, BPMU_MAX_GROUPS);
	assert_int_equal(bpmu_groups_most(&groups), BPMU_MAX_GROUPS);
	assert_int_equal(groups.slots, BPMU_MAX_GROUPS);
	for (g = 0; g < groups.nr; g++) {
		assert_int_equal(groups.group[g].first, g);
		assert_ptr_equal(bpmu_groups_find(&groups, &list.spec[g]), &groups.group[g]);
	}
	bpmu_groups_free(&groups);
	assert_int_equal(groups.nr, 0);
	assert_int_equal(groups.slots, 0);
	assert_int_equal(bpmu_groups_most(&groups), 0);
	assert_null(groups.group);
	bpmu_event_list_free(&list);
	add_each(&list, &pmu, BPMU_MAX_GROUPS + 1);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err), -ENOSPC);
	snprintf(says, sizeof(says),
		 "events: they need %d groups, a session can have %d; measure them in several runs",
		 BPMU_MAX_GROUPS + 1, BPMU_MAX_GROUPS);
	assert_string_equal(err.text, says);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
	add_each(&list, &pmu, BPMU_GROUPS_MAX + 1);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err), -ENOSPC);
	snprintf(says, sizeof(says),
		 "events: they need more than the %d groups that a session can have; measure them in several runs",
		 BPMU_MAX_GROUPS);
	assert_string_equal(err.text, says);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

/* Groups are in the order of their banks, whatever the order of the events is. */
TEST(groups_of_a_bank_stand_together)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_sample sample = { };
	struct fixture f;

	assert_int_equal(make(&f, "ivt", 4,
			      "UNC_M_CAS_COUNT.RD,r1c2,UNC_C_CLOCKTICKS,r2c2,r10e,rc4,rc5,UNC_M_CAS_COUNT.WR",
			      &wish), 0);
	assert_int_equal(f.groups.nr, 4);
	assert_int_equal(f.groups.nr_of[BPMU_BANK_CORE], 2);
	assert_int_equal(f.groups.group[0].sched.bank, BPMU_BANK_CORE);
	assert_int_equal(f.groups.group[0].sched.nr, 4);
	assert_int_equal(f.groups.group[1].sched.bank, BPMU_BANK_CORE);
	assert_int_equal(f.groups.group[1].sched.nr, 1);
	assert_int_equal(bpmu_groups_first(&f.groups, BPMU_BANK_CORE), 0);
	assert_int_equal(bpmu_groups_first(&f.groups, BPMU_BANK_UNCORE), 2);
	assert_int_equal(bpmu_groups_most(&f.groups), 2);
	assert_ptr_equal(bpmu_groups_find(&f.groups, &f.list.spec[6]), &f.groups.group[1]);
	assert_ptr_equal(bpmu_groups_find(&f.groups, &f.list.spec[1]), &f.groups.group[0]);
	sample.bank = bpmu_unit_facts[BPMU_UNIT_IMC].bank;
	assert_ptr_equal(bpmu_groups_of_sample(&f.groups, &sample),
			 bpmu_groups_find(&f.groups, &f.list.spec[0]));
	assert_ptr_equal(bpmu_groups_find(&f.groups, &f.list.spec[7]),
			 bpmu_groups_find(&f.groups, &f.list.spec[0]));
	sample.group = 1;
	assert_null(bpmu_groups_of_sample(&f.groups, &sample));
	sample.bank = BPMU_BANK_CORE;
	assert_ptr_equal(bpmu_groups_of_sample(&f.groups, &sample), &f.groups.group[1]);
	sample.group = 2;
	assert_null(bpmu_groups_of_sample(&f.groups, &sample));
	sample.bank = BPMU_BANKS;
	sample.group = 0;
	assert_null(bpmu_groups_of_sample(&f.groups, &sample));
	release(&f);
}

TEST(a_group_is_added_with_all_of_its_events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list two = { }, one = { }, many = { };
	struct bpmu_groups groups;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "r1c2,r2c2", &two, &err), 0);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "r10e,cycles", &one, &err), 0);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "rc0,rc1,rc2,rc3,rc4", &many, &err), 0);
	bpmu_groups_begin(&groups, &pmu);
	assert_int_equal(bpmu_groups_add(&groups, &two, &err), 0);
	assert_int_equal(bpmu_groups_add(&groups, &one, &err), 0);
	assert_int_equal(groups.nr, 2);
	assert_ptr_equal(bpmu_groups_find(&groups, &two.spec[1]), &groups.group[0]);
	assert_ptr_equal(bpmu_groups_find(&groups, &one.spec[0]), &groups.group[1]);
	/* The clock is in both groups then. */
	assert_int_equal(groups.slots, 5);
	assert_int_equal(groups.group[1].first, 3);
	assert_true(is_everywhere(&groups, &one.spec[1]));
	assert_int_equal(bpmu_groups_add(&groups, &many, &err), -ENOSPC);
	assert_string_equal(err.text,
			    "event 'rc4': 5 events need general counters, this CPU has 4; measure them in several runs");
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&two);
	bpmu_event_list_free(&one);
	bpmu_event_list_free(&many);
}

/* What was counted, in a recording or by another session, is known by the sentence, too. */
TEST(events_that_were_not_counted_are_refused)
{
	struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups parts;
	struct fixture f;
	int live;

	assert_int_equal(make(&f, "ivb", 4, "cycles,r1c2", &wish), 0);
	assert_int_equal(bpmu_event_list_parse(&f.pmu, 1, "cycles,r412e", &list, &f.err), 0);
	wish.of = &f.groups;
	for (live = 0; live < 2; live++) {
		f.groups.live = live;
		assert_int_equal(bpmu_groups_make(&parts, &f.pmu, &list, &wish, &f.err),
				 -ENODATA);
		assert_string_equal(f.err.text, live ?
				    "event 'r412e': the session does not count it; start one that does, or leave it out" :
				    "event 'r412e': was not recorded on ivb; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists");
		assert_int_equal(parts.live, live);
		assert_int_equal(parts.nr, 1);
		bpmu_groups_free(&parts);
	}
	bpmu_event_list_free(&list);
	release(&f);
}

/* A difference was counted if both of its counts were. */
TEST(a_difference_was_counted_if_both_counts_were)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups parts;
	struct fixture f;
	unsigned int i;

	assert_int_equal(make(&f, "ivb", 4, "r1b1:[>=1],r1b1:[>=2],r1b1:[>=4]", &wish), 0);
	assert_int_equal(bpmu_event_list_parse(&f.pmu, 1, "r1b1:[=1],r1b1:[=2],r1b1:[=3]", &list,
					       &f.err), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(bpmu_counted_has(&f.pmu, &f.groups.group[0].sched,
						  &list.spec[i]), i == 0);
	assert_int_equal(bpmu_groups_begin_of(&parts, &f.pmu, &f.groups, &f.err), 0);
	assert_int_equal(parts.nr, 1);
	assert_int_equal(parts.slots, 0);
	list.nr = 1;
	assert_int_equal(bpmu_groups_set(&parts, 0, &list, &f.err), 0);
	assert_int_equal(parts.slots, 2);
	assert_int_equal(parts.nr_of[BPMU_BANK_CORE], 1);
	bpmu_groups_free(&parts);
	list.nr = 3;
	bpmu_event_list_free(&list);
	release(&f);
}

TEST(events_of_the_core_leak_and_others_do_not)
{
	struct bpmu_event_list list = { };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;

	assert_false(bpmu_groups_leak(&pmu, &list));
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "UNC_CBO_CACHE_LOOKUP.ANY_I,rc4", &list,
					       &err), 0);
	assert_false(bpmu_groups_leak(&pmu, &list));
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "r81d0", &list, &err), 0);
	assert_true(bpmu_groups_leak(&pmu, &list));
	/* the same event select in a unit of the uncore */
	list.spec[2].term[0].unit = BPMU_UNIT_CBO;
	assert_false(bpmu_groups_leak(&pmu, &list));
	bpmu_event_list_free(&list);
}
