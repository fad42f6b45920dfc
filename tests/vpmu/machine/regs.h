/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guest's registers. General-purpose registers are in the order of their encoding in
 * instructions.
 */
#ifndef VPMU_REGS_H
#define VPMU_REGS_H

#include <stdint.h>

enum vpmu_reg {
	VPMU_RAX,
	VPMU_RCX,
	VPMU_RDX,
	VPMU_RBX,
	VPMU_RIP = 16,
	VPMU_REGS
};

void vpmu_regs_init(void);
uint64_t vpmu_reg_read(enum vpmu_reg reg);
void vpmu_reg_write(enum vpmu_reg reg, uint64_t value);
void vpmu_reg_write_pair(uint64_t value);

#endif /* VPMU_REGS_H */
