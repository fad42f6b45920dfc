// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "top_draw.h"
#include "view/tree_print.h"

#define NAME_WIDTH 36
#define NAME_LEAST 16
/*
 * width of the text of a value with its 95 % interval and the flag "<=="; a bar is drawn to the
 * right of the text if there is room
 */
#define VALUE_WIDTH 34
#define BAR_WIDTH 20
/*
 * maximum number of parts into which a value's text is split: number, unit, 95 % interval, "<==",
 * "(bursty)" etc.
 */
#define PARTS 8
#define FLAG "<=="

/**
 * struct layout - columns of the screen's lines with nodes
 * @name: width of the column of names
 * @value: width of the column of values
 * @bars: true if there is a column of bars after the values
 */
struct layout {
	int name;
	int value;
	bool bars;
};

/**
 * bpmu_top_nodes() - number of nodes of the tree that are open in the live view: measured and shown
 * @state: state of the display
 */
unsigned int bpmu_top_nodes(const struct bpmu_top_state *state)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < state->drill.tree->metrics.nr; i++)
		nr += state->drill.wanted[i];
	return nr;
}

/*
 * Returns the index, among the open nodes, of the first one that is visible if only @lines nodes
 * fit on the screen. The nodes are scrolled so that the node at the cursor is in the middle, unless
 * it is near the first or the last open node.
 */
static int first_of(const struct bpmu_top_state *state, int lines)
{
	int nr = bpmu_top_nodes(state);
	int first = -lines / 2;
	int i;

	for (i = 0; i < state->cursor; i++)
		first += state->drill.wanted[i];
	if (first > nr - lines)
		first = nr - lines;
	return first < 0 ? 0 : first;
}

static void draw_name(struct bpmu_top_screen *screen, int line, int width,
		      enum bpmu_top_look look,
		      const struct bpmu_top_state *state, unsigned int i)
{
	const struct bpmu_metric *metric;
	int column;

	metric = &state->drill.tree->metrics.metric[i];
	column = 2 * metric->level;
	if (bpmu_top_has_children(state, i)) {
		if (state->drill.open[i])
			bpmu_top_sign(screen, line, column, look, L'▾', '-');
		else
			bpmu_top_sign(screen, line, column, look, L'▸', '+');
	}
	column += 2;
	bpmu_top_printf(screen, line, column, look, "%.*s",
			width > column ? width - column : 0, metric->name);
	if (column + (int)strlen(metric->name) > width)
		bpmu_top_sign(screen, line, width - 1, look, L'…', '~');
}

static char *value_text(const struct bpmu_top_view *view, unsigned int i)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!view->measured[i])
		return strdup("      ...");
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	bpmu_tree_node(out, view->tree, i, &view->values[i], BPMU_TREE_VALUE);
	fclose(out);
	return text;
}

/*
 * Splits the text of a value into its parts, such as the number and the unit, which are separated
 * by two or more blanks. Returns the number of parts. The first part is the number with the blanks
 * before it, which align it.
 */
static unsigned int split_value(char *text, char *part[PARTS])
{
	char *at = text + strspn(text, " ");
	unsigned int nr = 0;

	part[nr++] = text;
	while (nr < PARTS && (at = strstr(at, "  "))) {
		*at = 0;
		at += strspn(at + 1, " ") + 1;
		part[nr++] = at;
	}
	return nr;
}

static int length_of_parts(char *const *part, unsigned int nr)
{
	int length = -2;
	unsigned int i;

	for (i = 0; i < nr; i++)
		length += 2 + strlen(part[i]);
	return length;
}

/*
 * Leaves out parts of a value's text until the text fits into @room columns. First the parts after
 * the number are left out, from the last one on, except the flag "<==". If this is not enough, the
 * unit is left out, and then the flag. The number always stays. Returns how many parts are left.
 */
static unsigned int fit_value(char **part, unsigned int nr, int room)
{
	char *number = part[0] + strspn(part[0], " -");
	unsigned int i;
	char *unit;

	while (nr > 1 && length_of_parts(part, nr) > room) {
		i = nr - 1;
		if (!strcmp(part[i], FLAG)) {
			if (i == 1)
				break;
			part[i - 1] = part[i];
		}
		nr--;
	}
	unit = isdigit((unsigned char)*number) ? strchr(number, ' ') : NULL;
	if (unit && length_of_parts(part, nr) > room)
		*unit = 0;
	if (nr > 1 && length_of_parts(part, nr) > room)
		nr--;
	return nr;
}

