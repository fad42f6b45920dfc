// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of two virtual cores that are the hyper-threads of one core: in each cycle only one of them
 * issues.
 */
#include <pthread.h>

#include "memory/pace.h"
#include "program.h"
#include "test.h"

/*
 * Patience with a core that does not advance, in ms: longer than any delay by the host's scheduler.
 */
#define PATIENCE_MS 120000
#define NOPS 59
#define LATENCY 20
#define ROUNDS 2000
/*
 * Tolerance of fractions of slots. In some cycles only one thread can issue: caches are cold at
 * first, and the threads do not end together.
 */
#define ALONE 0.02

static const struct vcore_ideal ideal = { .l1i = true };

/* A thread of the core: its loop, the number of iterations to execute, and its counts. */
struct thread {
	struct vcore_program *program;
	uint64_t rounds;
	struct vcore_counts counts;
};

static struct vcore_program *new_loop(const struct vcore_params *params, unsigned int number)
{
	struct vcore_program *program = vcore_program_new(params, &ideal);

	vcore_free(program->core);
	program->core = vcore_new(params, &ideal, number);
	assert_non_null(program->core);
	vcore_share(program->core, number ^ 1);
	return program;
}

/* Makes a loop of NOPs: its instructions only need slots to be issued in. */
static struct vcore_program *new_nops(const struct vcore_params *params, unsigned int number)
{
	struct vcore_program *program = new_loop(params, number);
	unsigned int i;

	for (i = 0; i < NOPS; i++)
		vcore_program_nop(program);
	return program;
}

static struct thread thread_of(struct vcore_program *program, uint64_t rounds)
{
	return (struct thread){ .program = program, .rounds = rounds };
}

static void *run(void *argument)
{
	struct thread *me = argument;

	vcore_program_run(me->program, me->rounds);
	vcore_halt(me->program->core, true);
	return NULL;
}

/* Executes the loops of both threads at the same time, and frees them. */
static void run_both(struct thread thread[2])
{
	pthread_t host[2];
	unsigned int i;

	/* Both cores are synchronised before their threads start. */
	for (i = 0; i < 2; i++)
		vcore_memory_pace(thread[i].program->core->memory, 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&host[i], NULL, run, &thread[i]), 0);
	for (i = 0; i < 2; i++)
		pthread_join(host[i], NULL);
	for (i = 0; i < 2; i++) {
		thread[i].counts = *vcore_counts(thread[i].program->core);
		vcore_program_free(thread[i].program);
	}
}

static uint64_t slots(const struct vcore_params *params, const struct thread *thread)
{
	return params->back.width * thread->counts.plain[VCORE_CYCLES];
}

/*
 * Returns the fraction of a thread's slots in which the thread could have issued a uop, but the
 * other thread had the slot.
 */
static double contended(const struct vcore_params *params, const struct thread *thread)
{
	return (double)thread->counts.plain[VCORE_CONTENDED_SLOTS] / slots(params, thread);
}

static void assert_partition(const struct vcore_params *params, const struct thread *thread)
{
	const struct vcore_counts *counts = &thread->counts;

	assert_int_equal(vcore_sum(counts->cycles_with[VCORE_ISSUED], VCORE_MAX_WIDTH) +
			 vcore_sum(counts->cycles_with[VCORE_UNSUPPLIED], VCORE_MAX_WIDTH) +
			 counts->plain[VCORE_BACKEND_SLOTS] +
			 counts->plain[VCORE_CONTENDED_SLOTS], slots(params, thread));
}

/* Two threads that could use all slots get half of the slots each. */
TEST(each_of_two_busy_threads_loses_half_of_the_slots)
{
	static const struct vcore_params *const parts[] = { &vcore_zen4, &vcore_zen5 };
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		struct thread thread[2] = {
			thread_of(new_nops(parts[i], 0), ROUNDS),
			thread_of(new_nops(parts[i], 1), ROUNDS),
		};

		run_both(thread);
		for (k = 0; k < 2; k++) {
			assert_partition(parts[i], &thread[k]);
			assert_true(contended(parts[i], &thread[k]) <= 0.5);
			assert_true(contended(parts[i], &thread[k]) >= 0.5 - ALONE);
		}
	}
}

/*
 * The second thread halts when the first has issued a quarter of its uops; until then both issue
 * the same number.
 */
TEST(a_thread_whose_sibling_halts_has_all_slots)
{
	struct thread thread[2] = {
		thread_of(new_nops(&vcore_zen4, 0), 4 * ROUNDS),
		thread_of(new_nops(&vcore_zen4, 1), ROUNDS),
	};

	run_both(thread);
	assert_partition(&vcore_zen4, &thread[0]);
	assert_true(contended(&vcore_zen4, &thread[0]) <= 0.2 + ALONE);
	assert_true(contended(&vcore_zen4, &thread[0]) >= 0.2 - ALONE);
}

/*
 * One thread executes a chain of operations of LATENCY cycles each, so it can issue only once in
 * LATENCY cycles. Only in such a cycle can the other thread delay it. In all other cycles its slots
 * are lost in its own back end.
 */
TEST(slots_of_a_stalled_thread_are_no_contention)
{
	struct thread thread[2] = {
		thread_of(new_loop(&vcore_zen4, 0), ROUNDS),
		thread_of(new_nops(&vcore_zen4, 1), 20 * ROUNDS),
	};
	unsigned int i;

	for (i = 0; i < 20; i++)
		vcore_program_alu(thread[0].program, R(1), R(1), 1, LATENCY);
	run_both(thread);
	assert_partition(&vcore_zen4, &thread[0]);
	assert_true(contended(&vcore_zen4, &thread[0]) <= 1.0 / LATENCY + ALONE);
	assert_true(thread[0].counts.plain[VCORE_BACKEND_SLOTS] >
		    (1 - 2.0 / LATENCY - ALONE) * slots(&vcore_zen4, &thread[0]));
}

/*
 * Checks that two cores with these numbers are not threads of one core: each has all of its slots.
 */
static void assert_apart(const struct vcore_params *params, unsigned int first,
			 unsigned int second)
{
	struct thread thread[2] = {
		thread_of(new_nops(params, first), ROUNDS),
		thread_of(new_nops(params, second), ROUNDS),
	};

	run_both(thread);
	assert_int_equal(thread[0].counts.plain[VCORE_CONTENDED_SLOTS], 0);
	assert_int_equal(thread[1].counts.plain[VCORE_CONTENDED_SLOTS], 0);
}

TEST(only_threads_of_a_core_that_alternates_share_slots)
{
	assert_apart(&vcore_zen2, 0, 1);
	assert_apart(&vcore_zen4, 0, 2);
}

TEST_FIXTURE(setup)
{
	/* Cores wait so long that no wait times out, however busy the host is. */
	vcore_pace_patience_ms = PATIENCE_MS;
	return 0;
}

TEST_GROUP(setup, NULL);
