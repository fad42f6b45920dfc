/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ERROR_H
#define BPMU_ERROR_H

#include <stdarg.h>

#ifndef __printf
#define __printf(fmt, args) \
	__attribute__(( \
		format(printf, fmt, args)))
#endif

#define BPMU_ERROR_EXCERPT 512

/**
 * struct bpmu_error - message of an error
 * @text: "<object>: <problem>; <what to do>", one line without newline
 * @excerpt: for an error in a file, the file's line and a line with a caret under the column,
 *	each with its newline; empty for other errors
 */
struct bpmu_error {
	char text[512];
	char excerpt[BPMU_ERROR_EXCERPT];
};

__printf(3, 4)
int bpmu_error_set(struct bpmu_error *err, int code, const char *fmt, ...);
int bpmu_error_no_memory(struct bpmu_error *err, const char *object);

#endif /* BPMU_ERROR_H */
