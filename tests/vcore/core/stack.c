// SPDX-License-Identifier: GPL-2.0
#include "stack.h"

/**
 * vcore_stack_cycle() - account for a stage's cycle
 * @stack: what the stage carries; @width of the core
 * @counts: to add to
 * @stage: which
 * @slots: of the correct path that it processed
 * @lost: why it processed no more; matters only if there was room
 */
void vcore_stack_cycle(struct vcore_stack *stack, struct vcore_counts *counts,
		       enum vcore_stage stage, unsigned int slots,
		       enum vcore_part lost)
{
	unsigned int base = slots + stack->carry[stage];

	stack->carry[stage] = 0;
	if (base > stack->width) {
		stack->carry[stage] = base - stack->width;
		base = stack->width;
	}
	counts->stack[stage][VCORE_PART_BASE] += base;
	counts->stack[stage][lost] += stack->width - base;
}

/**
 * vcore_stack_idle() - account for cycles in which a stage processed nothing
 * @stack: what the stage carries
 * @counts: to add to
 * @stage: which
 * @lost: why, the same in all of them
 * @cycles: how many
 */
void vcore_stack_idle(struct vcore_stack *stack, struct vcore_counts *counts,
		      enum vcore_stage stage, enum vcore_part lost,
		      uint64_t cycles)
{
	for (; cycles && stack->carry[stage]; cycles--)
		vcore_stack_cycle(stack, counts, stage, 0, lost);
	counts->stack[stage][lost] += stack->width * cycles;
}

/**
 * vcore_stack_undo() - slots that were processed turn out to be in vain
 * @stack: what the stage carries
 * @counts: to correct
 * @stage: which
 * @slots: that will be processed again
 *
 * The published correction for wrong paths, applied to machine clears: what the
 * base has too many is not its.
 */
void vcore_stack_undo(struct vcore_stack *stack, struct vcore_counts *counts,
		      enum vcore_stage stage, unsigned int slots)
{
	unsigned int carried = stack->carry[stage];

	if (carried > slots)
		carried = slots;
	stack->carry[stage] -= carried;
	counts->stack[stage][VCORE_PART_BASE] -= slots - carried;
	counts->stack[stage][VCORE_PART_CLEARS] += slots - carried;
}
