// SPDX-License-Identifier: GPL-2.0
/*
 * A loop in which every slot retires. A cycle has three independent additions of registers, one for
 * each ALU port, and a NOP for the fourth slot, which needs no port.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 2000000);

	asm volatile("1:\n\t"
		     ".rept 8\n\t"
		     "add $1, %%rax\n\t"
		     "add $1, %%rbx\n\t"
		     "add $1, %%rdx\n\t"
		     "nop\n\t"
		     ".endr\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (n)
		     :
		     : "rax", "rbx", "rdx", "cc");
	return 0;
}
