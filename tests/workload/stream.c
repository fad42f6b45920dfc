// SPDX-License-Identifier: GPL-2.0
/*
 * Loads of one line after the other, each independent of the others, from more
 * memory than the caches hold: as many are under way as the core allows.
 */
#include "workload.h"

#define LINE 64
#define BYTES (16 * 1024 * 1024)

static char memory[BYTES];

static void touch_pages(void)
{
	unsigned long i;

	for (i = 0; i < BYTES; i += 4096)
		memory[i] = 1;
}

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 4);
	unsigned long i;

	touch_pages();
	while (n--)
		for (i = 0; i < BYTES; i += 8 * LINE)
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
