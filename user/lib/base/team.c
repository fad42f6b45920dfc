// SPDX-License-Identifier: GPL-2.0
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

/**
 * struct bpmu_team - a thread pool
 * @lock: protects all fields but @next
 * @begun: signalled when a call of bpmu_team_run() has work, and when @end becomes true
 * @done: signalled when all threads have finished the work of a call
 * @thread: [@nr], threads besides the caller's
 * @nr: number of @thread
 * @round: number of calls of bpmu_team_run() so far
 * @busy: number of threads that have not finished the work of the present call
 * @end: true if the threads must exit
 * @work: function called with the index of each work item
 * @data: argument of @work
 * @pieces: number of work items
 * @next: index of the first item that no thread has taken; incremented by an atomic operation
 */
struct bpmu_team {
	pthread_mutex_t lock;
	pthread_cond_t begun;
	pthread_cond_t done;
	pthread_t *thread;
	unsigned int nr;
	unsigned int round;
	unsigned int busy;
	bool end;
	void (*work)(void *data, unsigned int i);
	void *data;
	unsigned int pieces;
	unsigned int next;
};

static void take_pieces(struct bpmu_team *team)
{
	unsigned int i;

	while ((i = __atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED)) <
	       team->pieces)
		team->work(team->data, i);
}

static void *team_thread(void *data)
{
	struct bpmu_team *team = data;
	unsigned int seen = 0;

	pthread_mutex_lock(&team->lock);
	for (;;) {
		while (team->round == seen && !team->end)
			pthread_cond_wait(&team->begun, &team->lock);
		if (team->end)
			break;
		seen = team->round;
		pthread_mutex_unlock(&team->lock);
		take_pieces(team);
		pthread_mutex_lock(&team->lock);
		if (!--team->busy)
			pthread_cond_signal(&team->done);
	}
	pthread_mutex_unlock(&team->lock);
	return NULL;
}

/* Starts the threads of a team. They block all signals, so that only the caller handles signals. */
static void start_threads(struct bpmu_team *team, unsigned int threads)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (team->nr + 1 < threads &&
	       !pthread_create(&team->thread[team->nr], NULL, team_thread, team))
		team->nr++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/**
 * bpmu_team_new() - start a team of threads (a thread pool)
 * @threads: maximum number of threads, including the caller's
 *
 * Return: the pool, with as many threads as could be started; NULL if out of memory.
 */
struct bpmu_team *bpmu_team_new(unsigned int threads)
{
	struct bpmu_team *team = calloc(1, sizeof(*team));

	if (!team)
		return NULL;
	team->thread = calloc(threads + 1, sizeof(*team->thread));
	if (!team->thread) {
		free(team);
		return NULL;
	}
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->begun, NULL);
	pthread_cond_init(&team->done, NULL);
	start_threads(team, threads);
	return team;
}

/**
 * bpmu_team_threads() - number of threads of a team
 * @team: the pool
 *
 * Return: the number, including the caller's thread.
 */
unsigned int bpmu_team_threads(const struct bpmu_team *team)
{
	return team->nr + 1;
}

/**
 * bpmu_team_run() - execute work items in parallel on the threads of a team
 * @team: the pool; NULL to use the caller's thread only
 * @work: called once with each index below @nr, concurrently in several threads
 * @data: argument of @work
 * @nr: number of work items
 *
 * The function returns after the last item is done.
 */
void bpmu_team_run(struct bpmu_team *team, void (*work)(void *data, unsigned int i),
		   void *data, unsigned int nr)
{
	unsigned int i;

	if (!team) {
		for (i = 0; i < nr; i++)
			work(data, i);
		return;
	}
	pthread_mutex_lock(&team->lock);
	team->work = work;
	team->data = data;
	team->pieces = nr;
	team->next = 0;
	team->busy = team->nr;
	team->round++;
	pthread_cond_broadcast(&team->begun);
	pthread_mutex_unlock(&team->lock);
	take_pieces(team);
	pthread_mutex_lock(&team->lock);
	while (team->busy)
		pthread_cond_wait(&team->done, &team->lock);
	pthread_mutex_unlock(&team->lock);
}

/**
 * bpmu_team_free() - end the threads of a team and free it
 * @team: the pool, or NULL
 */
void bpmu_team_free(struct bpmu_team *team)
{
	if (!team)
		return;
	pthread_mutex_lock(&team->lock);
	team->end = true;
	pthread_cond_broadcast(&team->begun);
	pthread_mutex_unlock(&team->lock);
	while (team->nr)
		pthread_join(team->thread[--team->nr], NULL);
	pthread_cond_destroy(&team->begun);
	pthread_cond_destroy(&team->done);
	pthread_mutex_destroy(&team->lock);
	free(team->thread);
	free(team);
}

/**
 * bpmu_team_cpus() - number of CPUs on which a team's threads can run in parallel
 *
 * Return: number of CPUs that this process may run on, at least 1.
 */
unsigned int bpmu_team_cpus(void)
{
	cpu_set_t *set;
	size_t size;
	int nr = 0, most;

	/* sched_getaffinity() fails if the set has fewer bits than the kernel has possible CPUs. */
	for (most = CPU_SETSIZE; !nr && most <= 64 * CPU_SETSIZE; most *= 2) {
		set = CPU_ALLOC(most);
		size = CPU_ALLOC_SIZE(most);
		if (set && !sched_getaffinity(0, size, set))
			nr = CPU_COUNT_S(size, set);
		CPU_FREE(set);
	}
	return nr > 0 ? nr : 1;
}
