// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: prefetch none|ahead [N]
 *
 * Loads and computes with N objects, one cache line each, at random addresses that are known in
 * advance. With "ahead", the program prefetches later objects by PREFETCH instructions.
 */
#include <string.h>

#include "workload.h"

#define LINE 64
#define OBJECTS (32ul * 1024 * 1024 / LINE)
#define ORDER 4096
#define AHEAD 8

static char memory[OBJECTS][LINE] __attribute__((aligned(4096)));
static unsigned int order[ORDER + AHEAD];

/*
 * Loads an object and computes with it for some hundred cycles. The uops of this computation fill
 * the reorder buffer. So the cache misses of two objects overlap only if the program prefetches.
 */
static unsigned long work(const char *object)
{
	unsigned long x = *(const unsigned long *)object;

	asm volatile(".rept 40\n\t"
		     "add $1, %0\n\tror $3, %0\n\txor $5, %0\n\tlea 3(%0), %0\n\t"
		     ".endr" : "+r" (x) : : "cc");
	return x;
}

int main(int argc, char **argv)
{
	unsigned long n, i, sum = 0, at = 1;
	int ahead;

	if (argc < 2 || (strcmp(argv[1], "none") && strcmp(argv[1], "ahead"))) {
		fprintf(stderr, "usage: prefetch none|ahead [N]\n");
		return 2;
	}
	ahead = !strcmp(argv[1], "ahead");
	n = iterations(argc - 1, argv + 1, 20000);
	for (i = 0; i < OBJECTS; i += 4096 / LINE)
		memory[i][8] = 1;
	for (i = 0; i < ORDER + AHEAD; i++) {
		at = (at * 1664525 + 1013904223) % OBJECTS;
		order[i] = at;
	}
	for (i = 0; i < n; i++) {
		if (ahead)
			__builtin_prefetch(memory[(order[(i + AHEAD) % ORDER] +
						   i / ORDER * 997) % OBJECTS]);
		sum += work(memory[(order[i % ORDER] + i / ORDER * 997) %
				   OBJECTS]);
	}
	return sum == 1;
}
