// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the Xeon Phi metrics: their values and limits are those of Intel's tuning guide, for
 * threads, for cores and for the whole card. Expected values were computed by hand.
 */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/phi/phi_print.h"
#include "count/spread.h"
#include "events.h"
#include "metric/metric_expr.h"
#include "unit.h"

#define TOLERANCE 0.000001
#define NONE NAN
#define CORES 60
#define THREADS 4

/**
 * struct count - made-up count of an event on a thread or a core
 */
struct count {
	const char *event;
	double value;
};

static struct bpmu_phi_method method;
static const struct bpmu_phi_settings sp = { .ghz = 1.1, .elements = 16 };

/* Made-up core: instructions that each of its threads executes, and clocks of the core. */
static const double instructions[THREADS] = { 300000, 280000, 320000, 300000 };
#define CLOCKS 1200000
/* Traffic of the L2 in bytes per clock: 12800 cache lines of 64 bytes in CLOCKS. */
#define L2_BYTES (64 * 12800 / 1200000.0)
static const struct count shared[] = {
	{ "VPU_ELEMENTS_ACTIVE", 6400000 },
	{ "VPU_INSTRUCTIONS_EXECUTED", 500000 },
	{ "DATA_READ_OR_WRITE", 400000 },
	{ "DATA_READ_MISS_OR_WRITE_MISS", 20000 },
	{ "L1_DATA_HIT_INFLIGHT_PF1", 4000 },
	{ "EXEC_STAGE_CYCLES", 900000 },
	{ "DATA_PAGE_WALK", 5000 },
	{ "LONG_DATA_PAGE_WALK", 300 },
	{ "L2_DATA_READ_MISS_MEM_FILL", 6000 },
	{ "L2_DATA_WRITE_MISS_MEM_FILL", 2000 },
	{ "HWP_L2MISS", 4000 },
	{ "L2_VICTIM_REQ_WITH_DATA", 3000 },
	{ "SNP_HITM_L2", 100 },
	{ "L2_DATA_READ_MISS_CACHE_FILL", 500 },
	{ "L2_DATA_WRITE_MISS_CACHE_FILL", 300 },
};

static unsigned int place(const char *event)
{
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		if (bpmu_phi_event(i) && !strcmp(bpmu_phi_event(i), event))
			return i;
	fail_msg("%s is in no pass", event);
	return 0;
}

static void set(struct bpmu_phi_thread *thread, const char *event, double value)
{
	thread->count[place(event)].value = value;
}

/*
 * Fills in the counts of the four threads of a core. Each thread counts as many clocks as the core
 * has, the instructions of its own, and a quarter of each of the core's other events.
 */
static void fill_core(struct bpmu_phi_thread *threads, unsigned int core)
{
	unsigned int t;
	size_t i;

	memset(threads, 0, THREADS * sizeof(*threads));
	for (t = 0; t < THREADS; t++) {
		threads[t].core = core;
		set(&threads[t], "CPU_CLK_UNHALTED", CLOCKS);
		set(&threads[t], "INSTRUCTIONS_EXECUTED", instructions[t]);
		for (i = 0; i < ARRAY_SIZE(shared); i++)
			set(&threads[t], shared[i].event,
			    shared[i].value / THREADS);
	}
}

static void sum_core(struct bpmu_phi_sums *sums,
		     const struct bpmu_phi_thread *threads, unsigned int used)
{
	const struct bpmu_phi_threads all = {
		.thread = threads, .nr = THREADS, .used = used,
	};

	bpmu_phi_sum_core(sums, &all, 0);
}

static struct bpmu_phi_value value_of(const struct bpmu_phi_sums *sums,
				      const struct bpmu_phi_settings *settings,
				      const char *name)
{
	int i = bpmu_metrics_find(&method.metrics, name);
	struct bpmu_phi_value value;

	if (i < 0)
		fail_msg("%s: no such metric", name);
	bpmu_phi_eval(&method, settings, sums, i, &value);
	return value;
}

static void expect(const struct bpmu_phi_sums *sums,
		   const struct bpmu_phi_settings *settings, const char *name,
		   double want, bool flagged)
{
	struct bpmu_phi_value value = value_of(sums, settings, name);
	double error = value.estimate.value - want;

	if (value.known == isnan(want) ||
	    (value.known && fabs(error) > TOLERANCE * fabs(want)))
		fail_msg("%s: %g, not %g", name, value.estimate.value, want);
	if (value.flagged != flagged)
		fail_msg("%s: flagged is %d", name, value.flagged);
}

static void set_sum(struct bpmu_phi_sums *sums, const char *event, double value)
{
	sums->count[place(event)].value = value;
}

static void core_sums(struct bpmu_phi_sums *sums)
{
	struct bpmu_phi_thread threads[THREADS];

	fill_core(threads, 0);
	sum_core(sums, threads, 0);
}

