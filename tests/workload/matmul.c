// SPDX-License-Identifier: GPL-2.0
/*
 * matmul 1|2|3 [N]: the product of two matrices as in the textbook, C = A B, with
 * the loops interchanged, and vectorised on top. N rows of the result are
 * computed, over and over.
 *
 * The textbook's innermost loop goes down a column of B: a line and a page for
 * each element. Interchanged, it goes along a row of B and one of C, and no
 * addition waits for the one before. Vectorised, one instruction does several.
 */
#include <string.h>

#include "workload.h"

#ifndef MOST
#define MOST 2048
#endif
#define PAGE (4096 / sizeof(double))

typedef double matrix[MOST][MOST];

static matrix a, b, c;

#define SCALAR __attribute__((noinline, optimize("no-ivopts", "unroll-loops", "no-tree-vectorize")))
#define VECTOR __attribute__((noinline, optimize("O3", "no-ivopts", "unroll-loops")))

SCALAR static void multiply1(unsigned long i)
{
	unsigned long j, k;

	for (j = 0; j < MOST; j++)
		for (k = 0; k < MOST; k++)
			c[i][j] += a[i][k] * b[k][j];
}

SCALAR static void multiply2(unsigned long i)
{
	unsigned long j, k;

	for (k = 0; k < MOST; k++) {
		double *to = c[i], *from = b[k];
		double x = a[i][k];

		for (j = 0; j < MOST; j++)
			*to++ += x * *from++;
	}
}

VECTOR static void multiply3(unsigned long i)
{
	unsigned long j, k;

	for (k = 0; k < MOST; k++) {
		double *to = c[i], *from = b[k];
		double x = a[i][k];

		for (j = 0; j < MOST; j++)
			*to++ += x * *from++;
	}
}

int main(int argc, char **argv)
{
	static void (*const multiply[])(unsigned long i) = {
		multiply1, multiply2, multiply3
	};
	unsigned long n, i, j;

	if (argc < 2 || strlen(argv[1]) != 1 || !strchr("123", *argv[1])) {
		fprintf(stderr, "usage: matmul 1|2|3 [N]\n");
		return 2;
	}
	n = iterations(argc - 1, argv + 1, 1);
	/* pages of their own, not the one of zeros */
	for (i = 0; i < MOST; i++) {
		for (j = 0; j < MOST; j += PAGE) {
			a[i][j] = 1;
			b[i][j] = 1;
		}
	}
	for (i = 0; i < n; i++)
		multiply[*argv[1] - '1'](i % MOST);
	asm volatile("" : : "r" (c) : "memory");
	return 0;
}
