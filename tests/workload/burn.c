// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: burn {[set] REGISTER NUMBER}...
 *
 * Adds NUMBER to a free-running register of the virtual PMU. With "set", writes NUMBER to the
 * register instead. REGISTER is the address of an MSR or, for a counter of a memory controller, the
 * counter's offset in MCHBAR, 0x5040 to 0x5054. No MSR among the free-running registers has such an
 * address, so the program can tell the two apart.
 */
#include <string.h>

#include "workload.h"

#define MAGIC_LEAF 0x42504d55
#define ADD 6
#define SET 7

static void move(unsigned int msr, unsigned int number, unsigned int what)
{
	unsigned int eax = MAGIC_LEAF;

	asm volatile("cpuid"
		     : "+a" (eax), "+b" (msr), "+c" (what), "+d" (number));
}

int main(int argc, char **argv)
{
	int i = 1;
	int set;

	while (i < argc) {
		set = !strcmp(argv[i], "set");
		i += set;
		if (i + 1 >= argc)
			break;
		move(strtoul(argv[i], NULL, 0), strtoul(argv[i + 1], NULL, 0),
		     set ? SET : ADD);
		i += 2;
	}
	if (i == argc && argc > 1)
		return 0;
	fprintf(stderr, "usage: burn [set] MSR NUMBER...\n");
	return 2;
}