TEST(a_core_has_values_computed_by_hand)
{
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	assert_int_equal(sums.threads, 4);
	expect(&sums, &sp, "Average_CPI_per_Thread", 4, false);
	expect(&sums, &sp, "Average_CPI_per_Core", 1, false);
	expect(&sums, &sp, "Vectorization_Intensity", 12.8, true);
	expect(&sums, &sp, "L1_Compute_to_Data_Access_Ratio", 16, false);
	expect(&sums, &sp, "L2_Compute_to_Data_Access_Ratio", 320, true);
	expect(&sums, &sp, "L1_Misses", 24000, false);
	expect(&sums, &sp, "L1_Hit_Rate", 0.94, true);
	expect(&sums, &sp, "Estimated_Latency_Impact", 175, true);
	expect(&sums, &sp, "L1_TLB_Miss_Ratio", 0.0125, true);
	expect(&sums, &sp, "L2_TLB_Miss_Ratio", 0.00075, false);
	expect(&sums, &sp, "L1_TLB_Misses_per_L2_TLB_Miss", 16.6666667, false);
	expect(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock", 0.64, false);
	expect(&sums, &sp, "Write_Bandwidth_Bytes_per_Clock", 0.16533333,
	       false);
	expect(&sums, &sp, "Bandwidth_GB_per_s", 0.88586667, false);
	expect(&sums, &sp, "Cache_Fills_per_Memory_Fill", 0.1, false);
	expect(&sums, &sp, "L2_Miss_Bandwidth_Bytes_per_Clock", L2_BYTES, false);
	expect(&sums, &sp, "L2_Miss_Bandwidth_GB_per_s", 1.1 * L2_BYTES, false);
}

TEST(the_card_sums_all_cores)
{
	static struct bpmu_phi_thread threads[CORES * THREADS];
	const struct bpmu_phi_threads all = {
		.thread = threads, .nr = CORES * THREADS,
	};
	struct bpmu_phi_sums sums;
	unsigned int c;

	for (c = 0; c < CORES; c++)
		fill_core(threads + (size_t)c * THREADS, c);
	bpmu_phi_sum_card(&sums, &all);
	assert_int_equal(sums.threads, CORES * THREADS);
	assert_int_equal(sums.cores, CORES);
	assert_false(bpmu_phi_sum_uneven(&sums));
	expect(&sums, &sp, "Average_CPI_per_Thread", 4, false);
	expect(&sums, &sp, "Average_CPI_per_Core", 1, false);
	expect(&sums, &sp, "Estimated_Latency_Impact", 175, true);
	expect(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock", 38.4, false);
	expect(&sums, &sp, "Write_Bandwidth_Bytes_per_Clock", 9.92, false);
	expect(&sums, &sp, "Bandwidth_GB_per_s", 53.152, true);

	threads[0].count[BPMU_PHI_CLOCKS].value = 2 * CLOCKS;
	bpmu_phi_sum_card(&sums, &all);
	assert_true(bpmu_phi_sum_uneven(&sums));
	expect(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock", 19.2, false);
}

/* A core without a thread in use takes no part in the clocks of the card. */
TEST(an_idle_core_is_no_core_of_the_card)
{
	static struct bpmu_phi_thread threads[2 * THREADS];
	const struct bpmu_phi_threads all = { .thread = threads, .nr = 2 * THREADS };
	struct bpmu_phi_sums sums;
	unsigned int t;

	fill_core(threads, 0);
	fill_core(threads + THREADS, 1);
	for (t = THREADS; t < 2 * THREADS; t++) {
		set(&threads[t], "INSTRUCTIONS_EXECUTED", 0);
		set(&threads[t], "CPU_CLK_UNHALTED", CLOCKS / 10);
	}
	bpmu_phi_sum_card(&sums, &all);
	assert_int_equal(sums.cores, 1);
	assert_int_equal(sums.threads, THREADS);
	assert_true(sums.core_clocks == CLOCKS);
	assert_true(sums.elapsed == CLOCKS && sums.shortest == CLOCKS);
	assert_false(bpmu_phi_sum_uneven(&sums));
	expect(&sums, &sp, "Average_CPI_per_Core", 1, false);
}

TEST(threads_of_a_core_have_their_own_values)
{
	struct bpmu_phi_thread threads[THREADS];
	const struct bpmu_phi_threads all = {
		.thread = threads, .nr = THREADS,
	};
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	unsigned int t;
	int i;

	fill_core(threads, 0);
	for (t = 0; t < THREADS; t++) {
		bpmu_phi_sum_thread(&sums, &all, t);
		value = value_of(&sums, &sp, "Average_CPI_per_Thread");
		/* When all four threads of a core are in use, a thread's CPI cannot be below 2. */
		assert_true(value.least.known && value.least.number == 2);
		expect(&sums, &sp, "Average_CPI_per_Thread",
		       CLOCKS / instructions[t],
		       CLOCKS / instructions[t] > 4);
		expect(&sums, &sp, "Average_CPI_per_Core", NONE, false);
		expect(&sums, &sp, "Bandwidth_GB_per_s", NONE, false);
	}
	i = bpmu_metrics_find(&method.metrics, "Average_CPI_per_Core");
	assert_false(bpmu_phi_shown(&method, i, BPMU_PHI_THREAD));
	assert_true(bpmu_phi_shown(&method, i, BPMU_PHI_CORE));
	i = bpmu_metrics_find(&method.metrics, "Bandwidth_GB_per_s");
	assert_false(bpmu_phi_shown(&method, i, BPMU_PHI_THREAD));
	i = bpmu_metrics_find(&method.metrics, "L1_Hit_Rate");
	assert_true(bpmu_phi_shown(&method, i, BPMU_PHI_THREAD));
	i = bpmu_metrics_find(&method.metrics, "HitRateLimit");
	assert_false(bpmu_phi_shown(&method, i, BPMU_PHI_CARD));
}

/*
 * Sums the counts of a core, which runs for 1200 clocks as in the guide's example. @used of its
 * threads execute @each instructions, and the other threads execute none.
 */
static void cpi(unsigned int used, double each, struct bpmu_phi_sums *sums)
{
	struct bpmu_phi_thread threads[THREADS] = { };
	unsigned int t;

	for (t = 0; t < THREADS; t++)
		set(&threads[t], "CPU_CLK_UNHALTED", 1200);
	for (t = 0; t < used; t++)
		set(&threads[t], "INSTRUCTIONS_EXECUTED", each);
	sum_core(sums, threads, 0);
	assert_int_equal(sums->threads, used);
}

TEST(cpi_per_thread_and_core_follow_from_the_threads)
{
	struct bpmu_phi_sums sums;

	cpi(2, 600, &sums);
	expect(&sums, &sp, "Average_CPI_per_Thread", 2, false);
	expect(&sums, &sp, "Average_CPI_per_Core", 1, false);
	cpi(3, 400, &sums);
	expect(&sums, &sp, "Average_CPI_per_Thread", 3, false);
	expect(&sums, &sp, "Average_CPI_per_Core", 1, false);
	cpi(1, 599, &sums);
	expect(&sums, &sp, "Average_CPI_per_Core", 1200 / 599.0, true);
	cpi(0, 0, &sums);
	expect(&sums, &sp, "Average_CPI_per_Core", NONE, false);
}

/*
 * Limits of the CPI, [threads in use - 1][0: of a core, 1: of a thread]. A limit is twice the
 * smallest CPI that is possible by table 13.2 of the guide. A CPI above the limit is flagged.
 */
TEST(cpi_is_flagged_by_the_limits_for_its_threads)
{
	static const double twice[][2] = {
		{ 2, 2 }, { 1, 2 }, { 1, 3 }, { 1, 4 },
	};
	const struct bpmu_phi_settings paper = { .paper = true };
	struct bpmu_phi_sums sums;
	unsigned int t;
	double core;

	for (t = 1; t <= THREADS; t++) {
		for (core = twice[t - 1][0] * 0.99; core < 2.1;
		     core += twice[t - 1][0] * 0.02) {
			cpi(t, 1200 / core / t, &sums);
			expect(&sums, &sp, "Average_CPI_per_Core", core,
			       core > twice[t - 1][0]);
			expect(&sums, &sp, "Average_CPI_per_Thread", core * t,
			       core * t > twice[t - 1][1]);
			expect(&sums, &paper, "Average_CPI_per_Core", core,
			       core > 1);
			expect(&sums, &paper, "Average_CPI_per_Thread",
			       core * t, core * t > 4);
		}
	}
}

/*
 * A thread counts as idle if it executes only a tenth of the instructions of another thread, for
 * example those of the kernel's timer. If the user gives the number of threads in use, that number
 * is taken instead.
 */
TEST(a_thread_with_timer_ticks_only_is_idle)
{
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	unsigned int t;

	fill_core(threads, 0);
	set(&threads[0], "INSTRUCTIONS_EXECUTED", 300000);
	for (t = 1; t < THREADS; t++)
		set(&threads[t], "INSTRUCTIONS_EXECUTED", 30000);
	sum_core(&sums, threads, 0);
	assert_int_equal(sums.threads, 1);
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(value.least.number == 1);
	/* A thread that executes a fifth of the instructions of another one is in use. */
	set(&threads[2], "INSTRUCTIONS_EXECUTED", 60000);
	sum_core(&sums, threads, 0);
	assert_int_equal(sums.threads, 2);
	for (t = 1; t <= THREADS; t++) {
		sum_core(&sums, threads, t);
		assert_int_equal(sums.threads, t);
		expect(&sums, &sp, "Average_CPI_per_Thread",
		       t * CLOCKS / 420000.0, true);
		value = value_of(&sums, &sp, "Average_CPI_per_Thread");
		assert_true(value.least.number == (t == 1 ? 1 : t / 2.0));
	}
}

/* A page walk costs 25 cycles for 4 KiB pages and 8 for huge pages; a long page walk costs 100. */
TEST(page_walks_have_their_costs)
{
	const struct bpmu_phi_settings huge = { .huge = true };
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	expect(&sums, &sp, "TLB_Walk_Clocks", (25 * 4700 + 30000) / 4800000.0,
	       false);
	expect(&sums, &huge, "TLB_Walk_Clocks", (8 * 4700 + 30000) / 4800000.0,
	       false);
}

/*
 * The CPI is 4.1, and its limit is 4. The difference is smaller than an uncertainty of 0.2, and
 * larger than an uncertainty of 0.02.
 */
TEST(a_cpi_within_its_uncertainty_of_the_limit_is_undecided)
{
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;

	cpi(4, 1200 / 4.1, &sums);
	sums.count[BPMU_PHI_CLOCKS].freedom = 100;
	sums.count[BPMU_PHI_CLOCKS].variance = pow(4800 * 0.2 / 4.1 / 2, 2);
	value = value_of(&sums, &sp, "Average_CPI_per_Thread");
	assert_true(value.judged && !value.flagged && value.undecided);
	sums.count[BPMU_PHI_CLOCKS].variance = pow(4800 * 0.02 / 4.1 / 2, 2);
	value = value_of(&sums, &sp, "Average_CPI_per_Thread");
	assert_true(value.flagged && !value.undecided);
	/*
	 * Neither of two CPIs below the limit of 4 is flagged. The first CPI is certainly below the
	 * limit. The uncertainty of the second is infinite, so it is undecided.
	 */
	cpi(4, 1200 / 3.5, &sums);
	sums.count[BPMU_PHI_CLOCKS].freedom = 100;
	sums.count[BPMU_PHI_CLOCKS].variance = pow(4800 * 0.2 / 3.5 / 2, 2);
	value = value_of(&sums, &sp, "Average_CPI_per_Thread");
	assert_true(value.judged && !value.flagged && !value.undecided);
	cpi(4, 1200 / 3.9, &sums);
	sums.count[BPMU_PHI_CLOCKS].variance = INFINITY;
	value = value_of(&sums, &sp, "Average_CPI_per_Thread");
	assert_true(!value.flagged && value.undecided);
	/*
	 * The limit of this metric is another metric. Whether the limit is exceeded is therefore as
	 * uncertain as the counts of both metrics.
	 */
	core_sums(&sums);
	value = value_of(&sums, &sp, "L2_Compute_to_Data_Access_Ratio");
	assert_true(value.flagged && !value.undecided);
	sums.count[place("DATA_READ_MISS_OR_WRITE_MISS")].variance = INFINITY;
	value = value_of(&sums, &sp, "L2_Compute_to_Data_Access_Ratio");
	assert_true(!value.flagged && value.undecided);
}

TEST(cpi_has_the_minimum_for_its_threads)
{
	static const double least[][2] = {
		{ 1, 1 }, { 0.5, 1 }, { 0.5, 1.5 }, { 0.5, 2 },
	};
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	unsigned int t;

	for (t = 1; t <= THREADS; t++) {
		cpi(t, 1200 / t / 2, &sums);
		value = value_of(&sums, &sp, "Average_CPI_per_Core");
		assert_true(value.least.number == least[t - 1][0]);
		value = value_of(&sums, &sp, "Average_CPI_per_Thread");
		assert_true(value.least.number == least[t - 1][1]);
		assert_false(value.below);
	}
	cpi(4, 1200 / 0.45 / 4, &sums);
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(fabs(value.estimate.value - 0.45) < TOLERANCE);
	assert_true(value.below);
	assert_false(value.unsure);
	sums.count[BPMU_PHI_CLOCKS].variance = 480 * 480;
	sums.count[BPMU_PHI_CLOCKS].freedom = 100;
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(value.below);
	assert_true(value.unsure);
}

/*
 * Threads 2 and 3 execute few instructions or none, as if they only ran interrupt handlers, so they
 * do not count as in use. Thread 0 ran for only half of the time, but counts as in use.
 */
TEST(threads_with_interrupts_only_are_not_in_use)
{
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_phi_sums sums;

	fill_core(threads, 0);
	set(&threads[0], "CPU_CLK_UNHALTED", CLOCKS / 2);
	set(&threads[2], "INSTRUCTIONS_EXECUTED", 2000);
	set(&threads[3], "INSTRUCTIONS_EXECUTED", 0);
	sum_core(&sums, threads, 0);
	assert_int_equal(sums.threads, 2);
	expect(&sums, &sp, "Average_CPI_per_Core", CLOCKS / 582000.0, true);
	expect(&sums, &sp, "Average_CPI_per_Thread", 1.5 * CLOCKS / 582000,
	       true);
}

/*
 * An idle thread is not in use, however many threads the user says are. A thread that executes
 * exactly an eighth of the instructions of the busiest one is in use. Of threads that execute the
 * same number the first is taken first. Of functions each that executes an instruction counts.
 */
TEST(threads_at_the_limits_are_in_use)
{
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_phi_threads all = { .thread = threads, .nr = THREADS };
	struct bpmu_phi_sums sums;
	unsigned int t;

	fill_core(threads, 0);
	set(&threads[3], "INSTRUCTIONS_EXECUTED", 0);
	sum_core(&sums, threads, 4);
	assert_int_equal(sums.threads, 3);
	set(&threads[0], "INSTRUCTIONS_EXECUTED", 80000);
	set(&threads[1], "INSTRUCTIONS_EXECUTED", 10000);
	set(&threads[2], "INSTRUCTIONS_EXECUTED", 9999);
	sum_core(&sums, threads, 0);
	assert_int_equal(sums.threads, 2);
	all.entries = true;
	bpmu_phi_sum_core(&sums, &all, 0);
	assert_int_equal(sums.threads, 3);
	for (t = 0; t < THREADS; t++) {
		set(&threads[t], "INSTRUCTIONS_EXECUTED", 1000);
		set(&threads[t], "CPU_CLK_UNHALTED", 1000 * (t + 1));
	}
	sum_core(&sums, threads, 1);
	assert_int_equal(sums.threads, 1);
	assert_true(sums.count[BPMU_PHI_CLOCKS].value == 1000);
	sum_core(&sums, threads, 2);
	assert_int_equal(sums.threads, 2);
}

/*
 * All that is known of the counts of the threads in use is added up. One without a count of an
 * event makes the sum incomplete, whichever thread it is.
 */
TEST(sums_have_all_that_their_counts_have)
{
	const unsigned int misses = place("HWP_L2MISS"), clocks = BPMU_PHI_CLOCKS;
	struct bpmu_phi_thread threads[2 * THREADS] = { };
	const struct bpmu_phi_threads all = { .thread = threads, .nr = 2 * THREADS };
	const struct bpmu_estimate *sum;
	struct bpmu_phi_sums sums;
	unsigned int t, i;

	for (t = 0; t < 2 * THREADS; t++) {
		threads[t].core = t / THREADS;
		for (i = 0; i < BPMU_PHI_EVENTS; i++)
			threads[t].count[i] = (struct bpmu_estimate){
				.value = 1000 << t, .variance = 1 << t, .freedom = 10 << t,
				.enabled = 700 << t, .running = 300 << t,
			};
	}
	/* Thread 3 of core 0 is idle: its clocks are left out. */
	set(&threads[3], "INSTRUCTIONS_EXECUTED", 0);
	for (t = 0; t < THREADS; t++) {
		memset(&sums, 0xff, sizeof(sums));
		bpmu_phi_sum_thread(&sums, &all, t);
		assert_int_equal(sums.scope, BPMU_PHI_THREAD);
		sum = &sums.count[misses];
		assert_true(sum->value == 1000 << t && sum->variance == 1 << t);
		assert_true(sum->freedom == 10 << t && sum->enabled == 700u << t);
		assert_true(sum->running == 300u << t && !sum->missing);
		assert_true(sums.count[clocks].value == (t == 3 ? 0 : 1000 << t));
	}
	bpmu_phi_sum_core(&sums, &all, 0);
	assert_int_equal(sums.scope, BPMU_PHI_CORE);
	sum = &sums.count[misses];
	assert_true(sum->value == 15000 && sum->variance == 15 && sum->freedom == 150);
	assert_true(sum->enabled == 15 * 700 && sum->running == 15 * 300);
	sum = &sums.count[clocks];
	assert_true(sum->value == 7000 && sum->variance == 7 && sum->freedom == 70);
	assert_true(sum->enabled == 7 * 700 && sum->running == 7 * 300);
	bpmu_phi_sum_card(&sums, &all);
	assert_int_equal(sums.scope, BPMU_PHI_CARD);
	sum = &sums.count[misses];
	assert_true(sum->value == 255000 && sum->variance == 255 && sum->freedom == 2550);
	assert_true(sum->enabled == 255 * 700 && sum->running == 255 * 300);
	assert_false(sum->missing);
	for (t = 0; t < 2 * THREADS; t++) {
		threads[t].count[misses].missing = true;
		bpmu_phi_sum_card(&sums, &all);
		assert_true(sums.count[misses].missing);
		assert_false(sums.count[misses + 1].missing);
		threads[t].count[misses].missing = false;
	}
}

/* The threads of a thread's core are those that the user says or that its core has in use. */
TEST(a_thread_knows_the_threads_of_its_core)
{
	static const struct {
		unsigned int t, used;
		bool entries;
		unsigned int threads;
		double per_core;
	} cases[] = {
		{ 0, 0, false, 1, 3 }, { 1, 0, false, 1, 3 }, { 3, 0, false, 0, 0 },
		{ 4, 0, false, 1, 4 }, { 2, 1, false, 1, 1 }, { 0, 1, false, 0, 0 },
		{ 4, 2, false, 0, 0 }, { 0, 0, true, 1, 1 }, { 0, 2, true, 1, 2 },
		{ 3, 2, true, 0, 0 },
	};
	struct bpmu_phi_thread threads[2 * THREADS];
	struct bpmu_phi_sums sums;
	size_t i;

	fill_core(threads, 0);
	fill_core(threads + THREADS, 1);
	set(&threads[3], "INSTRUCTIONS_EXECUTED", 0);
	set(&threads[4], "INSTRUCTIONS_EXECUTED", 200000);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_phi_threads all = {
			.thread = threads, .nr = 2 * THREADS, .used = cases[i].used,
			.entries = cases[i].entries,
		};

		memset(&sums, 0xff, sizeof(sums));
		bpmu_phi_sum_thread(&sums, &all, cases[i].t);
		if (sums.threads != cases[i].threads || sums.cores != cases[i].threads ||
		    sums.per_core != cases[i].per_core)
			fail_msg("%zu: %u, %u, %g", i, sums.threads, sums.cores, sums.per_core);
	}
}

/* If no thread of a core is in use, its clocks are the mean of what all threads counted. */
TEST(an_idle_core_has_the_clocks_of_all_its_threads)
{
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_phi_sums sums;
	unsigned int t;

	fill_core(threads, 0);
	for (t = 0; t < THREADS; t++) {
		set(&threads[t], "INSTRUCTIONS_EXECUTED", 0);
		threads[t].count[BPMU_PHI_CLOCKS] = (struct bpmu_estimate){
			.value = CLOCKS * (t + 1), .enabled = 10000, .running = 1000,
		};
	}
	sum_core(&sums, threads, 0);
	assert_int_equal(sums.cores, 0);
	assert_true(fabs(sums.core_clocks / (2.5 * CLOCKS) - 1) < TOLERANCE);
}

/*
 * Cores ran for different times if one has less than nine tenths of the clocks of another. The
 * clocks of a core are the most that a thread counted, whichever it is.
 */
TEST(cores_that_ran_for_different_times_are_uneven)
{
	static const struct {
		double clocks;
		bool uneven;
	} cases[] = {
		{ 0.9 * CLOCKS, false }, { 0.9 * CLOCKS - 1, true }, { CLOCKS, false },
		{ CLOCKS / 0.9 - 1, false }, { CLOCKS / 0.9 + 1, true },
	};
	struct bpmu_phi_thread threads[3 * THREADS];
	const struct bpmu_phi_threads all = { .thread = threads, .nr = 3 * THREADS };
	struct bpmu_phi_sums sums;
	unsigned int core, most, t;
	double clocks;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases) * 3 * THREADS; i++) {
		clocks = cases[i / 3 / THREADS].clocks;
		core = i % 3;
		most = i / 3 % THREADS;
		for (t = 0; t < 3; t++)
			fill_core(threads + (size_t)t * THREADS, t);
		for (t = 0; t < THREADS; t++)
			set(&threads[core * THREADS + t], "CPU_CLK_UNHALTED",
			    t == most ? clocks : clocks / 2);
		bpmu_phi_sum_card(&sums, &all);
		assert_int_equal(sums.cores, 3);
		assert_true(sums.core_clocks == 2 * CLOCKS + clocks);
		assert_int_equal(bpmu_phi_sum_uneven(&sums), cases[i / 3 / THREADS].uneven);
	}
}

