/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guest's registers. General-purpose registers are in the order of their encoding in
 * instructions.
 */
#ifndef VPMU_REGS_H
#define VPMU_REGS_H

#include <stddef.h>
#include <stdint.h>

enum vpmu_reg {
	VPMU_RAX,
	VPMU_RCX,
	VPMU_RDX,
	VPMU_RBX,
	VPMU_RSP,
	VPMU_RIP = 16,
	VPMU_XMM0,
	VPMU_MXCSR = VPMU_XMM0 + 16,
	VPMU_EFLAGS,
	VPMU_REGS
};

void vpmu_regs_init(void);
void vpmu_reg_copy(enum vpmu_reg reg, void *to, size_t size);
uint64_t vpmu_reg_read(enum vpmu_reg reg);
void vpmu_reg_write(enum vpmu_reg reg, uint64_t value);
void vpmu_reg_write_pair(uint64_t value);

#endif /* VPMU_REGS_H */
