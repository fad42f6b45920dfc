/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decimal numbers, quickly and exactly: results as printf() and strtod() give
 * them.
 */
#ifndef BPMU_FIXED_H
#define BPMU_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* room for the longest double with 6 decimals */
#define BPMU_FIXED_TEXT 320

void bpmu_fixed_write(FILE *out, double number);
size_t bpmu_fixed_print(char text[BPMU_FIXED_TEXT], double number);
bool bpmu_fixed_parse(const char *text, const char *end, double *number);

#endif /* BPMU_FIXED_H */
