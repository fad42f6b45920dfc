/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event selects that start and stop a core's counters, on parts without a global control.
 */
#ifndef BPMU_SELECTS_H
#define BPMU_SELECTS_H

#include "bank.h"
#include "rdpmc.h"

/**
 * bpmu_selects_start() - start a core group's counters by their event selects, one by one
 * @bank: of a CPU model without a global control, programmed
 *
 * Context: this CPU, interrupts off or NMI; the sampling path.
 */
static inline void bpmu_selects_start(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	u32 i;

	for (i = 0; i < setup->nr_gp; i++)
		bpmu_wrmsr(setup->msr[i], setup->select[i]);
}

/**
 * bpmu_selects_stop() - stop a core group's counters by their event selects, one by one
 * @bank: of a CPU model without a global control, with a scheduled group
 *
 * Context: this CPU, interrupts off or NMI; the sampling path.
 */
static inline void bpmu_selects_stop(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	u32 i;

	for (i = 0; i < setup->nr_gp; i++)
		bpmu_wrmsr(setup->msr[i], 0);
}

#endif /* BPMU_SELECTS_H */
