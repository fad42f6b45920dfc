/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is on a screen, as cells: no terminal is needed to fill them in.
 */
#ifndef BPMU_TOP_SCREEN_H
#define BPMU_TOP_SCREEN_H

#include <stdbool.h>
#include <wchar.h>

#include "base/error.h"

/**
 * enum bpmu_top_look - how a cell looks, where the terminal can
 * @BPMU_TOP_PLAIN: as any text
 * @BPMU_TOP_TITLE: what this is
 * @BPMU_TOP_HEAD: above columns
 * @BPMU_TOP_CHOSEN: head of the column that is sorted by
 * @BPMU_TOP_FLAGGED: deserves a look
 * @BPMU_TOP_CURSOR: where the keys go
 * @BPMU_TOP_QUIET: of less interest
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
 * struct bpmu_top_cell - a character on the screen
 * @ch: the character, one column wide
 * @look: how it looks
 */
struct bpmu_top_cell {
	wchar_t ch;
	enum bpmu_top_look look;
};

/**
 * struct bpmu_top_screen - a screen
 * @lines: its height
 * @columns: its width
 * @wide: it has more than ASCII
 * @cell: at [line * @columns + column]
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
