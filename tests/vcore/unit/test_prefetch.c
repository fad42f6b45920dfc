// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's hardware prefetchers: each prefetches the lines that its rules demand
 * for given accesses, and none when it is off.
 */

#include "access.h"
#include "memory/hierarchy.h"

static struct core core;

TEST_FIXTURE(create_core)
{
	core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
	return 0;
}

TEST_FIXTURE(free_core)
{
	core_free(&core);
	return 0;
}

/* Turns on the prefetchers of the mask @which, and turns off all others. */
static void enable_only(unsigned int which)
{
	vcore_memory_prefetchers(core.memory, ALL_PREFETCHERS & ~which);
}

/*
 * Counts the lines of the page, from line @first on, that a load finds at level @most or nearer to
 * the core.
 */
static unsigned int nr_prefetched(unsigned int first, enum vcore_level most)
{
	unsigned int line, nr = 0;

	vcore_memory_prefetchers(core.memory, ALL_PREFETCHERS);
	wait(&core, 5000);
	for (line = first; line < PAGE / LINE; line++)
		nr += load(&core, BASE + line * LINE).level <= most;
	return nr;
}

/* The L2 streamer prefetches 20 lines ahead of an ascending stream. */
TEST_BETWEEN(an_ascending_stream_prefetches_20_lines_ahead, create_core, free_core)
{
	unsigned int line;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	for (line = 0; line < 30; line++) {
		load(&core, BASE + line * LINE);
		wait(&core, 500);
	}
	assert_int_equal(nr_prefetched(30, VCORE_AT_L2), 20);
	assert_true(core.counts.plain[VCORE_L2_PREFETCHES] >= 46);
}

/* The L2 streamer follows two streams in two pages, whatever the distance of the pages. */
TEST_BETWEEN(two_streams_prefetch_in_their_pages, create_core, free_core)
{
	const uint64_t distances[] = { 1, 32, 1024, 4096 };
	unsigned int line, i;

	for (i = 0; i < sizeof(distances) / sizeof(*distances); i++) {
		core_free(&core);
		core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
		enable_only(VCORE_PREFETCH_L2_STREAM);
		for (line = 0; line < 30; line++) {
			load(&core, BASE + distances[i] * PAGE + line * LINE);
			wait(&core, 500);
			load(&core, BASE + line * LINE);
			wait(&core, 500);
		}
		assert_int_equal(nr_prefetched(30, VCORE_AT_L2), 20);
	}
}

/* While many requests are outstanding, the L2 streamer prefetches into the L3 only. */
TEST_BETWEEN(a_busy_streamer_prefetches_into_the_l3, create_core, free_core)
{
	unsigned int line, l2, l3;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	for (line = 0; line < 30; line++)
		load(&core, BASE + line * LINE);
	vcore_memory_prefetchers(core.memory, ALL_PREFETCHERS);
	wait(&core, 5000);
	for (l2 = 0, l3 = 0; line < PAGE / LINE; line++) {
		enum vcore_level level = load(&core, BASE + line * LINE).level;

		l2 += level == VCORE_AT_L2;
		l3 += level == VCORE_AT_L3;
	}
	assert_int_equal(l2 + l3, 20);
	assert_in_range(l3, 4, 16);
}

TEST_BETWEEN(a_descending_stream_prefetches, create_core, free_core)
{
	unsigned int line;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	for (line = 63; line > 33; line--) {
		load(&core, BASE + line * LINE);
		wait(&core, 500);
	}
	vcore_memory_prefetchers(core.memory, ALL_PREFETCHERS);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE + 20 * LINE).level, VCORE_AT_L2);
	assert_int_equal(load(&core, BASE + 10 * LINE).level, VCORE_AT_MEMORY);
}

/* The L2 streamer does not prefetch beyond a page, nor after accesses in random order. */
TEST_BETWEEN(a_stream_ends_at_its_page, create_core, free_core)
{
	static const unsigned int order[] = { 5, 40, 7, 33, 20, 50, 3 };
	unsigned int i;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	for (i = 0; i < PAGE / LINE; i++)
		load(&core, BASE + i * LINE);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE + PAGE).level, VCORE_AT_MEMORY);
	core.counts.plain[VCORE_L2_PREFETCHES] = 0;
	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		load(&core, BASE + 9 * PAGE + order[i] * LINE);
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 0);
}

