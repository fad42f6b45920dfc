// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parts of a core's memory hierarchy: TLBs, fill buffers, L2 and its superqueue. Their
 * cycles are sums of the core's parameters, without a tolerance, because one core runs alone and its
 * prefetchers are off.
 */
#include <string.h>

#include "access.h"
#include "memory/hierarchy.h"

/* Lines with this distance are in one set of the L1D, of the L2 and of the L3. */
#define ALIAS (8192 * LINE)
#define FILLS 10

static const struct vcore_memory_params *const ivb = &vcore_ivb.memory;
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

static uint64_t plain(enum vcore_plain what)
{
	return core.counts.plain[what];
}

/* Sets all counts to 0, after the requests that are in progress. */
static void clear_counts(void)
{
	wait(&core, 5000);
	memset(&core.counts, 0, sizeof(core.counts));
}

static struct vcore_access access_at(uint64_t address, unsigned int size)
{
	return (struct vcore_access){ .va = address, .pa = address, .size = size };
}

/* Loads some bytes without advancing the core's cycle. */
static struct vcore_reply load_bytes(uint64_t address, unsigned int size)
{
	struct vcore_access access = access_at(address, size);

	return vcore_memory_load(core.memory, core.cycle, PC, &access, &core.counts);
}

static bool in_cache(const struct vcore_cache *cache, uint64_t address)
{
	return vcore_cache_find(cache, address / LINE);
}

/* Returns the state bits of a line of a cache, which must have it. */
static unsigned int state_in(const struct vcore_cache *cache, uint64_t address)
{
	const uint64_t *entry = vcore_cache_find(cache, address / LINE);

	assert_non_null(entry);
	return *entry & ((1 << VCORE_STATE_BITS) - 1);
}

/*
 * A walk reads the last table, and the directory unless the PDE cache has its entry. The parameter of
 * a walk includes one hit in the L2.
 */
TEST(a_cold_load_has_the_latencies_of_its_walk_and_of_memory)
{
	static const struct vcore_params *const parts[] = {
		&vcore_ivb, &vcore_skl, &vcore_grt, &vcore_zen2, &vcore_zen5, &vcore_knc
	};
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct vcore_memory_params *p = &parts[i]->memory;
		unsigned int upper = p->walk - p->l2.latency;
		struct vcore_reply reply;

		core_new(&core, parts[i], 0, ALL_PREFETCHERS);
		reply = load(&core, BASE);
		assert_int_equal(reply.done, p->stlb.latency + upper + 3 * p->memory);
		assert_int_equal(reply.l1_done, reply.done - p->memory + p->l1d.latency);
		assert_true(reply.walked && !reply.stlb_hit && !reply.split && !reply.refused);
		assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 1);
		assert_int_equal(plain(VCORE_DTLB_LOAD_WALK_CYCLES), upper + 2 * p->memory);
		/* The next page's entry is in the same line, and its directory entry is the same. */
		reply = load_now(&core, PC, BASE + PAGE);
		assert_int_equal(reply.done - core.cycle, p->stlb.latency + p->walk + p->memory);
		assert_int_equal(plain(VCORE_DTLB_LOAD_WALK_CYCLES), upper + 2 * p->memory + p->walk);
		assert_int_equal(plain(VCORE_DTLB_LOAD_STLB_HIT), 0);
		core_free(&core);
	}
}

/* The walker serves one page at a time: a second walk begins when the first one ends. */
TEST_BETWEEN(walks_follow_each_other, create_core, free_core)
{
	struct vcore_reply first, second;

	load(&core, BASE);
	first = load_now(&core, PC, BASE + PAGE);
	second = load_now(&core, PC, BASE + 2 * PAGE);
	assert_int_equal(first.l1_done, core.cycle + ivb->stlb.latency + ivb->walk + ivb->l1d.latency);
	assert_int_equal(second.l1_done, first.l1_done + ivb->walk);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 3);
	/* Stores and code have counts of their own. */
	store_now(&core, BASE + 3 * PAGE, false);
	vcore_memory_fetch(core.memory, core.cycle, BASE + 4 * PAGE, BASE + 4 * PAGE, &core.counts);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 3);
	assert_int_equal(plain(VCORE_DTLB_STORE_WALKS), 1);
	assert_int_equal(plain(VCORE_DTLB_STORE_WALK_CYCLES), ivb->walk);
	assert_int_equal(plain(VCORE_ITLB_WALKS), 1);
	assert_int_equal(plain(VCORE_ITLB_WALK_CYCLES), ivb->walk);
}

