/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise records of a logical CPU's events (architectural PEBS). The CPU writes records into a
 * buffer in memory, and interrupts after each one, or after many.
 */
#ifndef BPMU_PEBS_H
#define BPMU_PEBS_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "machine/probe.h"

struct bpmu_bank;

/**
 * struct bpmu_pebs - buffer for precise records (PEBS) of one CPU, and values of the PEBS registers
 * @buffer: memory for the records, 2^bpmu_pebs_order() pages; NULL if no event has precise records
 * @batch: number of records after which the CPU interrupts, the session's BPMU_A_BATCH
 * @counts: records have the values of all counters of the group, and PERF_METRICS
 * @reload: value to which the CPU sets each event's counter after a record, [nr events]; used only
 *	with a batch of several records
 * @base: IA32_PEBS_BASE before the session
 * @index: IA32_PEBS_INDEX before the session
 * @config: values before the session of the counters' registers that turn on records, general
 *	counters first, [BPMU_MAX_GP + BPMU_MAX_FIXED]
 */
struct bpmu_pebs {
	void *buffer;
	u32 batch;
	bool counts;
	u64 reload[BPMU_MAX_COUNTERS];
	u64 base;
	u64 index;
	u64 config[BPMU_MAX_GP + BPMU_MAX_FIXED];
};

/**
 * struct bpmu_pebs_record - what a precise record of the CPU says about an event
 * @counters: set of counters that counted the event
 * @ip: address of the instruction that caused the event
 * @tsc: TSC when the record was written
 * @retire: retire latency, see %BPMU_PEBS_RETIRE
 * @held: set of counters whose values the record has
 * @value: values of the counters in @held, in the order of their numbers
 * @slots: value of fixed counter 3, and behind it that of PERF_METRICS; NULL if the record lacks
 *	them
 */
struct bpmu_pebs_record {
	u64 counters;
	u64 ip;
	u64 tsc;
	u64 retire;
	u64 held;
	const u64 *value;
	const u64 *slots;
};

unsigned int bpmu_pebs_order(u32 batch);

int bpmu_pebs_save(const struct bpmu_bank *bank);
void bpmu_pebs_restore(const struct bpmu_bank *bank);
void bpmu_pebs_program(const struct bpmu_bank *bank);

void bpmu_pebs_reload(const struct bpmu_bank *bank, u32 event, u64 value);
u32 bpmu_pebs_end(bool *overrun);
bool bpmu_pebs_read(const struct bpmu_bank *bank, u32 *at, u32 end,
		    struct bpmu_pebs_record *record);
u64 bpmu_pebs_value(const struct bpmu_pebs_record *record, u32 counter);
void bpmu_pebs_clear(const struct bpmu_bank *bank);

#endif /* BPMU_PEBS_H */
