// SPDX-License-Identifier: GPL-2.0
#include "decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MILLION 1000000
#define DECIMALS 6

/* Smaller numbers are printed with an exponent. */
#define SMALLEST 0.000000001

/* Integers of this many digits are exact in a double. */
#define EXACT_DIGITS 15

/* Nearer to the midpoint of two results, rounding needs exact arithmetic: printf(). */
#define NEAR_HALF 0.001

#define NUMBER_MAX 64

static char *print_digits(char *end, unsigned int value, int least)
{
	for (; value || least > 0; value /= 10, least--)
		*--end = '0' + value % 10;
	return end;
}

static size_t print_small(char text[BPMU_DECIMAL_TEXT], double number)
{
	int decimals = DECIMALS;
	double bound = 0.1;
	size_t len;
	size_t least;

	if (fabs(number) < SMALLEST)
		return snprintf(text, BPMU_DECIMAL_TEXT, "%.5e", number);
	for (; fabs(number) < bound; bound /= 10)
		decimals++;
	len = snprintf(text, BPMU_DECIMAL_TEXT, "%.*f", decimals, number);
	least = strcspn(text, ".") + 1 + DECIMALS;
	while (len > least && text[len - 1] == '0')
		text[--len] = '\0';
	return len;
}

/**
 * bpmu_decimal_print() - format a number with 6 decimals, or 6 significant digits if small
 * @text: set: for 0 and from 0.1 on as by printf("%.6f"); below, with as many decimals as 6
 *	significant digits need, without zeros that follow the first 6 decimals; below 1e-9
 *	as by "%.5e"
 * @number: finite number
 *
 * Return: length of @text.
 */
size_t bpmu_decimal_print(char text[BPMU_DECIMAL_TEXT], double number)
{
	double scaled = fabs(number) * MILLION;
	unsigned long long whole;
	double rest;
	char digits[24];
	char *at;
	char *end = digits + sizeof(digits);

	if (scaled < 0.1 * MILLION && number)
		return print_small(text, number);
	if (!(scaled < 1e12))
		return snprintf(text, BPMU_DECIMAL_TEXT, "%.6f", number);
	whole = (unsigned long long)scaled;
	rest = scaled - (double)whole;
	if (fabs(rest - 0.5) < NEAR_HALF)
		return snprintf(text, BPMU_DECIMAL_TEXT, "%.6f", number);
	whole += rest > 0.5;
	at = print_digits(end, whole % MILLION, 6);
	*--at = '.';
	at = print_digits(at, whole / MILLION, 1);
	if (signbit(number))
		*--at = '-';
	memcpy(text, at, end - at);
	text[end - at] = '\0';
	return end - at;
}

/**
 * bpmu_decimal_write() - write a number in the format of bpmu_decimal_print()
 * @out: output
 * @number: finite number
 */
void bpmu_decimal_write(FILE *out, double number)
{
	char text[BPMU_DECIMAL_TEXT];

	fwrite(text, 1, bpmu_decimal_print(text, number), out);
}

static bool parse_any(const char *text, const char *end, double *number)
{
	char copy[NUMBER_MAX];
	size_t len = end - text;
	char *stop;

	if (!len || len >= sizeof(copy) || isspace((unsigned char)*text))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (strpbrk(copy, "xXnNpP"))
		return false;
	*number = strtod(copy, &stop);
	return stop == copy + len && isfinite(*number);
}

/**
 * bpmu_decimal_parse() - parse a decimal number
 * @text: first character
 * @end: end of the text
 * @number: set on success
 *
 * Return: false unless the whole text is a finite decimal number.
 */
bool bpmu_decimal_parse(const char *text, const char *end, double *number)
{
	unsigned long long value = 0;
	const char *p;

	if (end - text > EXACT_DIGITS)
		return parse_any(text, end, number);
	for (p = text; p < end; p++) {
		unsigned int digit = (unsigned char)*p - '0';

		if (digit > 9)
			return parse_any(text, end, number);
		value = value * 10 + digit;
	}
	*number = (double)value;
	return end > text;
}
