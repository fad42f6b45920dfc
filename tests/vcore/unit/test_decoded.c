// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's uop cache: how code is divided into windows, how many ways a window
 * needs, and which window is evicted.
 */

#include "frontend/decoded.h"
#include "test.h"

#define CODE 0x10000ull
#define WINDOW 32ull
#define SET (WINDOW * vcore_ivb.front.dsb.sets)

TEST_FIXTURE(setup)
{
	*test_state = vcore_decoded_new(&vcore_ivb.front);
	return !*test_state;
}

TEST_FIXTURE(teardown)
{
	vcore_decoded_free(*test_state);
	return 0;
}

static void add_insn(struct vcore_decoded *decoded, uint64_t pa, unsigned int slots,
		     enum vcore_branch branch)
{
	struct vcore_insn insn = { .pc = pa, .pa = pa, .branch = branch };

	vcore_decoded_add(decoded, &insn, slots, false);
}

/* Adds instructions of @size bytes from address @from up to @to, and closes the last window. */
static void add_window_insns(struct vcore_decoded *decoded, uint64_t from, uint64_t to,
			     unsigned int size)
{
	for (; from < to; from += size)
		add_insn(decoded, from, 1, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
}

TEST_BETWEEN(a_decoded_window_is_found, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;

	assert_false(vcore_decoded_has(decoded, CODE));
	add_window_insns(decoded, CODE, CODE + WINDOW, 4);
	assert_true(vcore_decoded_has(decoded, CODE));
	assert_true(vcore_decoded_has(decoded, CODE + 28));
	assert_false(vcore_decoded_has(decoded, CODE + 2));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW));
}

TEST_BETWEEN(a_window_holds_18_uops, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	unsigned int i;

	for (i = 0; i < 18; i++)
		add_insn(decoded, CODE + i, 1, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_true(vcore_decoded_has(decoded, CODE));
	for (i = 0; i < 19; i++)
		add_insn(decoded, CODE + i, 1, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_false(vcore_decoded_has(decoded, CODE));
}

TEST_BETWEEN(instructions_are_not_split_over_ways, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_insn(decoded, CODE + 8 * i, 4, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_false(vcore_decoded_has(decoded, CODE));
}

TEST_BETWEEN(a_window_holds_6_branches, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	unsigned int i;

	for (i = 0; i < 7; i++)
		add_insn(decoded, CODE + 2 * i, 1, VCORE_CONDITIONAL);
	vcore_decoded_close(decoded);
	assert_false(vcore_decoded_has(decoded, CODE));
	for (i = 0; i < 6; i++)
		add_insn(decoded, CODE + 2 * i, 1, VCORE_CONDITIONAL);
	vcore_decoded_close(decoded);
	assert_true(vcore_decoded_has(decoded, CODE));
}

TEST_BETWEEN(microcode_fills_a_way, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	struct vcore_insn insn = { .pc = CODE, .pa = CODE };

	vcore_decoded_add(decoded, &insn, 30, true);
	add_insn(decoded, CODE + 2, 6, VCORE_NO_BRANCH);
	add_insn(decoded, CODE + 4, 6, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_true(vcore_decoded_has(decoded, CODE));
	vcore_decoded_add(decoded, &insn, 30, true);
	add_insn(decoded, CODE + 2, 6, VCORE_NO_BRANCH);
	add_insn(decoded, CODE + 4, 6, VCORE_NO_BRANCH);
	add_insn(decoded, CODE + 6, 1, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_false(vcore_decoded_has(decoded, CODE));
}

/*
 * A window that is entered in its middle is cached without the instructions before the entry point.
 */
TEST_BETWEEN(a_window_entered_in_its_middle_lacks_earlier_instructions, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;

	add_window_insns(decoded, CODE + 16, CODE + WINDOW, 4);
	assert_false(vcore_decoded_has(decoded, CODE));
	add_window_insns(decoded, CODE, CODE + 16, 4);
	assert_true(vcore_decoded_has(decoded, CODE));
	assert_true(vcore_decoded_has(decoded, CODE + 16));
}

/*
 * A set of 8 ways holds four windows of two ways each; a fifth window evicts the least recently
 * used of the four.
 */
TEST_BETWEEN(a_set_evicts_its_lru_window, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_window_insns(decoded, CODE + i * SET, CODE + i * SET + 24, 2);
	assert_true(vcore_decoded_has(decoded, CODE + SET));
	assert_true(vcore_decoded_has(decoded, CODE));
	add_window_insns(decoded, CODE + 4 * SET, CODE + 4 * SET + 8, 2);
	assert_true(vcore_decoded_has(decoded, CODE));
	assert_true(vcore_decoded_has(decoded, CODE + SET));
	assert_false(vcore_decoded_has(decoded, CODE + 2 * SET));
	assert_true(vcore_decoded_has(decoded, CODE + 3 * SET));
	assert_true(vcore_decoded_has(decoded, CODE + 4 * SET));
}

TEST_BETWEEN(a_dropped_line_is_not_found, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;

	add_window_insns(decoded, CODE, CODE + 4 * WINDOW, 4);
	vcore_decoded_drop(decoded, CODE + 40);
	assert_false(vcore_decoded_has(decoded, CODE));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW));
	assert_true(vcore_decoded_has(decoded, CODE + 2 * WINDOW));
}
