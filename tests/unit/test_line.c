// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of output lines of CSV and JSON: numbers, times and strings are valid, on lines of any
 * length.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/line.h"
#include "unit.h"

/* An output line of the tool, and the stream to which it is written. */
struct output {
	struct bpmu_line line;
	char *text;
	size_t size;
};

static void begin(struct output *output)
{
	bpmu_line_begin(&output->line, open_memstream(&output->text, &output->size));
	assert_non_null(output->line.out);
}

static void ends_as(struct output *output, const char *want)
{
	bpmu_line_write(&output->line);
	fclose(output->line.out);
	assert_string_equal(output->text, want);
	free(output->text);
}

static void stamp_is(long long wall_ns, long long monotonic_ns, const char *want)
{
	const struct bpmu_stamp stamp = { wall_ns, monotonic_ns };
	struct output output;

	begin(&output);
	bpmu_line_stamp(&output.line, &stamp);
	ends_as(&output, want);
}

/*
 * Monotonic times are seconds since boot. A sample's time can be computed to be before boot; it is
 * then printed as a negative number.
 */
TEST(prints_times_before_the_reference_clock)
{
	stamp_is(1700000000123456789, 12345678901,
		 "\"wall\":\"2023-11-14T22:13:20.123456Z\",\"monotonic\":12.345678901");
	stamp_is(1700000000000000999, -250000000,
		 "\"wall\":\"2023-11-14T22:13:20.000000Z\",\"monotonic\":-0.250000000");
	stamp_is(1700000000999999999, -1500000000,
		 "\"wall\":\"2023-11-14T22:13:20.999999Z\",\"monotonic\":-1.500000000");
	stamp_is(1709208123000000000, 7,
		 "\"wall\":\"2024-02-29T12:02:03.000000Z\",\"monotonic\":0.000000007");
}

static void json_is(const char *text, size_t size, const char *want)
{
	struct output output;

	begin(&output);
	bpmu_line_json(&output.line, text, size);
	ends_as(&output, want);
}

/* JSON strings are those of RFC 8259. A byte is replaced only if it is no valid UTF-8. */
TEST(json_strings_are_valid)
{
	json_is("abc", 2, "\"ab\"");
	json_is("", 0, "\"\"");
	json_is("a\"b\\", 4, "\"a\\\"b\\\\\"");
	json_is("\n\x1f\x7f", 3, "\"\\u000a\\u001f\x7f\"");
	json_is("h\xc3\xa9\"", 4, "\"h\xc3\xa9\\\"\"");
	json_is("\xff\xc3\xa9", 3, "\"\\ufffd\\ufffd\\ufffd\"");
	json_is("\x80\xff", 2, "\"\\ufffd\\ufffd\"");
	json_is("\xc3\xa9z\xff", 4, "\"\\ufffd\\ufffdz\\ufffd\"");
}

static void csv_is(const char *text, const char *separator, const char *want)
{
	struct output output;

	begin(&output);
	bpmu_line_csv(&output.line, text, separator);
	ends_as(&output, want);
}

/* CSV fields are quoted as RFC 4180 says, with any separator. */
TEST(csv_fields_are_quoted_where_necessary)
{
	csv_is("", ",", "");
	csv_is("plain text", ",", "plain text");
	csv_is("a,b", ",", "\"a,b\"");
	csv_is("a,b", ";", "a,b");
	csv_is("a:b", "::", "a:b");
	csv_is("a::b", "::", "\"a::b\"");
	csv_is("a\"b", ",", "\"a\"\"b\"");
	csv_is("a\nb", ",", "\"a\nb\"");
	csv_is("a\rb", ",", "\"a\rb\"");
}

/* A line that is longer than its buffer is written in pieces, whichever byte fills the buffer. */
TEST(a_line_may_be_longer_than_its_memory)
{
	char text[3 * BPMU_LINE + 1], *want;
	struct output output;
	size_t first, i;

	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = 'a' + i % 26;
	text[i] = '\0';
	for (first = BPMU_LINE - 2; first <= BPMU_LINE + 1; first++) {
		begin(&output);
		bpmu_line_put(&output.line, text, first);
		bpmu_line_char(&output.line, '-');
		bpmu_line_text(&output.line, text);
		assert_true(asprintf(&want, "%.*s-%s", (int)first, text, text) > 0);
		ends_as(&output, want);
		free(want);
	}
}

static void number_is(long long number, size_t width, const char *want)
{
	struct output output;

	begin(&output);
	bpmu_line_number(&output.line, number, width);
	ends_as(&output, want);
}

/*
 * Blanks and pieces (short texts that are kept for further lines) are copied 32 bytes at a time,
 * but the line gets longer only by the number of bytes that the blanks or the piece have.
 */
TEST(numbers_blanks_and_pieces_are_as_long_as_they_say)
{
	struct bpmu_piece piece;
	struct output output;
	char want[2 * BPMU_PIECE + 1];
	size_t nr;

	number_is(0, 5, "    0");
	number_is(-1234567, 0, "-1,234,567");
	number_is(1001000, 40, "                               1,001,000");
	number_is(999, 2, "999");
	for (nr = 0; nr <= BPMU_PIECE; nr++) {
		begin(&output);
		bpmu_line_blanks(&output.line, nr, 0);
		piece.nr = nr;
		memset(piece.text, 'x', sizeof(piece.text));
		bpmu_line_piece(&output.line, &piece);
		memset(want, ' ', nr);
		memset(want + nr, 'x', nr);
		want[2 * nr] = '\0';
		ends_as(&output, want);
	}
}

/*
 * If a caller needs more room in the buffer than there is, the contents of the buffer are written
 * first.
 */
TEST(a_line_makes_room)
{
	char text[BPMU_LINE + 1], *want;
	struct output output;
	size_t first;

	memset(text, 'x', BPMU_LINE);
	text[BPMU_LINE] = '\0';
	for (first = BPMU_LINE - 9; first <= BPMU_LINE; first++) {
		begin(&output);
		bpmu_line_put(&output.line, text, first);
		memcpy(bpmu_line_room(&output.line, 8), "12345678", 8);
		output.line.nr += 8;
		assert_true(output.line.nr <= BPMU_LINE);
		assert_true(asprintf(&want, "%.*s12345678", (int)first, text) > 0);
		ends_as(&output, want);
		free(want);
	}
}

/* Some callers have lines to which they write nothing. */
TEST(an_empty_line_needs_no_output)
{
	struct bpmu_line line;

	bpmu_line_begin(&line, NULL);
	bpmu_line_write(&line);
	assert_int_equal(line.nr, 0);
}
