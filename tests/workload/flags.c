// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: flags rdpmc|rep
 *
 * Checks that an instruction that changes no flag leaves the flags alone: compares many pairs of
 * numbers by CMP, executes the instruction, and compares the flags with those of CMP alone. Prints
 * the number of pairs whose flags differ.
 *
 * rdpmc: RDPMC, which must be allowed in user space. rep: LODSB with REP; an interrupt at this
 * instruction must not change the flags either, so the program is to be sampled.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "workload.h"

#define PAIRS_RDPMC 1000
#define PAIRS_REP 200000
#define STATUS_FLAGS 0x8d5 /* CF, PF, AF, ZF, SF and OF (SDM volume 1, 3.4.3.1) */
/* clears the bits at which TF, IF, NT and VM are in EFLAGS */
#define NO_TRAPS (~0x24300ULL)

/*
 * The compiler may keep variables in the 128 bytes below the stack pointer, so pushes go below
 * these. LEA changes no flags.
 */
#define SKIP_RED_ZONE "lea -128(%%rsp), %%rsp\n"
#define UNSKIP_RED_ZONE "lea 128(%%rsp), %%rsp"

/*
 * Returns the flags after CMP. QEMU translates code in blocks. JMP makes CMP the first instruction
 * of a block, and after POPF, QEMU does not compute flags from an earlier instruction any more.
 */
static uint64_t flags_of_cmp(uint64_t a, uint64_t b)
{
	uint64_t flags;

	asm volatile(SKIP_RED_ZONE "pushfq; popfq; jmp 1f\n"
		     "1: cmpq %2, %1; pushfq; popq %0\n" UNSKIP_RED_ZONE
		     : "=r"(flags) : "r"(a), "r"(b) : "cc", "memory");
	return flags & STATUS_FLAGS;
}

static uint64_t flags_after_rdpmc(uint64_t a, uint64_t b)
{
	uint64_t flags;

	asm volatile(SKIP_RED_ZONE "pushfq; popfq; jmp 1f\n"
		     "1: cmpq %2, %1; rdpmc; pushfq; popq %0\n" UNSKIP_RED_ZONE
		     : "=r"(flags) : "r"(a), "r"(b), "c"(0) : "rax", "rdx", "cc", "memory");
	return flags & STATUS_FLAGS;
}

static uint64_t flags_after_rep(uint64_t a, uint64_t b)
{
	const char *bytes = "1";
	uint64_t flags, count = 1;

	asm volatile(SKIP_RED_ZONE "pushfq; popfq; jmp 1f\n"
		     "1: cmpq %4, %3; rep lodsb; pushfq; popq %0\n" UNSKIP_RED_ZONE
		     : "=r"(flags), "+S"(bytes), "+c"(count)
		     : "r"(a), "r"(b) : "rax", "cc", "memory");
	return flags & STATUS_FLAGS;
}

int main(int argc, char **argv)
{
	bool rep = argc == 2 && !strcmp(argv[1], "rep");
	unsigned int i, pairs = rep ? PAIRS_REP : PAIRS_RDPMC, differ = 0;
	uint64_t a = 1, b = 1;

	if (argc != 2 || (!rep && strcmp(argv[1], "rdpmc") != 0)) {
		fputs("usage: flags rdpmc|rep\n", stderr);
		return 2;
	}
	for (i = 0; i < pairs; i++) {
		uint64_t x, y;

		a = a * 6364136223846793005ULL + 1442695040888963407ULL;
		b = (b ^ a) * 6364136223846793005ULL;
		x = a & NO_TRAPS;
		y = b & NO_TRAPS;
		differ += flags_of_cmp(x, y) != (rep ? flags_after_rep(x, y) :
						       flags_after_rdpmc(x, y));
	}
	printf("%u\n", differ);
	return 0;
}
