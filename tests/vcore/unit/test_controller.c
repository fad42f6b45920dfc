// SPDX-License-Identifier: GPL-2.0
/* The memory controller that the cores of a package share. */
#include <pthread.h>

#include "access.h"
#include "memory/hierarchy.h"
#include "memory/pace.h"

#define CORES 4
#define LINES 3000
#define FAR 0x1000000ull
/* Far longer than a host delays a runnable thread. */
#define PATIENCE_MS 120000
#define MANY 28

/**
 * struct reader - a core that a thread of the host simulates
 * @core: memory accesses of the core
 * @at: address of the lines that it reads
 * @reads: true to read lines, false to let cycles pass until @until
 * @until: cycle at which a core that does not read ends
 */
struct reader {
	struct core core;
	uint64_t at;
	bool reads;
	uint64_t until;
};

static struct reader reader[CORES];

/* All cores join before their threads start, so that none runs alone. */
static void begin(unsigned int cores)
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

static void end(unsigned int cores)
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

/* Reads consecutive lines, ten of them at a time. */
static void *run(void *argument)
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

static void run_all(unsigned int cores)
{
	pthread_t thread[CORES];
	unsigned int i;

	for (i = 0; i < cores; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run,
						&reader[i]), 0);
	for (i = 0; i < cores; i++)
		pthread_join(thread[i], NULL);
}

/* Returns the share of the package's time with at least so many requests. */
static double share(unsigned int least)
{
	const struct vcore_traffic *seen = traffic(&reader[0].core);
	uint64_t cycles = 0;
	unsigned int k;

	for (k = least; k <= VCORE_TRACKER_ENTRIES; k++)
		cycles += seen->cycles_with[k];
	return (double)cycles / vcore_traffic_clock(seen);
}

/* Returns the mean cycles per line of one core. */
static double line_cycles(unsigned int cores)
{
	uint64_t cycles = 0;
	unsigned int i;

	for (i = 0; i < cores; i++)
		cycles += reader[i].core.cycle;
	return (double)cycles / cores / LINES;
}

/* One core uses the whole bandwidth, so each of four cores gets a quarter. */
static void test_contention(void **state)
{
	double alone, together, many;
	unsigned int i;

	(void)state;
	begin(1);
	run_all(1);
	alone = line_cycles(1);
	many = share(MANY);
	end(1);
	begin(CORES);
	run_all(CORES);
	together = line_cycles(CORES);
	assert_true(together > 2.5 * alone);
	assert_true(together > CORES * vcore_ivb.memory.line_interval * 0.95);
	assert_true(share(MANY) > many);
	for (i = 1; i < CORES; i++)
		assert_true(reader[i].core.cycle >
			    reader[0].core.cycle * 0.7);
	end(CORES);
}

/* A core that does not use memory does not affect one that does. */
static void test_bystander(void **state)
{
	double alone, cycles;
	uint64_t clock;

	(void)state;
	begin(1);
	run_all(1);
	alone = share(1);
	cycles = line_cycles(1);
	clock = reader[0].core.cycle;
	end(1);
	begin(2);
	reader[1].reads = false;
	reader[1].until = clock;
	run_all(2);
	assert_true(share(1) > alone * 0.98 && share(1) < alone * 1.02);
	assert_true(line_cycles(1) > cycles * 0.98 &&
		    line_cycles(1) < cycles * 1.02);
	reader[1].until = 0;
	end(2);
}

/* A cycle of the package has passed when it has passed for the slowest running core. */
static void test_clock(void **state)
{
	struct core *first, *last;

	(void)state;
	begin(2);
	first = &reader[0].core;
	last = &reader[1].core;
	wait(first, 1000);
	assert_int_equal(vcore_traffic_clock(traffic(first)), 0);
	wait(last, 400);
	assert_int_equal(vcore_traffic_clock(traffic(last)), 400);
	vcore_memory_halt(last->memory);
	wait(first, 1);
	assert_int_equal(vcore_traffic_clock(traffic(first)), 1001);
	end(2);
}

/* A core that joins later does not see cycles from before. */
static void test_join(void **state)
{
	uint64_t seen = 0;
	unsigned int k;

	(void)state;
	begin(2);
	vcore_memory_halt(reader[1].core.memory);
	wait(&reader[0].core, 5000);
	vcore_memory_pace(reader[1].core.memory, 0);
	wait(&reader[1].core, 300);
	wait(&reader[0].core, 300);
	wait(&reader[1].core, 1);
	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		seen += reader[1].core.counts.outstanding[k];
	assert_int_equal(seen, 300);
	end(2);
}

/* Both cores see all requests, each in its own cycles. */
static void test_seen(void **state)
{
	uint64_t requests, other = 0;
	unsigned int k;

	(void)state;
	begin(2);
	reader[1].reads = false;
	reader[1].until = 20000;
	run_all(2);
	requests = traffic(&reader[0].core)->requests;
	for (k = 1; k <= VCORE_TRACKER_ENTRIES; k++)
		other += k * reader[1].core.counts.outstanding[k];
	assert_true(requests > LINES / 2);
	assert_true(other > 10000);
	for (k = 0, other = 0; k <= VCORE_TRACKER_ENTRIES; k++)
		other += reader[1].core.counts.outstanding[k];
	assert_in_range(other, 20000 - 1000, 20000 + 1000);
	reader[1].until = 0;
	end(2);
}

/* Returns the latency of a read by core @i. */
static uint64_t reads(unsigned int i, uint64_t cycle)
{
	static uint64_t line;

	return vcore_transfers_read(reader[i].core.memory, cycle,
				    BASE / LINE + line++) - cycle;
}

/* A request in the future leaves the time before it to other cores. */
static void test_gaps(void **state)
{
	const uint64_t idle = vcore_ivb.memory.memory;

	(void)state;
	begin(3);
	assert_int_equal(reads(0, 10000), idle);
	assert_int_equal(reads(1, 20000), idle);
	assert_int_equal(reads(2, 100), idle);
	assert_int_equal(reads(0, 100),
			 idle + vcore_ivb.memory.line_interval);
	assert_int_equal(reads(1, 15000), idle);
	assert_int_equal(reads(2, 20000),
			 idle + vcore_ivb.memory.line_interval);
	end(3);
}

/* A request at the moment at which the controller becomes free leaves no gap. */
static void test_no_gap(void **state)
{
	const uint64_t idle = vcore_ivb.memory.memory;

	(void)state;
	begin(2);
	assert_int_equal(reads(0, 10000), idle);
	assert_int_equal(reads(0, 10000 + vcore_ivb.memory.line_interval),
			 idle);
	assert_int_equal(reads(1, 100), idle);
	end(2);
}

/*
 * A core that was left behind continues at the others' time and does not wait for
 * it again.
 */
static void test_left_behind(void **state)
{
	(void)state;
	begin(2);
	vcore_memory_halt(reader[1].core.memory);
	vcore_memory_pace(reader[0].core.memory, 1000000);
	assert_int_equal(reads(0, 1000000), vcore_ivb.memory.memory);
	assert_int_equal(reads(1, 50), vcore_ivb.memory.memory +
				       vcore_ivb.memory.line_interval);
	end(2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_bystander),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_seen),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_no_gap),
		cmocka_unit_test(test_left_behind),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("controller", tests, NULL, NULL);
}
