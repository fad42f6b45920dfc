/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs "barepmu topdown --drill": measures level 1 of the tree, and then only the children of nodes
 * that are flagged as bottlenecks.
 */
#ifndef BPMU_DRILL_RUN_H
#define BPMU_DRILL_RUN_H

#include "topdown.h"

int bpmu_drill_run(struct bpmu_topdown_view *topdown,
		   const struct bpmu_measure *measure, int *status,
		   struct bpmu_error *err);

#endif /* BPMU_DRILL_RUN_H */
