/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter bank: one set of counters, a CPU's core PMU or a package's uncore, and
 * the event groups multiplexed on it. It is owned by one sampler and touched on
 * that sampler's CPU only.
 *
 * What a bank's registers are is in its operations table. A new bank is a new
 * table, listed in banks.c, and a new number in &enum bpmu_bank_id.
 */
#ifndef BPMU_BANK_H
#define BPMU_BANK_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "plan.h"
#include "tsc.h"

struct bpmu_devices;

/**
 * struct bpmu_slice - what a bank remembers of a group between its slices
 * @running: TSC ticks for which the group was scheduled, up to its last slice
 * @offset: for each event what to add to the register so that the group's value
 *	goes on from its last slice, [nr events]
 * @value: values of its latest sample, [nr events]
 */
struct bpmu_slice {
	u64 running;
	u64 offset[BPMU_MAX_COUNTERS];
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_bank - groups and which of them is scheduled
 * @ops: what its registers are
 * @devices: where they are those of PCI devices: of this CPU's package
 * @groups: the groups, NULL while the bank is not in use
 * @pmu: the CPU's counters
 * @slice: saved state of each group between its slices, [BPMU_MAX_GROUPS]
 * @saved: what the registers held before the session, of the size that @ops says
 * @at: index of the scheduled group
 * @group: that group
 * @setup: its registers on this CPU, core groups only
 * @active: its entry in @slice
 * @stops: counters are stopped around a sample: groups are multiplexed, or
 *	registers restart from 0 after it (PERF_METRICS)
 * @left: groups that are still to be scheduled in this round
 * @random: state of the choice which group begins a round
 * @thread: which thread of its core this CPU is, 0 or 1
 * @top: distance below overflow at which counters start; 0: from their current
 *	value
 * @running: the counters count
 * @since: TSC when they were last started
 */
struct bpmu_bank {
	const struct bpmu_bank_ops *ops;
	const struct bpmu_devices *devices;
	const struct bpmu_plan_groups *groups;
	const struct bpmu_pmu *pmu;
	struct bpmu_slice *slice;
	void *saved;
	u32 at;
	const struct bpmu_plan_group *group;
	const struct bpmu_core_setup *setup;
	struct bpmu_slice *active;
	bool stops;
	u32 left;
	u32 random;
	u8 thread;
	u32 top;
	bool running;
	u64 since;
};

/**
 * struct bpmu_bank_ops - the registers of a bank
 * @name: for tracepoints and debugfs
 * @flag: &enum bpmu_sample_flag of its samples, or 0
 * @failure: &enum bpmu_failure of a CPU that cannot program it
 * @saved_size: bytes of &bpmu_bank.saved
 * @busy: a sentence on who may hold it, when @save says @busy_error
 * @busy_error: errno for registers that someone else uses
 * @unlike: a sentence on why this CPU's registers are not those that its @save was
 *	asked for, when it says -ENODEV; NULL if it never does
 * @first: number of its first counter; unset for free-running registers, each of
 *	which knows its bank
 * @counters: how many numbers it has
 * @shares: do two CPUs reach the same registers, so that one of them reads for the
 *	other; NULL if each logical CPU has its own
 * @every_kind: all kinds of CPUs have the registers of its groups, and may read
 *	them; else those of the first kind alone
 * @claim: keep drivers out for as long as the session, before any of its locks is taken;
 *	sets a sentence and returns an errno on refusal. May be NULL
 * @unclaim: the other way round
 * @reserve: keep others in the kernel out, before any CPU's registers are
 *	touched; sets a sentence and returns an errno on refusal. May be NULL
 * @unreserve: the other way round
 * @save: note what the registers hold; @busy_error if someone uses them, unless
 *	they are to be taken over; -EIO if they cannot be read, -ENODEV if there
 *	are others
 * @restore: stop, and put back what @save noted
 * @preload: begin at &bpmu_bank.top below overflow; NULL if it cannot
 * @program: write the scheduled group's selects, without starting it; -EIO if
 *	one does not take its value, where that is cheap to know
 * @reprogram: the same for a group that @program has tried, faster
 * @start: let the programmed group count
 * @stop: stop the counters
 * @read: raw values of the scheduled group
 * @reset_metrics: let slots and PERF_METRICS begin at 0; NULL in banks without it
 * @intact: do all registers hold what was programmed
 * @counting: the part of @intact that is cheap enough for each sample: are the
 *	counters enabled; NULL for the core, whose bpmu_core_counting() is inline
 *
 * But for @shares, @claim, @unclaim, @reserve and @unreserve all are called on the CPU,
 * interrupts off.
 * @reprogram, @start, @stop, @read, @reset_metrics and @counting are on the sampling
 * path.
 */
struct bpmu_bank_ops {
	const char *name;
	u32 flag;
	enum bpmu_failure failure;
	size_t saved_size;
	const char *busy;
	int busy_error;
	const char *unlike;
	u32 first;
	u32 counters;
	bool (*shares)(unsigned int cpu, unsigned int other);
	bool every_kind;
	int (*claim)(const char **why);
	void (*unclaim)(void);
	int (*reserve)(const struct bpmu_settings *settings, const char **why);
	void (*unreserve)(void);
	int (*save)(struct bpmu_bank *bank, bool take_over);
	void (*restore)(struct bpmu_bank *bank);
	void (*preload)(struct bpmu_bank *bank);
	int (*program)(struct bpmu_bank *bank);
	void (*reprogram)(struct bpmu_bank *bank);
	void (*start)(struct bpmu_bank *bank);
	void (*stop)(struct bpmu_bank *bank);
	void (*read)(const struct bpmu_bank *bank, u64 *values);
	void (*reset_metrics)(struct bpmu_bank *bank);
	bool (*intact)(const struct bpmu_bank *bank);
	bool (*counting)(const struct bpmu_bank *bank);
};

int bpmu_bank_open(struct bpmu_bank *bank);
void bpmu_bank_choose(struct bpmu_bank *bank, u32 group);
void bpmu_bank_base(struct bpmu_bank *bank);
void bpmu_bank_start(struct bpmu_bank *bank);
u64 bpmu_bank_stop(struct bpmu_bank *bank);
void bpmu_bank_resume(struct bpmu_bank *bank, u64 *values);
void bpmu_bank_next(struct bpmu_bank *bank);

/**
 * bpmu_bank_in_use() - has a session groups on a bank of this CPU
 * @bank: the bank
 *
 * Context: this CPU, or while it does not sample.
 * Return: true if so.
 */
static inline bool bpmu_bank_in_use(const struct bpmu_bank *bank)
{
	return bank->groups;
}

#endif /* BPMU_BANK_H */
