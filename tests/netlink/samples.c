// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of samples. The running times and the counts of all samples must add up to the time and the
 * count of the session, also with multiplexed groups and when the groups are replaced
 * (BPMU_CMD_SWAP). Lost samples must be counted. Samples must be due at multiples of the interval.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <kselftest_harness.h>

#include "log.h"

#define MS 1000000ULL
#define DRIFT_SAMPLES 10000
/*
 * The test of drift checks the samples in blocks of this many consecutive samples. A block is so
 * short that an error of the TSC's frequency shifts the last sample of the block only by a
 * negligible time.
 */
#define DRIFT_BLOCK 1000
/*
 * Number of sampling intervals that a test needs in which the kernel's timer tick surely came
 * twice. To see the ticks, the test reads /proc/interrupts again and again, at most READINGS times.
 */
#define WATCHED 100
#define READINGS 20000

static struct log own;

static void sleep_ms(unsigned int ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * MS };

	nanosleep(&ts, NULL);
}

/* Keeps the CPU busy for @ms milliseconds, because an idle CPU may have no timer ticks. */
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

/* Keeps the CPU busy until @nr samples have been read. Returns 0, or -1 if they cannot be read. */
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
	GENL_LOAD(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
}

FIXTURE_TEARDOWN(samples)
{
	genl_close(&own.genl);
}

TEST_F(samples, first_and_last_are_flagged)
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

/* A single group is not multiplexed: it counts all the time from sample to sample. */
TEST_F(samples, running_time_is_the_time_between_samples)
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

TEST_F_TIMEOUT(samples, groups_are_multiplexed_in_rotation, 120)
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
		/*
		 * From the first sample on, every three samples are one of each of the three
		 * groups, in any order.
		 */
		slices = i % 3 ? slices : 0;
		EXPECT_FALSE(slices & 1 << head->group);
		slices |= 1 << head->group;
		EXPECT_LE(running[head->group], head->running);
		running[head->group] = head->running;
		last = head;
	}
	/*
	 * No group counts between two rotation slices (the times in which a group is on the
	 * counters). This may take long on a busy host, but is part of the time spent on samples.
	 */
	EXPECT_LE(running[0] + running[1] + running[2], last->enabled);
	EXPECT_GT(running[0] + running[1] + running[2] + last->spent,
		  last->enabled - last->enabled / 20);
}

/*
 * Three groups count the same event, instructions, but only one group at a time: in its rotation
 * slices. Two of the groups use the same counter. The sum over all rotation slices of all groups
 * must be the number of instructions of the loop.
 */
TEST_F(samples, slices_add_up_to_the_count_of_the_loop)
{
	const struct log_plan plan = {
		.groups = 3, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
	};
	uint64_t last[3] = { 0 }, sum = 0;
	const uint64_t n = 20000000;
	unsigned int i, group;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	log_loop(n);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_LT(6, own.nr);
	for (i = 0; i < own.nr; i++) {
		group = own.sample[i].head.group;
		if (!(own.sample[i].head.flags & BPMU_SAMPLE_START))
			sum += own.sample[i].value[0] - last[group];
		last[group] = own.sample[i].value[0];
	}
	EXPECT_LE(n * LOG_PER_ITERATION, sum);
	/*
	 * The requests before and after the loop add some thousand instructions to those of the
	 * loop.
	 */
	EXPECT_GT(n * LOG_PER_ITERATION + 100000, sum);
}

/*
 * Two groups use the same fixed counter: one group counts in user space, the other in the kernel.
 */
