/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise records of a logical CPU's events (architectural PEBS). The CPU writes each record into a
 * page of memory and then interrupts.
 */
#ifndef BPMU_PEBS_H
#define BPMU_PEBS_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "machine/probe.h"

struct bpmu_bank;

/**
 * struct bpmu_pebs - page for precise records (PEBS) of one CPU, and values of the PEBS registers
 * @page: page of memory for the records; NULL if no event has precise records
 * @base: IA32_PEBS_BASE before the session
 * @index: IA32_PEBS_INDEX before the session
 * @config: values before the session of the counters' registers that turn on records, general
 *	counters first, [BPMU_MAX_GP + BPMU_MAX_FIXED]
 */
struct bpmu_pebs {
	void *page;
	u64 base;
	u64 index;
	u64 config[BPMU_MAX_GP + BPMU_MAX_FIXED];
};

/**
 * struct bpmu_pebs_record - what a precise record of the CPU says about an event
 * @counters: set of counters that counted the event
 * @ip: address of the instruction that caused the event
 * @tsc: TSC when the record was written
 */
struct bpmu_pebs_record {
	u64 counters;
	u64 ip;
	u64 tsc;
};

int bpmu_pebs_save(const struct bpmu_bank *bank);
void bpmu_pebs_restore(const struct bpmu_bank *bank);
void bpmu_pebs_program(const struct bpmu_bank *bank);

u32 bpmu_pebs_end(void);
u32 bpmu_pebs_read(const struct bpmu_bank *bank, u32 offset, u32 end,
		   struct bpmu_pebs_record *record);
void bpmu_pebs_clear(void);

#endif /* BPMU_PEBS_H */
