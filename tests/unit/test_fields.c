// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of each form of field, as CSV and as JSON.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "unit.h"

static const struct bpmu_field fields[] = {
	{ "name", "a\"b,c", BPMU_FIELD_TEXT },
	{ "empty", NULL, BPMU_FIELD_TEXT },
	{ "none", "", BPMU_FIELD_OPTIONAL },
	{ "some", "x", BPMU_FIELD_OPTIONAL },
	{ "level", "3", BPMU_FIELD_DIGITS },
	{ "without", "", BPMU_FIELD_DIGITS },
	{ "words", "a, b\"c  d", BPMU_FIELD_WORDS },
	{ "no_words", NULL, BPMU_FIELD_WORDS },
	{ "whole", .form = BPMU_FIELD_WHOLE, .whole = 18446744073709551615ULL },
	{ "real", .form = BPMU_FIELD_REAL, .number = 1.0 / 3, .digits = 4 },
	{ "endless", .form = BPMU_FIELD_REAL, .number = INFINITY, .digits = 4 },
	{ "fixed", .form = BPMU_FIELD_FIXED, .number = -2.0625, .digits = 3 },
	{ "unknown", .form = BPMU_FIELD_FIXED, .number = NAN },
	{ "found", .form = BPMU_FIELD_TRUTH, .whole = 1 },
	{ "lost", .form = BPMU_FIELD_TRUTH },
	{ "member", "m", BPMU_FIELD_TEXT, .only = BPMU_JSON },
	{ "column", "c", BPMU_FIELD_TEXT, .only = BPMU_CSV },
};

static void check(enum bpmu_format format, const char *separator, int rows,
		  const char *want)
{
	struct bpmu_table table = {
		.format = format, .separator = separator, .type = "thing",
	};
	char *text = NULL;
	size_t size;

	table.out = open_memstream(&text, &size);
	if (!rows)
		bpmu_table_head(&table, fields, ARRAY_SIZE(fields));
	for (; rows; rows--)
		bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	fclose(table.out);
	assert_string_equal(text, want);
	free(text);
}

#define OBJECT \
	"{\"schema\":1,\"type\":\"thing\",\"name\":\"a\\\"b,c\",\"empty\":\"\",\"none\":null,\"some\":\"x\",\"level\":3,\"without\":null," \
	"\"words\":[\"a\",\"b\\\"c\",\"d\"],\"no_words\":[],\"whole\":18446744073709551615,\"real\":0.3333,\"endless\":null," \
	"\"fixed\":-2.062,\"unknown\":null,\"found\":true,\"lost\":false,\"member\":\"m\"}\n"

static void test_json(void **state)
{
	(void)state;
	check(BPMU_JSON, NULL, 0, "");
	check(BPMU_JSON, NULL, 2, OBJECT OBJECT);
}

#define HEAD(s) \
	"name" s "empty" s "none" s "some" s "level" s "without" s "words" s \
	"no_words" s "whole" s "real" s "endless" s "fixed" s "unknown" s \
	"found" s "lost" s "column\n"
#define ROW(s, words) \
	"\"a\"\"b,c\"" s s s "x" s "3" s s words s s "18446744073709551615" s \
	"0.3333" s s "-2.062" s s "found" s s "c\n"

static void test_csv(void **state)
{
	(void)state;
	check(BPMU_CSV, ",", 0, HEAD(","));
	check(BPMU_CSV, ",", 2, HEAD(",") ROW(",", "\"a, b\"\"c  d\"")
				ROW(",", "\"a, b\"\"c  d\""));
	check(BPMU_CSV, "\t", 1, HEAD("\t") ROW("\t", "\"a, b\"\"c  d\""));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_csv),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
