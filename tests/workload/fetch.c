// SPDX-License-Identifier: GPL-2.0
/*
 * A loop of 320 KiB of straight-line code: it is larger than any L1I, so that the front end is the
 * bottleneck.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 400);

	asm volatile("1:\n\t"
		     ".rept 16384\n\t"
		     "add $0x11223344, %%rax\n\t"
		     "add $0x11223344, %%rdx\n\t"
		     ".byte 0x48, 0x8d, 0x80, 1, 0, 0, 0\n\t"
		     ".endr\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (n)
		     :
		     : "rax", "rdx", "cc");
	return 0;
}
