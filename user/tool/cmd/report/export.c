// SPDX-License-Identifier: GPL-2.0
#include "export.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/**
 * bpmu_export_open() - open the file of an export: "barepmu report" writes it for another program
 * @file: output; to be closed with bpmu_export_close() if 0 is returned
 * @option: option by which the user named the file, for errors; @file points to it
 * @name: name of the file, or "-" for standard output; @file points to it
 */
int bpmu_export_open(struct bpmu_export *file, const char *option, const char *name,
		     struct bpmu_error *err)
{
	int fd;

	*file = (struct bpmu_export){ .option = option, .name = name };
	fd = strcmp(name, "-") ? bpmu_replace_open(&file->replace, name) : dup(STDOUT_FILENO);
	if (fd < 0)
		return bpmu_error_set(err, fd, "%s '%s': %s; name another file", option, name,
				      strerror(-fd));
	file->out = fdopen(fd, "w");
	if (file->out)
		return 0;
	close(fd);
	bpmu_replace_drop(&file->replace);
	return bpmu_error_no_memory(err, option);
}

/**
 * bpmu_export_close() - close the file of an export, which was written for another program
 * @file: open file
 * @code: 0 if no error occurred so far; otherwise the negative errno of the error in @err, and an
 *	existing file of this name keeps its contents
 *
 * Return: @code, or a negative errno if the file could not be written.
 */
int bpmu_export_close(struct bpmu_export *file, int code, struct bpmu_error *err)
{
	bool failed = ferror(file->out);

	failed |= fclose(file->out) != 0;
	if (!code && (failed || bpmu_replace_end(&file->replace)))
		code = bpmu_error_set(err, -EIO, "%s '%s': cannot be written; free disk space",
				      file->option, file->name);
	bpmu_replace_drop(&file->replace);
	return code;
}
