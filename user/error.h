/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ERROR_H
#define BPMU_ERROR_H

#include <stdarg.h>

#ifndef __printf
#define __printf(fmt, args) \
	__attribute__(( \
		format(printf, fmt, args)))
#endif

/**
 * struct bpmu_error - why a call failed, for people
 * @text: "<object>: <what>; <what to do>", no newline at the end; a caret
 *	under a wrong place of a text comes on lines of its own
 */
struct bpmu_error {
	char text[512];
};

__printf(3, 4)
int bpmu_error_set(struct bpmu_error *err, int code, const char *fmt, ...);

#endif /* BPMU_ERROR_H */
