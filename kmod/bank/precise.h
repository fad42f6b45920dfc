/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A logical CPU's buffer for precise records (PEBS), and what such a record says: of architectural
 * PEBS (bank/pebs.h) and of a debug store (bank/store.h).
 */
#ifndef BPMU_PRECISE_H
#define BPMU_PRECISE_H

#include <linux/barepmu.h>
#include <linux/bitops.h>
#include <linux/types.h>

#include "data_access.h"
#include "arch.h"
#include "intel.h"

/**
 * struct bpmu_pebs - buffer for precise records (PEBS) of one CPU, and values of the PEBS registers
 * @buffer: memory for the records; NULL if no event has precise records
 * @bytes: size of @buffer
 * @page: content of @buffer before the session, if it is the kernel's page for a debug store; else
 *	NULL
 * @batch: number of records after which the CPU interrupts, the session's BPMU_A_BATCH
 * @store: the records are in a debug store
 * @branches: records have branches, if the PMU can write them
 * @counts: records have the values of all counters of the group, and PERF_METRICS
 * @reload: value to which the CPU sets each event's counter after a record, [nr events]; used only
 *	with a batch of several records
 * @base: IA32_PEBS_BASE before the session
 * @index: IA32_PEBS_INDEX before the session
 * @area: IA32_DS_AREA before the session, on a part with a debug store
 * @enable: IA32_PEBS_ENABLE before the session, on a part with a debug store
 * @groups: MSR_PEBS_DATA_CFG before the session, on a part with a debug store
 * @enabled: IA32_PEBS_ENABLE as programmed; 0 if it is not
 * @asked: groups that records have beside the basic one, as programmed in MSR_PEBS_DATA_CFG; 0 if
 *	this register is left alone
 * @size: bytes of a record with these groups
 * @threshold: value of IA32_PEBS_INDEX by which the CPU writes from the beginning of the buffer
 *	again, and interrupts after @batch records
 * @config: values before the session of the counters' registers that turn on records, general
 *	counters first, [BPMU_MAX_GP + BPMU_MAX_FIXED]
 */
struct bpmu_pebs {
	void *buffer;
	u32 bytes;
	void *page;
	u32 batch;
	bool store;
	bool branches;
	bool counts;
	u64 reload[BPMU_MAX_COUNTERS];
	u64 base;
	u64 index;
	u64 area;
	u64 enable;
	u64 groups;
	u64 enabled;
	u64 asked;
	u32 size;
	u64 threshold;
	u64 config[BPMU_MAX_GP + BPMU_MAX_FIXED];
};

/**
 * struct bpmu_pebs_record - what a precise record of the CPU says about an event
 * @header: header of the record, of architectural PEBS
 * @step: distance of the next record if it has the same header and values of the same counters; 0
 *	if the record has more than these, or none of those that its header tells of
 * @counters: set of counters that counted the event
 * @mixed: @counters are several that have overflowed, of which one counted the event
 * @ip: address of the instruction that caused the event
 * @tsc: TSC when the record was written, 0 if the record lacks it
 * @retire: retire latency, see %BPMU_PEBS_RETIRE
 * @reset: set of counters that the recorded event, the first after their overflow, has set to their
 *	reset values
 * @access: memory access of the instruction, in the buffer; NULL if the record lacks it
 * @branches: branches before the event, in the buffer, BPMU_DS_BRANCH_WORDS each, the newest first;
 *	NULL if the record lacks them
 * @nr_branches: their number
 * @held: set of counters whose values the record has
 * @value: values of the counters in @held, in the order of their numbers
 * @slots: value of fixed counter 3, and behind it that of PERF_METRICS; NULL if the record lacks
 *	them
 */
struct bpmu_pebs_record {
	u64 header;
	u32 step;
	u64 counters;
	bool mixed;
	u64 ip;
	u64 tsc;
	u64 retire;
	u64 reset;
	const struct bpmu_data_access *access;
	const u64 *branches;
	u32 nr_branches;
	u64 held;
	const u64 *value;
	const u64 *slots;
};

/**
 * bpmu_precise_values() - find the values of counters and of PERF_METRICS in a PEBS record
 * @record: @held, @value and @slots are set, unless the group is not whole; they are 0 before
 * @group: the record's group of counters
 * @bytes: number of bytes of the record from @group on
 * @metrics: the record says that the group has PERF_METRICS
 *
 * Context: this CPU, interrupts off or NMI.
 */
static inline void bpmu_precise_values(struct bpmu_pebs_record *record, const u64 *group, u32 bytes,
				       bool metrics)
{
	u32 end = BPMU_HELD_VALUES;

	if (bytes < end * sizeof(*group) ||
	    (metrics && (u32)group[BPMU_HELD_METRICS] != BPMU_HELD_HAS_METRICS))
		return;
	end += hweight64(*group);
	if (bytes < (end + (metrics ? 2 : 0)) * sizeof(*group))
		return;
	record->held = *group;
	record->value = group + BPMU_HELD_VALUES;
	record->slots = metrics ? group + end : NULL;
}

#endif /* BPMU_PRECISE_H */
