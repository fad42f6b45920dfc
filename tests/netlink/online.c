// SPDX-License-Identifier: GPL-2.0
#include "online.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/**
 * online() - take a CPU online or offline
 * @cpu: number of the CPU
 * @yes: true for online
 *
 * Return: 0, or 1 if the kernel refuses.
 */
int online(uint32_t cpu, bool yes)
{
	char path[64];
	int fd, err;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	fd = open(path, O_WRONLY);
	err = fd < 0 || write(fd, yes ? "1" : "0", 1) != 1;
	if (fd >= 0)
		close(fd);
	return err;
}
