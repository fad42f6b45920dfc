/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints how each value of a tree is computed, to compare it with the tables of the Top-Down paper:
 * the formula as the method has it, then with the events of the CPU model, then with the counts.
 */
#ifndef BPMU_PAPER_H
#define BPMU_PAPER_H

#include <stdio.h>

#include "tree.h"

void bpmu_paper_print(FILE *out, const struct bpmu_tree *tree,
		      const double *const *counts,
		      const struct bpmu_tree_value *values, const char *only);

#endif /* BPMU_PAPER_H */