/*
 * Three threads of the core are in use, and each yields an estimate of the core's clocks. Each
 * estimate has a random error of up to 20 %. The tool takes the mean of the three estimates, which
 * must be unbiased.
 */
TEST(a_multiplexed_core_has_no_biased_clock)
{
	unsigned long long seed = 88172645463325252ULL;
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_estimate *clocks;
	struct bpmu_phi_sums sums;
	double sum = 0;
	unsigned int r, t;

	for (r = 0; r < 4000; r++) {
		fill_core(threads, 0);
		set(&threads[3], "INSTRUCTIONS_EXECUTED", 0);
		for (t = 0; t < THREADS; t++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			clocks = &threads[t].count[place("CPU_CLK_UNHALTED")];
			clocks->value *= 0.8 + 0.4 * (seed >> 11) /
					       9007199254740992.0;
			clocks->enabled = 10000;
			clocks->running = 1000;
		}
		/* The fourth thread is not in use, so its clocks must not count for the core. */
		clocks->value = 10 * CLOCKS;
		sum_core(&sums, threads, 0);
		assert_int_equal(sums.threads, 3);
		sum += sums.core_clocks;
		/* The clocks of the core are the mean of the clocks of the three threads in use. */
		assert_true(fabs(sums.core_clocks -
				 sums.count[BPMU_PHI_CLOCKS].value / 3) < 1);
	}
	/*
	 * The mean of 4000 trials has a standard error of 0.1 %. The test allows an error of 0.4 %.
	 */
	assert_true(fabs(sum / 4000 / CLOCKS - 1) < 0.004);
}

