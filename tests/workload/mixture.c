// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: mixture NAME CALLS REGION
 *
 * Calls functions in random order, CALLS times, in region REGION (see region()). NAME is one of five
 * sets of functions: "compute" has operations of different latency, "memory" follows pointers in
 * the L1D, the L2 and the L3, "branches" mispredicts more or less often, "code" has more code than
 * the L1I holds, and "calls" has functions of a few instructions that call each other.
 *
 * A call takes a small part of a sampling period, and which function comes next is random: samples
 * are independent of one another.
 */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

#define CALLED static __attribute__((noinline, noclone))
#define LINE 64

static uint64_t state = 88172645463325252;

static inline uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A function with a loop of @n iterations of @insns, which may use rax, rdx, xmm0 and xmm1. */
#define LOOP(name, n, insns)								\
	CALLED void name(void)								\
	{										\
		unsigned long left = n;							\
											\
		asm volatile("mov $3, %%ecx\n\txorps %%xmm0, %%xmm0\n\t"		\
			     "xorps %%xmm1, %%xmm1\n1:\n\t" insns			\
			     "dec %0\n\tjnz 1b"						\
			     : "+r" (left) : : "rax", "rcx", "rdx", "xmm0", "xmm1", "cc");	\
	}

#define ADD "add $1, %%rax\n\t"
#define MULTIPLY "imul %%rcx, %%rax\n\t"
#define DIVIDE "xor %%edx, %%edx\n\tmov $99, %%eax\n\tdiv %%ecx\n\t"
#define FADD "addsd %%xmm1, %%xmm0\n\t"
#define FMULTIPLY "mulsd %%xmm1, %%xmm0\n\t"
#define PARALLEL "lea 1(%%rcx), %%rax\n\tlea 2(%%rcx), %%rdx\n\tmovaps %%xmm1, %%xmm0\n\t"

LOOP(compute_add_1, 8, ADD)
LOOP(compute_add_4, 16, ADD ADD ADD ADD)
LOOP(compute_add_8, 12, ADD ADD ADD ADD ADD ADD ADD ADD)
LOOP(compute_multiply_1, 10, MULTIPLY)
LOOP(compute_multiply_4, 12, MULTIPLY MULTIPLY MULTIPLY MULTIPLY)
LOOP(compute_divide_1, 2, DIVIDE)
LOOP(compute_divide_2, 3, DIVIDE DIVIDE)
LOOP(compute_fadd_1, 10, FADD)
LOOP(compute_fadd_4, 12, FADD FADD FADD FADD)
LOOP(compute_fmultiply_1, 10, FMULTIPLY)
LOOP(compute_fmultiply_4, 8, FMULTIPLY FMULTIPLY FMULTIPLY FMULTIPLY)
LOOP(compute_parallel_1, 20, PARALLEL)
LOOP(compute_parallel_2, 20, PARALLEL PARALLEL)
LOOP(compute_parallel_4, 10, PARALLEL PARALLEL PARALLEL PARALLEL)
LOOP(compute_both_1, 12, MULTIPLY FADD PARALLEL)
LOOP(compute_both_2, 6, DIVIDE FMULTIPLY PARALLEL)

