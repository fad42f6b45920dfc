// SPDX-License-Identifier: GPL-2.0
/*
 * What a session's samples say: turns, swaps, losses, time.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <kselftest_harness.h>

#include "log.h"

#define MS 1000000ULL
#define DRIFT_SAMPLES 10000
/* so few that a slow drift does not show within */
#define DRIFT_BLOCK 10

static struct log own;

static void sleep_ms(unsigned int ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * MS };

	nanosleep(&ts, NULL);
}

/* busy for so long, as a tick needs it */
static void spin_ms(unsigned int ms)
{
	struct timespec ts;
	uint64_t end, now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * 1000 * MS + ts.tv_nsec;
	for (end = now + ms * MS; now < end;
	     now = ts.tv_sec * 1000 * MS + ts.tv_nsec) {
		log_loop(10000);
		clock_gettime(CLOCK_MONOTONIC, &ts);
	}
}

FIXTURE(samples) {
	int unused;
};

FIXTURE_SETUP(samples)
{
	cpu_set_t set;

	if (geteuid())
		SKIP(return, "needs root");
	if (system("modprobe barepmu || insmod /lib/barepmu.ko"))
		SKIP(return, "the module does not load here");
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));
	ASSERT_EQ(0, log_open(&own));
}

FIXTURE_TEARDOWN(samples)
{
	genl_close(&own.genl);
}

TEST_F(samples, begin_and_end_are_flagged)
{
	const struct log_plan plan = { .groups = 1 };

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(3, own.nr);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[0].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, own.sample[1].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[2].head.flags);
	EXPECT_EQ(1, own.sample[0].head.nr);
	EXPECT_LE(own.sample[1].head.tsc_begin, own.sample[1].head.tsc_end);
	EXPECT_LT(own.sample[0].head.tsc_end, own.sample[1].head.tsc_begin);
	EXPECT_LT(own.sample[1].head.spent, own.sample[2].head.spent);
}

TEST_F(samples, groups_take_turns)
{
	const struct log_plan plan = {
		.groups = 3, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
	};
	const struct bpmu_sample *head, *last = NULL;
	uint64_t running[3] = { 0 };
	unsigned int turns = 0;
	unsigned int i;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	spin_ms(50);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_LT(9, own.nr);
	ASSERT_FALSE(log_has_gap(&own));
	for (i = 0; i < own.nr; i++) {
		head = &own.sample[i].head;
		/* in each round each group once, whoever begins */
		turns = i % 3 ? turns : 0;
		EXPECT_FALSE(turns & 1 << head->group);
		turns |= 1 << head->group;
		EXPECT_LE(running[head->group], head->running);
		running[head->group] = head->running;
		last = head;
	}
	/* what no group had are the moments between two turns */
	EXPECT_LE(running[0] + running[1] + running[2], last->enabled);
	EXPECT_GT(running[0] + running[1] + running[2],
		  last->enabled - last->enabled / 20);
}

/* each group sees its turns only: together they see the loop whole */
TEST_F(samples, turns_add_up)
{
	const struct log_plan plan = {
		.groups = 2, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
	};
	uint64_t last[2] = { 0 }, sum = 0;
	const uint64_t n = 20000000;
	unsigned int i, group;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	log_loop(n);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_LT(4, own.nr);
	for (i = 0; i < own.nr; i++) {
		group = own.sample[i].head.group;
		if (!(own.sample[i].head.flags & BPMU_SAMPLE_START))
			sum += own.sample[i].value[0] - last[group];
		last[group] = own.sample[i].value[0];
	}
	EXPECT_LE(n * LOG_PER_ITERATION, sum);
	/* the requests around the loop are some thousand instructions */
	EXPECT_GT(n * LOG_PER_ITERATION + 100000, sum);
}

/* instructions in user space, with a swap after the first loop */
static uint64_t swapped(unsigned long first, unsigned long second)
{
	const struct log_plan plan = { .groups = 1 };
	uint64_t sum = 0;
	unsigned int i;

	if (log_configure(&own, &plan) ||
	    genl_command(&own.genl, BPMU_CMD_START))
		return 0;
	log_loop(first);
	if (log_swap(&own, 1))
		return 0;
	log_loop(second);
	if (genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own))
		return 0;
	for (i = 1; i < own.nr; i++)
		if (!(own.sample[i].head.flags & BPMU_SAMPLE_START))
			sum += own.sample[i].value[0] -
			       own.sample[i - 1].value[0];
	return sum;
}

