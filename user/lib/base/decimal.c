// SPDX-License-Identifier: GPL-2.0
#include "decimal.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS 6

/* Numbers below this one are printed with an exponent. */
#define SMALLEST 0.000000001

/* Integers of this many digits are exact in a double. */
#define EXACT_DIGITS 15

/*
 * To print a number with n decimals, the number times 10^n is rounded to an integer, and the digits
 * of this integer are printed. The multiplication has a relative error, at most ROUNDING. If the
 * product is so close to the midpoint of two integers (within NEAR_HALF plus this error) that the
 * wrong integer could be taken, or if the product is not below LARGEST, printf() formats the
 * number.
 */
#define NEAR_HALF 0.001
#define ROUNDING (2 * DBL_EPSILON)
#define LARGEST 1e14

#define NUMBER_MAX 64

/* This many digits are formed at a time, and the first number that has more of them. */
#define DIGITS BPMU_DECIMAL_FEW
#define BEYOND_DIGITS BPMU_DECIMAL_BEYOND

/*
 * Writes a number with @decimals decimals, fewer than DIGITS: @value, below BEYOND_DIGITS, divided
 * by a power of 10. Returns the end of the text. Some bytes behind it are written, too.
 */
static inline char *write_point(char *text, unsigned long long value, unsigned int decimals)
{
	char *end = bpmu_decimal_few(text, value, decimals + 1);
	char *point = end - decimals;
	char behind[DIGITS];

	memcpy(behind, point, sizeof(behind));
	memcpy(point + 1, behind, sizeof(behind));
	*point = '.';
	return end + 1;
}

/* Writes an integer of any length, as bpmu_decimal_few() does, without leading zeros. */
static char *write_digits(char *text, unsigned long long value)
{
	if (value < BEYOND_DIGITS)
		return bpmu_decimal_few(text, value, 1);
	text = write_digits(text, value / BEYOND_DIGITS);
	return bpmu_decimal_few(text, value % BEYOND_DIGITS, DIGITS);
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
 * bpmu_decimal_whole() - format an integer in decimal
 * @text: set to what printf("%llu") would print
 * @number: the integer
 *
 * Return: length of @text.
 */
size_t bpmu_decimal_whole(char text[BPMU_DECIMAL_TEXT], unsigned long long number)
{
	char *end = number < BEYOND_DIGITS ? bpmu_decimal_few(text, number, 1) :
					     write_digits(text, number);

	*end = '\0';
	return end - text;
}

/**
 * bpmu_decimal_fixed() - format a decimal number with a fixed number of decimals
 * @text: set to what printf("%.*f") would print
 * @number: finite number
 * @decimals: number of decimals, at most %BPMU_DECIMAL_MOST
 *
 * Return: length of @text.
 */
size_t bpmu_decimal_fixed(char text[BPMU_DECIMAL_TEXT], double number, unsigned int decimals)
{
	static const unsigned int power[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	};
	double scaled, rest;
	long long whole;
	char *end = text;

	/* Most numbers without decimals are counts, which are integers already. */
	if (!decimals && !signbit(number) && number < LARGEST &&
	    number == (double)(long long)number)
		return bpmu_decimal_whole(text, (long long)number);
	scaled = fabs(number) * power[decimals];
	if (!(scaled < LARGEST))
		return snprintf(text, BPMU_DECIMAL_TEXT, "%.*f", decimals, number);
	whole = (long long)scaled;
	rest = scaled - (double)whole;
	if (fabs(rest - 0.5) < NEAR_HALF + scaled * ROUNDING)
		return snprintf(text, BPMU_DECIMAL_TEXT, "%.*f", decimals, number);
	whole += rest > 0.5;
	if (signbit(number))
		*end++ = '-';
	if (decimals && decimals < DIGITS && whole < BEYOND_DIGITS) {
		end = write_point(end, whole, decimals);
	} else if (decimals >= DIGITS) {
		end = write_point(end, whole / BEYOND_DIGITS, decimals - DIGITS);
		end = bpmu_decimal_few(end, whole % BEYOND_DIGITS, DIGITS);
	} else if (decimals) {
		end = write_digits(end, whole / power[decimals]);
		*end++ = '.';
		end = bpmu_decimal_few(end, whole % power[decimals], decimals);
	} else {
		end = write_digits(end, whole);
	}
	*end = '\0';
	return end - text;
}

/**
 * bpmu_decimal_print() - format a decimal number with 6 decimals, or 6 digits if it is small
 * @text: set. 0 and numbers of at least 0.1 are written as by printf("%.6f"), numbers below 1e-9 as
 *	by printf("%.5e"). Numbers from 1e-9 to 0.1 have 6 significant digits; zeros at the end are
 *	omitted after the sixth decimal
 * @number: finite number
 *
 * Return: length of @text.
 */
size_t bpmu_decimal_print(char text[BPMU_DECIMAL_TEXT], double number)
{
	if (fabs(number) < 0.1 && number)
		return print_small(text, number);
	return bpmu_decimal_fixed(text, number, DECIMALS);
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
 * @text: first character of the text
 * @end: end of the text
 * @number: set to the number on success
 *
 * Return: true if the whole text is a finite decimal number.
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
