/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_FABRIC_H
#define VPMU_FABRIC_H

#include "machine/cpu.h"

void vpmu_fabric_init(void);
unsigned int vpmu_fabric_counters(const struct vpmu_part *part);
bool vpmu_fabric_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_fabric_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_fabric_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);
void vpmu_fabric_happen(const struct vpmu_cpu *cpu, uint32_t what,
			uint32_t detail, uint32_t count);

#endif /* VPMU_FABRIC_H */