/*
 * One thread started late: it has half of the count of each other thread, but also half of the
 * enabled time. Its rate is therefore the same, and the value of the core must not change.
 */
TEST(a_multiplexed_thread_that_started_late_has_the_rate_of_its_core)
{
	struct bpmu_phi_thread threads[THREADS];
	struct bpmu_estimate *clocks;
	struct bpmu_phi_sums sums;
	unsigned int late, t;

	for (late = 0; late < THREADS; late++) {
		fill_core(threads, 0);
		for (t = 0; t < THREADS; t++) {
			threads[t].count[BPMU_PHI_CLOCKS].enabled = 10000;
			threads[t].count[BPMU_PHI_CLOCKS].running = 1000;
		}
		clocks = &threads[late].count[BPMU_PHI_CLOCKS];
		clocks->value = CLOCKS / 2;
		clocks->enabled = 5000;
		clocks->running = 500;
		sum_core(&sums, threads, 0);
		assert_true(fabs(sums.core_clocks / CLOCKS - 1) < TOLERANCE);
		/* One that was not measured at all has no part in it. */
		*clocks = (struct bpmu_estimate){ .value = 0 };
		sum_core(&sums, threads, 0);
		assert_true(fabs(sums.core_clocks / CLOCKS - 1) < TOLERANCE);
	}
}

