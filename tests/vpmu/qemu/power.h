/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_POWER_H
#define VPMU_POWER_H

#include "machine/cpu.h"

bool vpmu_is_reset(uint64_t pc);
bool vpmu_power(void);
bool vpmu_is_rdtsc(const uint8_t *bytes, unsigned int size);
bool vpmu_tsc_restarted(void);
void vpmu_tsc_amend(struct vpmu_cpu *cpu);

#endif /* VPMU_POWER_H */
