// SPDX-License-Identifier: GPL-2.0
#include "pipe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* bpmu_pipe_keep() refuses a pipe with more than this many bytes of contents. */
#define BYTES_MOST (64ULL << 20)

/* Returns the file descriptor that a path such as /dev/fd/3 names; -1 for another path. */
static int descriptor(const char *path)
{
	int fd, len = -1;

	if (!strcmp(path, "/dev/stdin"))
		return STDIN_FILENO;
	if (sscanf(path, "/dev/fd/%d%n", &fd, &len) < 1 &&
	    sscanf(path, "/proc/self/fd/%d%n", &fd, &len) < 1)
		return -1;
	return len == (int)strlen(path) ? fd : -1;
}

/**
 * bpmu_pipe_waits() - check if a path is a named pipe, on which open() may wait for the writer
 * @path: path of a file
 *
 * Return: true for a named pipe, with or without a writer; false for a path such as
 * /dev/fd/3, which is open already.
 */
bool bpmu_pipe_waits(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISFIFO(status.st_mode) &&
	       descriptor(path) < 0;
}

/*
 * Copies a pipe up to its end into a file; returns 0, -EFBIG for more than BYTES_MOST bytes, or
 * another negative errno.
 */
static int pipe_copy(int from, int to)
{
	unsigned long long bytes = 0;
	char block[4096];
	ssize_t got;

	while ((got = read(from, block, sizeof(block)))) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || write(to, block, got) != got)
			return -errno;
		bytes += got;
		if (bytes > BYTES_MOST)
			return -EFBIG;
	}
	return 0;
}

/**
 * bpmu_pipe_keep() - replace a pipe by a file with the same contents, so that it can be read twice
 * @path: path of an input. If the path names an open file descriptor of a pipe, as /dev/fd/3 may,
 *	the pipe is read up to its end into a file in memory. The descriptor then refers to this
 *	file instead of the pipe
 *
 * Return: 0, also if @path is not a pipe; -ESPIPE for a named pipe; or another negative errno.
 */
int bpmu_pipe_keep(const char *path, struct bpmu_error *err)
{
	struct stat status;
	int fd, kept, code;

	if (stat(path, &status) || !S_ISFIFO(status.st_mode))
		return 0;
	fd = descriptor(path);
	if (fd < 0)
		return bpmu_error_set(err, -ESPIPE,
				      "%s: a named pipe, which can be read only once; name a file, or write <(cat %s)",
				      path, path);
	kept = memfd_create("pipe", MFD_CLOEXEC);
	code = kept < 0 ? -errno : pipe_copy(fd, kept);
	if (!code && dup2(kept, fd) < 0)
		code = -errno;
	if (kept >= 0)
		close(kept);
	if (!code)
		return 0;
	return bpmu_error_set(err, code, "%s: cannot be read: %s; name a file",
			      path, strerror(-code));
}