TEST_F(samples, a_fixed_counter_has_the_privilege_level_of_its_group)
{
	const uint64_t levels[] = { 1 << 16, 1 << 17 };
	uint64_t last[2] = { 0 }, sum[2] = { 0 };
	const uint64_t n = 20000000;
	struct nlmsghdr *message;
	const uint32_t cpu = 0;
	unsigned int i, group;

	message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	for (i = 0; i < 2; i++)
		genl_put_group(message, BPMU_COUNTER_FIXED, levels[i]);
	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, MS);
	mnl_attr_put_u32(message, BPMU_A_TIMER, BPMU_TIMER_HARD);
	if (log_send(&own))
		SKIP(return, "no fixed counters here");
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	log_loop(n);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	for (i = 0; i < own.nr; i++) {
		group = own.sample[i].head.group;
		if (!(own.sample[i].head.flags & BPMU_SAMPLE_START))
			sum[group] += own.sample[i].value[0] - last[group];
		last[group] = own.sample[i].value[0];
	}
	/* The loop is executed in user space. Each group counts for about half of the time. */
	EXPECT_LT(n * LOG_PER_ITERATION / 4, sum[0]);
	EXPECT_GT(n * LOG_PER_ITERATION / 8, sum[1]);
}

/*
 * Executes loops of @first and of @second iterations. Between the loops, BPMU_CMD_SWAP replaces the
 * group of the session: another counter then counts the instructions. Returns the number of
 * instructions in user space, the sum over all samples; 0 if a command fails.
 */
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

TEST_F(samples, a_swap_loses_no_count)
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

TEST_F(samples, a_swap_is_refused_unless_running_and_valid)
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
 * The buffer holds 16 samples only, and the module must count each sample that it drops. The
 * interval is long because a debug kernel is slow.
 */
TEST_F(samples, dropped_samples_are_counted)
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
	/* The session is started again. If it stops before the buffer is full, it loses nothing. */
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
 * The phase of a sample is its position in its interval, from 0 (begin) to 1 (end). Returns how
 * concentrated the phases of @nr samples are, as the mean resultant length of circular statistics:
 * 1 if all phases are equal, 0 if they are distributed uniformly. One late sample lowers the result
 * by at most 2 / @nr. @tick: TSC ticks of an interval.
 */
static double concentration(const struct log_sample *sample, unsigned int nr,
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
 * Reads CLOCK_MONOTONIC, which the kernel's timers follow, and the TSC at the same moment. Returns
 * the time in ns and stores the TSC in *@tsc. From two calls, a test computes the true frequency of
 * the TSC; the frequency that a guest has calibrated may be wrong by 1 %. The host may interrupt
 * the two readings of a pair, so the function uses the pair that took the shortest time of many.
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
 * Sample k is due k intervals after the start, so all samples have the same position (phase) in
 * their intervals. The phases would differ if the module began each interval at the previous
 * sample. On a busy host some samples are late, but this must not delay the samples after them. The
 * test checks only the best of ten blocks of samples, in which most samples are in time.
 */
TEST_F_TIMEOUT(samples, intervals_do_not_drift, 120)
{
	/* Timers are less precise in a guest with several CPUs. */
	const struct log_plan plan = {
		.groups = 1, .timer = BPMU_TIMER_HARD,
		.interval_ns = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 * MS :
								   MS / 10,
	};
	double begin, tick, concentrated, most = 0, least = 1;
	uint64_t first, last;
	unsigned int k;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	ASSERT_EQ(0, gather(DRIFT_SAMPLES + 1));
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, own.lost);
	for (k = 1; k <= DRIFT_SAMPLES; k += DRIFT_BLOCK) {
		concentrated = concentration(&own.sample[k], DRIFT_BLOCK, tick);
		most = fmax(most, concentrated);
		least = fmin(least, concentrated);
	}
	TH_LOG("concentration of the phases: %.2f to %.2f", least, most);
	EXPECT_LT(0.3, most);
}

/**
 * struct reading - a reading of /proc/interrupts, with the time when it was made
 * @before: TSC before the file was read
 * @interrupts: number of local timer interrupts of CPU 0 since boot
 * @after: TSC after the file was read; much later than @before if the host was busy
 */
struct reading {
	uint64_t before;
	unsigned long interrupts;
	uint64_t after;
};

/* Returns the number of local timer interrupts (LOC) of CPU 0 since boot. */
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