/* A function that follows @n pointers in a ring of @lines cache lines, and adds what is there. */
#define CHASE(name, lines, n)								\
	static char name##_ring[(lines) * LINE] __attribute__((aligned(4096)));		\
	static void *name##_at;								\
	CALLED void name(void)								\
	{										\
		unsigned long left = n;							\
											\
		asm volatile("1:\n\tmov (%0), %0\n\tadd 8(%0), %%rax\n\tdec %1\n\tjnz 1b"	\
			     : "+r" (name##_at), "+r" (left) : : "rax", "memory", "cc");	\
	}

CHASE(memory_l1_4, 64, 4)
CHASE(memory_l1_8, 64, 8)
CHASE(memory_l1_16, 128, 16)
CHASE(memory_l1_24, 64, 24)
CHASE(memory_l2_2, 2048, 2)
CHASE(memory_l2_4, 2048, 4)
CHASE(memory_l2_8, 1024, 8)
CHASE(memory_l2_12, 1024, 12)
CHASE(memory_l3_1, 16384, 1)
CHASE(memory_l3_2, 16384, 2)
CHASE(memory_l3_3, 8192, 3)
CHASE(memory_l3_4, 8192, 4)

static const struct {
	char *ring;
	size_t size;
	void **at;
} rings[] = {
#define RING(name) { name##_ring, sizeof(name##_ring), &name##_at }
	RING(memory_l1_4), RING(memory_l1_8), RING(memory_l1_16), RING(memory_l1_24),
	RING(memory_l2_2), RING(memory_l2_4), RING(memory_l2_8), RING(memory_l2_12),
	RING(memory_l3_1), RING(memory_l3_2), RING(memory_l3_3), RING(memory_l3_4),
};

/* The lines of a ring follow each other as a linear congruential generator of full period says. */
static void make_rings(void)
{
	unsigned int i, line, next;

	for (i = 0; i < sizeof(rings) / sizeof(*rings); i++) {
		for (line = 0; line < rings[i].size / LINE; line++) {
			next = (line * 1229 + 1637) % (rings[i].size / LINE);
			*(void **)(rings[i].ring + line * LINE) = rings[i].ring + next * LINE;
		}
		*rings[i].at = rings[i].ring;
	}
}

/* A function that branches @n times on random bits: @mask decides how often the branch is taken. */
#define BRANCH(name, n, mask)								\
	CALLED void name(void)								\
	{										\
		unsigned long left = n, bits = state;					\
											\
		asm volatile("1:\n\tror $5, %1\n\ttest $" #mask ", %b1\n\tjz 2f\n\t"	\
			     "add $1, %%rax\n2:\n\tdec %0\n\tjnz 1b"			\
			     : "+r" (left), "+r" (bits) : : "rax", "cc");		\
	}

BRANCH(branches_half_4, 4, 1)
BRANCH(branches_half_8, 8, 1)
BRANCH(branches_half_12, 12, 1)
BRANCH(branches_quarter_4, 4, 3)
BRANCH(branches_quarter_8, 8, 3)
BRANCH(branches_quarter_12, 12, 3)
BRANCH(branches_eighth_6, 6, 7)
BRANCH(branches_eighth_12, 12, 7)
BRANCH(branches_rare_6, 6, 15)
BRANCH(branches_rare_12, 12, 15)
BRANCH(branches_never_8, 8, 0)
BRANCH(branches_never_16, 16, 0)

/* A function of @n instructions of eight bytes, one after the other, and an addition after each 4. */
#define CODE(name, n)									\
	CALLED void name(void)								\
	{										\
		asm volatile(".rept " #n " / 4\n\t.rept 4\n\tnopl 0x100(%%rax,%%rax)\n\t.endr\n\t" \
			     "add $0x1000, %%rax\n\t.endr" : : : "rax", "cc");		\
	}

CODE(code_1, 60)
CODE(code_2, 120)
CODE(code_3, 180)
CODE(code_4, 240)
CODE(code_5, 300)
CODE(code_6, 360)
CODE(code_7, 420)
CODE(code_8, 480)
CODE(code_9, 60)
CODE(code_10, 120)
CODE(code_11, 180)
CODE(code_12, 240)
CODE(code_13, 300)
CODE(code_14, 360)
CODE(code_15, 420)
CODE(code_16, 480)

/* A function that executes @insns, and calls @callee if the lowest bits of @n are not in @mask. */
#define CALL(name, insns, callee, mask)							\
	CALLED void name(unsigned long n)						\
	{										\
		asm volatile(insns : : : "rax", "rdx", "xmm0", "cc");			\
		if (n & (mask))								\
			callee(n >> 2);							\
		asm volatile("");							\
	}

static inline void nothing(unsigned long n)
{
	(void)n;
}

#define ADDS "add $1, %%rax\n\tadd $1, %%rdx\n\t"
#define SLOW "imul %%rax, %%rax\n\timul %%rax, %%rax\n\t"

CALL(calls_leaf_add, ADDS ADDS, nothing, 0)
CALL(calls_leaf_slow, SLOW, nothing, 0)
CALL(calls_leaf_long, ADDS ADDS ADDS ADDS ADDS, nothing, 0)
CALL(calls_a_1, ADDS, calls_leaf_add, 1)
CALL(calls_a_2, SLOW, calls_a_1, 3)
CALL(calls_a_3, ADDS ADDS, calls_a_2, 1)
CALL(calls_a_4, ADDS SLOW, calls_a_3, 3)
CALL(calls_b_1, SLOW, calls_leaf_slow, 1)
CALL(calls_b_2, ADDS ADDS, calls_b_1, 3)
CALL(calls_b_3, ADDS, calls_b_2, 1)
CALL(calls_b_4, SLOW SLOW, calls_b_3, 3)
CALL(calls_c_1, ADDS ADDS ADDS, calls_leaf_long, 1)
CALL(calls_c_2, SLOW, calls_c_1, 3)
CALL(calls_c_3, ADDS SLOW, calls_c_2, 3)

CALLED void calls_root_a(void)
{
	calls_a_4(state >> 20);
	asm volatile("");
}

CALLED void calls_root_b(void)
{
	calls_b_4(state >> 20);
	asm volatile("");
}

CALLED void calls_root_c(void)
{
	calls_c_3(state >> 20);
	asm volatile("");
}

static void (*const compute[])(void) = {
	compute_add_1, compute_add_4, compute_add_8, compute_multiply_1, compute_multiply_4,
	compute_divide_1, compute_divide_2, compute_fadd_1, compute_fadd_4, compute_fmultiply_1,
	compute_fmultiply_4, compute_parallel_1, compute_parallel_2, compute_parallel_4,
	compute_both_1, compute_both_2, NULL
};

static void (*const memory[])(void) = {
	memory_l1_4, memory_l1_8, memory_l1_16, memory_l1_24, memory_l2_2, memory_l2_4,
	memory_l2_8, memory_l2_12, memory_l3_1, memory_l3_2, memory_l3_3, memory_l3_4, NULL
};

static void (*const branches[])(void) = {
	branches_half_4, branches_half_8, branches_half_12, branches_quarter_4,
	branches_quarter_8, branches_quarter_12, branches_eighth_6, branches_eighth_12,
	branches_rare_6, branches_rare_12, branches_never_8, branches_never_16, NULL
};

static void (*const code[])(void) = {
	code_1, code_2, code_3, code_4, code_5, code_6, code_7, code_8, code_9, code_10, code_11,
	code_12, code_13, code_14, code_15, code_16, NULL
};

static void (*const calls[])(void) = { calls_root_a, calls_root_b, calls_root_c, NULL };

static const struct {
	void (*const *function)(void);
	const char *name;
} sets[] = {
	{ compute, "compute" }, { memory, "memory" }, { branches, "branches" }, { code, "code" },
	{ calls, "calls" },
};

/* Calls functions of a set; its own loop has a share, too. */
CALLED void pick(void (*const *function)(void), unsigned long nr)
{
	unsigned long of = 0;

	while (function[of])
		of++;
	while (nr--)
		function[(next_random() >> 32) * of >> 32]();
}

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; argc == 4 && i < sizeof(sets) / sizeof(*sets); i++) {
		if (strcmp(argv[1], sets[i].name))
			continue;
		if (sets[i].function == memory)
			make_rings();
		state ^= strtoul(argv[3], NULL, 10) << 32;
		region(strtoul(argv[3], NULL, 10), 1);
		pick(sets[i].function, strtoul(argv[2], NULL, 10));
		region(strtoul(argv[3], NULL, 10), 0);
		usleep(1200000);
		return 0;
	}
	fprintf(stderr, "usage: mixture compute|memory|branches|code|calls CALLS REGION\n");
	return 2;
}
