/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_FREE_H
#define VPMU_FREE_H

#include "machine/cpu.h"

bool vpmu_free_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_free_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_free_move(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t by,
		    bool set);

#endif /* VPMU_FREE_H */
