// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of printing and parsing decimal numbers: the output is the same in every locale, and a
 * word in the tool's input is never taken for a number.
 */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "metric/value_flag.h"
#include "unit.h"

/*
 * Compares the text of a number with printf()'s text for "%.5e", which has 6 significant digits.
 * The text must not have zeros at its end after the sixth decimal place.
 */
static void print_small(double number)
{
	char text[BPMU_DECIMAL_TEXT];
	char want[BPMU_DECIMAL_TEXT];
	const char *point;
	size_t len;

	len = bpmu_decimal_print(text, number);
	assert_int_equal(len, strlen(text));
	snprintf(want, sizeof(want), "%.5e", number);
	if (strtod(text, NULL) != strtod(want, NULL))
		fail_msg("%s, not %s", text, want);
	point = strchr(text, '.');
	if (fabs(number) < 0.000000001) {
		assert_string_equal(text, want);
		return;
	}
	assert_non_null(point);
	assert_null(strchr(text, 'e'));
	assert_true(strlen(point) >= 7);
	if (strlen(point) > 7)
		assert_int_not_equal(text[len - 1], '0');
}

static void print_one(double number)
{
	char text[BPMU_DECIMAL_TEXT];
	char want[BPMU_DECIMAL_TEXT];

	if (fabs(number) < 0.1 && number) {
		print_small(number);
		return;
	}
	snprintf(want, sizeof(want), "%.6f", number);
	assert_int_equal(bpmu_decimal_print(text, number), strlen(want));
	assert_string_equal(text, want);
}

TEST(prints_6_digits)
{
	static const double numbers[] = {
		0, -0.0, 1, -1, 0.1, 0.5, 0.0000005, 0.0000015, 0.0000025,
		0.9999995, 0.9999996, -0.0000001, 0.15, 0.275, 123456.789,
		999999.9999999, 1e6, 1e7, 1e15, -1e100, DBL_MAX, DBL_MIN,
		1.0 / 3, 10.0 / 11,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		print_one(numbers[i]);
	srand48(1);
	for (i = 0; i < 100000; i++)
		print_one(ldexp(drand48() - 0.5, i % 50 - 20));
}

static void fixed_one(double number)
{
	char text[BPMU_DECIMAL_TEXT];
	char want[BPMU_DECIMAL_TEXT];
	unsigned int decimals;

	for (decimals = 0; decimals <= BPMU_DECIMAL_MOST; decimals++) {
		snprintf(want, sizeof(want), "%.*f", decimals, number);
		assert_int_equal(bpmu_decimal_fixed(text, number, decimals), strlen(want));
		assert_string_equal(text, want);
	}
}

/*
 * printf() rounds exactly. The numbers include midpoints with any number of decimals, carries, and
 * all magnitudes.
 */
TEST(prints_fixed_decimals_as_printf)
{
	static const double numbers[] = {
		0, -0.0, 0.5, 1.5, 2.5, -0.5, 0.05, 0.25, 0.125, 2.0625, 9.5, 99.95,
		999999999.9999999, 0.9999999999, 0.000000000001, 123456.000000001, 1e13, 1e14, 1e15,
		9007199254740993.0, 4503599627370495.5, 18446744073709551615.0, -1e100,
		DBL_MAX, DBL_MIN, 1.0 / 3, 10.0 / 11,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		fixed_one(numbers[i]);
	srand48(2);
	for (i = 0; i < 50000; i++) {
		fixed_one(ldexp(drand48() - 0.5, i % 70 - 20));
		fixed_one(ldexp(lrand48() % 4096, i % 24 - 12));
		fixed_one((lrand48() % 2000001 - 1000000) / 1000.0 + 0.0005);
	}
}

TEST(prints_integers)
{
	char text[BPMU_DECIMAL_TEXT], want[24];
	unsigned long long power, number;
	int off;

	for (power = 1;; power *= 10) {
		for (off = -1; off <= 1; off++) {
			number = power + off;
			snprintf(want, sizeof(want), "%llu", number);
			assert_int_equal(bpmu_decimal_whole(text, number), strlen(want));
			assert_string_equal(text, want);
		}
		if (power > ~0ULL / 10)
			break;
	}
	assert_int_equal(bpmu_decimal_whole(text, ~0ULL), 20);
	assert_string_equal(text, "18446744073709551615");
}

/* Counts are written as printf() would, or not at all if they are not integers of few digits. */
TEST(writes_counts_of_few_digits)
{
	static const double counts[] = { 0, 7, 10, 9999, 10000, 123456, 99999999 };
	static const double others[] = { -0.0, -1, 0.5, 99999999.5, 1e8, 1e300, INFINITY, NAN };
	char text[BPMU_DECIMAL_FEW + 1], want[BPMU_DECIMAL_TEXT];
	unsigned int i;
	char *end;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		end = bpmu_decimal_count(text, counts[i]);
		assert_non_null(end);
		*end = '\0';
		snprintf(want, sizeof(want), "%.0f", counts[i]);
		assert_string_equal(text, want);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++)
		assert_null(bpmu_decimal_count(text, others[i]));
}

TEST(parses_decimal_numbers_only)
{
	static const char *const good[] = {
		"0", "1", "00012", "999999999999999", "9007199254740993",
		"18446744073709551615", "1.5", "-3", "1e6", "0.25", "+7",
	};
	static const char *const bad[] = {
		"", "x", "1x", "1 ", " 1", "0x10", "nan", "inf", "1e999", "--1",
		"1,5", "1.5.5",
	};
	double number;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_true(bpmu_decimal_parse(good[i], good[i] + strlen(good[i]),
					       &number));
		if (number != strtod(good[i], NULL))
			fail_msg("%s: %g", good[i], number);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (bpmu_decimal_parse(bad[i], bad[i] + strlen(bad[i]), &number))
			fail_msg("'%s' is taken for %g", bad[i], number);
}

static const char *word(unsigned int flag)
{
	static char text[BPMU_VALUE_FLAG_TEXT];

	bpmu_value_flags_text(flag, "", " ", "", text);
	return text;
}

TEST(flags_of_values_have_words)
{
	char text[BPMU_VALUE_FLAG_TEXT];

	assert_string_equal(word(BPMU_VALUE_BELOW_0), "below-0");
	assert_string_equal(word(BPMU_VALUE_MIXED), "mixed-groups");
	assert_string_equal(word(BPMU_VALUE_ERRATUM), "erratum");
	assert_string_equal(word(BPMU_VALUE_UNSURE), "unsure");
	assert_int_equal(bpmu_value_flags_text(0, "", " ", "", text), 0);
	assert_string_equal(text, "");
	bpmu_value_flags_text(BPMU_VALUE_ABOVE_1 | BPMU_VALUE_WRAPPED, "\"",
			      ",", "\"", text);
	assert_string_equal(text, "\"above-1\",\"wrapped\"");
	assert_true(bpmu_value_flags_text(~0U, "\"", ", ", "\"", text) <
		    sizeof(text));
}
