// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the timeout in ms with which poll() waits until a deadline, such as the end of an
 * interval.
 */

#include <limits.h>

#include "base/clock.h"
#include "unit.h"

#define DAY_NS (24 * 3600 * BPMU_NS_PER_S)

static u64 in(u64 ns)
{
	return bpmu_clock_ns(CLOCK_MONOTONIC) + ns;
}

TEST(without_a_deadline_poll_waits_for_its_maximum)
{
	assert_int_equal(bpmu_clock_poll_ms(0, -1), -1);
	assert_int_equal(bpmu_clock_poll_ms(0, 20), 20);
}

TEST(a_near_deadline_limits_poll)
{
	int ms = bpmu_clock_poll_ms(in(3600 * BPMU_NS_PER_S), -1);

	assert_true(ms > 3000 * 1000 && ms <= 3600 * 1000 + 1);
	assert_int_equal(bpmu_clock_poll_ms(in(3600 * BPMU_NS_PER_S), 20), 20);
	assert_int_equal(bpmu_clock_poll_ms(1, -1), 0);
	assert_int_equal(bpmu_clock_poll_ms(1, 20), 0);
}

/* 2^31 ms are 24.8 days and 2^32 ms are 49.7: poll() takes its timeout as an int. */
TEST(a_far_deadline_does_not_overflow_poll)
{
	unsigned int days;

	for (days = 25; days < 4000; days += 5) {
		assert_int_equal(bpmu_clock_poll_ms(in(days * DAY_NS), -1),
				 INT_MAX);
		assert_int_equal(bpmu_clock_poll_ms(in(days * DAY_NS), 20), 20);
	}
}