/* Pages are 512 to a directory entry; the PDE cache has eight sets of four entries. */
TEST_BETWEEN(a_walk_reads_the_directory_if_the_pde_cache_lacks_its_entry, create_core, free_core)
{
	const uint64_t region = 512 * PAGE, upper = ivb->walk - ivb->l2.latency;
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	/* The last page of the same region: only the line of its own entry is read from memory. */
	load(&core, BASE + region - PAGE);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALK_CYCLES), upper + ivb->memory);
	/* The first page of the next one: the directory's line was read for the first region. */
	load(&core, BASE + region);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALK_CYCLES),
			 upper + ivb->memory + upper + ivb->l2.latency + ivb->memory);
	for (i = 1; i <= 4; i++)
		load(&core, BASE + 8 * i * region);
	clear_counts();
	load(&core, BASE + 16 * PAGE);
	/* Four other entries of the set have replaced that of the first region. */
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALK_CYCLES), upper + ivb->l2.latency + ivb->memory);
}

/* The stores and the code of a page that only the STLB has find it there. */
TEST_BETWEEN(each_kind_of_access_counts_its_stlb_hits, create_core, free_core)
{
	struct vcore_reply reply;

	load(&core, BASE);
	clear_counts();
	reply = vcore_memory_fetch(core.memory, core.cycle, BASE, BASE, &core.counts);
	assert_true(reply.stlb_hit && !reply.walked);
	assert_int_equal(reply.l1_done, core.cycle + ivb->stlb.latency + ivb->l1i.latency);
	assert_int_equal(plain(VCORE_ITLB_STLB_HIT), 1);
	assert_int_equal(plain(VCORE_DTLB_LOAD_STLB_HIT) + plain(VCORE_DTLB_STORE_STLB_HIT), 0);
	vcore_memory_fetch(core.memory, core.cycle, PC, PC, &core.counts);
	core.cycle = store_now(&core, PC, false).done;
	assert_int_equal(plain(VCORE_DTLB_STORE_STLB_HIT), 1);
	assert_int_equal(plain(VCORE_DTLB_STORE_WALKS), 0);
	assert_int_equal(plain(VCORE_DTLB_LOAD_STLB_HIT), 0);
}

/* An access that crosses a page needs the translations of both. */
TEST_BETWEEN(a_page_split_translates_two_pages, create_core, free_core)
{
	const struct vcore_access second = access_at(BASE + 2 * PAGE, 8);
	struct vcore_reply reply;

	load(&core, BASE);
	clear_counts();
	assert_false(load_bytes(BASE + PAGE - 8, 8).split);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 0);
	wait(&core, 5000);
	assert_false(vcore_memory_translates(core.memory, &second));
	reply = load_bytes(BASE + 2 * PAGE - 7, 8);
	assert_true(reply.split);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 2);
	assert_true(vcore_memory_translates(core.memory, &second));
	/* The second walk begins after the first one, with a lookup of the STLB of its own. */
	assert_int_equal(reply.l1_done - core.cycle, 2 * (ivb->stlb.latency + ivb->walk) +
			 ivb->l1d.latency + vcore_ivb.back.split);
}

/* Both lines of a split access that misses need a fill buffer. */
TEST_BETWEEN(a_split_miss_needs_two_fill_buffers, create_core, free_core)
{
	struct vcore_reply reply, first;
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	first = load_now(&core, PC, BASE + 2 * LINE);
	for (i = 1; i < FILLS - 1; i++)
		load_now(&core, PC, BASE + (2 + i) * LINE);
	reply = load_bytes(BASE + 32 * LINE - 4, 8);
	assert_true(reply.refused);
	assert_int_equal(reply.done, first.done);
	/* One buffer is free, so the cycles are none without a free one. */
	assert_int_equal(vcore_memory_full_until(core.memory), 0);
	/* One of the lines is on its way: the other one takes the last buffer. */
	reply = load_bytes(BASE + (2 + FILLS - 1) * LINE - 4, 8);
	assert_false(reply.refused);
	assert_int_equal(reply.level, VCORE_AT_MEMORY);
	assert_true(load_now(&core, PC, BASE + 40 * LINE).refused);
	assert_int_equal(vcore_memory_full_until(core.memory), first.done);
	core.cycle = first.done;
	assert_true(load_bytes(BASE + 32 * LINE - 4, 8).refused);
	assert_false(load_now(&core, PC, BASE + 40 * LINE).refused);
}

/* A cycle without a free fill buffer is counted once, however many loads are refused in it. */
TEST_BETWEEN(cycles_without_a_fill_buffer_are_counted_once, create_core, free_core)
{
	struct vcore_reply reply[FILLS];
	uint64_t begin;
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	begin = core.cycle;
	for (i = 0; i < FILLS; i++)
		reply[i] = load_now(&core, PC, BASE + (2 + i) * LINE);
	core.cycle += 10;
	for (i = 0; i < 3; i++) {
		assert_int_equal(load_now(&core, PC, BASE + (20 + i) * LINE).done, reply[0].done);
		core.cycle += 5;
	}
	assert_int_equal(plain(VCORE_FILLS_FULL), reply[0].done - begin - 10);
	core.cycle = reply[0].done;
	load_now(&core, PC, BASE + 30 * LINE);
	assert_int_equal(load_now(&core, PC, BASE + 31 * LINE).done, reply[1].done);
	assert_int_equal(plain(VCORE_FILLS_FULL), reply[1].done - begin - 10);
	assert_int_equal(vcore_memory_retry(core.memory, core.cycle, &core.counts), reply[1].done);
	assert_int_equal(vcore_memory_retry(core.memory, reply[1].done, &core.counts), 0);
}