/* Of 400000 accesses 1 in 100 misses the L1 TLB, and 1 in 1000 also misses the L2 TLB. */
TEST(tlb_misses_are_flagged_above_their_limits)
{
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	sums.count[place("DATA_PAGE_WALK")].value = 3990;
	sums.count[place("LONG_DATA_PAGE_WALK")].value = 399;
	expect(&sums, &sp, "L1_TLB_Miss_Ratio", 0.009975, false);
	expect(&sums, &sp, "L2_TLB_Miss_Ratio", 0.0009975, false);
	sums.count[place("DATA_PAGE_WALK")].value = 4010;
	sums.count[place("LONG_DATA_PAGE_WALK")].value = 401;
	expect(&sums, &sp, "L1_TLB_Miss_Ratio", 0.010025, true);
	expect(&sums, &sp, "L2_TLB_Miss_Ratio", 0.0010025, true);
}

/*
 * The number of page walks per long page walk is flagged if it is low, but not if there are only
 * few page walks.
 */
TEST(few_page_walks_are_not_flagged)
{
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	sums.count[place("DATA_PAGE_WALK")].value = 300;
	expect(&sums, &sp, "L1_TLB_Misses_per_L2_TLB_Miss", 1, false);
}

/*
 * L1_TLB_Misses_per_L2_TLB_Miss is flagged only under two conditions: its value is below 1.5, and
 * more than 1 of 1000 accesses misses both TLBs. There are three cases of 400000 accesses each:
 * 0.3, 0.4 and 0.09 % of them miss the L1 TLB, and 0.25, 0.25 and 0.075 % miss the L2 TLB too. Both
 * conditions hold only in the first case.
 */
