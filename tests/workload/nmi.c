// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: nmi N [TIMES]
 *
 * Lets the virtual PMU send CPU N an NMI whose source the kernel does not know, TIMES times, some
 * thousand instructions apart.
 */
#include "workload.h"

#define MAGIC_LEAF 0x42504d55
#define NMI 20

int main(int argc, char **argv)
{
	unsigned int cpu = argc > 1 ? atoi(argv[1]) : 0;
	unsigned long times = argc > 2 ? iterations(argc - 1, argv + 1, 1) : 1;

	while (times--) {
		unsigned int eax = MAGIC_LEAF, ebx = cpu, ecx = NMI, edx;

		asm volatile("cpuid" : "+a" (eax), "+b" (ebx), "+c" (ecx), "=d" (edx));
		known_loop(500);
	}
	return 0;
}
