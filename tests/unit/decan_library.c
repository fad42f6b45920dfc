// SPDX-License-Identifier: GPL-2.0
/*
 * Two functions with one loop each, which test_decan_snapshot.c lets decan analyse. This file is
 * compiled twice: as a shared library with library_sum(), and as a position-independent program
 * with program_sum(), which is linked to the library.
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

	/*
	 * v[7] becomes a denormal number only now, after the last call of library_sum(). Of the two
	 * functions only program_sum() computes with a denormal number.
	 */
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
