// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/spread.h"
#include "unit.h"

#define SLICE 1000000ULL
#define RUNS 2000

static void a_count_without_multiplexing_is_exact(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	(void)state;
	bpmu_cell_add_slice(&cell, 12345, SLICE);
	bpmu_cell_estimate(&cell, 2 * SLICE, false, &sum);
	assert_true(sum.value == 12345);
	assert_true(bpmu_estimate_half_width(&sum) == 0);
	assert_int_equal(sum.running, sum.enabled);
}

static void a_multiplexed_count_is_scaled_by_time(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	(void)state;
	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_estimate(&cell, 60 * SLICE, true, &sum);
	assert_true(fabs(sum.value - 6000) < 0.000001);
	assert_true(bpmu_estimate_half_width(&sum) == 0);
	assert_false(sum.missing);
}

static void one_slice_has_an_infinite_interval(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	(void)state;
	bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_estimate(&cell, 3 * SLICE, true, &sum);
	assert_true(isinf(bpmu_estimate_half_width(&sum)));
}

/*
 * 20 of 80 slices have no event: if 11 others had it, all would be missed in 0.75^11 or 4.2 %
 * of the cases, in 5.6 % if 10 had it.
 */
static void an_unseen_event_has_an_upper_limit(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i;

	(void)state;
	for (i = 0; i < 20; i++)
		bpmu_cell_add_slice(&cell, 0, SLICE);
	bpmu_cell_estimate(&cell, 80 * SLICE, true, &sum);
	assert_true(sum.value == 0);
	assert_true(bpmu_estimate_unseen(&sum));
	assert_true(isinf(bpmu_estimate_half_width(&sum)));
	assert_true(bpmu_estimate_at_most(&sum) == 11);
	/* No more than there are: of 20 slices in 22. */
	memset(&sum, 0, sizeof(sum));
	bpmu_cell_estimate(&cell, 22 * SLICE, true, &sum);
	assert_true(bpmu_estimate_at_most(&sum) == 2);
	memset(&sum, 0, sizeof(sum));
	bpmu_cell_estimate(&cell, 80 * SLICE, false, &sum);
	assert_false(bpmu_estimate_unseen(&sum));
	assert_true(bpmu_estimate_half_width(&sum) == 0);
}

/* 15 slices are too few, and 40 of which 4 have all events. */
static void few_slices_have_no_interval(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	unsigned int i, full;

	(void)state;
	for (i = 0; i < 16; i++) {
		memset(&sum, 0, sizeof(sum));
		bpmu_cell_add_slice(&cell, 100 + i % 2, SLICE);
		bpmu_cell_estimate(&cell, 100 * SLICE, true, &sum);
		assert_int_equal(bpmu_estimate_few(&sum), i < 15);
		assert_int_equal(isinf(bpmu_estimate_half_width(&sum)), i < 15);
	}
	for (full = 4; full <= 5; full++) {
		memset(&sum, 0, sizeof(sum));
		memset(&cell, 0, sizeof(cell));
		for (i = 0; i < 40; i++)
			bpmu_cell_add_slice(&cell, i < full ? 1000 : 0, SLICE);
		bpmu_cell_estimate(&cell, 100 * SLICE, true, &sum);
		assert_false(bpmu_estimate_unseen(&sum));
		assert_int_equal(bpmu_estimate_few(&sum), full < 5);
	}
}

static void a_cell_without_slices_is_missing(void **state)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };

	(void)state;
	bpmu_cell_estimate(&cell, 3 * SLICE, true, &sum);
	assert_true(sum.missing);
	assert_int_equal(sum.running, 0);
}

