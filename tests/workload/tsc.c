// SPDX-License-Identifier: GPL-2.0
/* Prints the value of the time-stamp counter (TSC). */
#include "workload.h"

int main(void)
{
	printf("%llu\n", (unsigned long long)__builtin_ia32_rdtsc());
	return 0;
}
