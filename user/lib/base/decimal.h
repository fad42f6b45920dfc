/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast exact conversion of decimal numbers, with the results of printf() and strtod().
 */
#ifndef BPMU_DECIMAL_H
#define BPMU_DECIMAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Maximum number of digits after the point that bpmu_decimal_fixed() writes */
#define BPMU_DECIMAL_MOST 9
/*
 * Size in bytes of the text of any double: sign, 309 digits, point, BPMU_DECIMAL_MOST decimals, NUL
 */
#define BPMU_DECIMAL_TEXT 324

/* Number of digits that bpmu_decimal_few() forms at a time, and the first number that has more */
#define BPMU_DECIMAL_FEW 8
#define BPMU_DECIMAL_BEYOND 100000000

/**
 * bpmu_decimal_few() - write an integer of few digits
 * @text: set to the digits, without NUL; the bytes behind them are written, too, up to
 *	%BPMU_DECIMAL_FEW in all
 * @value: integer below %BPMU_DECIMAL_BEYOND
 * @least: number of digits up to which leading zeros are written, 1 to %BPMU_DECIMAL_FEW
 *
 * Several digits are divided at once: first numbers of four digits in each half of a word, then
 * numbers of two digits in each quarter. Divisions are multiplications by 2^20 / 100 and 2^10 / 10,
 * rounded up, which are exact for so few digits. The first digit is in the lowest byte.
 *
 * Return: end of the digits.
 */
static inline char *bpmu_decimal_few(char *text, unsigned long long value, unsigned int least)
{
	unsigned long long fours = value / 10000 | value % 10000 << 32;
	unsigned long long hundreds = fours * 10486 >> 20 & 0x0000007f0000007f;
	unsigned long long twos = hundreds | (fours - 100 * hundreds) << 16;
	unsigned long long tens = twos * 103 >> 10 & 0x000f000f000f000f;
	unsigned long long digits = tens | (twos - 10 * tens) << 8;
	/* The last digit is written even if it is 0. */
	unsigned int zeros = __builtin_ctzll(digits | 1ULL << 56) / 8;

	if (zeros > BPMU_DECIMAL_FEW - least)
		zeros = BPMU_DECIMAL_FEW - least;
	digits = (digits | 0x3030303030303030) >> 8 * zeros;
	memcpy(text, &digits, sizeof(digits));
	return text + BPMU_DECIMAL_FEW - zeros;
}

/**
 * bpmu_decimal_count() - write a count that is not large, the usual value of a column of counts
 * @text: set as by bpmu_decimal_few()
 * @number: any number
 *
 * Return: end of the digits, which are what printf("%.0f") would print; NULL if @number is not an
 * integer from 0 to %BPMU_DECIMAL_BEYOND - 1, and bpmu_decimal_fixed() must format it.
 */
static inline char *bpmu_decimal_count(char *text, double number)
{
	unsigned long long whole;

	if (!(number < BPMU_DECIMAL_BEYOND) || signbit(number))
		return NULL;
	whole = (long long)number;
	return (double)(long long)whole == number ? bpmu_decimal_few(text, whole, 1) : NULL;
}

size_t bpmu_decimal_fixed(char text[BPMU_DECIMAL_TEXT], double number, unsigned int decimals);
size_t bpmu_decimal_whole(char text[BPMU_DECIMAL_TEXT], unsigned long long number);
size_t bpmu_decimal_print(char text[BPMU_DECIMAL_TEXT], double number);
bool bpmu_decimal_parse(const char *text, const char *end, double *number);

#endif /* BPMU_DECIMAL_H */
