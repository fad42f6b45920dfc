// SPDX-License-Identifier: GPL-2.0
#include "smt.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/sysfs.h"

/* of a list of CPUs */
#define LIST_BYTES 4096

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

static const char *path_of(char path[96], u32 cpu, const char *file)
{
	snprintf(path, 96, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu,
		 file);
	return path;
}

static int topology_id(u32 cpu, const char *file)
{
	char path[96];

	return read_number(path_of(path, cpu, file), -1);
}

/* those of a list, in rising order as @cpus are, are in this package */
static void set_package(const struct bpmu_cpulist *cpus,
			struct bpmu_topology *topology,
			const struct bpmu_cpulist *list, int package)
{
	unsigned int i, k = 0;

	for (i = 0; i < cpus->nr && k < list->nr; i++) {
		while (k < list->nr && list->cpu[k] < cpus->cpu[i])
			k++;
		if (k < list->nr && list->cpu[k] == cpus->cpu[i])
			topology[i].package = package;
	}
}

/* the package of the CPU at a position, and of all that are in it */
static void find_package(const struct bpmu_cpulist *cpus, unsigned int pos,
			 struct bpmu_topology *topology)
{
	int package = topology_id(cpus->cpu[pos], "physical_package_id");
	struct bpmu_error ignored;
	struct bpmu_cpulist list;
	char text[LIST_BYTES];
	char path[96];

	topology[pos].package = package;
	path_of(path, cpus->cpu[pos], "package_cpus_list");
	if (package < 0 || !bpmu_sysfs_read(path, text, sizeof(text)) ||
	    bpmu_cpulist_parse(text, &list, &ignored))
		return;
	set_package(cpus, topology, &list, package);
	bpmu_cpulist_free(&list);
}

/**
 * bpmu_smt_find_all() - where CPUs are
 * @cpus: the CPUs
 * @topology: filled in, one for each; -1 where the kernel does not say
 *
 * A package is asked once for all its CPUs: reading a file costs more than
 * taking some samples.
 */
void bpmu_smt_find_all(const struct bpmu_cpulist *cpus,
		       struct bpmu_topology *topology)
{
	unsigned int i;

	for (i = 0; i < cpus->nr; i++)
		topology[i].package = -1;
	for (i = 0; i < cpus->nr; i++) {
		if (topology[i].package < 0)
			find_package(cpus, i, topology);
		topology[i].core = topology_id(cpus->cpu[i], "core_id");
	}
}

/**
 * bpmu_smt_siblings() - are two CPUs threads of one core
 * @a: a CPU
 * @b: another one
 *
 * Return: true if so, also if the kernel does not say.
 */
bool bpmu_smt_siblings(u32 a, u32 b)
{
	return topology_id(a, "core_id") == topology_id(b, "core_id") &&
	       topology_id(a, "physical_package_id") ==
	       topology_id(b, "physical_package_id");
}

/**
 * bpmu_smt_active() - do threads share the cores of this machine
 *
 * Return: 1 if at least one core has two online threads, 0 if none has or the
 * kernel does not say.
 */
int bpmu_smt_active(void)
{
	return read_number("/sys/devices/system/cpu/smt/active", 0);
}
