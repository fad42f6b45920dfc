/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_DISCOVERED_H
#define VPMU_DISCOVERED_H

#include "machine/cpu.h"

void vpmu_discovered_init(void);
void vpmu_discovered_lose(void);
uint32_t vpmu_discovered_config(unsigned int package, unsigned int offset);
uint32_t vpmu_discovered_box_read(unsigned int package, unsigned int box, unsigned int offset);
void vpmu_discovered_box_write(struct vpmu_cpu *cpu, unsigned int package, unsigned int box,
			       unsigned int offset, uint32_t value);
bool vpmu_discovered_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_discovered_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_discovered_cha_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count);
void vpmu_discovered_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count);
void vpmu_discovered_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				   uint32_t count);
void vpmu_discovered_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count);
void vpmu_discovered_irp_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count);

#endif /* VPMU_DISCOVERED_H */
