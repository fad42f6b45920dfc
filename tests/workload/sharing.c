// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: sharing one|false|padded [N]
 *
 * A program with and without false sharing. With "one", one thread adds to a counter in memory.
 * With "false", two threads add to two counters in the same cache line. With "padded", two threads
 * add to two counters in different cache lines.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

static volatile unsigned long counters[2][64] __attribute__((aligned(4096)));
static unsigned long times;
static unsigned int distance;
static unsigned int waited_for;

/*
 * Moves this thread to a CPU: thread 0 to the last CPU, thread 1 to the CPU before the last. If
 * there are three or more CPUs, CPU 0 thus stays free for other processes.
 */
static void pin(unsigned long self)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1 - self, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *count(void *number)
{
	unsigned long self = (unsigned long)number;
	volatile unsigned long *counter;
	unsigned long n = times;

	pin(self);
	counter = &counters[0][0] + self * distance;
	/*
	 * The threads wait for each other, so that both are on their CPUs before one of them
	 * counts.
	 */
	__atomic_sub_fetch(&waited_for, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&waited_for, __ATOMIC_ACQUIRE))
		;
	while (n--) {
		*counter += n ^ n >> 3;
		*counter += n ^ n >> 5;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc < 2)
		argv[1] = "";
	distance = !strcmp(argv[1], "padded") ? 64 : 1;
	if (strcmp(argv[1], "one") && strcmp(argv[1], "false") &&
	    strcmp(argv[1], "padded")) {
		fprintf(stderr, "usage: sharing one|false|padded [N]\n");
		return 2;
	}
	times = iterations(argc - 1, argv + 1, 300000);
	if (!strcmp(argv[1], "one")) {
		times *= 2;
		waited_for = 1;
		count(NULL);
		return 0;
	}
	waited_for = 2;
	if (pthread_create(&other, NULL, count, (void *)1))
		return 1;
	count(NULL);
	return !!pthread_join(other, NULL);
}
