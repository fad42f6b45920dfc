/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the values that the constants of metric formulas have on a machine, such as the number of
 * sockets and the rate of the TSC. metric_constant.h has the list of the constants.
 */
#ifndef BPMU_MACHINE_H
#define BPMU_MACHINE_H

#include "base/cpulist.h"
#include "event/topology.h"
#include "target.h"
#include "tree/tree.h"

/**
 * struct bpmu_machine - constants of the machine for metric formulas; a value is 0 if unknown
 * @threads: number of threads per core
 * @cores: number of cores per package
 * @sockets: number of packages
 * @chas: number of last level cache slices (CBos, CHAs) with counters in a package
 * @imcs: number of memory channels with counters in a package
 * @tsc_hz: rate of the time stamp counter in Hz
 * @joule: joules that one count of the package's energy counter means
 * @joule_dram: joules that one count of the DRAM's energy counter means
 * @joule_psys: joules that one count of the platform's energy counter means
 * @tjmax: temperature in degrees C at which a CPU throttles
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
