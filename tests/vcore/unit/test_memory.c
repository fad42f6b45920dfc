// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the memory hierarchy of one core: latencies, the overlap of misses, and transfers of
 * lines. The expected cycles are computed from the core's parameters.
 */

#include <string.h>

#include "access.h"
#include "memory/hierarchy.h"

static const struct vcore_params *const parts[] = {
	&vcore_ivb, &vcore_skl, &vcore_spr, &vcore_grt, &vcore_zen2,
	&vcore_zen4, &vcore_zen5, &vcore_knc
};

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

/* A chain of dependent loads has the latency of the nearest level that the buffer fits. */
TEST_BETWEEN(each_level_has_its_latency, create_core, free_core)
{
	assert_float_equal(chase(&core, 16 * KB, LINE), 4, 0);
	assert_float_equal(chase(&core, 128 * KB, LINE), 12, 0);
	assert_in_range(chase(&core, 1024 * KB, LINE), 30, 37);
	assert_int_equal(core.counts.plain[VCORE_L2_PREFETCHES], 0);
	assert_int_equal(core.counts.plain[VCORE_L3_MISSES],
			 1024 * KB / LINE +
			 core.counts.plain[VCORE_DTLB_LOAD_WALKS] / 8 + 1);
}

TEST_BETWEEN(memory_has_its_latency, create_core, free_core)
{
	assert_in_range(chase(&core, 32 * KB * KB, LINE), 210, 300);
}

/* Checks the latencies of an L1D hit and of memory for each core model. */
TEST_BETWEEN(all_core_models_have_their_latencies, create_core, free_core)
{
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct vcore_memory_params *p = &parts[i]->memory;
		struct core part;
		uint64_t cold;

		core_free(&core);
		core_new(&part, parts[i], 0, ALL_PREFETCHERS);
		cold = load(&part, BASE).done;
		assert_in_range(cold, p->memory, p->memory * 4 + p->walk);
		assert_float_equal(chase(&part, 4 * KB, LINE), p->l1d.latency,
				   0);
		core_free(&part);
		core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
	}
}

/*
 * Reads one line of each page, in buffers whose pages fit the DTLB, fit the STLB only, or fit
 * neither.
 */
TEST_BETWEEN(tlb_misses_add_their_latency, create_core, free_core)
{
	const unsigned int step = PAGE + LINE;
	uint64_t walks;

	assert_float_equal(chase(&core, 32 * step, step), 4, 0);
	assert_in_range(chase(&core, 256 * step, step), 11, 13);
	walks = core.counts.plain[VCORE_DTLB_LOAD_WALKS];
	assert_int_equal(walks, 256);
	assert_true(core.counts.plain[VCORE_DTLB_LOAD_STLB_HIT] > 2 * 192);
	assert_true(chase(&core, 4096 * step, step) > 60);
	assert_true(core.counts.plain[VCORE_DTLB_LOAD_WALKS] > 8192);
	assert_true(core.counts.plain[VCORE_DTLB_LOAD_WALK_CYCLES] >=
		    25 * core.counts.plain[VCORE_DTLB_LOAD_WALKS]);
}

TEST_BETWEEN(accesses_to_a_page_share_a_walk, create_core, free_core)
{
	struct vcore_reply reply;
	unsigned int i;

	reply = load_now(&core, PC, BASE);
	assert_true(reply.walked);
	assert_true(reply.l1_done > core.cycle + 25);
	assert_true(reply.l1_done < reply.done);
	/* A second access to the page waits for the same walk. */
	reply = load_now(&core, PC, BASE + LINE);
	assert_true(reply.walked);
	assert_int_equal(core.counts.plain[VCORE_DTLB_LOAD_WALKS], 1);
	core.cycle = reply.done;
	reply = load(&core, BASE);
	assert_false(reply.walked || reply.stlb_hit);
	/*
	 * Loads of other pages in the same set of the DTLB evict the page from the DTLB, but not
	 * from the STLB.
	 */
	for (i = 1; i <= 4; i++)
		load(&core, BASE + i * 16 * PAGE);
	reply = load(&core, BASE);
	assert_true(reply.stlb_hit);
	assert_false(reply.walked);
	assert_int_equal(reply.l1_done - (core.cycle - reply.done), reply.done);
}

