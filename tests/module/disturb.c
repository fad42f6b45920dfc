// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: disturb CPU REGISTER VALUE
 *
 * Writes a register of a CPU through the msr device, as a tool does that has not reserved the
 * counters.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uint64_t value;
	char path[64];
	int fd;

	if (argc != 4) {
		fprintf(stderr, "usage: disturb CPU REGISTER VALUE\n");
		return 2;
	}
	value = strtoull(argv[3], NULL, 0);
	snprintf(path, sizeof(path), "/dev/cpu/%ld/msr",
		 strtol(argv[1], NULL, 0));
	fd = open(path, O_WRONLY);
	if (fd < 0 || pwrite(fd, &value, sizeof(value),
			     strtol(argv[2], NULL, 0)) != sizeof(value)) {
		perror(path);
		return 1;
	}
	close(fd);
	return 0;
}
