/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu topdown" evaluates and how it is printed.
 */
#ifndef BPMU_TOPDOWN_H
#define BPMU_TOPDOWN_H

#include <stdio.h>

#include "measure.h"
#include "options.h"
#include "target.h"
#include "tree.h"

/**
 * struct bpmu_topdown - a call of the command
 * @options: shared ones
 * @level: deepest level
 * @groups: print the groups, do not measure
 * @target: what it measures on
 * @tree: the method
 * @counts: [group][event], over all CPUs of the target
 * @seconds: how long that took
 * @lost: samples lost
 * @trees: printed so far
 * @out: where results go
 */
struct bpmu_topdown {
	struct bpmu_options options;
	unsigned int level;
	bool groups;
	struct bpmu_target target;
	struct bpmu_tree tree;
	double *counts[BPMU_TREE_GROUPS];
	double seconds;
	u64 lost;
	unsigned int trees;
	FILE *out;
};

void bpmu_topdown_tree(struct bpmu_topdown *topdown);
void bpmu_topdown_groups(const struct bpmu_topdown *topdown);

#endif /* BPMU_TOPDOWN_H */
