/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instruction-based sampling (IBS) of a logical CPU's ops, on AMD's parts. The CPU counts ops or
 * cycles, tags an op at the end of a period, and interrupts when that op retires, with registers
 * that say what has become of it.
 */
#ifndef BPMU_TAGGED_H
#define BPMU_TAGGED_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "ibs.h"

struct bpmu_bank;

/* Bit of the count of IBS in a set of counters that have overflowed */
#define BPMU_STATUS_TAGGED BIT_ULL(BPMU_IBS_COUNTER)

/**
 * struct bpmu_tagged - registers of instruction-based sampling (IBS) of one CPU
 * @found: IBS_OP_CTL before the session
 * @ctl: what the session has written to IBS_OP_CTL, without the enable bit, with the count from
 *	which the period begins
 * @times: number of times that @ctl was written
 * @used: an event of the group is counted by IBS
 * @started: the count is enabled, or will be at the end of an interrupt
 * @foreign: another agent has written IBS_OP_CTL, which the module leaves alone from then on, until
 *	the counters are preloaded again
 */
struct bpmu_tagged {
	u64 found;
	u64 ctl;
	u32 times;
	bool used;
	bool started;
	bool foreign;
};

u32 bpmu_tagged_obstacles(const struct bpmu_pmu *pmu);

int bpmu_tagged_save(const struct bpmu_bank *bank);
void bpmu_tagged_restore(const struct bpmu_bank *bank);
void bpmu_tagged_begin(const struct bpmu_bank *bank);
void bpmu_tagged_set(const struct bpmu_bank *bank, u64 select, u64 period);
void bpmu_tagged_start(const struct bpmu_bank *bank);
void bpmu_tagged_stop(const struct bpmu_bank *bank);
void bpmu_tagged_go_on(const struct bpmu_bank *bank);

bool bpmu_tagged_found(const struct bpmu_bank *bank);
u64 bpmu_tagged_count(const struct bpmu_bank *bank, u64 period);
void bpmu_tagged_read(struct bpmu_ibs_sample *sample);

#endif /* BPMU_TAGGED_H */