TEST_BETWEEN(the_adjacent_line_is_prefetched, create_core, free_core)
{
	enable_only(VCORE_PREFETCH_L2_ADJACENT);
	load(&core, BASE);
	load(&core, BASE + PAGE + LINE);
	wait(&core, 5000);
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 2);
	assert_int_equal(load(&core, BASE + LINE).level, VCORE_AT_L2);
	assert_int_equal(load(&core, BASE + PAGE).level, VCORE_AT_L2);
	assert_int_equal(load(&core, BASE + 2 * LINE).level, VCORE_AT_MEMORY);
}

/* Two reads at ascending offsets of a line make the next-line prefetcher fetch the next line. */
TEST_BETWEEN(ascending_reads_prefetch_the_next_line, create_core, free_core)
{
	enable_only(VCORE_PREFETCH_L1_NEXT);
	load(&core, BASE);
	load(&core, BASE + 8);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE + LINE).level, VCORE_AT_L1);
	/* Reads at descending offsets prefetch nothing. */
	load(&core, BASE + PAGE + 8);
	load(&core, BASE + PAGE);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE + PAGE + LINE).level,
			 VCORE_AT_MEMORY);
}

/*
 * One instruction loads with a constant stride. Between its loads are those of another instruction.
 */
TEST_BETWEEN(a_constant_stride_prefetches, create_core, free_core)
{
	unsigned int i;

	enable_only(VCORE_PREFETCH_L1_IP);
	for (i = 0; i < 4; i++) {
		core.cycle = load_now(&core, PC, BASE + i * 640).done;
		core.cycle = load_now(&core, PC + 5, BASE + PAGE).done;
	}
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE + 4 * 640).level, VCORE_AT_L1);
}

TEST_BETWEEN(each_bit_turns_its_prefetcher_off, create_core, free_core)
{
	unsigned int i;

	enable_only(0);
	for (i = 0; i < 30; i++) {
		load(&core, BASE + i * LINE);
		load(&core, BASE + i * LINE + 8);
	}
	assert_int_equal(nr_prefetched(30, VCORE_AT_L3), 0);
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 0);
	assert_int_equal(core.counts.plain[VCORE_L2_DEMAND_READS],
			 PAGE / LINE);
}

TEST_BETWEEN(knights_corner_has_only_the_streamer, create_core, free_core)
{
	unsigned int line;

	free_core(test_state);
	core_new(&core, &vcore_knc, 0, 0);
	load(&core, BASE);
	load(&core, BASE + 8);
	assert_int_equal(core.counts.plain[VCORE_HWP_L2MISS], 0);
	/* The first load reads its own line from memory, and two lines of page tables. */
	assert_int_equal(core.counts.plain[VCORE_L2_READ_MEM_FILL], 3);
	for (line = 0; line < 20; line++)
		load(&core, BASE + line * LINE);
	assert_true(core.counts.plain[VCORE_HWP_L2MISS] >= 30);
}

static bool in_l1d(uint64_t address)
{
	return vcore_cache_find(&core.memory->l1d, address / LINE);
}

static bool in_l2(uint64_t address)
{
	return vcore_cache_find(&core.memory->l2, address / LINE);
}

/*
 * A load instruction repeats its stride after its third load, and triggers with the fourth one. The
 * stride is less than 2 KB, in either direction, and leads to another line of the page.
 */
TEST_BETWEEN(strides_below_2_kb_prefetch, create_core, free_core)
{
	static const struct {
		int first;
		int stride;
		unsigned int loads;
		bool prefetches;
	} all[] = {
		{ 0, 640, 3, false }, { 0, 640, 4, true }, { 0, 960, 4, true }, { 4032, -960, 4, true },
		{ 4032, -640, 4, true }, { 0, 1024, 4, false }, { 4032, -1024, 4, false },
		{ 1024, 64, 4, true }, { 64, 8, 4, false }, { 64, 16, 4, true }, { 64, 0, 4, false },
		{ 2048, -64, 4, true }, { -3 * 2047, 2047, 4, true }, { -3 * 2048, 2048, 4, false },
		{ 4000 + 3 * 2047, -2047, 4, true }, { 4000 + 3 * 2048, -2048, 4, false },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t address = BASE + all[i].first;

		core_free(&core);
		core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
		enable_only(VCORE_PREFETCH_L1_IP);
		for (k = 0; k < all[i].loads; k++, address += all[i].stride)
			core.cycle = load_now(&core, PC, address).done;
		if (all[i].stride)
			assert_int_equal(in_l1d(address), all[i].prefetches ||
					 address / LINE == (address - all[i].stride) / LINE);
		assert_int_equal(core.counts.plain[VCORE_L2_DEMAND_READS], 1 + all[i].prefetches +
				 (all[i].stride <= -64 || all[i].stride >= 64 ? all[i].loads - 1 : 0));
	}
}

