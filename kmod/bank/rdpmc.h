/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDPMC, the instruction that reads a counter of the core.
 */
#ifndef BPMU_RDPMC_H
#define BPMU_RDPMC_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include <asm/asm.h>

#include "bank.h"
#include "plan.h"

/*
 * Not the kernel's native_read_pmc(), which contains a tracepoint, and whose fault is fatal. A
 * fault sets @err to -EFAULT and leaves any value.
 */
static __always_inline void bpmu_rdpmc(u32 index, u64 *value, int *err)
{
	u32 *half = (u32 *)value;

	asm volatile("1: rdpmc\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %[err])
		     : "=a" (half[0]), "=d" (half[1]), [err] "+r" (*err)
		     : "c" (index));
}

/**
 * bpmu_core_read() - read the scheduled group's counters
 * @bank: open
 * @values: set to raw values, or all to 0 on error, [nr events]
 *
 * The loop is unrolled by two: its own instructions cost nearly as much as reading a
 * counter.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: 0, or -EFAULT if RDPMC faults, though it did not in &bpmu_bank_ops.prove.
 */
static __always_inline int bpmu_core_read(const struct bpmu_bank *bank, u64 *values)
{
	const u32 *index = bank->setup->index;
	unsigned int i, nr = bank->group->nr;
	int err = 0;

	for (i = 0; i + 1 < nr; i += 2) {
		bpmu_rdpmc(index[i], &values[i], &err);
		bpmu_rdpmc(index[i + 1], &values[i + 1], &err);
	}
	if (nr & 1)
		bpmu_rdpmc(index[nr - 1], &values[nr - 1], &err);
	if (unlikely(err))
		memset(values, 0, nr * sizeof(*values));
	return err;
}

#endif /* BPMU_RDPMC_H */
