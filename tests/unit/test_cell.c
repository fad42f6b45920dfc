// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the estimates of counts: a count is exact if its event was never multiplexed; otherwise
 * it is an estimate with a 95 % interval, or with the reason why there is no interval.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/spread.h"
#include "unit.h"

#define SLICE 1000000ULL
#define RUNS 2000

TEST(a_count_without_multiplexing_is_exact)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	bpmu_cell_add_slice(&cell, 12345, SLICE);
	bpmu_cell_estimate(&cell, 2 * SLICE, false, &sum);
	assert_true(sum.value == 12345);
	assert_true(bpmu_estimate_half_width(&sum) == 0);
	assert_int_equal(sum.running, sum.enabled);
}

TEST(a_multiplexed_count_is_scaled_by_time)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_estimate(&cell, 60 * SLICE, true, &sum);
	assert_true(fabs(sum.value - 6000) < 0.000001);
	assert_true(bpmu_estimate_half_width(&sum) == 0);
	assert_false(sum.missing);
}

TEST(one_slice_has_an_infinite_interval)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_estimate(&cell, 3 * SLICE, true, &sum);
	assert_true(isinf(bpmu_estimate_half_width(&sum)));
}

/*
 * A multiplexed event was counted in 20 of 80 time slices, and did not occur in these 20. If it
 * occurred in 11 of the 80 slices, the 20 counted slices would miss all 11 with a probability of
 * 0.75^11 = 4.2 %. If it occurred in 10 slices, the probability would be 5.6 %. The limit is 11,
 * the smallest number with a probability below 5 %.
 */
TEST(an_unseen_event_has_an_upper_limit)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, 0, SLICE);
	bpmu_cell_estimate(&cell, 80 * SLICE, true, &sum);
	assert_true(sum.value == 0);
	assert_int_equal(bpmu_estimate_flags(&sum), BPMU_VALUE_UNSEEN);
	assert_true(isinf(bpmu_estimate_half_width(&sum)));
	assert_true(bpmu_estimate_at_most(&sum) == 11);
	/*
	 * The upper limit must not exceed the number of time slices that were not counted: here 2
	 * of 22.
	 */
	memset(&sum, 0, sizeof(sum));
	bpmu_cell_estimate(&cell, 22 * SLICE, true, &sum);
	assert_true(bpmu_estimate_at_most(&sum) == 2);
	memset(&sum, 0, sizeof(sum));
	bpmu_cell_estimate(&cell, 80 * SLICE, false, &sum);
	assert_false(bpmu_estimate_flags(&sum) & BPMU_VALUE_UNSEEN);
	assert_true(bpmu_estimate_half_width(&sum) == 0);
}

/*
 * A count has no confidence interval if fewer than 16 time slices were counted, or if fewer than 5
 * of the counted slices have events.
 */
TEST(few_slices_have_no_interval)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i, full;

	for (i = 0; i < 16; i++) {
		memset(&sum, 0, sizeof(sum));
		bpmu_cell_add_slice(&cell, 100 + i % 2, SLICE);
		bpmu_cell_estimate(&cell, 100 * SLICE, true, &sum);
		assert_int_equal(!!(bpmu_estimate_flags(&sum) & BPMU_VALUE_FEW), i < 15);
		assert_int_equal(isinf(bpmu_estimate_half_width(&sum)), i < 15);
	}
	for (full = 4; full <= 5; full++) {
		memset(&sum, 0, sizeof(sum));
		memset(&cell, 0, sizeof(cell));
		for (i = 0; i < 40; i++)
			bpmu_cell_add_slice(&cell, i < full ? 1000 : 0, SLICE);
		bpmu_cell_estimate(&cell, 100 * SLICE, true, &sum);
		assert_false(bpmu_estimate_flags(&sum) & BPMU_VALUE_UNSEEN);
		assert_int_equal(!!(bpmu_estimate_flags(&sum) & BPMU_VALUE_FEW), full < 5);
	}
}

