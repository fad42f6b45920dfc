// SPDX-License-Identifier: GPL-2.0
/*
 * Two loops that test_decan_snapshot.c lets decan analyse: one is in this shared library, the
 * other in the position-independent program that is linked to it.
 */
#include "decan_library.h"

#ifdef PROGRAM
#include <float.h>

static double v[1024];

__attribute__((noinline, noclone)) double program_sum(const double *of, long n)
{
	double sum = 0;
	long i;

	for (i = 0; i < n; i++)
		sum += of[i];
	return sum;
}

int main(void)
{
	double sum = library_sum(v, 1000) + library_sum(v, 1000);

	/* The program's own loop meets this denormal number; the loop in the library meets none. */
	v[7] = DBL_TRUE_MIN;
	return sum + program_sum(v, 500) > 1;
}
#else
double library_sum(const double *v, long n)
{
	double sum = 0;
	long i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum;
}
#endif
