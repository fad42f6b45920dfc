// SPDX-License-Identifier: GPL-2.0
/*
 * The switch of the mutants in the module. Every process that may load the module has the same host
 * name, so the host name of the virtual machine is the number of the mutant that is turned on. If
 * the host name is "places", no mutant is turned on. Each place that the module reaches is then
 * logged once.
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
