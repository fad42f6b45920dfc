/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SIDE_H
#define BPMU_SIDE_H

#include "arch.h"

/**
 * enum bpmu_side - where the events of a group are counted
 * @BPMU_SIDE_CORE: on the counters of each logical CPU
 * @BPMU_SIDE_UNCORE: on those of the package
 * @BPMU_SIDE_FREE_THREAD: in free-running registers of each logical CPU
 * @BPMU_SIDE_FREE_CORE: in those of a core, which one of its CPUs reads
 * @BPMU_SIDE_FREE_PACKAGE: in those of a package, which one of its CPUs reads
 * @BPMU_NR_SIDES: number of sides
 *
 * Groups are in this order; those of a free-running side are one at most.
 */
enum bpmu_side {
	BPMU_SIDE_CORE,
	BPMU_SIDE_UNCORE,
	BPMU_SIDE_FREE_THREAD,
	BPMU_SIDE_FREE_CORE,
	BPMU_SIDE_FREE_PACKAGE,
	BPMU_NR_SIDES
};

enum bpmu_side bpmu_side_of_unit(u8 unit);
enum bpmu_side bpmu_side_of_sample(u32 flags);
u16 bpmu_side_attr(enum bpmu_side side);

#endif /* BPMU_SIDE_H */
