// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: mark begin|end NUMBER
 *
 * Begins or ends region NUMBER, a span of time. The virtual PMU writes the exact number of each
 * event in the region to a file, with which tests compare counts.
 */
#include <string.h>

#include "workload.h"

#define MAGIC_LEAF 0x42504d55

int main(int argc, char **argv)
{
	unsigned int eax = MAGIC_LEAF, ebx, ecx, edx;
	int begin = argc == 3 && !strcmp(argv[1], "begin");

	if (argc != 3 || (!begin && strcmp(argv[1], "end"))) {
		fprintf(stderr, "usage: mark begin|end NUMBER\n");
		return 2;
	}
	ebx = strtoul(argv[2], NULL, 10);
	ecx = begin ? 1 : 2;
	asm volatile("cpuid"
		     : "+a" (eax), "+b" (ebx), "+c" (ecx), "=d" (edx));
	return 0;
}
