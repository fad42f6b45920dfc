/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multi-stage CPI stacks: at each stage of the pipeline, the slots of every cycle are attributed to
 * components.
 *
 * Source: S. Eyerman, W. Heirman, K. Du Bois, I. Hur, "Multi-Stage CPI Stacks", table 2.
 */
#ifndef VCORE_STACK_H
#define VCORE_STACK_H

#include "base/counts.h"

/**
 * struct vcore_stack - width of the CPI stacks, and slots carried from one cycle to the next
 * @width: slots per cycle in all stacks: the width of the narrowest stage
 * @carry: [stage], slots that a wider stage has processed beyond @width; they are added to the base
 *	component in later cycles
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
