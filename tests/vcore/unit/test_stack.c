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
