/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Identification of the machine's CPUs and their counters, and reservation of the counters in the
 * kernel, which keeps perf and the NMI watchdog away.
 */
#ifndef BPMU_PROBE_H
#define BPMU_PROBE_H

#include <linux/types.h>

#include "arch.h"

/* Maximum numbers of general and of fixed counters that the module uses; the probe ignores more */
#define BPMU_MAX_GP 16
#define BPMU_MAX_FIXED 4

void bpmu_pmu_probe_devices(void);
int bpmu_pmu_probe(void);
int bpmu_pmu_probe_cpu(void);
int bpmu_pmu_probe_on(unsigned int cpu);
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu);
bool bpmu_probe_full_width(void);
bool bpmu_probe_same_l3(unsigned int cpu, unsigned int other);
bool bpmu_probe_same_df(unsigned int cpu, unsigned int other);
bool bpmu_probe_umcs_here(const struct bpmu_pmu *pmu);
bool bpmu_pmu_reservation_works(void);
int bpmu_pmu_reserve(void);
void bpmu_pmu_release(void);

#endif /* BPMU_PROBE_H */
