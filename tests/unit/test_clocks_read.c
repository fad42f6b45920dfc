// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the TSC's rate, and of the thread that reads another CPU's TSC: it ends, whatever it is
 * doing when the first CPU gives up waiting for it. The test includes clocks_read.c unchanged, and
 * fakes the TSC.
 */
#include <x86intrin.h>

static unsigned long long read_test_tsc(void);
#define __rdtsc read_test_tsc
#include "cmd/clocks/clocks_read.c"

#include "unit.h"

/* Seconds to wait for the thread: a working one takes microseconds, a broken one never ends. */
#define WAIT_S 60

static struct mailbox box;
static unsigned int readings;
static bool gives_up;
/* In periods, time passes by the test's clock only, one period each time that it is read. */
static u64 elapsed_ns;
static const unsigned int *ticks_of_period;

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_MONOTONIC_RAW);
	elapsed_ns += PERIOD_NS;
	return elapsed_ns;
}

static unsigned long long read_test_tsc(void)
{
	static unsigned long long ticks;

	readings++;
	if (ticks_of_period) {
		ticks += readings % 2 ? 12345 : ticks_of_period[readings / 2 - 1];
		return ticks;
	}
	if (gives_up)
		box.state = MAILBOX_CLOSED;
	return 1000 * readings;
}

static pthread_t begin_with(enum mailbox_state state)
{
	pthread_t thread;

	readings = 0;
	box.cpu = sched_getcpu();
	box.there = 0;
	box.state = state;
	assert_int_equal(pthread_create(&thread, NULL, answer_requests, &box), 0);
	return thread;
}

static void assert_ends(pthread_t thread)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += WAIT_S;
	assert_int_equal(pthread_timedjoin_np(thread, NULL, &end), 0);
}

TEST(a_request_is_answered)
{
	pthread_t thread;

	gives_up = false;
	thread = begin_with(MAILBOX_REQUESTED);
	while (box.state != MAILBOX_ANSWERED)
		;
	assert_int_equal(box.there, 1000);
	box.state = MAILBOX_CLOSED;
	assert_ends(thread);
	assert_int_equal(readings, 1);
}

/*
 * On a busy machine the first CPU may give up while the other CPU reads its TSC for the answer. The
 * first CPU then closes the mailbox, through which the two CPUs exchange requests and answers. The
 * mailbox must stay closed.
 */
TEST(a_mailbox_that_is_closed_during_the_answer_stays_closed)
{
	gives_up = true;
	assert_ends(begin_with(MAILBOX_REQUESTED));
	assert_int_equal(box.state, MAILBOX_CLOSED);
	assert_int_equal(readings, 1);
}

TEST(a_thread_that_may_not_run_there_ends)
{
	pthread_t thread;

	readings = 0;
	box.cpu = 8191;
	box.state = MAILBOX_REQUESTED;
	assert_int_equal(pthread_create(&thread, NULL, answer_requests, &box), 0);
	assert_ends(thread);
	assert_int_equal(readings, 0);
	assert_int_equal(box.state, MAILBOX_REQUESTED);
}

/* The rates are 2.0, 2.1, 1.9, 2.0 and 2.0 GHz: a variance of 0.005, and Student's t of 2.776. */
TEST(the_rate_has_the_interval_of_its_periods)
{
	static const unsigned int ticks[PERIODS] = {
		2 * PERIOD_NS, 2.1 * PERIOD_NS, 1.9 * PERIOD_NS, 2 * PERIOD_NS, 2 * PERIOD_NS,
	};
	struct bpmu_clocks clocks = { };

	readings = 0;
	ticks_of_period = ticks;
	find_rate(&clocks);
	ticks_of_period = NULL;
	assert_true(fabs(clocks.khz - 2000000) < 1);
	assert_true(fabs(clocks.khz_half - 2.776e6 * sqrt(0.005 / 5)) < 1);
}
