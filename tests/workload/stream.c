// SPDX-License-Identifier: GPL-2.0
/*
 * Loads of one line after the other, each independent of the others, from more
 * memory than the caches hold: as many are under way as the core allows. The second
 * argument is how many MiB, 16 if there is none.
 */
#include "workload.h"

#define LINE 64
#define MIB (1024 * 1024ul)
#define MOST 128

static char memory[MOST * MIB];

static void touch_pages(unsigned long bytes)
{
	unsigned long i;

	for (i = 0; i < bytes; i += 4096)
		memory[i] = 1;
}

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 4);
	unsigned long mib = iterations(argc - 1, argv + 1, 16);
	unsigned long bytes = (mib < MOST ? mib : MOST) * MIB;
	unsigned long i;

	touch_pages(bytes);
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
