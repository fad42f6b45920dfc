/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table with a column for each row of CPUs.
 */
#ifndef BPMU_STAT_GRID_H
#define BPMU_STAT_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "event/rows.h"

/**
 * struct bpmu_grid - the table
 * @rows: the rows of CPUs, which are its columns
 * @head: text above the names
 * @cell: texts, [@used], line by line: name, values, unit
 * @used: number of texts
 * @failed: there was no memory
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
