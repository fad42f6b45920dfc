/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_SPECIAL_H
#define VPMU_SPECIAL_H

#include "machine/cpu.h"

bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op);
void vpmu_special_lock(void);
void vpmu_special_unlock(void);
bool vpmu_special(struct vpmu_cpu *cpu, uint8_t op);
void vpmu_cpuid_amend(struct vpmu_cpu *cpu);

#endif /* VPMU_SPECIAL_H */
