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

/* An instruction of a window: its offset and slots; it may be a branch, or come from microcode. */
struct part {
	unsigned int offset, slots;
	enum vcore_branch branch;
	bool microcode;
};

#define MAX_PARTS 12

static void add_parts(struct vcore_decoded *decoded, uint64_t from, const struct part *parts)
{
	for (; parts->slots; parts++) {
		struct vcore_insn insn = {
			.pc = from + parts->offset, .pa = from + parts->offset,
			.branch = parts->branch,
		};

		vcore_decoded_add(decoded, &insn, parts->slots, parts->microcode);
	}
	vcore_decoded_close(decoded);
}

/*
 * Returns the number of ways that a window of @parts, to which @more were added later, occupies in the
 * uop cache: the ways of its set less the number of other windows, of one way each, that are there
 * with it. Returns 0 if the window is not cached.
 */
static unsigned int ways_of(const struct part *parts, const struct part *more)
{
	const struct vcore_front_params *params = &vcore_ivb.front;
	unsigned int others, i;

	for (others = 0; others <= params->dsb.ways; others++) {
		struct vcore_decoded *decoded = vcore_decoded_new(params);
		bool has;

		assert_non_null(decoded);
		add_parts(decoded, CODE, parts);
		if (more)
			add_parts(decoded, CODE, more);
		for (i = 0; i < others; i++) {
			add_insn(decoded, CODE + (i + 1) * SET, 1, VCORE_NO_BRANCH);
			vcore_decoded_close(decoded);
		}
		has = vcore_decoded_has(decoded, CODE + (more ? more : parts)->offset);
		for (i = 0; i < others; i++)
			assert_true(vcore_decoded_has(decoded, CODE + (i + 1) * SET));
		vcore_decoded_free(decoded);
		if (!has)
			return others ? params->dsb.ways + 1 - others : 0;
	}
	fail();
	return 0;
}

/* Parts of n slots, a branch of a type, and microcode. */
#define U(at, n) { at, n, VCORE_NO_BRANCH, false }
#define B(at, type) { at, 1, VCORE_##type, false }
#define M(at, n) { at, n, VCORE_NO_BRANCH, true }

/* A way has up to six slots, two branches or one flow of microcode, and ends with a jump. */
TEST(a_window_has_the_ways_that_its_instructions_need)
{
	static const struct {
		unsigned int ways;
		struct part parts[MAX_PARTS];
	} all[] = {
		{ 1, { U(0, 1) } },
		{ 1, { U(0, 6) } },
		{ 1, { U(0, 2), U(2, 3), U(4, 1) } },
		{ 2, { U(0, 2), U(2, 3), U(4, 2) } },
		{ 2, { U(0, 4), U(2, 4) } },
		{ 2, { U(0, 4), U(2, 4), U(4, 2) } },
		{ 3, { U(0, 4), U(2, 4), U(4, 3) } },
		{ 3, { U(0, 6), U(2, 6), U(4, 6) } },
		{ 0, { U(0, 6), U(2, 6), U(4, 6), U(6, 1) } },
		{ 1, { B(0, CONDITIONAL), B(2, CONDITIONAL) } },
		{ 1, { B(0, CONDITIONAL), B(2, CONDITIONAL), U(4, 4) } },
		{ 2, { B(0, CONDITIONAL), B(2, CONDITIONAL), B(4, CONDITIONAL) } },
		{ 2, { B(0, CONDITIONAL), B(2, CONDITIONAL), B(4, CONDITIONAL), B(6, CONDITIONAL) } },
		{ 3, { B(0, CONDITIONAL), B(2, CONDITIONAL), B(4, CONDITIONAL), B(6, CONDITIONAL), B(8, CONDITIONAL) } },
		{ 2, { B(0, CONDITIONAL), U(2, 6) } },
		{ 2, { U(0, 6), B(2, CONDITIONAL), B(4, CONDITIONAL) } },
		{ 1, { B(0, CALL) } },
		{ 2, { B(0, CALL), U(2, 1) } },
		{ 2, { B(0, JUMP), B(2, RETURN) } },
		{ 3, { B(0, JUMP), B(2, FAR), U(4, 1) } },
		{ 1, { U(0, 1), B(2, JUMP) } },
		{ 1, { M(0, 30) } },
		{ 2, { M(0, 2), U(2, 1) } },
		{ 2, { U(0, 1), M(2, 2) } },
		{ 3, { U(0, 1), M(2, 2), U(4, 1) } },
		{ 2, { M(0, 2), M(2, 2) } },
		{ 0, { U(0, 1), M(2, 9), M(4, 9), U(6, 1) } },
	};
	unsigned int i, ways;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		ways = ways_of(all[i].parts, NULL);
		if (ways != all[i].ways)
			fail_msg("window %u has %u ways", i, ways);
	}
}

