// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of loads that the L1D refuses because no fill buffer is free. The simulation does not retry
 * them in each cycle, to be faster; this must not change their counts.
 */

#include "base/bits.h"
#include "program.h"
#include "test.h"

#define ROUNDS 400
#define FAR 0x10000000ull
#define PAGE 4096
#define LOADS 20

static const struct vcore_ideal real;
static struct vcore_program *program;

TEST_FIXTURE(setup)
{
	program = vcore_program_new(&vcore_ivb, &real);
	return !program;
}

TEST_FIXTURE(teardown)
{
	vcore_program_free(program);
	return 0;
}

/* Adds twice as many loads as there are fill buffers. All loads miss the DTLB and the L3. */
static void add_missing_loads(void)
{
	unsigned int i;

	for (i = 0; i < LOADS; i++)
		vcore_program_load(program, R(1), 0,
				   FAR + i * (64ull << 20) + 64 * i,
				   PAGE + 64, 0);
}

/*
 * All loads complete. Within one memory latency, at most as many loads complete as there are fill
 * buffers.
 */
TEST_BETWEEN(refused_loads_complete, setup, teardown)
{
	struct vcore_counts counts;
	uint64_t *plain = counts.plain;
	uint64_t least;

	add_missing_loads();
	counts = vcore_program_measure(program, 10, ROUNDS);
	assert_int_equal(plain[VCORE_LOADS], LOADS * ROUNDS);
	assert_int_equal(plain[VCORE_L3_MISS], LOADS * ROUNDS);
	assert_true(plain[VCORE_FILLS_FULL] > plain[VCORE_CYCLES] / 2);
	least = (uint64_t)vcore_ivb.memory.memory * LOADS * ROUNDS /
		vcore_ivb.memory.fills;
	assert_in_range(plain[VCORE_CYCLES], least, 4 * least);
}

/*
 * Once a load has a fill buffer for its line, loads of this line that were refused hit this buffer.
 */
TEST_BETWEEN(a_refused_load_joins_a_fill, setup, teardown)
{
	struct vcore_counts counts;

	add_missing_loads();
	vcore_program_load(program, R(1), 0, FAR + (LOADS - 1) * (64ull << 20) +
			   64 * (LOADS - 1) + 8, PAGE + 64, 0);
	counts = vcore_program_measure(program, 10, ROUNDS);
	assert_int_equal(counts.plain[VCORE_L3_MISS], LOADS * ROUNDS);
	assert_int_equal(counts.plain[VCORE_LFB_HIT], ROUNDS);
}

/* A refused load gets its data from an older store when the store's address becomes known. */
TEST_BETWEEN(a_refused_load_forwards, setup, teardown)
{
	uint64_t own = FAR + 100 * (64ull << 20);
	struct vcore_counts counts;

	add_missing_loads();
	vcore_program_alu(program, R(3), R(3), 1, 60);
	vcore_program_store(program, R(5), R(3), own, PAGE + 64, 0);
	vcore_program_load(program, R(4), 0, own, PAGE + 64, 0);
	counts = vcore_program_measure(program, 10, ROUNDS);
	/*
	 * Only the first execution causes a machine clear. The loads that the clear flushes hit the
	 * L1D when they are executed again.
	 */
	assert_in_range(counts.plain[VCORE_CLEARS], 0, 1);
	assert_in_range(counts.plain[VCORE_L1_HIT], ROUNDS, ROUNDS + LOADS);
	assert_int_equal(counts.plain[VCORE_L1_HIT] +
			 counts.plain[VCORE_L3_MISS], counts.plain[VCORE_LOADS]);
}

static void set_members(struct vcore_bits *bits)
{
	vcore_bits_set(bits, 3);
	vcore_bits_set(bits, 63);
	vcore_bits_set(bits, 64);
	vcore_bits_set(bits, VCORE_BITS - 1);
}

/* Counts the members of a set that come before the first member that the other set lacks. */
TEST(counts_members_before_a_missing_one)
{
	struct vcore_bits bits = { 0 };
	struct vcore_bits other = { 0 };

	set_members(&bits);
	set_members(&other);
	vcore_bits_set(&other, 5);
	assert_true(vcore_bits_within(&bits, &other));
	vcore_bits_clear(&other, 64);
	assert_false(vcore_bits_within(&bits, &other));
	assert_int_equal(vcore_bits_run(&bits, &other, 0), 2);
	assert_int_equal(vcore_bits_run(&bits, &other, 4), 1);
	assert_int_equal(vcore_bits_run(&bits, &other, 64), 0);
	assert_int_equal(vcore_bits_run(&bits, &other, 65), 3);
}

/* Moves the first members of a set, in circular order from a start index on, to two other sets. */
TEST(moves_members_in_circular_order)
{
	struct vcore_bits bits = { 0 };
	struct vcore_bits to = { 0 };
	struct vcore_bits too = { 0 };

	set_members(&bits);
	vcore_bits_set(&too, 7);
	vcore_bits_take(&bits, 60, 3, &to, &too);
	assert_int_equal(vcore_bits_first(&bits, 0), 3);
	assert_int_equal(vcore_bits_first(&bits, 4), 3);
	assert_int_equal(to.word[0], 1ull << 63);
	assert_int_equal(to.word[1], 1);
	assert_int_equal(to.word[VCORE_BITS_WORDS - 1], 1ull << 63);
	assert_int_equal(too.word[0], 1ull << 63 | 1 << 7);
	vcore_bits_take(&bits, 4, VCORE_BITS, &to, &too);
	assert_int_equal(vcore_bits_first(&bits, 0), VCORE_BITS_NONE);
	assert_int_equal(to.word[0], 1ull << 63 | 1 << 3);
}
