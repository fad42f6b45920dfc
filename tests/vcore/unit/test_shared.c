// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of cores that share data: snoops, invalidations and write-backs of their caches. With the
 * argument "hammer", only the test with two concurrent host threads runs, for a build with
 * -fsanitize=thread.
 */
#include <pthread.h>
#include <string.h>

#include "access.h"
#include "memory/hierarchy.h"
#include "memory/snoop_queue.h"

#define CORES 2

static struct core core[CORES];

static void create_cores(const struct vcore_params *params)
{
	unsigned int i;

	for (i = 0; i < CORES; i++)
		core_new(&core[i], params, i, ALL_PREFETCHERS);
}

TEST_FIXTURE(create_ivb)
{
	create_cores(&vcore_ivb);
	return 0;
}

TEST_FIXTURE(free_cores)
{
	unsigned int i;

	for (i = 0; i < CORES; i++)
		core_free(&core[i]);
	return 0;
}

/*
 * Two cores have a line in state S (shared); a third core reads it without a snoop. The second one's
 * read is a snoop to the first one, which handles it at its next access.
 */
TEST_BETWEEN(a_shared_line_is_read_without_a_snoop, create_ivb, free_cores)
{
	struct core third;

	core_new(&third, &vcore_ivb, CORES, ALL_PREFETCHERS);
	load(&core[0], BASE);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_SNOOP_HIT);
	assert_true(vcore_snoop_waits(core[0].memory->snoops));
	load(&core[0], BASE);
	assert_false(vcore_snoop_waits(core[0].memory->snoops));
	load(&third, BASE + LINE);
	assert_int_equal(load(&third, BASE).level, VCORE_AT_L3);
	assert_false(vcore_snoop_waits(core[0].memory->snoops));
	assert_false(vcore_snoop_waits(core[1].memory->snoops));
	core_free(&third);
}

/* A core reads a line that another core is reading, has read, or has written. */
TEST_BETWEEN(reads_of_another_core_s_lines_snoop, create_ivb, free_cores)
{
	struct vcore_reply reply;
	uint64_t start;

	load(&core[1], BASE + LINE);
	load(&core[0], BASE);
	start = core[1].cycle;
	reply = load(&core[1], BASE);
	assert_int_equal(reply.level, VCORE_AT_SNOOP_HIT);
	assert_int_equal(reply.done, start + 43);
	/*
	 * After a read by another core, the line is in state S (shared): the owner's store needs a
	 * request.
	 */
	assert_int_equal(store(&core[0], BASE).level, VCORE_AT_SNOOP_HIT);
	/* The store of the other core must be complete before the next request for the line. */
	wait(&core[1], 500);
	start = core[1].cycle;
	reply = load(&core[1], BASE);
	assert_int_equal(reply.level, VCORE_AT_SNOOP_HITM);
	assert_int_equal(reply.done, start + 60);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_L1);
	assert_int_equal(core[0].counts.plain[VCORE_SNP_HITM], 1);
}

/*
 * A core whose modified line another core takes for a store, or reads, has answered with it; one
 * whose line is clean has not.
 */
TEST_BETWEEN(only_modified_lines_are_answers_to_snoops, create_ivb, free_cores)
{
	load(&core[0], BASE);
	store(&core[1], BASE);
	load(&core[0], BASE + PAGE);
	assert_int_equal(core[0].counts.plain[VCORE_SNP_HITM], 0);
	store(&core[0], BASE + 2 * LINE);
	store(&core[1], BASE + 2 * LINE);
	load(&core[0], BASE + PAGE);
	assert_int_equal(core[0].counts.plain[VCORE_SNP_HITM], 1);
	assert_int_equal(core[0].counts.plain[VCORE_HWP_L2MISS], 0);
	store(&core[0], BASE + 4 * LINE);
	load(&core[1], BASE + 4 * LINE);
	load(&core[0], BASE + PAGE);
	assert_int_equal(core[0].counts.plain[VCORE_SNP_HITM], 2);
}

