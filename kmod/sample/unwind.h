/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwinds the kernel's stack.
 */
#ifndef BPMU_UNWIND_H
#define BPMU_UNWIND_H

#include <linux/init.h>
#include <linux/types.h>

struct pt_regs;

int __init bpmu_unwind_init(void);
void bpmu_unwind_exit(void);
void bpmu_unwind_forget(void);

u32 bpmu_unwind(u64 *to, u32 most, struct pt_regs *regs, u16 *flags);

#endif /* BPMU_UNWIND_H */
