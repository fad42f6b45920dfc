/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ERROR_H
#define BPMU_ERROR_H

#include <stdarg.h>

/**
 * struct bpmu_error - why a call failed, for people
 * @text: "<object>: <what>; <what to do>", no newline at the end; a caret
 *	under a wrong place of a text comes on lines of its own
 */
struct bpmu_error {
	char text[512];
};

int bpmu_error_set(struct bpmu_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* BPMU_ERROR_H */
