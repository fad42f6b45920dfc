/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A screen in memory: an array of cells, each of which has a character. "barepmu top" draws into
 * this array, for which it needs no terminal; a terminal may then show the array.
 */
#ifndef BPMU_TOP_SCREEN_H
#define BPMU_TOP_SCREEN_H

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

#include "base/error.h"

/**
 * enum bpmu_top_look - kinds of text on the screen, shown in colours or bold if possible
 * @BPMU_TOP_PLAIN: normal text
 * @BPMU_TOP_TITLE: title line
 * @BPMU_TOP_HEAD: heading of a column
 * @BPMU_TOP_CHOSEN: heading of the column that rows are sorted by
 * @BPMU_TOP_FLAGGED: flagged value
 * @BPMU_TOP_CURSOR: node at the cursor
 * @BPMU_TOP_QUIET: secondary text
 */
enum bpmu_top_look {
	BPMU_TOP_PLAIN,
	BPMU_TOP_TITLE,
	BPMU_TOP_HEAD,
	BPMU_TOP_CHOSEN,
	BPMU_TOP_FLAGGED,
	BPMU_TOP_CURSOR,
	BPMU_TOP_QUIET
};

/**
 * struct bpmu_top_cell - a cell of the screen: a character and its look
 * @ch: the character, one column wide
 * @look: &enum bpmu_top_look
 */
struct bpmu_top_cell {
	wchar_t ch;
	enum bpmu_top_look look;
};

/**
 * struct bpmu_top_screen - the contents of a screen in memory, before the terminal shows them
 * @lines: height in lines
 * @columns: width in columns
 * @wide: true if the terminal can show characters beyond ASCII
 * @cell: the cells, [@lines][@columns]
 */
struct bpmu_top_screen {
	int lines;
	int columns;
	bool wide;
	struct bpmu_top_cell *cell;
};

int bpmu_top_screen_resize(struct bpmu_top_screen *screen, int lines,
			   int columns, struct bpmu_error *err);
void bpmu_top_screen_clear(struct bpmu_top_screen *screen);
void bpmu_top_screen_print(FILE *out, const struct bpmu_top_screen *screen);
void bpmu_top_screen_free(struct bpmu_top_screen *screen);
int bpmu_top_put(struct bpmu_top_screen *screen, int line, int column,
		 enum bpmu_top_look look, const char *text);
__printf(5, 6)
int bpmu_top_printf(struct bpmu_top_screen *screen, int line, int column,
		    enum bpmu_top_look look, const char *fmt, ...);
void bpmu_top_sign(struct bpmu_top_screen *screen, int line, int column,
		   enum bpmu_top_look look, wchar_t wide, char narrow);
void bpmu_top_look_at(struct bpmu_top_screen *screen, int line,
		      enum bpmu_top_look look);

#endif /* BPMU_TOP_SCREEN_H */
