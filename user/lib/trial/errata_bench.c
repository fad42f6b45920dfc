// SPDX-License-Identifier: GPL-2.0
#include "errata_bench.h"

#include <errno.h>
#include <stdlib.h>

/* size of the memory to chase pointers in, in bytes: larger than the L2 of any tested CPU model */
#define ARENA_BYTES (32u << 20)
#define PAGE_BYTES 4096u
#define LINE_BYTES 64u
#define PAGES (ARENA_BYTES / PAGE_BYTES)
/*
 * Number of cache lines that are read from each page: enough to start the L1 prefetchers, but too
 * few for the L2 prefetchers to avoid the L2 misses.
 */
#define LINES_OF_PAGE 4

/* address of the branch in the copy of the loop alu() that ran last */
static u64 last_branch;

static void alu(u64 rounds, void **at)
{
	u64 sum = 0;

	asm volatile("lea 2f(%%rip), %2\n\t"
		     "1:\n\t"
		     "add $1, %1\n\t"
		     "add $2, %1\n\t"
		     "add $3, %1\n\t"
		     "add $4, %1\n\t"
		     "add $5, %1\n\t"
		     "dec %0\n\t"
		     /* LEA changes no flag, and keeps DEC and JNZ from being fused to one uop. */
		     "lea 6(%1), %1\n\t"
		     "2:\n\t"
		     "jnz 1b"
		     : "+r" (rounds), "+r" (sum), "=&r" (last_branch) : : "cc");
	(void)at;
}

static void errata_bench_copy(u64 rounds, void **at)
{
	u64 value = 0;
	char space[4 * LINE_BYTES] = { };

	asm volatile("1:\n\t"
		     "mov (%2), %1\n\t"
		     "mov %1, 64(%2)\n\t"
		     "mov 128(%2), %1\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (rounds), "+r" (value) : "r" (space)
		     : "cc", "memory");
	(void)at;
}

/*
 * Executes in each iteration an atomic instruction and two branches after it. Some CPUs with errata
 * execute such a branch twice, first speculatively and again when the atomic instruction is done,
 * and count it twice.
 */
static void atomic(u64 rounds, void **at)
{
	unsigned int value = 0;

	asm volatile("1:\n\t"
		     "lock incl %1\n\t"
		     "jc 2f\n\t"
		     "2:\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (rounds), "+m" (value) : : "cc", "memory");
	(void)at;
}

/*
 * Chases pointers in the memory of bpmu_bench_arena(), from the address *@at on, and sets *@at to
 * the address where the next call has to continue. The pointers lead through so much memory that
 * each cache line has left the caches when it is read again.
 */
static void chase(u64 rounds, void **at)
{
	asm volatile("1:\n\t"
		     "mov (%1), %1\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (rounds), "+r" (*at) : : "cc", "memory");
}

const struct bpmu_bench bpmu_bench_alu = { alu, 8, 1, 0, 0 };
const struct bpmu_bench bpmu_bench_copy = { errata_bench_copy, 5, 1, 2, 1 };
const struct bpmu_bench bpmu_bench_atomic = { atomic, 4, 2, 1, 1 };
const struct bpmu_bench bpmu_bench_chase = { chase, 3, 1, 1, 0 };

/**
 * bpmu_bench_branch() - address of the branch in the bench loop bpmu_bench_alu
 *
 * Return: the address; 0 if the loop has not run yet.
 */
u64 bpmu_bench_branch(void)
{
	return last_branch;
}

static void link_page(char *page, char *next)
{
	char *last = page + (LINES_OF_PAGE - 1) * LINE_BYTES;

	for (; page < last; page += LINE_BYTES)
		*(void **)page = page + LINE_BYTES;
	*(void **)last = next;
}

/*
 * Returns the number of the page that the chain of pointers visits after the page with number
 * @page. The numbers are from a linear congruential generator with full period, so that all pages
 * are visited, in an order that no prefetcher recognises.
 */
static unsigned int next_page(unsigned int page)
{
	return (page * 1103515245u + 12345u) % PAGES;
}

/**
 * bpmu_bench_arena() - allocate memory in which a bench loop of the errata tests chases pointers
 * @arena: set to the start of the memory, which is to be freed with free(). The first run of a loop
 *	begins to chase pointers at this address
 *
 * Return: 0, or -ENOMEM.
 */
int bpmu_bench_arena(void **arena, struct bpmu_error *err)
{
	char *memory = aligned_alloc(PAGE_BYTES, ARENA_BYTES);
	unsigned int i;

	if (!memory)
		return bpmu_error_set(err, -ENOMEM,
			"errata: no memory for the loops; %u MB are needed",
			ARENA_BYTES >> 20);
	for (i = 0; i < PAGES; i++)
		link_page(memory + i * PAGE_BYTES,
			  memory + next_page(i) * PAGE_BYTES);
	*arena = memory;
	return 0;
}

/**
 * bpmu_bench_rest() - execute a bench loop of the errata tests that accesses no memory
 *
 * Does not return: the caller's process has to be killed.
 */
void bpmu_bench_rest(void)
{
	for (;;)
		asm volatile("pause");
}