/* A load with another stride has to repeat this one, too; so has another instruction. */
TEST_BETWEEN(another_stride_begins_anew, create_core, free_core)
{
	unsigned int i;

	enable_only(VCORE_PREFETCH_L1_IP);
	for (i = 0; i < 3; i++)
		core.cycle = load_now(&core, PC, BASE + i * 128).done;
	/* The fourth load has another stride, which must be repeated twice. */
	for (i = 0; i < 2; i++)
		core.cycle = load_now(&core, PC, BASE + 1024 + i * 192).done;
	core.cycle = load_now(&core, PC, BASE + 1024 + 2 * 192).done;
	assert_false(in_l1d(BASE + 1024 + 3 * 192));
	core.cycle = load_now(&core, PC, BASE + 1024 + 3 * 192).done;
	assert_true(in_l1d(BASE + 1024 + 4 * 192));
	/* An instruction with the same low address bits takes the entry. */
	core.cycle = load_now(&core, PC + VCORE_STRIDES, BASE + 3000).done;
	core.cycle = load_now(&core, PC, BASE + 1024 + 4 * 192).done;
	core.cycle = load_now(&core, PC, BASE + 1024 + 5 * 192).done;
	assert_false(in_l1d(BASE + 1024 + 6 * 192));
}

/* While more than half of the fill buffers are in use, the L1D prefetches nothing. */
TEST_BETWEEN(l1_prefetches_need_half_of_the_fill_buffers, create_core, free_core)
{
	unsigned int busy, i;

	for (busy = 5; busy <= 6; busy++) {
		uint64_t base = BASE + busy * 16 * PAGE;

		enable_only(0);
		load(&core, base);
		wait(&core, 5000);
		for (i = 0; i < busy; i++)
			load_now(&core, PC, base + (10 + i) * LINE);
		enable_only(VCORE_PREFETCH_L1_NEXT);
		load_now(&core, PC, base + 8);
		load_now(&core, PC, base + 16);
		assert_int_equal(in_l1d(base + LINE), busy == 5);
	}
}

/* The next line is prefetched once, and never that of the next page. */
TEST_BETWEEN(a_next_line_is_prefetched_once, create_core, free_core)
{
	enable_only(VCORE_PREFETCH_L1_NEXT);
	load(&core, BASE);
	assert_false(in_l1d(BASE + LINE));
	/* Reads of one offset do not ascend. */
	load(&core, BASE);
	assert_false(in_l1d(BASE + LINE));
	load(&core, BASE + 8);
	assert_true(in_l1d(BASE + LINE));
	vcore_cache_remove(&core.memory->l1d, BASE / LINE + 1);
	wait(&core, 5000);
	load(&core, BASE + 16);
	load(&core, BASE + 24);
	assert_false(in_l1d(BASE + LINE));
	/* A line with the same index is another one, and takes its place. */
	load(&core, BASE + VCORE_ASCENTS * LINE + 32);
	assert_false(in_l1d(BASE + (VCORE_ASCENTS + 1) * LINE));
	load(&core, BASE + 32);
	assert_false(in_l1d(BASE + LINE));
	load(&core, BASE + 40);
	assert_true(in_l1d(BASE + LINE));
	load(&core, BASE + PAGE - LINE);
	load(&core, BASE + PAGE - LINE + 8);
	assert_false(in_l1d(BASE + PAGE));
}

/*
 * The streamer has seen a direction after two lookups in it, and then prefetches two lines after each
 * lookup. A lookup in the other direction begins anew, one of the same line goes on.
 */
