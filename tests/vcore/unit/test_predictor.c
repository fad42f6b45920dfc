// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's branch predictor: it learns some patterns of branches, and
 * mispredicts others as often as expected.
 */
#include <stdlib.h>
#include <string.h>

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

#define TABLES VCORE_HISTORY_LENGTHS
#define NONE (-1)

static const struct vcore_history no_history;

static struct vcore_tage_entry *tage_entry(struct vcore_tage *tage, int table)
{
	return &tage->table[table][vcore_history_index(&no_history, table, PC)];
}

static void set_tage_entry(struct vcore_tage *tage, int table, int counter, unsigned int useful)
{
	*tage_entry(tage, table) = (struct vcore_tage_entry){
		.tag = vcore_history_tag(&no_history, table, PC),
		.counter = counter, .useful = useful,
	};
}

/*
 * A branch, and what TAGE has of it: the counter of the base predictor, that of an entry (the
 * provider) and its usefulness, that of the entry with the next shorter history (the alternate), and
 * whether the alternate of new entries is used. Then the direction of the branch, what is predicted,
 * and the values afterwards. A table is NONE if there is no such entry.
 */
struct tage_case {
	int base, provider, counter, useful, alternate, other, use_alternate;
	bool taken, predicted;
	int base_after, counter_after, useful_after, use_after, allocated;
};

static void assert_tage(const struct tage_case *c)
{
	static struct vcore_tage tage, expected;
	int8_t *base = &tage.base[(PC ^ PC >> 13) % VCORE_TAGE_BASE];

	memset(&tage, 0, sizeof(tage));
	*base = c->base;
	if (c->provider != NONE)
		set_tage_entry(&tage, c->provider, c->counter, c->useful);
	if (c->alternate != NONE)
		set_tage_entry(&tage, c->alternate, c->other, 1);
	tage.use_alternate = c->use_alternate;
	expected = tage;
	expected.base[base - tage.base] = c->base_after;
	if (c->provider != NONE)
		set_tage_entry(&expected, c->provider, c->counter_after, c->useful_after);
	if (c->allocated != NONE) {
		set_tage_entry(&expected, c->allocated, c->taken ? 0 : -1, 0);
		/* The last table is the only one left, and nothing is skipped. */
		expected.allocations = c->allocated < TABLES - 1;
	}
	expected.use_alternate = c->use_after;
	expected.branches = 1;
	assert_int_equal(vcore_tage_taken(&tage, &no_history, PC, c->taken), c->predicted);
	assert_memory_equal(&tage, &expected, sizeof(tage));
}

