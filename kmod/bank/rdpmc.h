/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads of core counters by the instruction RDPMC.
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
 * Returns the counter that RDPMC reads with ECX = @index. After a fault *@err is -EFAULT and the
 * result is undefined; otherwise *@err is unchanged. The kernel's native_read_pmc() is not used,
 * because it contains a tracepoint and does not survive a fault.
 */
static __always_inline u64 bpmu_rdpmc_value(u32 index, int *err)
{
	unsigned long low, high;

	asm volatile("1: rdpmc\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %[err])
		     : "=a" (low), "=d" (high), [err] "+r" (*err)
		     : "c" (index));
	return high << 32 | low;
}

/*
 * Sets @value to the counter that RDPMC reads with ECX = @index. After a fault *@err is -EFAULT and
 * @value undefined; otherwise *@err is unchanged. EAX and EDX are stored separately, which saves
 * the instructions that join them.
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
 * bpmu_core_read() - read the scheduled group's core counters by RDPMC
 * @bank: opened by bpmu_bank_open()
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

/*
 * Reads a counter by RDPMC, and adds to @value the number of events counted since the counter had
 * the raw value @base. Sets @base to the new raw value, and @err to -EFAULT after a fault. Returns
 * the new @value.
 */
static __always_inline u64 bpmu_core_go_on(u32 index, u64 *base, u64 *value, int *err)
{
	u64 raw = bpmu_rdpmc_value(index, err);
	u64 sum = *value + raw - *base;

	*base = raw;
	*value = sum;
	return sum;
}

/**
 * bpmu_core_resume() - read the group's core counters by RDPMC, and add the new counts
 * @bank: opened by bpmu_bank_open(), stopped for the sample
 * @values: set to the group's values, or all to 0 on error, [nr events]
 *
 * Does in one pass what bpmu_core_read() and then bpmu_bank_resume() do. If RDPMC faults, an
 * undefined value is added to the sum; the next sample adds the difference from that value, which
 * corrects it.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: 0, or -EFAULT if RDPMC faults.
 */
static __always_inline int bpmu_core_resume(struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_core_setup *setup = bank->setup;
	unsigned int i, nr = bank->group->nr;
	const u32 *index = setup->index;
	u64 *value = bank->active->value;
	const u8 *slot = setup->slot;
	u64 *base = bank->base;
	int err = 0;

	for (i = 0; i + 1 < nr; i += 2) {
		values[i] = bpmu_core_go_on(index[i], &base[slot[i]], &value[i], &err);
		values[i + 1] = bpmu_core_go_on(index[i + 1], &base[slot[i + 1]], &value[i + 1],
						&err);
	}
	if (nr & 1)
		values[nr - 1] = bpmu_core_go_on(index[nr - 1], &base[slot[nr - 1]],
						 &value[nr - 1], &err);
	if (unlikely(err))
		memset(values, 0, nr * sizeof(*values));
	return err;
}

#endif /* BPMU_RDPMC_H */
