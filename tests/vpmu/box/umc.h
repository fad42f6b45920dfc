/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_UMC_H
#define VPMU_UMC_H

#include "machine/cpu.h"

void vpmu_umc_init(void);
uint32_t vpmu_umc_active(const struct vpmu_cpu *cpu);
unsigned int vpmu_umc_counters(const struct vpmu_cpu *cpu);
bool vpmu_umc_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_umc_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_umc_happen(const struct vpmu_cpu *cpu, uint32_t what,
		     uint32_t detail, uint32_t count);

#endif /* VPMU_UMC_H */