/*
 * A store to a line in state E (exclusive) makes the line modified without a request for ownership
 * (RFO).
 */
TEST_BETWEEN(a_store_to_an_exclusive_line_needs_no_rfo, create_ivb, free_cores)
{
	load(&core[0], BASE);
	assert_int_equal(store(&core[0], BASE).level, VCORE_AT_L1);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_SNOOP_HITM);
}

/* Evicts a line from a core's L1D and L2 by loads of eight other lines of the same sets. */
static void evict(struct core *from, uint64_t address)
{
	unsigned int i;

	for (i = 1; i <= 8; i++)
		load(from, address + i * 512 * LINE);
}

/* The L3 learns that the L2 has evicted a line only when the victim queue is flushed. */
TEST_BETWEEN(the_l3_learns_of_evictions_from_the_victim_queue, create_ivb, free_cores)
{
	load(&core[0], BASE);
	evict(&core[0], BASE);
	wait(&core[0], 0);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_L3);
}

/*
 * A line that the L2 has evicted and fetched again before the flush still counts as present in the
 * core.
 */
TEST_BETWEEN(a_refetched_victim_stays_present, create_ivb, free_cores)
{
	load(&core[0], BASE);
	evict(&core[0], BASE);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_L3);
	wait(&core[0], 0);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_SNOOP_HIT);
}

TEST_BETWEEN(freeing_a_core_flushes_its_victim_queue, create_ivb, free_cores)
{
	enum vcore_level level;

	load(&core[0], BASE);
	evict(&core[0], BASE);
	core_free(&core[0]);
	level = load(&core[1], BASE).level;
	core_new(&core[0], &vcore_ivb, 0, ALL_PREFETCHERS);
	assert_int_equal(level, VCORE_AT_L3);
}

/*
 * Returns the number of cycles in which each of two cores makes 1000 stores. The stores of the two
 * cores alternate.
 */
static uint64_t ping_pong(uint64_t first, uint64_t second)
{
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		store(&core[0], first);
		store(&core[1], second);
	}
	return core[0].cycle;
}

TEST_BETWEEN(false_sharing_costs_transfers, create_ivb, free_cores)
{
	uint64_t apart, together;

	apart = ping_pong(BASE, BASE + LINE);
	assert_int_equal(core[1].counts.plain[VCORE_L3_REFERENCES], 3);
	together = ping_pong(BASE + PAGE, BASE + PAGE + 8) - apart;
	assert_true(apart < 1000 + 1500);
	assert_true(together > 60 * 1000);
}

/* vcore_memory_invalidated() returns an invalidated line once only. */
TEST_BETWEEN(an_invalidated_line_is_reported_once, create_ivb, free_cores)
{
	uint64_t line = 0;

	load(&core[0], BASE);
	load(&core[0], BASE + PAGE);
	store(&core[1], BASE);
	assert_false(vcore_memory_invalidated(core[0].memory, &line));
	load(&core[0], BASE + PAGE);
	assert_true(vcore_memory_invalidated(core[0].memory, &line));
	assert_int_equal(line, BASE / LINE);
	assert_false(vcore_memory_invalidated(core[0].memory, &line));
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_SNOOP_HITM);
}

/*
 * If a core's snoop queue overflows, all lines in the core's caches are invalidated. The lines stay
 * in the L3.
 */
TEST_BETWEEN(a_full_snoop_queue_invalidates_all_lines, create_ivb, free_cores)
{
	unsigned int i;

	for (i = 0; i < 3000; i++)
		load(&core[0], BASE + i * LINE);
	for (i = 0; i < 2000; i++)
		store(&core[1], BASE + i * LINE);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_SNOOP_HITM);
	assert_int_equal(load(&core[0], BASE + 2999 * LINE).level, VCORE_AT_L3);
}

