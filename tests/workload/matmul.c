// SPDX-License-Identifier: GPL-2.0
/*
 * matmul 1|2|3 [N]: a product of N by N matrices as in the textbook, with the
 * loops interchanged, and vectorised by the compiler on top.
 */
#include <string.h>

#include "workload.h"

#define MOST 1024

typedef double matrix[MOST][MOST];

static matrix a, b, c;

__attribute__((noinline, optimize("no-tree-vectorize")))
static void multiply1(unsigned long n)
{
	unsigned long i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			for (k = 0; k < MOST; k++)
				c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline, optimize("no-tree-vectorize")))
static void multiply2(unsigned long n)
{
	unsigned long i, j, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			for (j = 0; j < MOST; j++)
				c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline, optimize("O3")))
static void multiply3(unsigned long n)
{
	unsigned long i, j, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			for (j = 0; j < MOST; j++)
				c[i][j] += a[i][k] * b[k][j];
}

int main(int argc, char **argv)
{
	unsigned long n;
	unsigned long i;

	if (argc < 2 || strlen(argv[1]) != 1 || !strchr("123", *argv[1])) {
		fprintf(stderr, "usage: matmul 1|2|3 [N]\n");
		return 2;
	}
	n = iterations(argc - 1, argv + 1, 30);
	/* rows of their own, not the page of zeros; N of them are enough */
	for (i = 0; i < MOST; i++) {
		a[i][0] = 1;
		b[i][0] = 1;
	}
	if (*argv[1] == '1')
		multiply1(n);
	else if (*argv[1] == '2')
		multiply2(n);
	else
		multiply3(n);
	asm volatile("" : : "r" (c) : "memory");
	return 0;
}
