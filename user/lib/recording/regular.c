// SPDX-License-Identifier: GPL-2.0
#include "regular.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/**
 * bpmu_regular_open() - open a file for reading if it is a regular file on a disk
 *
 * A recording can name any path. To open a device, or to read a file of procfs or sysfs, can have
 * side effects. The path is therefore first looked up with O_PATH, which has no side effects. It is
 * opened only if it is a regular file.
 *
 * Return: a descriptor, which the caller closes; -1 if the file is not opened.
 */
int bpmu_regular_open(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct statfs system;
	struct stat status;
	char again[32];
	int file = -1;

	if (fd < 0)
		return -1;
	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    !fstatfs(fd, &system) && system.f_type != PROC_SUPER_MAGIC &&
	    system.f_type != SYSFS_MAGIC)
		file = open(again, O_RDONLY | O_CLOEXEC);
	close(fd);
	return file;
}
