// SPDX-License-Identifier: GPL-2.0
#include "top_by_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/print.h"
#include "top_draw.h"

/* least height of a screen, in lines, on which there are also hints on keys, or an empty line */
#define LINES_FOR_KEYS 6
#define LINES_FOR_GAP 20

/* width of plain lines, and how many rows they have at most */
#define COLUMNS 80
#define ROWS_MOST 20

static const char *const keys[] = {
	"up, down     scroll the rows by one (also k, j)",
	"PgUp, PgDn   scroll them by a page; Home, End",
	"<, >         sort the rows by share or by name; r reverses",
	"c            rows of functions, lines, addresses, CPUs, threads, processes",
	"+, -         longer, shorter intervals",
	"space        freeze the screen, or go on",
	"?, F1        these keys, until the next key",
	"q            quit",
	"",
	"share        of the events for which the interrupts of the interval stand,",
	"             with its 95 % interval",
	"An interrupt names the instruction that was to come next when it was taken,",
	"if the event is not precise (:pp): trust functions and loops.",
};

static void by_draw_keys(struct bpmu_top_screen *screen)
{
	unsigned int i;

	bpmu_top_put(screen, 0, 0, BPMU_TOP_TITLE, "barepmu top --by: keys");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		bpmu_top_put(screen, i + 2, 1, BPMU_TOP_PLAIN, keys[i]);
}

/* Draws two lines: when and where was measured, and the event with its interrupts. */
static void by_draw_head(struct bpmu_top_screen *screen, const struct bpmu_top_by_view *view,
			 const struct bpmu_top_by_state *state)
{
	char number[BPMU_PRINT_NUMBER], pace[BPMU_SHARE_PACE];
	int at;

	at = bpmu_top_printf(screen, 0, 0, BPMU_TOP_TITLE, "%.1f s", view->seconds);
	at = bpmu_top_printf(screen, 0, at, BPMU_TOP_PLAIN, ", every %g s",
			     state->interval_ns / 1e9);
	if (state->frozen)
		at = bpmu_top_put(screen, 0, at, BPMU_TOP_FLAGGED, ", frozen");
	if (view->lost)
		at = bpmu_top_printf(screen, 0, at, BPMU_TOP_FLAGGED, ", %s interrupts lost",
				     bpmu_print_number(number, view->lost));
	if (view->hidden)
		at = bpmu_top_put(screen, 0, at, BPMU_TOP_FLAGGED,
				  ", kernel hidden (kptr_restrict)");
	at = bpmu_top_draw_flaws(screen, at, &view->flaws);
	bpmu_top_printf(screen, 0, at, BPMU_TOP_PLAIN, "; CPU %s, %s", view->cpus, view->title);
	at = bpmu_top_put(screen, 1, 0, BPMU_TOP_TITLE, view->slot->text);
	if (!view->seconds) {
		bpmu_top_put(screen, 1, at, BPMU_TOP_PLAIN, ": measuring ...");
		return;
	}
	at = bpmu_top_printf(screen, 1, at, BPMU_TOP_PLAIN, ": %s interrupts, %s",
			     bpmu_print_number(number, view->interrupts),
			     bpmu_share_pace(pace, view->slot));
	bpmu_top_printf(screen, 1, at, BPMU_TOP_PLAIN, ", for %s",
			bpmu_print_number(number, view->events));
}

static void by_draw_row(struct bpmu_top_screen *screen, int line, const struct bpmu_top_by_row *row)
{
	char number[BPMU_PRINT_NUMBER];

	bpmu_top_printf(screen, line, 0, BPMU_TOP_PLAIN, "%6.2f %%  %6.2f %6.2f %%  %10s   %s",
			100 * row->share.share, 100 * row->share.low, 100 * row->share.high,
			bpmu_print_number(number, row->interrupts), row->label);
}

static int by_compare_labels(const void *a, const void *b)
{
	const struct bpmu_top_by_row *x = a, *y = b;

	return strcmp(x->label, y->label);
}

/* Compares two rows by their shares, the largest first, then by their labels. */
static int by_compare_shares(const void *a, const void *b)
{
	const struct bpmu_top_by_row *x = a, *y = b;

	if (x->share.share != y->share.share)
		return x->share.share > y->share.share ? -1 : 1;
	return strcmp(x->label, y->label);
}

/* Draws the heading and as many rows as fit into @lines lines. */
static void by_draw_rows(struct bpmu_top_screen *screen, int line, int lines,
			 const struct bpmu_top_by_view *view, struct bpmu_top_by_state *state)
{
	const enum bpmu_top_look chosen = BPMU_TOP_CHOSEN;
	unsigned int i, shown;
	int at;

	at = bpmu_top_put(screen, line, 0, state->by_name ? BPMU_TOP_HEAD : chosen, "   share");
	at = bpmu_top_put(screen, line, at, BPMU_TOP_HEAD, "   95 % interval  interrupts   ");
	bpmu_top_put(screen, line, at, state->by_name ? chosen : BPMU_TOP_HEAD,
		     bpmu_by_name(view->type));
	state->page = lines > 2 ? lines - 1 : 1;
	if (state->first_row + state->page > view->nr_rows)
		state->first_row = view->nr_rows > state->page ? view->nr_rows - state->page : 0;
	if (view->nr_rows)
		qsort(view->row, view->nr_rows, sizeof(*view->row),
		      state->by_name ? by_compare_labels : by_compare_shares);
	for (i = 0; i < state->page && state->first_row + i < view->nr_rows; i++) {
		shown = state->first_row + i;
		if (state->reverse)
			shown = view->nr_rows - 1 - shown;
		by_draw_row(screen, line + 1 + i, &view->row[shown]);
	}
}

