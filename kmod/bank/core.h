/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core bank: the counter registers of a logical CPU. Only core.c, uncore.c and
 * prefetch.c write to hardware registers.
 */
#ifndef BPMU_CORE_H
#define BPMU_CORE_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include <asm/asm.h>

#include "arch.h"
#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "plan.h"

/**
 * struct bpmu_core_saved - register values of one CPU
 * @select: event selects, [gp_counters]
 * @counter: general counters, [gp_counters]
 * @fixed: fixed counters, [fixed_counters]
 * @fixed_ctrl: control of the fixed counters
 * @metrics: PERF_METRICS
 * @extras: set of &enum bpmu_extra_id, registers that can be read
 * @extra: values of these, [BPMU_EXTRAS]
 * @written: set of &enum bpmu_extra_id that the session has written
 * @held: event selects that the session has last written, [gp_counters]
 * @fixed_held: control of the fixed counters likewise
 * @global_ctrl: global enable bits
 * @global_status: overflow bits
 */
struct bpmu_core_saved {
	u64 select[BPMU_MAX_GP];
	u64 counter[BPMU_MAX_GP];
	u64 fixed[BPMU_MAX_FIXED];
	u64 fixed_ctrl;
	u64 metrics;
	u32 extras;
	u64 extra[BPMU_EXTRAS];
	u32 written;
	u64 held[BPMU_MAX_GP];
	u64 fixed_held;
	u64 global_ctrl;
	u64 global_status;
};

extern const struct bpmu_bank_ops bpmu_core_ops;

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
 * Return: 0, or -EFAULT if RDPMC faults, which it did not when the counters were proved.
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

bool bpmu_core_selects_intact(const struct bpmu_bank *bank);
bool bpmu_core_selects_enabled(const struct bpmu_bank *bank);

/**
 * bpmu_core_counting() - whether the group's counters are enabled and not frozen
 * @bank: running
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if all of them count.
 */
static __always_inline bool bpmu_core_counting(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	const struct bpmu_pmu *pmu = bank->pmu;
	const struct bpmu_msrs *msrs = &pmu->part->msrs;

	if (pmu->fixed_counters &&
	    (bpmu_rdmsr(msrs->fixed_ctrl) ^ setup->fixed_ctrl) & ~BPMU_FIXED_RDPMC_USERS)
		return false;
	if (!pmu->global)
		return bpmu_core_selects_enabled(bank);
	if (bpmu_rdmsr(msrs->global_ctrl) != setup->enable)
		return false;
	return pmu->version < BPMU_VERSION_FREEZES ||
	       !(bpmu_rdmsr(msrs->global_status) & BPMU_STATUS_FROZEN);
}

u64 bpmu_core_enabled(const struct bpmu_pmu *pmu,
		      const struct bpmu_core_saved *saved);
int bpmu_core_save(const struct bpmu_pmu *pmu, struct bpmu_core_saved *saved);
int bpmu_core_snapshot(unsigned int cpu, struct bpmu_core_saved *now);
void bpmu_core_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group);

#endif /* BPMU_CORE_H */
