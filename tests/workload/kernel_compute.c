// SPDX-License-Identifier: GPL-2.0
/*
 * Loops whose bottleneck is an execution unit, the microcode sequencer, assists, mispredicted
 * branches, or machine clears.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel.h"

#define LOOP(body, ...) \
	asm volatile("1:\n\t" body "dec %0\n\tjnz 1b" \
		     : "+r" (n) : "r" (kernel_memory) : "cc", ##__VA_ARGS__)

static void base(unsigned long n)
{
	LOOP(".rept 8\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tadd $1, %%rdx\n\tnop\n\t.endr\n\t"
	     "nop\n\tnop\n\tnop\n\t",
	     "rax", "rcx", "rdx");
}

/*
 * A chain of additions: each addition depends on the previous one, so one addition is executed per
 * cycle.
 */
static void chain(unsigned long n)
{
	LOOP(".rept 10\n\tadd $1, %%rax\n\t.endr\n\t", "rax");
}

static void multiply(unsigned long n)
{
	LOOP(".rept 10\n\timul %%rax, %%rax\n\t.endr\n\t", "rax");
}

/*
 * Independent divisions, with other operations during each division: the divider is the bottleneck.
 */
#define OTHERS ".rept 4\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\t" \
	"add $1, %%rdx\n\tnop\n\t.endr\n\t"

static void divide(unsigned long n)
{
	LOOP(".rept 4\n\tdivsd %%xmm8, %%xmm0\n\t" OTHERS
	     "divsd %%xmm8, %%xmm1\n\t" OTHERS ".endr\n\t",
	     "rax", "rcx", "rdx", "xmm0", "xmm1");
}

#define FP_FOUR(add, mul, one, two) \
	add " %%xmm8, %%xmm" one "\n\tadd $1, %%rax\n\t" \
	mul " %%xmm8, %%xmm" two "\n\tnop\n\t"
