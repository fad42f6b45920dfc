// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's hardware prefetchers: each prefetches the lines that its rules demand
 * for given accesses, and none when it is off.
 */

#include "access.h"

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
