// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: matmul 1|2|3 [N]
 *
 * Computes N rows of the matrix product C = A B in one of three ways: way 1 with the loops of the
 * textbook, way 2 with interchanged loops, way 3 with interchanged loops, tiling and vectorization,
 * 16 rows at a time. After the last row of C the program begins again with the first row.
 *
 * The innermost loop of way 1 reads a column of B; each element of the column is in another line
 * and page. The innermost loop of way 2 reads a row of B and a row of C, with independent
 * additions, but all of B is read for each row of C. In way 3, a part of B stays in the L1D for all
 * rows of a tile, and an instruction computes two elements.
 */
#include <string.h>

#include "workload.h"

#define MOST 1024
#define PAGE (4096 / sizeof(double))
/* Size of a tile: ROWS rows and WIDE columns of C, DEEP rows and WIDE columns of B. */
#define ROWS 16
#define DEEP 4
#define WIDE 512

typedef double matrix[MOST][MOST];

static matrix a, b, c;

/*
 * Compiler options of the functions. They avoid index registers, because a load with an index
 * register is not fused with its operation.
 */
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

/*
 * Adds to WIDE elements of a row of C (@to): each of DEEP elements of A (@x), multiplied by WIDE
 * elements of a row of B (@from is the first of DEEP rows).
 */
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
	/*
	 * Writes to each page, so that the kernel allocates it. The kernel maps all pages that are
	 * only read to one page of zeros.
	 */
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
