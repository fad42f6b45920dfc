/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_TOLD_H
#define VPMU_TOLD_H

#include "machine/cpu.h"

void vpmu_told_init(void);
uint32_t vpmu_told_config(unsigned int package, unsigned int offset);
uint32_t vpmu_told_box_read(unsigned int package, unsigned int box, unsigned int offset);
void vpmu_told_box_write(struct vpmu_cpu *cpu, unsigned int package, unsigned int box,
			 unsigned int offset, uint32_t value);
bool vpmu_told_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_told_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_told_cha_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count);
void vpmu_told_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count);
void vpmu_told_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			     uint32_t count);
void vpmu_told_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count);
void vpmu_told_irp_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count);

#endif /* VPMU_TOLD_H */
