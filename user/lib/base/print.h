/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing for people and for programs.
 */
#ifndef BPMU_PRINT_H
#define BPMU_PRINT_H

#include <stdio.h>

#define BPMU_PRINT_NUMBER 32

/**
 * enum bpmu_format - form of an output
 * @BPMU_TEXT: columns, for people
 * @BPMU_CSV: fields between separators, with a header line
 * @BPMU_JSON: a JSON object a line
 */
enum bpmu_format {
	BPMU_TEXT,
	BPMU_CSV,
	BPMU_JSON
};

void bpmu_print_json(FILE *out, const char *text);
void bpmu_print_csv(FILE *out, const char *text, const char *separator);
const char *bpmu_print_number(char buffer[BPMU_PRINT_NUMBER], long long value);
void bpmu_print_stamps_set(long long wall_ns, long long monotonic_ns);
void bpmu_print_stamps(FILE *out);
void bpmu_print_not_counted(FILE *out);
void bpmu_print_command(FILE *out, char *const *argv);

#endif /* BPMU_PRINT_H */
