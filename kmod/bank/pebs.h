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
#include <linux/compiler.h>
#include <linux/types.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "machine/probe.h"
#include "precise.h"
#include "store.h"

/**
 * bpmu_pebs_place() - place of a counter's value among those of a PEBS record
 * @record: from bpmu_pebs_read()
 * @counter: number of a counter whose value the record has
 *
 * Context: any.
 * Return: index in &bpmu_pebs_record.value.
 */
static __always_inline u32 bpmu_pebs_place(const struct bpmu_pebs_record *record, u32 counter)
{
	return hweight64(record->held & (BIT_ULL(counter) - 1));
}

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
	return record->value[bpmu_pebs_place(record, counter)];
}

/**
 * bpmu_pebs_is_alike() - check if the next PEBS record has the same header and values as the last
 * @pebs: buffer for records
 * @at: offset in the buffer of the next record
 * @end: offset behind the last record, from bpmu_pebs_end()
 * @record: the last record, from bpmu_pebs_read(), or zeroed
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: true if it has the same header and the values of the same counters, and is whole.
 */
static __always_inline bool bpmu_pebs_is_alike(const struct bpmu_pebs *pebs, u32 at, u32 end,
					       const struct bpmu_pebs_record *record)
{
	const u64 *words = pebs->buffer + at;

	return record->step && at + record->step <= end && *words == record->header &&
	       (!record->held || words[BPMU_PEBS_HELD] == record->held);
}

/**
 * bpmu_pebs_fill() - read the content of a PEBS record, but for the values of counters
 * @words: the record
 * @record: filled in
 *
 * Context: this CPU, interrupts off or NMI.
 */
static __always_inline void bpmu_pebs_fill(const u64 *words, struct bpmu_pebs_record *record)
{
	record->counters = words[BPMU_PEBS_COUNTERS];
	record->ip = words[BPMU_PEBS_IP];
	record->tsc = words[BPMU_PEBS_TSC];
	record->retire = words[BPMU_PEBS_RETIRE];
}

/**
 * bpmu_pebs_again() - read the next PEBS record if it is one more of the same counters
 * @pebs: buffer for records
 * @at: offset in the buffer; set to the offset behind the record if it is read
 * @end: offset behind the last record, from bpmu_pebs_end()
 * @record: the last record, from bpmu_pebs_read(); set to the content of the next one if it is read
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: true; false if bpmu_pebs_read() must read the next record, or if there is none.
 */
static __always_inline bool bpmu_pebs_again(const struct bpmu_pebs *pebs, u32 *at, u32 end,
					    struct bpmu_pebs_record *record)
{
	const u64 *words = pebs->buffer + *at;

	if (!bpmu_pebs_is_alike(pebs, *at, end, record) ||
	    words[BPMU_PEBS_COUNTERS] != record->counters)
		return false;
	bpmu_pebs_fill(words, record);
	record->value = words + BPMU_PEBS_VALUES;
	*at += record->step;
	return true;
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
u32 bpmu_pebs_read_other(const struct bpmu_bank *bank, u32 at, u32 end,
			 struct bpmu_pebs_record *record);
u64 bpmu_pebs_disarm(const struct bpmu_bank *bank);

/* The interrupt's handler takes the steps that follow in each interrupt, and does not call them. */

/**
 * bpmu_pebs_end() - find how far the CPU has written PEBS records
 * @bank: core bank with a buffer for records
 * @overrun: set to true if a record did not fit into the buffer and is lost, or may be; NULL if not
 *	wanted
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: offset in the buffer of the first byte behind the last record.
 */
static __always_inline u32 bpmu_pebs_end(const struct bpmu_bank *bank, bool *overrun)
{
	u64 index;

	if (unlikely(bank->pebs->store))
		return bpmu_store_end(bank, overrun);
	index = bpmu_rdmsr(BPMU_MSR_PEBS_INDEX);
	if (overrun)
		*overrun = index & BPMU_PEBS_FULL;
	return BPMU_PEBS_OFFSET(index);
}

/**
 * bpmu_pebs_read() - read the next PEBS record that has an event
 * @bank: core bank with a buffer for records
 * @at: offset in the buffer, 0 at first
 * @end: offset behind the last record, from bpmu_pebs_end()
 * @record: zeroed at first, or the last record of an earlier content of the buffer; set to the
 *	content of the record; &bpmu_pebs_record.value is in the buffer
 *
 * Records without the basic group, which has the event, are skipped: continuations of records, and
 * null records (Linux, arch_pebs_record_continued()).
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: the offset behind the record; if there is none with an event, &bpmu_pebs_record.counters
 * is 0. @at if the content of the buffer from there on is not understood.
 */
static __always_inline u32 bpmu_pebs_read(const struct bpmu_bank *bank, u32 at, u32 end,
					  struct bpmu_pebs_record *record)
{
	const u64 *words = bank->pebs->buffer + at;

	if (unlikely(end > bank->pebs->bytes ||
		     !bpmu_pebs_is_alike(bank->pebs, at, end, record)))
		return bpmu_pebs_read_other(bank, at, end, record);
	bpmu_pebs_fill(words, record);
	record->value = words + BPMU_PEBS_VALUES;
	return at + record->step;
}

/**
 * bpmu_pebs_clear() - let the CPU write PEBS records from the beginning again
 * @bank: core bank with a buffer for records; its counters are stopped
 *
 * Context: this CPU, interrupts off or NMI.
 */
static __always_inline void bpmu_pebs_clear(const struct bpmu_bank *bank)
{
	if (unlikely(bank->pebs->store))
		bpmu_store_clear(bank);
	else
		bpmu_wrmsr(BPMU_MSR_PEBS_INDEX, bank->pebs->threshold);
}

#endif /* BPMU_PEBS_H */