/* What is decoded from another entry point joins a window if both need no more than three ways. */
TEST(a_window_is_joined_with_what_was_cached)
{
	static const struct {
		const char *name;
		unsigned int ways;
		bool old;
		struct part first[MAX_PARTS], second[MAX_PARTS];
	} all[] = {
		{ "one and one", 2, true, { U(0, 1) }, { U(8, 1) } },
		{ "two and one", 3, true, { U(0, 6), U(2, 1) }, { U(8, 1) } },
		{ "one and two", 3, true, { U(0, 6) }, { U(8, 6), U(10, 2) } },
		{ "two and two", 2, false, { U(0, 6), U(2, 1) }, { U(8, 6), U(10, 2) } },
		{ "one of both", 1, false, { U(0, 1), U(8, 1) }, { U(8, 1), U(10, 1) } },
		{ "too many", 0, false, { U(0, 1) },
		  { U(8, 6), U(10, 6), U(12, 6), U(14, 6) } },
	};
	unsigned int i, ways;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_decoded *decoded = vcore_decoded_new(&vcore_ivb.front);

		ways = ways_of(all[i].first, all[i].second);
		if (ways != all[i].ways)
			fail_msg("%s: %u ways", all[i].name, ways);
		add_parts(decoded, CODE, all[i].first);
		add_parts(decoded, CODE, all[i].second);
		assert_int_equal(vcore_decoded_has(decoded, CODE), all[i].old);
		assert_int_equal(vcore_decoded_has(decoded, CODE + 8), all[i].ways > 0);
		vcore_decoded_free(decoded);
	}
}

/* Instructions of the next window close the one before; closing again has no effect. */
TEST_BETWEEN(the_next_window_closes_the_one_before, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;

	add_insn(decoded, CODE + 30, 1, VCORE_NO_BRANCH);
	assert_false(vcore_decoded_has(decoded, CODE + 30));
	add_insn(decoded, CODE + WINDOW, 1, VCORE_NO_BRANCH);
	assert_true(vcore_decoded_has(decoded, CODE + 30));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW));
	vcore_decoded_close(decoded);
	assert_true(vcore_decoded_has(decoded, CODE + WINDOW));
	assert_false(vcore_decoded_has(decoded, CODE + WINDOW + 30));
	vcore_decoded_close(decoded);
	assert_true(vcore_decoded_has(decoded, CODE + WINDOW));
}

/* A line that leaves the L1I takes its windows with it, and no others, of the same set or not. */
TEST_BETWEEN(a_line_is_dropped_with_its_windows_only, setup, teardown)
{
	struct vcore_decoded *decoded = *test_state;
	unsigned int at, i, k;

	for (at = 0; at < 3; at++) {
		/* Three windows in each of six sets, the latest of which is the most recently used. */
		for (i = 0; i < 3; i++)
			for (k = 0; k < 6; k++) {
				add_insn(decoded, CODE + i * SET + k * WINDOW, 1, VCORE_NO_BRANCH);
				vcore_decoded_close(decoded);
			}
		vcore_decoded_drop(decoded, CODE + at * SET + 2 * WINDOW + 21 * at);
		for (i = 0; i < 3; i++)
			for (k = 0; k < 6; k++)
				assert_int_equal(vcore_decoded_has(decoded,
								   CODE + i * SET + k * WINDOW),
						 i != at || k < 2 || k > 3);
	}
	/* What was looked up last is forgotten, too. */
	assert_true(vcore_decoded_has(decoded, CODE));
	vcore_decoded_drop(decoded, CODE + 63);
	assert_false(vcore_decoded_has(decoded, CODE));
}

/* A window that needs more ways than are free evicts as many windows as it takes. */
TEST_BETWEEN(large_windows_evict_several_others, setup, teardown)
{
	static const struct part three[] = { U(0, 6), U(2, 6), U(4, 6), U(0, 0) };
	struct vcore_decoded *decoded = *test_state;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		add_insn(decoded, CODE + i * SET, 1, VCORE_NO_BRANCH);
		vcore_decoded_close(decoded);
	}
	for (i = 0; i < 8; i++)
		assert_true(vcore_decoded_has(decoded, CODE + i * SET));
	add_parts(decoded, CODE + 8 * SET, three);
	for (i = 0; i < 9; i++)
		assert_int_equal(vcore_decoded_has(decoded, CODE + i * SET), i > 2);
	vcore_decoded_free(NULL);
}

/* From a full set any window can be dropped, one after the other, in any order. */
TEST(windows_of_a_full_set_are_dropped_one_by_one)
{
	static const unsigned int order[3][8] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 7, 6, 5, 4, 3, 2, 1, 0 }, { 4, 0, 1, 7, 3, 2, 6, 5 },
	};
	unsigned int i, k, at;

	for (i = 0; i < 3; i++) {
		struct vcore_decoded *decoded = vcore_decoded_new(&vcore_ivb.front);
		bool dropped[8] = { false };

		assert_non_null(decoded);
		for (k = 0; k < 8; k++) {
			add_insn(decoded, CODE + k * SET, 1, VCORE_NO_BRANCH);
			vcore_decoded_close(decoded);
		}
		/* The cache has nothing of this line. */
		vcore_decoded_drop(decoded, CODE + 8 * SET);
		for (k = 0; k < 8; k++) {
			vcore_decoded_drop(decoded, CODE + order[i][k] * SET);
			dropped[order[i][k]] = true;
			for (at = 0; at < 8; at++)
				assert_int_equal(vcore_decoded_has(decoded, CODE + at * SET),
						 !dropped[at]);
		}
		vcore_decoded_free(decoded);
	}
}
