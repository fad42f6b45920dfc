// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: msr CPU ADDRESS [VALUE]
 *
 * Reads a model-specific register (MSR) of a CPU, or writes VALUE to it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "workload.h"

static int transfer(int fd, uint32_t address, const char *text)
{
	uint64_t value;

	if (text) {
		value = strtoull(text, NULL, 0);
		return pwrite(fd, &value, sizeof(value), address) < 0;
	}
	if (pread(fd, &value, sizeof(value), address) < 0)
		return 1;
	printf("%llu\n", (unsigned long long)value);
	return 0;
}

int main(int argc, char **argv)
{
	char path[64];
	int fd;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: msr CPU ADDRESS [VALUE]\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/dev/cpu/%s/msr", argv[1]);
	fd = open(path, argc == 4 ? O_RDWR : O_RDONLY);
	if (fd < 0 || transfer(fd, strtoul(argv[2], NULL, 0),
			       argc == 4 ? argv[3] : NULL)) {
		perror(path);
		return 1;
	}
	return 0;
}
