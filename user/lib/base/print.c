// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "plain.h"

static bool stands_for_itself(unsigned char c, bool utf8)
{
	return c >= 0x20 && c != '"' && c != '\\' && (c < 0x80 || utf8);
}

static void print_escape(FILE *out, unsigned char c)
{
	if (c >= 0x80)
		fputs("\\ufffd", out);
	else if (c < 0x20)
		fprintf(out, "\\u%04x", c);
	else
		fprintf(out, "\\%c", c);
}

/**
 * bpmu_print_json_part() - print a part of a text as a JSON string
 * @out: output
 * @text: [@size], text; quotes, backslashes and control characters are escaped; if it is not
 *	valid UTF-8, all bytes above 0x7f become replacement characters
 * @size: number of bytes
 */
void bpmu_print_json_part(FILE *out, const char *text, size_t size)
{
	bool utf8 = bpmu_utf8_is(text, size);
	const char *end = text + size;
	size_t len;

	fputc('"', out);
	while (text < end) {
		for (len = 0; text + len < end &&
		     stands_for_itself(text[len], utf8); len++)
			;
		fwrite(text, 1, len, out);
		text += len;
		if (text < end)
			print_escape(out, *text++);
	}
	fputc('"', out);
}

/**
 * bpmu_print_json() - print a text as a JSON string
 * @out: output
 * @text: text, see bpmu_print_json_part()
 */
void bpmu_print_json(FILE *out, const char *text)
{
	bpmu_print_json_part(out, text, strlen(text));
}

/**
 * bpmu_print_csv() - print a CSV field, quoted if necessary
 * @out: output
 * @text: text of the field
 * @separator: separator of fields
 */
void bpmu_print_csv(FILE *out, const char *text, const char *separator)
{
	if (!strstr(text, separator) && !strpbrk(text, "\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/**
 * bpmu_print_number() - format a number with digits in groups of three
 * @buffer: memory of the text
 * @value: the number
 *
 * Return: the text, which ends at the end of @buffer.
 */
const char *bpmu_print_number(char buffer[BPMU_PRINT_NUMBER], long long value)
{
	unsigned long long rest = value < 0 ? -(unsigned long long)value :
					      (unsigned long long)value;
	char *at = buffer + BPMU_PRINT_NUMBER - 1;
	int digits = 0;

	*at = 0;
	do {
		if (digits && digits % 3 == 0)
			*--at = ',';
		*--at = '0' + rest % 10;
		rest /= 10;
		digits++;
	} while (rest);
	if (value < 0)
		*--at = '-';
	return at;
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

/**
 * bpmu_print_stamp() - print wall-clock and monotonic time as members of a JSON object
 * @out: output
 * @stamp: the time; an unset one prints the current time
 */
void bpmu_print_stamp(FILE *out, const struct bpmu_stamp *stamp)
{
	const struct bpmu_stamp at = stamp->wall_ns ? *stamp : stamp_now();
	time_t seconds = at.wall_ns / BPMU_NS_PER_S;
	long long ns = at.monotonic_ns;
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "\"wall\":\"%s.%06lldZ\",\"monotonic\":%s%lld.%09lld",
		text, at.wall_ns % BPMU_NS_PER_S / 1000, ns < 0 ? "-" : "",
		llabs(ns) / BPMU_NS_PER_S, llabs(ns) % BPMU_NS_PER_S);
}

/**
 * bpmu_print_not_counted() - print that an interval has no counts and hence no metrics
 * @out: output
 */
void bpmu_print_not_counted(FILE *out)
{
	fputs("  no value: not counted; no sample ends here, as where CPUs are idle or samples were lost\n",
	      out);
}

/**
 * bpmu_print_command() - print the arguments of a command
 * @out: output
 * @argv: arguments, up to NULL
 */
void bpmu_print_command(FILE *out, char *const *argv)
{
	for (; *argv; argv++)
		fprintf(out, "%s%s", *argv, argv[1] ? " " : "");
}