/* Ten misses overlap; an eleventh waits for one of the ten fill buffers. */
TEST_BETWEEN(ten_misses_overlap, create_core, free_core)
{
	struct vcore_reply reply[10], more;
	unsigned int i;

	load(&core, BASE);
	for (i = 0; i < 10; i++) {
		reply[i] = load_now(&core, PC, BASE + (i + 1) * LINE);
		assert_false(reply[i].refused);
		assert_int_equal(reply[i].level, VCORE_AT_MEMORY);
	}
	assert_true(reply[9].done < reply[0].done + 10 * 9);
	more = load_now(&core, PC, BASE + 11 * LINE);
	assert_true(more.refused);
	assert_int_equal(more.done, reply[0].done);
	assert_int_equal(core.counts.plain[VCORE_FILLS_FULL],
			 reply[0].done - core.cycle);
	/*
	 * An L1D hit needs no fill buffer, nor does a load of a line for which a buffer already
	 * waits.
	 */
	more = load_now(&core, PC, BASE + 3 * LINE + 8);
	assert_false(more.refused);
	assert_int_equal(more.level, VCORE_AT_FILL);
	assert_int_equal(more.from, VCORE_AT_MEMORY);
	assert_int_equal(more.done, reply[2].done);
	assert_int_equal(load_now(&core, PC, BASE).level, VCORE_AT_L1);
	core.cycle = reply[0].done;
	assert_false(load_now(&core, PC, BASE + 11 * LINE).refused);
}

/*
 * VCORE_L1_PENDING is the sum, over cycles, of the fill buffers that wait for lines of demand
 * loads.
 */
TEST_BETWEEN(pending_misses_are_summed_over_cycles, create_core, free_core)
{
	uint64_t first, second;

	load(&core, BASE);
	wait(&core, 0);
	core.counts.plain[VCORE_L1_PENDING] = 0;
	first = load_now(&core, PC, BASE + LINE).done - core.cycle;
	second = load_now(&core, PC, BASE + 2 * LINE).done - core.cycle;
	load_now(&core, PC, BASE + 2 * LINE);
	wait(&core, 100);
	assert_int_equal(core.counts.plain[VCORE_L1_PENDING], 200);
	assert_int_equal(core.counts.plain[VCORE_OFFCORE_READ_6_CYCLES], 0);
	wait(&core, 1000);
	assert_int_equal(core.counts.plain[VCORE_L1_PENDING], first + second);
}

/*
 * A read that misses the L2 counts as outstanding from the end of the L2 lookup until its data
 * arrive.
 */
TEST_BETWEEN(a_read_is_outstanding_beyond_the_l2, create_core, free_core)
{
	uint64_t done;

	load(&core, BASE);
	wait(&core, 5000);
	core.counts.plain[VCORE_OFFCORE_READ_CYCLES] = 0;
	done = load_now(&core, PC, BASE + LINE).done - core.cycle;
	wait(&core, 5000);
	assert_in_range(core.counts.plain[VCORE_OFFCORE_READ_CYCLES],
			done / 2, done);
	assert_int_equal(core.counts.plain[VCORE_OFFCORE_READ_6_CYCLES], 0);
}

/*
 * Five lines are on their way at the same time, then seven: cycles with at least four and with at
 * least six reads are counted.
 */
TEST_BETWEEN(reads_are_counted_while_several_are_outstanding, create_core, free_core)
{
	const uint64_t *with = core.counts.plain;
	uint64_t at = BASE, together;
	unsigned int i;

	load(&core, BASE);
	wait(&core, 5000);
	for (i = 0; i < 5; i++)
		load_now(&core, PC, at += 8 * LINE);
	wait(&core, 5000);
	together = with[VCORE_OFFCORE_READ_4_CYCLES];
	assert_in_range(together, 50, with[VCORE_OFFCORE_READ_CYCLES]);
	assert_int_equal(with[VCORE_OFFCORE_READ_6_CYCLES], 0);
	for (i = 0; i < 7; i++)
		load_now(&core, PC, at += 8 * LINE);
	wait(&core, 5000);
	assert_in_range(with[VCORE_OFFCORE_READ_6_CYCLES], 50,
			with[VCORE_OFFCORE_READ_4_CYCLES] - together);
}

