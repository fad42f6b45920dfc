// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sets of events: each event that a set can have, up to the last one, is a bit of its own.
 */
#include "event/event_set.h"
#include "unit.h"

static struct bpmu_event_set set_of(unsigned int event)
{
	struct bpmu_event_set set = { .word = { 0 } };

	bpmu_event_set_add(&set, event);
	return set;
}

TEST(each_event_is_a_bit_of_its_own)
{
	struct bpmu_event_set set;
	unsigned int i, k;

	for (i = 0; i < BPMU_EVENT_SET_MAX; i++) {
		set = set_of(i);
		assert_int_equal(bpmu_event_set_size(&set), 1);
		for (k = 0; k < BPMU_EVENT_SET_MAX; k++)
			assert_int_equal(bpmu_event_set_has(&set, k), i == k);
		bpmu_event_set_add(&set, i);
		assert_int_equal(bpmu_event_set_size(&set), 1);
	}
}

TEST(sets_are_joined_and_compared)
{
	const struct bpmu_event_set none = { .word = { 0 } };
	struct bpmu_event_set all = { .word = { 0 } };
	struct bpmu_event_set one, two;
	unsigned int i;

	assert_int_equal(bpmu_event_set_size(&none), 0);
	assert_true(bpmu_event_set_inside(&none, &none));
	for (i = 0; i < BPMU_EVENT_SET_MAX; i++) {
		one = set_of(i);
		assert_false(bpmu_event_set_inside(&one, &all));
		assert_true(bpmu_event_set_inside(&all, &all));
		bpmu_event_set_join(&all, &one);
		assert_true(bpmu_event_set_inside(&one, &all));
		assert_true(bpmu_event_set_inside(&none, &one));
		assert_int_equal(bpmu_event_set_inside(&all, &one), i == 0);
		assert_int_equal(bpmu_event_set_size(&all), i + 1);
		two = set_of(BPMU_EVENT_SET_MAX - 1 - i);
		bpmu_event_set_join(&two, &one);
		assert_int_equal(bpmu_event_set_size(&two), 2);
		assert_true(bpmu_event_set_has(&two, i));
		assert_false(bpmu_event_set_inside(&two, &one));
	}
}
