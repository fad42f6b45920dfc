// SPDX-License-Identifier: GPL-2.0
/*
 * What execution units do, and the branches that it depends on.
 */
#include <stddef.h>

#include "kernel.h"

#define LOOP(body, ...) \
	asm volatile("1:\n\t" body "dec %0\n\tjnz 1b" \
		     : "+r" (n) : : "cc", ##__VA_ARGS__)

static void base(unsigned long n)
{
	LOOP(".rept 8\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tadd $1, %%rdx\n\tnop\n\t.endr\n\t",
	     "rax", "rcx", "rdx");
}

/* one operation a cycle, each waits for the one before */
static void chain(unsigned long n)
{
	LOOP(".rept 10\n\tadd $1, %%rax\n\t.endr\n\t", "rax");
}

static void multiply(unsigned long n)
{
	LOOP(".rept 10\n\timul %%rax, %%rax\n\t.endr\n\t", "rax");
}

static void divide(unsigned long n)
{
	LOOP("mov $1000, %%eax\n\txor %%edx, %%edx\n\tmov $7, %%ecx\n\tdiv %%ecx\n\t"
	     "add $3, %%eax\n\txor %%edx, %%edx\n\tdiv %%ecx\n\t",
	     "rax", "rcx", "rdx");
}

static void fp_scalar(unsigned long n)
{
	LOOP(".rept 4\n\taddsd %%xmm8, %%xmm0\n\tmulsd %%xmm8, %%xmm4\n\tadd $1, %%rax\n\tnop\n\t"
	     "addsd %%xmm8, %%xmm1\n\tmulsd %%xmm8, %%xmm5\n\tadd $1, %%rcx\n\tnop\n\t"
	     "addsd %%xmm8, %%xmm2\n\tmulsd %%xmm8, %%xmm6\n\tadd $1, %%rdx\n\tnop\n\t"
	     "mulsd %%xmm8, %%xmm7\n\tnop\n\tmulsd %%xmm8, %%xmm3\n\tnop\n\t.endr\n\t",
	     "rax", "rcx", "rdx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
	     "xmm5", "xmm6", "xmm7");
}

static void fp_vector(unsigned long n)
{
	LOOP(".rept 4\n\taddps %%xmm8, %%xmm0\n\tmulps %%xmm8, %%xmm4\n\tadd $1, %%rax\n\tnop\n\t"
	     "addps %%xmm8, %%xmm1\n\tmulps %%xmm8, %%xmm5\n\tadd $1, %%rcx\n\tnop\n\t"
	     "addps %%xmm8, %%xmm2\n\tmulps %%xmm8, %%xmm6\n\tadd $1, %%rdx\n\tnop\n\t"
	     "mulps %%xmm8, %%xmm7\n\tnop\n\tmulps %%xmm8, %%xmm3\n\tnop\n\t.endr\n\t",
	     "rax", "rcx", "rdx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
	     "xmm5", "xmm6", "xmm7");
}

static void fp_x87(unsigned long n)
{
	asm volatile("fninit\n\tfld1\n\tfldz\n\tfldz\n\tfldz\n\tfldz\n\tfldz");
	LOOP(".rept 4\n\tfadd %%st, %%st(1)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(2)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(3)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(4)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t.endr\n\t",
	     "rax", "rcx");
	asm volatile("fninit");
}

/* a sum in one register: each addition takes three cycles and waits */
static void fp_sum(unsigned long n)
{
	LOOP(".rept 10\n\taddsd %%xmm1, %%xmm0\n\t.endr\n\t", "xmm0");
}

/* each takes more uops than a decoder makes */
static void microcode(unsigned long n)
{
	LOOP(".rept 8\n\tbt %%rax, (%%rsp)\n\txor %%eax, %%eax\n\t.endr\n\t",
	     "rax");
}

static void mispredict(unsigned long n)
{
	unsigned long state = 88172645463325252UL;

	while (n--) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		asm volatile("test $0x400, %0\n\tjz 1f\n\tnop\n1:"
			     : : "r" (state) : "cc");
	}
}

/*
 * The load's address is known long before that of the store in front of it, which
 * turns out to be the same: the pipeline begins anew from the load.
 */
static void clear(unsigned long n)
{
	unsigned long at = (unsigned long)kernel_memory;

	asm volatile("1:\n\t"
		     "mov %1, %%rax\n\t"
		     "imul $1, %%rax, %%rax\n\timul $1, %%rax, %%rax\n\t"
		     "imul $1, %%rax, %%rax\n\timul $1, %%rax, %%rax\n\t"
		     "mov %0, (%%rax)\n\t"
		     "mov (%1), %%rcx\n\t"
		     ".rept 12\n\tadd $1, %%rdx\n\tadd $1, %%rsi\n\tnop\n\tnop\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : "r" (at)
		     : "rax", "rcx", "rdx", "rsi", "memory", "cc");
}

const struct kernel kernels_compute[] = {
	{ "base", 200000, NULL, base },
	{ "chain", 400000, NULL, chain },
	{ "multiply", 200000, NULL, multiply },
	{ "divide", 200000, NULL, divide },
	{ "fp-scalar", 80000, NULL, fp_scalar },
	{ "fp-vector", 80000, NULL, fp_vector },
	{ "fp-x87", 80000, NULL, fp_x87 },
	{ "fp-sum", 200000, NULL, fp_sum },
	{ "microcode", 150000, NULL, microcode },
	{ "mispredict", 400000, NULL, mispredict },
	{ "clear", 80000, NULL, clear },
	{ NULL, 0, NULL, NULL }
};