/* The lines that loads await are counted when they get a fill buffer, by their low bits. */
TEST_BETWEEN(fills_of_awaited_lines_are_counted, create_core, free_core)
{
	uint64_t line = 0;

	load(&core, BASE);
	vcore_memory_await(core.memory, BASE / LINE + 7, 1);
	vcore_memory_await(core.memory, BASE / LINE + 7, 1);
	load_now(&core, PC, BASE + 6 * LINE);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 0);
	load_now(&core, PC, BASE + 7 * LINE);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 1);
	assert_int_equal(line, BASE / LINE + 7);
	/* A load that joins the fill is none of its own. */
	load_now(&core, PC, BASE + 7 * LINE + 8);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 1);
	store_now(&core, BASE + (7 + VCORE_AWAITED) * LINE, false);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 2);
	assert_int_equal(line, BASE / LINE + 7 + VCORE_AWAITED);
	vcore_memory_await(core.memory, BASE / LINE + 7, -1);
	load_now(&core, PC, BASE + (7 + 2 * VCORE_AWAITED) * LINE);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 3);
	vcore_memory_await(core.memory, BASE / LINE + 7, -1);
	load_now(&core, PC, BASE + (7 + 3 * VCORE_AWAITED) * LINE);
	assert_int_equal(vcore_memory_awaited_fills(core.memory, &line), 3);
}

/* No load waits for a store's line, so neither the store nor the fill that it uses is a miss of loads. */
TEST_BETWEEN(only_loads_have_pending_misses, create_core, free_core)
{
	struct vcore_access access = access_at(BASE + 3 * LINE, 8);
	uint64_t done;

	load(&core, BASE);
	clear_counts();
	assert_int_equal(store_now(&core, BASE + LINE, false).level, VCORE_AT_MEMORY);
	assert_int_equal(store_now(&core, BASE + LINE + 8, false).level, VCORE_AT_FILL);
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	wait(&core, 1000);
	assert_int_equal(plain(VCORE_L1_PENDING), 0);
	/* A load that joins a store's fill makes it one from then on. */
	done = store_now(&core, BASE + 2 * LINE, false).done;
	wait(&core, 100);
	assert_int_equal(load_now(&core, PC, BASE + 2 * LINE).done, done);
	wait(&core, 1000);
	assert_int_equal(plain(VCORE_L1_PENDING), done - (core.cycle - 1000));
}

/*
 * Requests of loads and prefetches are outstanding reads from the cycle of the request until the line
 * arrives. All are made in one cycle, so that their number falls with each line that arrives.
 */
TEST_BETWEEN(outstanding_reads_are_counted_by_number, create_core, free_core)
{
	unsigned int nr, i;

	for (nr = 3; nr <= 7; nr++) {
		uint64_t address = BASE + nr * PAGE, begin, done[7];

		load(&core, address);
		clear_counts();
		begin = core.cycle;
		for (i = 0; i < nr; i++)
			done[i] = i ? load_now(&core, PC, address + i * LINE).done :
				  vcore_l2_access(core.memory, begin, address / LINE + 50,
						  VCORE_BY_PREFETCH, &core.counts).done;
		/* Neither stores nor code are reads of data. */
		store_now(&core, address + 30 * LINE, false);
		vcore_memory_fetch(core.memory, begin, address, address + 31 * LINE, &core.counts);
		wait(&core, 5000);
		assert_int_equal(plain(VCORE_OFFCORE_READ_CYCLES), done[nr - 1] - begin);
		assert_int_equal(plain(VCORE_OFFCORE_READ_4_CYCLES), nr < 4 ? 0 : done[nr - 4] - begin);
		assert_int_equal(plain(VCORE_OFFCORE_READ_6_CYCLES), nr < 6 ? 0 : done[nr - 6] - begin);
	}
}

/* A core that counts seldom loses no cycle with a miss. */
TEST_BETWEEN(misses_are_counted_however_seldom_they_come, create_core, free_core)
{
	uint64_t sum = 0;
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	for (i = 1; i < 10; i++) {
		sum += load_now(&core, PC, BASE + i * LINE).done - core.cycle;
		core.cycle += VCORE_AHEAD / 2 - 100;
	}
	wait(&core, 1000);
	assert_int_equal(plain(VCORE_L1_PENDING), sum);
	assert_int_equal(sum, 9 * ivb->memory);
}