TEST(both_conditions_of_a_flag_count)
{
	static const double misses[][2] = { { 1200, 1000 }, { 1600, 1000 }, { 360, 300 } };
	struct bpmu_phi_sums sums;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(misses); i++) {
		core_sums(&sums);
		sums.count[place("DATA_PAGE_WALK")].value = misses[i][0];
		sums.count[place("LONG_DATA_PAGE_WALK")].value = misses[i][1];
		expect(&sums, &sp, "L1_TLB_Misses_per_L2_TLB_Miss", misses[i][0] / misses[i][1],
		       !i);
	}
}

/*
 * The value is 12.8 vector elements per instruction, but at most 8 are possible. With an
 * uncertainty of 5 the true value may be 8 or below; with uncertainties of 4.7 and 0 it cannot be.
 */
TEST(a_value_above_the_most_may_be_within_its_uncertainty)
{
	static const double halves[] = { 5, 4.7, 0 };
	struct bpmu_phi_settings settings = { .ghz = 1, .elements = 8 };
	struct bpmu_estimate *count;
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	unsigned int i;

	core_sums(&sums);
	count = &sums.count[place("VPU_ELEMENTS_ACTIVE")];
	count->freedom = 1e6;
	for (i = 0; i < ARRAY_SIZE(halves); i++) {
		count->variance = pow(halves[i] / 1.96 * 500000, 2);
		value = value_of(&sums, &settings, "Vectorization_Intensity");
		assert_true(value.above && !value.below);
		assert_int_equal(value.unsure, !i);
	}
}

