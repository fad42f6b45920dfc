// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the statistics of runs: the means of their values, and whether differences between two
 * sets of runs are significant.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/report/report_diff.h"
#include "count/spread.h"
#include "unit.h"

static void add(struct bpmu_sums *sums, const char *name, const double *values,
		unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		bpmu_sums_add(sums, "0-3", name, "events", false, values[i], 0);
}

/* Five values have four degrees of freedom, for which the quantile of Student's t is 2.776. */
TEST(a_mean_has_its_interval)
{
	static const double values[] = { 8, 9, 10, 11, 12 };
	struct bpmu_sums sums = { };

	add(&sums, "a", values, 5);
	assert_int_equal(sums.nr, 1);
	assert_float_equal(sums.sum[0].mean, 10, 0);
	assert_float_equal(bpmu_sum_half_width(sums.sum),
			   2.776 * sqrt(2.5 / 5), 0.01);
	bpmu_sums_free(&sums);
}

TEST(one_value_has_an_infinite_interval)
{
	static const double value = 7;
	struct bpmu_sums sums = { };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	add(&sums, "one", &value, 1);
	bpmu_sums_add(&sums, "0-3", "none", "", false, NAN, 0);
	assert_true(isinf(bpmu_sum_half_width(sums.sum)));
	bpmu_sums_print(out, BPMU_CSV, ",", &sums);
	fclose(out);
	assert_string_equal(text,
		"cpus,name,mean,unit,uncertainty,runs,flags\n"
		"0-3,one,7,events,,1,\n0-3,none,,,,0,\n");
	free(text);
	bpmu_sums_free(&sums);
}

/*
 * The values of a column are aligned under its heading. The column is as wide as its longest value.
 */
TEST(values_are_printed_in_columns)
{
	static const double many[] = { 1000000, 1000002, 1000004 };
	struct bpmu_sums sums = { };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	unsigned int i;

	add(&sums, "cycles", many, 3);
	for (i = 0; i < 3; i++) {
		bpmu_sums_add(&sums, "0-3", "Retiring", "slots", true, 0.25 + i / 100.0, 0);
		bpmu_sums_add(&sums, "0-3", "Utilization", "share", true, 0.5, 0);
	}
	bpmu_sums_add(&sums, "0-3", "IPC", "instructions/clock", false, 1.5, 0);
	bpmu_sums_add(&sums, "0-3", "none", "W", false, NAN, 0);
	bpmu_sums_print(out, BPMU_TEXT, ",", &sums);
	bpmu_sums_add(&sums, "4-7", "other", "W", false, 2, 0);
	bpmu_sums_print(out, BPMU_TEXT, ",", &sums);
	fclose(out);
	/*
	 * Each confidence interval is that of a mean of three values. Its half-width is 4.303 * s /
	 * sqrt(3). 4.303 is the quantile of Student's t for two degrees of freedom.
	 */
	assert_string_equal(text,
		"       mean   +-     %  name         unit\n"
		"  1,000,002    5  0.00  cycles       events\n"
		"       26.0  2.5  9.55  Retiring     % of slots\n"
		"       50.0  0.0  0.00  Utilization  %\n"
		"        1.5    ?        IPC          instructions/clock\n"
		"   no value             none         W\n"
		"  cpus       mean   +-     %  name         unit\n"
		"   0-3  1,000,002    5  0.00  cycles       events\n"
		"   0-3       26.0  2.5  9.55  Retiring     % of slots\n"
		"   0-3       50.0  0.0  0.00  Utilization  %\n"
		"   0-3        1.5    ?        IPC          instructions/clock\n"
		"   0-3   no value             none         W\n"
		"   4-7          2    ?        other        W\n");
	assert_int_equal(bpmu_sums_runs(&sums), 3);
	free(text);
	bpmu_sums_free(&sums);
}

static char *diff(enum bpmu_format format)
{
	static const double low[] = { 10, 11, 9, 10 }, high[] = { 14, 13, 15 };
	static const double same[] = { 5, 5, 5 }, other[] = { 10, 12, 9 };
	struct bpmu_sums a = { }, b = { }, none = { };
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	add(&a, "quiet", low, 4);
	add(&a, "up", low, 4);
	add(&a, "constant", same, 3);
	add(&a, "gone", low, 4);
	add(&b, "up", high, 3);
	add(&b, "quiet", other, 3);
	add(&b, "constant", same, 3);
	assert_int_equal(bpmu_diff_print(out, format, ",", &a, &b, &err), 0);
	assert_int_equal(bpmu_diff_print(out, format, ",", &a, &none, &err),
			 -ENODATA);
	fclose(out);
	bpmu_sums_free(&a);
	bpmu_sums_free(&b);
	return text;
}

