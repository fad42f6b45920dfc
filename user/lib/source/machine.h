/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values, on a machine, of the constants of metric formulas (metric_constant.h).
 */
#ifndef BPMU_MACHINE_H
#define BPMU_MACHINE_H

#include "base/cpulist.h"
#include "event/topology.h"
#include "target.h"
#include "tree/tree.h"

/**
 * struct bpmu_machine - constants of the machine for metrics; a constant is 0 if unknown
 * @threads: number of threads per core
 * @cores: number of cores per package
 * @sockets: number of packages
 * @chas: number of slices of a package's last level cache that have counters
 * @imcs: number of memory channels of a package that have counters
 * @tsc_hz: frequency of the time stamp counter in Hz
 * @joule: joules per count of the energy counter of the package
 * @joule_dram: joules per count of the energy counter of the DRAM
 * @joule_psys: joules per count of the energy counter of the platform
 * @tjmax: degrees C at which a CPU throttles
 */
struct bpmu_machine {
	unsigned int threads;
	unsigned int cores;
	unsigned int sockets;
	unsigned int chas;
	unsigned int imcs;
	double tsc_hz;
	double joule;
	double joule_dram;
	double joule_psys;
	double tjmax;
};

void bpmu_machine_shape(struct bpmu_machine *machine,
			const struct bpmu_topology *topology, unsigned int nr);
int bpmu_machine_find(struct bpmu_machine *machine,
		      const struct bpmu_target *target, struct bpmu_error *err);
void bpmu_machine_set(const struct bpmu_machine *machine, struct bpmu_tree *tree);

#endif /* BPMU_MACHINE_H */
