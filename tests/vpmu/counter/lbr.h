/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Last branch records (LBR): Ivy Bridge's, Haswell's and Skylake's registers, and the architectural
 * ones.
 */
#ifndef VPMU_LBR_H
#define VPMU_LBR_H

#include "machine/cpu.h"

unsigned int vpmu_lbr_shown(const struct vpmu_part *part);
void vpmu_lbr_init(struct vpmu_cpu *cpu);
void vpmu_lbr_freeze(struct vpmu_cpu *cpu);
bool vpmu_lbr_records(const struct vpmu_cpu *cpu);
bool vpmu_lbr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_lbr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_lbr_set_debugctl(struct vpmu_cpu *cpu, uint64_t value);

#endif /* VPMU_LBR_H */
