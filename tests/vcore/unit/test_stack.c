// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the accounting of CPI stacks. The expected stacks of the traces were computed by hand
 * with the published algorithm that core/stack.h cites.
 */

#include "core/stack.h"
#include "test.h"

#define CYCLES 12

struct slots {
	unsigned int nr;
	enum vcore_part lost;
};

/* Subcomponent given for cycles that lose no slots; it has no effect. */
#define ALL VCORE_PART_BASE

static const struct slots trace[VCORE_STAGES][CYCLES] = {
	[VCORE_DISPATCH] = {
		{ 4, ALL }, { 4, ALL },
		{ 0, VCORE_PART_CODE_L2 }, { 0, VCORE_PART_CODE_L2 }, { 4, ALL },
		{ 0, VCORE_PART_MEMORY }, { 0, VCORE_PART_MEMORY }, { 0, VCORE_PART_MEMORY },
		{ 2, VCORE_PART_ALU }, { 2, VCORE_PART_CLEARS },
		{ 0, VCORE_PART_BPRED }, { 0, VCORE_PART_BPRED },
	},
	[VCORE_ISSUE] = {
		{ 0, VCORE_PART_CLEARS }, { 4, ALL }, { 3, VCORE_PART_DEPEND },
		{ 0, VCORE_PART_CODE_L2 }, { 0, VCORE_PART_CODE_L2 }, { 2, VCORE_PART_MEMORY },
		{ 0, VCORE_PART_MEMORY }, { 0, VCORE_PART_MEMORY },
		{ 3, VCORE_PART_ALU }, { 2, VCORE_PART_DEPEND },
		{ 2, VCORE_PART_BPRED }, { 0, VCORE_PART_BPRED },
	},
	[VCORE_COMMIT] = {
		{ 0, VCORE_PART_CLEARS }, { 0, VCORE_PART_DEPEND }, { 4, ALL },
		{ 3, VCORE_PART_CODE_L2 }, { 0, VCORE_PART_CODE_L2 }, { 0, VCORE_PART_MEMORY },
		{ 0, VCORE_PART_MEMORY }, { 0, VCORE_PART_MEMORY }, { 0, VCORE_PART_MEMORY },
		{ 6, ALL }, { 1, VCORE_PART_ALU }, { 2, VCORE_PART_BPRED },
	},
};

/* Expected slots, [stage][component], for the trace above. A cycle has four slots. */
static const uint64_t expected[VCORE_STAGES][VCORE_COMPONENTS] = {
	[VCORE_DISPATCH] = { 16, 8, 8, 12, 2, 0, 2 },
	[VCORE_ISSUE] = { 16, 8, 6, 10, 1, 3, 4 },
	[VCORE_COMMIT] = { 16, 5, 2, 16, 1, 4, 4 },
};

static void account_trace(struct vcore_counts *counts)
{
	struct vcore_stack stack = { .width = 4 };
	unsigned int stage, i;

	for (stage = 0; stage < VCORE_STAGES; stage++) {
		for (i = 0; i < CYCLES; i++)
			vcore_stack_cycle(&stack, counts, stage,
					  trace[stage][i].nr,
					  trace[stage][i].lost);
	}
}

TEST(components_of_the_core_have_values_computed_by_hand)
{
	struct vcore_counts counts = { 0 };
	unsigned int stage, i;

	account_trace(&counts);
	for (stage = 0; stage < VCORE_STAGES; stage++) {
		for (i = 0; i < VCORE_COMPONENTS; i++)
			assert_int_equal(vcore_component(&counts, stage, i),
					 expected[stage][i]);
	}
}

TEST(idle_cycles_are_attributed_to_their_cause)
{
	struct vcore_stack stack = { .width = 4 };
	struct vcore_counts counts = { 0 };
	const uint64_t *commit = counts.stack[VCORE_COMMIT];

	vcore_stack_cycle(&stack, &counts, VCORE_COMMIT, 11, VCORE_PART_CLEARS);
	vcore_stack_idle(&stack, &counts, VCORE_COMMIT, VCORE_PART_MEMORY, 5);
	assert_int_equal(commit[VCORE_PART_BASE], 11);
	assert_int_equal(commit[VCORE_PART_MEMORY], 13);
	assert_int_equal(commit[VCORE_PART_CLEARS], 0);
}

/*
 * The 6 slots of the second cycle are undone: 4 of them were counted in that cycle, and 2 were
 * carried over to the third.
 */
