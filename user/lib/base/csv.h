/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CSV input (RFC 4180), line by line: any separator, LF or CRLF, with or without a
 * byte order mark. A field cannot span several lines.
 */
#ifndef BPMU_CSV_H
#define BPMU_CSV_H

#include <stdbool.h>
#include <stdio.h>

/* Maximum length of a line in bytes: long enough for a header line that names 1,024 events */
#define BPMU_CSV_LINE_MAX (1U << 20)

/**
 * struct bpmu_csv - a CSV file that is read; its user sets @file and zeroes all other members
 * @file: open file
 * @line: current line, without its line end; memory that the user frees after the last line
 * @len: length of @line in bytes
 * @nr: number of the line, from 1
 * @too_long: set to true if bpmu_csv_next() failed because the line to read is longer than
 *	%BPMU_CSV_LINE_MAX
 */
struct bpmu_csv {
	FILE *file;
	char *line;
	ssize_t len;
	unsigned long nr;
	bool too_long;
};

/**
 * struct bpmu_csv_field - a field of a line of CSV
 * @text: text of the field, without quotes
 * @column: position of the field in the line, in bytes, from 1
 */
struct bpmu_csv_field {
	char *text;
	unsigned int column;
};

/**
 * typedef bpmu_csv_skip_fn - skip the part of a CSV field in which separators do not count
 *
 * @field: start of an unquoted field
 *
 * Return: address behind this part, from which on separators end the field; @field if nothing is
 * skipped.
 */
typedef char *bpmu_csv_skip_fn(char *field);

bool bpmu_csv_next(struct bpmu_csv *csv);
unsigned int bpmu_csv_split(char *line, char separator, bpmu_csv_skip_fn *skip,
			    struct bpmu_csv_field *field, unsigned int most);

#endif /* BPMU_CSV_H */