static uint64_t least_swapped(unsigned long first, unsigned long second)
{
	uint64_t sum, least = ~0ULL;
	int i;

	for (i = 0; i < 5; i++) {
		sum = swapped(first, second);
		if (sum < least)
			least = sum;
	}
	return least;
}

TEST_F(samples, swap_loses_nothing)
{
	const unsigned long n = 100000;
	uint64_t base = least_swapped(n, n);

	ASSERT_NE(0, base);
	EXPECT_EQ(n * LOG_PER_ITERATION, least_swapped(2 * n, n) - base);
	EXPECT_EQ(n * LOG_PER_ITERATION, least_swapped(n, 2 * n) - base);
	ASSERT_EQ(4, own.nr);
	EXPECT_FALSE(log_has_gap(&own));
	EXPECT_EQ(BPMU_SAMPLE_SWAP, own.sample[1].head.flags);
	EXPECT_EQ(0, own.sample[1].head.plan);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[2].head.flags);
	EXPECT_EQ(1, own.sample[2].head.plan);
	EXPECT_EQ(1, own.sample[3].head.plan);
}

TEST_F(samples, swap_is_refused_when_idle_or_wrong)
{
	const struct log_plan plan = { .groups = 1 };

	EXPECT_NE(0, log_swap(&own, 0));
	EXPECT_STREQ("there is no session; configure one first",
		     own.genl.sentence);
	ASSERT_EQ(0, log_configure(&own, &plan));
	EXPECT_NE(0, log_swap(&own, 0));
	EXPECT_STREQ("the session is not running; start it first",
		     own.genl.sentence);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	EXPECT_NE(0, log_swap(&own, 31));
	EXPECT_STREQ("this CPU has no counter of that number",
		     own.genl.sentence);
	EXPECT_EQ(0, log_swap(&own, 1));
}

/*
 * The buffer holds 16; all that is not in it is counted, to the sample. The
 * interval is long for a kernel that is slow with its checkers.
 */
TEST_F(samples, stuck_reader_is_told_its_loss)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 5 * MS, .timer = BPMU_TIMER_HARD,
		.buffer = 16,
	};
	uint64_t lost;
	unsigned int nr;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	sleep_ms(200);
	ASSERT_EQ(0, log_read(&own));
	EXPECT_LT(0, own.lost);
	nr = own.nr;
	sleep_ms(10);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	lost = own.lost;
	EXPECT_LT(nr, own.nr);
	EXPECT_EQ(lost, own.sample[nr].head.seq - own.sample[nr - 1].head.seq -
			1);
	EXPECT_EQ(own.sample[own.nr - 1].head.seq + 1, own.nr + lost);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[own.nr - 1].head.flags);
	/* and after it recovers there is none */
	own.nr = 0;
	own.lost = 0;
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	sleep_ms(10);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(0, own.lost);
	EXPECT_FALSE(log_has_gap(&own));
}

static int gather(unsigned int nr)
{
	while (own.nr < nr) {
		sleep_ms(20);
		if (log_read(&own))
			return -1;
	}
	return 0;
}

/**
 * struct phase - where in its interval a block of samples lies
 * @turn: intervals, modulo 1
 * @sharp: 1 if all samples lie there, 0 if they lie anywhere
 */
struct phase {
	double turn;
	double sharp;
};

/* the mean direction: a sample that came late counts as any other */
static struct phase phase_of(const struct log_sample *sample, unsigned int nr,
			     double tick)
{
	double x = 0, y = 0, turn;
	unsigned int k;

	for (k = 0; k < nr; k++) {
		turn = (sample[k].head.tsc_begin -
			own.sample[1].head.tsc_begin) / tick;
		x += cos(2 * M_PI * turn);
		y += sin(2 * M_PI * turn);
	}
	return (struct phase){ atan2(y, x) / (2 * M_PI),
			       hypot(x, y) / nr };
}

/*
 * On the clock that timers follow: what a guest takes for the rate of its TSC may
 * be a hundredth off.
 */
static double now_ns(uint64_t *tsc)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*tsc = __builtin_ia32_rdtsc();
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/*
 * The k-th tick is at k intervals, though on a busy machine ticks are left out
 * or late: samples lie at one place in their intervals, and after 10,000 still
 * where they lay at first, but for how well the TSC's rate is known. Where a
 * machine was so busy that most blocks lie nowhere, nothing can be said.
 */
