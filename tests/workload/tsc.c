// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the time-stamp counter.
 */
#include "workload.h"

int main(void)
{
	printf("%llu\n", (unsigned long long)__builtin_ia32_rdtsc());
	return 0;
}
