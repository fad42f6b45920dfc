/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_BOXES_H
#define VPMU_BOXES_H

#include "machine/cpu.h"

void vpmu_boxes_init(void);
void vpmu_boxes_lose(void);
bool vpmu_boxes_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_boxes_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_boxes_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);
void vpmu_boxes_happen(const struct vpmu_cpu *cpu, uint32_t function,
		       uint32_t what, uint32_t count);

#endif /* VPMU_BOXES_H */
