// SPDX-License-Identifier: GPL-2.0
#include "line.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "decimal.h"
#include "plain.h"
#include "print.h"

/**
 * bpmu_line_begin() - begin a line of output in memory
 * @line: set to an empty line
 */
void bpmu_line_begin(struct bpmu_line *line, FILE *out)
{
	line->out = out;
	line->nr = 0;
	line->writes = 0;
}

/**
 * bpmu_line_write() - write a line of output that was put together in memory
 * @line: the line; empty on return
 */
void bpmu_line_write(struct bpmu_line *line)
{
	/* A line to which nothing is written may have no output. */
	if (line->nr)
		fwrite_unlocked(line->text, 1, line->nr, line->out);
	line->nr = 0;
	line->writes++;
}

/**
 * bpmu_line_long() - append bytes to a line whose memory has no room for them
 * @line: the line; its bytes are written to the output whenever its memory is full
 * @bytes: [@nr], bytes to append
 * @nr: number of @bytes
 */
void bpmu_line_long(struct bpmu_line *line, const char *bytes, size_t nr)
{
	size_t some;

	for (; nr; bytes += some, nr -= some) {
		some = nr < BPMU_LINE ? nr : BPMU_LINE;
		memcpy(bpmu_line_room(line, some), bytes, some);
		line->nr += some;
	}
}

/**
 * bpmu_line_fixed() - append a number with a fixed number of decimals to a line
 * @number: any number
 * @decimals: number of decimals, at most %BPMU_DECIMAL_MOST
 */
void bpmu_line_fixed(struct bpmu_line *line, double number, unsigned int decimals)
{
	char *text = bpmu_line_room(line, BPMU_DECIMAL_TEXT);

	line->nr += bpmu_decimal_fixed(text, number, decimals);
}

/**
 * bpmu_line_number() - append a number for people to a line, with digits in groups of three
 * @width: width of the column in which the number is aligned to the right
 */
void bpmu_line_number(struct bpmu_line *line, long long number, size_t width)
{
	char text[BPMU_PRINT_NUMBER + BPMU_LINE_PAD];
	const char *end = text + BPMU_PRINT_NUMBER - 1;
	size_t nr;

	memset(text, ' ', BPMU_PRINT_NUMBER);
	nr = end - bpmu_print_number(text, number);
	if (width >= BPMU_PRINT_NUMBER) {
		bpmu_line_blanks(line, width - (BPMU_PRINT_NUMBER - 1), 0);
		width = BPMU_PRINT_NUMBER - 1;
	}
	/* The blanks before the digits in @text are copied with the digits. */
	nr = nr > width ? nr : width;
	bpmu_line_copy(bpmu_line_room(line, nr), end - nr, nr);
	line->nr += nr;
}

/**
 * bpmu_line_printf() - append a text to a line as printf() does; slow, only for rare or long texts
 * @line: the line; its bytes in memory are written to the output first
 * @fmt: format of printf()
 */
void bpmu_line_printf(struct bpmu_line *line, const char *fmt, ...)
{
	va_list args;

	bpmu_line_write(line);
	va_start(args, fmt);
	vfprintf(line->out, fmt, args);
	va_end(args);
}

/**
 * bpmu_line_take() - move a line's bytes in memory to a text instead of writing them to the output
 * @line: the line, with less than @size bytes in memory; empty on return
 * @text: set to the line's bytes and a zero byte
 * @size: size of @text in bytes
 */
void bpmu_line_take(struct bpmu_line *line, char *text, size_t size)
{
	size_t nr = line->nr < size ? line->nr : size - 1;

	memcpy(text, line->text, nr);
	text[nr] = '\0';
	line->nr = 0;
}

static bool stands_for_itself(unsigned char c, bool utf8)
{
	return c >= 0x20 && c != '"' && c != '\\' && (c < 0x80 || utf8);
}

static void put_escape(struct bpmu_line *line, unsigned char c)
{
	static const char digit[] = "0123456789abcdef";

	if (c >= 0x80) {
		bpmu_line_text(line, "\\ufffd");
	} else if (c < 0x20) {
		bpmu_line_text(line, "\\u00");
		bpmu_line_char(line, digit[c >> 4]);
		bpmu_line_char(line, digit[c & 15]);
	} else {
		bpmu_line_char(line, '\\');
		bpmu_line_char(line, c);
	}
}

/**
 * bpmu_line_json() - append a text to a line as a JSON string
 * @text: [@size], text. Its quotes, backslashes and control characters are escaped. If the text is
 *	not valid UTF-8, all bytes above 0x7f become replacement characters
 * @size: number of bytes of @text
 */
