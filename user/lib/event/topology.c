// SPDX-License-Identifier: GPL-2.0
#include "topology.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/sysfs.h"

/* Parent of the directories cpu and node in sysfs */
#define SYSTEM "/sys/devices/system"

/* Maximum length in bytes of a list of CPUs or nodes in a file of sysfs */
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

static const char *path_of(char path[PATH_MAX], const char *system, u32 cpu,
			   const char *file)
{
	snprintf(path, PATH_MAX, "%s/cpu/cpu%u/%s", system, cpu, file);
	return path;
}

static int topology_id(const char *system, u32 cpu, const char *file)
{
	char path[PATH_MAX];

	return read_number(path_of(path, system, cpu, file), -1);
}

/* Reads a list of CPUs or nodes from a file; the list is empty if the file does not exist. */
static void read_list(const char *path, struct bpmu_cpulist *list)
{
	struct bpmu_error ignored;
	char text[LIST_BYTES];

	*list = (struct bpmu_cpulist){ };
	if (bpmu_sysfs_read(path, text, sizeof(text)) &&
	    bpmu_cpulist_parse(text, list, &ignored))
		*list = (struct bpmu_cpulist){ };
}

/* Returns the address of the member of a &struct bpmu_topology whose offset is @member. */
static int *topology_member(struct bpmu_topology *topology, size_t member)
{
	return (int *)((char *)topology + member);
}

/*
 * Sets an identifier to @id for all CPUs of @cpus that are in @list. @member is the offset of the
 * identifier in &struct bpmu_topology. Both lists are sorted.
 */
static void set_id(const struct bpmu_cpulist *cpus,
		   struct bpmu_topology *topology,
		   const struct bpmu_cpulist *list, size_t member, int id)
{
	unsigned int i, k = 0;

	for (i = 0; i < cpus->nr && k < list->nr; i++) {
		while (k < list->nr && list->cpu[k] < cpus->cpu[i])
			k++;
		if (k < list->nr && list->cpu[k] == cpus->cpu[i])
			*topology_member(&topology[i], member) = id;
	}
}

/*
 * Sets an identifier, such as the number of the package, for the CPU with index @pos in @cpus and
 * for all other CPUs with the same identifier. The file @members lists these CPUs, for example
 * those of the package. The identifier is the number in the file @number; if @number is NULL, it is
 * the lowest CPU in the file @members.
 */
static void find_id(const char *system, const struct bpmu_cpulist *cpus,
		    unsigned int pos, struct bpmu_topology *topology,
		    size_t member, const char *number, const char *members)
{
	struct bpmu_cpulist list;
	char path[PATH_MAX];
	int id;

	read_list(path_of(path, system, cpus->cpu[pos], members), &list);
	if (number)
		id = topology_id(system, cpus->cpu[pos], number);
	else
		id = list.nr ? (int)list.cpu[0] : -1;
	*topology_member(&topology[pos], member) = id;
	if (id >= 0)
		set_id(cpus, topology, &list, member, id);
	bpmu_cpulist_free(&list);
}

static void find_numa_nodes(const char *system, const struct bpmu_cpulist *cpus,
			    struct bpmu_topology *topology)
{
	struct bpmu_cpulist nodes, list;
	char path[PATH_MAX];
	unsigned int i;

	snprintf(path, sizeof(path), "%s/node/online", system);
	read_list(path, &nodes);
	for (i = 0; i < nodes.nr; i++) {
		snprintf(path, sizeof(path), "%s/node/node%u/cpulist", system,
			 nodes.cpu[i]);
		read_list(path, &list);
		set_id(cpus, topology, &list,
		       offsetof(struct bpmu_topology, node), nodes.cpu[i]);
		bpmu_cpulist_free(&list);
	}
	bpmu_cpulist_free(&nodes);
}

/**
 * bpmu_topology_read_below() - read SMT siblings, packages, dies and nodes of CPUs from a directory
 * @system: directory with the structure of /sys/devices/system
 * @cpus: the CPUs
 * @topology: [nr CPUs], set; an identifier is -1 if its file does not exist
 *
 * Each file of a package, die, cache or node is read only once, for all of its CPUs: reading a file
 * takes longer than taking several samples.
 */
void bpmu_topology_read_below(const char *system, const struct bpmu_cpulist *cpus,
			      struct bpmu_topology *topology)
{
	struct bpmu_topology *at;
	unsigned int i;

	for (i = 0; i < cpus->nr; i++)
		topology[i] = (struct bpmu_topology){ -1, -1, -1, -1, -1 };
	for (i = 0; i < cpus->nr; i++) {
		at = &topology[i];
		if (at->package < 0)
			find_id(system, cpus, i, topology,
				offsetof(struct bpmu_topology, package),
				"topology/physical_package_id",
				"topology/package_cpus_list");
		if (at->die < 0)
			find_id(system, cpus, i, topology,
				offsetof(struct bpmu_topology, die),
				"topology/die_id", "topology/die_cpus_list");
		if (at->cache < 0)
			find_id(system, cpus, i, topology,
				offsetof(struct bpmu_topology, cache), NULL,
				"cache/index3/shared_cpu_list");
		at->core = topology_id(system, cpus->cpu[i], "topology/core_id");
	}
	find_numa_nodes(system, cpus, topology);
}

/**
 * bpmu_topology_read() - read the topology of this machine's CPUs: SMT siblings, packages, nodes
 * @cpus: the CPUs
 * @topology: [nr CPUs], set; an identifier that the kernel does not know is -1
 */
void bpmu_topology_read(const struct bpmu_cpulist *cpus, struct bpmu_topology *topology)
{
	bpmu_topology_read_below(SYSTEM, cpus, topology);
}

/**
 * bpmu_topology_same_core() - check by topology if two CPUs are SMT siblings: threads of a core
 * @a: topology of a CPU
 * @b: topology of another CPU
 *
 * Core numbers are unique only within a die.
 *
 * Return: true if both CPUs are threads of one core, or if both topologies are unknown.
 */
bool bpmu_topology_same_core(const struct bpmu_topology *a, const struct bpmu_topology *b)
{
	return a->package == b->package && a->die == b->die &&
	       a->core == b->core;
}

/**
 * bpmu_topology_siblings() - check if two CPUs of this machine are SMT siblings: threads of a core
 * @a: a CPU
 * @b: another CPU
 *
 * Return: true if both CPUs are threads of one core, or if the kernel does not know the topology.
 */
bool bpmu_topology_siblings(u32 a, u32 b)
{
	static const char *const files[] = {
		"topology/core_id", "topology/die_id",
		"topology/physical_package_id",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (topology_id(SYSTEM, a, files[i]) !=
		    topology_id(SYSTEM, b, files[i]))
			return false;
	return true;
}

/**
 * bpmu_topology_smt() - check by topology if SMT, hyper-threading, is on
 *
 * Return: 1 if at least one core has two online threads; 0 if no core has, or if the kernel does
 * not know.
 */
int bpmu_topology_smt(void)
{
	return read_number(SYSTEM "/cpu/smt/active", 0);
}
