/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core bank: the counter registers of a logical CPU. Only core.c, interrupts.c,
 * uncore.c and prefetch.c write to hardware registers.
 */
#ifndef BPMU_CORE_H
#define BPMU_CORE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "arch.h"
#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "plan.h"
#include "rdpmc.h"

/**
 * struct bpmu_core_saved - register values of one CPU
 * @select: event selects, [gp_counters]
 * @counter: general counters, [gp_counters]
 * @fixed: fixed counters, [fixed_counters]
 * @fixed_ctrl: control register of the fixed counters
 * @metrics: PERF_METRICS
 * @extras: set of &enum bpmu_extra_id, registers that can be read
 * @extra: values of the registers of @extras, [BPMU_EXTRAS]
 * @written: set of &enum bpmu_extra_id that the session has written
 * @held: event selects that the session has last written, [gp_counters]
 * @fixed_held: value that the session has last written to the control register of the fixed
 *	counters
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
