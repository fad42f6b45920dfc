/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Judges the overflow interrupts of a trial, a loop whose counts are known: whether each overflow
 * interrupted, and how late.
 */
#ifndef BPMU_ERRATA_OVERFLOW_H
#define BPMU_ERRATA_OVERFLOW_H

#include "errata_trial.h"

/*
 * Period of instructions in trials of overflow interrupts. Broadwell can only start a counter at a
 * multiple of 64.
 */
#define BPMU_OVERFLOW_PERIOD 4096

/**
 * struct bpmu_overflow_verdict - what the overflow interrupts of one event in a trial show
 * @nr: number of interrupts
 * @missing: number of times that a period was over, and another one too, before an interrupt came
 * @early: number of interrupts that came before their period was over
 * @skid: least number of events that were counted between an overflow and its interrupt; 0 without
 *	interrupts
 */
struct bpmu_overflow_verdict {
	unsigned int nr;
	unsigned int missing;
	unsigned int early;
	u64 skid;
};

u64 bpmu_overflow_skid(const struct bpmu_part *part);
u64 bpmu_overflow_rounds(const struct bpmu_part *part);
bool bpmu_overflow_refused(int code);
int bpmu_overflow_begin(struct bpmu_trial *trial, const struct bpmu_sched_slot *event,
			struct bpmu_error *err);
void bpmu_overflow_judge(const struct bpmu_trial *trial, const struct bpmu_trial_counts *counts,
			 unsigned int slot, struct bpmu_overflow_verdict *verdict);

#endif /* BPMU_ERRATA_OVERFLOW_H */
