/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Topology: the vCPUs of the machine, and which of them share a core or a package.
 */
#ifndef VPMU_TOPOLOGY_H
#define VPMU_TOPOLOGY_H

#include "cpu.h"

#define VPMU_MAX_CPUS 64

extern struct vpmu_cpu vpmu_cpus[VPMU_MAX_CPUS];

/**
 * vpmu_cpu() - find a vCPU of the topology by its number
 * @index: the number
 *
 * The function is inline, because it is called for each simulated instruction and access.
 */
static inline struct vpmu_cpu *vpmu_cpu(unsigned int index)
{
	return &vpmu_cpus[index];
}

unsigned int vpmu_nr_cpus(void);
unsigned int vpmu_threads(void);
unsigned int vpmu_nr_cores(void);
struct vpmu_cpu *vpmu_core_of(const struct vpmu_cpu *cpu);
unsigned int vpmu_nr_packages(void);
unsigned int vpmu_package_of(const struct vpmu_cpu *cpu);
const struct vpmu_part *vpmu_part_of(unsigned int index);

#endif /* VPMU_TOPOLOGY_H */
