// SPDX-License-Identifier: GPL-2.0
/* Measures a loop: cc loop.c $(pkg-config --cflags --libs barepmu) */
#define _GNU_SOURCE
#include <barepmu.h>
#include <sched.h>
#include <stdio.h>

static int failed(const struct barepmu_error *err)
{
	fprintf(stderr, "loop: %s\n", err->text);
	return 1;
}

int main(void)
{
	struct barepmu_interval interval;
	struct barepmu_value count, ipc;
	struct barepmu_error err;
	struct barepmu *b;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	if (barepmu_open(&b, "0", &err) ||
	    barepmu_add_event(b, "instructions:u", &err) < 0 ||
	    barepmu_add_metric(b, "IPC", &err) < 0 ||
	    barepmu_start(b, 0, &err))
		return failed(&err);
	for (volatile unsigned int i = 0; i < 1000000; i++)
		;
	if (barepmu_stop(b, &err) || barepmu_read(b, &interval, &err) < 0)
		return failed(&err);
	barepmu_event(b, 0, BAREPMU_ALL_CPUS, &count);
	barepmu_metric(b, 0, &ipc);
	printf("%.0f instructions in %.6f s, IPC %.2f\n", count.value,
	       interval.duration, ipc.value);
	barepmu_close(b);
	return 0;
}