/* The L3 is inclusive: when it evicts a line, the line is invalidated in the L2s. */
TEST_BETWEEN(l3_evictions_invalidate_l2_lines, create_ivb, free_cores)
{
	const uint64_t sets = 8192 * LINE;
	bool lost = false;
	uint64_t line;
	unsigned int i;

	load(&core[0], BASE);
	for (i = 1; i <= 16; i++)
		load(&core[1], BASE + i * sets);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_MEMORY);
	while (vcore_memory_invalidated(core[0].memory, &line))
		lost |= line == BASE / LINE;
	assert_true(lost);
}

/* Without an L3, a line comes from another core's L2 or from memory. */
TEST_BETWEEN(without_an_l3_cores_deliver_lines, create_ivb, free_cores)
{
	unsigned int i;

	free_cores(test_state);
	create_cores(&vcore_knc);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_MEMORY);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_SNOOP_HIT);
	assert_int_equal(core[1].counts.plain[VCORE_L2_READ_CACHE_FILL], 3);
	store(&core[0], BASE);
	assert_int_equal(core[0].counts.plain[VCORE_L2_WRITE_CACHE_FILL], 1);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_SNOOP_HITM);
	/* A line that both cores' L2s have evicted comes from memory. */
	for (i = 1; i <= 16; i++) {
		load(&core[0], BASE + i * 1024 * LINE);
		load(&core[1], BASE + i * 1024 * LINE);
	}
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_MEMORY);
	assert_int_equal(core[0].counts.plain[VCORE_L2_VICTIM], 0);
	for (i = 0; i <= 16; i++)
		store(&core[0], BASE + i * 1024 * LINE);
	assert_true(core[0].counts.plain[VCORE_L2_VICTIM] > 0);
	assert_true(core[0].counts.plain[VCORE_L2_WRITE_MEM_FILL] +
		    core[0].counts.plain[VCORE_L2_WRITE_CACHE_FILL] >= 17);
}

#define MODEL_CORES 3
#define MODEL_LINES 12
#define MODEL_STEPS 6000

/*
 * The reference model of a line that no cache evicts: which cores have it, which one owns it, and if
 * that one has written it.
 */
struct model_line {
	bool cached;
	bool dirty;
	unsigned int owner;
	bool has[MODEL_CORES];
};

/* Nobody owns the line. */
#define NO_OWNER MODEL_CORES

/* Returns the level at which the reference model's core finds a line that it lacks, or does not own. */
static enum vcore_level model_level(const struct model_line *line, unsigned int me, bool write)
{
	bool others = false;
	unsigned int i;

	if (!line->cached)
		return VCORE_AT_MEMORY;
	for (i = 0; i < MODEL_CORES; i++)
		others |= i != me && line->has[i];
	if (line->owner != NO_OWNER && line->owner != me)
		return line->dirty ? VCORE_AT_SNOOP_HITM : VCORE_AT_SNOOP_HIT;
	return others && write ? VCORE_AT_SNOOP_HIT : VCORE_AT_L3;
}

/* Lets a core of the reference model load or store. Returns the level that it hits. */
static enum vcore_level model_access(struct model_line *line, unsigned int me, bool write)
{
	enum vcore_level level = model_level(line, me, write);
	unsigned int i, others = 0;

	if (line->has[me] && (!write || line->owner == me)) {
		line->dirty |= write;
		return VCORE_AT_L1;
	}
	for (i = 0; i < MODEL_CORES; i++) {
		others += i != me && line->has[i];
		if (write)
			line->has[i] = false;
	}
	line->has[me] = true;
	line->owner = write || !others ? me : NO_OWNER;
	line->dirty = write;
	line->cached = true;
	return level;
}

/* Lets a core of the reference model write a whole line to memory, past all caches. */
static void model_stream(struct model_line *line)
{
	*line = (struct model_line){ .owner = NO_OWNER };
}

static void stream_line(struct core *me, uint64_t address)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		store_now(me, address + 8 * i, true);
	wait(me, 100);
}

