// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <string.h>
#include <time.h>

/**
 * bpmu_print_json() - a JSON string
 * @out: where
 * @text: bytes; quotes, backslashes and control characters are escaped
 */
void bpmu_print_json(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

/**
 * bpmu_print_csv() - a CSV field, quoted if it has to be
 * @out: where
 * @text: the field
 * @separator: between fields
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
 * bpmu_print_number() - a number in groups of three digits
 * @buffer: for the text
 * @value: any
 *
 * Return: the text, somewhere in @buffer.
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

/**
 * bpmu_print_stamps() - wall clock and monotonic time as members of an object
 * @out: where
 */
void bpmu_print_stamps(FILE *out)
{
	struct timespec wall, mono;
	char text[32];
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	gmtime_r(&wall.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "\"wall\":\"%s.%06ldZ\",\"monotonic\":%lld.%09ld", text,
		wall.tv_nsec / 1000, (long long)mono.tv_sec, mono.tv_nsec);
}

/**
 * bpmu_print_command() - a command as it was given
 * @out: where
 * @argv: its words
 */
void bpmu_print_command(FILE *out, char *const *argv)
{
	for (; *argv; argv++)
		fprintf(out, "%s%s", *argv, argv[1] ? " " : "");
}
