// SPDX-License-Identifier: GPL-2.0
/* Loops whose bottleneck is the front end. */
#include <stddef.h>

#include "kernel.h"

/* More taken branches than the BTB has entries, in code that is small enough for the L1I. */
static void resteer(unsigned long n)
{
	asm volatile("1:\n\t"
		     ".rept 9000\n\tjmp 2f\n\tnop\n2:\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "cc");
}

/*
 * 320 KiB of straight-line code: more than the L1I holds, and more than the 256 KiB of Ivy Bridge's
 * L2.
 */
static void icache(unsigned long n)
{
	asm volatile("1:\n\t"
		     ".rept 16384\n\t"
		     "add $0x11223344, %%rax\n\tadd $0x11223344, %%rdx\n\t"
		     ".byte 0x48, 0x8d, 0x80, 1, 0, 0, 0\n\t"
		     ".endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "rax", "rdx", "cc");
}

/*
 * Code in one line of each of 400 pages: these are more pages than the ITLB has entries, but the
 * lines fit the L1I.
 */
static void itlb(unsigned long n)
{
	asm volatile("1:\n\t"
		     ".rept 400\n\tjmp 2f\n\t.skip 4160 - 5, 0x90\n2:\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "cc");
}

/*
 * Code that is larger than the uop cache and fits the L1I. Each instruction has ten bytes, so three
 * instructions fit two 16-byte blocks. The core fetches one such block per cycle.
 */
static void decode(unsigned long n)
{
	asm volatile("1:\n\t"
		     ".rept 700\n\t"
		     "movabs $0x1122334455667788, %%rax\n\t"
		     "movabs $0x1122334455667788, %%rcx\n\t"
		     "movabs $0x1122334455667788, %%rdx\n\t"
		     "movabs $0x1122334455667788, %%rsi\n\t"
		     ".endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "rax", "rcx", "rdx", "rsi", "cc");
}

/*
 * Instructions with an operand-size prefix, which shortens their immediate from 32 to 16 bits. Such
 * a length-changing prefix stalls the decoders for some cycles. The code fits the L1I. It is larger
 * than the uop cache, which would supply the instructions without stalls.
 */
static void lcp(unsigned long n)
{
	asm volatile("1:\n\t"
		     ".rept 700\n\t"
		     "add $0x1122, %%ax\n\tadd $0x1122, %%cx\n\t"
		     "add $0x1122, %%dx\n\tadd $0x1122, %%si\n\t"
		     ".endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "rax", "rcx", "rdx", "rsi", "cc");
}

/*
 * Each 32-byte window of code has only one or two uops, and the uop cache supplies only one window
 * per cycle.
 */
static void windows(unsigned long n)
{
	asm volatile(".p2align 5\n1:\n\t"
		     ".rept 32\n\tnop\n\tjmp 2f\n\t.p2align 5\n2:\n\t"
		     "jmp 2f\n\t.p2align 5\n2:\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : : "cc");
}

const struct kernel kernels_frontend[] = {
	{ "resteer", 200, NULL, resteer },
	{ "icache", 60, NULL, icache },
	{ "itlb", 5000, NULL, itlb },
	{ "decode", 700, NULL, decode },
	{ "lcp", 1000, NULL, lcp },
	{ "windows", 15000, NULL, windows },
	{ NULL, 0, NULL, NULL }
};
