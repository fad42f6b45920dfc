/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_MSR_H
#define VPMU_MSR_H

#include "machine/cpu.h"

bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_extra_happen(struct vpmu_cpu *cpu, bool frontend, uint64_t bits,
		       uint32_t count);
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);

#endif /* VPMU_MSR_H */
