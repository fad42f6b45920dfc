// SPDX-License-Identifier: GPL-2.0
#include "error.h"

#include <errno.h>
#include <stdio.h>

#include "plain.h"

/**
 * bpmu_error_set() - set the message of an error
 * @err: set; a message that is too long is truncated, and control characters are replaced by "?"
 * @code: negative errno
 * @fmt: format of printf()
 *
 * Return: @code.
 */
int bpmu_error_set(struct bpmu_error *err, int code, const char *fmt, ...)
{
	va_list args;

	err->excerpt[0] = '\0';
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	bpmu_plain(err->text, "");
	return code;
}

/**
 * bpmu_error_no_memory() - set the error of a failed allocation
 * @object: what needed the memory: a subcommand or another part of the program, or a file
 *
 * Return: -ENOMEM.
 */
int bpmu_error_no_memory(struct bpmu_error *err, const char *object)
{
	return bpmu_error_set(err, -ENOMEM, "%s: out of memory; free some",
			      object);
}