/* A device answers after the latency of memory, and leaves caches and TLBs as they are. */
TEST_BETWEEN(accesses_to_devices_are_not_cached, create_core, free_core)
{
	struct vcore_access access = access_at(BASE, 8);
	struct vcore_counts none = { 0 };
	struct vcore_reply reply;

	access.device = true;
	core.cycle = 100;
	reply = vcore_memory_load(core.memory, 100, PC, &access, &core.counts);
	assert_int_equal(reply.done, 100 + ivb->memory);
	assert_int_equal(reply.level, VCORE_AT_L1);
	access.store = true;
	reply = vcore_memory_store(core.memory, 100, &access, false, &core.counts);
	assert_int_equal(reply.done, 100 + ivb->memory);
	vcore_memory_prefetch(core.memory, 100, &access, &core.counts);
	assert_memory_equal(&core.counts, &none, sizeof(none));
	assert_false(vcore_memory_owns(core.memory, &access));
	access.device = false;
	assert_false(vcore_memory_translates(core.memory, &access));
	assert_false(in_cache(&core.memory->l1d, BASE) || in_cache(&core.memory->l2, BASE));
}

/* A store may be written at once if the L1D owns all of its lines. */
TEST_BETWEEN(a_core_owns_a_store_if_it_owns_each_line, create_core, free_core)
{
	const struct vcore_access whole = access_at(BASE + LINE - 8, 8);
	const struct vcore_access split = access_at(BASE + LINE - 7, 8);
	static const struct vcore_ideal near = { .l1d = true };
	struct vcore_ideal real = { 0 };
	struct core other;

	assert_false(vcore_memory_owns(core.memory, &whole));
	load(&core, BASE);
	assert_true(vcore_memory_owns(core.memory, &whole));
	assert_false(vcore_memory_owns(core.memory, &split));
	store(&core, BASE + LINE);
	assert_true(vcore_memory_owns(core.memory, &split));
	core.memory->ideal = &near;
	assert_true(vcore_memory_owns(core.memory, &(struct vcore_access){ .pa = 8, .size = 8 }));
	core.memory->ideal = &real;
	core_new(&other, &vcore_ivb, 1, ALL_PREFETCHERS);
	load(&other, BASE + LINE);
	load(&core, BASE + PAGE);
	assert_true(vcore_memory_owns(core.memory, &whole));
	assert_false(vcore_memory_owns(core.memory, &split));
	core_free(&other);
}

/* A software prefetch of a line that is to be written requests its ownership, others do not. */
TEST_BETWEEN(a_prefetch_requests_what_it_is_for, create_core, free_core)
{
	struct vcore_access access = access_at(BASE + LINE, 8);
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), 1);
	assert_int_equal(plain(VCORE_L2_RFOS), 0);
	/* The line is on its way. */
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), 1);
	access = access_at(BASE + 2 * LINE, 8);
	access.store = true;
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), 1);
	assert_int_equal(plain(VCORE_L2_RFOS), 1);
	clear_counts();
	assert_int_equal(store(&core, BASE + 2 * LINE).level, VCORE_AT_L1);
	/* One that hits needs no buffer, but its page is translated. */
	for (i = 0; i < FILLS; i++)
		load_now(&core, PC, BASE + (10 + i) * LINE);
	access = access_at(BASE, 8);
	access.va = BASE + 7 * PAGE;
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 1);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), FILLS);
	/* One that misses is dropped before. */
	access = access_at(BASE + 8 * PAGE, 8);
	vcore_memory_prefetch(core.memory, core.cycle, &access, &core.counts);
	assert_int_equal(plain(VCORE_DTLB_LOAD_WALKS), 1);
}

/* A fill buffer sends a line when it has all 64 bytes of it, in whatever order. */
TEST_BETWEEN(a_gathered_line_is_sent_when_it_is_complete, create_core, free_core)
{
	struct vcore_reply reply = { 0 };
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	for (i = 0; i < 7; i++) {
		reply = store_now(&core, BASE + 8 * i, true);
		assert_int_equal(reply.done, core.cycle + 1);
		assert_int_equal(reply.l1_done, core.cycle + 1);
		assert_int_equal(reply.level, VCORE_AT_FILL);
		assert_int_equal(reply.from, VCORE_AT_MEMORY);
		store_now(&core, BASE + LINE + 8 * (7 - i), true);
		assert_int_equal(core.memory->gathered, 2);
	}
	assert_false(in_cache(&core.memory->l1d, BASE) || in_cache(&core.memory->l2, BASE));
	assert_true(vcore_fills_gathers(core.memory, BASE / LINE));
	assert_int_equal(traffic(&core)->writes, 0);
	store_now(&core, BASE + 56, true);
	assert_int_equal(traffic(&core)->writes, 1);
	assert_false(vcore_fills_gathers(core.memory, BASE / LINE));
	assert_true(vcore_fills_gathers(core.memory, BASE / LINE + 1));
	assert_int_equal(core.memory->gathered, 1);
	/*
	 * A load of the other line makes its buffer send what it has, and reads it once that is done:
	 * the controller accepts the line after the one sent before.
	 */
	reply = load_now(&core, PC, BASE + LINE);
	assert_int_equal(reply.level, VCORE_AT_MEMORY);
	assert_int_equal(reply.done - core.cycle, ivb->l3.latency / 2 + 2 * ivb->line_interval +
			 ivb->memory);
	assert_int_equal(traffic(&core)->writes, 2);
	assert_int_equal(core.memory->gathered, 0);
	assert_int_equal(plain(VCORE_L2_RFOS), 0);
}