/**
 * bpmu_top_by_draw() - draw the live view of top --by on the screen
 * @screen: screen of any size, which is filled
 * @view: data to show; its rows are sorted here
 * @state: state of the display; it is scrolled back if it was scrolled beyond the last row
 */
void bpmu_top_by_draw(struct bpmu_top_screen *screen, struct bpmu_top_by_view *view,
		      struct bpmu_top_by_state *state)
{
	static const char *const hints[] = {
		"? help", "q quit", "<> sort", "c rows", "+- interval", "space freeze",
	};
	bool foot = screen->lines >= LINES_FOR_KEYS;
	int line = screen->lines >= LINES_FOR_GAP ? 3 : 2;
	char seen[BPMU_TOP_SEEN] = "";

	bpmu_top_screen_clear(screen);
	if (state->help) {
		by_draw_keys(screen);
	} else {
		by_draw_head(screen, view, state);
		by_draw_rows(screen, line, screen->lines - foot - line, view, state);
		bpmu_top_seen_rows(seen, state->first_row, state->page, view->nr_rows);
	}
	if (foot)
		bpmu_top_draw_hints(screen, hints, ARRAY_SIZE(hints), seen);
}

/**
 * bpmu_top_by_plain() - draw top --by without a screen: an interval as lines, and an empty one
 * @view: data to print; its rows are sorted here, and the first ones are printed
 * @state: state of the display
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_by_plain(FILE *out, struct bpmu_top_by_view *view,
		      struct bpmu_top_by_state *state, struct bpmu_error *err)
{
	struct bpmu_top_screen screen = { .wide = false, .columns = COLUMNS };
	unsigned int rows = view->nr_rows < ROWS_MOST ? view->nr_rows : ROWS_MOST;
	int code;

	code = bpmu_top_screen_resize(&screen, 3 + rows, COLUMNS, err);
	if (code)
		return code;
	by_draw_head(&screen, view, state);
	by_draw_rows(&screen, 2, 1 + rows, view, state);
	bpmu_top_screen_print(out, &screen);
	if (rows < view->nr_rows)
		fprintf(out, "and %u more rows\n", view->nr_rows - rows);
	fputc('\n', out);
	fflush(out);
	bpmu_top_screen_free(&screen);
	return 0;
}

static enum bpmu_by_type next_type(enum bpmu_by_type type)
{
	static const enum bpmu_by_type next[] = {
		[BPMU_BY_SYMBOL] = BPMU_BY_LINE, [BPMU_BY_LINE] = BPMU_BY_ADDRESS,
		[BPMU_BY_ADDRESS] = BPMU_BY_CPU, [BPMU_BY_CPU] = BPMU_BY_COMM,
		[BPMU_BY_COMM] = BPMU_BY_PID, [BPMU_BY_PID] = BPMU_BY_SYMBOL,
	};

	return next[type];
}

static void scroll(struct bpmu_top_by_state *state, enum bpmu_top_key key)
{
	unsigned int step = key == BPMU_TOP_UP || key == BPMU_TOP_DOWN ? 1 : state->page;

	if (key == BPMU_TOP_UP || key == BPMU_TOP_PAGE_UP)
		state->first_row -= state->first_row < step ? state->first_row : step;
	else
		state->first_row += step;
}

static void by_change_setting(struct bpmu_top_by_state *state, enum bpmu_top_key key)
{
	switch (key) {
	case BPMU_TOP_SORT_LEFT:
	case BPMU_TOP_SORT_RIGHT:
		state->by_name = key == BPMU_TOP_SORT_RIGHT;
		break;
	case BPMU_TOP_REVERSE:
		state->reverse = !state->reverse;
		break;
	case BPMU_TOP_ROWS:
		state->type = next_type(state->type);
		state->first_row = 0;
		break;
	case BPMU_TOP_FREEZE:
		state->frozen = !state->frozen;
		break;
	case BPMU_TOP_LONGER:
	case BPMU_TOP_SHORTER:
		bpmu_top_step_interval(&state->interval_ns, key == BPMU_TOP_LONGER ? 1 : -1);
		break;
	case BPMU_TOP_HOME:
		state->first_row = 0;
		break;
	case BPMU_TOP_END:
		/* Drawing scrolls back to the last page. */
		state->first_row = BPMU_TOP_BY_END;
		break;
	case BPMU_TOP_UP:
	case BPMU_TOP_DOWN:
	case BPMU_TOP_PAGE_UP:
	case BPMU_TOP_PAGE_DOWN:
		scroll(state, key);
		break;
	default:
		break;
	}
}

/**
 * bpmu_top_by_press() - change what top --by draws, as a key asks for
 * @key: the key; while help is shown, any key closes it
 */
void bpmu_top_by_press(struct bpmu_top_by_state *state, enum bpmu_top_key key)
{
	if (key == BPMU_TOP_NOTHING || key == BPMU_TOP_REDRAW)
		return;
	if (state->help || key == BPMU_TOP_HELP)
		state->help = !state->help;
	else if (key == BPMU_TOP_QUIT)
		state->quit = true;
	else
		by_change_setting(state, key);
}
