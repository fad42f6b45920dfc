// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of teams of threads: they do each piece of work exactly once, and several pieces at the
 * same time.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "base/team.h"
#include "no_memory.h"
#include "unit.h"

#define THREADS 4
#define ROUNDS 200
#define PIECES 57

static unsigned int times[PIECES];
static pthread_barrier_t meeting;

static void count(void *data, unsigned int i)
{
	(void)data;
	assert_in_range(i, 0, PIECES - 1);
	__atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
}

TEST(each_piece_is_done_once)
{
	struct bpmu_team *team = bpmu_team_new(THREADS);
	unsigned int round, i;

	assert_non_null(team);
	for (round = 1; round <= ROUNDS; round++) {
		bpmu_team_run(team, count, NULL, PIECES);
		/* When bpmu_team_run() returns, each piece of work was done once more. */
		for (i = 0; i < PIECES; i++)
			assert_int_equal(times[i], round);
	}
	bpmu_team_run(team, count, NULL, 0);
	assert_int_equal(bpmu_team_threads(team), THREADS);
	bpmu_team_free(team);
	bpmu_team_run(NULL, count, NULL, PIECES);
	for (i = 0; i < PIECES; i++)
		assert_int_equal(times[i], ROUNDS + 1);
	bpmu_team_free(NULL);
}

static void meet(void *data, unsigned int i)
{
	(void)data;
	(void)i;
	pthread_barrier_wait(&meeting);
}

/*
 * Each piece of work waits until all other pieces have begun: with fewer threads than pieces the
 * test would wait forever.
 */
TEST(all_threads_work_in_parallel)
{
	struct bpmu_team *team = bpmu_team_new(THREADS);

	pthread_barrier_init(&meeting, NULL, THREADS);
	bpmu_team_run(team, meet, NULL, THREADS);
	bpmu_team_run(team, meet, NULL, THREADS);
	bpmu_team_free(team);
	pthread_barrier_destroy(&meeting);
}

static int begin_team(void *data, struct bpmu_error *err)
{
	struct bpmu_team *team;

	(void)data;
	no_memory_begin();
	team = bpmu_team_new(THREADS);
	no_memory_end();
	if (!team)
		return bpmu_error_no_memory(err, "team");
	assert_int_equal(bpmu_team_threads(team), THREADS);
	bpmu_team_free(team);
	return 0;
}

TEST(a_team_that_needs_more_memory_has_no_threads)
{
	assert_int_equal(no_memory_each(begin_team, NULL), 2);
}

TEST(the_number_of_cpus_follows_the_affinity)
{
	cpu_set_t before, one;
	int cpu;

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(bpmu_team_cpus(), CPU_COUNT(&before));
	for (cpu = 0; !CPU_ISSET(cpu, &before); cpu++)
		;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(bpmu_team_cpus(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST_FIXTURE(limit_time)
{
	alarm(30);
	return 0;
}

TEST_GROUP(limit_time, NULL);