/* If all buffers gather, one of them sends its bytes for an access that needs it. */
TEST_BETWEEN(a_gathering_buffer_makes_room, create_core, free_core)
{
	struct vcore_reply reply;
	unsigned int i;

	load(&core, BASE);
	clear_counts();
	for (i = 0; i < FILLS; i++)
		assert_false(store_now(&core, BASE + (2 + i) * LINE, true).refused);
	/* A store to a line that a buffer gathers needs no other one. */
	assert_false(store_now(&core, BASE + 2 * LINE + 8, true).refused);
	assert_int_equal(traffic(&core)->writes, 0);
	reply = store_now(&core, BASE + 20 * LINE, true);
	assert_true(reply.refused);
	assert_int_equal(reply.done - core.cycle, ivb->l3.latency / 2 + ivb->line_interval);
	assert_int_equal(traffic(&core)->writes, 1);
	assert_int_equal(plain(VCORE_FILLS_FULL), reply.done - core.cycle);
	assert_int_equal(vcore_memory_full_until(core.memory), 0);
	core.cycle = reply.done;
	assert_false(store_now(&core, BASE + 20 * LINE, true).refused);
	assert_int_equal(core.memory->gathered, FILLS);
}

/* Of the lines of a set, the L1D has eight, and then replaces one for each new one. */
TEST_BETWEEN(replaced_lines_are_counted, create_core, free_core)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		load(&core, BASE + i * PAGE);
	assert_int_equal(plain(VCORE_L1_REPLACED), 0);
	load(&core, BASE + 8 * PAGE);
	assert_int_equal(plain(VCORE_L1_REPLACED), 1);
	/* A store to a line that the L1D has, but does not own, replaces none. */
	*vcore_cache_find(&core.memory->l1d, BASE / LINE + PAGE / LINE) &= ~(uint64_t)VCORE_OWNED;
	store(&core, BASE + PAGE);
	assert_int_equal(plain(VCORE_L1_REPLACED), 1);
	assert_int_equal(state_in(&core.memory->l1d, BASE + PAGE) & (VCORE_OWNED | VCORE_DIRTY),
			 VCORE_OWNED | VCORE_DIRTY);
	store(&core, BASE + 9 * PAGE);
	assert_int_equal(plain(VCORE_L1_REPLACED), 2);
}

/* Evicts a line from the L1D by loads of eight other lines, which are in other sets of the L2. */
static void evict_from_l1(uint64_t address)
{
	static unsigned int nr;
	unsigned int i;

	for (i = 0; i < 8; i++, nr++)
		load(&core, address + (nr / 7 * 8 + nr % 7 + 1) * PAGE);
	assert_false(in_cache(&core.memory->l1d, address));
}

/*
 * Evicts a line from the L2 by loads of eight other lines of its set. If @kept, the line is read after
 * each of them, so that it stays in the L1D.
 */
static void evict_from_l2(uint64_t address, bool kept)
{
	static unsigned int nr;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		load(&core, address + ++nr * 8 * PAGE);
		if (kept)
			load(&core, address);
	}
	assert_int_equal(in_cache(&core.memory->l1d, address), kept);
	assert_false(in_cache(&core.memory->l2, address));
}

/* A line that leaves the L1D modified is modified in the L2; one that leaves the L2 is so in the L1D. */
TEST_BETWEEN(a_modified_line_is_lost_by_no_eviction, create_core, free_core)
{
	struct vcore_memory *memory = core.memory;

	store(&core, BASE);
	assert_int_equal(state_in(&memory->l2, BASE) & VCORE_DIRTY, 0);
	evict_from_l1(BASE);
	assert_int_equal(state_in(&memory->l2, BASE) & (VCORE_DIRTY | VCORE_OWNED),
			 VCORE_DIRTY | VCORE_OWNED);
	load(&core, BASE);
	assert_int_equal(state_in(&memory->l1d, BASE) & VCORE_DIRTY, 0);
	evict_from_l2(BASE, true);
	assert_int_equal(state_in(&memory->l1d, BASE) & VCORE_DIRTY, VCORE_DIRTY);
	assert_int_equal(memory->victims.nr, 0);
	/* The L2 gets it back from the L1D, and then the L3 from the L2. */
	evict_from_l1(BASE);
	assert_int_equal(state_in(&memory->l2, BASE) & (VCORE_DIRTY | VCORE_OWNED),
			 VCORE_DIRTY | VCORE_OWNED);
	evict_from_l2(BASE, false);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_L3);
	assert_int_equal(traffic(&core)->writes, 0);
}

