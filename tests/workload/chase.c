// SPDX-License-Identifier: GPL-2.0
/*
 * Pointer chasing in random order through more memory than the caches hold: each load depends on
 * the load before and misses all caches.
 */
#include "workload.h"

#define LINE 64
#define LINES (16 * 1024 * 1024 / LINE)

static char memory[LINES][LINE];
static unsigned int order[LINES];

static unsigned int random_below(unsigned int limit)
{
	static unsigned long long state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

/* Links all lines into one cycle, in random order. */
static void link_lines(void)
{
	unsigned int i, k, swap;

	for (i = 0; i < LINES; i++)
		order[i] = i;
	for (i = LINES - 1; i; i--) {
		k = random_below(i + 1);
		swap = order[i];
		order[i] = order[k];
		order[k] = swap;
	}
	for (i = 0; i < LINES; i++)
		*(void **)memory[order[i]] = memory[order[(i + 1) % LINES]];
}

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 10000000);
	void *at = memory[0];

	link_lines();
	while (n--)
		at = *(void *volatile *)at;
	return !at;
}
