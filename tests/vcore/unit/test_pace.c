// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the pace of simulated cores: the host threads that simulate the cores keep their clocks
 * together, so that counts do not depend on how busy the host is.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

#include "entry/entry.h"
#include "decode/decode.h"
#include "memory/pace.h"
#include "test.h"

#define CYCLES 3000
/*
 * Patience with a core that does not advance, in ms: longer than any delay by the host's scheduler.
 */
#define PATIENCE_MS 120000
#define ROUNDS 1000
#define CODE 0x400000
#define DATA 0x100000

static struct vcore_pace pace;

/*
 * A core that a thread simulates: its number, its first cycle, and the maximum number of cycles by
 * which it has been ahead of the other core.
 */
struct runner {
	unsigned int core;
	uint64_t start;
	uint64_t ahead;
};

static void *run_core(void *argument)
{
	struct runner *me = argument;
	uint64_t cycle, other, time;
	bool runs;

	for (cycle = me->start; cycle < me->start + CYCLES; cycle++) {
		vcore_pace_keep(&pace, me->core, cycle);
		runs = vcore_pace_has(&pace, !me->core);
		other = __atomic_load_n(&pace.now[!me->core], __ATOMIC_ACQUIRE);
		time = vcore_pace_time(&pace, me->core, cycle);
		if (runs && time > other + me->ahead)
			me->ahead = time - other;
	}
	vcore_pace_leave(&pace, me->core);
	return NULL;
}

/*
 * No core is ahead of another by more than VCORE_PACE_AHEAD cycles, whatever the difference of
 * their clocks at the start.
 */
TEST(no_core_leads_by_more_than_the_limit)
{
	struct runner runner[2] = { { 0, 0, 0 }, { 1, 5000000, 0 } };
	pthread_t thread[2];
	unsigned int i;

	pace = (struct vcore_pace){ 0 };
	/*
	 * Both cores are synchronised before their threads start, core 1 first, so that core 0
	 * continues at the time of core 1.
	 */
	for (i = 2; i--;)
		vcore_pace_keep(&pace, i, runner[i].start);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run_core,
						&runner[i]), 0);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 2; i++)
		assert_in_range(runner[i].ahead, 0, VCORE_PACE_AHEAD);
}

/* Cores do not wait for a core that halts; when it resumes, it continues at their time. */
TEST(cores_do_not_wait_for_a_halted_core)
{
	pace = (struct vcore_pace){ 0 };
	vcore_pace_keep(&pace, 0, 100);
	vcore_pace_keep(&pace, 1, 100);
	vcore_pace_leave(&pace, 1);
	vcore_pace_keep(&pace, 0, 9000);
	assert_false(vcore_pace_has(&pace, 1));
	vcore_pace_keep(&pace, 1, 110);
	assert_int_equal(vcore_pace_time(&pace, 1, 110), 9000);
	/*
	 * A core that starts while all others are halted continues at the latest time of any of
	 * them.
	 */
	vcore_pace_leave(&pace, 0);
	vcore_pace_leave(&pace, 1);
	vcore_pace_keep(&pace, 2, 5);
	assert_int_equal(vcore_pace_time(&pace, 2, 5), 9000);
}

/* The package's time is that of the running core that is furthest behind. */
TEST(time_passes_with_the_slowest_running_core)
{
	pace = (struct vcore_pace){ 0 };
	vcore_pace_keep(&pace, 0, 100);
	vcore_pace_keep(&pace, 1, 100);
	assert_int_equal(vcore_pace_passed(&pace, 0, 115), 100);
	assert_int_equal(vcore_pace_passed(&pace, 1, 110), 110);
	assert_int_equal(vcore_pace_passed(&pace, 1, 120), 115);
	vcore_pace_leave(&pace, 1);
	assert_int_equal(vcore_pace_passed(&pace, 0, 150), 150);
	/* A core that does not run advances no clock, neither its own nor that of others. */
	assert_int_equal(vcore_pace_passed(&pace, 1, 500), 150);
	assert_int_equal(vcore_pace_passed(&pace, 0, 160), 160);
	assert_int_equal(pace.now[1], 120);
	/* A core of a high number is one of them, too. */
	vcore_pace_keep(&pace, 63, 7);
	assert_int_equal(vcore_pace_time(&pace, 63, 7), 160);
	assert_int_equal(vcore_pace_passed(&pace, 0, 200), 160);
	assert_int_equal(vcore_pace_passed(&pace, 63, 17), 170);
	vcore_pace_leave(&pace, 0);
	vcore_pace_leave(&pace, 63);
}

