// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: papi_loop MILLISECONDS SAMPLES EVENT...
 *
 * A monitor that uses PAPI: it makes one event set per CPU and reads all of them in every interval.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Number of counters that every tool of the benchmark uses (see tools.sh): 3 fixed counters and 4
 * general-purpose ones. If there are more events than this, PAPI multiplexes the events.
 */
#define COUNTERS 7
#define MAX_CPUS 64
#define MAX_EVENTS 64
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L

static int sets[MAX_CPUS];
static long long counts[MAX_EVENTS];
static FILE *out;

static void check(int code, const char *what)
{
	if (code == PAPI_OK)
		return;
	fprintf(stderr, "papi_loop: %s: %s\n", what, PAPI_strerror(code));
	exit(1);
}

static int open_set(int cpu, int nr, char **events)
{
	PAPI_option_t option;
	int set = PAPI_NULL;
	int i;

	check(PAPI_create_eventset(&set), "create");
	check(PAPI_assign_eventset_component(set, 0), "component");
	memset(&option, 0, sizeof(option));
	option.cpu.eventset = set;
	option.cpu.cpu_num = cpu;
	check(PAPI_set_opt(PAPI_CPU_ATTACH, &option), "attach to CPU");
	if (nr > COUNTERS)
		check(PAPI_set_multiplex(set), "multiplex");
	for (i = 0; i < nr; i++)
		check(PAPI_add_named_event(set, events[i]), events[i]);
	return set;
}

static void read_all(int nr_cpus, int nr)
{
	int cpu, i;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		check(PAPI_read(sets[cpu], counts), "read");
		for (i = 0; i < nr; i++)
			fprintf(out, "%d,%d,%lld\n", cpu, i, counts[i]);
	}
}

static void wait_until(struct timespec *next, long interval)
{
	next->tv_nsec += interval;
	next->tv_sec += next->tv_nsec / NSEC_PER_SEC;
	next->tv_nsec %= NSEC_PER_SEC;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

int main(int argc, char **argv)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int nr = argc - 3;
	struct timespec next;
	long samples;
	int cpu;

	if (nr < 1 || nr > MAX_EVENTS || nr_cpus > MAX_CPUS)
		return 2;
	out = fopen("/dev/null", "w");
	if (!out || PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 1;
	check(PAPI_multiplex_init(), "multiplex");
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		sets[cpu] = open_set(cpu, nr, argv + 3);
		check(PAPI_start(sets[cpu]), "start");
	}
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (samples = atol(argv[2]); samples > 0; samples--) {
		wait_until(&next, atol(argv[1]) * NSEC_PER_MSEC);
		read_all(nr_cpus, nr);
	}
	return 0;
}
