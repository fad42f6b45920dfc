// SPDX-License-Identifier: GPL-2.0
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Creates a temporary file with the permissions @mode in the directory of the file that it will
 * replace. Returns the descriptor of the temporary file, or a negative errno.
 */
static int open_temporary(struct bpmu_replace *file, mode_t mode)
{
	int fd, code;

	if (!file->target)
		return -ENOMEM;
	if (asprintf(&file->temporary, "%s.XXXXXX", file->target) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd >= 0 && !fchmod(fd, mode))
		return fd;
	code = -errno;
	if (fd >= 0) {
		close(fd);
		unlink(file->temporary);
	}
	free(file->temporary);
	file->temporary = NULL;
	return code;
}

static mode_t mode_of_new_files(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0644 & ~mask;
}

static void forget_names(struct bpmu_replace *file)
{
	free(file->target);
	free(file->temporary);
	*file = (struct bpmu_replace){ };
}

static int replace_open(struct bpmu_replace *file, const char *name)
{
	struct stat now;
	int fd;

	if (stat(name, &now)) {
		file->target = strdup(name);
		return open_temporary(file, mode_of_new_files());
	}
	fd = open(name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &now) || !S_ISREG(now.st_mode))
		return fd;
	close(fd);
	file->target = realpath(name, NULL);
	return open_temporary(file, now.st_mode & 0777);
}

/**
 * bpmu_replace_open() - open a temporary file to replace a file as a whole
 * @file: filled in; bpmu_replace_end() or bpmu_replace_drop() ends it
 * @name: name of the file, which must be writable if it exists. A pipe or a device cannot be
 *	replaced, and is itself opened
 *
 * Return: a descriptor open for writing, which the caller closes; or a negative errno, after which
 * @file need not be ended.
 */
int bpmu_replace_open(struct bpmu_replace *file, const char *name)
{
	int fd;

	*file = (struct bpmu_replace){ };
	fd = replace_open(file, name);
	if (fd < 0)
		bpmu_replace_drop(file);
	return fd;
}

/**
 * bpmu_replace_end() - give the temporary file the name of the file that it replaces
 * @file: file whose temporary file is completely written
 *
 * Return: 0, or a negative errno if the file could not be replaced. If the file was replaced
 * before, or is written directly, the function does nothing and returns 0.
 */
int bpmu_replace_end(struct bpmu_replace *file)
{
	if (file->temporary && rename(file->temporary, file->target))
		return -errno;
	forget_names(file);
	return 0;
}

/**
 * bpmu_replace_drop() - remove the temporary file, unless it has replaced the file already
 */
void bpmu_replace_drop(struct bpmu_replace *file)
{
	if (file->temporary)
		unlink(file->temporary);
	forget_names(file);
}
