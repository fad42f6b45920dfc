// SPDX-License-Identifier: GPL-2.0
/*
 * In the module: the virtual machine's name is the number of the mutant that is
 * switched on, whoever loads the module and how. If it is "places", the log says once
 * which places were come by.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/utsname.h>

int bpmu_mutant_is(int number)
{
	static DECLARE_BITMAP(seen, BPMU_MUTANTS);
	static int mutant = -1;
	static bool places;

	if (mutant < 0) {
		places = !strcmp(init_uts_ns.name.nodename, "places");
		if (kstrtoint(init_uts_ns.name.nodename, 10, &mutant))
			mutant = 0;
	}
	if (places && !test_and_set_bit(number, seen))
		pr_info("bpmu-place %d\n", number);
	return mutant == number;
}
