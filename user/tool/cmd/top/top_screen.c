// SPDX-License-Identifier: GPL-2.0
#include "top_screen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#define TEXT_MAX 1024

/**
 * bpmu_top_screen_resize() - set the size of the screen's cells, and clear them
 * @screen: the screen. Before the first call, the caller sets &bpmu_top_screen.wide, and all other
 *	members to 0
 * @lines: height, at least 1
 * @columns: width, at least 1
 *
 * Return: 0 or -ENOMEM. On an error the screen is unchanged.
 */
int bpmu_top_screen_resize(struct bpmu_top_screen *screen, int lines,
			   int columns, struct bpmu_error *err)
{
	struct bpmu_top_cell *cell;

	cell = calloc((size_t)lines * columns, sizeof(*cell));
	if (!cell)
		return bpmu_error_set(err, -ENOMEM,
				      "screen: no memory; free some");
	free(screen->cell);
	screen->cell = cell;
	screen->lines = lines;
	screen->columns = columns;
	bpmu_top_screen_clear(screen);
	return 0;
}

/**
 * bpmu_top_screen_clear() - fill the screen's cells with blanks
 */
void bpmu_top_screen_clear(struct bpmu_top_screen *screen)
{
	size_t nr = (size_t)screen->lines * screen->columns;
	size_t i;

	for (i = 0; i < nr; i++)
		screen->cell[i] = (struct bpmu_top_cell){ .ch = L' ' };
}

void bpmu_top_screen_free(struct bpmu_top_screen *screen)
{
	free(screen->cell);
	memset(screen, 0, sizeof(*screen));
}

static void set(struct bpmu_top_screen *screen, int line, int column,
		enum bpmu_top_look look, wchar_t ch)
{
	struct bpmu_top_cell *cell;

	if (line < 0 || line >= screen->lines || column < 0 ||
	    column >= screen->columns)
		return;
	cell = &screen->cell[(size_t)line * screen->columns + column];
	cell->ch = ch;
	cell->look = look;
}

/*
 * Returns a character, or "?" in place of one that the screen cannot show in one column, such as a
 * control character.
 */
static wchar_t printable(const struct bpmu_top_screen *screen, wchar_t ch)
{
	if (ch >= ' ' && ch < 0x7f)
		return ch;
	return screen->wide && iswprint(ch) && wcwidth(ch) == 1 ? ch : L'?';
}

/**
 * bpmu_top_put() - put text at a position of the screen
 * @line: number of the line, from 0 on
 * @column: number of the column, from 0 on
 * @look: attributes of the text
 * @text: text in the locale's encoding; what is beyond the edge of the screen is left out
 *
 * Return: the column after the text.
 */
int bpmu_top_put(struct bpmu_top_screen *screen, int line, int column,
		 enum bpmu_top_look look, const char *text)
{
	size_t left = strlen(text);
	mbstate_t state = { };
	wchar_t ch;
	size_t len;

	for (; left; text += len, left -= len) {
		len = mbrtowc(&ch, text, left, &state);
		if (len > left) {
			memset(&state, 0, sizeof(state));
			len = 1;
			ch = L'?';
		}
		set(screen, line, column++, look, printable(screen, ch));
	}
	return column;
}

/**
 * bpmu_top_printf() - put formatted text at a position of the screen
 * @line: line, from 0
 * @column: column, from 0
 * @look: attributes of the text
 * @fmt: format as for printf()
 *
 * Return: the column after the text.
 */
int bpmu_top_printf(struct bpmu_top_screen *screen, int line, int column,
		    enum bpmu_top_look look, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return bpmu_top_put(screen, line, column, look, text);
}

/**
 * bpmu_top_sign() - put a sign at a position of the screen, a character beyond ASCII if possible
 * @line: number of the line, from 0 on
 * @column: number of the column, from 0 on
 * @look: attributes of the sign
 * @wide: the sign as a character beyond ASCII
 * @narrow: ASCII character to put instead if &bpmu_top_screen.wide is false
 */
void bpmu_top_sign(struct bpmu_top_screen *screen, int line, int column,
		   enum bpmu_top_look look, wchar_t wide, char narrow)
{
	set(screen, line, column, look, screen->wide ? wide : narrow);
}

/**
 * bpmu_top_look_at() - set the attributes of a whole line of the screen; its text stays
 * @line: number of the line
 * @look: attributes of the text
 */
void bpmu_top_look_at(struct bpmu_top_screen *screen, int line,
		      enum bpmu_top_look look)
{
	int column;

	if (line < 0 || line >= screen->lines)
		return;
	for (column = 0; column < screen->columns; column++)
		screen->cell[(size_t)line * screen->columns + column].look =
			look;
}

static void print_line(FILE *out, const struct bpmu_top_cell *cell, int end)
{
	int column;

	while (end && cell[end - 1].ch == L' ')
		end--;
	for (column = 0; column < end; column++)
		fputc(cell[column].ch, out);
	fputc('\n', out);
}

/**
 * bpmu_top_screen_print() - print a screen as lines, without blanks at their ends
 * @screen: screen with characters of ASCII only
 */
void bpmu_top_screen_print(FILE *out, const struct bpmu_top_screen *screen)
{
	int line;

	for (line = 0; line < screen->lines; line++)
		print_line(out, screen->cell + (size_t)line * screen->columns, screen->columns);
}
