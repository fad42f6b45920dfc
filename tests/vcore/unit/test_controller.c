// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the memory controller that the cores of a package share: its bandwidth and its latency
 * do not depend on how the host schedules the threads that simulate the cores.
 */
#include <pthread.h>
#include <stdlib.h>

#include "access.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"
#include "memory/pace.h"

#define CORES 4
#define LINES 3000
#define FAR 0x1000000ull
/*
 * Patience with a core that does not advance, in ms: longer than any delay by the host's scheduler.
 */
#define PATIENCE_MS 120000
#define MANY 28

/**
 * struct reader - a core that a thread of the host simulates
 * @core: the core
 * @at: address of the first line that the core reads
 * @reads: true if the core reads LINES lines, false if it idles until @until
 * @until: last cycle of an idle core
 */
struct reader {
	struct core core;
	uint64_t at;
	bool reads;
	uint64_t until;
};

static struct reader reader[CORES];

/*
 * Creates cores. All of them are synchronised before their threads start, so that none runs alone.
 */
static void create_cores(unsigned int cores)
{
	unsigned int i;

	vcore_pace_patience_ms = PATIENCE_MS;
	for (i = 0; i < cores; i++) {
		core_new(&reader[i].core, &vcore_ivb, i, 0);
		reader[i].at = BASE + i * FAR;
		reader[i].reads = true;
		vcore_memory_pace(reader[i].core.memory, 0);
	}
}

static void free_cores(unsigned int cores)
{
	while (cores--)
		core_free(&reader[cores].core);
}

static void read_line(struct reader *me, uint64_t line, uint64_t *done)
{
	struct core *core = &me->core;
	struct vcore_reply reply;

	if (*done > core->cycle)
		core->cycle = *done;
	for (;;) {
		vcore_memory_pace(core->memory, core->cycle);
		reply = load_now(core, PC, me->at + line * LINE);
		if (!reply.refused)
			break;
		core->cycle = reply.done;
	}
	*done = reply.done;
	core->cycle += 4;
}

/*
 * Function of the host thread that simulates a core: the core reads consecutive lines, with ten
 * misses in progress.
 */
static void *run_core(void *argument)
{
	struct reader *me = argument;
	struct core *core = &me->core;
	uint64_t done[10] = { 0 };
	unsigned int i;

	for (i = 0; me->reads && i < LINES; i++)
		read_line(me, i, &done[i % 10]);
	for (; core->cycle < me->until; core->cycle += 10) {
		vcore_memory_pace(core->memory, core->cycle);
		wait(core, 0);
	}
	wait(core, 0);
	vcore_memory_halt(core->memory);
	return NULL;
}

static void run_cores(unsigned int cores)
{
	pthread_t thread[CORES];
	unsigned int i;

	for (i = 0; i < cores; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run_core,
						&reader[i]), 0);
	for (i = 0; i < cores; i++)
		pthread_join(thread[i], NULL);
}

/* Returns the fraction of cycles in which the arbiter's tracker had @least requests or more. */
static double occupied_share(unsigned int least)
{
	const struct vcore_traffic *seen = traffic(&reader[0].core);
	uint64_t cycles = 0;
	unsigned int k;

	for (k = least; k <= VCORE_TRACKER_ENTRIES; k++)
		cycles += seen->cycles_with[k];
	return (double)cycles / vcore_traffic_clock(seen);
}

/* Returns the mean number of cycles that one of the first @cores cores has needed per line. */
static double line_cycles(unsigned int cores)
{
	uint64_t cycles = 0;
	unsigned int i;

	for (i = 0; i < cores; i++)
		cycles += reader[i].core.cycle;
	return (double)cycles / cores / LINES;
}

/* One core alone saturates the bandwidth; of four cores, each gets a quarter of it. */
TEST(cores_share_the_bandwidth)
{
	double alone, together, many;
	unsigned int i;

	create_cores(1);
	run_cores(1);
	alone = line_cycles(1);
	many = occupied_share(MANY);
	free_cores(1);
	create_cores(CORES);
	run_cores(CORES);
	together = line_cycles(CORES);
	assert_true(together > 2.5 * alone);
	assert_true(together > CORES * vcore_ivb.memory.line_interval * 0.95);
	assert_true(occupied_share(MANY) > many);
	for (i = 1; i < CORES; i++)
		assert_true(reader[i].core.cycle >
			    reader[0].core.cycle * 0.7);
	free_cores(CORES);
}

