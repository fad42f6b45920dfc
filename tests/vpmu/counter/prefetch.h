/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MSR 0x1a4, by which the guest turns off prefetchers of a core; the threads of the core share it.
 */
#ifndef VPMU_PREFETCH_H
#define VPMU_PREFETCH_H

#include "machine/cpu.h"

uint64_t vpmu_prefetch_off(const struct vpmu_cpu *cpu);
void vpmu_prefetch_write(const struct vpmu_cpu *cpu, uint64_t off);

#endif /* VPMU_PREFETCH_H */
