// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "top.h"

#define COLUMNS 80
#define ROWS_MOST 8

/**
 * bpmu_top_plain() - print an interval of the live view as plain lines, followed by an empty one
 * @view: data to print; this function sorts the rows, and evaluates those that it prints
 * @state: state of the display
 *
 * The number of lines is limited: of the rows, which are CPUs or cores for example, only the first
 * are printed.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_plain(FILE *out, struct bpmu_top_view *view,
		   struct bpmu_top_state *state, struct bpmu_error *err)
{
	struct bpmu_top_screen screen = { .wide = false, .columns = COLUMNS };
	unsigned int nodes = bpmu_top_nodes(state);
	unsigned int rows = view->nr_rows;
	int code;
	int head;

	if (rows > ROWS_MOST)
		rows = ROWS_MOST;
	head = bpmu_top_heading_lines(&screen, view, state);
	code = bpmu_top_screen_resize(&screen, 2 + nodes + head + rows,
				      COLUMNS, err);
	if (code)
		return code;
	bpmu_top_draw_head(&screen, view, state);
	bpmu_top_draw_verdict(&screen, 1, 1, view);
	bpmu_top_draw_nodes(&screen, 2, nodes, view, state, false);
	bpmu_top_draw_rows(&screen, 2 + nodes, head + rows, view,
			   state);
	bpmu_top_screen_print(out, &screen);
	if (rows < view->nr_rows)
		fprintf(out, "and %u more rows\n", view->nr_rows - rows);
	fputc('\n', out);
	fflush(out);
	bpmu_top_screen_free(&screen);
	return 0;
}
