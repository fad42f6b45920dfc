/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SMT_H
#define BPMU_SMT_H

#include <stdbool.h>

#include "base/cpulist.h"

/**
 * struct bpmu_topology - where a CPU is; -1 of what the kernel does not say
 * @package: its package
 * @core: its core in that die
 * @die: its die in that package
 * @cache: the first CPU of those that share its L3, on AMD those of a core complex
 * @node: its NUMA node
 */
struct bpmu_topology {
	int package;
	int core;
	int die;
	int cache;
	int node;
};

int bpmu_smt_active(void);
void bpmu_smt_find_all(const struct bpmu_cpulist *cpus,
		       struct bpmu_topology *topology);
void bpmu_smt_find_below(const char *system, const struct bpmu_cpulist *cpus,
			 struct bpmu_topology *topology);
bool bpmu_smt_same_core(const struct bpmu_topology *a,
			const struct bpmu_topology *b);
bool bpmu_smt_siblings(u32 a, u32 b);

#endif /* BPMU_SMT_H */
