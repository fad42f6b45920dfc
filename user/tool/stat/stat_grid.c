// SPDX-License-Identifier: GPL-2.0
#include "stat_grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"

/* maximum width in characters of stat's table (grid), if the output is no terminal */
#define PAGE_WIDTH 100

/*
 * Returns the number of cells in a line of the table (grid): name, a value for each CPU, core or
 * package, unit.
 */
static unsigned int stride(const struct bpmu_grid *grid)
{
	return grid->rows->nr + 2;
}

static unsigned int lines(const struct bpmu_grid *grid)
{
	return grid->used / stride(grid);
}

/**
 * bpmu_grid_add() - add the next cell to stat's grid
 * @grid: the grid. For the first call, the caller sets &bpmu_grid.rows and &bpmu_grid.head, and the
 *	other members to 0. Cells are added line by line. A line has the name, a value of each set
 *	of CPUs, and the unit
 * @fmt: text of the cell, as a format of printf()
 */
void bpmu_grid_add(struct bpmu_grid *grid, const char *fmt, ...)
{
	char **grown = reallocarray(grid->cell, grid->used + 1, sizeof(*grown));
	va_list args;

	if (!grown) {
		grid->failed = true;
		return;
	}
	grid->cell = grown;
	va_start(args, fmt);
	if (vasprintf(&grown[grid->used], fmt, args) < 0)
		grid->failed = true;
	else
		grid->used++;
	va_end(args);
}

/*
 * Returns the width of a column of the table (grid). Column 0 has the names, the last column the
 * units.
 */
static int grid_width(const struct bpmu_grid *grid, unsigned int column)
{
	size_t width = column ? 0 : strlen(grid->head);
	unsigned int line;
	const char *text;

	if (column && column <= grid->rows->nr)
		width = strlen(grid->rows->row[column - 1].label);
	for (line = 0; line < lines(grid); line++) {
		text = grid->cell[line * stride(grid) + column];
		width = strlen(text) > width ? strlen(text) : width;
	}
	return width;
}

/**
 * bpmu_grid_fits() - check if stat's grid has all cells, and is narrow enough
 */
bool bpmu_grid_fits(const struct bpmu_grid *grid, FILE *out)
{
	int room = bpmu_fold_width(out) ?: PAGE_WIDTH;
	unsigned int column;

	for (column = 0; column < stride(grid); column++)
		room -= 2 + grid_width(grid, column);
	return !grid->failed && room >= 0;
}

/**
 * bpmu_grid_print() - print stat's table (grid)
 * @grid: grid with all of its cells
 */
void bpmu_grid_print(const struct bpmu_grid *grid, FILE *out)
{
	const struct bpmu_row *row = grid->rows->row;
	unsigned int nr = grid->rows->nr;
	char **cell = grid->cell;
	unsigned int line, i;

	fprintf(out, "  %-*s", grid_width(grid, 0), grid->head);
	for (i = 0; i < nr; i++)
		fprintf(out, "  %*s", grid_width(grid, i + 1), row[i].label);
	if (bpmu_rows_grouped(grid->rows))
		fprintf(out, "\n  %-*s", grid_width(grid, 0), "CPUs");
	for (i = 0; i < nr && bpmu_rows_grouped(grid->rows); i++)
		fprintf(out, "  %*u", grid_width(grid, i + 1), row[i].cpus);
	for (line = 0; line < lines(grid); line++, cell += stride(grid)) {
		fprintf(out, "\n  %-*s", grid_width(grid, 0), cell[0]);
		for (i = 0; i < nr; i++)
			fprintf(out, "  %*s", grid_width(grid, i + 1), cell[i + 1]);
		if (*cell[nr + 1])
			fprintf(out, "  %s", cell[nr + 1]);
	}
	fputc('\n', out);
}

void bpmu_grid_free(struct bpmu_grid *grid)
{
	while (grid->used)
		free(grid->cell[--grid->used]);
	free(grid->cell);
	grid->cell = NULL;
}
