/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overflow interrupts of a logical CPU's counters: the local APIC's entry for them (LVTPC),
 * and counters that begin so many events below their overflow as a period has.
 */
#ifndef BPMU_INTERRUPTS_H
#define BPMU_INTERRUPTS_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "pebs.h"

struct bpmu_bank;

/**
 * struct bpmu_interrupts - overflow interrupts of the core bank of one CPU
 * @lvtpc: value of the APIC's entry before the session
 * @armed: the entry delivers NMIs to us
 * @counters: set of the group's counters that interrupt, and BPMU_STATUS_PEBS if precise records
 *	do
 * @enable: value of the global control at the end of an interrupt, 0 while the counters are
 *	stopped
 * @from: value from which each event's counter counts now, [nr events]
 * @moved: sum of the distances by which the event's counter was set back at overflows; added to the
 *	counter's value it gives all events that were counted, [nr events]
 * @times: number of times that a counter was set back
 * @expected: an NMI that finds no overflow may come
 * @ended: TSC when an NMI was last handled
 * @random: state of the generator of the periods' low bits
 * @pebs: precise records
 *
 * The interrupt's handler writes @from, @moved, @times, @expected, @ended and @random; all other
 * code does so only while no counter runs.
 */
struct bpmu_interrupts {
	u32 lvtpc;
	bool armed;
	u64 counters;
	u64 enable;
	u64 from[BPMU_MAX_COUNTERS];
	u64 moved[BPMU_MAX_COUNTERS];
	u32 times;
	bool expected;
	u64 ended;
	u32 random;
	struct bpmu_pebs pebs;
};

int bpmu_interrupts_check(void);

void bpmu_interrupts_arm(const struct bpmu_bank *bank);
void bpmu_interrupts_disarm(const struct bpmu_bank *bank);
void bpmu_interrupts_preload(const struct bpmu_bank *bank);
void bpmu_interrupts_start(const struct bpmu_bank *bank);
void bpmu_interrupts_stop(const struct bpmu_bank *bank);
int bpmu_interrupts_read(const struct bpmu_bank *bank, u64 *values);

u64 bpmu_interrupts_begin(const struct bpmu_bank *bank);
u64 bpmu_interrupts_take(const struct bpmu_bank *bank, u32 event, u32 shift);
u64 bpmu_interrupts_again(const struct bpmu_bank *bank, u64 status);
void bpmu_interrupts_end(const struct bpmu_bank *bank, unsigned int nr);
bool bpmu_interrupts_was_ours(const struct bpmu_bank *bank);

#endif /* BPMU_INTERRUPTS_H */
