/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formats of the output, and functions that write texts and numbers.
 */
#ifndef BPMU_PRINT_H
#define BPMU_PRINT_H

#include <stddef.h>
#include <stdio.h>

#define BPMU_PRINT_NUMBER 32

/**
 * enum bpmu_format - output format
 * @BPMU_TEXT: human-readable columns
 * @BPMU_CSV: CSV with a header line
 * @BPMU_JSON: JSON lines
 */
enum bpmu_format {
	BPMU_TEXT,
	BPMU_CSV,
	BPMU_JSON
};

/**
 * struct bpmu_stamp - a time on the measured machine
 * @wall_ns: CLOCK_REALTIME in ns; 0: the stamp is unset, use the current time
 * @monotonic_ns: CLOCK_MONOTONIC in ns
 */
struct bpmu_stamp {
	long long wall_ns;
	long long monotonic_ns;
};

void bpmu_print_json(FILE *out, const char *text);
void bpmu_print_json_part(FILE *out, const char *text, size_t size);
void bpmu_print_csv(FILE *out, const char *text, const char *separator);
const char *bpmu_print_number(char buffer[BPMU_PRINT_NUMBER], long long value);
void bpmu_print_stamp(FILE *out, const struct bpmu_stamp *stamp);
void bpmu_print_not_counted(FILE *out);
void bpmu_print_command(FILE *out, char *const *argv);

#endif /* BPMU_PRINT_H */
