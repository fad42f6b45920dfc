/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output files of "barepmu report" in the formats of other programs, such as perf.
 */
#ifndef BPMU_EXPORT_H
#define BPMU_EXPORT_H

#include <stdio.h>

#include "base/error.h"
#include "recording/replace.h"

/**
 * struct bpmu_export - a file for another program that is being written
 * @option: option by which the user named the file, for errors
 * @name: name of the file; "-" is standard output
 * @out: stream to write to
 * @replace: the temporary file that will replace @name; not used for standard output
 */
struct bpmu_export {
	const char *option;
	const char *name;
	FILE *out;
	struct bpmu_replace replace;
};

int bpmu_export_open(struct bpmu_export *file, const char *option, const char *name,
		     struct bpmu_error *err);
int bpmu_export_close(struct bpmu_export *file, int code, struct bpmu_error *err);

#endif /* BPMU_EXPORT_H */
