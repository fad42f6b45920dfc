/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_SERVER_H
#define VPMU_SERVER_H

#include "machine/cpu.h"

/**
 * enum vpmu_server_unit - uncore units; a package of Intel's servers has one of each type
 * @VPMU_PCU: power control unit
 * @VPMU_UBOX: UBox
 * @VPMU_SERVER_UNITS: number of units
 */
enum vpmu_server_unit { VPMU_PCU, VPMU_UBOX, VPMU_SERVER_UNITS };

extern const struct vpmu_server_part vpmu_jkt_server;
extern const struct vpmu_server_part vpmu_ivt_server;
extern const struct vpmu_server_part vpmu_hsx_server;
extern const struct vpmu_server_part vpmu_bdx_server;
extern const struct vpmu_server_part vpmu_skx_server;

void vpmu_server_init(void);
bool vpmu_server_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_server_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			uint32_t count);

#endif /* VPMU_SERVER_H */
