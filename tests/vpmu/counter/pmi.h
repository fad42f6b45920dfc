/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interrupt of an overflow (PMI). The LVT performance entry of the local APIC delivers it; QEMU
 * has this entry but never uses it. A PMI can freeze the counters.
 */
#ifndef VPMU_PMI_H
#define VPMU_PMI_H

#include "machine/cpu.h"

void vpmu_pmi_to(void (*interrupt)(struct vpmu_cpu *cpu));
void vpmu_pmi_init(struct vpmu_cpu *cpu);
void vpmu_pmi_overflow(struct vpmu_cpu *cpu, unsigned int number, uint64_t late);
void vpmu_pmi_raise(struct vpmu_cpu *cpu);
void vpmu_pmi_arrive(struct vpmu_cpu *cpu);
void vpmu_pmi_haunt(struct vpmu_cpu *cpu);
void vpmu_pmi_nmi(struct vpmu_cpu *cpu);
void vpmu_pmi_set_lvt(struct vpmu_cpu *cpu, uint32_t value);
bool vpmu_pmi_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_pmi_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_PMI_H */
