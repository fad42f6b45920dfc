// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of CSV: fields that are written as RFC 4180 says are read back unchanged, even with quotes,
 * commas and line ends in them.
 */

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "unit.h"

#define MOST 4

static struct bpmu_csv open_text(const char *text)
{
	struct bpmu_csv csv = { };

	csv.file = fmemopen((void *)text, strlen(text), "r");
	assert_non_null(csv.file);
	return csv;
}

static void close_text(struct bpmu_csv *csv)
{
	fclose(csv->file);
	free(csv->line);
}

TEST(splits_lines)
{
	struct bpmu_csv csv = open_text("\357\273\277a,b\r\n\n\357\273\277c");

	assert_true(bpmu_csv_next(&csv));
	assert_string_equal(csv.line, "a,b");
	assert_int_equal(csv.len, 3);
	assert_int_equal(csv.nr, 1);
	assert_true(bpmu_csv_next(&csv));
	assert_int_equal(csv.len, 0);
	/* A byte order mark that does not stand at the start of the file is part of the text. */
	assert_true(bpmu_csv_next(&csv));
	assert_string_equal(csv.line, "\357\273\277c");
	assert_int_equal(csv.nr, 3);
	assert_false(bpmu_csv_next(&csv));
	close_text(&csv);
}

/*
 * The first text has a line of the largest allowed length, and a short line. The second text has a
 * single line, which is too long.
 */
TEST(refuses_a_line_without_an_end)
{
	size_t size = BPMU_CSV_LINE_MAX + 2;
	char *text = malloc(size);
	struct bpmu_csv csv;

	assert_non_null(text);
	memset(text, 'a', size);
	text[BPMU_CSV_LINE_MAX - 1] = '\n';
	text[size - 1] = '\0';
	csv = open_text(text);
	assert_true(bpmu_csv_next(&csv));
	assert_int_equal(csv.len, BPMU_CSV_LINE_MAX - 1);
	assert_true(bpmu_csv_next(&csv));
	assert_false(csv.too_long);
	close_text(&csv);
	text[BPMU_CSV_LINE_MAX - 1] = 'a';
	csv = open_text(text);
	assert_false(bpmu_csv_next(&csv));
	assert_true(csv.too_long);
	close_text(&csv);
	free(text);
}

static void fields(const char *text, char separator, bpmu_csv_skip_fn *skip,
		   unsigned int nr, const char *const expected[])
{
	struct bpmu_csv_field field[MOST];
	char *line = strdup(text);
	unsigned int i;

	assert_int_equal(bpmu_csv_split(line, separator, skip, field, MOST), nr);
	for (i = 0; i < nr; i++)
		assert_string_equal(field[i].text, expected[i]);
	free(line);
}

#define FIELDS(text, separator, skip, ...) do { \
	const char *const list[] = { __VA_ARGS__ }; \
	fields(text, separator, skip, sizeof(list) / sizeof(*list), list); \
} while (0)

static char *behind_slash(char *field)
{
	char *slash = strrchr(field, '/');

	return slash ? slash + 1 : field;
}

TEST(splits_fields)
{
	struct bpmu_csv_field field[MOST];
	char line[] = "a,  \"b\",c";

	FIELDS("a,b", ',', NULL, "a", "b");
	FIELDS("", ',', NULL, "");
	FIELDS("a,,", ',', NULL, "a", "", "");
	FIELDS("a;b,c", ';', NULL, "a", "b,c");
	FIELDS("\"a,b\",\"say \"\"c\"\"\",d", ',', NULL, "a,b", "say \"c\"", "d");
	FIELDS("\"open", ',', NULL, "open");
	FIELDS("1,2,3,4,5", ',', NULL, "1", "2", "3", "4");
	FIELDS("cpu/a,b/,c", ',', behind_slash, "cpu/a,b/", "c");
	assert_int_equal(bpmu_csv_split(line, ',', NULL, field, MOST), 3);
	assert_int_equal(field[0].column, 1);
	assert_int_equal(field[1].column, 5);
	assert_int_equal(field[2].column, 9);
}
