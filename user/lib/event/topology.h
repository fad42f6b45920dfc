/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_TOPOLOGY_H
#define BPMU_TOPOLOGY_H

#include <stdbool.h>

#include "base/cpulist.h"

/**
 * struct bpmu_topology - topology of a CPU; identifiers that the kernel does not know are -1
 * @package: number of the package
 * @core: number of the core in the die
 * @die: number of the die in the package
 * @cache: lowest CPU of those that share the L3; on AMD these are the CPUs of the core complex
 * @node: number of the NUMA node
 */
struct bpmu_topology {
	int package;
	int core;
	int die;
	int cache;
	int node;
};

int bpmu_topology_smt(void);
void bpmu_topology_read(const struct bpmu_cpulist *cpus, struct bpmu_topology *topology);
void bpmu_topology_read_below(const char *system, const struct bpmu_cpulist *cpus,
			      struct bpmu_topology *topology);
bool bpmu_topology_same_core(const struct bpmu_topology *a, const struct bpmu_topology *b);
bool bpmu_topology_siblings(u32 a, u32 b);

#endif /* BPMU_TOPOLOGY_H */
