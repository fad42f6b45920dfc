// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "top_draw.h"

/* what says which row it is; a number and its mark; the node's name behind them */
#define LABEL 6
#define COLUMN 9
#define COLUMN_MOST 24
#define WORST_LEAST 12
#define WORST 24

/**
 * struct sorting - how rows are compared
 * @view: the rows
 * @state: by what
 */
struct sorting {
	const struct bpmu_top_view *view;
	const struct bpmu_top_state *state;
};

static double number_of(const struct sorting *s, unsigned int r)
{
	const struct bpmu_top_row *row = &s->view->row[r];

	if (s->state->column == BPMU_TOP_BY_LOSS)
		return row->loss;
	return row->values[s->state->column].known ?
	       row->values[s->state->column].value : NAN;
}

/* what has no value comes last, either way */
static int compare(const void *a, const void *b, void *ctx)
{
	unsigned int r = *(const unsigned int *)a;
	unsigned int q = *(const unsigned int *)b;
	const struct sorting *s = ctx;
	double x = number_of(s, r);
	double y = number_of(s, q);

	if (isnan(x) || isnan(y)) {
		if (isnan(x) != isnan(y))
			return isnan(x) ? 1 : -1;
	} else if (x != y) {
		return (x < y) != s->state->reverse ? 1 : -1;
	}
	return r < q ? -1 : 1;
}

/**
 * bpmu_top_sort() - put the rows in order
 * @view: its @order is filled in
 * @state: by what
 *
 * Context: any.
 */
void bpmu_top_sort(struct bpmu_top_view *view,
		   const struct bpmu_top_state *state)
{
	struct sorting s = { .view = view, .state = state };
	unsigned int i;

	for (i = 0; i < view->nr_rows; i++)
		view->order[i] = i;
	qsort_r(view->order, view->nr_rows, sizeof(*view->order), compare, &s);
}

/* a column's head, with a mark if rows are sorted by it */
static void draw_title(struct bpmu_top_screen *screen, int line, int column,
		       int width, const char *name,
		       const struct bpmu_top_state *state, bool chosen)
{
	enum bpmu_top_look look = chosen ? BPMU_TOP_CHOSEN : BPMU_TOP_HEAD;

	column = bpmu_top_printf(screen, line, column, look, "%*.*s",
				 width - 1, width - 2, name);
	if (chosen && state->reverse)
		bpmu_top_sign(screen, line, column, look, L'▴', '^');
	else if (chosen)
		bpmu_top_sign(screen, line, column, look, L'▾', 'v');
}

/* nodes' columns are wider where the names of those that are shown have room */
static int width_of(const struct bpmu_top_screen *screen, unsigned int nr)
{
	int room = screen->columns - LABEL - 2 * COLUMN - WORST;
	int width = nr ? room / (int)nr : COLUMN;

	if (width > COLUMN_MOST)
		width = COLUMN_MOST;
	return width < COLUMN ? COLUMN : width;
}

static void draw_head(struct bpmu_top_screen *screen, int line,
		      const struct bpmu_top_state *state, const int *columns,
		      unsigned int nr)
{
	static const char *const what[] = {
		[BPMU_ROWS_ALL] = "all", [BPMU_ROWS_CPU] = "CPU",
		[BPMU_ROWS_CORE] = "core", [BPMU_ROWS_PACKAGE] = "socket",
	};
	const struct bpmu_metric *metric = state->drill.tree->metrics.metric;
	int width = width_of(screen, nr);
	int at = LABEL + 2 * COLUMN;
	unsigned int i;

	bpmu_top_put(screen, line, 0, BPMU_TOP_HEAD, what[state->by]);
	draw_title(screen, line, LABEL, COLUMN, "MHz", state, false);
	draw_title(screen, line, LABEL + COLUMN, COLUMN, "loss", state,
		   state->column == BPMU_TOP_BY_LOSS);
	for (i = 0; i < nr; i++, at += width)
		draw_title(screen, line, at, width, metric[columns[i]].name,
			   state, columns[i] == state->column);
	if (screen->columns - at >= WORST_LEAST)
		bpmu_top_put(screen, line, at + 2, BPMU_TOP_HEAD, "flagged");
}