/* A clean line that neither cache has any more costs nothing. */
TEST_BETWEEN(a_clean_line_leaves_without_a_write, create_core, free_core)
{
	load(&core, BASE);
	evict_from_l2(BASE, true);
	evict_from_l1(BASE);
	assert_false(in_cache(&core.memory->l2, BASE));
	assert_int_equal(plain(VCORE_L2_VICTIM), 0);
	wait(&core, 5000);
	assert_int_equal(load(&core, BASE).level, VCORE_AT_L3);
	assert_int_equal(traffic(&core)->writes, 0);
}

/* The L3 writes a line back to memory when it evicts it, if a core has modified it. */
TEST_BETWEEN(the_l3_writes_modified_lines_back, create_core, free_core)
{
	unsigned int i, modified;

	for (modified = 0; modified < 2; modified++) {
		uint64_t base = BASE + modified * LINE, before = traffic(&core)->writes;

		if (modified)
			store(&core, base);
		else
			load(&core, base);
		for (i = 1; i < 16; i++)
			load(&core, base + i * ALIAS);
		assert_int_equal(traffic(&core)->writes, before);
		load(&core, base + 16 * ALIAS);
		assert_int_equal(traffic(&core)->writes, before + modified);
		assert_int_equal(load(&core, base).level, VCORE_AT_MEMORY);
	}
}

/*
 * The superqueue has 16 entries. A prefetch goes to the L2 if more than a quarter of them are free,
 * else to the L3 only.
 */
TEST_BETWEEN(prefetches_leave_a_quarter_of_the_superqueue, create_core, free_core)
{
	uint64_t line = BASE / LINE;
	unsigned int i;

	for (i = 0; i < 11; i++)
		vcore_l2_access(core.memory, 0, line + i, VCORE_BY_READ, &core.counts);
	assert_true(vcore_l2_prefetch(core.memory, 0, line + 20, &core.counts));
	assert_non_null(vcore_cache_find(&core.memory->l2, line + 20));
	assert_true(vcore_l2_prefetch(core.memory, 0, line + 21, &core.counts));
	assert_null(vcore_cache_find(&core.memory->l2, line + 21));
	/* The prefetch of a line that the L2 has is one that hits. */
	assert_true(vcore_l2_prefetch(core.memory, 0, line + 3, &core.counts));
	assert_int_equal(plain(VCORE_L2_PREFETCHES), 3);
	assert_int_equal(plain(VCORE_L2_PREFETCH_HITS), 1);
	assert_int_equal(plain(VCORE_L2_LINES_IN), 12);
	/* Prefetches are no references of the L3. */
	assert_int_equal(plain(VCORE_L3_REFERENCES), 11);
	assert_int_equal(plain(VCORE_L3_MISSES), 11);
}

/* Without an L3, a prefetch is dropped instead. */
TEST(prefetches_without_an_l3_are_dropped)
{
	uint64_t line = BASE / LINE;
	unsigned int i, nr = vcore_knc.memory.l2_requests;

	core_new(&core, &vcore_knc, 0, ALL_PREFETCHERS);
	for (i = 0; i < nr - nr / 4 - 1; i++)
		vcore_l2_access(core.memory, 0, line + i, VCORE_BY_READ, &core.counts);
	assert_true(vcore_l2_prefetch(core.memory, 0, line + 100, &core.counts));
	assert_int_equal(plain(VCORE_HWP_L2MISS), 1);
	assert_false(vcore_l2_prefetch(core.memory, 0, line + 101, &core.counts));
	assert_true(vcore_l2_prefetch(core.memory, 0, line, &core.counts));
	assert_int_equal(plain(VCORE_L2_PREFETCHES), 2);
	assert_int_equal(plain(VCORE_HWP_L2MISS), 1);
	core_free(&core);
}

