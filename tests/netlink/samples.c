// SPDX-License-Identifier: GPL-2.0
/*
 * What a session's samples say: slices, swaps, losses, time.
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
/* few enough that the error of the TSC's rate is not visible within a block */
#define DRIFT_BLOCK 1000
/* intervals with ticks that the test waits for; maximum number of looks at the interrupts */
#define WATCHED 100
#define MOMENTS 20000

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

/* busy until there are as many samples */
static int spin_until(unsigned int nr)
{
	while (own.nr < nr) {
		spin_ms(10);
		if (log_read(&own))
			return -1;
	}
	return 0;
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

/* one group is on the counters as long as they run: its time is the samples' own */
TEST_F(samples, running_time_is_the_time_between)
{
	const struct log_plan plan = { .groups = 1 };
	const struct bpmu_sample *first, *head;
	unsigned int i;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(5, own.nr);
	first = &own.sample[0].head;
	EXPECT_EQ(0, first->running);
	for (i = 1; i < own.nr; i++) {
		head = &own.sample[i].head;
		EXPECT_LE(head->running, head->tsc_begin - first->tsc_end);
		EXPECT_LE(head->running, head->enabled);
		EXPECT_EQ(head->tsc_begin - own.sample[1].head.tsc_begin,
			  head->running - own.sample[1].head.running);
		EXPECT_EQ(head->tsc_begin - own.sample[1].head.tsc_begin,
			  head->enabled - own.sample[1].head.enabled);
	}
}

TEST_F_TIMEOUT(samples, groups_are_multiplexed, 120)
{
	const struct log_plan plan = {
		.groups = 3, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
	};
	const struct bpmu_sample *head, *last = NULL;
	uint64_t running[3] = { 0 };
	unsigned int slices = 0;
	unsigned int i;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, spin_until(30));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_FALSE(log_has_gap(&own));
	for (i = 0; i < own.nr; i++) {
		head = &own.sample[i].head;
		/* each group once per round, starting with any */
		slices = i % 3 ? slices : 0;
		EXPECT_FALSE(slices & 1 << head->group);
		slices |= 1 << head->group;
		EXPECT_LE(running[head->group], head->running);
		running[head->group] = head->running;
		last = head;
	}
	/*
	 * What no group had are the moments between two slices, which are within
	 * the taking of a sample, however long that is on a busy host.
	 */
	EXPECT_LE(running[0] + running[1] + running[2], last->enabled);
	EXPECT_GT(running[0] + running[1] + running[2] + last->spent,
		  last->enabled - last->enabled / 20);
}

/* each group sees its slices only: together they see the loop whole */
TEST_F(samples, slices_add_up)
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
	sleep_ms(1000);
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
	/* and after it recovers there is none, where no more came than fit */
	own.nr = 0;
	own.lost = 0;
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	sleep_ms(10);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(own.sample[own.nr - 1].head.seq + 1, own.nr + own.lost);
	if (own.sample[own.nr - 1].head.seq < 12) {
		EXPECT_EQ(0, own.lost);
		EXPECT_FALSE(log_has_gap(&own));
	}
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

/*
 * How far samples lie at one phase of their intervals: 1 if all do, 0 if they lie
 * anywhere. It is the length of the mean direction; a sample that came late has
 * any direction, and takes no more than its part away.
 */
static double sharpness(const struct log_sample *sample, unsigned int nr,
			double tick)
{
	double x = 0, y = 0, phase;
	unsigned int k;

	for (k = 0; k < nr; k++) {
		phase = (sample[k].head.tsc_begin - sample->head.tsc_begin) /
		       tick;
		x += cos(2 * M_PI * phase);
		y += sin(2 * M_PI * phase);
	}
	return hypot(x, y) / nr;
}

/*
 * On the clock that timers follow: what a guest takes for the rate of its TSC may
 * be a hundredth off. Of many tries that counts in which least time passed: in
 * the others the host did something else.
 */
static double now_ns(uint64_t *tsc)
{
	uint64_t before, after, least = UINT64_MAX;
	struct timespec now;
	double ns = 0;
	int i;

	for (i = 0; i < 100; i++) {
		before = __builtin_ia32_rdtsc();
		clock_gettime(CLOCK_MONOTONIC, &now);
		after = __builtin_ia32_rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		*tsc = before + least / 2;
		ns = now.tv_sec * 1e9 + now.tv_nsec;
	}
	return ns;
}

/*
 * The k-th tick is at k intervals: samples lie at one phase of their intervals,
 * and those of a clock that drifts anywhere. On a busy host some are late, which
 * of a clock that does not drift are not those after them; in the quietest of ten
 * blocks most are in time.
 */
TEST_F_TIMEOUT(samples, intervals_do_not_drift, 120)
{
	/* a guest of several CPUs keeps no time as fine as that of one */
	const struct log_plan plan = {
		.groups = 1, .timer = BPMU_TIMER_HARD,
		.interval_ns = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 * MS :
								   MS / 10,
	};
	double begin, tick, sharp, most = 0, least = 1;
	uint64_t first, last;
	unsigned int k;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	ASSERT_EQ(0, gather(DRIFT_SAMPLES + 1));
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, own.lost);
	for (k = 1; k <= DRIFT_SAMPLES; k += DRIFT_BLOCK) {
		sharp = sharpness(&own.sample[k], DRIFT_BLOCK, tick);
		most = fmax(most, sharp);
		least = fmin(least, sharp);
	}
	TH_LOG("%.2f to %.2f at one phase", least, most);
	EXPECT_LT(0.3, most);
}

