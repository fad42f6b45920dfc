// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "count/spread.h"
#include "unit.h"

#define SLICE 1000000ULL

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

	(void)state;
	bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_add_slice(&cell, 100, SLICE);
	bpmu_cell_estimate(&cell, 6 * SLICE, true, &sum);
	assert_true(fabs(sum.value - 600) < 0.000001);
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

/*
 * Simulates a run of noisy slices, every third of which is seen; returns true if
 * the interval holds the true value.
 */
static bool covers(unsigned int slices)
{
	struct bpmu_estimate sum = { };
	struct bpmu_cell cell = { };
	double count, all = 0;
	unsigned int i;
	u64 ticks = 0;

	for (i = 0; i < slices; i++) {
		u64 length = SLICE + (u64)(SLICE / 10 * drand48());

		count = floor(length * 0.5 * (1 + 0.2 * noise()));
		all += count;
		ticks += length;
		if (i % 3 == 0)
			bpmu_cell_add_slice(&cell, count, length);
	}
	bpmu_cell_estimate(&cell, ticks, true, &sum);
	return fabs(sum.value - all) <= bpmu_estimate_half_width(&sum);
}

static void intervals_hold_the_true_value_in_95_per_cent(void **state)
{
	static const unsigned int slices[] = { 12, 30, 300 };
	unsigned int i, run, inside;

	(void)state;
	srand48(1);
	for (i = 0; i < 3; i++) {
		for (run = inside = 0; run < 4000; run++)
			inside += covers(slices[i]);
		printf("# %u slices: %.1f%% inside\n", slices[i], inside / 40.0);
		assert_in_range(inside, 4000 * 95 / 100, 4000 * 995 / 1000);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_without_multiplexing_is_exact),
		cmocka_unit_test(a_multiplexed_count_is_scaled_by_time),
		cmocka_unit_test(one_slice_has_an_infinite_interval),
		cmocka_unit_test(a_cell_without_slices_is_missing),
		cmocka_unit_test(terms_are_subtracted),
		cmocka_unit_test(intervals_hold_the_true_value_in_95_per_cent),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cell", tests, NULL, NULL);
}
