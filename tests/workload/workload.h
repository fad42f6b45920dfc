/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdio.h>
#include <stdlib.h>

/*
 * Returns the number of iterations: the program's first argument, or @otherwise if it has no
 * arguments.
 */
static inline unsigned long iterations(int argc, char **argv,
				       unsigned long otherwise)
{
	char *end;
	unsigned long n;

	if (argc < 2)
		return otherwise;
	n = strtoul(argv[1], &end, 10);
	if (*argv[1] && !*end && n)
		return n;
	fprintf(stderr, "%s: '%s': not a number of iterations\n", argv[0],
		argv[1]);
	exit(2);
}

/*
 * Executes @n iterations of a loop with known counts. An iteration has 10 instructions, including 2
 * branches, 2 loads and 1 store.
 */
static inline void known_loop(unsigned long n)
{
	unsigned long cell[2] = { };

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
}

/*
 * Begins or ends region @number, a span of time. The virtual PMU writes the exact number of each
 * event in the region to a file, with which tests compare counts.
 */
static inline void region(unsigned int number, int begin)
{
	unsigned int eax = 0x42504d55, ecx = begin ? 1 : 2, edx;

	asm volatile("cpuid" : "+a" (eax), "+b" (number), "+c" (ecx), "=d" (edx));
}

#endif /* WORKLOAD_H */
