/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_UNCORE_H
#define VPMU_UNCORE_H

#include "machine/cpu.h"

extern const struct vpmu_uncore_part vpmu_nhm_uncore;
extern const struct vpmu_uncore_part vpmu_snb_uncore;
extern const struct vpmu_uncore_part vpmu_skl_uncore;
extern const struct vpmu_uncore_part vpmu_icl_uncore;
extern const struct vpmu_uncore_part vpmu_tgl_uncore;
extern const struct vpmu_uncore_part vpmu_adl_uncore;

void vpmu_uncore_init(void);
void vpmu_uncore_lose(void);
bool vpmu_uncore_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_uncore_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_UNCORE_H */