TEST_BETWEEN(a_split_access_takes_two_lines, create_core, free_core)
{
	struct vcore_reply reply;

	load(&core, BASE);
	load(&core, BASE + LINE);
	reply = load_now(&core, PC, BASE + 60);
	assert_true(reply.split);
	assert_int_equal(reply.level, VCORE_AT_L1);
	assert_int_equal(reply.done, core.cycle + 4 + 5);
	assert_int_equal(reply.l1_done, reply.done);
	assert_false(load_now(&core, PC, BASE + 56).split);
}

/* A split access has the farther level of its two lines, and the farther source. */
TEST_BETWEEN(a_split_access_has_the_farther_level, create_core, free_core)
{
	struct vcore_reply reply;

	load(&core, BASE);
	load_now(&core, PC, BASE + LINE);
	reply = load_now(&core, PC, BASE + 60);
	assert_int_equal(reply.level, VCORE_AT_FILL);
	assert_int_equal(reply.from, VCORE_AT_MEMORY);
	wait(&core, 1000);
	load(&core, BASE + 4 * PAGE + LINE);
	load_now(&core, PC, BASE + 4 * PAGE);
	reply = load_now(&core, PC, BASE + 4 * PAGE + 60);
	assert_int_equal(reply.level, VCORE_AT_FILL);
	assert_int_equal(reply.from, VCORE_AT_MEMORY);
}

/* Caches have physical addresses: both lines of a split access are those of its page there. */
TEST_BETWEEN(a_split_access_takes_lines_of_its_physical_page, create_core, free_core)
{
	const struct vcore_access access = {
		.va = BASE + 60, .pa = BASE + 16 * PAGE + 60, .size = 8,
	};

	core.cycle = vcore_memory_load(core.memory, core.cycle, PC, &access, &core.counts).done;
	assert_int_equal(load(&core, BASE + 16 * PAGE).level, VCORE_AT_L1);
	assert_int_equal(load(&core, BASE + 16 * PAGE + LINE).level, VCORE_AT_L1);
	assert_int_not_equal(load(&core, BASE).level, VCORE_AT_L1);
	assert_int_not_equal(load(&core, BASE + LINE).level, VCORE_AT_L1);
}

/* A store reads the line with ownership; the line is written back when the caches evict it. */
TEST_BETWEEN(a_store_reads_with_ownership_and_writes_back, create_core, free_core)
{
	uint64_t line;

	assert_int_equal(store(&core, BASE).level, VCORE_AT_MEMORY);
	assert_int_equal(core.counts.plain[VCORE_L2_RFOS], 1);
	assert_int_equal(core.counts.plain[VCORE_L2_RFO_HITS], 0);
	assert_int_equal(store(&core, BASE + 8).level, VCORE_AT_L1);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_L1);
	/* A store to a line in state E (exclusive) needs no request for ownership (RFO). */
	load(&core, BASE + PAGE);
	assert_int_equal(store(&core, BASE + PAGE).level, VCORE_AT_L1);
	assert_int_equal(traffic(&core)->writes, 0);
	for (line = 1; line < 12 * KB * KB / LINE; line++)
		store(&core, BASE + line * LINE);
	assert_in_range(traffic(&core)->writes, (4 * KB - 300) * KB / LINE,
			(4 * KB + 300) * KB / LINE);
}

/* A line that was read alone stays owned in the L2: a store after it has left the L1D asks nobody. */
TEST_BETWEEN(an_exclusive_line_stays_owned_in_the_l2, create_core, free_core)
{
	unsigned int way;

	load(&core, BASE);
	for (way = 1; way <= 8; way++)
		load(&core, BASE + way * PAGE);
	assert_int_equal(store(&core, BASE).level, VCORE_AT_L2);
	assert_int_equal(core.counts.plain[VCORE_L2_RFO_HITS], 1);
}

/* So does a line that was prefetched into the L2 and has never been in the L1D. */
TEST_BETWEEN(a_prefetched_line_is_owned_by_the_l2, create_core, free_core)
{
	core.cycle = vcore_l2_access(core.memory, core.cycle, BASE / LINE, VCORE_BY_PREFETCH,
				     &core.counts).done;
	assert_int_equal(store(&core, BASE).level, VCORE_AT_L2);
	assert_int_equal(core.counts.plain[VCORE_L2_RFO_HITS], 1);
}

