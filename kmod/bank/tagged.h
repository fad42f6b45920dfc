/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instruction-based sampling (IBS) of a logical CPU's ops and fetches, on AMD's parts. The CPU
 * counts ops, cycles or fetches, tags an op or a fetch at the end of a period, and interrupts when
 * that op has retired or that fetch has ended, with registers that say what has become of it.
 */
#ifndef BPMU_TAGGED_H
#define BPMU_TAGGED_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "ibs.h"

struct bpmu_bank;

/**
 * enum bpmu_tagged_kind - what instruction-based sampling (IBS) samples
 * @BPMU_TAGGED_OPS: ops, counted by counter number %BPMU_IBS_COUNTER
 * @BPMU_TAGGED_FETCHES: fetches, counted by counter number %BPMU_FETCH_COUNTER
 * @BPMU_TAGGED_KINDS: number of kinds
 */
enum bpmu_tagged_kind {
	BPMU_TAGGED_OPS,
	BPMU_TAGGED_FETCHES,
	BPMU_TAGGED_KINDS
};

/* Bits of the counts of IBS in a set of counters that have overflowed */
#define BPMU_STATUS_TAGGED (BIT_ULL(BPMU_IBS_COUNTER) | BIT_ULL(BPMU_FETCH_COUNTER))

/**
 * struct bpmu_tagged - control register of one kind of instruction-based sampling (IBS) of one CPU
 * @sampled: the session has an event of this kind; bpmu_tagged_attach() sets it
 * @found: value of the register before the session
 * @ctl: what the session has written to the register, without the enable bit, with the count from
 *	which the period begins
 * @found2: value of the second control register before the session; 0 if the CPU has none
 * @ctl2: what the session has written to it
 * @times: number of times that @ctl was written
 * @used: an event of the group is of this kind
 * @started: the count is enabled, or will be at the end of an interrupt
 * @foreign: another agent has written the register, which the module leaves alone from then on,
 *	until the counters are preloaded again
 */
struct bpmu_tagged {
	bool sampled;
	u64 found;
	u64 ctl;
	u64 found2;
	u64 ctl2;
	u32 times;
	bool used;
	bool started;
	bool foreign;
};

/**
 * bpmu_tagged_is() - check if a counter is one of IBS
 * @counter: number of a counter
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool bpmu_tagged_is(u32 counter)
{
	return counter == BPMU_IBS_COUNTER || counter == BPMU_FETCH_COUNTER;
}

void bpmu_tagged_attach(struct bpmu_tagged *tagged, bool ops, bool fetches);
u32 bpmu_tagged_obstacles(const struct bpmu_pmu *pmu);

int bpmu_tagged_save(const struct bpmu_bank *bank);
void bpmu_tagged_restore(const struct bpmu_bank *bank);
void bpmu_tagged_begin(const struct bpmu_bank *bank);
void bpmu_tagged_set(const struct bpmu_bank *bank, u32 counter, u64 select, u64 period);
void bpmu_tagged_start(const struct bpmu_bank *bank);
u32 bpmu_tagged_hold(const struct bpmu_bank *bank);
void bpmu_tagged_stop(const struct bpmu_bank *bank);
void bpmu_tagged_go_on(const struct bpmu_bank *bank);

u64 bpmu_tagged_found(const struct bpmu_bank *bank);
u64 bpmu_tagged_count(const struct bpmu_bank *bank, u32 counter, u64 period);
bool bpmu_tagged_disturbed(const struct bpmu_bank *bank);
void bpmu_tagged_read(struct bpmu_ibs_sample *sample);
void bpmu_tagged_read_fetch(u32 caps, struct bpmu_ibs_fetch *sample);

#endif /* BPMU_TAGGED_H */
