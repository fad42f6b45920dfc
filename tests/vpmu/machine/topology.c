// SPDX-License-Identifier: GPL-2.0
#include "topology.h"

#include "options.h"
#include "qemu_api.h"

struct vpmu_cpu vpmu_cpus[VPMU_MAX_CPUS];

/**
 * vpmu_nr_cpus() - number of vCPUs in the topology
 */
unsigned int vpmu_nr_cpus(void)
{
	return qemu_plugin_num_vcpus();
}

/**
 * vpmu_threads() - number of hyper-threads per core in the topology of vCPUs
 */
unsigned int vpmu_threads(void)
{
	return vpmu_options.threads ? vpmu_options.threads : 1;
}

/**
 * vpmu_nr_cores() - number of cores in the topology of vCPUs
 */
unsigned int vpmu_nr_cores(void)
{
	unsigned int cores = vpmu_nr_cpus() / vpmu_threads();

	return cores ? cores : 1;
}

/**
 * vpmu_core_of() - find the first hyper-thread of a vCPU's core in the topology
 * @cpu: any vCPU of the core
 */
struct vpmu_cpu *vpmu_core_of(const struct vpmu_cpu *cpu)
{
	return vpmu_cpu(cpu->index - cpu->index % vpmu_threads());
}

/**
 * vpmu_nr_packages() - number of packages in the topology of vCPUs
 */
unsigned int vpmu_nr_packages(void)
{
	return vpmu_options.fabric ? vpmu_nr_cpus() / vpmu_options.fabric : 1;
}

/**
 * vpmu_package_of() - number of a vCPU's package in the topology
 * @cpu: the vCPU
 */
unsigned int vpmu_package_of(const struct vpmu_cpu *cpu)
{
	return vpmu_options.fabric ? cpu->index / vpmu_options.fabric : 0;
}

/**
 * vpmu_part_of() - CPU model of a vCPU, which on a hybrid topology depends on the core type
 * @index: number of the vCPU
 */
const struct vpmu_part *vpmu_part_of(unsigned int index)
{
	const struct vpmu_part *part = vpmu_options.part;

	if (part->other && vpmu_options.ecores && index >= vpmu_options.ecores)
		part = part->other;
	if (part->other && vpmu_options.lpcores &&
	    index >= vpmu_options.lpcores)
		part = part->other;
	return part;
}
