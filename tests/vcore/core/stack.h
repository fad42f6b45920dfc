/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accounting of multi-stage CPI stacks, as published.
 *
 * Source: S. Eyerman, W. Heirman, K. Du Bois, I. Hur, "Multi-Stage CPI Stacks",
 * table 2.
 */
#ifndef VCORE_STACK_H
#define VCORE_STACK_H

#include "base/counts.h"

/**
 * struct vcore_stack - state of the accounting between cycles
 * @width: slots per cycle, the smallest of the stages' widths
 * @carry: [stage], slots processed beyond @width, which are accounted for in
 *	later cycles
 */
struct vcore_stack {
	unsigned int width;
	unsigned int carry[VCORE_STAGES];
};

void vcore_stack_cycle(struct vcore_stack *stack, struct vcore_counts *counts,
		       enum vcore_stage stage, unsigned int slots,
		       enum vcore_part lost);
void vcore_stack_idle(struct vcore_stack *stack, struct vcore_counts *counts,
		      enum vcore_stage stage, enum vcore_part lost,
		      uint64_t cycles);
void vcore_stack_undo(struct vcore_stack *stack, struct vcore_counts *counts,
		      enum vcore_stage stage, unsigned int slots);

#endif /* VCORE_STACK_H */