/*
 * The counts of the time slices are quantiles of a Pareto distribution. If the exponent of the
 * distribution is below 2, its variance is infinite, and the count must be flagged. Hill's estimate
 * of the exponent depends only on ratios of the counts, not on the length of slices.
 */
TEST(a_heavy_tail_is_recognised)
{
	static const double alphas[] = { 1, 1.5, 1.8, 2.4, 3, 5 };
	unsigned int a, i, cpu, cpus;
	struct bpmu_estimate sum;
	struct bpmu_cell cell;

	for (a = 0; a < ARRAY_SIZE(alphas); a++) {
		for (cpus = 1; cpus <= 3; cpus++) {
			memset(&sum, 0, sizeof(sum));
			for (cpu = 0; cpu < cpus; cpu++) {
				memset(&cell, 0, sizeof(cell));
				for (i = 0; i < 100; i++)
					bpmu_cell_add_slice(&cell, (cpu + 1) * 1e6 *
							    pow((i * 37 % 100 + 0.5) / 100,
								-1 / alphas[a]),
							    SLICE);
				bpmu_cell_estimate(&cell, 400 * SLICE, true, &sum);
			}
			assert_int_equal(!!(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY),
					 alphas[a] < 2);
		}
	}
}

/*
 * The tail of a count is the eighth of its time slices that has the most events. If only six slices
 * have events, the tail is the three of them with the most events. Here the smallest of the six has
 * a tenth of the events of the others.
 */
TEST(slices_without_events_are_in_no_tail)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	for (i = 0; i < 100; i++)
		bpmu_cell_add_slice(&cell, i % 17 ? 0 : i ? 1000 + i : 100, SLICE);
	assert_int_equal(cell.top[0], 1085);
	assert_int_equal(cell.top[5], 100);
	assert_int_equal(cell.top[6], 0);
	bpmu_cell_estimate(&cell, 400 * SLICE, true, &sum);
	assert_false(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY);
	assert_int_equal(sum.largest, 3);
	assert_true(fabs(sum.spacing - log(1085.0 * 1068 * 1051 / pow(1034, 3))) < 0.000001);
	memset(&sum, 0, sizeof(sum));
	bpmu_cell_estimate(&cell, 400 * SLICE, false, &sum);
	assert_int_equal(sum.largest, 0);
	/* A count has no tail if none, or only one, of its time slices has events. */
	memset(&sum, 0, sizeof(sum));
	memset(&cell, 0, sizeof(cell));
	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, 0, SLICE);
	bpmu_cell_estimate(&cell, 80 * SLICE, true, &sum);
	bpmu_cell_add_slice(&cell, 5, SLICE);
	bpmu_cell_estimate(&cell, 80 * SLICE, true, &sum);
	assert_false(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY);
}

/*
 * After lost samples one time slice is 30 times as long as the others, and has 30 times the events.
 * The rate of events in this slice is that of the others, so the slice is no outlier.
 */
TEST(a_long_slice_is_no_tail)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, i == 7 ? 30000 : 1000, (i == 7 ? 30 : 1) * SLICE);
	assert_true(cell.top[0] == 1000 && cell.top[8] == 1000);
	bpmu_cell_estimate(&cell, 100 * SLICE, true, &sum);
	assert_false(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY);
}

/*
 * The largest counts of several events are assumed to be in the same time slices. If the events are
 * added, these largest counts are added too, and make the tail of the sum. An event that is
 * subtracted does not change the tail.
 */
