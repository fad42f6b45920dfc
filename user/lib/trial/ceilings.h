/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the ceilings of a roofline diagram: the maximum rates at which CPUs that run in parallel
 * read memory, execute double-precision operations, and retire uops.
 */
#ifndef BPMU_CEILINGS_H
#define BPMU_CEILINGS_H

#include "base/cpulist.h"
#include "recording/recording.h"

int bpmu_ceilings_measure(const struct bpmu_cpulist *cpus,
			  struct bpmu_ceilings *ceilings,
			  struct bpmu_error *err);

#endif /* BPMU_CEILINGS_H */
