// SPDX-License-Identifier: GPL-2.0
#include "stack.h"

/**
 * vcore_stack_cycle() - add one cycle of a stage to the virtual core's CPI stack
 * @stack: width of the CPI stacks, and slots that each stage carries to the next cycle
 * @counts: counts to which the slots of the cycle are added
 * @stage: the stage
 * @slots: number of slots of the correct path that the stage processed in the cycle
 * @lost: component to which the remaining slots of the cycle are attributed; unused if none remain
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
 * vcore_stack_idle() - add cycles in which a stage idled to the virtual core's CPI stack
 * @stack: width of the CPI stacks, and slots that each stage carries to the next cycle
 * @counts: counts to which the slots of the cycles are added
 * @stage: the stage, which processed no slot in these cycles
 * @lost: component to which the slots of the cycles are attributed, except the slots carried from
 *	earlier cycles
 * @cycles: number of cycles
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
 * vcore_stack_undo() - move slots in the virtual core's CPI stack from base to machine clears
 * @stack: width of the CPI stacks, and slots that each stage carries to the next cycle
 * @counts: counts in which the slots are moved
 * @stage: the stage
 * @slots: number of slots that were flushed, and that the stage will process again
 *
 * The paper "Multi-Stage CPI Stacks" corrects the stacks in this way for slots of the wrong path.
 * Here the slots are those that a machine clear flushes.
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