TEST(tails_of_terms_are_added)
{
	const struct bpmu_slots slots = {
		.nr = 3, .slot = { 0, 1, 2 }, .sign = { 1, 1, -1 },
	};
	struct bpmu_group group = { .sched.bank = BPMU_BANK_CORE };
	const struct bpmu_groups groups = {
		.group = &group, .nr = 1, .nr_of[BPMU_BANK_CORE] = 2, .slots = 3,
	};
	const u64 enabled[1] = { 400 * SLICE };
	struct bpmu_cell cells[3] = { };
	const struct bpmu_interval interval = { .cell = cells, .enabled = enabled };
	struct bpmu_estimate sum = { };
	unsigned int i;

	/*
	 * In one of 11 time slices the first event has 800 counts, 8 times as many as in the
	 * others. With the second event's 600 counts per slice, the sum in that slice is only twice
	 * as large as in the others. The third event is subtracted, so its large slice does not
	 * matter.
	 */
	for (i = 0; i < 11; i++) {
		bpmu_cell_add_slice(&cells[0], i ? 100 : 800, SLICE);
		bpmu_cell_add_slice(&cells[1], 600, SLICE);
		bpmu_cell_add_slice(&cells[2], i ? 1 : 1000, SLICE);
	}
	bpmu_interval_add(&groups, 0, &slots, &interval, 0, 1, &sum);
	assert_int_equal(sum.largest, 1);
	assert_true(fabs(sum.spacing - log(2)) < 0.000001);
	assert_true(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY);
}

TEST(a_cell_without_slices_is_missing)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	bpmu_cell_estimate(&cell, 3 * SLICE, true, &sum);
	assert_true(sum.missing);
	assert_int_equal(sum.running, 0);
}

TEST(terms_are_subtracted)
{
	const struct bpmu_slots slots = {
		.nr = 2, .slot = { 0, 1 }, .sign = { 1, -1 },
	};
	struct bpmu_group group = { .sched.bank = BPMU_BANK_CORE };
	const struct bpmu_groups groups = {
		.group = &group, .nr = 1, .nr_of[BPMU_BANK_CORE] = 1, .slots = 2,
	};
	struct bpmu_cell cells[2 * 2] = { };
	const u64 enabled[2] = { SLICE, SLICE };
	const struct bpmu_interval interval = {
		.cell = cells, .enabled = enabled,
	};
	struct bpmu_estimate sum = { };

	bpmu_cell_add_slice(&cells[0], 100, SLICE);
	bpmu_cell_add_slice(&cells[1], 130, SLICE);
	bpmu_cell_add_slice(&cells[2], 7, SLICE);
	bpmu_cell_add_slice(&cells[3], 2, SLICE);
	bpmu_interval_add(&groups, 0, &slots, &interval, 0, 2, &sum);
	assert_true(sum.value == -30 + 5);
	assert_int_equal(sum.enabled, 2 * SLICE);
}

static double noise(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += drand48();
	return sum - 6;
}

/* Returns a random number with an approximate Poisson distribution of the small mean @mean. */
static unsigned int poisson(double mean)
{
	double at = exp(-mean), random = drand48();
	unsigned int n = 0;
	double sum = at;

	for (; random > sum && n < 100; sum += at)
		at *= mean / ++n;
	return n;
}

/*
 * Returns how many of 20,000 counts of @slices time slices are flagged as bursty, although the
 * distribution of the slices' events has no heavy tail: it is lognormal, and the logarithm has a
 * standard deviation of 0.4.
 */
static unsigned int wrongly_bursty(unsigned int slices)
{
	unsigned int run, i, nr = 0;

	srand48(1);
	for (run = 0; run < 20000; run++) {
		struct bpmu_estimate sum = { };
		struct bpmu_cell cell = { };

		for (i = 0; i < slices; i++)
			bpmu_cell_add_slice(&cell, 100000 * exp(0.4 * noise()), SLICE);
		bpmu_cell_estimate(&cell, 4ULL * slices * SLICE, true, &sum);
		nr += !!(bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY);
	}
	printf("# %u slices: %.1f %% bursty\n", slices, nr / 200.0);
	return nr;
}

/*
 * With 16 slices about 3 % are flagged, as the tail is two slices. It is two of 12 to 15 as well: a
 * single one would be flagged twice as often.
 */
