// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's branch predictor: it learns some patterns of branches, and
 * mispredicts others as often as expected.
 */
#include <stdlib.h>

#include "frontend/loops.h"
#include "frontend/predictor.h"
#include "frontend/tage.h"
#include "frontend/targets.h"
#include "test.h"

#define PC 0x401000ull
#define SIZE 2
#define AFTER (PC + SIZE)

static struct vcore_predictor *predictor;
static uint64_t seed;

TEST_FIXTURE(setup)
{
	seed = 88172645463325252ull;
	predictor = vcore_predictor_new(&vcore_ivb.front);
	return !predictor;
}

TEST_FIXTURE(teardown)
{
	vcore_predictor_free(predictor);
	return 0;
}

static unsigned int draw(unsigned int limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

static enum vcore_prediction branch(enum vcore_branch type, bool indirect,
				    uint64_t pc, uint64_t next_pc)
{
	struct vcore_insn insn = {
		.pc = pc, .size = SIZE, .branch = type, .indirect = indirect,
	};

	return vcore_predictor_branch(predictor, &insn, next_pc != pc + SIZE,
				      next_pc);
}

static bool conditional_wrong(uint64_t pc, bool taken)
{
	return branch(VCORE_CONDITIONAL, false, pc,
		      taken ? pc - 64 : pc + SIZE) == VCORE_WRONG;
}

static bool jump_wrong(uint64_t to)
{
	return branch(VCORE_JUMP, true, PC, to) == VCORE_WRONG;
}

static bool predicts_iteration(struct vcore_loops *loops, uint64_t pc, bool taken)
{
	/* The other predictors are assumed to predict that the loop continues. */
	return vcore_loops_taken(loops, pc, taken, true);
}

/*
 * The entry of a loop that has been learnt is not evicted for other branches that are mispredicted.
 */
TEST_BETWEEN(a_learnt_loop_is_not_evicted, setup, teardown)
{
	static struct vcore_loops loops;
	unsigned int round, i;

	for (round = 0; round < 10; round++)
		for (i = 0; i <= 20; i++)
			assert_true(predicts_iteration(&loops, PC, i < 20) == (i < 20) ||
				    round < 5);
	/* As many other branches of the same set are mispredicted as the set has ways. */
	for (i = 1; i <= VCORE_LOOPS_WAYS; i++)
		predicts_iteration(&loops, PC + ((uint64_t)i << 32), false);
	for (i = 0; i <= 20; i++)
		assert_int_equal(predicts_iteration(&loops, PC, i < 20), i < 20);
}

/* Each set keeps its own loops. */
TEST_BETWEEN(loops_of_all_sets_are_learnt, setup, teardown)
{
	struct vcore_loops *loops = calloc(1, sizeof(*loops));
	unsigned int set, round, i;

	assert_non_null(loops);
	for (round = 0; round < 10; round++)
		for (set = 0; set < VCORE_LOOPS_SETS; set++)
			for (i = 0; i <= 20; i++)
				assert_true(predicts_iteration(loops, PC + set, i < 20) == (i < 20) ||
					    round < 5);
	free(loops);
}

TEST_BETWEEN(learns_a_loop, setup, teardown)
{
	unsigned int wrong = 0, i, k;

	for (i = 0; i < 200; i++)
		for (k = 0; k < 300; k++)
			wrong += conditional_wrong(PC, k < 299) && i >= 10;
	assert_int_equal(wrong, 0);
}

/* The trip count is larger than the counter's maximum, so each exit of the loop is mispredicted. */
TEST_BETWEEN(mispredicts_each_exit_of_a_long_loop, setup, teardown)
{
	unsigned int i, k, wrong = 0;

	for (i = 0; i < 8; i++)
		for (k = 0; k < 100000; k++)
			wrong += conditional_wrong(PC, k < 99999);
	assert_in_range(wrong, 8, 16);
}

TEST_BETWEEN(learns_nested_loops, setup, teardown)
{
	unsigned int wrong = 0, i, k;

	for (i = 0; i < 2000; i++) {
		for (k = 0; k < 40; k++)
			wrong += conditional_wrong(PC, k < 39);
		wrong += conditional_wrong(PC + 100, i % 100 != 99);
	}
	assert_in_range(wrong, 0, 2000 * 41 / 100);
}

TEST_BETWEEN(mispredicts_half_of_random_branches, setup, teardown)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < 20000; i++)
		wrong += conditional_wrong(PC, draw(2));
	assert_in_range(wrong, 9400, 10600);
}

TEST_BETWEEN(mispredicts_the_rare_direction, setup, teardown)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < 20000; i++)
		wrong += conditional_wrong(PC, draw(10));
	assert_in_range(wrong, 1800, 2900);
}

TEST_BETWEEN(learns_a_pattern, setup, teardown)
{
	static const bool pattern[7] = { 1, 1, 0, 1, 0, 0, 1 };
	unsigned int wrong = 0, i;

	for (i = 0; i < 10000; i++)
		wrong += conditional_wrong(PC, pattern[i % 7]) && i >= 500;
	assert_in_range(wrong, 0, 10);
}

/* The second branch always goes in the same direction as the first. */
TEST_BETWEEN(learns_a_correlation, setup, teardown)
{
	unsigned int wrong = 0, i;
	bool taken;

	for (i = 0; i < 10000; i++) {
		taken = draw(2);
		conditional_wrong(PC, taken);
		wrong += conditional_wrong(PC + 50, taken) && i >= 1000;
	}
	assert_in_range(wrong, 0, 90);
}

