// SPDX-License-Identifier: GPL-2.0
/*
 * In the module: the virtual machine's name is the number of the mutant that is
 * switched on, whoever loads the module and how.
 */
#include <linux/kernel.h>
#include <linux/utsname.h>

int bpmu_mutant_is(int number)
{
	static int mutant = -1;

	if (mutant < 0 &&
	    kstrtoint(init_uts_ns.name.nodename, 10, &mutant))
		mutant = 0;
	return mutant == number;
}
