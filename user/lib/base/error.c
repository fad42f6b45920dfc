// SPDX-License-Identifier: GPL-2.0
#include "error.h"

#include <stdio.h>

#include "plain.h"

/**
 * bpmu_error_set() - say why a call fails
 * @err: filled in; a longer text is cut, and names in it are made plain
 * @code: negative errno
 * @fmt: printf's
 *
 * Return: @code.
 */
int bpmu_error_set(struct bpmu_error *err, int code, const char *fmt, ...)
{
	va_list args;

	err->place[0] = '\0';
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	bpmu_plain(err->text, "");
	return code;
}
