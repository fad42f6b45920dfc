// SPDX-License-Identifier: GPL-2.0
/*
 * Locks this CPU up, for the test of the NMI watchdog: the virtual PMU keeps interrupts other than
 * NMIs from the CPU, and this program divides for ever, 20 cycles or more each time.
 */
#include "workload.h"

#define MAGIC_LEAF 0x42504d55
#define LOCK_UP 19

int main(void)
{
	unsigned int eax = MAGIC_LEAF, ebx, ecx = LOCK_UP, edx;

	asm volatile("cpuid" : "+a" (eax), "=b" (ebx), "+c" (ecx), "=d" (edx));
	asm volatile("1:\n\t"
		     "mov $1, %%rax\n\t"
		     "xor %%edx, %%edx\n\t"
		     "mov $1, %%ecx\n\t"
		     "div %%rcx\n\t"
		     "div %%rcx\n\t"
		     "div %%rcx\n\t"
		     "jmp 1b"
		     : : : "rax", "rcx", "rdx", "cc");
	return 0;
}