TEST(a_few_slices_are_rarely_taken_for_a_heavy_tail)
{
	unsigned int sixteen = wrongly_bursty(16);

	assert_in_range(sixteen, 400, 800);
	assert_true(2 * wrongly_bursty(14) < 3 * sixteen);
	assert_true(2 * wrongly_bursty(15) < 3 * sixteen);
	assert_true(wrongly_bursty(12) < 2 * sixteen);
}

/**
 * enum happening - distribution of a simulated program's events over time slices
 * @TOGETHER: normal distribution
 * @SINGLE: Poisson distribution, as of events that are independent of each other
 * @LOGNORMAL: lognormal distribution; the logarithm has a standard deviation of 1.5
 * @PARETO: Pareto distribution with an exponent of 1.5
 */
enum happening { TOGETHER, SINGLE, LOGNORMAL, PARETO };

/**
 * struct load - a simulated program, described by the events in its time slices
 * @name: name in the printed table
 * @quiet: mean number of events of most slices
 * @burst: mean number of events of slices in a burst
 * @share: fraction of slices that are in a burst
 * @noise: standard deviation of the events in a slice, as a fraction of @quiet or @burst
 * @happening: distribution of the events
 */
struct load {
	const char *name;
	double quiet;
	double burst;
	double share;
	double noise;
	enum happening happening;
};

static const struct load loads[] = {
	{ "steady", 500000, 500000, 0, 0.2, TOGETHER },
	{ "bursts", 100000, 500000, 0.2, 0.1, TOGETHER },
	{ "half idle", 0, 500000, 0.5, 0.1, TOGETHER },
	{ "a burst in 20", 0, 500000, 0.05, 0.3, TOGETHER },
	{ "a burst in 50", 0, 500000, 0.02, 0.3, TOGETHER },
	{ "rare", 1, 1, 0, 0, SINGLE },
	{ "very rare", 0.2, 0.2, 0, 0, SINGLE },
	{ "lognormal 1.5", 100000, 0, 0, 0, LOGNORMAL },
	{ "Pareto 1.5", 100000, 0, 0, 0, PARETO },
};

static double happens(const struct load *load)
{
	double rate = drand48() < load->share ? load->burst : load->quiet;

	if (load->happening == SINGLE)
		return poisson(rate);
	if (load->happening == LOGNORMAL)
		return floor(rate * exp(1.5 * noise()));
	if (load->happening == PARETO)
		return floor(rate * pow(1 - drand48(), -1 / 1.5));
	return floor(fmax(0, rate * (1 + load->noise * noise())));
}

/**
 * struct runs - results of simulated runs of a program
 * @intervals: number of runs for which a confidence interval was given
 * @bursty: number of these runs that are flagged as bursty
 * @held: number of unflagged runs whose interval contains the true value
 * @missed: number of flagged runs whose interval does not contain the true value
 */
struct runs {
	unsigned int intervals;
	unsigned int bursty;
	unsigned int held;
	unsigned int missed;
};

/*
 * Simulates a run with four multiplexed groups of events: on each CPU an event is counted in one of
 * four consecutive time slices.
 */
static void simulate(const struct load *load, unsigned int rounds, unsigned int cpus,
		     struct runs *runs)
{
	struct bpmu_estimate sum = { };
	unsigned int pos, round, i, at;
	struct bpmu_cell cell;
	double count, all = 0, half;
	bool held;

	for (pos = 0; pos < cpus; pos++) {
		memset(&cell, 0, sizeof(cell));
		for (round = 0; round < rounds; round++) {
			at = drand48() * 4;
			for (i = 0; i < 4; i++) {
				count = happens(load);
				all += count;
				if (i == at)
					bpmu_cell_add_slice(&cell, count, SLICE);
			}
		}
		bpmu_cell_estimate(&cell, 4ULL * rounds * SLICE, true, &sum);
	}
	half = bpmu_estimate_half_width(&sum);
	if (isinf(half))
		return;
	held = fabs(sum.value - all) <= half;
	runs->intervals++;
	if (bpmu_estimate_flags(&sum) & BPMU_VALUE_BURSTY) {
		runs->bursty++;
		runs->missed += !held;
	} else {
		runs->held += held;
	}
}