/* A request that finds the superqueue full begins when the first entry is free. */
TEST_BETWEEN(a_full_superqueue_delays_a_request, create_core, free_core)
{
	struct vcore_arrival first, next = { 0 };
	uint64_t line = BASE / LINE;
	unsigned int i;

	first = vcore_l2_access(core.memory, 0, line, VCORE_BY_READ, &core.counts);
	assert_int_equal(first.done, ivb->memory);
	for (i = 1; i < ivb->l2_requests; i++) {
		next = vcore_l2_access(core.memory, 0, line + i, VCORE_BY_READ, &core.counts);
		assert_int_equal(next.done, first.done + i * ivb->line_interval);
		assert_true(next.owned && !next.hit);
		assert_int_equal(next.from, VCORE_AT_MEMORY);
	}
	/* Meanwhile the lines are on their way for whoever else requests them. */
	next = vcore_l2_access(core.memory, 100, line, VCORE_BY_CODE, &core.counts);
	assert_int_equal(next.done, first.done);
	assert_int_equal(next.from, VCORE_AT_MEMORY);
	assert_true(next.hit && next.owned);
	next = vcore_l2_access(core.memory, 100, line + i, VCORE_BY_READ, &core.counts);
	assert_int_equal(next.done, first.done + ivb->memory);
	next = vcore_l2_access(core.memory, first.done, line, VCORE_BY_READ, &core.counts);
	assert_int_equal(next.done, first.done + ivb->l2.latency);
	assert_int_equal(next.from, VCORE_AT_L2);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), ivb->l2_requests + 2);
	assert_int_equal(plain(VCORE_L2_DEMAND_READ_HITS), 1);
	assert_int_equal(plain(VCORE_L2_CODE_READS), 1);
	assert_int_equal(plain(VCORE_L2_CODE_HITS), 1);
	/* Page walks are none of these. */
	vcore_l2_access(core.memory, first.done, line + 100, VCORE_BY_WALK, &core.counts);
	assert_int_equal(plain(VCORE_L2_DEMAND_READS), ivb->l2_requests + 2);
	assert_int_equal(plain(VCORE_L3_REFERENCES), ivb->l2_requests + 2);
}

/* A line that a prefetch brings into the L3 arrives from memory until it is there. */
TEST_BETWEEN(a_prefetch_into_the_l3_is_awaited, create_core, free_core)
{
	uint64_t line = BASE / LINE, late;
	struct vcore_arrival arrival;
	unsigned int i;

	for (i = 0; i < 12; i++)
		vcore_l2_access(core.memory, 0, line + i, VCORE_BY_READ, &core.counts);
	vcore_l2_prefetch(core.memory, 0, line + 20, &core.counts);
	vcore_l2_prefetch(core.memory, 0, line + 21, &core.counts);
	late = ivb->memory + 12 * ivb->line_interval;
	arrival = vcore_l2_access(core.memory, 100, line + 20, VCORE_BY_READ, &core.counts);
	assert_int_equal(arrival.done, late);
	assert_int_equal(arrival.from, VCORE_AT_MEMORY);
	/* The L3 had the line. */
	assert_int_equal(plain(VCORE_L3_MISSES), 12);
	arrival = vcore_l2_access(core.memory, 1000, line + 21, VCORE_BY_READ, &core.counts);
	assert_int_equal(arrival.done, 1000 + ivb->l3.latency);
	assert_int_equal(arrival.from, VCORE_AT_L3);
	assert_int_equal(plain(VCORE_L3_REFERENCES), 14);
}

static void sum_slices(struct vcore_slice *sum)
{
	const struct vcore_traffic *seen = traffic(&core);
	unsigned int i, k, hit;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < VCORE_SLICES; i++)
		for (k = 0; k < VCORE_REQUESTS; k++)
			for (hit = 0; hit < 2; hit++) {
				sum->lookups[k][hit] += seen->slice[i].lookups[k][hit];
				sum->cycles[k][hit] += seen->slice[i].cycles[k][hit];
			}
}

/* Each type of request is counted as such at the slices, with its latency. */
TEST_BETWEEN(slices_count_the_types_of_requests, create_core, free_core)
{
	static const struct {
		enum vcore_requester by;
		enum vcore_request request;
	} all[] = {
		{ VCORE_BY_READ, VCORE_REQUEST_READ }, { VCORE_BY_RFO, VCORE_REQUEST_RFO },
		{ VCORE_BY_CODE, VCORE_REQUEST_CODE }, { VCORE_BY_WALK, VCORE_REQUEST_READ },
		{ VCORE_BY_PREFETCH, VCORE_REQUEST_READ },
	};
	struct vcore_slice before, after;
	uint64_t line = BASE / LINE;
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		core.cycle += 5000;
		sum_slices(&before);
		vcore_l2_access(core.memory, core.cycle, line + i, all[i].by, &core.counts);
		/* The L3 has a line of which the L2 knows nothing. */
		vcore_cache_remove(&core.memory->l2, line + i);
		vcore_l2_access(core.memory, core.cycle + 1000, line + i, all[i].by, &core.counts);
		core.cycle += 2000;
		sum_slices(&after);
		for (k = 0; k < VCORE_REQUESTS; k++) {
			bool is = k == all[i].request;

			assert_int_equal(after.lookups[k][0], before.lookups[k][0] + is);
			assert_int_equal(after.lookups[k][1], before.lookups[k][1] + is);
			assert_int_equal(after.cycles[k][0],
					 before.cycles[k][0] + (is ? ivb->memory : 0));
			assert_int_equal(after.cycles[k][1],
					 before.cycles[k][1] + (is ? ivb->l3.latency : 0));
		}
	}
	/* One that goes to the L3 only has a type of its own. */
	sum_slices(&before);
	for (i = 0; i < 12; i++)
		vcore_l2_access(core.memory, core.cycle, line + 20 + i, VCORE_BY_READ, &core.counts);
	vcore_l2_prefetch(core.memory, core.cycle, line + 40, &core.counts);
	vcore_l2_prefetch(core.memory, core.cycle, line + 40, &core.counts);
	sum_slices(&after);
	assert_int_equal(after.lookups[VCORE_REQUEST_PREFETCH][0], 1);
	assert_int_equal(after.lookups[VCORE_REQUEST_PREFETCH][1], 1);
	assert_int_equal(after.cycles[VCORE_REQUEST_PREFETCH][0], ivb->memory + 12 * ivb->line_interval);
	assert_int_equal(after.cycles[VCORE_REQUEST_PREFETCH][1], ivb->l3.latency);
	assert_int_equal(after.lookups[VCORE_REQUEST_READ][0], before.lookups[VCORE_REQUEST_READ][0] + 12);
}