/* Random accesses of three cores find their lines where a model of the MESI protocol has them. */
static void compare_with_model(struct core *cores)
{
	struct model_line line[MODEL_LINES] = { 0 };
	uint64_t hitm[MODEL_CORES] = { 0 };
	uint32_t seed = 1;
	unsigned int i, k, was;

	for (i = 0; i < MODEL_LINES; i++)
		line[i].owner = NO_OWNER;
	for (i = 0; i < MODEL_STEPS; i++) {
		unsigned int which, me, what;
		struct core *core;
		uint64_t address;

		seed = seed * 1664525 + 1013904223;
		which = (seed >> 8) % MODEL_LINES;
		me = (seed >> 16) % MODEL_CORES;
		what = (seed >> 24) % 16;
		core = &cores[me];
		address = BASE + which * LINE;
		was = line[which].owner;
		if (was != NO_OWNER && was != me && line[which].dirty)
			hitm[was]++;
		if (what) {
			enum vcore_level level = model_access(&line[which], me, what < 6);
			struct vcore_reply reply = what < 6 ? store(core, address) :
							      load(core, address);

			assert_int_equal(reply.level, level);
			assert_int_equal(reply.from, level);
		} else {
			stream_line(core, address);
			model_stream(&line[which]);
		}
	}
	for (k = 0; k < MODEL_CORES; k++) {
		load(&cores[k], BASE + PAGE);
		assert_int_equal(cores[k].counts.plain[VCORE_SNP_HITM], hitm[k]);
	}
}

TEST_BETWEEN(random_accesses_agree_with_a_model_of_mesi, create_ivb, free_cores)
{
	struct core cores[MODEL_CORES];
	unsigned int i;

	for (i = 0; i < MODEL_CORES; i++)
		core_new(&cores[i], &vcore_ivb, CORES + i, ALL_PREFETCHERS);
	compare_with_model(cores);
	for (i = 0; i < MODEL_CORES; i++)
		core_free(&cores[i]);
}

/*
 * A core that writes a line before it has answered the snoop that took its ownership modifies nothing in
 * the L3, which then has nothing to write back.
 */
TEST_BETWEEN(only_an_owner_modifies_a_line, create_ivb, free_cores)
{
	struct vcore_shared *shared = core[0].memory->shared;
	unsigned int owned, i;

	for (owned = 0; owned < 2; owned++) {
		const uint64_t line = BASE / LINE + owned;

		vcore_shared_read(shared, 0, 0, line);
		if (!owned) {
			vcore_shared_read(shared, 1, 0, line);
			vcore_shared_drop(shared, 1, line, false);
		}
		vcore_shared_modified(shared, 1, line);
		vcore_shared_modified(shared, 0, line);
		for (i = 1; i < 16; i++)
			assert_false(vcore_shared_read(shared, 0, 0, line + 8192 * i).written_back);
		assert_int_equal(vcore_shared_read(shared, 0, 0, line + 8192 * 16).written_back, owned);
	}
}

/* The lines that the latest snoops have invalidated are kept, the oldest first. */
TEST_BETWEEN(the_latest_invalidated_lines_are_reported, create_ivb, free_cores)
{
	static const unsigned int all[] = { VCORE_LOST, VCORE_LOST + 1, VCORE_LOST + 36 };
	unsigned int i, k;
	uint64_t line;

	for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
		const uint64_t base = BASE + k * 16 * PAGE;

		for (i = 0; i < all[k]; i++)
			load(&core[0], base + i * LINE);
		for (i = 0; i < all[k]; i++)
			store(&core[1], base + i * LINE);
		load(&core[0], BASE + PAGE * 8);
		for (i = all[k] - VCORE_LOST; i < all[k]; i++) {
			assert_true(vcore_memory_invalidated(core[0].memory, &line));
			assert_int_equal(line, base / LINE + i);
		}
		assert_false(vcore_memory_invalidated(core[0].memory, &line));
	}
	/* A line that only the L1I has is invalidated, too, but no load has read it. */
	vcore_memory_fetch(core[0].memory, core[0].cycle, PC, PC, &core[0].counts);
	vcore_cache_remove(&core[0].memory->l2, PC / LINE);
	store(&core[1], PC);
	load(&core[0], BASE + PAGE * 8);
	assert_null(vcore_cache_find(&core[0].memory->l1i, PC / LINE));
	assert_false(vcore_memory_invalidated(core[0].memory, &line));
}