TEST_BETWEEN(a_stream_follows_its_direction, create_core, free_core)
{
	unsigned int line;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	load(&core, BASE + 20 * LINE);
	load(&core, BASE + 21 * LINE);
	wait(&core, 500);
	assert_false(in_l2(BASE + 22 * LINE));
	load(&core, BASE + 22 * LINE);
	wait(&core, 500);
	assert_true(in_l2(BASE + 23 * LINE) && in_l2(BASE + 24 * LINE));
	assert_false(in_l2(BASE + 25 * LINE));
	/* Downwards, the second lookup is the first that triggers. */
	load(&core, BASE + 10 * LINE);
	wait(&core, 500);
	assert_false(in_l2(BASE + 9 * LINE) || in_l2(BASE + 11 * LINE) || in_l2(BASE + 25 * LINE));
	load(&core, BASE + 9 * LINE);
	wait(&core, 500);
	assert_true(in_l2(BASE + 8 * LINE) && in_l2(BASE + 7 * LINE));
	assert_false(in_l2(BASE + 6 * LINE));
	/* One of the same line, which only the L1D has lost. */
	vcore_cache_remove(&core.memory->l1d, BASE / LINE + 9);
	load(&core, BASE + 9 * LINE);
	wait(&core, 500);
	assert_true(in_l2(BASE + 6 * LINE) && in_l2(BASE + 5 * LINE));
	assert_false(in_l2(BASE + 4 * LINE));
	/* One beyond the prefetched lines: they go on from there, down to the first line of the page. */
	load(&core, BASE + 2 * LINE);
	wait(&core, 500);
	assert_true(in_l2(BASE + LINE) && in_l2(BASE));
	assert_false(in_l2(BASE + 4 * LINE) || in_l2(BASE + 3 * LINE));
	load(&core, BASE + LINE);
	wait(&core, 500);
	for (line = 60; line < 64; line++)
		assert_false(in_l2(BASE - PAGE + line * LINE));
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 2 + 2 + 2 + 2);
}

/* Streams of 32 pages are followed. One more page takes the place of the page that was used first. */
TEST_BETWEEN(the_streamer_follows_32_pages, create_core, free_core)
{
	unsigned int i;

	enable_only(VCORE_PREFETCH_L2_STREAM);
	for (i = 0; i < VCORE_STREAMS; i++)
		load(&core, BASE + i * PAGE + 10 * LINE);
	for (i = 0; i < VCORE_STREAMS; i++)
		load(&core, BASE + i * PAGE + 11 * LINE);
	load(&core, BASE + VCORE_STREAMS * PAGE);
	wait(&core, 500);
	/* The first page's stream is gone, that of the last one is not. */
	load(&core, BASE + 12 * LINE);
	load(&core, BASE + (VCORE_STREAMS - 1) * PAGE + 12 * LINE);
	wait(&core, 500);
	assert_false(in_l2(BASE + 13 * LINE));
	assert_true(in_l2(BASE + (VCORE_STREAMS - 1) * PAGE + 13 * LINE));
	/* The first page has a new one, in the place of the second page's. */
	load(&core, BASE + 13 * LINE);
	load(&core, BASE + 14 * LINE);
	load(&core, BASE + PAGE + 12 * LINE);
	wait(&core, 500);
	assert_true(in_l2(BASE + 15 * LINE));
	assert_false(in_l2(BASE + PAGE + 13 * LINE));
}

/* The spatial prefetcher completes a pair of lines after a miss of the L2, not after a hit. */
TEST_BETWEEN(only_misses_prefetch_the_adjacent_line, create_core, free_core)
{
	load(&core, BASE);
	enable_only(VCORE_PREFETCH_L2_ADJACENT);
	vcore_cache_remove(&core.memory->l1d, BASE / LINE);
	wait(&core, 500);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_L2);
	assert_false(in_l2(BASE + LINE));
	vcore_cache_remove(&core.memory->l1d, BASE / LINE);
	vcore_cache_remove(&core.memory->l2, BASE / LINE);
	load(&core, BASE);
	assert_true(in_l2(BASE + LINE));
	/* Stores and code are followed, too; page walks are not. */
	store(&core, BASE + 4 * LINE);
	assert_true(in_l2(BASE + 5 * LINE));
	vcore_memory_fetch(core.memory, core.cycle, BASE, BASE + 9 * LINE, &core.counts);
	assert_true(in_l2(BASE + 8 * LINE));
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 3);
}

/* A new core has all of its prefetchers turned on; Knights Corner has no others than the streamer. */
TEST(prefetchers_are_on_at_first)
{
	static const struct vcore_ideal real;
	struct vcore_memory *memory;

	memory = vcore_memory_new(&vcore_ivb, &real, 0);
	assert_int_equal(memory->prefetch.off, 0);
	vcore_memory_prefetchers(memory, VCORE_PREFETCH_L1_IP);
	assert_int_equal(memory->prefetch.off, VCORE_PREFETCH_L1_IP);
	vcore_memory_free(memory);
	memory = vcore_memory_new(&vcore_knc, &real, 0);
	assert_int_equal(memory->prefetch.off, ALL_PREFETCHERS & ~VCORE_PREFETCH_L2_STREAM);
	vcore_memory_prefetchers(memory, VCORE_PREFETCH_L2_STREAM);
	assert_int_equal(memory->prefetch.off, ALL_PREFETCHERS);
	vcore_memory_free(memory);
}
