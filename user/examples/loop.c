// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the instructions of a loop: cc loop.c $(pkg-config --cflags --libs barepmu)
 * The library counts whole CPUs, so the program stays on the one that is counted.
 */
#define _GNU_SOURCE
#include <barepmu.h>
#include <err.h>
#include <sched.h>
#include <stdio.h>

int main(void)
{
	struct barepmu_interval interval;
	struct barepmu_value count, ipc;
	struct barepmu_error error;
	struct barepmu *b;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu))
		err(1, "CPU 0");
	if (barepmu_open(&b, "0", &error) ||
	    barepmu_add_event(b, "instructions:u", &error) < 0 ||
	    barepmu_add_metric(b, "IPC", &error) < 0 ||
	    barepmu_start(b, 0, &error))
		errx(1, "%s", error.text);
	for (volatile unsigned int i = 0; i < 1000000; i++)
		;
	if (barepmu_stop(b, &error) || barepmu_read(b, &interval, &error) < 0)
		errx(1, "%s", error.text);
	/* Events and metrics are each numbered from 0. */
	barepmu_event(b, 0, BAREPMU_ALL_CPUS, &count);
	barepmu_metric(b, 0, &ipc);
	printf("%.0f instructions in %.6f s, IPC %.2f\n", count.value,
	       interval.duration, ipc.value);
	barepmu_close(b);
	return 0;
}