/* Until a core has answered a snoop, it does not know which of its misses will be refused. */
TEST_BETWEEN(a_waiting_snoop_ends_what_is_known_of_full_buffers, create_ivb, free_cores)
{
	uint64_t full;
	unsigned int i;

	load(&core[0], BASE);
	for (i = 0; i < 11; i++)
		load_now(&core[0], PC, BASE + (2 + i) * LINE);
	full = vcore_memory_full_until(core[0].memory);
	assert_true(full > core[0].cycle);
	store(&core[1], BASE);
	assert_int_equal(vcore_memory_full_until(core[0].memory), 0);
	load_now(&core[0], PC, BASE + 40 * LINE);
	assert_int_equal(vcore_memory_full_until(core[0].memory), full);
}

static void assert_snoop(struct vcore_snoop_queue *queue, enum vcore_snoop_type type, uint64_t line)
{
	struct vcore_snoop snoop = vcore_snoop_read(queue);

	assert_int_equal(snoop.type, type);
	if (type == VCORE_SNOOP_SHARE || type == VCORE_SNOOP_INVALIDATE)
		assert_int_equal(snoop.line, line);
}

/* A queue of snoops has 1024 of them, the oldest first; with one more, it has lost them all. */
TEST(snoops_are_read_in_order_until_one_is_lost)
{
	static struct vcore_snoop_queue queue;
	unsigned int i, round;

	vcore_snoop_init(&queue);
	assert_false(vcore_snoop_waits(&queue));
	assert_snoop(&queue, VCORE_SNOOP_NONE, 0);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < VCORE_SNOOPS; i++)
			vcore_snoop_send(&queue, 7 * i + round, i % 3 ? VCORE_SNOOP_SHARE :
									VCORE_SNOOP_INVALIDATE);
		for (i = 0; i < VCORE_SNOOPS - 100; i++) {
			assert_true(vcore_snoop_waits(&queue));
			assert_snoop(&queue, i % 3 ? VCORE_SNOOP_SHARE : VCORE_SNOOP_INVALIDATE,
				     7 * i + round);
		}
		for (i = 0; i < VCORE_SNOOPS - 100; i++)
			vcore_snoop_send(&queue, i, VCORE_SNOOP_SHARE);
		assert_int_equal(queue.waiting, VCORE_SNOOPS);
		vcore_snoop_send(&queue, 1, VCORE_SNOOP_SHARE);
		assert_true(vcore_snoop_waits(&queue));
		assert_snoop(&queue, VCORE_SNOOP_OVERFLOW, 0);
		assert_false(vcore_snoop_waits(&queue));
		assert_snoop(&queue, VCORE_SNOOP_NONE, 0);
	}
	vcore_snoop_free(&queue);
}

/* Lines that a core loses at once, because snoops to it were lost, are reported to the L3. */
TEST_BETWEEN(a_core_that_is_emptied_writes_its_lines_back, create_ivb, free_cores)
{
	struct vcore_memory *memory = core[0].memory;

	store(&core[0], BASE);
	load(&core[0], BASE + LINE);
	vcore_memory_fetch(memory, core[0].cycle, PC, PC, &core[0].counts);
	vcore_snoops_empty(memory);
	assert_null(vcore_cache_find(&memory->l1d, BASE / LINE));
	assert_null(vcore_cache_find(&memory->l2, BASE / LINE));
	assert_null(vcore_cache_find(&memory->l1i, PC / LINE));
	assert_null(vcore_cache_find(&memory->l2, PC / LINE));
	/* No core has the lines, so the L3 has them, without a snoop. */
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_L3);
	assert_int_equal(load(&core[1], BASE + LINE).level, VCORE_AT_L3);
	assert_false(vcore_snoop_waits(memory->snoops));
}