/*
 * Three values have a variance of 1, and four values have a variance of 2/3. The means differ by 4.
 * Welch's confidence interval of this difference has a half-width of 2.95.
 */
TEST(a_change_has_the_interval_of_welch)
{
	static const double low[] = { 10, 11, 9, 10 }, high[] = { 14, 13, 15 };
	struct bpmu_change change;
	struct bpmu_sums a = { };

	add(&a, "low", low, 4);
	add(&a, "high", high, 3);
	bpmu_diff_change(&change, &a.sum[0], &a.sum[1]);
	bpmu_diff_judge(&change, 1);
	assert_true(change.significant);
	assert_float_equal(change.half, sqrt(1 / 6.0 + 1 / 3.0) * 2.8, 0.2);
	bpmu_diff_change(&change, &a.sum[0], &a.sum[0]);
	bpmu_diff_judge(&change, 1);
	assert_false(change.significant);
	bpmu_sums_free(&a);
}

TEST(significant_changes_come_first)
{
	char *text = diff(BPMU_CSV);

	assert_non_null(strstr(text, "up,10,14,4,"));
	assert_non_null(strstr(text, ",events,,significant\n"));
	assert_true(strstr(text, "up,") < strstr(text, "quiet,"));
	assert_null(strstr(text, "gone"));
	assert_non_null(strstr(text, "constant,5,5,0,0,events,,\n"));
	free(text);
	text = diff(BPMU_TEXT);
	assert_true(strstr(text, "up") < strstr(text, "quiet"));
	assert_non_null(strstr(text, "quiet  (+3.3%)  (not significant)\n"));
	assert_non_null(strstr(text, "up  (+40.0%)\n"));
	assert_non_null(strstr(text, "constant  (+0.0%)  (not significant)\n"));
	assert_non_null(strstr(text, "1 of 3 values have changed significantly"));
	free(text);
}

/*
 * In each of the two sets there is only one value. A difference of single values cannot be tested
 * for significance.
 */
TEST(a_change_of_single_values_is_not_tested)
{
	static const double before = 10, after = 12;
	struct bpmu_sums a = { }, b = { };
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	add(&a, "once", &before, 1);
	add(&b, "once", &after, 1);
	assert_int_equal(bpmu_diff_print(out, BPMU_TEXT, ",", &a, &b, &err), 0);
	fclose(out);
	assert_non_null(strstr(text, " 2 +- ?             once  (+20.0%)  (not tested: too few intervals)\n"));
	assert_non_null(strstr(text, "\n\n  No significant change (1 values"));
	bpmu_sums_free(&a);
	bpmu_sums_free(&b);
	free(text);
}

/*
 * Expected values, from tables of Student's distribution. p is the two-sided probability of a value
 * t, for a number of degrees of freedom.
 */
TEST(p_agrees_with_tables_of_student_s_distribution)
{
	static const struct {
		double t, freedom, p;
	} rows[] = {
		{ 12.706, 1, 0.05 }, { 31.599, 2, 0.001 }, { 2.776, 4, 0.05 },
		{ 4.604, 4, 0.01 }, { 0.741, 4, 0.5 }, { 2.228, 10, 0.05 },
		{ 4.587, 10, 0.001 }, { 2.042, 30, 0.05 }, { 1.962, 1000, 0.05 },
		{ 3.300, 1000, 0.001 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_float_equal(bpmu_student_p(rows[i].t, rows[i].freedom) /
				   rows[i].p, 1, 0.004);
		assert_float_equal(bpmu_student_p(-rows[i].t, rows[i].freedom) /
				   rows[i].p, 1, 0.004);
	}
	assert_float_equal(bpmu_student_p(0, 5), 1, 0.000000001);
	assert_true(bpmu_student_p(1e6, 50) * 1e50 < 1);
}

static double normal(u64 *state)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++) {
		*state = *state * 6364136223846793005ULL +
			 1442695040888963407ULL;
		sum += (*state >> 11) / (double)(1ULL << 53);
	}
	return sum - 6;
}