static bool heavy(const struct load *load)
{
	return load->happening == LOGNORMAL || load->happening == PARETO;
}

static struct runs simulate_runs(const struct load *load, unsigned int rounds,
				 unsigned int cpus)
{
	struct runs runs = { };
	unsigned int run, sure;

	for (run = 0; run < RUNS; run++)
		simulate(load, rounds, cpus, &runs);
	sure = runs.intervals - runs.bursty;
	printf("# %-14s %5u %5u %9.1f%% %7.1f%% %7.1f%% %7.1f%% %7.1f%%\n", load->name,
	       20 * rounds, cpus, 100.0 * runs.intervals / RUNS,
	       runs.intervals ? 100.0 * runs.bursty / runs.intervals : NAN,
	       sure ? 100.0 * runs.held / sure : NAN, 100.0 * (sure - runs.held) / RUNS,
	       100.0 * runs.missed / RUNS);
	return runs;
}

/*
 * Runs of 200 ms, 500 ms and 2 s on one CPU and on four, with time slices of 5 ms and four groups
 * of events. If a load has so few bursts that most runs get no confidence interval, the intervals
 * of the other runs may be too wide. Heavy tails are recognised in most runs. Most intervals that
 * miss the true value are flagged. If such an interval is not flagged, the run by chance had no
 * slice of the tail.
 */
TEST(intervals_hold_the_true_value_in_95_per_cent_or_are_flagged)
{
	static const unsigned int rounds[] = { 10, 25, 100 };
	unsigned int i, r, cpus, sure, share;
	struct runs runs;
	bool good = true;

	srand48(1);
	printf("# %-14s %5s %5s %10s %8s %8s %8s %8s\n", "load", "ms", "CPUs", "intervals",
	       "bursty", "covered", "missed", "flagged");
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		for (r = 0; r < ARRAY_SIZE(rounds); r++) {
			for (cpus = 1; cpus <= 4; cpus += 3) {
				runs = simulate_runs(&loads[i], rounds[r], cpus);
				sure = runs.intervals - runs.bursty;
				if (runs.intervals < RUNS / 20)
					continue;
				share = sure ? 1000 * runs.held / sure : 0;
				if (heavy(&loads[i]))
					good &= 2 * runs.bursty >= runs.intervals &&
						100 * (sure - runs.held) <=
						(loads[i].happening == PARETO ? 18 : 9) * RUNS;
				else
					good &= 3 * runs.bursty <= runs.intervals &&
						share >= 920 &&
						share <= (sure < RUNS * 99 / 100 ? 1000 : 975);
			}
		}
	}
	assert_true(good);
}

/*
 * Slices that are summed together, until the interval ends, give the cells that they give one by
 * one. Without batches, they form neither moments nor the largest counts. Slices become longer, and
 * every third has more of the events of odd slots and fewer of those of even ones.
 */