void bpmu_line_json(struct bpmu_line *line, const char *text, size_t size)
{
	const char *end = text + size;
	bool utf8 = false;
	size_t len;

	for (len = 0; len < size && (unsigned char)text[len] < 0x80; len++)
		;
	if (len < size)
		utf8 = bpmu_utf8_is(text, size);
	bpmu_line_char(line, '"');
	while (text < end) {
		for (len = 0; text + len < end && stands_for_itself(text[len], utf8); len++)
			;
		bpmu_line_put(line, text, len);
		text += len;
		if (text < end)
			put_escape(line, *text++);
	}
	bpmu_line_char(line, '"');
}

/**
 * bpmu_line_csv() - append a text to an output line, quoted for CSV if necessary
 * @text: text of the field
 * @separator: separator of fields
 */
void bpmu_line_csv(struct bpmu_line *line, const char *text, const char *separator)
{
	const char *at;

	for (at = text; *at && *at != '"' && *at != '\r' && *at != '\n'; at++)
		if (*at == *separator && !strncmp(at, separator, strlen(separator)))
			break;
	if (!*at) {
		bpmu_line_put(line, text, at - text);
		return;
	}
	bpmu_line_char(line, '"');
	for (; *text; text++) {
		if (*text == '"')
			bpmu_line_char(line, '"');
		bpmu_line_char(line, *text);
	}
	bpmu_line_char(line, '"');
}

static struct bpmu_stamp stamp_now(void)
{
	struct timespec wall, mono;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	return (struct bpmu_stamp){
		.wall_ns = wall.tv_sec * BPMU_NS_PER_S + wall.tv_nsec,
		.monotonic_ns = mono.tv_sec * BPMU_NS_PER_S + mono.tv_nsec,
	};
}

/* Appends an integer, with leading zeros up to @digits digits. */
static void put_whole(struct bpmu_line *line, unsigned int number, int digits)
{
	char text[BPMU_DECIMAL_TEXT];
	size_t nr = bpmu_decimal_whole(text, number);

	for (; digits > (int)nr; digits--)
		bpmu_line_char(line, '0');
	bpmu_line_put(line, text, nr);
}

/* Appends date and time as strftime() would, but faster: most of a line's time would go there. */
static void put_date(struct bpmu_line *line, time_t seconds)
{
	struct tm tm;

	gmtime_r(&seconds, &tm);
	put_whole(line, tm.tm_year + 1900, 4);
	bpmu_line_char(line, '-');
	put_whole(line, tm.tm_mon + 1, 2);
	bpmu_line_char(line, '-');
	put_whole(line, tm.tm_mday, 2);
	bpmu_line_char(line, 'T');
	put_whole(line, tm.tm_hour, 2);
	bpmu_line_char(line, ':');
	put_whole(line, tm.tm_min, 2);
	bpmu_line_char(line, ':');
	put_whole(line, tm.tm_sec, 2);
}

/*
 * Appends a decimal point and the first @digits decimals of a time of @ns nanoseconds, below 1 s.
 */
static void put_decimals(struct bpmu_line *line, long long ns, unsigned int digits)
{
	char text[BPMU_DECIMAL_TEXT];

	/* Adding 1 s keeps the leading zeros of @ns; the digit 1 before them is left out below. */
	bpmu_decimal_whole(text, BPMU_NS_PER_S + ns);
	bpmu_line_char(line, '.');
	bpmu_line_put(line, text + 1, digits);
}

/**
 * bpmu_line_stamp() - append wall-clock and monotonic time to a line, as members of a JSON object
 * @stamp: the time; if its &bpmu_stamp.wall_ns is 0, the current time is appended
 */
void bpmu_line_stamp(struct bpmu_line *line, const struct bpmu_stamp *stamp)
{
	const struct bpmu_stamp at = stamp->wall_ns ? *stamp : stamp_now();
	char text[BPMU_DECIMAL_TEXT];
	long long ns = at.monotonic_ns;

	bpmu_line_text(line, "\"wall\":\"");
	put_date(line, at.wall_ns / BPMU_NS_PER_S);
	put_decimals(line, at.wall_ns % BPMU_NS_PER_S, 6);
	bpmu_line_text(line, "Z\",\"monotonic\":");
	if (ns < 0)
		bpmu_line_char(line, '-');
	bpmu_line_put(line, text, bpmu_decimal_whole(text, llabs(ns) / BPMU_NS_PER_S));
	put_decimals(line, llabs(ns) % BPMU_NS_PER_S, 9);
}
