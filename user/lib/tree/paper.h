/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derivation of each value of a tree: the formula in the method's names, in the part's
 * events, and with the counts inserted, for comparison with the paper's tables.
 */
#ifndef BPMU_PAPER_H
#define BPMU_PAPER_H

#include <stdio.h>

#include "tree.h"

void bpmu_paper_print(FILE *out, const struct bpmu_tree *tree,
		      const double *const *counts,
		      const struct bpmu_tree_value *values, const char *only);

#endif /* BPMU_PAPER_H */