TEST(sums_over_slices_are_those_of_single_slices)
{
	enum { SLOTS = 5, SLICES = 70, OPENS = 3, MOST = 32 };
	static const unsigned int batches[] = { 0, 3, MOST };
	struct bpmu_cell cell[SLOTS], single[SLOTS];
	struct bpmu_batch batch[SLOTS * MOST];
	struct bpmu_delta delta[SLOTS] = { };
	u64 values[SLICES + 1][SLOTS], count, ticks, sum;
	struct bpmu_slice_sums sums;
	unsigned int b, i, k, n;

	for (i = 0; i < SLOTS; i++) {
		delta[i].form = BPMU_DELTA_COUNT;
		delta[i].slot = i;
		delta[i].value = i;
		delta[i].mask = (1ULL << 48) - 1;
	}
	for (b = 0; b < ARRAY_SIZE(batches); b++) {
		memset(cell, 0, sizeof(cell));
		memset(single, 0, sizeof(single));
		memset(batch, 0, sizeof(batch));
		memset(values, 0, sizeof(values));
		assert_true(bpmu_slice_sums_init(&sums, delta, SLOTS, batches[b]));
		bpmu_slice_sums_keep(&sums, values[0]);
		for (n = 0; n < SLICES; n++) {
			if (n % (SLICES / OPENS) == 0) {
				bpmu_slice_sums_close(&sums);
				bpmu_slice_sums_open(&sums, cell, batch);
			}
			ticks = SLICE + 1000 * n;
			for (i = 0; i < SLOTS; i++) {
				count = n % 3 ? 7 + n % (i + 2) : 1000 * (i % 2 ? n : SLICES - n);
				values[n + 1][i] = values[n][i] + count;
				bpmu_cell_add_slice(&single[i], count, ticks);
			}
			bpmu_slice_sums_add(&sums, values[n + 1], ticks);
		}
		bpmu_slice_sums_close(&sums);
		bpmu_slice_sums_free(&sums);
		for (i = 0; i < SLOTS && !batches[b]; i++) {
			assert_int_equal(cell[i].count, single[i].count);
			assert_int_equal(cell[i].running, single[i].running);
			assert_int_equal(cell[i].slices, single[i].slices);
		}
		if (batches[b])
			assert_memory_equal(cell, single, sizeof(cell));
		for (i = 0; i < SLOTS && batches[b]; i++) {
			for (k = 0, sum = 0; k < batches[b]; k++)
				sum += batch[i * batches[b] + k].count;
			assert_int_equal(sum, cell[i].count);
			assert_int_equal(batch[i * batches[b]].ticks,
					 batch[0].ticks);
		}
	}
}

/*
 * To estimate the variance of a count, each batch of its time slices is left out once. The count
 * without a batch must equal the count of all slices of the other batches. The second CPU was not
 * multiplexed.
 */
TEST(a_count_without_a_batch_is_that_of_the_others)
{
	enum { CPUS = 3, BATCHES = 5 };
	/* What is left without batch 0 of the last CPU took all of its time. */
	const u64 enabled[CPUS] = { 9000, 100, 380 };
	const struct bpmu_slots difference = { .nr = 2, .slot = { 0, 1 }, .sign = { 1, -1 } };
	bool sampled[CPUS] = { true, false, true };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_interval interval = { .batches = BATCHES, .enabled = enabled };
	struct bpmu_cell *cell, *left;
	const struct bpmu_slots *slots;
	struct bpmu_batch *batch;
	double counts[BATCHES], others;
	struct bpmu_error err;
	struct bpmu_tree tree;
	unsigned int g, i, r, k, nr;

	if (bpmu_tree_init(&tree, "topdown", &pmu, 0, 2, &err))
		fail_msg("%s", err.text);
	assert_true(tree.groups.nr_of[BPMU_BANK_CORE] > 1);
	nr = CPUS * tree.groups.slots;
	cell = calloc(nr, sizeof(*cell));
	left = calloc(nr, sizeof(*left));
	batch = calloc((size_t)nr * BATCHES, sizeof(*batch));
	assert_true(cell && left && batch);
	for (i = 0; i < nr; i++)
		for (r = 0; r < BATCHES; r++) {
			batch[i * BATCHES + r].count = 7 * i + 13 * r * r;
			batch[i * BATCHES + r].ticks = 20 + 30 * r;
			cell[i].count += batch[i * BATCHES + r].count;
			cell[i].running += batch[i * BATCHES + r].ticks;
		}
	interval.batch = batch;
	for (g = 0; g < tree.nr_groups; g++)
		for (i = 0; i <= tree.events[g].nr; i++) {
			slots = i < tree.events[g].nr ? &tree.event_slots[g][i] : &difference;
			interval.cell = cell;
			bpmu_interval_counts(&tree.groups, g, slots, 1, &interval, CPUS, BATCHES,
					     sampled, counts, BATCHES);
			interval.cell = left;
			for (r = 0; r < BATCHES; r++) {
				for (k = 0; k < nr; k++) {
					left[k] = cell[k];
					if (!sampled[k / tree.groups.slots])
						continue;
					left[k].count -= batch[k * BATCHES + r].count;
					left[k].running -= batch[k * BATCHES + r].ticks;
				}
				bpmu_interval_counts(&tree.groups, g, slots, 1, &interval, CPUS, 0,
						     NULL, &others, 1);
				assert_true(counts[r] == others);
			}
		}

	/* Without the only batch that has slices, there is no count. */
	for (k = 0; k < nr; k++) {
		cell[k].count = batch[k * BATCHES].count;
		cell[k].running = batch[k * BATCHES].ticks;
		for (r = 1; r < BATCHES; r++)
			batch[k * BATCHES + r] = (struct bpmu_batch){ };
	}
	interval.cell = cell;
	sampled[1] = true;
	bpmu_interval_counts(&tree.groups, 0, tree.event_slots[0], 1, &interval, CPUS, BATCHES,
			     sampled, counts, BATCHES);
	for (r = 0; r < BATCHES; r++)
		assert_int_equal(isnan(counts[r]), !r);
	free(cell);
	free(left);
	free(batch);
	bpmu_tree_free(&tree);
}