/* The rules are those of the article that frontend/history.h cites. */
TEST(tage_predicts_by_its_longest_match)
{
	static const struct tage_case all[] = {
		/* The base predictor saturates at 2 bits; a wrong prediction allocates an entry. */
		{ 0, NONE, 0, 0, NONE, 0, 0, true, true, 1, 0, 0, 0, NONE },
		{ 1, NONE, 0, 0, NONE, 0, 0, true, true, 1, 0, 0, 0, NONE },
		{ 1, NONE, 0, 0, NONE, 0, 0, false, true, 0, 0, 0, 0, 0 },
		{ -1, NONE, 0, 0, NONE, 0, 0, true, false, 0, 0, 0, 0, 0 },
		{ -2, NONE, 0, 0, NONE, 0, 0, false, false, -2, 0, 0, 0, NONE },
		{ -1, NONE, 0, 0, NONE, 0, 0, false, false, -2, 0, 0, 0, NONE },
		/* An entry saturates at 3 bits. It is useful if it alone was right. */
		{ -2, 2, 2, 0, NONE, 0, 0, true, true, -2, 3, 1, 0, NONE },
		{ -2, 2, 3, 3, NONE, 0, 0, true, true, -2, 3, 3, 0, NONE },
		{ -2, 2, 3, 2, NONE, 0, 0, true, true, -2, 3, 3, 0, NONE },
		{ -2, 2, 3, 2, NONE, 0, 0, false, true, -2, 2, 1, 0, 3 },
		{ -2, 2, 1, 0, NONE, 0, 0, false, true, -2, 0, 0, 0, 3 },
		{ 1, 2, -4, 0, NONE, 0, 0, false, false, 1, -4, 1, 0, NONE },
		{ 1, 2, -3, 1, NONE, 0, 0, true, false, 1, -2, 0, 0, 3 },
		{ 1, 2, 2, 1, NONE, 0, 0, true, true, 1, 3, 1, 0, NONE },
		{ 1, 2, 2, 1, NONE, 0, 0, false, true, 1, 1, 1, 0, 3 },
		/* A new entry is believed only if such entries have been right. */
		{ -2, 2, 0, 0, NONE, 0, 0, true, false, -2, 1, 1, -1, 3 },
		{ -2, 2, 0, 0, NONE, 0, 0, false, false, -2, -1, 0, 1, NONE },
		{ -2, 2, 0, 0, NONE, 0, -1, true, true, -2, 1, 1, -2, NONE },
		{ -2, 2, 0, 0, NONE, 0, -1, false, true, -2, -1, 0, 0, 3 },
		{ 0, 2, -1, 0, NONE, 0, 0, true, true, 0, 0, 0, 1, NONE },
		{ 0, 2, -1, 0, NONE, 0, 0, false, true, 0, -2, 1, -1, 3 },
		{ 0, 2, -1, 0, NONE, 0, -3, false, false, 0, -2, 1, -4, NONE },
		{ -2, 2, 0, 0, NONE, 0, 7, false, false, -2, -1, 0, 7, NONE },
		{ -2, 2, 0, 0, NONE, 0, 6, false, false, -2, -1, 0, 7, NONE },
		{ -2, 2, 0, 0, NONE, 0, -7, true, true, -2, 1, 1, -7, NONE },
		{ -2, 2, 0, 0, NONE, 0, -6, true, true, -2, 1, 1, -7, NONE },
		{ 0, 2, 0, 0, NONE, 0, 3, true, true, 0, 1, 0, 3, NONE },
		/* An entry that is useful, or whose counter has moved, is not new. */
		{ -2, 2, 0, 1, NONE, 0, 0, true, true, -2, 1, 2, 0, NONE },
		{ -2, 2, 1, 0, NONE, 0, 0, true, true, -2, 2, 1, 0, NONE },
		{ 1, 2, -2, 0, NONE, 0, 0, false, false, 1, -3, 1, 0, NONE },
		/* The alternate is the next shorter match, and only the provider is trained. */
		{ 1, 4, 0, 0, 1, -2, 0, false, false, 1, -1, 0, 1, NONE },
		{ -2, 4, 0, 0, 1, 0, 0, true, true, -2, 1, 0, 0, NONE },
		{ -2, 1, 2, 0, 0, -1, 0, true, true, -2, 3, 1, 0, NONE },
		/* The next table is allocated, and there is none after the last one. */
		{ 0, 0, 3, 1, NONE, 0, 0, false, true, 0, 2, 1, 0, 1 },
		{ 0, TABLES - 2, 3, 1, NONE, 0, 0, false, true, 0, 2, 1, 0, TABLES - 1 },
		{ 0, TABLES - 1, 3, 1, NONE, 0, 0, false, true, 0, 2, 1, 0, NONE },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_tage(&all[i]);
}

/* An allocation leaves useful entries alone, and makes them less useful if there is no other. */
TEST(tage_allocates_no_useful_entries)
{
	static struct vcore_tage tage;
	int useful, i;

	for (useful = 0; useful <= TABLES; useful++) {
		memset(&tage, 0, sizeof(tage));
		for (i = 0; i < useful; i++)
			tage_entry(&tage, i)->useful = 2;
		vcore_tage_taken(&tage, &no_history, PC, false);
		for (i = 0; i < TABLES; i++) {
			assert_int_equal(tage_entry(&tage, i)->useful,
					 i < useful ? useful == TABLES ? 1 : 2 : 0);
			assert_int_equal(tage_entry(&tage, i)->tag,
					 i == useful ? vcore_history_tag(&no_history, i, PC) : 0);
		}
	}
}

/* Each third allocation skips a table. */
TEST(tage_spreads_its_allocations)
{
	static struct vcore_tage tage;
	unsigned int skipped, nr;

	for (nr = 0; nr < 9; nr++) {
		memset(&tage, 0, sizeof(tage));
		tage.allocations = nr;
		vcore_tage_taken(&tage, &no_history, PC, false);
		skipped = !tage_entry(&tage, 0)->tag;
		assert_int_equal(skipped, nr % 3 == 2);
		assert_int_equal(!!tage_entry(&tage, 1)->tag, skipped);
		assert_int_equal(tage_entry(&tage, 2)->tag, 0);
		assert_int_equal(tage.allocations, nr + 1);
	}
}

/* Branches of several pages have counters of their own in the base predictor. */
TEST(tage_tells_branches_apart)
{
	static struct vcore_tage tage;
	unsigned int i, k, moved = 0;

	for (i = 0; i < 64; i++)
		vcore_tage_taken(&tage, &no_history, (uint64_t)i << 13, true);
	for (k = 0; k < VCORE_TAGE_BASE; k++)
		moved += tage.base[k] == 1;
	assert_int_equal(moved, 64);
}

/* The entry of a loop before and after a branch, whose direction is @other by other predictors. */
struct loop_case {
	struct vcore_loop before;
	bool taken, other, predicted;
	struct vcore_loop after;
};

TEST(a_loop_is_predicted_when_its_trips_are_known)
{
	static const struct loop_case all[] = {
		/* A loop of 8 iterations that was seen often enough ends after them. */
		{ { PC, 8, 7, 2, true }, true, false, true, { PC, 8, 8, 2, true } },
		{ { PC, 8, 8, 2, true }, false, true, false, { PC, 8, 0, 3, true } },
		{ { PC, 8, 7, 2, false }, false, true, false, { PC, 8, 8, 2, false } },
		{ { PC, 8, 8, 2, false }, true, false, true, { PC, 8, 0, 3, false } },
		/* It is not predicted before, nor if it is too short, or too long for the counter. */
		{ { PC, 8, 8, 1, true }, false, true, true, { PC, 8, 0, 2, true } },
		{ { PC, 7, 7, 2, true }, false, true, true, { PC, 7, 0, 3, true } },
		{ { PC, 65534, 65534, 2, true }, false, true, false, { PC, 65534, 0, 3, true } },
		{ { PC, 65535, 65535, 2, true }, false, true, true, { PC, 65535, 0, 3, true } },
		/* The counter and the confidence saturate. */
		{ { PC, 65535, 65535, 2, true }, true, true, true, { PC, 65535, 65535, 2, true } },
		{ { PC, 65535, 65534, 2, true }, true, true, true, { PC, 65535, 65535, 2, true } },
		{ { PC, 8, 8, 6, true }, false, true, false, { PC, 8, 0, 7, true } },
		{ { PC, 8, 8, 7, true }, false, true, false, { PC, 8, 0, 7, true } },
		/* Another number of iterations than before ends the confidence. */
		{ { PC, 8, 8, 5, true }, true, true, false, { PC, 8, 9, 0, true } },
		{ { PC, 8, 5, 5, true }, false, true, true, { PC, 5, 0, 0, true } },
		{ { PC, 8, 12, 0, true }, false, true, true, { PC, 12, 0, 0, true } },
		{ { PC, 0, 0, 0, true }, true, true, true, { PC, 0, 1, 0, true } },
	};
	struct vcore_loops loops, expected;
	unsigned int set = (PC ^ PC >> 4) % VCORE_LOOPS_SETS, i, way;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (way = 0; way < VCORE_LOOPS_WAYS; way++) {
			memset(&loops, 0, sizeof(loops));
			loops.loop[set][way] = all[i].before;
			expected = loops;
			expected.loop[set][way] = all[i].after;
			assert_int_equal(vcore_loops_taken(&loops, PC, all[i].taken, all[i].other),
					 all[i].predicted);
			assert_memory_equal(&loops, &expected, sizeof(loops));
		}
}

/* A branch that others mispredict gets the next way, unless a loop that was confirmed is there. */
TEST(a_mispredicted_branch_becomes_a_loop)
{
	const unsigned int set = (PC ^ PC >> 4) % VCORE_LOOPS_SETS;
	struct vcore_loops loops = { .victim = VCORE_LOOPS_WAYS + 1 }, expected;
	struct vcore_loop *other = &loops.loop[set][1];

	*other = (struct vcore_loop){ .pc = PC + 1024, .trips = 9, .now = 3, .confidence = 2 };
	expected = loops;
	assert_true(vcore_loops_taken(&loops, PC, true, true));
	assert_false(vcore_loops_taken(&loops, PC, false, false));
	assert_memory_equal(&loops, &expected, sizeof(loops));
	/* the loop in the way loses confidence, and stays */
	assert_false(vcore_loops_taken(&loops, PC, true, false));
	expected.loop[set][1].confidence = 1;
	expected.victim++;
	assert_memory_equal(&loops, &expected, sizeof(loops));
	assert_true(vcore_loops_taken(&loops, PC, false, true));
	expected.loop[set][2] = (struct vcore_loop){ .pc = PC, .continues = true };
	expected.victim++;
	assert_memory_equal(&loops, &expected, sizeof(loops));
	assert_false(vcore_loops_taken(&loops, PC + 2048, true, false));
	expected.loop[set][3] = (struct vcore_loop){ .pc = PC + 2048 };
	expected.victim++;
	assert_memory_equal(&loops, &expected, sizeof(loops));
}

/* As many loops as there are entries are learnt if their branches are 16 bytes apart, as aligned code. */
TEST(loops_of_aligned_code_are_learnt)
{
	const unsigned int nr = VCORE_LOOPS_SETS * VCORE_LOOPS_WAYS / 2;
	static struct vcore_loops loops;
	unsigned int round, k, i;

	for (round = 0; round < 10; round++)
		for (k = 0; k < nr / VCORE_LOOPS_WAYS; k++)
			for (i = 0; i <= 20; i++)
				assert_true(predicts_iteration(&loops, PC + 16 * k, i < 20) == (i < 20) ||
					    round < 5);
	for (i = 0, k = 0; i < VCORE_LOOPS_SETS; i++)
		k += !!loops.loop[i][0].pc + !!loops.loop[i][1].pc + !!loops.loop[i][2].pc +
		     !!loops.loop[i][3].pc;
	assert_int_equal(k, nr / VCORE_LOOPS_WAYS);
}

static struct vcore_target *target_entry(struct vcore_targets *targets, unsigned int table)
{
	return &targets->table[table][vcore_history_index(&no_history, table, PC)];
}

static void set_target(struct vcore_targets *targets, unsigned int table, uint64_t to,
		       unsigned int confidence)
{
	*target_entry(targets, table) = (struct vcore_target){
		.to = to, .tag = vcore_history_tag(&no_history, table, PC),
		.confidence = confidence,
	};
}

/* The target of the longest match is predicted, and trained; others get an entry if it was wrong. */
TEST(a_target_is_that_of_the_longest_match)
{
	static struct vcore_targets targets, expected;
	unsigned int table, confidence;

	/* without an entry, the latest target is predicted, and gets none if that was right */
	assert_int_equal(vcore_targets_next(&targets, &no_history, PC, 7, 7), 7);
	assert_memory_equal(&targets, &expected, sizeof(targets));
	assert_int_equal(vcore_targets_next(&targets, &no_history, PC, 7, 8), 7);
	set_target(&expected, 0, 8, 0);
	assert_memory_equal(&targets, &expected, sizeof(targets));
	for (table = 0; table < VCORE_TARGETS_TABLES; table++)
		for (confidence = 0; confidence <= 3; confidence++) {
			memset(&targets, 0, sizeof(targets));
			if (table)
				set_target(&targets, table - 1, 50, 2);
			set_target(&targets, table, 60, confidence);
			expected = targets;
			assert_int_equal(vcore_targets_next(&targets, &no_history, PC, 7, 60), 60);
			target_entry(&expected, table)->confidence =
				confidence < 3 ? confidence + 1 : 3;
			assert_memory_equal(&targets, &expected, sizeof(targets));
			set_target(&targets, table, 60, confidence);
			expected = targets;
			assert_int_equal(vcore_targets_next(&targets, &no_history, PC, 7, 70), 60);
			set_target(&expected, table, confidence ? 60 : 70,
				   confidence ? confidence - 1 : 0);
			if (table + 1 < VCORE_TARGETS_TABLES)
				set_target(&expected, table + 1, 70, 0);
			assert_memory_equal(&targets, &expected, sizeof(targets));
		}
}

/* Entries that other branches have confirmed lose confidence before they are replaced. */
TEST(a_target_does_not_take_a_confirmed_entry)
{
	static struct vcore_targets targets, expected;
	unsigned int table;

	for (table = 0; table < VCORE_TARGETS_TABLES; table++)
		*target_entry(&targets, table) = (struct vcore_target){
			.to = 40, .tag = 1, .confidence = table == 2 ? 0 : 3,
		};
	expected = targets;
	assert_int_equal(vcore_targets_next(&targets, &no_history, PC, 7, 80), 7);
	target_entry(&expected, 0)->confidence = 2;
	target_entry(&expected, 1)->confidence = 2;
	set_target(&expected, 2, 80, 0);
	assert_memory_equal(&targets, &expected, sizeof(targets));
}

/* Targets are told apart in the history by any of their low bits. */
TEST(learns_patterns_of_close_targets)
{
	static const unsigned int order[5] = { 0, 1, 2, 1, 3 };
	static const uint64_t distances[] = { 1, 2, 0x10, 0x20, 0x200, 0x400 };
	unsigned int i, k;

	for (k = 0; k < sizeof(distances) / sizeof(*distances); k++) {
		unsigned int wrong = 0;

		predictor = vcore_predictor_new(&vcore_ivb.front);
		for (i = 0; i < 3000; i++)
			wrong += jump_wrong(0x400000 + order[i % 5] * distances[k]) && i >= 1000;
		vcore_predictor_free(predictor);
		if (wrong > 10)
			fail_msg("%u wrong at a distance of %#llx", wrong,
				 (unsigned long long)distances[k]);
	}
}

/* The branch whose last use is longest ago leaves the BTB, and takes its target with it. */
TEST(the_btb_evicts_its_lru_branch)
{
	struct vcore_front_params params = vcore_ivb.front;
	unsigned int i;

	params.btb = 4;
	params.btb_ways = 4;
	predictor = vcore_predictor_new(&params);
	for (i = 0; i < 4; i++)
		assert_int_equal(branch(VCORE_JUMP, false, PC + i * 8, 0x500000), VCORE_LATE);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 8, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 80, 0x500000), VCORE_LATE);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 24, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 8, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 80, 0x500000), VCORE_RIGHT);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 16, 0x500000), VCORE_LATE);
	assert_int_equal(branch(VCORE_JUMP, false, PC + 24, 0x500000), VCORE_LATE);
	vcore_predictor_free(predictor);
}

