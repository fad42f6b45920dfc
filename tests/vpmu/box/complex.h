/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_COMPLEX_H
#define VPMU_COMPLEX_H

#include "machine/cpu.h"

bool vpmu_complex_is_l2(const struct vpmu_part *part);
void vpmu_complex_init(void);
bool vpmu_complex_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_complex_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_complex_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);
void vpmu_complex_happen(const struct vpmu_cpu *cpu, uint32_t what,
			 uint32_t detail, uint32_t count);

#endif /* VPMU_COMPLEX_H */