/*
 * Makes groups of the two events instructions and cycles, and an interval whose two entries have
 * interrupts by them. Returns the estimate of an event, "instructions" or "cycles", in entry @pos.
 */
static struct bpmu_estimate of_interrupts(const struct bpmu_cell cells[4], unsigned int pos,
					  const char *event)
{
	static const u64 enabled[] = { SLICE, SLICE };
	const struct bpmu_interval interval = {
		.cell = cells, .enabled = enabled, .duration = 1, .interrupts = true,
		.multiplexed = { { [BPMU_BANK_CORE] = true } },
		.sampled = { { [BPMU_BANK_CORE] = true } },
	};
	const struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_estimate sum = { };
	struct bpmu_event_spec spec = { };
	struct bpmu_slots slots;
	struct bpmu_groups groups;
	struct bpmu_error err;
	double counts[1];

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "instructions,cycles", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err), 0);
	assert_int_equal(groups.slots, 2);
	assert_int_equal(bpmu_event_parse(&pmu, 0, event, &spec, &err), 0);
	bpmu_interval_estimate(&groups, &interval, pos, &spec, &sum);
	if (!pos) {
		bpmu_groups_slots(&groups, 0, &spec, &slots);
		bpmu_interval_counts(&groups, 0, &slots, 1, &interval, 1, 0, NULL, counts, 1);
		if (sum.running)
			assert_true(counts[0] == sum.value);
		else
			assert_true(isnan(counts[0]));
	}
	bpmu_event_free(&spec);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
	return sum;
}

/*
 * A count that interrupts stand for is the sum of their periods, and its variance that of a Poisson
 * distribution. No interrupt is not an exact 0. An event that did not interrupt is not known.
 */
TEST(a_count_from_interrupts_has_poissons_variance)
{
	const struct bpmu_cell cells[4] = {
		{ .count = 30 * 1000, .slices = 30, .sum_xx = 30e6, .running = SLICE },
		{ .running = SLICE, .sum_xx = 4e6 },
		{ .count = 3 * 1000, .slices = 3, .sum_xx = 3e6, .running = SLICE },
		{ .count = 5000 },
	};
	struct bpmu_estimate sum;

	sum = of_interrupts(cells, 0, "instructions");
	assert_true(sum.value == 30000);
	assert_true(fabs(sum.variance - 30e6) < 1);
	assert_float_equal(bpmu_estimate_half_width(&sum) / sqrt(30e6), bpmu_student(29), 0.000001);
	sum = of_interrupts(cells, 0, "cycles");
	assert_true(sum.value == 0);
	assert_true(fabs(sum.variance - 4e6) < 1);
	assert_true(bpmu_estimate_half_width(&sum) > 4000);
	/* three interrupts are too few for an interval */
	sum = of_interrupts(cells, 1, "instructions");
	assert_true(sum.value == 3000);
	assert_true(isinf(bpmu_estimate_half_width(&sum)));
	sum = of_interrupts(cells, 1, "cycles");
	assert_false(bpmu_estimate_seen(&sum));
	assert_true(sum.missing);
}