/*
 * Compares two sets of 32 runs. The results of a run are @nr random values. Value 0 has a mean in
 * one of the sets that differs by @shift from its mean in the other; the other values have the same
 * mean in both sets. Returns the number of values for which the difference is found to be
 * significant.
 */
static unsigned int named(unsigned int nr, double shift, u64 *random)
{
	struct bpmu_change *change = calloc(nr, sizeof(*change));
	struct bpmu_sums a = { }, b = { };
	unsigned int i, found = 0;
	char name[16];
	int k;

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%u", i);
		for (k = 0; k < 32; k++) {
			bpmu_sums_add(&a, "0", name, "", false, normal(random), 0);
			bpmu_sums_add(&b, "0", name, "", false,
				      normal(random) + (i ? 0 : shift), 0);
		}
	}
	for (i = 0; i < nr; i++)
		bpmu_diff_change(&change[i], &a.sum[i], &b.sum[i]);
	bpmu_diff_judge(change, nr);
	for (i = 0; i < nr; i++)
		found += change[i].significant;
	bpmu_sums_free(&a);
	bpmu_sums_free(&b);
	free(change);
	return found;
}

/*
 * The two sets of runs do not differ. Without a correction for multiple tests, each comparison
 * would find about five of the 100 values to differ.
 */
TEST(many_values_are_corrected_for_multiple_tests)
{
	u64 random = 1;
	unsigned int calls, wrong = 0;

	for (calls = 0; calls < 100; calls++)
		wrong += named(100, 0, &random) > 0;
	/*
	 * In about 5 of the 100 comparisons some value is found to differ by chance. The
	 * probability that this happens in more than 13 comparisons is 1 / 2,000.
	 */
	assert_in_range(wrong, 0, 13);
	for (calls = 0; calls < 20; calls++)
		assert_in_range(named(100, 3, &random), 1, 2);
}

/* If the value of one of the runs has a flag, the mean has that flag. */
TEST(flags_of_values_are_flags_of_the_mean)
{
	struct bpmu_sums a = { }, b = { };
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_sums_add(&a, "0", "n", "events", false, 1, 0);
	bpmu_sums_add(&a, "0", "n", "events", false, 2, 0);
	bpmu_sums_add(&b, "0", "n", "events", false, 8, BPMU_VALUE_DISTURBED |
		      BPMU_VALUE_UNSURE);
	bpmu_sums_add(&b, "0", "n", "events", false, 8, 0);
	bpmu_flaws_note(&b.flaws, BPMU_SAMPLE_DISTURBED, 0, 1, 2);
	bpmu_sums_print(out, BPMU_CSV, ",", &b);
	bpmu_sums_print(out, BPMU_JSON, ",", &b);
	bpmu_sums_print(out, BPMU_TEXT, ",", &b);
	assert_int_equal(bpmu_diff_print(out, BPMU_CSV, ",", &a, &b, &err), 0);
	assert_int_equal(bpmu_diff_print(out, BPMU_JSON, ",", &a, &b, &err), 0);
	assert_int_equal(bpmu_diff_print(out, BPMU_TEXT, ",", &b, &a, &err), 0);
	fclose(out);
	assert_non_null(strstr(text, "\n0,n,8,events,0,2,disturbed\n"));
	assert_non_null(strstr(text, "\"runs\":2,\"flags\":[\"disturbed\"]}\n"));
	assert_non_null(strstr(text, "  mean  +-     %  name  unit\n"
			       "     8   0  0.00  n     events  (disturbed)\n"));
	assert_non_null(strstr(text, "  disturbed: another agent wrote counter registers of CPU 0 between"));
	assert_non_null(strstr(text, ",events,disturbed,significant\n"));
	assert_non_null(strstr(text, "\"flags\":[\"disturbed\"],\"significant\":true}\n"));
	assert_non_null(strstr(text, "  before: disturbed: another agent"));
	assert_null(strstr(text, "after: disturbed"));
	free(text);
	bpmu_sums_free(&a);
	bpmu_sums_free(&b);
}

/*
 * "report --diff" divides both files into intervals of equal length. The length is a multiple of
 * the sampling interval, and short enough that even the shorter file has many intervals.
 */
TEST(intervals_of_diff_have_whole_samples)
{
	static const double seconds[] = { 3.3, 10 }, brief[] = { 0.1, 0.1 };

	assert_float_equal(bpmu_diff_interval_us(seconds, 10000000), 100000,
			   0);
	assert_float_equal(bpmu_diff_interval_us(brief, 10000000), 10000, 0);
}
