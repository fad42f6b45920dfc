// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "top_draw.h"

/*
 * widths in columns: LABEL_LEAST is the least width for the labels of rows, COLUMN is that of a
 * column of numbers, WORST_LEAST is the least width for the names of nodes
 */
#define LABEL_LEAST 6
#define COLUMN 9
#define WORST_LEAST 12
/*
 * headings of columns may have two lines if at least this number of lines is available for the
 * headings and the rows together
 */
#define LINES_FOR_TALL 4

/**
 * struct layout - the columns of the table of rows, each of which is about a CPU, core or the like
 * @label: width of the column with the labels of rows
 * @node: nodes that have a column, [@nr]
 * @width: width of each node's column, with a blank before it, [@nr]
 * @nr: number of nodes that have a column
 * @end: first column of the screen after the columns of the nodes
 * @lines: number of lines of the headings, 1 or 2
 */
struct layout {
	int label;
	int node[BPMU_TOP_COLUMNS];
	int width[BPMU_TOP_COLUMNS];
	unsigned int nr;
	int end;
	int lines;
};

/*
 * Divides a node's name into two lines, the first of which ends with "_". Of all such divisions,
 * the one is taken whose longer line is shortest. Returns the length of the first line; 0 if the
 * name is not divided.
 */
static size_t find_cut(const char *name)
{
	size_t length = strlen(name), best = length, cut = 0, i, longer;

	for (i = 1; i < length; i++) {
		longer = i > length - i ? i : length - i;
		if (name[i - 1] != '_' || longer >= best)
			continue;
		best = longer;
		cut = i;
	}
	return cut;
}

static int width_of(const char *name, int lines, bool chosen)
{
	size_t cut = lines > 1 ? find_cut(name) : 0;
	size_t width = strlen(name) - cut;

	if (cut > width)
		width = cut;
	width += 1 + chosen;
	return width < COLUMN ? COLUMN : (int)width;
}

static int all_widths(struct layout *layout, const struct bpmu_top_state *state,
		      const int *columns, unsigned int nr, int lines)
{
	const struct bpmu_metric *metric = state->drill.tree->metrics.metric;
	unsigned int i;
	int sum = 0;

	layout->lines = lines;
	for (i = 0; i < nr; i++) {
		layout->node[i] = columns[i];
		layout->width[i] = width_of(metric[columns[i]].name, lines,
					    columns[i] == state->column);
		sum += layout->width[i];
	}
	return sum;
}

/*
 * Chooses which nodes of the tree have a column: as many as fit on the screen without cutting a
 * heading. If the node by which rows are sorted does not fit, it replaces the last node that fits.
 * If no column fits, one column is made narrower.
 */
static void lay_out_rows(struct layout *layout, const struct bpmu_top_screen *screen,
			 const struct bpmu_top_view *view,
			 const struct bpmu_top_state *state, int lines)
{
	int columns[BPMU_TOP_COLUMNS];
	unsigned int nr = bpmu_top_columns(state, columns);
	int begin, room, sum = 0;
	unsigned int i, r;

	layout->label = LABEL_LEAST;
	for (r = 0; r < view->nr_rows; r++)
		if ((int)strlen(view->row[r].label) >= layout->label)
			layout->label = strlen(view->row[r].label) + 1;
	begin = layout->label + 2 * COLUMN;
	room = screen->columns - begin;
	if (all_widths(layout, state, columns, nr, 1) + WORST_LEAST > room &&
	    lines >= LINES_FOR_TALL)
		all_widths(layout, state, columns, nr, 2);
	layout->nr = 0;
	for (i = 0; i < nr && sum + layout->width[i] <= room; i++) {
		sum += layout->width[i];
		layout->nr++;
	}
	for (i = layout->nr; i < nr; i++) {
		if (columns[i] != state->column)
			continue;
		while (layout->nr && sum + layout->width[i] > room)
			sum -= layout->width[--layout->nr];
		layout->node[layout->nr] = columns[i];
		layout->width[layout->nr] = layout->width[i];
		sum += layout->width[layout->nr++];
		break;
	}
	if (nr && (!layout->nr || sum > room)) {
		layout->nr = room >= COLUMN;
		layout->width[0] = room;
		sum = layout->nr ? room : 0;
	}
	layout->end = begin + sum;
}

/* Draws a heading in @room columns. A longer heading is cut, and ends with a sign that says so. */
static void put_cut(struct bpmu_top_screen *screen, int line, int column,
		    int room, enum bpmu_top_look look, const char *text,
		    int length)
{
	if (length <= room) {
		bpmu_top_printf(screen, line, column, look, "%.*s", length,
				text);
		return;
	}
	bpmu_top_printf(screen, line, column, look, "%.*s", room - 1, text);
	bpmu_top_sign(screen, line, column + room - 1, look, L'…', '~');
}

/*
 * Draws the heading of a column, with a sign if rows are sorted by this column. Like the numbers of
 * the column, the heading is aligned at the right. A heading that is as wide as the column, and has
 * no such sign, ends one place farther to the right: there the numbers may be followed by a flag.
 */