/* Non-temporal stores read no lines from memory, and write each line once. */
TEST_BETWEEN(non_temporal_stores_write_each_line_once, create_core, free_core)
{
	struct vcore_reply reply;
	unsigned int i;

	load(&core, BASE);
	for (i = 0; i < 64 * 8; i++) {
		reply = store_now(&core, BASE + i * 8, true);
		core.cycle = reply.refused ? reply.done : core.cycle + 1;
		i -= reply.refused;
	}
	wait(&core, 1000);
	assert_int_equal(traffic(&core)->writes, 64);
	assert_int_equal(core.counts.plain[VCORE_L2_RFOS], 0);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_MEMORY);
	/* Fill buffers that have gathered part of a line are sent when a buffer is needed. */
	for (i = 0; i < 20; i++) {
		reply = store_now(&core, BASE + PAGE + i * LINE, true);
		core.cycle = reply.done;
		i -= reply.refused;
	}
	assert_true(traffic(&core)->writes >= 64 + 10);
}

TEST_BETWEEN(fetches_use_itlb_and_instruction_cache, create_core, free_core)
{
	struct vcore_reply reply;

	reply = vcore_memory_fetch(core.memory, 0, PC, PC, &core.counts);
	assert_int_equal(reply.level, VCORE_AT_MEMORY);
	assert_true(reply.walked);
	assert_int_equal(core.counts.plain[VCORE_ITLB_WALKS], 1);
	core.cycle = reply.done - 1;
	reply = vcore_memory_fetch(core.memory, core.cycle, PC + 32, PC + 32,
				   &core.counts);
	assert_int_equal(reply.level, VCORE_AT_FILL);
	assert_int_equal(reply.done, core.cycle + 1);
	reply = vcore_memory_fetch(core.memory, core.cycle + 1, PC, PC,
				   &core.counts);
	assert_int_equal(reply.level, VCORE_AT_L1);
	assert_int_equal(reply.done, core.cycle + 1);
	assert_int_equal(core.counts.plain[VCORE_L2_CODE_READS], 1);
}

TEST_BETWEEN(perfect_caches_always_hit, create_core, free_core)
{
	static const struct vcore_ideal ideal = { .l1i = true, .l1d = true };
	struct core perfect = { 0 };
	unsigned int i;

	perfect.memory = vcore_memory_new(&vcore_ivb, &ideal, 1);
	for (i = 0; i < 1000; i++) {
		assert_int_equal(load_now(&perfect, PC, i * PAGE).done, 4);
		assert_int_equal(store_now(&perfect, i * PAGE, false).done, 1);
		assert_int_equal(vcore_memory_fetch(perfect.memory, 0, i * PAGE,
						    i * PAGE, &perfect.counts)
				 .done, 0);
	}
	assert_int_equal(perfect.counts.plain[VCORE_DTLB_LOAD_WALKS], 0);
	assert_int_equal(perfect.counts.plain[VCORE_L2_DEMAND_READS], 0);
	core_free(&perfect);
}

