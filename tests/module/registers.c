// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the counter registers of all CPUs (event selects, controls and counters), read through the
 * msr device. Prints nothing if there is no such device.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Addresses of the counter registers of Ivy Bridge (SDM Vol. 4, table 2-2) and of Knights Corner
 * (Linux, msr-index.h).
 */
static const unsigned int registers[] = {
	0x186, 0x187, 0x188, 0x189, 0x0c1, 0x0c2, 0x0c3, 0x0c4,
	0x38d, 0x38e, 0x38f, 0x309, 0x30a, 0x30b,
	0x20, 0x21, 0x28, 0x29, 0x2d, 0x2f,
};

static int print_cpu(int cpu)
{
	uint64_t value;
	char path[64];
	unsigned int i;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (pread(fd, &value, sizeof(value), registers[i]) ==
		    sizeof(value))
			printf("cpu%d 0x%x 0x%llx\n", cpu, registers[i],
			       (unsigned long long)value);
	close(fd);
	return 0;
}

int main(void)
{
	int cpu;

	for (cpu = 0; !print_cpu(cpu); cpu++)
		;
	return 0;
}
