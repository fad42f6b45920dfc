/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast exact conversion of decimal numbers, with the results of printf() and strtod().
 */
#ifndef BPMU_DECIMAL_H
#define BPMU_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* size of the text of the largest double with 6 decimals */
#define BPMU_DECIMAL_TEXT 320

void bpmu_decimal_write(FILE *out, double number);
size_t bpmu_decimal_print(char text[BPMU_DECIMAL_TEXT], double number);
bool bpmu_decimal_parse(const char *text, const char *end, double *number);

#endif /* BPMU_DECIMAL_H */
