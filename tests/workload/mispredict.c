// SPDX-License-Identifier: GPL-2.0
/*
 * A branch on a random bit. The bit is ready late, so that many uops of the wrong path are
 * executed. Half of the predictions are wrong.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 3000000);
	unsigned long state = 88172645463325252UL;
	unsigned long a = 0, b = 0;

	while (n--) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		asm volatile("mov %2, %%rcx\n\t"
			     ".rept 12\n\t"
			     "imul $5, %%rcx, %%rcx\n\t"
			     ".endr\n\t"
			     "test $0x400, %%rcx\n\t"
			     "jz 1f\n\t"
			     "add $3, %0\n\t"
			     "jmp 2f\n"
			     "1:\n\t"
			     "add $5, %1\n"
			     "2:"
			     : "+r" (a), "+r" (b)
			     : "r" (state)
			     : "rcx", "cc");
	}
	return a + b == 1;
}