/**
 * struct moment - what we saw while we were busy
 * @before: when we began to look
 * @interrupts: of CPU 0's own timer so far
 * @after: when we had looked; a busy host may have done something else meanwhile
 */
struct moment {
	uint64_t before;
	unsigned long interrupts;
	uint64_t after;
};

/* interrupts of CPU 0's own timer so far */
static unsigned long timer_interrupts(void)
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

/* the ticks' own distance */
static double tick_ns(void)
{
	struct timespec ts;

	clock_getres(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* interrupts that are sure to have come between two times, by what we saw */
static unsigned long sure_between(const struct moment *moment, unsigned int nr,
				  double begin, double end)
{
	unsigned int first, last;

	for (first = 0; first < nr && moment[first].before < begin; first++)
		;
	for (last = first; last < nr && moment[last].after < end; last++)
		;
	return last > first ? moment[last - 1].interrupts -
			      moment[first].interrupts : 0;
}

static unsigned int samples_between(double begin, double end)
{
	unsigned int i, nr = 0;

	for (i = 1; i < own.nr; i++)
		nr += own.sample[i].head.tsc_begin >= begin &&
		      own.sample[i].head.tsc_begin < end;
	return nr;
}

/*
 * The first tick after a sample is due takes it, and the next is not the later for
 * it: each interval in which ticks came, by what the guest itself has seen, has
 * one sample. Those of a clock that drifts soon leave one out.
 */
TEST_F_TIMEOUT(samples, tick_gives_samples_while_busy, 120)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 40 * MS, .timer = BPMU_TIMER_TICK,
		/* more than come until the test's own end */
		.buffer = 4096,
	};
	static struct moment moment[MOMENTS];
	unsigned int k, n, nr = 0, watched = 0, missed = 0, twice = 0;
	double tick, begin, start, slot, far, slack;
	unsigned int enough = 0;
	uint64_t first, last;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	tick = plan.interval_ns / 1e6 * own.tsc_khz;
	/* intervals that begin at some other time than the samples' */
	for (slot = first; nr < MOMENTS && enough < WATCHED; nr++) {
		spin_ms(1);
		moment[nr].before = __builtin_ia32_rdtsc();
		moment[nr].interrupts = timer_interrupts();
		moment[nr].after = __builtin_ia32_rdtsc();
		for (; slot + tick < moment[nr].before; slot += tick)
			enough += sure_between(moment, nr, slot,
					       slot + tick) > 1;
	}
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
	/* as late as the tick may be, where another timer comes before ours */
	slack = tick_ns() / plan.interval_ns * tick;
	/* the first is due an interval after the clock, which starts just before */
	start = own.sample[0].head.tsc_begin - own.sample[0].head.enabled -
		tick / 1000;
	far = own.sample[own.nr - 1].head.tsc_begin;
	for (k = 1;; k++) {
		slot = start + k * tick;
		if (slot + tick > far)
			break;
		n = samples_between(slot, slot + tick);
		twice += n > 1;
		/* one so late that the next was due before it was done stands for that, too */
		if (samples_between(slot - tick / 10, slot))
			continue;
		/* two that came well after it had to be taken, and well before the next */
		if (sure_between(moment, nr, slot + slack + tick / 100,
				 slot + tick - tick / 100) < 2)
			continue;
		watched++;
		missed += !n;
	}
	TH_LOG("%u samples; %u of %u intervals with ticks without one, %u with two",
	       own.nr - 2, missed, watched, twice);
	EXPECT_LE(WATCHED / 3, watched);
	EXPECT_EQ(0, missed);
	EXPECT_EQ(0, twice);
}

/* there are the ticks' interrupts, and no more, however few of them came */
TEST_F_TIMEOUT(samples, tick_asks_for_no_interrupt, 120)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 2 * tick_ns(),
		.timer = BPMU_TIMER_TICK,
	};
	double begin, ticks;
	unsigned long before, came;
	uint64_t tsc;

	ASSERT_EQ(0, log_configure(&own, &plan));
	begin = now_ns(&tsc);
	before = timer_interrupts();
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, spin_until(50));
	came = timer_interrupts() - before;
	ticks = (now_ns(&tsc) - begin) / tick_ns();
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	TH_LOG("%lu interrupts in the time of %.0f ticks, %u samples", came,
	       ticks, own.nr);
	EXPECT_LT(own.nr / 2, came);
	EXPECT_GT(ticks + 5 + own.nr / 5, came);
}

static double interrupts_while_idle(void)
{
	double before = timer_interrupts();

	sleep_ms(2000);
	return timer_interrupts() - before;
}

TEST_F_TIMEOUT(samples, tick_lets_an_idle_cpu_sleep, 120)
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
	ASSERT_EQ(0, spin_until(nr + 15));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
}

TEST_HARNESS_MAIN