/*
 * An event happens 2000 periods long, a tenth of which in a function. Each period ends in the
 * function with this probability. The 95 % intervals of the function's count hold the true count in
 * 93 to 97 % of the runs.
 */
TEST(intervals_from_interrupts_cover_the_count)
{
	const unsigned int periods = 2000, one_in = 10, period = 1000;
	unsigned int run, i, covered = 0;
	struct bpmu_estimate sum;
	double half;

	srand(7);
	for (run = 0; run < RUNS / 2; run++) {
		struct bpmu_cell cells[4] = { { .running = SLICE }, { .running = SLICE } };

		for (i = 0; i < periods; i++) {
			if (rand() % one_in)
				continue;
			cells[0].count += period;
			cells[0].sum_xx += (double)period * period;
			cells[0].slices++;
		}
		sum = of_interrupts(cells, 0, "instructions");
		half = bpmu_estimate_half_width(&sum);
		covered += fabs(sum.value - (double)period * periods / one_in) <= half;
	}
	assert_true(covered >= RUNS / 2 * 93 / 100);
	assert_true(covered <= RUNS / 2 * 97 / 100);
}

/* Estimates A + B or A - B, as @sign says, from the interrupts by A and B that @cells has. */
static struct bpmu_estimate of_two(const struct bpmu_cell cells[2], int sign)
{
	struct bpmu_group group = { .sched = { .nr = 2, .bank = BPMU_BANK_CORE } };
	const struct bpmu_groups groups = { .group = &group, .nr = 1, .slots = 2 };
	static const u64 enabled[] = { SLICE };
	const struct bpmu_slots slots = { .nr = 2, .slot = { 0, 1 }, .sign = { 1, sign } };
	const struct bpmu_interval interval = {
		.cell = cells, .enabled = enabled, .duration = 1, .interrupts = true,
	};
	struct bpmu_estimate sum = { };

	bpmu_interval_add(&groups, 0, &slots, &interval, 0, 1, &sum);
	return sum;
}

/*
 * The interrupts by two events are different ones, so that both add to the variance of their sum and
 * of their difference. If one of the events has no period, the sum is not known.
 */
TEST(a_sum_of_two_events_has_the_interrupts_of_both)
{
	const struct bpmu_cell rare[] = {
		{ .count = 3000, .slices = 3, .sum_xx = 3e6, .running = SLICE },
		{ .running = SLICE, .sum_xx = 4e6 },
	};
	const struct bpmu_cell often[] = {
		{ .count = 30000, .slices = 30, .sum_xx = 30e6, .running = SLICE },
		{ .count = 10000, .slices = 10, .sum_xx = 10e6, .running = SLICE },
	};
	const struct bpmu_cell counted[] = {
		{ .count = 30000, .slices = 30, .sum_xx = 30e6, .running = SLICE }, { .count = 5000 },
	};
	struct bpmu_estimate sum;

	sum = of_two(often, 1);
	assert_true(sum.value == 40000);
	assert_int_equal(sum.slices, 40);
	assert_true(sum.variance == 40e6);
	sum = of_two(rare, -1);
	assert_true(sum.value == 3000);
	assert_true(sum.variance == 7e6);
	assert_int_equal(sum.slices, 3);
	assert_int_equal(bpmu_estimate_flags(&sum), BPMU_VALUE_FEW);
	sum = of_two(counted, 1);
	assert_false(bpmu_estimate_seen(&sum));
	assert_true(sum.missing);
}
