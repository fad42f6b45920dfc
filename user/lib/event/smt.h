/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SMT_H
#define BPMU_SMT_H

#include <stdbool.h>

#include "base/cpulist.h"

/**
 * struct bpmu_topology - the package and core of a CPU; -1 if the kernel does not
 *	say
 * @package: its package
 * @core: its core in that package
 */
struct bpmu_topology {
	int package;
	int core;
};

int bpmu_smt_active(void);
void bpmu_smt_find_all(const struct bpmu_cpulist *cpus,
		       struct bpmu_topology *topology);
bool bpmu_smt_siblings(u32 a, u32 b);

#endif /* BPMU_SMT_H */
