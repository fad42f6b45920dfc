// SPDX-License-Identifier: GPL-2.0
/*
 * Something happens in the L3 of the virtual PMU's complex in which this CPU is:
 * happen EVENT UMASK SLICE COUNT, as often as that is given.
 */
#include "workload.h"

#define MAGIC_LEAF 0x42504d55
#define HAPPEN 8

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 3 < argc; i += 4) {
		unsigned int eax = MAGIC_LEAF, ecx = HAPPEN;
		unsigned int ebx = strtoul(argv[i], NULL, 0) |
				   strtoul(argv[i + 1], NULL, 0) << 8 |
				   strtoul(argv[i + 2], NULL, 0) << 16;
		unsigned int edx = strtoul(argv[i + 3], NULL, 0);

		asm volatile("cpuid"
			     : "+a" (eax), "+b" (ebx), "+c" (ecx), "+d" (edx));
	}
	if (i == argc && argc > 1)
		return 0;
	fprintf(stderr, "usage: happen EVENT UMASK SLICE COUNT...\n");
	return 2;
}
