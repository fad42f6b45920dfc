// SPDX-License-Identifier: GPL-2.0
/*
 * A loop of which every instruction is known: N more iterations are exactly
 * N times what "count --per-iteration" prints.
 */
#include <string.h>

#include "workload.h"

int main(int argc, char **argv)
{
	unsigned long cell[2] = { };
	unsigned long n;

	if (argc == 2 && !strcmp(argv[1], "--per-iteration")) {
		puts("instructions=10 branches=2 loads=2 stores=1");
		return 0;
	}
	n = iterations(argc, argv, 100000);
	asm volatile("1:\n\t"
		     "mov (%1), %%rax\n\t"
		     "add $1, %%rax\n\t"
		     "mov %%rax, (%1)\n\t"
		     "mov 8(%1), %%rdx\n\t"
		     "lea 1(%%rdx), %%rdx\n\t"
		     "test %%rax, %%rax\n\t"
		     "jz 2f\n\t"
		     "nop\n"
		     "2:\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (n)
		     : "r" (cell)
		     : "rax", "rdx", "cc", "memory");
	return 0;
}
