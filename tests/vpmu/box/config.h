/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_CONFIG_H
#define VPMU_CONFIG_H

#include "imc.h"

void vpmu_config_init(void);
bool vpmu_config_used(void);
bool vpmu_config_in(struct vpmu_cpu *cpu, uint32_t port, unsigned int bytes,
		    uint32_t *value);
bool vpmu_config_out(struct vpmu_cpu *cpu, uint32_t port, unsigned int bytes,
		     uint32_t value);

#endif /* VPMU_CONFIG_H */
