// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what each injected erratum changes: of the right counters and events, on both sides of
 * its bounds, and nothing without it.
 */
#include "machine.h"

#include "event/erratum.h"

#define MASK (VPMU_BIT(48) - 1)

static void inject(const char *name)
{
	vpmu_options.errata = 0;
	if (name)
		assert_int_equal(vpmu_erratum_option(name), 0);
}

TEST(each_name_is_one_erratum)
{
	static const char *const names[] = {
		"l1-prefetch", "smt-leak", "irq-overcount", "wrap-loss", "stuck-overflow",
		"retire-overcount", "lock-overcount", "ghost-pmi", "lost-pmi", "late-pmi",
		"lost-overflow", "overflow-loss", "freeze-counts", "pebs-address", "pebs-event",
	};
	static const enum vpmu_erratum errata[] = {
		VPMU_L1_PREFETCH, VPMU_SMT_LEAK, VPMU_IRQ_OVERCOUNT, VPMU_WRAP_LOSS,
		VPMU_STUCK_OVERFLOW, VPMU_RETIRE_OVERCOUNT, VPMU_LOCK_OVERCOUNT, VPMU_GHOST_PMI,
		VPMU_LOST_PMI, VPMU_LATE_PMI, VPMU_LOST_OVERFLOW, VPMU_OVERFLOW_LOSS,
		VPMU_FREEZE_COUNTS, VPMU_PEBS_ADDRESS, VPMU_PEBS_EVENT,
	};
	unsigned int i, k;

	machine_new(&vpmu_ivb, 1, 1);
	for (i = 0; i < VPMU_ERRATA; i++) {
		inject(names[i]);
		for (k = 0; k < VPMU_ERRATA; k++)
			assert_int_equal(vpmu_has_erratum(errata[k]), i == k);
	}
	/* Several can be injected at once; another name is refused. */
	assert_int_equal(vpmu_erratum_option("smt-leak"), 0);
	assert_true(vpmu_has_erratum(VPMU_SMT_LEAK));
	assert_true(vpmu_has_erratum(VPMU_PEBS_EVENT));
	assert_int_equal(vpmu_erratum_option("smt"), -1);
	assert_int_equal(vpmu_erratum_option(""), -1);
}

TEST(interrupts_are_counted_by_privilege)
{
	machine_new(&vpmu_ivb, 2, 1);
	vpmu_erratum_interrupted(&vpmu_cpus[1], 0x401000);
	vpmu_erratum_interrupted(&vpmu_cpus[1], 0x7fffffffffffffff);
	vpmu_erratum_interrupted(&vpmu_cpus[1], 0x8000000000000000);
	assert_int_equal(vpmu_cpus[1].interrupts[USER], 2);
	assert_int_equal(vpmu_cpus[1].interrupts[KERNEL], 1);
	assert_int_equal(vpmu_cpus[0].interrupts[USER], 0);
}

TEST(totals_are_amended_of_their_events_alone)
{
	struct vpmu_snapshot now = { .part = &vpmu_ivb, .l1_prefetch = true,
				     .interrupts = { 7, 30 } };

	machine_new(&vpmu_ivb, 1, 1);
	now.exact[VPMU_ATOMICS][USER] = 5;
	now.exact[VPMU_ATOMICS][KERNEL] = 600;
	inject(NULL);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x01a3, 100), 100);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc0, 100), 100);
	inject("l1-prefetch");
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x010001a3, 101), 151);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x050005a3, 100), 150);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x040004a3, 100), 100);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc0, 100), 100);
	now.l1_prefetch = false;
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x010001a3, 100), 100);
	inject("irq-overcount");
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc0, 100), 130);
	assert_int_equal(vpmu_erratum_amend(&now, KERNEL, 0x01c0, 100), 107);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc1, 100), 100);
	/* AMD's, on no part of Intel's */
	inject("retire-overcount");
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc4, 160), 160);
	now.part = &vpmu_zen4;
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc4, 160), 170);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc2, 175), 185);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc3, 160), 160);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xd1, 160), 160);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0x1000000c2, 160), 160);
	inject("lock-overcount");
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xd1, 160), 165);
	assert_int_equal(vpmu_erratum_amend(&now, KERNEL, 0xd1, 160), 760);
	assert_int_equal(vpmu_erratum_amend(&now, USER, 0xc2, 160), 160);
}

/* Counter 1 loses 100 counts when it wraps, but does not go back before the wrap. */
TEST(a_wrap_loses_counts_of_counter_1)
{
	machine_new(&vpmu_ivb, 1, 1);
	inject(NULL);
	assert_int_equal(vpmu_erratum_wrap(1, MASK + 500, MASK), MASK + 500);
	inject("wrap-loss");
	assert_int_equal(vpmu_erratum_wrap(1, MASK, MASK), MASK);
	assert_int_equal(vpmu_erratum_wrap(1, MASK + 1, MASK), MASK + 1);
	assert_int_equal(vpmu_erratum_wrap(1, MASK + 100, MASK), MASK + 1);
	assert_int_equal(vpmu_erratum_wrap(1, MASK + 101, MASK), MASK + 1);
	assert_int_equal(vpmu_erratum_wrap(1, MASK + 102, MASK), MASK + 2);
	assert_int_equal(vpmu_erratum_wrap(0, MASK + 500, MASK), MASK + 500);
	assert_int_equal(vpmu_erratum_wrap(2, MASK + 500, MASK), MASK + 500);
}

/* Each second overflow of a counter that interrupts is one; the others go back by 50. */
TEST(an_overflow_loses_counts_before_it)
{
	struct vpmu_counter counter = { 0 };

	machine_new(&vpmu_ivb, 1, 1);
	inject(NULL);
	assert_int_equal(vpmu_erratum_overflow(&counter, true, MASK + 7, MASK), MASK + 7);
	inject("overflow-loss");
	assert_int_equal(vpmu_erratum_overflow(&counter, true, MASK, MASK), MASK);
	assert_int_equal(vpmu_erratum_overflow(&counter, false, MASK + 7, MASK), MASK + 7);
	assert_int_equal(vpmu_erratum_overflow(&counter, true, MASK + 1, MASK), MASK + 1 - 50);
	assert_int_equal(vpmu_erratum_overflow(&counter, true, MASK + 7, MASK), MASK + 7);
	assert_int_equal(vpmu_erratum_overflow(&counter, true, MASK + 9, MASK), MASK + 1 - 50);
}

TEST(some_counters_are_concerned)
{
	unsigned int i;

	machine_new(&vpmu_ivb, 1, 1);
	inject(NULL);
	assert_int_equal(vpmu_erratum_stuck(), 0);
	for (i = 0; i < 36; i++) {
		assert_false(vpmu_erratum_is_silent(i));
		assert_int_equal(vpmu_erratum_named(i), i);
	}
	inject("stuck-overflow");
	assert_int_equal(vpmu_erratum_stuck(), 1);
	inject("lost-overflow");
	for (i = 0; i < 36; i++)
		assert_int_equal(vpmu_erratum_is_silent(i), i == 2);
	inject("pebs-event");
	for (i = 0; i < 36; i++)
		assert_int_equal(vpmu_erratum_named(i), i ? i : 1);
}

TEST_GROUP(NULL, machine_free);
