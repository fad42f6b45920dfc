// SPDX-License-Identifier: GPL-2.0
/*
 * matmul 1|2|3 [N]: the product of two matrices as in the textbook, C = A B; with
 * the loops interchanged; and tiled and vectorised on top. N rows of the result are
 * computed, over and over; tiled, 16 at once.
 *
 * The textbook's innermost loop goes down a column of B: a line and a page for
 * each element. Interchanged, it goes along a row of B and one of C, and no
 * addition waits for the one before, but all of B is read for each row of C.
 * Tiled, a piece of B stays in the L1 for all rows of a tile; vectorised, an
 * instruction does two elements.
 */
#include <string.h>

#include "workload.h"

#define MOST 1024
#define PAGE (4096 / sizeof(double))
/* a tile: rows of C, rows of B, and columns of both */
#define ROWS 16
#define DEEP 4
#define WIDE 512

typedef double matrix[MOST][MOST];

static matrix a, b, c;

/* no index registers: with one a load and its operation would be two uops */
#define SCALAR __attribute__((noinline, \
	optimize("no-ivopts", "unroll-loops", "no-tree-vectorize")))
#define VECTOR __attribute__((noinline, \
	optimize("O3", "no-ivopts", "unroll-loops")))

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

/* pieces of the same rows of C, for some rows of B */
VECTOR static void multiply_tile(double *restrict to, const double *restrict x,
				 const double *restrict from)
{
	unsigned long j, k;

	for (k = 0; k < DEEP; k++)
		for (j = 0; j < WIDE; j++)
			to[j] += x[k] * from[k * MOST + j];
}

static void multiply3(unsigned long first)
{
	unsigned long i, j, k;

	for (k = 0; k < MOST; k += DEEP)
		for (j = 0; j < MOST; j += WIDE)
			for (i = first; i < first + ROWS; i++)
				multiply_tile(&c[i][j], &a[i][k], &b[k][j]);
}

int main(int argc, char **argv)
{
	static const struct {
		void (*multiply)(unsigned long first);
		unsigned long rows;
	} how[] = { { multiply1, 1 }, { multiply2, 1 }, { multiply3, ROWS } };
	unsigned long n, i, j, choice;

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
	choice = *argv[1] - '1';
	for (i = 0; i < n; i += how[choice].rows)
		how[choice].multiply(i % MOST);
	asm volatile("" : : "r" (c) : "memory");
	return 0;
}
