// SPDX-License-Identifier: GPL-2.0
#include "smt.h"

#include <stdio.h>
#include <stdlib.h>

#include "sysfs.h"

static int read_number(const char *path, int otherwise)
{
	char text[16];
	char *end;
	long number;

	if (!bpmu_sysfs_read(path, text, sizeof(text)))
		return otherwise;
	number = strtol(text, &end, 10);
	return end == text ? otherwise : (int)number;
}

static int topology(u32 cpu, const char *file)
{
	char path[96];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, file);
	return read_number(path, -1);
}

/**
 * bpmu_smt_find() - where a CPU is
 * @cpu: a CPU
 * @place: filled in; -1 where the kernel does not say
 *
 * Context: process.
 */
void bpmu_smt_find(u32 cpu, struct bpmu_smt_place *place)
{
	place->package = topology(cpu, "physical_package_id");
	place->core = topology(cpu, "core_id");
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
	struct bpmu_smt_place x, y;

	bpmu_smt_find(a, &x);
	bpmu_smt_find(b, &y);
	return x.package == y.package && x.core == y.core;
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
