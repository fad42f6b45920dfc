// SPDX-License-Identifier: GPL-2.0
#include "sysfs.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/**
 * bpmu_sysfs_read() - read the value of a file of sysfs: its first line
 * @path: path of the file
 * @text: [@size], set to the line without its newline
 * @size: size of @text in bytes, at least 1
 *
 * This function does not use stdio, because allocating stdio's buffer would take longer than
 * reading the file.
 *
 * Return: true if the file could be read and is not empty.
 */
bool bpmu_sysfs_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, text, size - 1);
	close(fd);
	if (len <= 0)
		return false;
	text[len] = 0;
	text[strcspn(text, "\n")] = 0;
	return true;
}
