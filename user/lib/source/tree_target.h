/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_TREE_TARGET_H
#define BPMU_TREE_TARGET_H

#include "target.h"
#include "tree/tree.h"

int bpmu_tree_on_target(struct bpmu_tree *tree, struct bpmu_tree_wish *wish,
			struct bpmu_target *target, struct bpmu_error *err);

#endif /* BPMU_TREE_TARGET_H */
