/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the mean retire latencies that the formulas of a tree need. */
#ifndef BPMU_LATENCIES_H
#define BPMU_LATENCIES_H

#include "tree.h"

int bpmu_tree_latencies(const struct bpmu_tree *tree, const char ***events, unsigned int *nr,
			struct bpmu_error *err);

#endif /* BPMU_LATENCIES_H */
