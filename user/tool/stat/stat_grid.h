/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The grid: a table of "barepmu stat" with a line for each event or metric, and a column for each
 * CPU, core or package. All other output of "barepmu stat" has a line for each value.
 */
#ifndef BPMU_STAT_GRID_H
#define BPMU_STAT_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "event/rows.h"

/**
 * struct bpmu_grid - a table with a line for each event or metric
 * @rows: CPUs, cores or packages: the columns of the table
 * @head: title of the column of names
 * @cell: texts of the cells, [@used], line by line: name, values in the order of @rows, unit
 * @used: number of cells so far
 * @failed: a cell is missing because an allocation failed
 */
struct bpmu_grid {
	const struct bpmu_rows *rows;
	const char *head;
	char **cell;
	unsigned int used;
	bool failed;
};

void bpmu_grid_add(struct bpmu_grid *grid, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool bpmu_grid_fits(const struct bpmu_grid *grid, FILE *out);
void bpmu_grid_print(const struct bpmu_grid *grid, FILE *out);
void bpmu_grid_free(struct bpmu_grid *grid);

#endif /* BPMU_STAT_GRID_H */