/* The BTB's sets are chosen by low bits of the address and by bits above the page. */
TEST(the_btb_holds_branches_of_many_pages)
{
	unsigned int late = 0, i;

	predictor = vcore_predictor_new(&vcore_ivb.front);
	for (i = 0; i < 2 * 256; i++)
		late += branch(VCORE_JUMP, false, PC + (i % 256) * 0x1000ull, 0x500000) == VCORE_LATE;
	assert_int_equal(late, 256);
	vcore_predictor_free(predictor);
}

/* Calls and returns of any type push and pop; other branches do not. */
TEST(only_calls_and_returns_use_the_stack_of_returns)
{
	predictor = vcore_predictor_new(&vcore_ivb.front);
	branch(VCORE_CALL, true, PC, 0x500000);
	branch(VCORE_JUMP, true, 0x500000, 0x600000);
	branch(VCORE_JUMP, false, 0x600000, 0x700000);
	branch(VCORE_CALL, false, 0x700000, 0x800000);
	assert_true(branch(VCORE_RETURN, false, 0x800010, 0x700000 + SIZE) != VCORE_WRONG);
	assert_true(branch(VCORE_RETURN, false, 0x700010, AFTER) != VCORE_WRONG);
	assert_int_equal(branch(VCORE_RETURN, false, 0x700010, AFTER), VCORE_WRONG);
	/* a direct jump is never mispredicted, also where it leads elsewhere */
	assert_int_equal(branch(VCORE_JUMP, false, 0x600000, 0x900000), VCORE_RIGHT);
	vcore_predictor_free(predictor);
}
