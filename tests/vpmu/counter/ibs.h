/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AMD's instruction-based sampling (IBS) of ops: the core tags an op after a number of ops or
 * cycles. When the op retires, registers say what has become of it, and an entry of the local
 * APIC's extended LVT raises an interrupt.
 */
#ifndef VPMU_IBS_H
#define VPMU_IBS_H

#include "machine/cpu.h"

void vpmu_ibs_init(struct vpmu_cpu *cpu);
uint32_t vpmu_ibs_caps(const struct vpmu_cpu *cpu);
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu);
void vpmu_ibs_set_lvt(struct vpmu_cpu *cpu, unsigned int entry, uint32_t value);
bool vpmu_ibs_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_ibs_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_IBS_H */
