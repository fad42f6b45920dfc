// SPDX-License-Identifier: GPL-2.0
/* Tests of CSV and JSON: each field of a line has the form of its type. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "unit.h"

/* Time stamp of the output lines in this test: 1.001 s after the epoch, which is 2 s after boot. */
static const struct bpmu_stamp stamp = { 1001000000, 2000000000 };

static const struct bpmu_field when[] = {
	{ "time", .form = BPMU_FIELD_WHOLE, .whole = 7 },
	{ "where", "x;y", BPMU_FIELD_TEXT },
};

static const struct bpmu_field inner[] = {
	{ "a,b", .form = BPMU_FIELD_WHOLE, .whole = 1 },
	{ "more", "o", BPMU_FIELD_TEXT },
	{ "not", "n", BPMU_FIELD_TEXT, .absent = true },
};

static const struct bpmu_field elements[] = {
	{ .form = BPMU_FIELD_WHOLE, .whole = 7 },
	{ .text = "e", .form = BPMU_FIELD_TEXT },
};

static const struct bpmu_field fields[] = {
	{ "name", "a\"b,c", BPMU_FIELD_TEXT },
	{ "empty", NULL, BPMU_FIELD_TEXT },
	{ "none", "", BPMU_FIELD_OPTIONAL },
	{ "some", "x", BPMU_FIELD_OPTIONAL },
	{ "level", "3", BPMU_FIELD_DIGITS },
	{ "without", "", BPMU_FIELD_DIGITS },
	{ "words", "a, b\"c  d", BPMU_FIELD_WORDS },
	{ "no_words", NULL, BPMU_FIELD_WORDS },
	{ "events", "A.B cpu/event=0x9c,umask=1/u", BPMU_FIELD_EVENTS },
	{ "whole", .form = BPMU_FIELD_WHOLE, .whole = 18446744073709551615ULL, .cell = "most" },
	{ "real", .form = BPMU_FIELD_REAL, .number = 1.0 / 3, .digits = 4 },
	{ "endless", .form = BPMU_FIELD_REAL, .number = INFINITY, .digits = 4 },
	{ "fixed", .form = BPMU_FIELD_FIXED, .number = -2.0625, .digits = 3 },
	{ "unknown", .form = BPMU_FIELD_FIXED, .number = NAN },
	{ "found", .form = BPMU_FIELD_TRUTH, .whole = 1 },
	{ "lost", .form = BPMU_FIELD_TRUTH },
	{ "over", .form = BPMU_FIELD_FLAG, .whole = 2 },
	{ "under", .form = BPMU_FIELD_FLAG },
	{ "number", .form = BPMU_FIELD_NUMBER, .number = 0.5 },
	{ "no_number", .form = BPMU_FIELD_NUMBER, .number = NAN },
	{ "wall", .form = BPMU_FIELD_STAMP, .stamp = &stamp },
	{ "type", "c", BPMU_FIELD_TYPE },
	{ "hex", .form = BPMU_FIELD_HEX, .whole = 0xfffffffffffffffeULL },
	{ "absent", "x", BPMU_FIELD_TEXT, .absent = true },
	{ "remark", "r", BPMU_FIELD_CELL },
	{ "instead", "inf", BPMU_FIELD_NUMBER, .number = INFINITY },
	{ "object", .form = BPMU_FIELD_OBJECT,
	  .of = { inner, ARRAY_SIZE(inner) } },
	{ "list", .form = BPMU_FIELD_LIST,
	  .of = { elements, ARRAY_SIZE(elements) } },
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
	"{\"schema\":3,\"type\":\"thing\",\"name\":\"a\\\"b,c\",\"empty\":\"\",\"none\":null,\"some\":\"x\",\"level\":3,\"without\":null," \
	"\"words\":[\"a\",\"b\\\"c\",\"d\"],\"no_words\":[],\"events\":[\"A.B\",\"cpu/event=0x9c,umask=1/u\"],\"whole\":18446744073709551615,\"real\":0.3333,\"endless\":null," \
	"\"fixed\":-2.062,\"unknown\":null,\"found\":true,\"lost\":false,\"over\":true,\"under\":false," \
	"\"number\":0.500000,\"no_number\":null,\"wall\":\"1970-01-01T00:00:01.001000Z\",\"monotonic\":2.000000000," \
	"\"hex\":\"0xfffffffffffffffe\",\"instead\":null," \
	"\"object\":{\"a,b\":1,\"more\":\"o\"},\"list\":[7,\"e\"]}\n"

TEST(writes_json)
{
	check(BPMU_JSON, NULL, 0, "");
	check(BPMU_JSON, NULL, 2, OBJECT OBJECT);
}

/*
 * Expected heading of the CSV table, with the separator @s. @name: name of a field that contains a
 * comma, quoted if the separator is a comma.
 */
#define HEAD(s, name) \
	"name" s "empty" s "none" s "some" s "level" s "without" s "words" s \
	"no_words" s "events" s "whole" s "real" s "endless" s "fixed" s "unknown" s \
	"found" s "lost" s "over" s "under" s "number" s "no_number" s \
	"type" s "hex" s "absent" s "instead" s name s "more" s "not\n"
#define ROW(s, words, events) \
	"\"a\"\"b,c\"" s s s "x" s "3" s s words s s events s "18446744073709551615" s \
	"0.3333" s s "-2.062" s s "found" s s "1" s "0" s "0.500000" s s "c" s \
	"0xfffffffffffffffe" s s "inf" s "1" s "o" s "\n"

TEST(writes_csv)
{
	check(BPMU_CSV, ",", 0, HEAD(",", "\"a,b\""));
	check(BPMU_CSV, ",", 2, HEAD(",", "\"a,b\"") ROW(",", "\"a, b\"\"c  d\"", "\"A.B cpu/event=0x9c,umask=1/u\"")
				ROW(",", "\"a, b\"\"c  d\"", "\"A.B cpu/event=0x9c,umask=1/u\""));
	check(BPMU_CSV, "\t", 1, HEAD("\t", "a,b") ROW("\t", "\"a, b\"\"c  d\"", "A.B cpu/event=0x9c,umask=1/u"));
}

/*
 * The fields that are common to all lines of a table, such as the time, come before those of each
 * line.
 */
TEST(common_fields_precede_those_of_each_row)
{
	static const struct bpmu_field field = { "name", "n", BPMU_FIELD_TEXT };
	struct bpmu_table table = {
		.format = BPMU_CSV, .separator = ";", .type = "thing",
		.when = { when, ARRAY_SIZE(when) },
	};
	char *text = NULL;
	size_t size;

	table.out = open_memstream(&text, &size);
	bpmu_table_row(&table, &field, 1);
	table.format = BPMU_JSON;
	bpmu_table_row(&table, &field, 1);
	fclose(table.out);
	assert_string_equal(text, "time;where;name\n7;\"x;y\";n\n"
			    "{\"schema\":3,\"type\":\"thing\",\"time\":7,\"where\":\"x;y\",\"name\":\"n\"}\n");
	free(text);
}

/*
 * Text has the fields that its columns name, in the order of the columns. A column may also name a
 * field that is common to all rows. Each field has the width and format of its column.
 */
TEST(writes_columns_of_text)
{
	static const struct bpmu_column columns[] = {
		{ "level", 4, .before = "  ", .head = "lvl" },
		{ "name", -7, .before = " ", .head = "name" },
		{ "fixed", 6, .before = " ", BPMU_COLUMN_FIXED(1), .after = " %", .head = "share" },
		{ "remark", .before = "; ", .head = "rest" },
		{ "real", 6, .before = " ", BPMU_COLUMN_FIXED(2), .sign = true },
		{ "number", -10, .before = " ", BPMU_COLUMN_FIXED(1), .to = "real" },
		{ "unknown", 4, .before = " ", .none = "-" },
		{ "none", 3, .before = "<", .after = ">" },
		{ "none", .before = "(", .after = ")" },
		{ "absent", 2, .before = " " },
		{ "found", .before = " " },
		{ "over", 2 },
		{ "nowhere", 9 },
		{ "whole", 6 },
		{ "time", 2 },
	};
	struct bpmu_table table = {
		.format = BPMU_TEXT, .when = { when, ARRAY_SIZE(when) },
		.text = { columns, 4 },
	};
	char *text = NULL;
	size_t size;

	table.out = open_memstream(&text, &size);
	bpmu_table_head(&table, fields, ARRAY_SIZE(fields));
	table.text = (struct bpmu_columns)BPMU_COLUMNS(columns);
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	table.text.nr = 0;
	table.headed = false;
	bpmu_table_head(&table, fields, ARRAY_SIZE(fields));
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	fclose(table.out);
	assert_string_equal(text, "   lvl name       share  rest\n"
			    "     3 a\"b,c     -2.1 %; r  +0.33 [0.5, 0.3]    -         found 1  most 7\n");
	free(text);
}

/* The members of this JSON object are not known in advance: each is appended when it is known. */
TEST(writes_members_one_by_one)
{
	struct bpmu_table table = { .format = BPMU_JSON };
	struct bpmu_object object;
	char *text = NULL;
	size_t size;

	table.out = open_memstream(&text, &size);
	object = bpmu_table_open(&table, when, 1);
	bpmu_object_open(&object, "lists", '[');
	bpmu_object_open(&object, NULL, '[');
	bpmu_object_close(&object, ']');
	bpmu_object_open(&object, NULL, '[');
	bpmu_object_put(&object, elements, ARRAY_SIZE(elements));
	bpmu_object_close(&object, ']');
	bpmu_object_close(&object, ']');
	bpmu_object_open(&object, "in\"ner", '{');
	bpmu_object_put(&object, when, ARRAY_SIZE(when));
	bpmu_object_close(&object, '}');
	bpmu_table_close(&object);
	fclose(table.out);
	assert_string_equal(text,
			    "{\"schema\":3,\"time\":7,\"lists\":[[],[7,\"e\"]],\"in\\\"ner\":{\"time\":7,\"where\":\"x;y\"}}\n");
	free(text);
}