TEST(an_idle_core_does_not_affect_a_reader)
{
	double alone, cycles;
	uint64_t clock;

	create_cores(1);
	run_cores(1);
	alone = occupied_share(1);
	cycles = line_cycles(1);
	clock = reader[0].core.cycle;
	free_cores(1);
	create_cores(2);
	reader[1].reads = false;
	reader[1].until = clock;
	run_cores(2);
	assert_true(occupied_share(1) > alone * 0.98 && occupied_share(1) < alone * 1.02);
	assert_true(line_cycles(1) > cycles * 0.98 &&
		    line_cycles(1) < cycles * 1.02);
	reader[1].until = 0;
	free_cores(2);
}

TEST(the_package_has_the_clock_of_the_slowest_core)
{
	struct core *first, *last;

	create_cores(2);
	first = &reader[0].core;
	last = &reader[1].core;
	wait(first, 1000);
	assert_int_equal(vcore_traffic_clock(traffic(first)), 0);
	wait(last, 400);
	assert_int_equal(vcore_traffic_clock(traffic(last)), 400);
	vcore_memory_halt(last->memory);
	wait(first, 1);
	assert_int_equal(vcore_traffic_clock(traffic(first)), 1001);
	free_cores(2);
}

TEST(a_core_that_joins_counts_no_earlier_cycles)
{
	uint64_t seen = 0;
	unsigned int k;

	create_cores(2);
	vcore_memory_halt(reader[1].core.memory);
	wait(&reader[0].core, 5000);
	vcore_memory_pace(reader[1].core.memory, 0);
	wait(&reader[1].core, 300);
	wait(&reader[0].core, 300);
	wait(&reader[1].core, 1);
	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		seen += reader[1].core.counts.outstanding[k];
	assert_int_equal(seen, 300);
	free_cores(2);
}

/*
 * The counts of each core include the requests of both cores. The cycles in these counts are those
 * of the core's own clock.
 */