/* The thread with the even number has the even cycles of the package's time while both run. */
TEST(threads_of_a_core_alternate_while_both_run)
{
	unsigned int core, offset, cycle;

	for (core = 2; core < 4; core++)
		for (offset = 0; offset < 2; offset++)
			for (cycle = 10; cycle < 14; cycle++) {
				pace = (struct vcore_pace){ .running = 1 << 2 | 1 << 3 };
				pace.offset[core] = offset;
				assert_int_equal(vcore_pace_yields(&pace, core, core ^ 1, cycle),
						 (cycle + offset) % 2 != core % 2);
				/* Its sibling halts. */
				pace.running = 1 << core | 1 << 4;
				assert_false(vcore_pace_yields(&pace, core, core ^ 1, cycle));
			}
}

TEST(the_wait_for_a_stopped_core_times_out)
{
	pace = (struct vcore_pace){ 0 };
	vcore_pace_keep(&pace, 0, 100);
	vcore_pace_keep(&pace, 1, 100);
	vcore_pace_keep(&pace, 0, 100 + VCORE_PACE_AHEAD);
	assert_true(vcore_pace_has(&pace, 1));
	vcore_pace_patience_ms = 20;
	vcore_pace_keep(&pace, 0, 5000);
	vcore_pace_patience_ms = PATIENCE_MS;
	assert_false(vcore_pace_has(&pace, 1));
}

/* Function of the host thread of core 1: it sleeps until a byte can be read from a pipe. */
static void *sleeping_core(void *argument)
{
	char byte;

	vcore_pace_keep(&pace, 1, 100);
	assert_int_equal(read(*(int *)argument, &byte, 1), 1);
	return NULL;
}

/*
 * Function of the host thread of core 1: it uses CPU time without advancing the core's clock, until
 * a flag is true.
 */
static void *spinning_core(void *argument)
{
	vcore_pace_keep(&pace, 1, 100);
	while (!__atomic_load_n((bool *)argument, __ATOMIC_ACQUIRE))
		;
	return NULL;
}

/*
 * Starts the host thread of core 1, and returns when core 1 is synchronised, so that core 0 waits
 * for it.
 */
static pthread_t second_core(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	pace = (struct vcore_pace){ 0 };
	vcore_pace_keep(&pace, 0, 100);
	assert_int_equal(pthread_create(&thread, NULL, run, argument), 0);
	while (!vcore_pace_has(&pace, 1))
		sched_yield();
	return thread;
}

/* Checks that core 0 does not wait for core 1 any longer than the patience. */
static void wait_is_over(void)
{
	vcore_pace_patience_ms = 20;
	vcore_pace_keep(&pace, 0, 5000);
	vcore_pace_patience_ms = PATIENCE_MS;
	assert_false(vcore_pace_has(&pace, 1));
}

TEST(the_wait_for_a_sleeping_thread_times_out)
{
	pthread_t thread;
	int both[2];

	assert_int_equal(pipe(both), 0);
	thread = second_core(sleeping_core, &both[0]);
	/* Waits until the thread sleeps. */
	while (vcore_pace_look(&pace, 1).runnable)
		sched_yield();
	wait_is_over();
	assert_int_equal(write(both[1], "", 1), 1);
	pthread_join(thread, NULL);
	close(both[0]);
	close(both[1]);
}

