// SPDX-License-Identifier: GPL-2.0
/* Writes a patched program for each variant of the loop, which other tools can measure. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decan.h"

static int write_one(const struct bpmu_decan *decan,
		     const struct bpmu_variant *variant, u8 *bytes,
		     struct bpmu_error *err)
{
	const struct bpmu_edit *edit;
	char path[4096], name[BPMU_VARIANT_NAME], *slash;
	unsigned int i;
	ssize_t put;
	u64 offset;
	int fd;

	memcpy(bytes, decan->elf.bytes, decan->elf.size);
	for (i = 0; i < variant->nr; i++) {
		edit = &variant->edit[i];
		offset = bpmu_elf_offset(&decan->elf, edit->insn->address);
		memcpy(bytes + offset, edit->bytes, edit->insn->length);
	}
	/*
	 * The name of a function, such as one of a Go program, may have slashes, which a file name
	 * cannot have.
	 */
	memcpy(name, variant->name, sizeof(name));
	while ((slash = strchr(name, '/')))
		*slash = '_';
	snprintf(path, sizeof(path), "%s/%s", decan->write, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	put = fd < 0 ? -1 : write(fd, bytes, decan->elf.size);
	if (put != (ssize_t)decan->elf.size)
		bpmu_error_set(err, -EIO, "%s: cannot be written: %s; is there room?",
			       path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return put == (ssize_t)decan->elf.size ? 0 : -EIO;
}

/**
 * bpmu_decan_write() - write the loop's program, or library, once for each variant of the loop
 * @decan: state of "barepmu decan"; its variants have been made
 */
int bpmu_decan_write(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	u8 *bytes = malloc(decan->elf.size);
	unsigned int i;
	int code = 0;

	if (!bytes)
		return bpmu_error_no_memory(err, "decan");
	if (mkdir(decan->write, 0777) && errno != EEXIST)
		code = bpmu_error_set(err, -errno, "%s: cannot be made: %s; name another directory",
				      decan->write, strerror(errno));
	for (i = 0; i < decan->variants.nr && !code; i++)
		if (!decan->variants.variant[i].skipped)
			code = write_one(decan, &decan->variants.variant[i], bytes,
					 err);
	free(bytes);
	return code;
}
