/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of CSV or JSON: put together in memory and written at once, since a call of stdio
 * takes longer than what it is given to write. It may be longer than the memory.
 */
#ifndef BPMU_LINE_H
#define BPMU_LINE_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

#define BPMU_LINE 1024

/**
 * struct bpmu_line - a line that is put together
 * @out: output
 * @nr: number of bytes that wait in @text
 * @text: bytes that are not yet written
 */
struct bpmu_line {
	FILE *out;
	size_t nr;
	char text[BPMU_LINE];
};

void bpmu_line_begin(struct bpmu_line *line, FILE *out);
void bpmu_line_write(struct bpmu_line *line);
void bpmu_line_put(struct bpmu_line *line, const char *bytes, size_t nr);
char *bpmu_line_room(struct bpmu_line *line, size_t nr);
void bpmu_line_json(struct bpmu_line *line, const char *text, size_t size);
void bpmu_line_csv(struct bpmu_line *line, const char *text, const char *separator);
void bpmu_line_stamp(struct bpmu_line *line, const struct bpmu_stamp *stamp);

/* appends a character */
static inline void bpmu_line_char(struct bpmu_line *line, char c)
{
	if (line->nr == BPMU_LINE)
		bpmu_line_write(line);
	line->text[line->nr++] = c;
}

/* appends a text; most are a separator, or empty */
static inline void bpmu_line_text(struct bpmu_line *line, const char *text)
{
	if (!text[0])
		return;
	if (!text[1])
		bpmu_line_char(line, text[0]);
	else
		bpmu_line_put(line, text, strlen(text));
}

#endif /* BPMU_LINE_H */
