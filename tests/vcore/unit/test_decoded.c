// SPDX-License-Identifier: GPL-2.0
/* Contents of the uop cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "frontend/decoded.h"

#define CODE 0x10000ull
#define WINDOW 32ull
#define SET (WINDOW * vcore_ivb.front.dsb.sets)

static int setup(void **state)
{
	*state = vcore_decoded_new(&vcore_ivb.front);
	return !*state;
}

static int teardown(void **state)
{
	vcore_decoded_free(*state);
	return 0;
}

static void add_insn(struct vcore_decoded *decoded, uint64_t pa, unsigned int slots,
		     enum vcore_branch branch)
{
	struct vcore_insn insn = { .pc = pa, .pa = pa, .branch = branch };

	vcore_decoded_add(decoded, &insn, slots, false);
}

/* Adds instructions of @size bytes at @from up to @to, and closes the last window. */
static void add_window_insns(struct vcore_decoded *decoded, uint64_t from, uint64_t to,
			     unsigned int size)
{
	for (; from < to; from += size)
		add_insn(decoded, from, 1, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
}

static void a_decoded_window_is_found(void **state)
{
	struct vcore_decoded *decoded = *state;

	assert_false(vcore_decoded_has(decoded, CODE));
	add_window_insns(decoded, CODE, CODE + WINDOW, 4);
	assert_true(vcore_decoded_has(decoded, CODE));
	assert_true(vcore_decoded_has(decoded, CODE + 28));
	assert_false(vcore_decoded_has(decoded, CODE + 2));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW));
}

static void a_window_holds_18_uops(void **state)
{
	struct vcore_decoded *decoded = *state;
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

/* The uops of an instruction are never split over two ways. */
static void instructions_are_not_split_over_ways(void **state)
{
	struct vcore_decoded *decoded = *state;
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_insn(decoded, CODE + 8 * i, 4, VCORE_NO_BRANCH);
	vcore_decoded_close(decoded);
	assert_false(vcore_decoded_has(decoded, CODE));
}

static void a_window_holds_6_branches(void **state)
{
	struct vcore_decoded *decoded = *state;
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

static void microcode_fills_a_way(void **state)
{
	struct vcore_decoded *decoded = *state;
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

/* A window that was entered in its middle lacks the instructions before. */
static void a_window_entered_in_its_middle_lacks_earlier_instructions(void **state)
{
	struct vcore_decoded *decoded = *state;

	add_window_insns(decoded, CODE + 16, CODE + WINDOW, 4);
	assert_false(vcore_decoded_has(decoded, CODE));
	add_window_insns(decoded, CODE, CODE + 16, 4);
	assert_true(vcore_decoded_has(decoded, CODE));
	assert_true(vcore_decoded_has(decoded, CODE + 16));
}

/* A set of 8 ways holds four windows of two ways; a fifth evicts the LRU window. */
static void a_set_evicts_its_lru_window(void **state)
{
	struct vcore_decoded *decoded = *state;
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

static void a_dropped_line_is_not_found(void **state)
{
	struct vcore_decoded *decoded = *state;

	add_window_insns(decoded, CODE, CODE + 4 * WINDOW, 4);
	vcore_decoded_drop(decoded, CODE + 40);
	assert_false(vcore_decoded_has(decoded, CODE));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW));
	assert_true(vcore_decoded_has(decoded, CODE + 2 * WINDOW));
}

#define TEST(function) \
	{ #function, function, setup, teardown, NULL }

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_decoded_window_is_found),
		TEST(a_window_holds_18_uops),
		TEST(instructions_are_not_split_over_ways),
		TEST(a_window_holds_6_branches),
		TEST(microcode_fills_a_way),
		TEST(a_window_entered_in_its_middle_lacks_earlier_instructions),
		TEST(a_set_evicts_its_lru_window),
		TEST(a_dropped_line_is_not_found),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("vcore uop cache", tests, NULL,
					   NULL);
}
