/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formats of the output; functions that print texts and numbers for people.
 */
#ifndef BPMU_PRINT_H
#define BPMU_PRINT_H

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

const char *bpmu_print_number(char buffer[BPMU_PRINT_NUMBER], long long value);
void bpmu_print_not_counted(FILE *out);
void bpmu_print_command(FILE *out, char *const *argv);
void bpmu_print_during(FILE *out, char *const *argv, unsigned int runs);

#endif /* BPMU_PRINT_H */
