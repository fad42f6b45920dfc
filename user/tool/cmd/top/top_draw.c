// SPDX-License-Identifier: GPL-2.0
#include "top_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/verdict.h"

/*
 * least height of a screen, in lines, on which there are also hints on keys, advice, or two core
 * types
 */
#define LINES_FOR_KEYS 6
#define LINES_FOR_ADVICE 20
#define LINES_FOR_BOTH 20

/*
 * The rows of CPUs get at least a third of the lines below the verdict, and at least three lines.
 */
#define ROWS_PART 3
#define ROWS_LEAST 3

static const char *const keys[] = {
	"up, down     another node (also k, j)",
	"right        measure the node's children (also l, Enter)",
	"left         close the node, or go to its parent (also h)",
	"a            follow the flags: open flagged nodes, close the rest",
	"Home, End    first, last node",
	"<, >         sort the rows by another column, or their number; r reverses",
	"c            rows of CPUs, cores, L3s, dies, NUMA nodes, sockets",
	"PgUp, PgDn   other rows",
	"+, -         longer, shorter intervals",
	"space        freeze the screen, or go on",
	"Tab          switch to the other core type, on hybrid CPUs",
	"?, F1        these keys, until the next key",
	"q            quit",
	"",
	"<== or !     over its threshold, and so is all above it",
	"?            its 95 % interval contains the threshold",
	"MHz          million clocks per second and CPU of the row",
	"loss         clocks of these lost to its largest flagged level-1 node",
	"flagged      node at which the row's verdict ends",
};

#define NR_KEYS ((int)(sizeof(keys) / sizeof(keys[0])))

static void draw_keys(struct bpmu_top_screen *screen)
{
	int i;

	bpmu_top_put(screen, 0, 0, BPMU_TOP_TITLE, "barepmu top: keys");
	for (i = 0; i < NR_KEYS; i++)
		bpmu_top_put(screen, i + (screen->lines > NR_KEYS + 2 ? 2 : 1),
			     1, BPMU_TOP_PLAIN, keys[i]);
}

/**
 * bpmu_top_draw_flaws() - draw the flaws of a measurement in the first line of a live view
 * @at: column at which they begin
 *
 * Return: the column behind them.
 */
int bpmu_top_draw_flaws(struct bpmu_top_screen *screen, int at, const struct bpmu_flaws *flaws)
{
	char *cpus;
	unsigned int k;

	for (k = 0; k < BPMU_NR_FLAWS; k++) {
		if (!flaws->of[k].nr)
			continue;
		cpus = bpmu_flaw_cpus(&flaws->of[k]);
		at = bpmu_top_printf(screen, 0, at, BPMU_TOP_FLAGGED,
				     ", %s: CPU %s", bpmu_flaw_name(k),
				     cpus ?: "?");
		free(cpus);
	}
	return at;
}

/**
 * bpmu_top_draw_head() - draw the first line of the live view: what is measured, and how
 * @view: data that the live view shows
 * @state: state of the display
 */
void bpmu_top_draw_head(struct bpmu_top_screen *screen,
			const struct bpmu_top_view *view,
			const struct bpmu_top_state *state)
{
	int at;

	at = bpmu_top_printf(screen, 0, 0, BPMU_TOP_TITLE, "%.1f s",
			     view->seconds);
	at = bpmu_top_printf(screen, 0, at, BPMU_TOP_PLAIN, ", every %g s",
			     state->interval_ns / 1e9);
	if (state->frozen)
		at = bpmu_top_put(screen, 0, at, BPMU_TOP_FLAGGED, ", frozen");
	if (state->follow)
		at = bpmu_top_put(screen, 0, at, BPMU_TOP_PLAIN,
				  ", following flags");
	if (view->lost)
		at = bpmu_top_printf(screen, 0, at, BPMU_TOP_FLAGGED,
				     ", %llu samples lost", view->lost);
	at = bpmu_top_draw_flaws(screen, at, &view->flaws);
	bpmu_top_printf(screen, 0, at, BPMU_TOP_PLAIN, "; CPU %s, %s",
			view->cpus, view->title);
}

/**
 * bpmu_top_draw_verdict() - draw the verdict of the live view, and with enough lines the advice
 * @line: first line of the verdict on the screen
 * @lines: number of lines that it may have
 * @view: data that the live view shows
 *
 * Return: the line below the verdict.
 */
int bpmu_top_draw_verdict(struct bpmu_top_screen *screen, int line, int lines,
			  const struct bpmu_top_view *view)
{
	enum bpmu_top_look look = BPMU_TOP_TITLE;
	char *text = NULL;
	char *rest, *part;
	size_t size;
	FILE *out;

	if (!view->seconds) {
		bpmu_top_put(screen, line, 0, look, "Measuring ...");
		return line + 1;
	}
	out = open_memstream(&text, &size);
	if (!out)
		return line;
	bpmu_verdict_text(out, view->tree, view->values, BPMU_LONGER_INTERVAL);
	fclose(out);
	for (rest = text; lines && (part = strsep(&rest, "\n")); ) {
		if (!*part)
			continue;
		bpmu_top_put(screen, line++, 0, look, part);
		look = BPMU_TOP_PLAIN;
		lines--;
	}
	free(text);
	return line;
}

