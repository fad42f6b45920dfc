// SPDX-License-Identifier: GPL-2.0
#include "smt.h"

#include <stdio.h>

/**
 * bpmu_smt_active() - do threads share the cores of this machine
 *
 * Context: process.
 * Return: 1 if at least one core has two online threads, 0 if none has or the
 * kernel does not say.
 */
int bpmu_smt_active(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/smt/active", "r");
	int active = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%d", &active) != 1)
		active = 0;
	fclose(file);
	return active;
}