/*
 * A core that requests a line while it is on its way from one core to another waits until it has
 * arrived; this needs clocks that are synchronised. Lines that share an index do not wait.
 */
TEST_BETWEEN(transfers_of_a_line_follow_each_other, create_ivb, free_cores)
{
	struct vcore_shared *shared = core[0].memory->shared;
	const unsigned int hitm = vcore_ivb.memory.snoop_hitm, hit = vcore_ivb.memory.snoop_hit;
	uint64_t line = BASE / LINE;
	unsigned int i;

	vcore_shared_own(shared, 0, 100, line);
	/* The clocks of these cores are not synchronised. */
	for (i = 0; i < 4; i++)
		assert_int_equal(vcore_shared_own(shared, !(i % 2), 100, line).wait, 0);
	vcore_memory_pace(core[0].memory, 100);
	vcore_memory_pace(core[1].memory, 100);
	assert_int_equal(vcore_shared_own(shared, 1, 100, line).wait, 0);
	assert_int_equal(vcore_shared_own(shared, 0, 110, line).wait, hitm - 10);
	/* It arrives at the end of two transfers. A read of it has to wait for both. */
	assert_int_equal(vcore_shared_read(shared, 1, 110, line).wait, 2 * hitm - 10);
	assert_int_equal(vcore_shared_own(shared, 0, 100 + 3 * hitm, line).wait, 0);
	/* A line that its owner has not written takes less. */
	vcore_shared_read(shared, 0, 1000, line + 1);
	assert_int_equal(vcore_shared_read(shared, 1, 1000, line + 1).level, VCORE_AT_SNOOP_HIT);
	assert_int_equal(vcore_shared_own(shared, 0, 1000, line + 1).wait, hit);
	/* A line with the same index is another one. */
	vcore_shared_own(shared, 0, 2000, line);
	vcore_shared_own(shared, 0, 2000, line + 64);
	vcore_shared_own(shared, 1, 2000, line);
	assert_int_equal(vcore_shared_own(shared, 1, 2000, line + 64).wait, 0);
}

static void *hammer(void *argument)
{
	struct core *me = argument;
	uint64_t line;
	unsigned int i;

	vcore_memory_prefetchers(me->memory, 0);
	for (i = 0; i < 50000; i++) {
		store(me, BASE + i % 7 * LINE);
		load(me, BASE + PAGE + i % 4001 * LINE);
		store_now(me, BASE + 2 * PAGE + i % 999 * 8, true);
		while (vcore_memory_invalidated(me->memory, &line))
			;
	}
	wait(me, 1000);
	return NULL;
}

TEST_BETWEEN(concurrent_accesses_do_not_corrupt_the_state, create_ivb, free_cores)
{
	pthread_t thread[CORES];
	unsigned int i;

	for (i = 0; i < CORES; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, hammer,
						&core[i]), 0);
	for (i = 0; i < CORES; i++)
		pthread_join(thread[i], NULL);
	wait(&core[0], core[1].cycle);
	wait(&core[1], core[0].cycle);
	assert_in_range(vcore_traffic_clock(traffic(&core[0])), 50000,
			core[0].cycle + core[1].cycle);
}

/* Creates two cores of different types in one package. */
TEST_FIXTURE(create_hybrid)
{
	core_new(&core[0], &vcore_spr, 0, ALL_PREFETCHERS);
	core_new(&core[1], &vcore_grt, 1, ALL_PREFETCHERS);
	return 0;
}

TEST_BETWEEN(core_types_share_lines, create_hybrid, free_cores)
{
	store(&core[1], BASE);
	assert_int_equal(load(&core[0], BASE).level, VCORE_AT_SNOOP_HITM);
	assert_int_equal(load(&core[1], BASE).level, VCORE_AT_L1);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "hammer"))
		cmocka_set_test_filter("concurrent_accesses_do_not_corrupt_the_state");
	return test_run();
}