TEST_F_TIMEOUT(samples, intervals_do_not_drift, 120)
{
	/* a guest of several CPUs keeps no time as fine as that of one */
	const struct log_plan plan = {
		.groups = 1, .timer = BPMU_TIMER_HARD,
		.interval_ns = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 * MS :
								   MS / 10,
	};
	double step, moved = 0, intervals, begin, tick;
	struct phase before = { 0 }, now;
	uint64_t first, last;
	unsigned int k, sharp = 0;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	ASSERT_EQ(0, gather(DRIFT_SAMPLES + 1));
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, own.lost);
	for (k = 1; k <= DRIFT_SAMPLES; k += DRIFT_BLOCK) {
		now = phase_of(&own.sample[k], DRIFT_BLOCK, tick);
		if (now.sharp < 0.8)
			continue;
		step = sharp++ ? now.turn - before.turn : 0;
		moved += step - round(step);
		before = now;
	}
	intervals = (own.sample[DRIFT_SAMPLES].head.tsc_begin -
		     own.sample[1].head.tsc_begin) / tick;
	if (sharp < DRIFT_SAMPLES / DRIFT_BLOCK / 2)
		SKIP(return, "this machine is too busy: most ticks were late");
	TH_LOG("%.0f intervals, moved by %.3f, %u sharp blocks", intervals,
	       moved, sharp);
	EXPECT_LT(fabs(moved), 0.0005 * intervals);
}

/*
 * The tick that takes a sample is as late for the next one, which is not the later
 * for it: all lie at one place in their intervals, and those of a clock that
 * drifts anywhere.
 */
TEST_F(samples, tick_gives_samples_while_busy)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 20 * MS, .timer = BPMU_TIMER_TICK,
	};
	double tick, begin, passed, sharp;
	uint64_t first, last;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	spin_ms(3000);
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
	ASSERT_LE(135, own.nr);
	sharp = phase_of(&own.sample[1], own.nr - 2, tick).sharp;
	TH_LOG("%u samples, %.2f at one place", own.nr - 2, sharp);
	EXPECT_LT(0.6, sharp);
	/* on a busy host more time passes than was spun */
	passed = own.sample[own.nr - 1].head.tsc_begin -
		 (double)own.sample[0].head.tsc_begin;
	EXPECT_GE(passed / tick + 3, own.nr);
}

/* interrupts of CPU 0's own timer so far */
static double timer_interrupts(void)
{
	FILE *stream = fopen("/proc/interrupts", "re");
	unsigned long nr = 0;
	char line[4096];

	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, " LOC: %lu", &nr) == 1)
			break;
	if (stream)
		fclose(stream);
	return nr;
}

/* those of each millisecond in which this CPU is busy */
static double interrupts_while_busy(void)
{
	double before = timer_interrupts(), begin, end;
	uint64_t tsc;

	begin = now_ns(&tsc);
	spin_ms(400);
	end = now_ns(&tsc);
	return (timer_interrupts() - before) / (end - begin) * MS;
}

TEST_F(samples, tick_asks_for_no_interrupt)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 8 * MS, .timer = BPMU_TIMER_TICK,
	};
	double alone = interrupts_while_busy(), with;

	ASSERT_LT(0, alone);
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	with = interrupts_while_busy();
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_LE(25, own.nr);
	EXPECT_GT(1.2 * alone, with);
}

static double interrupts_while_idle(void)
{
	double before = timer_interrupts();

	sleep_ms(2000);
	return timer_interrupts() - before;
}

TEST_F(samples, tick_lets_an_idle_cpu_sleep)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 20 * MS, .timer = BPMU_TIMER_TICK,
	};
	double alone = interrupts_while_idle(), with;
	unsigned int nr;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	with = interrupts_while_idle();
	ASSERT_EQ(0, log_read(&own));
	nr = own.nr;
	TH_LOG("%.0f interrupts of the timer, %.0f without, %u samples", with,
	       alone, nr);
	/* it would be woken a hundred times */
	EXPECT_GT(alone + 50, with);
	spin_ms(400);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
	EXPECT_LE(nr + 15, own.nr);
}

TEST_HARNESS_MAIN
