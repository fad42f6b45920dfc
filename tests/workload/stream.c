// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stream [PASSES [MIB]]
 *
 * Sequential, independent loads, one for each line, from more memory than the caches hold. The core
 * has as many outstanding misses as it supports. The bottleneck is the memory bandwidth.
 */
#include "workload.h"

#define LINE 64
#define MIB 16

static void touch_pages(char *memory, unsigned long bytes)
{
	unsigned long i;

	for (i = 0; i < bytes; i += 4096)
		memory[i] = 1;
}

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 4);
	unsigned long bytes = (argc > 2 ? strtoul(argv[2], NULL, 0) : MIB) << 20;
	char *memory = malloc(bytes);
	unsigned long i;

	if (!memory)
		return 1;
	touch_pages(memory, bytes);
	while (n--)
		for (i = 0; i < bytes; i += 8 * LINE)
			asm volatile("mov (%0), %%rax\n\t"
				     "mov 0x40(%0), %%rax\n\t"
				     "mov 0x80(%0), %%rax\n\t"
				     "mov 0xc0(%0), %%rax\n\t"
				     "mov 0x100(%0), %%rax\n\t"
				     "mov 0x140(%0), %%rax\n\t"
				     "mov 0x180(%0), %%rax\n\t"
				     "mov 0x1c0(%0), %%rax"
				     :
				     : "r" (memory + i)
				     : "rax", "memory");
	return 0;
}