TEST(the_wait_for_a_thread_that_runs_elsewhere_times_out)
{
	struct vcore_pace_thread now;
	bool enough = false;
	pthread_t thread;

	thread = second_core(spinning_core, &enough);
	do {
		now = vcore_pace_look(&pace, 1);
		assert_true(now.runnable);
		assert_false(now.waits);
	} while (now.ran < 20000000);
	wait_is_over();
	__atomic_store_n(&enough, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	pace.waiting = 2;
	assert_true(vcore_pace_look(&pace, 1).waits);
	assert_false(vcore_pace_look(&pace, 0).waits);
}

/*
 * Cores wait up to 50 times vcore_pace_patience_ms for a core whose thread is ready to run but has
 * no CPU of the host. The cases assume a patience of 20 and give all times in the same unit.
 */
TEST(a_thread_without_a_cpu_has_a_longer_timeout)
{
	static const struct {
		struct vcore_pace_thread thread;
		bool over;
	} all[] = {
		{ { .waited = 21 }, true },
		{ { .runnable = true, .waited = 999 }, false },
		{ { .runnable = true, .ran = 20, .waited = 1000 }, false },
		{ { .runnable = true, .ran = 21, .waited = 21 }, true },
		{ { .runnable = true, .waited = 1001 }, true },
		{ { .waits = true, .waited = 1000 }, false },
		{ { .waits = true, .runnable = true, .ran = 500, .waited = 1000 }, false },
		{ { .waits = true, .waited = 1001 }, true },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_int_equal(vcore_pace_is_over(&all[i].thread, 20), all[i].over);
}

/* A core that increments a counter in memory, and the address of the counter. */
struct counting {
	struct vcore *core;
	uint64_t at;
};

/* Function of the host thread of a core: it simulates the loop add [rdi], rax; dec ecx; jnz. */
static void *run_increments(void *argument)
{
	static const uint8_t bytes[] = { 0x48, 1, 7, 0xff, 0xc9, 0x75, 0xf9 };
	static const unsigned int start[] = { 0, 3, 5, 7 };
	struct counting *me = argument;
	struct vcore_access access = { .va = me->at, .pa = me->at, .size = 8 };
	struct vcore_insn insn[3];
	unsigned int round, i;

	for (i = 0; i < 3; i++)
		vcore_decode(&insn[i], bytes + start[i],
			     start[i + 1] - start[i], CODE + start[i],
			     CODE + start[i]);
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < 3; i++) {
			vcore_begin(me->core, &insn[i]);
			if (i)
				continue;
			access.store = false;
			vcore_access(me->core, &access);
			access.store = true;
			vcore_access(me->core, &access);
		}
	}
	vcore_halt(me->core, true);
	return NULL;
}

/* Returns the mean cycles of an increment by two cores whose counters are @distance bytes apart. */
static double count_both(uint64_t distance)
{
	static const struct vcore_ideal real;
	struct counting counting[2];
	pthread_t thread[2];
	uint64_t cycles = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		counting[i].core = vcore_new(&vcore_ivb, &real, i);
		counting[i].at = DATA + i * distance;
		/* Both cores are synchronised before their threads start. */
		vcore_memory_pace(counting[i].core->memory, 0);
	}
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run_increments,
						&counting[i]), 0);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 2; i++) {
		cycles += counting[i].core->cycle;
		vcore_free(counting[i].core);
	}
	return cycles / 2.0 / ROUNDS;
}

/*
 * Two counters in one line are slower than counters in two lines, because the line moves between
 * the cores.
 */
TEST(false_sharing_is_slower_than_separate_lines)
{
	double apart, together;

	apart = count_both(512);
	together = count_both(8);
	print_message("# %.2f cycles apart, %.2f together\n", apart, together);
	assert_true(apart < 9);
	assert_true(together > 1.5 * apart);
}

TEST_FIXTURE(setup)
{
	/* Cores wait so long that no wait times out, however busy the host is. */
	vcore_pace_patience_ms = PATIENCE_MS;
	return 0;
}

TEST_GROUP(setup, NULL);
