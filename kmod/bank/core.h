/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core bank: the performance counters of a logical CPU, and the registers that configure, start
 * and stop them.
 */
#ifndef BPMU_CORE_H
#define BPMU_CORE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "arch.h"
#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "interrupts.h"
#include "plan.h"
#include "rdpmc.h"
#include "selects.h"

/**
 * struct bpmu_core_saved - register values of a core PMU: before the session, and last written
 * @select: event selects, [gp_counters]
 * @taken: bit set of the counters whose values are saved here: those that groups of the session use
 * @counter: general counters of @taken, [gp_counters]
 * @fixed: fixed counters of @taken, [fixed_counters]
 * @fixed_ctrl: control register of the fixed counters
 * @metrics: PERF_METRICS, if it is in @taken
 * @extras: set of &enum bpmu_extra_id: extra registers that groups use and that could be read
 * @extra: values of the registers of @extras, [BPMU_EXTRAS]
 * @written: set of &enum bpmu_extra_id that the session has written
 * @kept: mask of the bits of an event select that the session leaves as it found them
 * @held: event selects that the session has last written, or @select where it has written none,
 *	[gp_counters]; EN may differ while the counters are stopped
 * @extra_held: values that the session has last written to the registers of @written, [BPMU_EXTRAS]
 * @fixed_held: value that the session has last written to the control register of the fixed
 *	counters, or @fixed_ctrl if it has written none; without %BPMU_FIXED_RDPMC_USERS
 * @global_ctrl: global control (enable bits)
 * @global_status: global status (overflow bits)
 */
struct bpmu_core_saved {
	u64 select[BPMU_MAX_GP];
	u64 taken;
	u64 counter[BPMU_MAX_GP];
	u64 fixed[BPMU_MAX_FIXED];
	u64 fixed_ctrl;
	u64 metrics;
	u32 extras;
	u64 extra[BPMU_EXTRAS];
	u32 written;
	u64 kept;
	u64 held[BPMU_MAX_GP];
	u64 extra_held[BPMU_EXTRAS];
	u64 fixed_held;
	u64 global_ctrl;
	u64 global_status;
};

/*
 * Bits in which an event select may differ from what was written: EN, by which counters may start
 * and stop, and RDPMC_USER, which the module leaves as it found it.
 */
#define BPMU_CORE_UNCHECKED (BPMU_SEL_EN | BPMU_SEL_RDPMC_USER)

extern const struct bpmu_bank_ops bpmu_core_ops;

bool bpmu_core_selects_enabled(const struct bpmu_bank *bank);
bool bpmu_core_switch_rest(const struct bpmu_bank *bank);
void bpmu_core_stop_selects(const struct bpmu_bank *bank);

/**
 * bpmu_core_counting() - check if the core counters of a group are enabled and not frozen
 * @bank: its counters run
 *
 * If the part has a global control, only registers that the group uses are compared: another agent
 * that uses other counters must enable them in the global control.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if all counters of the group count.
 */
static __always_inline bool bpmu_core_counting(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	const struct bpmu_pmu *pmu = bank->pmu;
	const struct bpmu_msrs *msrs = &pmu->part->msrs;

	if (setup->fixed_ctrl &&
	    (bpmu_rdmsr(msrs->fixed_ctrl) ^ setup->fixed_ctrl) & ~BPMU_FIXED_RDPMC_USERS)
		return false;
	if (!pmu->global)
		return bpmu_core_selects_enabled(bank);
	if (bpmu_rdmsr(msrs->global_ctrl) != setup->enable)
		return false;
	return pmu->version < BPMU_VERSION_FREEZES ||
	       !(bpmu_rdmsr(msrs->global_status) & BPMU_STATUS_FROZEN);
}

/**
 * bpmu_core_turn_holds() - check the next event select of a core group for a foreign write
 * @bank: its counters run, or are stopped for a sample
 *
 * If groups are multiplexed, or counters stop for each sample, each sample compares one event
 * select of its group with what was written: the next one in turn. A foreign write is hence found
 * after at most as many slices of the group as the group has general counters. bpmu_core_switch()
 * finds it earlier if it overwrites the event select. Other counters need no check here: a tool
 * that takes such a counter must enable it in the global control, which bpmu_core_counting()
 * compares.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if the event select holds what was written, or if all event selects of the part are
 * compared at each sample anyway.
 */
static __always_inline bool bpmu_core_turn_holds(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	u32 turn = bank->active->turn;

	if (!setup->nr_gp || !bank->pmu->global)
		return true;
	bank->active->turn = turn + 1 == setup->nr_gp ? 0 : turn + 1;
	return !((bpmu_rdmsr(setup->msr[turn]) ^ setup->select[turn]) & ~BPMU_CORE_UNCHECKED);
}

/**
 * bpmu_core_start() - start the counters of the programmed core group
 * @bank: its counters are stopped
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static __always_inline void bpmu_core_start(struct bpmu_bank *bank)
{
	const struct bpmu_pmu *pmu = bank->pmu;

	if (bank->interrupts)
		bpmu_interrupts_start(bank);
	else if (!pmu->global)
		bpmu_selects_start(bank);
	else
		bpmu_wrmsr(pmu->part->msrs.global_ctrl, bank->setup->enable);
}

/**
 * bpmu_core_stop() - stop the core counters
 * @bank: with a scheduled group
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static __always_inline void bpmu_core_stop(struct bpmu_bank *bank)
{
	const struct bpmu_pmu *pmu = bank->pmu;

	if (bank->interrupts)
		bpmu_interrupts_hold(bank);
	if (!pmu->global)
		bpmu_core_stop_selects(bank);
	else
		bpmu_wrmsr(pmu->part->msrs.global_ctrl, 0);
	if (bank->interrupts)
		bpmu_interrupts_stop(bank);
}

/**
 * bpmu_core_switch() - program the scheduled core group in place of another one
 * @bank: its counters are stopped; &bpmu_bank.wary is false
 *
 * Writes only registers whose value changes, and compares their old contents with what was written
 * before. Counters that the group does not use keep their event selects: the global control stops
 * them. On parts without a global control the event selects are not written here, because they
 * would start the counters: bpmu_core_start() will write them, and bpmu_core_counting() has
 * compared them already.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if the registers that this call overwrites held what was written before.
 */
static __always_inline bool bpmu_core_switch(struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	bool global = bank->pmu->global;
	u64 kept = saved->kept;
	u32 nr = setup->nr_gp;
	u64 changed = 0;
	u64 *held;
	u64 want;
	u32 i;

	for (i = 0; i < nr; i++) {
		held = &saved->held[setup->gp[i]];
		want = setup->select[i];
		if (*held == want)
			continue;
		if (global) {
			changed |= bpmu_rdmsr(setup->msr[i]) ^ *held;
			bpmu_wrmsr(setup->msr[i],
				   want | (saved->select[setup->gp[i]] & kept));
		}
		*held = want;
	}
	if (setup->extras || saved->fixed_held != setup->fixed_ctrl)
		changed |= !bpmu_core_switch_rest(bank);
	return !(changed & ~BPMU_CORE_UNCHECKED);
}

u64 bpmu_core_enabled(const struct bpmu_pmu *pmu,
		      const struct bpmu_core_saved *saved);
int bpmu_core_save(const struct bpmu_pmu *pmu, struct bpmu_core_saved *saved);
int bpmu_core_snapshot(unsigned int cpu, struct bpmu_core_saved *now);
void bpmu_core_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group, bool more);

#endif /* BPMU_CORE_H */
