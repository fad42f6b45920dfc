// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: fill [N]
 *
 * Fills a page of memory N times, each time by one string instruction with REP.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 1000);
	static char page[4096];

	while (n--) {
		unsigned long left = sizeof(page);
		char *to = page;

		asm volatile("rep stosb" : "+D"(to), "+c"(left) : "a"(n) : "memory");
	}
	return 0;
}
