// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: modes CPU N SELECT SELECT SELECT SELECT
 *
 * Multiplexes two groups of two general-purpose counters, with the four event selects SELECT, and
 * prints the counts. In each rotation slice, a loop of known instructions runs for N iterations.
 * The program executes the same instructions for all event selects, so that its runs can be
 * compared. The program must run on CPU. The counters count the instructions of all processes on
 * CPU, so the program starts to count only when its parent process sleeps.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "workload.h"

#define ROUNDS 8
#define COUNTERS 4
#define FIRST_GROUP 0x3
#define SECOND_GROUP 0xc

#define SELECT 0x186
#define COUNTER 0x4c1
#define GLOBAL_CTRL 0x38f

static const char *device;

static void transferred(ssize_t bytes)
{
	if (bytes == sizeof(uint64_t))
		return;
	perror(device);
	exit(1);
}

static void set(int fd, uint32_t address, uint64_t value)
{
	transferred(pwrite(fd, &value, sizeof(value), address));
}

static uint64_t get(int fd, uint32_t address)
{
	uint64_t value = 0;

	transferred(pread(fd, &value, sizeof(value), address));
	return value;
}

static void wait_for_parent(void)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", getppid());
	while (state != 'S') {
		sched_yield();
		file = fopen(path, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1) {
			perror(path);
			exit(1);
		}
		fclose(file);
	}
}

int main(int argc, char **argv)
{
	unsigned long n;
	char path[64];
	int fd, i;

	if (argc != 3 + COUNTERS) {
		fprintf(stderr, "usage: modes CPU N SELECT SELECT SELECT SELECT\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/dev/cpu/%s/msr", argv[1]);
	device = path;
	fd = open(path, O_RDWR);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	n = iterations(argc - 1, argv + 1, 0);
	wait_for_parent();
	set(fd, GLOBAL_CTRL, 0);
	for (i = 0; i < COUNTERS; i++) {
		set(fd, SELECT + i, strtoul(argv[3 + i], NULL, 0));
		set(fd, COUNTER + i, 0);
	}
	for (i = 0; i < ROUNDS; i++) {
		set(fd, GLOBAL_CTRL, FIRST_GROUP);
		known_loop(n);
		set(fd, GLOBAL_CTRL, SECOND_GROUP);
		known_loop(n);
	}
	set(fd, GLOBAL_CTRL, 0);
	for (i = 0; i < COUNTERS; i++)
		printf("%s%llu", i ? " " : "",
		       (unsigned long long)get(fd, COUNTER + i));
	puts("");
	return 0;
}
