// SPDX-License-Identifier: GPL-2.0
#include "csv.h"

#include <stdlib.h>
#include <string.h>

#define BOM "\xef\xbb\xbf"

/*
 * Reads a line with its newline into @csv->line; returns the line's length in bytes. Returns -1 at
 * the end of the file, on a read error, if out of memory, or if the line is too long.
 */
static ssize_t read_line(struct bpmu_csv *csv)
{
	size_t len = 0;
	int c;

	if (!csv->line) {
		csv->line = malloc(BPMU_CSV_LINE_MAX + 1);
		if (!csv->line)
			return -1;
	}
	do {
		c = getc_unlocked(csv->file);
		if (c == EOF)
			break;
		if (len == BPMU_CSV_LINE_MAX) {
			csv->too_long = true;
			return -1;
		}
		csv->line[len++] = c;
	} while (c != '\n');
	csv->line[len] = '\0';
	return len && !ferror(csv->file) ? (ssize_t)len : -1;
}

/**
 * bpmu_csv_next() - read the next line of a CSV file
 * @csv: the file; on return &bpmu_csv.line is the line
 *
 * Return: true if a line was read. False at the end of the file; if the line is too long
 * (&bpmu_csv.too_long); on a read error, which ferror() tells; or if out of memory.
 */
bool bpmu_csv_next(struct bpmu_csv *csv)
{
	csv->len = read_line(csv);
	if (csv->len < 0)
		return false;
	while (csv->len && (csv->line[csv->len - 1] == '\n' ||
			    csv->line[csv->len - 1] == '\r'))
		csv->line[--csv->len] = '\0';
	if (!csv->nr++ && !strncmp(csv->line, BOM, strlen(BOM))) {
		csv->len -= strlen(BOM);
		memmove(csv->line, csv->line + strlen(BOM), csv->len + 1);
	}
	return true;
}

/*
 * Removes the quotes of a quoted field in place. Returns the address behind the closing quote, or
 * the end of the text if there is no closing quote.
 */
static char *unquote(char *from)
{
	char *to = from++;

	for (; *from; from++) {
		if (*from == '"' && *++from != '"')
			break;
		*to++ = *from;
	}
	if (to < from)
		*to = '\0';
	return from;
}

/**
 * bpmu_csv_split() - split a line of CSV into its fields
 * @line: modified; fields point into it
 * @separator: separator of fields
 * @skip: called at the start of each field without quotes. If the field begins with an event such
 *	as cpu/event=0x3c,umask=1/, it returns the end of the event: separators inside the event do
 *	not end the field. NULL if no field begins with such an event
 * @field: [@most], set to the fields, which begin after leading blanks
 * @most: maximum number of fields
 *
 * Return: number of fields. If the line has more than @most fields, the last field returned ends
 * before the next separator, and the rest of the line is dropped.
 */
unsigned int bpmu_csv_split(char *line, char separator, bpmu_csv_skip_fn *skip,
			    struct bpmu_csv_field *field, unsigned int most)
{
	unsigned int nr;
	char *at = line;

	for (nr = 0; nr < most; nr++) {
		while (*at == ' ')
			at++;
		field[nr].text = at;
		field[nr].column = at - line + 1;
		if (*at == '"')
			at = unquote(at);
		else if (skip)
			at = skip(at);
		at = strchrnul(at, separator);
		if (!*at)
			return nr + 1;
		*at++ = '\0';
	}
	return nr;
}
