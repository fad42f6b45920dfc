/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of text, CSV or JSON that are put together in memory and then written at once, because a
 * call of stdio for each number or separator would take longer than formatting the number. A line
 * that does not fit into the memory is written in several parts.
 */
#ifndef BPMU_LINE_H
#define BPMU_LINE_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

/*
 * A stream copies what is shorter than its buffer, mostly 4096 bytes; of longer texts it writes whole
 * buffers without a copy.
 */
#define BPMU_LINE 16384

/*
 * bpmu_line_copy() copies this many bytes at a time, also beyond the end of a text, and
 * bpmu_line_blanks() writes as many. Texts and lines have room for that.
 */
#define BPMU_LINE_PAD 32

/**
 * struct bpmu_line - a line of output that is put together in memory
 * @out: stream to which the line is written
 * @nr: number of bytes in @text
 * @writes: how many times bytes of @text were written to @out. If this number has changed, @text no
 *	longer has the begin of the line
 * @text: bytes that are not yet written
 */
struct bpmu_line {
	FILE *out;
	size_t nr;
	unsigned int writes;
	char text[BPMU_LINE + BPMU_LINE_PAD];
};

#define BPMU_PIECE 96

/**
 * struct bpmu_piece - a short text that is made once and appended to many lines
 * @nr: length of @text in bytes, at most %BPMU_PIECE
 * @text: the text, without NUL
 */
struct bpmu_piece {
	size_t nr;
	char text[BPMU_PIECE + BPMU_LINE_PAD];
};

void bpmu_line_begin(struct bpmu_line *line, FILE *out);
void bpmu_line_write(struct bpmu_line *line);
void bpmu_line_long(struct bpmu_line *line, const char *bytes, size_t nr);
void bpmu_line_json(struct bpmu_line *line, const char *text, size_t size);
void bpmu_line_csv(struct bpmu_line *line, const char *text, const char *separator);
void bpmu_line_fixed(struct bpmu_line *line, double number, unsigned int decimals);
void bpmu_line_number(struct bpmu_line *line, long long number, size_t width);
void bpmu_line_printf(struct bpmu_line *line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void bpmu_line_take(struct bpmu_line *line, char *text, size_t size);
void bpmu_line_stamp(struct bpmu_line *line, const struct bpmu_stamp *stamp);

/**
 * bpmu_line_room() - make room in a line for bytes that the caller appends
 * @line: the line; its bytes in memory are written to the output if they leave too little room
 * @nr: number of bytes, at most %BPMU_LINE
 *
 * Return: address for the bytes; the caller must add their number to &bpmu_line.nr.
 */
static inline char *bpmu_line_room(struct bpmu_line *line, size_t nr)
{
	if (nr > BPMU_LINE - line->nr)
		bpmu_line_write(line);
	return line->text + line->nr;
}

/**
 * bpmu_line_put() - append bytes to a line
 * @line: the line; its bytes are written to the output whenever its memory is full
 * @bytes: [@nr], bytes to append
 * @nr: number of @bytes
 */
static inline void bpmu_line_put(struct bpmu_line *line, const char *bytes, size_t nr)
{
	if (nr > BPMU_LINE - line->nr) {
		bpmu_line_long(line, bytes, nr);
		return;
	}
	memcpy(line->text + line->nr, bytes, nr);
	line->nr += nr;
}

/**
 * bpmu_line_copy() - copy bytes of a line; the fastest way for up to some hundred bytes
 * @to: [@nr + %BPMU_LINE_PAD], set; the bytes after the first @nr have no meaning
 * @from: [@nr + %BPMU_LINE_PAD], of which the first @nr are copied; the others may be read
 * @nr: number of bytes to copy
 *
 * Return: @to + @nr.
 */
static inline char *bpmu_line_copy(char *to, const char *from, size_t nr)
{
	size_t i;

	memcpy(to, from, BPMU_LINE_PAD);
	for (i = BPMU_LINE_PAD; i < nr; i += BPMU_LINE_PAD)
		memcpy(to + i, from + i, BPMU_LINE_PAD);
	return to + nr;
}

/* Appends a piece to a line. */
static inline void bpmu_line_piece(struct bpmu_line *line, const struct bpmu_piece *piece)
{
	bpmu_line_copy(bpmu_line_room(line, piece->nr), piece->text, piece->nr);
	line->nr += piece->nr;
}

/* Appends a character to a line. */
static inline void bpmu_line_char(struct bpmu_line *line, char c)
{
	if (line->nr == BPMU_LINE)
		bpmu_line_write(line);
	line->text[line->nr++] = c;
}

/**
 * bpmu_line_blanks() - append to a line the blanks that fill a column beside a text
 * @line: the line
 * @width: width of the column in bytes, at most %BPMU_LINE
 * @nr: length of the text in bytes; no blanks are appended if it exceeds @width
 */
static inline void bpmu_line_blanks(struct bpmu_line *line, size_t width, size_t nr)
{
	char *to, *end;

	if (nr >= width)
		return;
	to = bpmu_line_room(line, width - nr);
	end = to + width - nr;
	line->nr += width - nr;
	for (; to < end; to += BPMU_LINE_PAD)
		memset(to, ' ', BPMU_LINE_PAD);
}

/* Appends a text to a line; inline, because most texts are empty or a single character. */
static inline void bpmu_line_text(struct bpmu_line *line, const char *text)
{
	if (!text[0])
		return;
	if (!text[1])
		bpmu_line_char(line, text[0]);
	else
		bpmu_line_put(line, text, strlen(text));
}

/* Appends a text to a line, aligned to the right in a column of @width bytes. */
static inline void bpmu_line_right(struct bpmu_line *line, const char *text, size_t width)
{
	size_t nr = strlen(text);

	bpmu_line_blanks(line, width, nr);
	bpmu_line_put(line, text, nr);
}

/* Appends a text to a line, aligned to the left in a column of @width bytes. */
static inline void bpmu_line_left(struct bpmu_line *line, const char *text, size_t width)
{
	size_t nr = strlen(text);

	bpmu_line_put(line, text, nr);
	bpmu_line_blanks(line, width, nr);
}

#endif /* BPMU_LINE_H */