static void draw_title(struct bpmu_top_screen *screen, int line, int lines,
		       int column, int width, const char *name,
		       const struct bpmu_top_state *state, bool chosen)
{
	enum bpmu_top_look look = chosen ? BPMU_TOP_CHOSEN : BPMU_TOP_HEAD;
	int cut = lines > 1 ? (int)find_cut(name) : 0;
	int rest = strlen(name + cut);
	int room = width - 1 - chosen;
	int end = column + width - 1;

	if (!chosen && (cut >= room || rest >= room))
		end++;
	if (cut)
		put_cut(screen, line, end - (cut < room ? cut : room), room,
			look, name, cut);
	line += lines - 1;
	put_cut(screen, line, end - (rest < room ? rest : room), room, look,
		name + cut, rest);
	if (chosen)
		bpmu_top_sign(screen, line, column + width - 1, look,
			      state->reverse ? L'▴' : L'▾',
			      state->reverse ? '^' : 'v');
}

static void draw_head(struct bpmu_top_screen *screen, int line,
		      const struct bpmu_top_state *state,
		      const struct layout *layout)
{
	static const char *const what[] = {
		[BPMU_ROWS_ALL] = "all", [BPMU_ROWS_CPU] = "CPU",
		[BPMU_ROWS_CORE] = "core", [BPMU_ROWS_DIE] = "die",
		[BPMU_ROWS_PACKAGE] = "socket", [BPMU_ROWS_CACHE] = "L3",
		[BPMU_ROWS_NODE] = "node",
	};
	const struct bpmu_metric *metric = state->drill.tree->metrics.metric;
	bool by_number = state->column == BPMU_TOP_BY_NUMBER;
	int lines = layout->lines;
	int last = line + lines - 1;
	int at = layout->label;
	unsigned int i;
	int end;

	end = bpmu_top_put(screen, last, 0,
			   by_number ? BPMU_TOP_CHOSEN : BPMU_TOP_HEAD,
			   what[state->by]);
	if (by_number && state->reverse)
		bpmu_top_sign(screen, last, end, BPMU_TOP_CHOSEN, L'▴', '^');
	else if (by_number)
		bpmu_top_sign(screen, last, end, BPMU_TOP_CHOSEN, L'▾', 'v');
	draw_title(screen, line, lines, at, COLUMN, "MHz", state,
		   state->column == BPMU_TOP_BY_MHZ);
	draw_title(screen, line, lines, at + COLUMN, COLUMN, "loss", state,
		   state->column == BPMU_TOP_BY_LOSS);
	at += 2 * COLUMN;
	for (i = 0; i < layout->nr; i++) {
		draw_title(screen, line, lines, at, layout->width[i],
			   metric[layout->node[i]].name, state,
			   layout->node[i] == state->column);
		at += layout->width[i];
	}
	if (screen->columns - layout->end >= WORST_LEAST)
		bpmu_top_put(screen, last, layout->end + 1, BPMU_TOP_HEAD,
			     "flagged");
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
		     const struct bpmu_top_row *row,
		     const struct layout *layout)
{
	const struct bpmu_metric *metric = view->tree->metrics.metric;
	int at = layout->label;
	unsigned int i;
	int node;

	bpmu_top_put(screen, line, 0, BPMU_TOP_PLAIN, row->label);
	draw_number(screen, line, at, row->mhz);
	draw_number(screen, line, at + COLUMN, row->loss);
	at += 2 * COLUMN;
	for (i = 0; i < layout->nr; at += layout->width[i++]) {
		node = layout->node[i];
		draw_cell(screen, line, at, layout->width[i], &metric[node],
			  &row->values[node], view->measured[node]);
	}
	if (row->worst >= 0 && screen->columns - layout->end >= WORST_LEAST)
		put_cut(screen, line, layout->end + 1,
			screen->columns - layout->end - 1, BPMU_TOP_FLAGGED,
			metric[row->worst].name,
			strlen(metric[row->worst].name));
}

/**
 * bpmu_top_heading_lines() - number of heading lines above the live view's rows
 * @view: data that the live view shows
 * @state: state of the display
 *
 * Return: 2 if more columns fit on the screen with headings of two lines; else 1.
 */
int bpmu_top_heading_lines(const struct bpmu_top_screen *screen,
			   const struct bpmu_top_view *view,
			   const struct bpmu_top_state *state)
{
	struct layout layout = { };

	lay_out_rows(&layout, screen, view, state, LINES_FOR_TALL);
	return layout.lines;
}

/**
 * bpmu_top_draw_rows() - draw the rows of the live view, for each CPU, core or such, below headings
 * @line: line of the headings on the screen
 * @lines: maximum number of lines of headings and rows together, at least 1
 * @view: data to show; this function sorts the rows, and evaluates those that it draws
 * @state: state of the display. If the table was scrolled beyond the last row, it is scrolled back.
 *	&bpmu_top_state.page is set to the number of rows that fit
 */
void bpmu_top_draw_rows(struct bpmu_top_screen *screen, int line, int lines,
			const struct bpmu_top_view *view,
			struct bpmu_top_state *state)
{
	struct layout layout = { };
	unsigned int room, i, r;

	lay_out_rows(&layout, screen, view, state, lines);
	draw_head(screen, line, state, &layout);
	room = lines - layout.lines;
	state->page = room ? room : 1;
	if (state->first_row + room > view->nr_rows)
		state->first_row = view->nr_rows > room ?
				   view->nr_rows - room : 0;
	bpmu_top_order(view, state, state->first_row + room);
	for (i = 0; i < room && state->first_row + i < view->nr_rows; i++) {
		r = view->order[state->first_row + i];
		draw_row(screen, line + layout.lines + i, view, &view->row[r],
			 &layout);
	}
}
