// SPDX-License-Identifier: GPL-2.0
#include "kptr.h"

#include <fcntl.h>
#include <unistd.h>

/**
 * kptr_restrict() - set the sysctl kernel.kptr_restrict: who may see the kernel's addresses
 * @level: '0', '1' or '2'
 *
 * Return: 0, or 1 if it cannot be set.
 */
int kptr_restrict(char level)
{
	int fd = open("/proc/sys/kernel/kptr_restrict", O_WRONLY);
	int err = fd < 0 || write(fd, &level, 1) != 1;

	if (fd >= 0)
		close(fd);
	return err;
}