TEST(a_divisor_of_0_yields_no_value)
{
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	sums.count[place("DATA_READ_MISS_OR_WRITE_MISS")].value = 0;
	expect(&sums, &sp, "L2_Compute_to_Data_Access_Ratio", NONE, false);
	expect(&sums, &sp, "Estimated_Latency_Impact", NONE, false);
	expect(&sums, &sp, "L1_Hit_Rate", 0.99, false);

	core_sums(&sums);
	sums.count[place("VPU_INSTRUCTIONS_EXECUTED")].value = 0;
	expect(&sums, &sp, "Vectorization_Intensity", NONE, false);
	value = value_of(&sums, &sp, "L1_Compute_to_Data_Access_Ratio");
	assert_true(value.known && !value.judged && !value.flagged);

	core_sums(&sums);
	sums.count[place("LONG_DATA_PAGE_WALK")].value = 0;
	expect(&sums, &sp, "L1_TLB_Misses_per_L2_TLB_Miss", NONE, false);

	core_sums(&sums);
	sums.count[place("EXEC_STAGE_CYCLES")].value = 4500000;
	expect(&sums, &sp, "Estimated_Latency_Impact", -5, false);
	value = value_of(&sums, &sp, "Estimated_Latency_Impact");
	assert_true(value.below);

	core_sums(&sums);
	sums.count[BPMU_PHI_INSTRUCTIONS].missing = true;
	expect(&sums, &sp, "Average_CPI_per_Thread", NONE, false);
	core_sums(&sums);
	sums.count[BPMU_PHI_CLOCKS].missing = true;
	expect(&sums, &sp, "Average_CPI_per_Core", NONE, false);
	expect(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock", NONE, false);
}

/*
 * The relative variance of a quotient is the sum of the relative variances of dividend and divisor.
 */
TEST(relative_variances_of_a_quotient_are_added)
{
	struct bpmu_estimate *instr, *clk;
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	instr = &sums.count[BPMU_PHI_INSTRUCTIONS];
	clk = &sums.count[BPMU_PHI_CLOCKS];
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(value.estimate.variance == 0);
	instr->variance = pow(0.003 * instr->value, 2);
	instr->freedom = 20;
	clk->variance = pow(0.004 * clk->value, 2);
	clk->freedom = 10;
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(fabs(sqrt(value.estimate.variance) - 0.005) < 0.0000001);
	assert_true(fabs(value.estimate.freedom -
			 625 / (81 / 20.0 + 256 / 10.0)) < 0.01);
	value = value_of(&sums, &sp, "L1_Hit_Rate");
	assert_true(value.estimate.variance == 0);

	clk->variance = INFINITY;
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(isinf(value.estimate.variance));
	assert_true(isinf(bpmu_estimate_half_width(&value.estimate)));
	value = value_of(&sums, &sp, "L1_Hit_Rate");
	assert_true(value.estimate.variance == 0);
}

static const char *const table_13_1[] = {
	"CPU_CLK_UNHALTED", "INSTRUCTIONS_EXECUTED", "VPU_ELEMENTS_ACTIVE",
	"DATA_READ_OR_WRITE", "DATA_READ_MISS_OR_WRITE_MISS",
	"L1_DATA_HIT_INFLIGHT_PF1", "EXEC_STAGE_CYCLES",
	"L2_DATA_READ_MISS_CACHE_FILL", "L2_DATA_WRITE_MISS_CACHE_FILL",
	"L2_DATA_READ_MISS_MEM_FILL", "L2_DATA_WRITE_MISS_MEM_FILL",
	"DATA_PAGE_WALK", "LONG_DATA_PAGE_WALK", "VPU_INSTRUCTIONS_EXECUTED",
	"L2_VICTIM_REQ_WITH_DATA", "HWP_L2MISS", "SNP_HITM_L2",
};

/*
 * A count of 0 has no relative error, and one without degrees of freedom leaves those of the others
 * as they are. A divisor that may be 0 makes the value uncertain without bound.
 */
TEST(odd_counts_have_their_part_in_the_variance)
{
	struct bpmu_estimate *count;
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	count = &sums.count[place("HWP_L2MISS")];
	count->value = 0;
	count->freedom = 10;
	count->variance = 4;
	value = value_of(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock");
	assert_true(value.known && value.estimate.variance == 0);
	count->variance = INFINITY;
	value = value_of(&sums, &sp, "Read_Bandwidth_Bytes_per_Clock");
	assert_true(value.known && value.estimate.variance == 0);

	count = &sums.count[BPMU_PHI_INSTRUCTIONS];
	count->variance = pow(0.003 * count->value, 2);
	count->freedom = 0;
	count = &sums.count[BPMU_PHI_CLOCKS];
	count->variance = pow(0.004 * count->value, 2);
	count->freedom = 10;
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(fabs(value.estimate.freedom - 625 / 25.6) < 0.01);

	count = &sums.count[place("LONG_DATA_PAGE_WALK")];
	count->freedom = 10;
	count->variance = pow(count->value, 2);
	value = value_of(&sums, &sp, "L1_TLB_Misses_per_L2_TLB_Miss");
	assert_true(value.known && isinf(value.estimate.variance));
}

/* What is at a limit is neither beyond it nor undecided. */
TEST(a_value_at_its_limit_is_within_it)
{
	static const char no_more[] = "a register has not so many elements: a counting error, or the wrong --element";
	static const char no_less[] = "a thread issues at most every other cycle, a core two instructions a cycle: a counting error";
	const struct bpmu_phi_settings unknown = { .ghz = 1 }, paper = { .paper = true };
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;

	core_sums(&sums);
	set_sum(&sums, "VPU_ELEMENTS_ACTIVE", 16 * 500000);
	value = value_of(&sums, &unknown, "Vectorization_Intensity");
	assert_true(value.most.known && value.most.number == 16);
	assert_string_equal(value.most.why, no_more);
	assert_false(value.least.known || value.above || value.below || value.unsure);
	/* The limit of the flag is the number of elements, which is not known. */
	assert_false(value.judged || value.flagged || value.undecided);
	set_sum(&sums, "VPU_ELEMENTS_ACTIVE", 16 * 500000 + 1);
	value = value_of(&sums, &unknown, "Vectorization_Intensity");
	assert_true(value.above && !value.unsure);

	cpi(4, 600, &sums);
	value = value_of(&sums, &sp, "Average_CPI_per_Core");
	assert_true(value.least.known && value.least.number == 0.5);
	assert_true(value.estimate.value == 0.5);
	assert_string_equal(value.least.why, no_less);
	assert_false(value.most.known || value.above || value.below || value.unsure);
	cpi(4, 300, &sums);
	value = value_of(&sums, &paper, "Average_CPI_per_Core");
	assert_true(value.estimate.value == 1 && value.judged);
	assert_false(value.flagged || value.undecided);
}

TEST(each_event_is_in_one_pass)
{
	struct bpmu_pmu pmu = unit_pmu("knc", 2);
	const struct bpmu_event_spec *spec;
	const struct bpmu_group *group;
	struct bpmu_phi_passes passes;
	struct bpmu_error err;
	unsigned int first_only = 0;
	unsigned int nr = 0;
	unsigned int i;

	if (bpmu_phi_passes_make(&passes, &pmu, 1, &err))
		fail_msg("%s", err.text);
	assert_int_equal(passes.groups.nr, BPMU_PHI_PASSES);
	for (i = 0; i < BPMU_PHI_EVENTS; i++) {
		spec = bpmu_phi_passes_spec(&passes, i);
		assert_true(!spec == !bpmu_phi_event(i));
		if (!spec)
			continue;
		assert_string_equal(spec->text, bpmu_phi_event(i));
		group = bpmu_groups_find(&passes.groups, spec);
		assert_ptr_equal(group, &passes.groups.group[i / 2]);
		assert_non_null(spec->row);
		first_only += spec->row->counters == 1;
		nr++;
	}
	assert_int_equal(nr, ARRAY_SIZE(table_13_1));
	assert_int_equal(first_only, 7);
	for (i = 0; i < ARRAY_SIZE(table_13_1); i++)
		place(table_13_1[i]);
	assert_string_equal(bpmu_phi_event(BPMU_PHI_INSTRUCTIONS),
			    "INSTRUCTIONS_EXECUTED");
	assert_string_equal(bpmu_phi_event(BPMU_PHI_CLOCKS),
			    "CPU_CLK_UNHALTED");
	bpmu_phi_passes_free(&passes);
}

/*
 * Each metric has a description, each limit (a metric whose name has a dot) has a reason, and each
 * metric that can be flagged has advice.
 */
TEST(metrics_have_descriptions_and_flags_have_advice)
{
	const struct bpmu_metric *metric;
	const char *end;
	unsigned int i;

	for (i = 0; i < method.metrics.nr; i++) {
		metric = &method.metrics.metric[i];
		end = strrchr(metric->name, '.');
		if (metric->level || end)
			assert_non_null(metric->text);
		if (metric->flag)
			assert_non_null(metric->next);
	}
}

/*
 * Returns the text that the tool prints for the card in an interval in which @thread is the only
 * thread with counts; the caller frees the text.
 */
static char *printed(struct bpmu_phi_thread *thread)
{
	struct bpmu_row row = { .label = "0" };
	bool *flagged = calloc(method.metrics.nr, sizeof(*flagged));
	unsigned int of = 0;
	struct bpmu_phi phi = {
		.scope = BPMU_PHI_CARD, .settings = sp, .method = method,
		.target = { .info.title = "a card", .cpus_text = "0" },
		.rows = { .row = &row, .nr = 1, .positions = 1, .of = &of },
		.thread = thread, .flagged = flagged,
	};
	const struct bpmu_interval interval = { .seconds = 1 };
	char *text = NULL;
	size_t size;

	phi.out = open_memstream(&text, &size);
	assert_non_null(phi.out);
	assert_non_null(flagged);
	bpmu_phi_print(&phi, &interval);
	fclose(phi.out);
	free(flagged);
	return text;
}

/*
 * If the count of an event is missing, metrics that need it have no value: the count is not taken
 * as 0.
 */
TEST(a_missing_count_is_not_0)
{
	struct bpmu_phi_thread thread = { };
	unsigned int i;
	char *text;

	text = printed(&thread);
	assert_non_null(strstr(text, "no value: not counted"));
	assert_null(strstr(text, "in use"));
	free(text);
	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		thread.count[i].running = 1;
	text = printed(&thread);
	assert_null(strstr(text, "not counted"));
	assert_non_null(strstr(text, "no value: a divisor is 0"));
	free(text);
	/*
	 * In this interval the group of events with INSTRUCTIONS_EXECUTED was not on the counters,
	 * so the count of this event is missing.
	 */
	thread.count[BPMU_PHI_INSTRUCTIONS].running = 0;
	thread.count[BPMU_PHI_INSTRUCTIONS].missing = true;
	text = printed(&thread);
	assert_non_null(strstr(text, "no value: INSTRUCTIONS_EXECUTED was not counted; measure longer"));
	assert_non_null(strstr(text, "CPU 0: 0 threads in use"));
	free(text);
	thread.count[BPMU_PHI_INSTRUCTIONS].missing = false;
	thread.count[BPMU_PHI_INSTRUCTIONS].running = 1;
	thread.count[BPMU_PHI_INSTRUCTIONS].value = 1;
	text = printed(&thread);
	assert_non_null(strstr(text, "CPU 0: 1 thread in use on 1 core\n"));
	free(text);
}

TEST_FIXTURE(load)
{
	struct bpmu_error err;

	return bpmu_phi_method_init(&method, bpmu_part_by_name("knc"),
				    &err);
}

TEST_FIXTURE(unload)
{
	bpmu_phi_method_free(&method);
	return 0;
}

TEST_GROUP(load, unload);
