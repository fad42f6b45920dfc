// SPDX-License-Identifier: GPL-2.0
/*
 * Turns one mutant (a fault that is put into the source code to test the tests) on in the module.
 * The number of the mutant that is on is the host name of the virtual machine, because all
 * processes of the virtual machine have this host name. If the host name is "places", no mutant is
 * on. The module then logs each place of a mutant when it reaches the place for the first time, as
 * an emergency: the console has it even if a test clears the log.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/utsname.h>

int bpmu_mutant_wants_places(void)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = !strcmp(init_uts_ns.name.nodename, "places");
	return wanted;
}

int bpmu_mutant_is(int number)
{
	static DECLARE_BITMAP(seen, BPMU_MUTANTS);
	static int mutant = -1;

	if (mutant < 0 && kstrtoint(init_uts_ns.name.nodename, 10, &mutant))
		mutant = 0;
	if (bpmu_mutant_wants_places() && !test_and_set_bit(number, seen))
		pr_emerg("bpmu-place %d\n", number);
	return mutant == number;
}
