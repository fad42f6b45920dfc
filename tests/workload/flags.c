// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: flags
 *
 * Checks that RDPMC changes no flag: compares many pairs of numbers by CMP, executes RDPMC, and
 * compares the flags with those of CMP alone. Prints the number of pairs whose flags differ. RDPMC
 * must be allowed in user space.
 */
#include <stdint.h>

#include "workload.h"

#define PAIRS 1000
#define STATUS_FLAGS 0x8d5 /* CF, PF, AF, ZF, SF and OF (SDM volume 1, 3.4.3.1) */
/* clears the bits at which TF, IF, NT and VM are in EFLAGS */
#define NO_TRAPS (~0x24300ULL)

/*
 * Returns the flags after CMP. QEMU translates code in blocks. JMP makes CMP the first instruction
 * of a block, and after POPF, QEMU does not compute flags from an earlier instruction any more.
 */
static uint64_t flags_of_cmp(uint64_t a, uint64_t b)
{
	uint64_t flags;

	asm volatile("pushfq; popfq; jmp 1f\n"
		     "1: cmpq %2, %1; pushfq; popq %0"
		     : "=r"(flags) : "r"(a), "r"(b) : "cc", "memory");
	return flags & STATUS_FLAGS;
}

static uint64_t flags_after_rdpmc(uint64_t a, uint64_t b)
{
	uint64_t flags;

	asm volatile("pushfq; popfq; jmp 1f\n"
		     "1: cmpq %2, %1; rdpmc; pushfq; popq %0"
		     : "=r"(flags) : "r"(a), "r"(b), "c"(0) : "rax", "rdx", "cc", "memory");
	return flags & STATUS_FLAGS;
}

int main(void)
{
	uint64_t a = 1, b = 1;
	unsigned int i, differ = 0;

	for (i = 0; i < PAIRS; i++) {
		a = a * 6364136223846793005ULL + 1442695040888963407ULL;
		b = (b ^ a) * 6364136223846793005ULL;
		differ += flags_of_cmp(a & NO_TRAPS, b & NO_TRAPS) !=
			  flags_after_rdpmc(a & NO_TRAPS, b & NO_TRAPS);
	}
	printf("%u\n", differ);
	return 0;
}
