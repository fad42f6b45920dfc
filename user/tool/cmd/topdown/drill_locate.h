/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the source lines of the bottleneck that a drill-down has found: offers, or with --locate
 * makes, a recording of the interrupts by an event of the flagged node.
 */
#ifndef BPMU_DRILL_LOCATE_H
#define BPMU_DRILL_LOCATE_H

#include "command.h"
#include "topdown.h"

void bpmu_drill_offer(struct bpmu_topdown_view *topdown, const struct bpmu_tree_value *values);
int bpmu_drill_locate(const struct bpmu_ctx *ctx, const struct bpmu_topdown *topdown);

#endif /* BPMU_DRILL_LOCATE_H */
