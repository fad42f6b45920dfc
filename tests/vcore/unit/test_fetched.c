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

static struct vcore_fetched ended;
static unsigned int calls;

static void keep(void *data, const struct vcore_fetched *fetched)
{
	assert_ptr_equal(data, &calls);
	calls++;
	ended = *fetched;
}

static struct vcore_fetches new_fetches(uint64_t limit, uint64_t count)
{
	struct vcore_fetches fetches = { .tell = keep, .data = &calls };

	calls = 0;
	vcore_fetches_start(&fetches, limit, count);
	assert_true(fetches.on);
	return fetches;
}

static void assert_fetched(const struct vcore_fetched *is, const struct vcore_fetched *expected)
{
	assert_ptr_equal(is->insn, expected->insn);
	assert_int_equal(is->pc, expected->pc);
	assert_int_equal(is->cycles, expected->cycles);
	assert_int_equal(is->missed, expected->missed);
	assert_int_equal(is->from, expected->from);
	assert_int_equal(is->stlb_hit, expected->stlb_hit);
	assert_int_equal(is->walked, expected->walked);
	assert_int_equal(is->refill, expected->refill);
	assert_int_equal(is->decoded, expected->decoded);
}

/* A fetch is what its accesses have been, which may be of two lines, or be refused at first. */
TEST(a_fetch_is_described_by_its_accesses)
{
	static const struct vcore_insn insn;
	static const struct vcore_step step = { .insn = &insn, .pc = 0x1234 };
	static const struct {
		struct vcore_reply first, second;
		unsigned int nr;
		struct vcore_fetched fetched;
	} all[] = {
		/* no access: the line is that of the fetch before */
		{ { 0 }, { 0 }, 0, { &insn, 0x1234, 0, false, VCORE_NO_ACCESS, false, false, 0, false } },
		{ { .level = VCORE_AT_L1, .from = VCORE_AT_L1, .l1_done = 103 }, { 0 }, 1,
		  { &insn, 0x1234, 50, false, VCORE_AT_L1, false, false, 0, true } },
		{ { .level = VCORE_AT_FILL, .from = VCORE_AT_L3, .l1_done = 103 }, { 0 }, 1,
		  { &insn, 0x1234, 50, true, VCORE_AT_L3, false, false, 0, false } },
		{ { .level = VCORE_AT_L1, .from = VCORE_AT_L1, .l1_done = 107, .stlb_hit = true }, { 0 }, 1,
		  { &insn, 0x1234, 50, false, VCORE_AT_L1, true, false, 7, false } },
		{ { .level = VCORE_AT_L2, .from = VCORE_AT_L2, .l1_done = 130, .walked = true }, { 0 }, 1,
		  { &insn, 0x1234, 50, true, VCORE_AT_L2, false, true, 30, false } },
		/* the first line is farther, or the second */
		{ { .level = VCORE_AT_MEMORY, .from = VCORE_AT_MEMORY, .l1_done = 130, .walked = true },
		  { .level = VCORE_AT_L1, .from = VCORE_AT_L1, .l1_done = 150 }, 2,
		  { &insn, 0x1234, 50, true, VCORE_AT_MEMORY, false, true, 30, false } },
		{ { .level = VCORE_AT_L1, .from = VCORE_AT_L1, .l1_done = 104, .stlb_hit = true },
		  { .level = VCORE_AT_L2, .from = VCORE_AT_L2, .l1_done = 150 }, 2,
		  { &insn, 0x1234, 50, true, VCORE_AT_L2, true, false, 4, true } },
		/* a refused access begins the fetch, and tells nothing else */
		{ { .refused = true, .stlb_hit = true, .from = VCORE_AT_MEMORY, .level = VCORE_AT_MEMORY },
		  { .level = VCORE_AT_L1, .from = VCORE_AT_L1, .l1_done = 150 }, 2,
		  { &insn, 0x1234, 50, false, VCORE_AT_L1, false, false, 0, true } },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_fetches fetches = new_fetches(1, 0);

		if (all[i].nr)
			vcore_fetches_access(&fetches, 100, &all[i].first);
		if (all[i].nr > 1)
			vcore_fetches_access(&fetches, 120, &all[i].second);
		assert_int_equal(fetches.begun, all[i].nr > 0);
		if (all[i].nr)
			assert_int_equal(fetches.since, 100);
		vcore_fetches_end(&fetches, 150, &step, all[i].fetched.decoded);
		assert_int_equal(calls, 1);
		assert_fetched(&ended, &all[i].fetched);
		assert_false(fetches.on || fetches.begun);
		assert_fetched(&fetches.next, &(struct vcore_fetched){ .insn = NULL });
	}
}

/* The third of the fetches that are counted is told, and what the others were is forgotten. */
TEST(the_fetch_at_the_limit_is_told)
{
	static const struct vcore_reply miss = { .level = VCORE_AT_L2, .from = VCORE_AT_L2, .walked = true };
	static const struct vcore_insn insn;
	const struct vcore_step step = { .insn = &insn };
	struct vcore_fetches fetches = new_fetches(10, 7);

	vcore_fetches_access(&fetches, 100, &miss);
	vcore_fetches_end(&fetches, 110, &step, false);
	assert_false(fetches.begun || fetches.next.missed || fetches.next.walked);
	assert_int_equal(fetches.count, 8);
	vcore_fetches_end(&fetches, 120, &step, false);
	assert_int_equal(fetches.count, 9);
	assert_int_equal(calls, 0);
	assert_true(fetches.on);
	vcore_fetches_end(&fetches, 130, &step, true);
	assert_int_equal(calls, 1);
	assert_false(fetches.on || ended.missed || ended.walked);
	assert_int_equal(ended.cycles, 0);
	/* A fetch that has begun is forgotten when the count stops. */
	fetches = new_fetches(10, 0);
	vcore_fetches_access(&fetches, 100, &miss);
	vcore_fetches_stop(&fetches);
	assert_false(fetches.on || fetches.begun || fetches.next.missed);
	assert_int_equal(calls, 0);
	vcore_fetches_start(&fetches, 5, 3);
	assert_true(fetches.on && fetches.limit == 5 && fetches.count == 3);
}