/**
 * bpmu_top_draw_hints() - draw the last line of a live view: hints on keys, and the visible rows
 * @hints: the hints, of which as many are drawn as fit, [@nr]
 * @nr: number of hints
 * @seen: says which rows are visible, "" if all are
 */
void bpmu_top_draw_hints(struct bpmu_top_screen *screen, const char *const *hints, size_t nr,
			 const char *seen)
{
	int room = screen->columns - (*seen ? (int)strlen(seen) + 2 : 0);
	int line = screen->lines - 1;
	int at = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (at + (int)strlen(hints[i]) > room)
			break;
		at = bpmu_top_put(screen, line, at, BPMU_TOP_QUIET, hints[i]) + 2;
	}
	if (*seen && screen->columns >= (int)strlen(seen))
		bpmu_top_put(screen, line, screen->columns - strlen(seen), BPMU_TOP_QUIET, seen);
}

/**
 * bpmu_top_seen_rows() - write which rows of a live view are visible, to be drawn in its last line
 * @seen: filled in; "" if all are visible
 * @first: index of the first visible row
 * @page: number of rows that fit on the screen
 * @nr: number of all rows
 */
void bpmu_top_seen_rows(char seen[BPMU_TOP_SEEN], unsigned int first, unsigned int page,
			unsigned int nr)
{
	seen[0] = '\0';
	if (nr > page)
		snprintf(seen, BPMU_TOP_SEEN, "PgUp PgDn rows %u-%u of %u", first + 1,
			 first + page < nr ? first + page : nr, nr);
}

static void draw_foot(struct bpmu_top_screen *screen,
		      const struct bpmu_top_view *view,
		      const struct bpmu_top_state *state)
{
	static const char *const hints[] = {
		"? help", "q quit", "arrows nodes", "<> sort", "c rows",
		"+- interval", "space freeze",
	};
	int line = screen->lines - 1;
	char seen[BPMU_TOP_SEEN] = "";

	if (*view->note) {
		bpmu_top_put(screen, line, 0, BPMU_TOP_FLAGGED, view->note);
		return;
	}
	if (view->away) {
		bpmu_top_put(screen, line, 0, BPMU_TOP_QUIET,
			     "Tab  keys for these CPUs");
		return;
	}
	if (!state->help)
		bpmu_top_seen_rows(seen, state->first_row, state->page, view->nr_rows);
	bpmu_top_draw_hints(screen, hints, ARRAY_SIZE(hints), seen);
}

/**
 * bpmu_top_draw() - draw the live view on the screen
 * @screen: screen of any size, which is filled
 * @view: data to show; its rows are sorted here, and those that are drawn are evaluated
 * @state: state of the display; it is scrolled back if it was scrolled beyond the last row
 */
void bpmu_top_draw(struct bpmu_top_screen *screen, struct bpmu_top_view *view,
		   struct bpmu_top_state *state)
{
	int end = screen->lines - (screen->lines >= LINES_FOR_KEYS);
	bool tall = screen->lines >= LINES_FOR_ADVICE;
	int nodes = bpmu_top_nodes(state);
	int line, rows;

	bpmu_top_screen_clear(screen);
	if (state->help) {
		if (end < screen->lines)
			draw_foot(screen, view, state);
		draw_keys(screen);
		return;
	}
	bpmu_top_draw_head(screen, view, state);
	line = bpmu_top_draw_verdict(screen, 1, tall ? 3 : 1, view) + tall;
	rows = (end - line) / ROWS_PART;
	if (rows < ROWS_LEAST)
		rows = ROWS_LEAST;
	if (nodes > end - line - rows)
		nodes = end - line - rows;
	if (nodes < 1)
		nodes = 1;
	if (line < end)
		bpmu_top_draw_nodes(screen, line, nodes, view, state,
				    !view->away);
	line += nodes + tall;
	if (line < end)
		bpmu_top_draw_rows(screen, line, end - line, view, state);
	if (end < screen->lines)
		draw_foot(screen, view, state);
}

/**
 * bpmu_top_draw_both() - draw the live view of two core types on one screen
 * @screen: screen of any size, which is filled. With fewer than LINES_FOR_BOTH lines, only the core
 *	type that keys act on is drawn
 * @views: data to show, [core type]
 * @states: state of the display, [core type]
 */
void bpmu_top_draw_both(struct bpmu_top_screen *screen,
			struct bpmu_top_view *const views[BPMU_CORE_TYPES],
			struct bpmu_top_state *const states[BPMU_CORE_TYPES])
{
	int half = screen->lines / 2;
	int here = views[0]->away;
	struct bpmu_top_screen part = *screen;

	if (screen->lines < LINES_FOR_BOTH || states[here]->help) {
		bpmu_top_draw(screen, views[here], states[here]);
		return;
	}
	part.lines = half;
	bpmu_top_draw(&part, views[0], states[0]);
	part.lines = screen->lines - half;
	part.cell += (size_t)half * screen->columns;
	bpmu_top_draw(&part, views[1], states[1]);
}
