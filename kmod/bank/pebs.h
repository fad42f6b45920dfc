/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise records of a logical CPU's events (PEBS). The CPU writes records into a buffer in memory,
 * and interrupts after each one, or after many. bank/pebs.c reads the records of architectural
 * PEBS, bank/store.c those in a debug store (DS).
 */
#ifndef BPMU_PEBS_H
#define BPMU_PEBS_H

#include <linux/barepmu.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "machine/probe.h"
#include "precise.h"

struct bpmu_bank;

/**
 * bpmu_pebs_value() - value that a counter had when a PEBS record was written
 * @record: from bpmu_pebs_read()
 * @counter: number of a counter
 *
 * Context: any.
 * Return: the value before the counter was reloaded; 1 if the recorded event has set the counter to
 * its reset value; 0, as directly after an overflow, if the record lacks the counter.
 */
static __always_inline u64 bpmu_pebs_value(const struct bpmu_pebs_record *record, u32 counter)
{
	if (!(record->held & BIT_ULL(counter)))
		return record->reset >> counter & 1;
	return record->value[hweight64(record->held & (BIT_ULL(counter) - 1))];
}

unsigned int bpmu_pebs_order(u32 batch, bool branches);
u32 bpmu_pebs_most(const struct bpmu_pmu *pmu, bool branches);
int bpmu_pebs_alloc(struct bpmu_pebs *pebs, unsigned int cpu);
void bpmu_pebs_free(const struct bpmu_pebs *pebs);
u64 bpmu_pebs_status(const struct bpmu_pmu *pmu);

int bpmu_pebs_save(const struct bpmu_bank *bank);
void bpmu_pebs_restore(const struct bpmu_bank *bank);
void bpmu_pebs_program(const struct bpmu_bank *bank);
bool bpmu_pebs_intact(const struct bpmu_bank *bank);

void bpmu_pebs_reload(const struct bpmu_bank *bank, u32 event, u64 value);
u32 bpmu_pebs_end(const struct bpmu_bank *bank, bool *overrun);
bool bpmu_pebs_read(const struct bpmu_bank *bank, u32 *at, u32 end,
		    struct bpmu_pebs_record *record);
u64 bpmu_pebs_disarm(const struct bpmu_bank *bank);
void bpmu_pebs_clear(const struct bpmu_bank *bank);

#endif /* BPMU_PEBS_H */
