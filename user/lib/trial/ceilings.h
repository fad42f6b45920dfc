/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the maximum rates of CPUs that run in parallel: memory read bandwidth,
 * double-precision operations, uops. They are the ceilings of a roofline.
 */
#ifndef BPMU_CEILINGS_H
#define BPMU_CEILINGS_H

#include "base/cpulist.h"
#include "recording/recording.h"

int bpmu_ceilings_measure(const struct bpmu_cpulist *cpus,
			  struct bpmu_ceilings *ceilings,
			  struct bpmu_error *err);

#endif /* BPMU_CEILINGS_H */