/* Returns the period of the kernel's timer tick in ns. */
static double tick_ns(void)
{
	struct timespec ts;

	clock_getres(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/*
 * Returns the minimum number of timer interrupts between the TSC values @begin and @end. It is the
 * number between the first and the last of the @nr readings of /proc/interrupts that were surely
 * made in this time; there may have been more interrupts.
 */
static unsigned long least_between(const struct reading *reading, unsigned int nr,
				   double begin, double end)
{
	unsigned int first, last;

	for (first = 0; first < nr && reading[first].before < begin; first++)
		;
	for (last = first; last < nr && reading[last].after < end; last++)
		;
	return last > first ? reading[last - 1].interrupts -
			      reading[first].interrupts : 0;
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
 * When a sample is due, the module takes it at the kernel's next timer tick. This must not postpone
 * the sample after it. So each interval in which two ticks came must have one sample. If the module
 * began each interval at the previous sample, some intervals would have no sample. The test knows
 * from /proc/interrupts when ticks came.
 */
TEST_F_TIMEOUT(samples, the_tick_takes_one_sample_per_interval, 120)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 40 * MS, .timer = BPMU_TIMER_TICK,
		/* The buffer holds more samples than the session takes. */
		.buffer = 4096,
	};
	static struct reading reading[READINGS];
	unsigned int k, n, nr = 0, watched = 0, missed = 0, twice = 0;
	double tick, begin, start, slot, far, slack;
	unsigned int enough = 0;
	uint64_t first, last;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	begin = now_ns(&first);
	tick = plan.interval_ns / 1e6 * own.tsc_khz;
	/*
	 * This loop divides the time into slots that are as long as the session's intervals, but
	 * may begin at other times.
	 */
	for (slot = first; nr < READINGS && enough < WATCHED; nr++) {
		spin_ms(1);
		reading[nr].before = __builtin_ia32_rdtsc();
		reading[nr].interrupts = timer_interrupts();
		reading[nr].after = __builtin_ia32_rdtsc();
		for (; slot + tick < reading[nr].before; slot += tick)
			enough += least_between(reading, nr, slot,
						slot + tick) > 1;
	}
	tick = plan.interval_ns / (now_ns(&last) - begin) * (last - first);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
	/*
	 * A sample may be one tick late, because the kernel may handle another timer before the
	 * module's timer.
	 */
	slack = tick_ns() / plan.interval_ns * tick;
	/*
	 * The first interval begins when BPMU_CMD_START is executed, shortly before the first
	 * sample.
	 */
	start = own.sample[0].head.tsc_begin - own.sample[0].head.enabled -
		tick / 1000;
	far = own.sample[own.nr - 1].head.tsc_begin;
	for (k = 1;; k++) {
		slot = start + k * tick;
		if (slot + tick > far)
			break;
		n = samples_between(slot, slot + tick);
		twice += n > 1;
		/*
		 * If the sample of the previous interval came at the end of that interval, the
		 * sample of this interval was due before the previous one was complete. The module
		 * then skips the sample of this interval.
		 */
		if (samples_between(slot - tick / 10, slot))
			continue;
		/*
		 * The test checks only intervals in which, by the readings of /proc/interrupts, two
		 * ticks surely came. Ticks near the ends of the interval are not counted.
		 */
		if (least_between(reading, nr, slot + slack + tick / 100,
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

/*
 * The module causes no timer interrupts with the timer "tick" (BPMU_TIMER_TICK): it only uses the
 * ticks that come anyway.
 */
TEST_F_TIMEOUT(samples, the_tick_causes_no_further_interrupt, 120)
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

TEST_F_TIMEOUT(samples, the_tick_does_not_wake_an_idle_cpu, 120)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 20 * MS, .timer = BPMU_TIMER_TICK,
	};
	double without = interrupts_while_idle(), with;
	unsigned int nr;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	with = interrupts_while_idle();
	ASSERT_EQ(0, log_read(&own));
	nr = own.nr;
	TH_LOG("%.0f interrupts of the timer, %.0f without, %u samples", with,
	       without, nr);
	/*
	 * If the module woke an idle CPU to take samples, there would be about a hundred more
	 * interrupts.
	 */
	EXPECT_GT(without + 50, with);
	ASSERT_EQ(0, spin_until(nr + 15));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_FALSE(log_has_gap(&own));
}

TEST_HARNESS_MAIN