TEST_BETWEEN(learns_a_pattern_of_targets, setup, teardown)
{
	static const uint64_t target[] = {
		0x402010, 0x402150, 0x403280, 0x402150, 0x404370
	};
	unsigned int wrong = 0, i;

	for (i = 0; i < 10000; i++)
		wrong += jump_wrong(target[i % 5]) && i >= 500;
	assert_in_range(wrong, 0, 10);
}

TEST_BETWEEN(mispredicts_random_targets, setup, teardown)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < 10000; i++)
		wrong += jump_wrong(0x402000 + 0x110 * draw(4));
	assert_in_range(wrong, 6500, 8300);
}

TEST_BETWEEN(learns_a_single_target, setup, teardown)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < 1000; i++) {
		conditional_wrong(PC + 80, draw(2));
		wrong += jump_wrong(0x402000) && i;
	}
	assert_int_equal(wrong, 0);
}

/* Returns the number of mispredicted returns from @depth nested calls. */
static unsigned int returns_wrong(unsigned int depth)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < depth; i++)
		branch(VCORE_CALL, false, PC + 32 * i, PC + 32 * (i + 1) - 8);
	while (i--)
		wrong += branch(VCORE_RETURN, true, PC + 32 * (i + 1),
				AFTER + 32 * i) == VCORE_WRONG;
	return wrong;
}

TEST_BETWEEN(predicts_returns_to_the_depth_of_the_stack, setup, teardown)
{
	unsigned int depth = vcore_ivb.front.returns;

	assert_int_equal(returns_wrong(depth), 0);
	assert_int_equal(returns_wrong(depth + 5), 5);
}

/*
 * Returns the number of BTB misses in two passes over @addresses branches, after a first pass that
 * fills the BTB.
 */
static unsigned int btb_misses(unsigned int addresses)
{
	unsigned int nr = 0, i;

	for (i = 0; i < 3 * addresses; i++)
		nr += branch(VCORE_JUMP, false, PC + i % addresses, 0x500000) ==
		      VCORE_LATE && i >= addresses;
	return nr;
}

TEST_BETWEEN(mispredicts_branches_beyond_the_btb, setup, teardown)
{
	assert_int_equal(btb_misses(vcore_ivb.front.btb / 2), 0);
	assert_int_equal(btb_misses(vcore_ivb.front.btb * 2),
			 vcore_ivb.front.btb * 4);
}

/* A branch that is never taken needs no entry of the BTB. */
TEST_BETWEEN(untaken_branches_need_no_btb_entry, setup, teardown)
{
	assert_int_equal(branch(VCORE_JUMP, false, PC, 0x500000), VCORE_LATE);
	assert_int_equal(branch(VCORE_JUMP, false, PC, 0x500000), VCORE_RIGHT);
	conditional_wrong(PC + 8, false);
	conditional_wrong(PC + 8, false);
	assert_int_equal(branch(VCORE_CONDITIONAL, false, PC + 8,
				PC + 8 + SIZE), VCORE_RIGHT);
}

/* Returns the number of entries of TAGE's tables whose useful counter is still 2. */
static unsigned int useful(const struct vcore_tage *tage)
{
	unsigned int nr = 0, i, k;

	for (i = 0; i < VCORE_HISTORY_LENGTHS; i++)
		for (k = 0; k < 1 << VCORE_HISTORY_INDEX; k++)
			nr += tage->table[i][k].useful == 2;
	return nr;
}

/*
 * TAGE halves its useful counters every 256 Ki branches, as in the paper that frontend/history.h
 * cites, and not before. A branch itself changes at most one entry of each table.
 */
TEST_BETWEEN(halves_useful_counters_periodically, setup, teardown)
{
	const unsigned int all = VCORE_HISTORY_LENGTHS << VCORE_HISTORY_INDEX;
	static const struct vcore_history history;
	static struct vcore_tage tage;
	unsigned int i, k;

	for (i = 0; i < VCORE_HISTORY_LENGTHS; i++)
		for (k = 0; k < 1 << VCORE_HISTORY_INDEX; k++)
			tage.table[i][k].useful = 2;
	for (i = 1; i < 1 << 18; i++)
		vcore_tage_taken(&tage, &history, PC, true);
	assert_in_range(useful(&tage), all - VCORE_HISTORY_LENGTHS, all);
	vcore_tage_taken(&tage, &history, PC, true);
	assert_int_equal(useful(&tage), 0);
}

/*
 * With one history, each new target of a branch takes an entry of the next table. When no table is
 * left, a target is replaced after as many wrong predictions as its confidence, which is at most 3,
 * and one more.
 */
TEST(a_confident_target_is_replaced_late)
{
	static struct vcore_targets targets;
	static const struct vcore_history history;
	uint64_t to = 0;
	unsigned int i;

	for (i = 1; i <= VCORE_TARGETS_TABLES; i++) {
		assert_int_equal(vcore_targets_next(&targets, &history, PC, 0, i * PC), to);
		to = i * PC;
		assert_int_equal(vcore_targets_next(&targets, &history, PC, 0, to), to);
	}
	for (i = 0; i < 5; i++)
		assert_int_equal(vcore_targets_next(&targets, &history, PC, 0, to), to);
	for (i = 0; i < 4; i++)
		assert_int_equal(vcore_targets_next(&targets, &history, PC, 0, AFTER), to);
	assert_int_equal(vcore_targets_next(&targets, &history, PC, 0, AFTER), AFTER);
}
