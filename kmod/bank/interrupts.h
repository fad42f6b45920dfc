/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overflow interrupts of a logical CPU's counters. The local APIC has an entry for these
 * interrupts (LVTPC). A counter begins one period below its overflow, so that it interrupts when
 * the period ends.
 */
#ifndef BPMU_INTERRUPTS_H
#define BPMU_INTERRUPTS_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "branches.h"
#include "intel.h"
#include "pebs.h"
#include "tagged.h"

struct bpmu_bank;

/**
 * struct bpmu_slots_sum - slots, and how many of them each field of PERF_METRICS has
 * @slots: number of slots
 * @part: BPMU_METRICS_FULL times the slots of each field
 */
struct bpmu_slots_sum {
	u64 slots;
	u64 part[BPMU_METRICS_FIELDS];
};

/**
 * struct bpmu_interrupts - overflow interrupts of the core bank of one CPU
 * @lvtpc: value of the APIC's LVTPC entry before the session
 * @check: set of &enum bpmu_check of the session
 * @debugctl: value of IA32_DEBUGCTL before the session; only with %BPMU_CHECK_FREEZE
 * @masks: the APIC masks its LVTPC entry when it delivers an NMI
 * @frozen: bit of the global status that is 1 while an interrupt has stopped the counters; 0 if the
 *	part has no such bit
 * @armed: the module has set the APIC's LVTPC entry to deliver NMIs
 * @counters: bit set of the group's counters that interrupt, and bpmu_pebs_status() if precise
 *	records interrupt
 * @enable: value that the interrupt's handler writes to the global control at its end; 0 while the
 *	counters are stopped
 * @mask: mask of the bits of each event's counter, [nr events]
 * @msr: register of each event's counter, [nr events]; 0 if IBS counts the event. That of
 *	PERF_METRICS is not used
 * @mean: mean of each event's periods, before they become random and are made longer, [nr events]
 * @begun: TSC when each event's period began, [nr events]
 * @from: value to which each event's counter was last set back, [nr events]
 * @moved: sum of the distances by which each event's counter was set back at overflows,
 *	[nr events]. This sum plus the counter's value is the number of all events counted
 * @times: number of times that a counter was set back
 * @expected: number of NMIs that may follow and find no overflow: 1 after an NMI that has served
 *	several counters
 * @incomplete: @moved lacks a period after which the CPU has set back a counter, because the
 *	precise record was lost, could not be read, or lacked the counter's value
 * @base: value of each event's counter from which the counts of the next record with counts are
 *	reckoned, [nr events]; not used for PERF_METRICS and its slots
 * @since_record: slots since the last record with counts, without those that fixed counter 3 holds
 * @since_sample: slots since the last sample, without those that fixed counter 3 holds
 * @since: TSC when @expected was last set
 * @random: state of the random number generator
 * @pebs: precise records
 * @branches: branch records
 * @tagged: instruction-based sampling, [&enum bpmu_tagged_kind]
 *
 * The interrupt's handler writes @mean, @begun, @from, @moved, @times, @expected, @incomplete,
 * @base, @since_record, @since_sample, @since and @random. All other code writes these members only
 * while no counter runs.
 */
struct bpmu_interrupts {
	u32 lvtpc;
	u32 check;
	u64 debugctl;
	bool masks;
	u64 frozen;
	bool armed;
	u64 counters;
	u64 enable;
	u64 mask[BPMU_MAX_COUNTERS];
	u32 msr[BPMU_MAX_COUNTERS];
	u64 mean[BPMU_MAX_COUNTERS];
	u64 begun[BPMU_MAX_COUNTERS];
	u64 from[BPMU_MAX_COUNTERS];
	u64 moved[BPMU_MAX_COUNTERS];
	u32 times;
	u32 expected;
	bool incomplete;
	u64 base[BPMU_MAX_COUNTERS];
	struct bpmu_slots_sum since_record;
	struct bpmu_slots_sum since_sample;
	u64 since;
	u32 random;
	struct bpmu_pebs pebs;
	struct bpmu_branches branches;
	struct bpmu_tagged tagged[BPMU_TAGGED_KINDS];
};

u32 bpmu_interrupts_obstacles(void);
int bpmu_interrupts_try_freeze(void);
int bpmu_interrupts_try_metrics(void);

void bpmu_interrupts_arm(const struct bpmu_bank *bank);
void bpmu_interrupts_disarm(const struct bpmu_bank *bank);
void bpmu_interrupts_preload(const struct bpmu_bank *bank);
void bpmu_interrupts_start(const struct bpmu_bank *bank);
void bpmu_interrupts_hold(const struct bpmu_bank *bank);
void bpmu_interrupts_stop(const struct bpmu_bank *bank);
int bpmu_interrupts_read(const struct bpmu_bank *bank, u64 *values);

u64 bpmu_interrupts_found(const struct bpmu_bank *bank);
u64 bpmu_interrupts_begin(const struct bpmu_bank *bank);
u64 bpmu_interrupts_take(const struct bpmu_bank *bank, u32 event, u32 shift);
void bpmu_interrupts_leave_out(const struct bpmu_bank *bank, u32 event, u64 period);
u64 bpmu_interrupts_take_reloaded(const struct bpmu_bank *bank, u32 event,
				  const struct bpmu_pebs_record *record);
void bpmu_interrupts_reload(const struct bpmu_bank *bank, u32 shift);
bool bpmu_interrupts_counts(const struct bpmu_bank *bank, const struct bpmu_pebs_record *record,
			    u64 *counts);
void bpmu_interrupts_count_anew(const struct bpmu_bank *bank);
void bpmu_interrupts_reset_slots(const struct bpmu_bank *bank);
u64 bpmu_interrupts_pause(const struct bpmu_bank *bank);
void bpmu_interrupts_resume(const struct bpmu_bank *bank, u64 control);
u64 bpmu_interrupts_again(const struct bpmu_bank *bank, u64 status);
void bpmu_interrupts_end(const struct bpmu_bank *bank, unsigned int nr);
bool bpmu_interrupts_was_ours(const struct bpmu_bank *bank);

#endif /* BPMU_INTERRUPTS_H */
