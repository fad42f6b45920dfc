/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CSV input (RFC 4180), line by line: any separator, LF or CRLF, with or without a
 * byte order mark. A field cannot span several lines.
 */
#ifndef BPMU_CSV_H
#define BPMU_CSV_H

#include <stdbool.h>
#include <stdio.h>

/* Maximum length of a line in bytes. The header line of a table with 1,024 events is shorter. */
#define BPMU_CSV_LINE_MAX (1U << 20)

/**
 * struct bpmu_csv - a CSV file; initially all members but @file are 0
 * @file: open file
 * @line: current line, without its line end; to be freed by the caller
 * @len: length of @line in bytes
 * @nr: number of the line, from 1
 * @too_long: the next line is longer than %BPMU_CSV_LINE_MAX
 */
struct bpmu_csv {
	FILE *file;
	char *line;
	ssize_t len;
	unsigned long nr;
	bool too_long;
};

/**
 * struct bpmu_csv_field - a field of a line
 * @text: text, without quotes
 * @column: position in the line, in bytes, from 1
 */
struct bpmu_csv_field {
	char *text;
	unsigned int column;
};

/**
 * typedef bpmu_csv_skip_fn - skip the beginning of a field, in which separators have no effect
 *
 * @field: start of an unquoted field
 *
 * Return: the first character after the beginning of the field that was skipped.
 */
typedef char *bpmu_csv_skip_fn(char *field);

bool bpmu_csv_next(struct bpmu_csv *csv);
unsigned int bpmu_csv_split(char *line, char separator, bpmu_csv_skip_fn *skip,
			    struct bpmu_csv_field *field, unsigned int most);

#endif /* BPMU_CSV_H */
