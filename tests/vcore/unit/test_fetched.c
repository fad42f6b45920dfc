// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tagged fetches: the front end counts windows of code that it fetches, and tells where
 * the code was, and how long it took, when the count reaches its limit.
 */

#include "bench.h"

#define WARM 2000
#define LARGE 8192

static struct vcore_fetched last;
static unsigned int told;

static void tell(void *data, const struct vcore_fetched *fetched)
{
	(void)data;
	told++;
	last = *fetched;
}

/* Counts @nr fetches while the program runs, and returns how many cycles that takes. */
static uint64_t tag(struct bench *bench, uint64_t nr)
{
	uint64_t begin = bench->cycle;
	unsigned int before = told;

	bench->fetches.tell = tell;
	vcore_fetches_start(&bench->fetches, nr, 0);
	while (told == before)
		bench_run(bench, 1);
	assert_false(bench->fetches.on);
	return bench->cycle - begin;
}

/* A program of @nr instructions of 8 bytes that is a loop. */
static void loop_of(struct bench *bench, unsigned int nr)
{
	bench_fill(bench, nr - 1, 8, 1);
	bench_branch(bench, VCORE_JUMP, 8);
}

TEST_BETWEEN(a_fetch_is_a_window, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	uint64_t window = 1 << bench->params.front.window_shift;
	uint64_t pc;
	unsigned int i;

	loop_of(bench, 64);
	bench_start(bench);
	bench_run(bench, WARM);
	tag(bench, 1);
	for (i = 0; i < 10; i++) {
		pc = last.insn->pc;
		tag(bench, 1);
		if (last.insn->pc < pc)
			assert_int_equal(last.insn->pc, BENCH_CODE);
		else
			assert_int_equal(last.insn->pc / window, pc / window + 1);
	}
	for (i = 0; i < 10; i++) {
		tag(bench, 3);
		assert_int_equal(last.insn->pc % window, 0);
	}
}

TEST_BETWEEN(a_loop_in_the_caches_hits, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	loop_of(bench, 64);
	bench_start(bench);
	bench_run(bench, WARM);
	for (i = 0; i < 20; i++) {
		tag(bench, 7);
		assert_false(last.missed || last.stlb_hit || last.walked);
		assert_true(last.decoded);
		assert_int_equal(last.cycles, 0);
	}
}

TEST_BETWEEN(code_that_is_new_misses, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i, far = 0, missed = 0, walked = 0;
	uint64_t cycles;

	bench->ideal.l1i = false;
	loop_of(bench, LARGE);
	bench_start(bench);
	for (i = 0; i < 400; i++) {
		cycles = tag(bench, 1);
		assert_false(last.decoded);
		assert_true(last.cycles <= cycles);
		if (last.missed)
			assert_true(last.from >= VCORE_AT_L2);
		if (!i)
			assert_true(last.from == VCORE_AT_MEMORY &&
				    last.cycles >= bench->params.memory.memory / 2);
		assert_true(last.walked || last.stlb_hit ? last.refill > 0 && last.refill <= last.cycles :
							    !last.refill);
		far += last.from == VCORE_AT_MEMORY;
		missed += last.missed;
		walked += last.walked;
	}
	/* 400 windows are 200 or so lines, some of which are prefetched to the L2, and 3 or so pages. */
	assert_in_range(missed, 100, 201);
	assert_in_range(far, 10, missed);
	assert_in_range(walked, 2, 4);
}

TEST_BETWEEN(a_fetch_that_is_given_up_is_forgotten, bench_setup, bench_teardown)
{
	const struct vcore_reply reply = { .level = VCORE_AT_MEMORY, .from = VCORE_AT_MEMORY };
	struct bench *bench = *test_state;

	loop_of(bench, 64);
	bench_start(bench);
	bench_run(bench, WARM);
	vcore_fetches_start(&bench->fetches, 1, 0);
	vcore_fetches_access(&bench->fetches, bench->cycle, &reply);
	vcore_front_refetch(bench->front, bench->trace.fetch, bench->cycle + 20);
	assert_false(bench->fetches.begun);
	tag(bench, 1);
	assert_int_equal(last.from, VCORE_AT_L1);
}
