// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "top_draw.h"
#include "view/tree_print.h"

#define NAME_WIDTH 36
#define NAME_LEAST 16
/* a value, its interval and its flag; and a bar only where there is more room */
#define VALUE_WIDTH 34
#define BAR_WIDTH 20
/* a number without its unit */
#define NUMBER_WIDTH 8
#define FLAG_WIDTH 4

/**
 * bpmu_top_nodes() - how many nodes there are to show
 * @state: which of them are open
 *
 * Context: any.
 * Return: their number.
 */
unsigned int bpmu_top_nodes(const struct bpmu_top_state *state)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < state->drill.tree->metrics.nr; i++)
		nr += state->drill.wanted[i];
	return nr;
}

/* the cursor in the middle, if there are more nodes than lines */
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

static void draw_value(struct bpmu_top_screen *screen, int line, int column,
		       enum bpmu_top_look look,
		       const struct bpmu_top_view *view, unsigned int i)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int end;

	if (!view->measured[i]) {
		bpmu_top_put(screen, line, column, look, "      ...");
		return;
	}
	out = open_memstream(&text, &size);
	if (!out)
		return;
	bpmu_tree_value(out, view->tree, i, &view->values[i]);
	fclose(out);
	end = bpmu_top_put(screen, line, column, look, text);
	free(text);
	/* of what does not fit, the flag counts most */
	if (view->values[i].flagged && end > screen->columns &&
	    screen->columns >= column + NUMBER_WIDTH + FLAG_WIDTH)
		bpmu_top_put(screen, line, screen->columns - FLAG_WIDTH, look,
			     " <==");
}

/* as long as its part of all; what is outside 0 to 1 has none to show */
static void draw_bar(struct bpmu_top_screen *screen, int line,
		     enum bpmu_top_look look, const struct bpmu_top_view *view,
		     unsigned int i)
{
	const struct bpmu_tree_value *value = &view->values[i];
	int column = NAME_WIDTH + VALUE_WIDTH;
	int k;

	if (!view->measured[i] || !value->known || value->value < 0 ||
	    value->value > 1 ||
	    !bpmu_unit_is_share(view->tree->metrics.metric[i].unit))
		return;
	for (k = 0; k < (int)(value->value * BAR_WIDTH + 0.5); k++)
		bpmu_top_sign(screen, line, column + k, look, L'█', '#');
}

static void draw_node(struct bpmu_top_screen *screen, int line,
		      const struct bpmu_top_view *view,
		      const struct bpmu_top_state *state, unsigned int i,
		      bool cursor)
{
	enum bpmu_top_look look = BPMU_TOP_PLAIN;
	int width = screen->columns - VALUE_WIDTH;

	if (width > NAME_WIDTH)
		width = NAME_WIDTH;
	if (width < NAME_LEAST)
		width = NAME_LEAST;
	if (view->measured[i] && view->values[i].flagged)
		look = BPMU_TOP_FLAGGED;
	draw_name(screen, line, width, look, state, i);
	draw_value(screen, line, width, look, view, i);
	if (screen->columns >= NAME_WIDTH + VALUE_WIDTH + BAR_WIDTH)
		draw_bar(screen, line, look, view, i);
	if (!cursor)
		return;
	bpmu_top_put(screen, line, 0, look, ">");
	bpmu_top_look_at(screen, line, BPMU_TOP_CURSOR);
}

/**
 * bpmu_top_draw_nodes() - the tree, as far as it is open
 * @screen: the screen
 * @line: where it begins
 * @lines: how much room there is, 1 and up
 * @view: what is known
 * @state: how it is to be shown
 * @cursor: show which node the keys go to
 *
 * Context: process.
 */
void bpmu_top_draw_nodes(struct bpmu_top_screen *screen, int line, int lines,
			 const struct bpmu_top_view *view,
			 const struct bpmu_top_state *state, bool cursor)
{
	int skip = first_of(state, lines);
	int end = line + lines;
	unsigned int i;

	for (i = 0; i < view->tree->metrics.nr && line < end; i++) {
		if (!state->drill.wanted[i] || skip-- > 0)
			continue;
		draw_node(screen, line++, view, state, i,
			  cursor && (int)i == state->cursor);
	}
}
