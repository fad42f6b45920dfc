/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_CBO_H
#define VPMU_CBO_H

#include "machine/cpu.h"

extern const struct vpmu_cbo_part vpmu_jkt_cbo;
extern const struct vpmu_cbo_part vpmu_ivt_cbo;
extern const struct vpmu_cbo_part vpmu_hsx_cbo;
extern const struct vpmu_cbo_part vpmu_bdx_cbo;
extern const struct vpmu_cbo_part vpmu_skx_cbo;
extern const struct vpmu_cbo_part vpmu_icx_cbo;

void vpmu_cbo_init(void);
unsigned int vpmu_cbo_number(void);
bool vpmu_cbo_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_cbo_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_cbo_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count);

#endif /* VPMU_CBO_H */
