/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast exact conversion of decimal numbers, with the results of printf() and strtod().
 */
#ifndef BPMU_DECIMAL_H
#define BPMU_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of digits after the point that bpmu_decimal_fixed() writes */
#define BPMU_DECIMAL_MOST 9
/*
 * Size in bytes of the text of any double: sign, 309 digits, point, BPMU_DECIMAL_MOST decimals, NUL
 */
#define BPMU_DECIMAL_TEXT 324

size_t bpmu_decimal_fixed(char text[BPMU_DECIMAL_TEXT], double number, unsigned int decimals);
size_t bpmu_decimal_whole(char text[BPMU_DECIMAL_TEXT], unsigned long long number);
size_t bpmu_decimal_print(char text[BPMU_DECIMAL_TEXT], double number);
bool bpmu_decimal_parse(const char *text, const char *end, double *number);

#endif /* BPMU_DECIMAL_H */
