/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The most that CPUs reach together, measured: lines read from memory, operations on
 * double-precision numbers, uops. A roofline is drawn below them.
 */
#ifndef BPMU_CEILINGS_H
#define BPMU_CEILINGS_H

#include "base/cpulist.h"
#include "recording/recording.h"

int bpmu_ceilings_measure(const struct bpmu_cpulist *cpus,
			  struct bpmu_ceilings *ceilings,
			  struct bpmu_error *err);

#endif /* BPMU_CEILINGS_H */
