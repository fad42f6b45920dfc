/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise records (PEBS) that a logical CPU writes into a debug store (DS), on parts without
 * architectural PEBS: what bank/pebs.h declares, for those parts.
 */
#ifndef BPMU_STORE_H
#define BPMU_STORE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "bank.h"
#include "intel.h"
#include "machine/probe.h"
#include "precise.h"

/* bytes of the longest record without counts: the basic group, the memory access, branches */
#define BPMU_STORE_RECORD_MOST \
	(BPMU_DS_RECORD_BYTES + BPMU_DS_MEMORY_BYTES + BPMU_DS_BRANCH_BYTES * BPMU_MAX_BRANCHES)
/* bytes of the longest group of counters, with PERF_METRICS */
#define BPMU_STORE_COUNTS_MOST	(sizeof(u64) * (BPMU_HELD_VALUES + BPMU_MAX_COUNTERS + 2))

bool bpmu_store_used(const struct bpmu_pmu *pmu);
void *bpmu_store_page(unsigned int cpu);
u32 bpmu_store_most(const struct bpmu_pmu *pmu, bool branches);

int bpmu_store_save(const struct bpmu_bank *bank);
void bpmu_store_restore(const struct bpmu_bank *bank);
void bpmu_store_program(const struct bpmu_bank *bank);
bool bpmu_store_intact(const struct bpmu_bank *bank);

void bpmu_store_reload(const struct bpmu_bank *bank, u32 event, u64 value);
bool bpmu_store_read(const struct bpmu_bank *bank, u32 *at, u32 end,
		     struct bpmu_pebs_record *record);
u64 bpmu_store_disarm(const struct bpmu_bank *bank);
void bpmu_store_clear(const struct bpmu_bank *bank);

/**
 * bpmu_store_end() - find how far the CPU has written PEBS records into the debug store (DS)
 * @bank: core bank with a buffer for records
 * @overrun: set to true if the buffer has no room for a further record, so that the CPU may have
 *	lost some without a trace; NULL if not wanted
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: offset in the records of the first byte behind the last record.
 */
static inline u32 bpmu_store_end(const struct bpmu_bank *bank, bool *overrun)
{
	const struct bpmu_ds *ds = bank->pebs->buffer;
	u64 index = READ_ONCE(ds->index);

	if (overrun)
		*overrun = index + bank->pebs->size > ds->maximum;
	return index - ds->base;
}

#endif /* BPMU_STORE_H */