TEST(undone_slots_are_not_counted)
{
	struct vcore_stack stack = { .width = 4 };
	struct vcore_counts counts = { 0 };
	const uint64_t *issue = counts.stack[VCORE_ISSUE];

	vcore_stack_cycle(&stack, &counts, VCORE_ISSUE, 4, VCORE_PART_CLEARS);
	vcore_stack_cycle(&stack, &counts, VCORE_ISSUE, 6, VCORE_PART_CLEARS);
	vcore_stack_undo(&stack, &counts, VCORE_ISSUE, 6);
	vcore_stack_cycle(&stack, &counts, VCORE_ISSUE, 0, VCORE_PART_CODE_L2);
	assert_int_equal(issue[VCORE_PART_BASE], 4);
	assert_int_equal(issue[VCORE_PART_CLEARS], 4);
	assert_int_equal(issue[VCORE_PART_CODE_L2], 4);
}

static struct vcore_stack carrying(unsigned int slots)
{
	struct vcore_stack stack = { .width = 4 };

	stack.carry[VCORE_ISSUE] = slots;
	/* Other stages carry slots of their own. */
	stack.carry[VCORE_DISPATCH] = 100;
	stack.carry[VCORE_COMMIT] = 200;
	return stack;
}

static void assert_stack(const struct vcore_stack *stack, const struct vcore_counts *counts,
			 unsigned int carry, int base, int lost)
{
	struct vcore_counts expected = { 0 };

	expected.stack[VCORE_ISSUE][VCORE_PART_BASE] = base;
	expected.stack[VCORE_ISSUE][VCORE_PART_CLEARS] = lost;
	assert_memory_equal(counts, &expected, sizeof(expected));
	assert_int_equal(stack->width, 4);
	assert_int_equal(stack->carry[VCORE_ISSUE], carry);
	assert_int_equal(stack->carry[VCORE_DISPATCH], 100);
	assert_int_equal(stack->carry[VCORE_COMMIT], 200);
}

/* The slots of a cycle and those that earlier cycles carry are no more than the width, the rest is carried. */
TEST(slots_beyond_the_width_are_carried)
{
	static const struct {
		unsigned int carried, slots, carry, base;
	} all[] = {
		{ 0, 0, 0, 0 }, { 0, 3, 0, 3 }, { 0, 4, 0, 4 }, { 0, 5, 1, 4 },
		{ 2, 0, 0, 2 }, { 2, 1, 0, 3 }, { 2, 2, 0, 4 }, { 2, 3, 1, 4 },
		{ 4, 0, 0, 4 }, { 9, 0, 5, 4 }, { 9, 8, 13, 4 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_stack stack = carrying(all[i].carried);
		struct vcore_counts counts = { 0 };

		vcore_stack_cycle(&stack, &counts, VCORE_ISSUE, all[i].slots, VCORE_PART_CLEARS);
		assert_stack(&stack, &counts, all[i].carry, all[i].base, 4 - all[i].base);
	}
}

/* Carried slots are counted in the first idle cycles, as many as there are. */
TEST(idle_cycles_take_the_carried_slots)
{
	static const struct {
		unsigned int carried, cycles, carry, base, lost;
	} all[] = {
		{ 0, 0, 0, 0, 0 }, { 0, 1, 0, 0, 4 }, { 0, 1000, 0, 0, 4000 },
		{ 3, 0, 3, 0, 0 }, { 3, 1, 0, 3, 1 }, { 3, 2, 0, 3, 5 },
		{ 9, 1, 5, 4, 0 }, { 9, 2, 1, 8, 0 }, { 9, 3, 0, 9, 3 }, { 9, 5, 0, 9, 11 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_stack stack = carrying(all[i].carried);
		struct vcore_counts counts = { 0 };

		vcore_stack_idle(&stack, &counts, VCORE_ISSUE, VCORE_PART_CLEARS, all[i].cycles);
		assert_stack(&stack, &counts, all[i].carry, all[i].base, all[i].lost);
	}
}

/* Slots that are still carried are undone first, and need not be moved, because no cycle has them. */
TEST(carried_slots_are_undone_first)
{
	static const struct {
		unsigned int carried, slots, carry;
		int moved;
	} all[] = {
		{ 0, 0, 0, 0 }, { 0, 3, 0, 3 }, { 5, 0, 5, 0 }, { 5, 4, 1, 0 },
		{ 5, 5, 0, 0 }, { 5, 6, 0, 1 }, { 5, 12, 0, 7 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_stack stack = carrying(all[i].carried);
		struct vcore_counts counts = { 0 };

		counts.stack[VCORE_ISSUE][VCORE_PART_BASE] = 50;
		counts.stack[VCORE_ISSUE][VCORE_PART_CLEARS] = 20;
		vcore_stack_undo(&stack, &counts, VCORE_ISSUE, all[i].slots);
		assert_stack(&stack, &counts, all[i].carry, 50 - all[i].moved, 20 + all[i].moved);
	}
}
