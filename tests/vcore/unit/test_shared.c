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
