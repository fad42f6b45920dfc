/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CSV input (RFC 4180), line by line: any separator, LF or CRLF, with or without a
 * byte order mark. A field cannot span several lines.
 */
#ifndef BPMU_CSV_H
#define BPMU_CSV_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct bpmu_csv - a file that is read; zeroed but for @file at first
 * @file: open
 * @line: the current line, without its end; free() it
 * @size: bytes allocated for @line
 * @len: its length in bytes
 * @nr: its number, from 1
 */
struct bpmu_csv {
	FILE *file;
	char *line;
	size_t size;
	ssize_t len;
	unsigned long nr;
};

/**
 * struct bpmu_csv_field - a field of a line
 * @text: without quotes
 * @column: offset in the line, from 1
 */
struct bpmu_csv_field {
	char *text;
	unsigned int column;
};

/**
 * typedef bpmu_csv_skip_fn - a field's text in which separators are literal
 *
 * @field: the begin of an unquoted one
 *
 * Return: its first character that can be a separator.
 */
typedef char *bpmu_csv_skip_fn(char *field);

bool bpmu_csv_next(struct bpmu_csv *csv);
unsigned int bpmu_csv_split(char *line, char separator, bpmu_csv_skip_fn *skip,
			    struct bpmu_csv_field *field, unsigned int most);

#endif /* BPMU_CSV_H */