static void draw_cell(struct bpmu_top_screen *screen, int line, int column,
		      int width, const struct bpmu_metric *metric,
		      const struct bpmu_tree_value *value, bool measured)
{
	bool share = bpmu_unit_is_share(metric->unit);

	if (!measured)
		bpmu_top_printf(screen, line, column, BPMU_TOP_PLAIN, "%*s",
				width - 1, "...");
	else if (!value->known)
		bpmu_top_printf(screen, line, column, BPMU_TOP_PLAIN, "%*s",
				width - 1, "no value");
	else
		bpmu_top_printf(screen, line, column,
				value->flagged ? BPMU_TOP_FLAGGED :
						 BPMU_TOP_PLAIN,
				share ? "%*.1f%s" : "%*.3g%s", width - 1,
				(share ? 100 : 1) * value->value,
				value->flagged ? "!" :
				value->flags & BPMU_VALUE_UNDECIDED ? "?" : "");
}

static void draw_number(struct bpmu_top_screen *screen, int line, int column,
			double number)
{
	if (isnan(number))
		bpmu_top_printf(screen, line, column, BPMU_TOP_PLAIN, "%*s",
				COLUMN - 1, "no value");
	else
		bpmu_top_printf(screen, line, column, BPMU_TOP_PLAIN, "%*.0f",
				COLUMN - 1, number);
}

static void draw_row(struct bpmu_top_screen *screen, int line,
		     const struct bpmu_top_view *view,
		     const struct bpmu_top_row *row, const int *columns,
		     unsigned int nr)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	int width = width_of(screen, nr);
	int at = LABEL + 2 * COLUMN;
	unsigned int i;

	bpmu_top_put(screen, line, 0, BPMU_TOP_PLAIN, row->label);
	draw_number(screen, line, LABEL, row->mhz);
	draw_number(screen, line, LABEL + COLUMN, row->loss);
	for (i = 0; i < nr; i++, at += width)
		draw_cell(screen, line, at, width, &metric[columns[i]],
			  &row->values[columns[i]], view->measured[columns[i]]);
	if (row->worst >= 0 && screen->columns - at >= WORST_LEAST)
		bpmu_top_put(screen, line, at + 2, BPMU_TOP_FLAGGED,
			     metric[row->worst].name);
}

static unsigned int columns_that_fit(const struct bpmu_top_screen *screen,
				     const struct bpmu_top_state *state,
				     int *columns)
{
	int room = (screen->columns - LABEL - 2 * COLUMN) / COLUMN;
	unsigned int nr = bpmu_top_columns(state, columns);
	unsigned int i;

	if (room < 0)
		room = 0;
	/* the one that is sorted by is always seen */
	for (i = room; room && i < nr; i++)
		if (columns[i] == state->column)
			columns[room - 1] = columns[i];
	return nr < (unsigned int)room ? nr : (unsigned int)room;
}

/**
 * bpmu_top_draw_rows() - the CPUs, cores or packages
 * @screen: the screen
 * @line: where they begin
 * @lines: how much room there is, 1 and up
 * @view: what is known, sorted
 * @state: how it is to be shown; rows that do not exist are scrolled back
 *
 * Context: process.
 */
void bpmu_top_draw_rows(struct bpmu_top_screen *screen, int line, int lines,
			const struct bpmu_top_view *view,
			struct bpmu_top_state *state)
{
	unsigned int room = lines - 1;
	int columns[BPMU_TOP_COLUMNS];
	unsigned int nr, i, r;

	nr = columns_that_fit(screen, state, columns);
	draw_head(screen, line, state, columns, nr);
	if (state->first_row + room > view->nr_rows)
		state->first_row = view->nr_rows > room ?
				   view->nr_rows - room : 0;
	for (i = 0; i < room && state->first_row + i < view->nr_rows; i++) {
		r = view->order[state->first_row + i];
		draw_row(screen, line + 1 + i, view, &view->row[r], columns,
			 nr);
	}
}
