/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A multiplexing slice is the time between two samples of a bank, in which one group of the bank is
 * scheduled and counts.
 */
#ifndef BPMU_SLICE_H
#define BPMU_SLICE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "bank.h"
#include "core.h"
#include "machine/tsc.h"
#include "random.h"
#include "trace.h"

/**
 * bpmu_slice_begin() - begin a multiplexing slice: start the counters of the scheduled group
 * @bank: opened by bpmu_bank_open(), with stopped counters
 * @core: &bpmu_bank_type.is_core of @bank, as a constant where possible: this selects inlined code
 *
 * A stopped counter keeps the value that was last read from it, which is then its start value. The
 * start values are read again in three cases: PERF_METRICS was just reset; another agent may have
 * written the counters (&bpmu_bank.wary); or the bank is not the core's, and its counters may have
 * gone on for other groups (not &bpmu_bank.same).
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static __always_inline void bpmu_slice_begin(struct bpmu_bank *bank, bool core)
{
	bool metrics = bank->setup->metrics;

	if (metrics)
		bank->ops->reset_metrics(bank);
	if (bank->stops && (bank->wary || metrics || !(core || bank->same)))
		bpmu_bank_read_base(bank);
	bank->running = true;
	bank->since = bpmu_tsc();
	if (core)
		bpmu_core_start(bank);
	else
		bank->ops->start(bank);
	trace_bpmu_start(bank->id, bank->groups, bank->at);
}

/* Adds the slice that has just ended to the group's running time. Returns the TSC at its end. */
static __always_inline u64 bpmu_slice_stopped(struct bpmu_bank *bank)
{
	u64 now = bpmu_tsc();

	bank->active->running += now - bank->since;
	bank->running = false;
	return now;
}

/**
 * bpmu_slice_pause() - end a multiplexing slice after which another begins: stop the counters
 * @bank: its counters run
 * @core: &bpmu_bank_type.is_core of @bank, as a constant where possible: this selects inlined code
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: bpmu_tsc() after the stop.
 */
static __always_inline u64 bpmu_slice_pause(struct bpmu_bank *bank, bool core)
{
	if (core)
		bpmu_core_stop(bank);
	else if (bank->wary)
		bank->ops->stop(bank);
	else
		bank->ops->pause(bank);
	return bpmu_slice_stopped(bank);
}

/**
 * bpmu_slice_end() - end the last multiplexing slice of a bank: stop the counters
 * @bank: its counters run
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: bpmu_tsc() after the stop.
 */
static inline u64 bpmu_slice_end(struct bpmu_bank *bank)
{
	bank->ops->stop(bank);
	return bpmu_slice_stopped(bank);
}

/*
 * Schedules the next group. Within a round this is the group that comes after the previous one in
 * the plan; the plan's first group comes after its last. A new round begins with a random group.
 */
static __always_inline void bpmu_slice_choose(struct bpmu_bank *bank)
{
	u32 nr = bank->groups->nr;

	if (bank->left) {
		bank->left--;
		bpmu_bank_choose(bank, bank->at + 1 == nr ? 0 : bank->at + 1);
	} else {
		bank->left = nr - 1;
		bpmu_bank_choose(bank, bpmu_random_below(&bank->random, nr));
	}
}

/**
 * bpmu_slice_next() - schedule and program the group of a bank's next slice
 * @bank: opened by bpmu_bank_open(), with stopped counters
 * @core: &bpmu_bank_type.is_core of @bank, as a constant where possible: this selects inlined code
 *
 * Each group has one slice per round. The first group of a round is random: in a fixed order, each
 * group would always see the same phase of a load whose period is as long as a round. If a register
 * that is overwritten does not hold what was written before, the bank becomes &bpmu_bank.wary.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static __always_inline void bpmu_slice_next(struct bpmu_bank *bank, bool core)
{
	const struct bpmu_plan_group *before = bank->group;

	if (bank->groups->nr == 1)
		return;
	bpmu_slice_choose(bank);
	if (bank->wary || !(core ? bpmu_core_switch(bank) : bank->ops->change(bank, before))) {
		bank->wary = true;
		bank->ops->reprogram(bank);
	}
	trace_bpmu_program(bank->id, bank->groups, bank->at);
}

#endif /* BPMU_SLICE_H */