static void draw_value(struct bpmu_top_screen *screen, int line, int column,
		       int width, enum bpmu_top_look look,
		       const struct bpmu_top_view *view, unsigned int i)
{
	char *text = value_text(view, i);
	char *part[PARTS];
	unsigned int nr, k;

	if (!text)
		return;
	nr = fit_value(part, split_value(text, part), width);
	for (k = 0; k < nr; k++)
		column = bpmu_top_put(screen, line, column + 2 * !!k, look,
				      part[k]);
	free(text);
}

/*
 * Draws a bar for the value of node @i, a fraction. Draws nothing for a value below 0 or above 1.
 */
static void draw_bar(struct bpmu_top_screen *screen, int line, int column,
		     enum bpmu_top_look look, const struct bpmu_top_view *view,
		     unsigned int i)
{
	const struct bpmu_tree_value *value = &view->values[i];
	int k;

	if (!view->measured[i] || !value->known || value->value < 0 ||
	    value->value > 1 ||
	    !bpmu_unit_is_share(view->tree->metrics.metric[i].unit))
		return;
	for (k = 0; k < (int)(value->value * BAR_WIDTH + 0.5); k++)
		bpmu_top_sign(screen, line, column + k, look, L'█', '#');
}

static void draw_node(struct bpmu_top_screen *screen, int line,
		      const struct layout *layout,
		      const struct bpmu_top_view *view,
		      const struct bpmu_top_state *state, unsigned int i,
		      bool cursor)
{
	enum bpmu_top_look look = BPMU_TOP_PLAIN;

	if (view->measured[i] && view->values[i].flagged)
		look = BPMU_TOP_FLAGGED;
	draw_name(screen, line, layout->name, look, state, i);
	draw_value(screen, line, layout->name, layout->value, look, view, i);
	if (layout->bars)
		draw_bar(screen, line, layout->name + layout->value + 2, look,
			 view, i);
	if (!cursor)
		return;
	bpmu_top_put(screen, line, 0, look, ">");
	bpmu_top_look_at(screen, line, BPMU_TOP_CURSOR);
}

/*
 * Chooses the widths of the columns. There is a column of bars only if it leaves enough room for
 * the longest text of a value.
 */
static void lay_out_nodes(struct layout *layout, const struct bpmu_top_screen *screen,
			  const struct bpmu_top_view *view,
			  const struct bpmu_top_state *state)
{
	int most = VALUE_WIDTH - 2;
	int room = screen->columns;
	unsigned int i;
	char *text;

	layout->name = room - VALUE_WIDTH;
	if (layout->name > NAME_WIDTH)
		layout->name = NAME_WIDTH;
	if (layout->name < NAME_LEAST)
		layout->name = NAME_LEAST;
	room -= layout->name;
	layout->bars = room >= VALUE_WIDTH + BAR_WIDTH;
	layout->value = room > 0 ? room : 0;
	if (!layout->bars)
		return;
	for (i = 0; i < view->tree->metrics.nr; i++) {
		text = state->drill.wanted[i] ? value_text(view, i) : NULL;
		if (text && (int)strlen(text) > most)
			most = strlen(text);
		free(text);
	}
	layout->value = room - 2 - BAR_WIDTH;
	if (layout->value > most)
		layout->value = most;
}

/**
 * bpmu_top_draw_nodes() - draw the open (measured and shown) nodes of the live view, one a line
 * @line: first line of the nodes on the screen
 * @lines: maximum number of lines with nodes, at least 1
 * @view: data that the live view shows
 * @state: state of the display
 * @cursor: true to highlight the node at the cursor
 */
void bpmu_top_draw_nodes(struct bpmu_top_screen *screen, int line, int lines,
			 const struct bpmu_top_view *view,
			 const struct bpmu_top_state *state, bool cursor)
{
	int skip = first_of(state, lines);
	int end = line + lines;
	struct layout layout;
	unsigned int i;

	lay_out_nodes(&layout, screen, view, state);
	for (i = 0; i < view->tree->metrics.nr && line < end; i++) {
		if (!state->drill.wanted[i] || skip-- > 0)
			continue;
		draw_node(screen, line++, &layout, view, state, i,
			  cursor && (int)i == state->cursor);
	}
}