static void terms_are_subtracted(void **state)
{
	const struct bpmu_slots slots = {
		.nr = 2, .slot = { 0, 1 }, .sign = { 1, -1 },
	};
	struct bpmu_group group = { .sched.side = BPMU_SIDE_CORE };
	const struct bpmu_groups groups = {
		.group = &group, .nr = 1, .nr_of[BPMU_SIDE_CORE] = 1, .slots = 2,
	};
	struct bpmu_cell cells[2 * 2] = { };
	const u64 enabled[2] = { SLICE, SLICE };
	const struct bpmu_interval interval = {
		.cell = cells, .enabled = enabled,
	};
	struct bpmu_estimate sum = { };

	(void)state;
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

/* Approximately Poisson distributed around @mean, which is small. */
static unsigned int poisson(double mean)
{
	double at = exp(-mean), random = drand48();
	unsigned int n = 0;
	double sum = at;

	for (; random > sum && n < 100; sum += at)
		at *= mean / ++n;
	return n;
}

/**
 * struct load - events of a program's slices
 * @name: of the load
 * @quiet: events in most slices
 * @burst: events in the others
 * @share: share of these
 * @noise: noise of both, as a fraction
 * @single: events happen one by one
 */
struct load {
	const char *name;
	double quiet;
	double burst;
	double share;
	double noise;
	bool single;
};

static const struct load loads[] = {
	{ "steady", 500000, 500000, 0, 0.2, false },
	{ "bursts", 100000, 500000, 0.2, 0.1, false },
	{ "half idle", 0, 500000, 0.5, 0.1, false },
	{ "a burst in 20", 0, 500000, 0.05, 0.3, false },
	{ "a burst in 50", 0, 500000, 0.02, 0.3, false },
	{ "rare", 1, 1, 0, 0, true },
	{ "very rare", 0.2, 0.2, 0, 0, true },
};

static double happens(const struct load *load)
{
	double rate = drand48() < load->share ? load->burst : load->quiet;

	if (load->single)
		return poisson(rate);
	return floor(fmax(0, rate * (1 + load->noise * noise())));
}

/*
 * Simulates runs of which one of four slices of a round is seen, on some CPUs. Counts the
 * intervals, and those that hold the true value.
 */
static void simulate(const struct load *load, unsigned int rounds, unsigned int cpus,
		     unsigned int *intervals, unsigned int *held)
{
	struct bpmu_estimate sum = { };
	unsigned int pos, round, i, at;
	struct bpmu_cell cell;
	double count, all = 0, half;

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
	++*intervals;
	*held += fabs(sum.value - all) <= half;
}

/*
 * Runs of 200 ms, 500 ms and 2 s with slices of 5 ms in 4 groups, on one CPU and four. A
 * program with so few bursts that most runs get no interval may have too wide ones.
 */
static void intervals_hold_the_true_value_in_95_per_cent(void **state)
{
	static const unsigned int rounds[] = { 10, 25, 100 };
	unsigned int i, r, cpus, run, intervals, held, share;

	(void)state;
	srand48(1);
	printf("# %-14s %5s %5s %10s %8s\n", "load", "ms", "CPUs", "intervals", "covered");
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		for (r = 0; r < ARRAY_SIZE(rounds); r++) {
			for (cpus = 1; cpus <= 4; cpus += 3) {
				intervals = 0;
				held = 0;
				for (run = 0; run < RUNS; run++)
					simulate(&loads[i], rounds[r], cpus, &intervals,
						 &held);
				share = intervals ? 1000 * held / intervals : 1000;
				printf("# %-14s %5u %5u %9.1f%% %7.1f%%\n",
				       loads[i].name, 20 * rounds[r], cpus,
				       100.0 * intervals / RUNS, share / 10.0);
				if (intervals < RUNS / 20)
					continue;
				assert_in_range(share, 920, intervals < RUNS * 99 / 100 ?
						1000 : 975);
			}
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_without_multiplexing_is_exact),
		cmocka_unit_test(a_multiplexed_count_is_scaled_by_time),
		cmocka_unit_test(one_slice_has_an_infinite_interval),
		cmocka_unit_test(an_unseen_event_has_an_upper_limit),
		cmocka_unit_test(few_slices_have_no_interval),
		cmocka_unit_test(a_cell_without_slices_is_missing),
		cmocka_unit_test(terms_are_subtracted),
		cmocka_unit_test(intervals_hold_the_true_value_in_95_per_cent),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cell", tests, NULL, NULL);
}