/* The lines that the L2 has evicted are reported when the queue of four is full. */
TEST_BETWEEN(the_fifth_victim_reports_the_others, create_core, free_core)
{
	struct core other;
	unsigned int i;

	core_new(&other, &vcore_ivb, 1, ALL_PREFETCHERS);
	for (i = 0; i < 6; i++)
		load(&core, BASE + i * LINE);
	for (i = 0; i < 4; i++)
		vcore_victims_put(core.memory, BASE / LINE + i, i == 2);
	assert_int_equal(core.memory->victims.nr, 4);
	assert_int_equal(load(&other, BASE).level, VCORE_AT_SNOOP_HIT);
	vcore_victims_put(core.memory, BASE / LINE + 4, false);
	assert_int_equal(core.memory->victims.nr, 1);
	assert_int_equal(load(&other, BASE + LINE).level, VCORE_AT_L3);
	assert_int_equal(load(&other, BASE + 2 * LINE).level, VCORE_AT_L3);
	assert_int_equal(load(&other, BASE + 3 * LINE).level, VCORE_AT_L3);
	assert_int_equal(load(&other, BASE + 4 * LINE).level, VCORE_AT_SNOOP_HIT);
	/* The queue is emptied before an access to a line with the same low bits, not before others. */
	vcore_victims_flush_before(core.memory, BASE / LINE + 5);
	assert_int_equal(core.memory->victims.nr, 1);
	vcore_victims_flush_before(core.memory, BASE / LINE + 4 + 64);
	assert_int_equal(core.memory->victims.nr, 0);
	assert_int_equal(core.memory->victims.filter, 0);
	core_free(&other);
}

/* A write reaches the controller like a read, and is done when the channel has transferred it. */
TEST(writes_take_the_channel)
{
	static const struct vcore_params *const parts[] = { &vcore_ivb, &vcore_skl, &vcore_knc };
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct vcore_memory_params *p = &parts[i]->memory;
		unsigned int there = (p->l3.sets ? p->l3.latency : p->l2.latency) / 2;

		core_new(&core, parts[i], 0, ALL_PREFETCHERS);
		assert_int_equal(vcore_transfers_write(core.memory, 1000),
				 1000 + there + p->line_interval);
		assert_int_equal(vcore_transfers_write(core.memory, 1000),
				 1000 + there + 2 * p->line_interval);
		assert_int_equal(vcore_transfers_read(core.memory, 1000, 1),
				 1000 + p->memory + 2 * p->line_interval);
		wait(&core, 3000);
		assert_int_equal(traffic(&core)->requests, 3);
		assert_int_equal(traffic(&core)->writes, 2);
		/* Only the read has waited, while the channel transferred the two lines before. */
		assert_int_equal(traffic(&core)->waits, 2 * p->line_interval);
		assert_int_equal(traffic(&core)->waiting[1], 2 * p->line_interval);
		core_free(&core);
	}
}

/* A read that finds all entries of the tracker in use waits for the first of them. */
TEST_BETWEEN(a_full_tracker_delays_reads, create_core, free_core)
{
	unsigned int i;

	for (i = 0; i < ivb->tracker; i++)
		assert_int_equal(vcore_transfers_read(core.memory, 0, i),
				 ivb->memory + i * ivb->line_interval);
	/*
	 * The first entry is free when its data leave, before they have arrived; the channel is busy
	 * for longer, until it has transferred the lines of all requests.
	 */
	assert_int_equal(vcore_transfers_read(core.memory, 0, i),
			 ivb->memory + i * ivb->line_interval);
	assert_int_equal(traffic(&core)->requests, ivb->tracker + 1);
}