TEST(each_core_counts_requests_of_all)
{
	uint64_t requests, other = 0;
	unsigned int k;

	create_cores(2);
	reader[1].reads = false;
	reader[1].until = 20000;
	run_cores(2);
	requests = traffic(&reader[0].core)->requests;
	for (k = 1; k <= VCORE_TRACKER_ENTRIES; k++)
		other += k * reader[1].core.counts.outstanding[k];
	assert_true(requests > LINES / 2);
	assert_true(other > 10000);
	for (k = 0, other = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		other += reader[1].core.counts.outstanding[k];
	assert_in_range(other, 20000 - 1000, 20000 + 1000);
	reader[1].until = 0;
	free_cores(2);
}

/* Returns the latency in cycles of a read by core @i that leaves the core in @cycle. */
static uint64_t read_latency(unsigned int i, uint64_t cycle)
{
	static uint64_t line;

	return vcore_transfers_read(reader[i].core.memory, cycle,
				    BASE / LINE + line++) - cycle;
}

/*
 * A request of a core that is ahead in time must leave the time before it free for requests of
 * cores that are behind.
 */
TEST(earlier_requests_use_gaps_of_the_controller)
{
	const uint64_t idle = vcore_ivb.memory.memory;

	create_cores(3);
	assert_int_equal(read_latency(0, 10000), idle);
	assert_int_equal(read_latency(1, 20000), idle);
	assert_int_equal(read_latency(2, 100), idle);
	assert_int_equal(read_latency(0, 100),
			 idle + vcore_ivb.memory.line_interval);
	assert_int_equal(read_latency(1, 15000), idle);
	assert_int_equal(read_latency(2, 20000),
			 idle + vcore_ivb.memory.line_interval);
	free_cores(3);
}

/*
 * A request that starts in the cycle in which the controller becomes free leaves no gap before it.
 */
TEST(back_to_back_requests_leave_no_gap)
{
	const uint64_t idle = vcore_ivb.memory.memory;

	create_cores(2);
	assert_int_equal(read_latency(0, 10000), idle);
	assert_int_equal(read_latency(0, 10000 + vcore_ivb.memory.line_interval),
			 idle);
	assert_int_equal(read_latency(1, 100), idle);
	free_cores(2);
}

/*
 * The other cores no longer wait for a halted core. When the halted core makes a request again, it
 * continues at the clock of the others, without waiting.
 */
TEST(a_core_left_behind_resumes_at_the_clock_of_others)
{
	create_cores(2);
	vcore_memory_halt(reader[1].core.memory);
	vcore_memory_pace(reader[0].core.memory, 1000000);
	assert_int_equal(read_latency(0, 1000000), vcore_ivb.memory.memory);
	assert_int_equal(read_latency(1, 50), vcore_ivb.memory.memory +
				       vcore_ivb.memory.line_interval);
	free_cores(2);
}

/*
 * Of the gaps that requests have left, the earliest one with room is used, from its start on or from
 * the request's. A core has one gap, which a later one of its requests replaces.
 */
TEST(the_earliest_gap_with_room_is_used)
{
	static const struct {
		unsigned int core;
		uint64_t start;
		unsigned int interval;
		uint64_t at;
	} all[] = {
		/* The channel is free at first; requests in the order of time follow each other. */
		{ 0, 0, 10, 0 }, { 0, 5, 10, 10 }, { 1, 20, 10, 20 },
		/* Core 2 leaves 30 to 100 free, core 3 leaves 110 to 200. */
		{ 2, 100, 10, 100 }, { 3, 200, 10, 200 },
		/* One that fits before 100, one that does not, and one that just does. */
		{ 0, 95, 10, 110 }, { 0, 0, 60, 30 }, { 0, 0, 10, 90 },
		/* Nothing is left of the first gap; the second one begins at 120. */
		{ 0, 0, 10, 120 }, { 1, 150, 10, 150 }, { 1, 0, 40, 160 },
		/* No gap has room for this one. */
		{ 1, 0, 10, 210 },
		/* Core 2 leaves two gaps, of which the second one is kept. */
		{ 2, 300, 10, 300 }, { 2, 400, 10, 400 }, { 0, 225, 10, 310 }, { 3, 500, 10, 500 },
		{ 0, 410, 10, 410 }, { 0, 350, 20, 350 }, { 0, 0, 10, 370 },
	};
	struct vcore_controller *c = calloc(1, sizeof(*c));
	unsigned int i;

	vcore_controller_init(c, 8);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t at = vcore_controller_slot(c, all[i].core, all[i].start, all[i].interval);

		if (at != all[i].at)
			fail_msg("request %u: %u, not %u", i, (unsigned int)at,
				 (unsigned int)all[i].at);
	}
	free(c);
}

/* A core whose clock is behind that of the package transfers lines in cycles of its own. */
TEST(transfers_take_cycles_of_the_core_s_own_clock)
{
	const uint64_t idle = vcore_ivb.memory.memory;
	struct vcore_memory *late;
	uint64_t done;

	create_cores(2);
	vcore_memory_halt(reader[1].core.memory);
	vcore_memory_pace(reader[0].core.memory, 1000000);
	late = reader[1].core.memory;
	assert_true(vcore_transfers_has_room(late, 50));
	done = vcore_transfers_prefetch(late, 50, 7);
	assert_int_equal(done, 50 + idle);
	assert_int_equal(vcore_transfers_in_progress(late, 60, 7), done);
	assert_int_equal(vcore_transfers_in_progress(late, done - 1, 7), done);
	assert_int_equal(vcore_transfers_in_progress(late, done, 7), 0);
	assert_int_equal(vcore_transfers_in_progress(late, 60, 8), 0);
	/* The other core sees it at the same time, in its cycles. */
	assert_int_equal(vcore_transfers_in_progress(reader[0].core.memory, 1000060, 7),
			 1000000 + idle);
	assert_int_equal(vcore_transfers_write(late, 5000), 5000 + vcore_ivb.memory.l3.latency / 2 +
			 vcore_ivb.memory.line_interval);
	free_cores(2);
}
