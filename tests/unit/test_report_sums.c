// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of means over runs: the mean and its 95 % interval, and the table of all means as text, CSV and
 * JSON.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_sums.h"
#include "test.h"
#include "unit.h"

/* Adds the values of a run, an event and a share on two rows. */
static void add(struct bpmu_sums *sums, double cycles, double share, unsigned int flags)
{
	bpmu_sums_add(sums, "0", "cycles", "events", false, cycles, 0);
	bpmu_sums_add(sums, "0", "Retiring", "slots", true, share, flags);
	bpmu_sums_add(sums, "1-3", "cycles", "events", false, 2 * cycles, 0);
	bpmu_sums_add(sums, "1-3", "Retiring", "slots", true, share / 2, 0);
}

/* Student's t is 12.7062 with one degree of freedom, and 4.3027 with two. */
TEST(a_mean_has_an_interval_of_95_percent)
{
	struct bpmu_sums sums = { };
	const struct bpmu_sum *sum;

	assert_int_equal(bpmu_sums_runs(&sums), 0);
	assert_null(bpmu_sums_find(&sums, "0", "cycles"));
	add(&sums, 1000, 0.5, 0);
	sum = bpmu_sums_find(&sums, "0", "cycles");
	assert_int_equal(sum->nr, 1);
	assert_true(isinf(bpmu_sum_half_width(sum)));
	add(&sums, 1010, NAN, BPMU_VALUE_FLAWS);
	assert_int_equal(bpmu_sums_runs(&sums), 2);
	assert_true(fabs(bpmu_sum_half_width(sum) - 12.7062 * 5) < 0.01);
	add(&sums, 1020, 0.75, 0);
	assert_int_equal(bpmu_sums_runs(&sums), 3);
	assert_int_equal(sums.nr, 4);
	assert_true(sum->mean == 1010 && sum->squares == 200);
	assert_true(fabs(bpmu_sum_half_width(sum) - 4.3027 * 10 / sqrt(3)) < 0.01);
	sum = bpmu_sums_find(&sums, "0", "Retiring");
	assert_ptr_equal(sum, &sums.sum[1]);
	assert_int_equal(sum->nr, 2);
	assert_true(sum->mean == 0.625);
	assert_int_equal(sum->flags, BPMU_VALUE_FLAWS);
	assert_true(bpmu_sums_find(&sums, "1-3", "cycles")->mean == 2020);
	assert_null(bpmu_sums_find(&sums, "1-3", "instructions"));
	assert_false(sums.failed);
	bpmu_sums_free(&sums);
	assert_int_equal(sums.nr, 0);
	assert_null(sums.sum);
	/* The order may be another one, and there may be more than there is room for at first. */
	add(&sums, 1, 0.5, 0);
	bpmu_sums_add(&sums, "1-3", "Retiring", "slots", true, 0.75, 0);
	bpmu_sums_add(&sums, "0", "cycles", "events", false, 3, 0);
	assert_int_equal(sums.nr, 4);
	assert_true(sums.sum[0].mean == 2 && sums.sum[3].mean == 0.5);
	for (unsigned int i = 0; i < 200; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%u", i);
		bpmu_sums_add(&sums, name, "more", "", false, i, 0);
	}
	assert_int_equal(sums.nr, 204);
	assert_true(sums.sum[203].mean == 199 && sums.sum[0].mean == 2);
	bpmu_sums_free(&sums);
}

TEST(a_metric_has_its_unit_and_may_be_unknown)
{
	char slots[] = "slots", clocks[] = "instructions/clock", name[] = "It";
	struct bpmu_metric metric = { .name = name, .unit = slots };
	struct bpmu_tree_value value = { .value = 0.25, .known = true, .flags = BPMU_VALUE_FLAWS };
	struct bpmu_sums sums = { };

	bpmu_metric_sum(&metric, &value, "0", &sums);
	metric.unit = clocks;
	bpmu_metric_sum(&metric, &value, "1", &sums);
	metric.unit = NULL;
	value.known = false;
	bpmu_metric_sum(&metric, &value, "2", &sums);
	assert_int_equal(sums.nr, 3);
	assert_true(sums.sum[0].share && sums.sum[0].mean == 0.25 && sums.sum[0].nr == 1);
	assert_string_equal(sums.sum[0].unit, "slots");
	assert_string_equal(sums.sum[0].name, "It");
	assert_int_equal(sums.sum[0].flags, BPMU_VALUE_FLAWS);
	assert_false(sums.sum[1].share);
	assert_string_equal(sums.sum[2].unit, "");
	assert_int_equal(sums.sum[2].nr, 0);
	bpmu_sums_free(&sums);
}

static void print_all(FILE *out, const struct bpmu_sums *sums)
{
	bpmu_sums_print(out, BPMU_TEXT, NULL, sums);
	bpmu_sums_print(out, BPMU_CSV, ";", sums);
	bpmu_sums_print(out, BPMU_JSON, NULL, sums);
}

TEST(means_are_printed_in_a_table_of_their_width)
{
	struct bpmu_sums two = { }, one = { };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	add(&two, 1000000, 0.5, 0);
	add(&two, 1000100, NAN, BPMU_VALUE_FLAWS);
	add(&two, 1000200, 0.51, 0);
	bpmu_sums_add(&two, "1-3", "IPC", "instructions/clock", false, 1.5, 0);
	bpmu_sums_add(&two, "1-3", "Nothing", "share", true, NAN, 0);
	bpmu_sums_add(&two, "1-3", "Zero", "share", true, 0, 0);
	bpmu_sums_add(&two, "1-3", "Zero", "share", true, 0, 0);
	bpmu_flaws_note(&two.flaws, BPMU_SAMPLE_DISTURBED, 1, 0, 1);
	print_all(out, &two);
	/* Rows that are all of the same CPUs do not name them. */
	bpmu_sums_add(&one, "0-3", "Energy", "J", false, -2, 0);
	bpmu_sums_add(&one, "0-3", "Energy", "J", false, -3, 0);
	print_all(out, &one);
	fclose(out);
	bpmu_sums_free(&two);
	bpmu_sums_free(&one);
	unit_text("report-sums", text);
}
