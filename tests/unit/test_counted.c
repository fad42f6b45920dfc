// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of finding in a group that was counted what another group would count: on other general
 * counters, on a fixed instead of a general one, and in the same box of several.
 */
#include <errno.h>

#include "event/counted.h"
#include "unit.h"

#define BOTH 0x30000ULL
#define CYCLES (BOTH | 0x3c)
#define UOPS (BOTH | 0x10e)
#define FIXED(n) BPMU_BIT(BPMU_FIXED_BASE + (n))

static const struct bpmu_sched counted = {
	.nr = 6,
	.slot = {
		{ .select = BOTH, .counters = FIXED(0) },
		{ .select = BOTH, .counters = FIXED(1) },
		{ .select = UOPS, .counters = 0x4 },
		{ .select = 0x18134, .counters = 1, .unit = BPMU_UNIT_CBO },
		{ .select = 0x18134, .counters = 1, .unit = BPMU_UNIT_CBO },
		{ .select = BOTH, .counters = FIXED(3), .field = 2 },
	},
};

/* Returns where @counted has what slot @slot of a group of these slots counts. */
static int found(const struct bpmu_sched_slot *slots, unsigned int nr, unsigned int slot)
{
	struct bpmu_sched wanted = { .nr = nr };
	unsigned int i;

	for (i = 0; i < nr; i++)
		wanted.slot[i] = slots[i];
	return bpmu_counted_slot(bpmu_part_by_name("ivb"), &counted, &wanted, slot);
}

#define ONE(...) found(&(const struct bpmu_sched_slot){ __VA_ARGS__ }, 1, 0)

TEST(general_counters_may_differ_and_fixed_ones_may_not)
{
	assert_int_equal(ONE(.select = UOPS, .counters = 0x1), 2);
	assert_int_equal(ONE(.select = UOPS & ~BPMU_BIT(17), .counters = 0x4), -1);
	assert_int_equal(ONE(.select = UOPS, .counters = 0x4, .unit = BPMU_UNIT_ARB), -1);
	assert_int_equal(ONE(.select = BOTH, .counters = FIXED(0)), 0);
	assert_int_equal(ONE(.select = BOTH, .counters = FIXED(1)), 1);
	assert_int_equal(ONE(.select = BOTH, .counters = FIXED(2)), -1);
	assert_int_equal(ONE(.select = BPMU_BIT(16), .counters = FIXED(1)), -1);
}

/* Instructions and cycles have event selects, too. */
TEST(a_fixed_counter_is_as_good_as_a_general_one)
{
	assert_int_equal(ONE(.select = BOTH | 0xc0, .counters = 0xf), 0);
	assert_int_equal(ONE(.select = CYCLES, .counters = 0xf), 1);
	assert_int_equal(ONE(.select = CYCLES & ~BPMU_BIT(16), .counters = 0xf), -1);
}

TEST(a_field_of_a_register_is_one_event)
{
	assert_int_equal(ONE(.select = BOTH, .counters = FIXED(3), .field = 2), 5);
	assert_int_equal(ONE(.select = BOTH, .counters = FIXED(3), .field = 1), -1);
}

/* The second box of a group is the second one of the other. */
TEST(boxes_keep_their_order)
{
	static const struct bpmu_sched_slot boxes[] = {
		{ .select = 0x18134, .counters = 1, .unit = BPMU_UNIT_CBO },
		{ .select = UOPS, .counters = 0x1 },
		{ .select = 0x18134, .counters = 1, .unit = BPMU_UNIT_CBO },
		{ .select = 0x18134, .counters = 1, .unit = BPMU_UNIT_CBO },
	};

	assert_int_equal(found(boxes, 4, 0), 3);
	assert_int_equal(found(boxes, 4, 1), 2);
	assert_int_equal(found(boxes, 4, 2), 4);
	assert_int_equal(found(boxes, 4, 3), -1);
}

TEST(an_event_that_was_not_counted_is_refused_for_the_part)
{
	struct bpmu_pmu pmu = unit_pmu("ivt", 4);
	struct bpmu_error err;

	assert_int_equal(bpmu_counted_lacks(&pmu, false, "rc4", &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'rc4': was not recorded on ivt; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists");
	assert_int_equal(bpmu_counted_lacks(&pmu, true, "rc4", &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'rc4': the session does not count it; start one that does, or leave it out");
}
