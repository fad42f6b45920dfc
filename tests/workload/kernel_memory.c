// SPDX-License-Identifier: GPL-2.0
/* Loops whose bottleneck is loads or stores, at the levels of the memory hierarchy. */
#include "kernel.h"

#define LINE 64
#define PAGE 4096

/*
 * Writes to each page of the first @bytes of the memory, so that the kernel allocates these pages.
 * The kernel maps all pages that are only read to one page of zeros.
 */
static void touch(unsigned long bytes)
{
	unsigned long i;

	for (i = 0; i < bytes; i += PAGE)
		kernel_memory[i + 8] = 1;
}

/*
 * Links all lines of the first @bytes of the memory into one cycle. A linear congruential
 * generator, whose sequence has all lines, computes the successor of each line.
 */
static void link_lines(unsigned long bytes)
{
	unsigned long lines = bytes / LINE;
	unsigned long at = 0, next, i;

	for (i = 0; i < lines; i++) {
		next = (at * 1664525 + 1013904223) & (lines - 1);
		*(char **)(kernel_memory + at * LINE) =
			kernel_memory + next * LINE;
		at = next;
	}
}

static void walk(unsigned long n)
{
	void *at = kernel_memory;

	asm volatile("1:\n\t.rept 10\n\tmov (%1), %1\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n), "+r" (at) : : "memory", "cc");
}

/*
 * Follows the links from line to line, with loads that take hundreds of cycles. The NOPs do not
 * change the number of cycles of the loop in the guest, but save time of the host: a second of the
 * guest is a fixed number of guest instructions, so with NOPs it has fewer loads, and each load
 * misses the caches of the host too.
 */
static void walk_far(unsigned long n)
{
	void *at = kernel_memory;

	asm volatile("1:\n\t.rept 10\n\tmov (%1), %1\n\t"
		     ".rept 7\n\tnop\n\t.endr\n\t.endr\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n), "+r" (at) : : "memory", "cc");
}

static void link_l1(void)
{
	link_lines(16 << 10);
}

static void link_l2(void)
{
	link_lines(128 << 10);
}

static void link_l3(void)
{
	link_lines(2 << 20);
}

static void link_all(void)
{
	link_lines(KERNEL_BYTES);
}

static void touch_all(void)
{
	touch(KERNEL_BYTES);
}

/* Sequential, independent loads and stores: all lines are read from memory and written back. */
static void bandwidth(unsigned long n)
{
	unsigned long i = 0;

	while (n--) {
		asm volatile(".set line, 0\n\t.rept 8\n\t"
			     "mov line(%0), %%rax\n\tmov %%eax, line + 8(%0)\n\t"
			     ".set line, line + 64\n\t.endr"
			     : : "r" (kernel_memory + i) : "rax", "memory");
		i = (i + 8 * LINE) % KERNEL_BYTES;
	}
}

/* Independent stores to random lines, which miss all caches. */
static void stores(unsigned long n)
{
	unsigned long at = 0;

	while (n--) {
		at = (at * 1664525 + 1013904223) % (KERNEL_BYTES / LINE);
		asm volatile("mov %0, (%1)\n\tmov %0, 8(%1)"
			     : : "r" (n), "r" (kernel_memory + at * LINE)
			     : "memory");
	}
}

/*
 * Two stores write the bytes that one load reads. The stores cannot forward their data, so the load
 * waits until both have written the L1D.
 */
static void forward(unsigned long n)
{
	asm volatile("1:\n\t"
		     "movl %%eax, (%1)\n\tmovl %%eax, 4(%1)\n\t"
		     "mov (%1), %%rax\n\t"
		     "dec %0\n\tjnz 1b"
		     : "+r" (n) : "r" (kernel_memory) : "rax", "memory", "cc");
}

/* Independent loads of random lines. */
static void gather(unsigned long n)
{
	unsigned long at = 0;

	while (n--) {
		at = (at * 1664525 + 1013904223) % (KERNEL_BYTES / LINE);
		asm volatile("mov (%0), %%rax"
			     : : "r" (kernel_memory + at * LINE) : "rax");
	}
}

const struct kernel kernels_memory[] = {
	{ "walk-l1", 100000, link_l1, walk },
	{ "walk-l2", 50000, link_l2, walk },
	{ "walk-l3", 30000, link_l3, walk },
	{ "walk-memory", 10000, link_all, walk_far },
	{ "bandwidth", 100000, touch_all, bandwidth },
	{ "stores", 200000, touch_all, stores },
	{ "forward", 300000, 0, forward },
	{ "gather", 300000, touch_all, gather },
	{ 0, 0, 0, 0 }
};
