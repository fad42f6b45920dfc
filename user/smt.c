// SPDX-License-Identifier: GPL-2.0
#include "smt.h"

#include <stdio.h>

static int read_number(const char *path, int otherwise)
{
	FILE *file = fopen(path, "re");
	int number;

	if (!file)
		return otherwise;
	if (fscanf(file, "%d", &number) != 1)
		number = otherwise;
	fclose(file);
	return number;
}

/**
 * bpmu_smt_siblings() - are two CPUs threads of one core
 * @a: a CPU
 * @b: another one
 *
 * Context: process.
 * Return: true if so, also if the kernel does not say.
 */
bool bpmu_smt_siblings(u32 a, u32 b)
{
	static const char *const files[] = { "core_id", "physical_package_id" };
	char path[96];
	unsigned int i;
	int id[2];

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/topology/%s", a,
			 files[i]);
		id[0] = read_number(path, -1);
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/topology/%s", b,
			 files[i]);
		id[1] = read_number(path, -1);
		if (id[0] != id[1])
			return false;
	}
	return true;
}

/**
 * bpmu_smt_active() - do threads share the cores of this machine
 *
 * Context: process.
 * Return: 1 if at least one core has two online threads, 0 if none has or the
 * kernel does not say.
 */
int bpmu_smt_active(void)
{
	return read_number("/sys/devices/system/cpu/smt/active", 0);
}