/* The L1I does not have what a store overwrites, whichever of its lines it is. */
TEST_BETWEEN(a_store_to_code_invalidates_both_its_lines, create_core, free_core)
{
	const struct {
		uint64_t code;
		uint64_t store;
		bool had;
	} all[] = {
		{ PC, PC + LINE - 8, true },
		{ PC, PC + LINE - 4, true },
		{ PC + LINE, PC + LINE - 4, true },
		{ PC + LINE, PC + LINE - 8, false },
		{ PC - LINE, PC + LINE - 4, false },
		{ PC + 2 * LINE, PC + LINE - 4, false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct vcore_access access = {
			.va = all[i].store, .pa = all[i].store, .size = 8, .store = true,
		};
		struct vcore_reply reply;

		core_free(&core);
		core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
		reply = vcore_memory_fetch(core.memory, 0, all[i].code, all[i].code, &core.counts);
		assert_int_equal(vcore_memory_invalidate_code(core.memory, &access), all[i].had);
		reply = vcore_memory_fetch(core.memory, reply.done, all[i].code, all[i].code,
					   &core.counts);
		assert_int_equal(reply.level == VCORE_AT_L1, !all[i].had);
	}
}

TEST_BETWEEN(a_page_is_translated_after_its_walk, create_core, free_core)
{
	static const struct vcore_ideal ideal = { .l1d = true };
	const struct vcore_access access = { .va = BASE, .pa = BASE, .size = 8 };
	const struct vcore_access device = { .va = BASE, .pa = BASE, .size = 8, .device = true };
	struct core perfect = { .memory = vcore_memory_new(&vcore_ivb, &ideal, 1) };

	assert_false(vcore_memory_translates(core.memory, &access));
	assert_true(vcore_memory_translates(core.memory, &device));
	assert_true(vcore_memory_translates(perfect.memory, &access));
	load(&core, BASE + PAGE);
	assert_false(vcore_memory_translates(core.memory, &access));
	load(&core, BASE + 64);
	assert_true(vcore_memory_translates(core.memory, &access));
	core_free(&perfect);
}

TEST_BETWEEN(a_load_waits_only_while_no_fill_buffer_is_free, create_core, free_core)
{
	unsigned int i;

	load(&core, BASE + PAGE - LINE);
	for (i = 0; i < vcore_ivb.memory.fills; i++) {
		assert_int_equal(vcore_memory_retry(core.memory, core.cycle, &core.counts), 0);
		load_now(&core, PC, BASE + 2 * i * LINE);
		core.cycle++;
	}
	assert_true(vcore_memory_retry(core.memory, core.cycle, &core.counts) > core.cycle);
}

TEST_BETWEEN(a_prefetch_without_a_fill_buffer_is_dropped, create_core, free_core)
{
	struct vcore_access access = { .va = BASE, .pa = BASE, .size = 1 };
	unsigned int i;

	vcore_memory_prefetch(core.memory, 0, &access, &core.counts);
	wait(&core, 2000);
	assert_int_equal(core.counts.plain[VCORE_L1_PENDING], 0);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_L1);
	for (i = 0; i < 10; i++)
		load_now(&core, PC, BASE + PAGE / 2 + i * LINE);
	access.pa = BASE + LINE;
	access.va = BASE + LINE;
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	wait(&core, 2000);
	assert_int_equal(load(&core, BASE + LINE).level, VCORE_AT_MEMORY);
}

/* The controller leaves an entry to others: a prefetch may begin again when the first one ends. */
TEST_BETWEEN(a_prefetch_waits_for_two_free_entries, create_core, free_core)
{
	uint64_t first = 0, done;
	unsigned int nr;

	for (nr = 0; vcore_transfers_has_room(core.memory, core.cycle); nr++) {
		assert_true(nr < 1000);
		done = vcore_transfers_prefetch(core.memory, core.cycle, BASE / LINE + nr);
		assert_true(!nr || done > first);
		first = nr ? first : done;
		assert_int_equal(vcore_transfers_in_progress(core.memory, core.cycle, BASE / LINE + nr),
				 done);
	}
	assert_true(nr > 1);
	assert_false(vcore_transfers_has_room(core.memory, first - 1));
	assert_true(vcore_transfers_has_room(core.memory, first));
	assert_int_equal(vcore_transfers_in_progress(core.memory, first - 1, BASE / LINE), first);
	assert_int_equal(vcore_transfers_in_progress(core.memory, first, BASE / LINE), 0);
	assert_int_equal(vcore_transfers_in_progress(core.memory, first - 1, BASE / LINE - 1), 0);
}

TEST_BETWEEN(equal_accesses_have_equal_counts, create_core, free_core)
{
	static struct vcore_counts counts[2];
	struct core again;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		core_free(&core);
		core_new(&again, &vcore_ivb, 0, 0);
		chase(&again, 1024 * KB, LINE);
		wait(&again, 10000);
		counts[i] = again.counts;
		core_free(&again);
		core_new(&core, &vcore_ivb, 0, 0);
	}
	assert_memory_equal(&counts[0], &counts[1], sizeof(*counts));
	assert_true(counts[0].plain[VCORE_L2_PREFETCHES] > 0);
}