#define FP_LOOP(add, mul) \
	LOOP(".rept 4\n\t" FP_FOUR(add, mul, "0", "4") \
	     FP_FOUR(add, mul, "1", "5") FP_FOUR(add, mul, "2", "6") \
	     FP_FOUR(add, mul, "3", "7") FP_FOUR(add, mul, "9", "10") \
	     ".endr\n\tnop\n\tnop\n\tnop\n\t", \
	     "rax", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", \
	     "xmm7", "xmm8", "xmm9", "xmm10")

static void fp_scalar(unsigned long n)
{
	FP_LOOP("addsd", "mulsd");
}

static void fp_vector(unsigned long n)
{
	FP_LOOP("addps", "mulps");
}

static void fp_x87(unsigned long n)
{
	asm volatile("fninit\n\tfld1\n\tfldz\n\tfldz\n\tfldz\n\tfldz\n\tfldz");
	LOOP(".rept 4\n\tfadd %%st, %%st(1)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(2)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(3)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t"
	     "fadd %%st, %%st(4)\n\tadd $1, %%rax\n\tadd $1, %%rcx\n\tnop\n\t.endr\n\t"
	     "nop\n\tnop\n\tnop\n\t",
	     "rax", "rcx");
	asm volatile("fninit");
}

/*
 * A chain of floating-point additions: each depends on the previous one and has a latency of three
 * cycles.
 */
static void fp_sum(unsigned long n)
{
	LOOP(".rept 10\n\taddsd %%xmm1, %%xmm0\n\t.endr\n\t", "xmm0");
}

/*
 * A REPE SCASB over 512 zeros: the microcode sequencer supplies the same few uops again and again.
 */
static void microcode(unsigned long n)
{
	LOOP("mov %1, %%rdi\n\txor %%eax, %%eax\n\tmov $512, %%ecx\n\t"
	     "repe scasb\n\t", "rax", "rcx", "rdi");
}

/*
 * Each iteration multiplies once by the smallest denormal number. With the value of MXCSR that the
 * kernel sets at the start of a program, this multiplication needs a microcode assist.
 */
static void denormal(unsigned long n)
{
	asm volatile("mov $1, %%eax\n\tmovq %%rax, %%xmm8\n\tcvtsi2sd %%eax, %%xmm9\n1:\n\t"
		     "movapd %%xmm9, %%xmm0\n\tmulsd %%xmm8, %%xmm0\n\t"
		     "add $1, %%rax\n\tdec %0\n\tjnz 1b"
		     : "+r" (n) : : "rax", "xmm0", "xmm8", "xmm9", "cc");
}

/*
 * Microcode flows of nine and of five uops. At four uops per cycle, only one uop is left for the
 * last cycle of each flow.
 */
static void flows(unsigned long n)
{
	LOOP("xor %%edx, %%edx\n\t.irp at, 0, 64, 128, 192\n\t"
	     "bt %%rdx, 512(%1)\n\tbt %%rdx, 512(%1)\n\t"
	     "cmpxchg %%rcx, \\at(%1)\n\t.endr\n\t", "rax", "rcx", "rdx");
}

/*
 * A branch on a random condition. The condition is ready late, so that many uops of the wrong path
 * are executed.
 */
static void mispredict(unsigned long n)
{
	unsigned long state = 88172645463325252UL;
	unsigned long draw;

	while (n--) {
		state = state * 6364136223846793005UL + 1442695040888963407UL;
		draw = state >> 40;
		asm volatile(".rept 6\n\timul $1, %0, %0\n\t.endr\n\t"
			     "test $1, %0\n\tjz 1f\n\tnop\n1:"
			     : "+r" (draw) : : "cc");
	}
}

/*
 * Memory-ordering machine clears. A load executes before an older store to the same address,
 * because the address of the store is ready late. The core's memory disambiguation predictor then
 * lets this load wait for older stores, until the load has waited in vain several times. So most
 * iterations would have no machine clear. Therefore there is a second load, 1025 bytes of code
 * behind the first one, which uses the same entry of the predictor. The second load waits in vain
 * fifteen times, which resets the entry, so that the next iteration has a machine clear again.
 * Square roots delay the addresses, and take few uops.
 */
#define ROOT "sqrtsd %%xmm1, %%xmm1\n\t"
#define STORE(to) \
	"cvttsd2si %%xmm1, %%rcx\n\tand $0, %%ecx\n\t" \
	"mov %%rax, " to "(%1, %%rcx)\n\t"

static void clear(unsigned long n)
{
	asm volatile("xor %%edx, %%edx\n\txorpd %%xmm0, %%xmm0\n\t"
		     "xorpd %%xmm1, %%xmm1\n\tjmp 1f\n\t.p2align 11\n1:\n\t"
		     ROOT ROOT STORE("0") ".p2align 6\n\t"
		     "mov (%1, %%rdx), %%rsi\n\t"
		     "movapd %%xmm0, %%xmm1\n\t" ROOT STORE("128")
		     "mov %%rcx, %%rdx\n\tcvtsi2sd %%rcx, %%xmm1\n\t"
		     ".rept 10\n\tadd $0, %%rdx\n\t.endr\n\t"
		     "mov $15, %%ecx\n\t"
		     "jmp 2f\n\t.skip 1025 + 64 - (. - 1b)\n2:\n\t"
		     "mov 64(%1), %%rsi\n\tnop\n\tnop\n\tdec %%ecx\n\tjnz 2b\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : "r" (kernel_memory)
		     : "rax", "rcx", "rdx", "rsi", "xmm0", "xmm1", "memory",
		       "cc");
}

/*
 * Machine clears by stores to code. Each iteration calls a function, and stores into the cache line
 * of the function, behind the function's last instruction, like a program that has data beside its
 * code. The core compares addresses of lines: it has already fetched the function for later
 * iterations, and must fetch it again. An emulator that compares addresses of bytes does not
 * translate the function again. The stored data depend on square roots (ROOT above), while NOPs
 * fill the reorder buffer.
 */
#define BESIDE "32"

static void write_code(void)
{
	/* Code of the function: mov $0, %eax; ret. */
	static const unsigned char code[] = { 0xb8, 0, 0, 0, 0, 0xc3 };

	memcpy(kernel_memory, code, sizeof(code));
	if (mprotect(kernel_memory, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)) {
		perror("mprotect");
		exit(1);
	}
}

static void modify(unsigned long n)
{
	asm volatile("lea -128(%%rsp), %%rsp\n\t"
		     "xorpd %%xmm0, %%xmm0\n\t.p2align 6\n1:\n\t"
		     "movapd %%xmm0, %%xmm1\n\t" ROOT ROOT
		     "cvttsd2si %%xmm1, %%rcx\n\tadd %0, %%rcx\n\tand $1, %%ecx\n\t"
		     "mov %%ecx, " BESIDE "(%1)\n\t"
		     ".rept 80\n\tnop\n\t.endr\n\t"
		     "call *%1\n\t"
		     "dec %0\n\tjnz 1b\n\tlea 128(%%rsp), %%rsp"
		     : "+r" (n) : "r" (kernel_memory)
		     : "rax", "rcx", "xmm0", "xmm1", "memory", "cc");
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
	{ "microcode", 3000, NULL, microcode },
	{ "denormal", 60000, NULL, denormal },
	{ "flows", 30000, NULL, flows },
	{ "mispredict", 400000, NULL, mispredict },
	{ "clear", 80000, NULL, clear },
	{ "modify", 80000, write_code, modify },
	{ NULL, 0, NULL, NULL }
};
