/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the values of a metric tree as a table with a column for each set of CPUs, such as a core.
 */
#ifndef BPMU_TREE_ROWS_H
#define BPMU_TREE_ROWS_H

#include <stdio.h>

#include "event/rows.h"
#include "tree/tree.h"

void bpmu_tree_rows_text(FILE *out, const struct bpmu_tree *tree, const struct bpmu_rows *rows,
			 const struct bpmu_tree_value *values);

#endif /* BPMU_TREE_ROWS_H */
