/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checked configuration of a session. It consists of settings, which are constant during the
 * session, and of a plan, the event groups, which BPMU_CMD_SWAP replaces.
 */
#ifndef BPMU_PLAN_H
#define BPMU_PLAN_H

#include <linux/barepmu.h>
#include <linux/cpumask.h>
#include <linux/types.h>

#include "machine/probe.h"
#include "units.h"

/*
 * Maximum number of core types in one session. A hybrid CPU model has several (CPUID.1AH); CPUs of
 * one core type have the same counters and events.
 */
#define BPMU_CORE_TYPES 2

/* Number of threads of a core, whose counters for an event may differ (&bpmu_plan_event.sibling) */
#define BPMU_THREADS 2

/**
 * struct bpmu_units - registers of an uncore counter whose values are summed over several units
 * @first: the counter in the first unit, and the maximum number of units of the CPU model; a
 *	package may have fewer PCI devices
 * @select: address of the first unit's event select; the other units' registers are
 *	bpmu_place_offset() away
 * @counter: address of the first unit's counter
 * @ctl: address of the first unit's control register, 0 if the box has none
 * @enable: bit that enables the counter in its event select, 0 if the counter counts whenever its
 *	box does
 * @index: number of the counter in its bank, from 0
 */
struct bpmu_units {
	struct bpmu_place first;
	u32 select;
	u32 counter;
	u32 ctl;
	u64 enable;
	u32 index;
};

/**
 * struct bpmu_plan_event - one event on one counter
 * @counter: number of the counter
 * @sibling: number of the counter on the second thread of a core
 * @select: a legal event select
 * @filter: bits that the event needs in the filter register of its box; for a core event, in its
 *	extra register
 * @period: mean number of events between two interrupts; 0 if the event does not interrupt. If
 *	@frequency is set, only the first interrupts have this period
 * @frequency: requested number of interrupts per second; 0 if the period is constant
 * @precise: the CPU writes a precise record, with the address of the instruction, at each interrupt
 * @data: the precise record has the address of the data that the instruction accessed
 * @units: registers of the counter, if the bank is shared; looked up in advance, because
 *	that takes too long on the sampling path
 */
struct bpmu_plan_event {
	u32 counter;
	u32 sibling;
	u64 select;
	u64 filter;
	u32 period;
	u32 frequency;
	bool precise;
	bool data;
	struct bpmu_units units;
};

/**
 * bpmu_plan_counter() - number of the counter of a plan's event on one of the threads of a core
 * @event: the event
 * @thread: 0, or 1 for the sibling
 *
 * Return: &bpmu_plan_event.counter or @sibling.
 */
static inline u32 bpmu_plan_counter(const struct bpmu_plan_event *event, unsigned int thread)
{
	return thread ? event->sibling : event->counter;
}

/**
 * struct bpmu_core_setup - register values of a core group
 * @nr_gp: number of general counters that the group uses
 * @gp: numbers of the general counters, [nr_gp]
 * @select: event selects of the general counters, with EN, [nr_gp]
 * @msr: registers of the event selects, [nr_gp]
 * @fixed_ctrl: control of the fixed counters
 * @enable: bits of IA32_PERF_GLOBAL_CTRL of the group's counters
 * @extras: set of &enum bpmu_extra_id: extra registers that the group's events use
 * @extra: values of the extra registers, [BPMU_EXTRAS]
 * @index: operands of RDPMC (ECX) that read the events' counters, [nr events]
 * @slot: indices of these counters in &bpmu_bank.base, [nr events]
 * @metrics: PERF_METRICS is among the events
 */
struct bpmu_core_setup {
	u32 nr_gp;
	u8 gp[BPMU_MAX_GP];
	u64 select[BPMU_MAX_GP];
	u32 msr[BPMU_MAX_GP];
	u64 fixed_ctrl;
	u64 enable;
	u32 extras;
	u64 extra[BPMU_EXTRAS];
	u32 index[BPMU_MAX_COUNTERS];
	u8 slot[BPMU_MAX_COUNTERS];
	bool metrics;
};

/**
 * struct bpmu_plan_group - events that are counted at the same time
 * @nr: number of events
 * @event: the events, in the order in which their values are in a sample
 * @filter: value of the filter register of the group's box: the bits of all events
 * @setup: register values on the first and the second thread of a core,
 *	[BPMU_THREADS]; core groups only
 */
struct bpmu_plan_group {
	u32 nr;
	u64 filter;
	struct bpmu_plan_event event[BPMU_MAX_COUNTERS];
	struct bpmu_core_setup setup[BPMU_THREADS];
};

/**
 * struct bpmu_plan_groups - the groups of one bank, which CPUs of one core type multiplex
 * @nr: number of groups
 * @group: the groups, room for BPMU_MAX_GROUPS; NULL if there are none
 */
struct bpmu_plan_groups {
	u32 nr;
	struct bpmu_plan_group *group;
};

/**
 * struct bpmu_plan - the event groups that a session counts between two swaps
 * @groups: [bank][core type]. Either all core types have core groups or none has.
 *	Uncore groups are at index 0, as only CPUs of the first core type read the
 *	uncore. Groups of free-running registers are at index 0 too, for all core types
 * @number: number of the plan in its session, 0 for the first
 * @slices: states of the groups on each CPU of the session, from bpmu_slices_alloc(); NULL while no
 *	session has the plan
 */
struct bpmu_plan {
	struct bpmu_plan_groups groups[BPMU_BANKS][BPMU_CORE_TYPES];
	u32 number;
	struct bpmu_plan_slices *slices;
};

/**
 * struct bpmu_settings - configuration that is constant as long as the session
 * @number: number of the session, by which a swap notices that its plan was checked for another
 *	session
 * @cpus: CPUs to measure, all online when the session was configured
 * @siblings: two of these CPUs are threads of one core
 * @pmu: PMUs of the core types of @cpus, that of the lowest CPU first, [nr_core_types]
 * @nr_core_types: number of core types, more than one only on a hybrid part
 * @interval_ns: nanoseconds between samples, 0 for the counting mode
 * @tick: samples are taken by the timer tick and let an idle CPU sleep
 * @prefetchers: the session switches the cores' prefetchers
 * @prefetch: bits of BPMU_MSR_PREFETCH; a bit of 1 turns a prefetcher off
 * @top: number of events after which a started core counter overflows; 0: core counters start from
 *	their current values
 * @check: set of &enum bpmu_check
 * @who: each sample names the interrupted task
 * @overflows: at least one event interrupts, and each interrupt leaves a record of who was
 *	interrupted
 * @chain: maximum number of addresses in the call chains of an interrupt's record; 0: no call
 *	chains
 * @branches: branch records are read at each interrupt
 * @calls: with @branches, the branch records are a call stack and part of the record's call chain;
 *	else they are a section of the record
 * @precise: at least one event has precise records
 * @ops: IBS samples ops: at least one event is of them
 * @fetches: IBS samples fetches: at least one event is of them
 * @data: at least one event has precise records with the address of the data
 * @batch: number of precise records that a CPU writes before it interrupts
 * @counts: the records of interrupts have the counts of all events
 * @metrics: PERF_METRICS is among them
 * @take_over: the session takes over counters that are enabled already
 * @free: the groups read free-running registers of cores or packages
 * @buffer_samples: number of samples that the buffer of each CPU holds, a power of two
 * @watermark: number of samples in a buffer at which readers are woken
 * @record_size: bytes of a sample record, the same for all groups and CPUs
 */
struct bpmu_settings {
	u64 number;
	cpumask_var_t cpus;
	bool siblings;
	const struct bpmu_pmu *pmu[BPMU_CORE_TYPES];
	u32 nr_core_types;
	u64 interval_ns;
	bool tick;
	bool prefetchers;
	u32 prefetch;
	u32 top;
	u32 check;
	bool who;
	bool overflows;
	u32 chain;
	bool branches;
	bool calls;
	bool precise;
	bool ops;
	bool fetches;
	bool data;
	u32 batch;
	bool counts;
	bool metrics;
	bool take_over;
	bool free;
	u32 buffer_samples;
	u32 watermark;
	u32 record_size;
};

/**
 * bpmu_settings_has_branches() - check if records of interrupts have a section of branch records
 * @settings: settings of a session
 *
 * Return: false also if the branch records of the CPU are a call stack.
 */
static inline bool bpmu_settings_has_branches(const struct bpmu_settings *settings)
{
	return settings->branches && !settings->calls;
}

struct bpmu_settings *bpmu_settings_alloc(void);
void bpmu_settings_free(struct bpmu_settings *settings);
void bpmu_settings_copy(struct bpmu_settings *to,
			const struct bpmu_settings *from);
u32 bpmu_settings_core_type(const struct bpmu_settings *settings,
			    unsigned int cpu);
bool bpmu_settings_have_siblings(const struct bpmu_settings *settings);
u64 bpmu_settings_guard_ns(const struct bpmu_settings *settings);

struct bpmu_plan *bpmu_plan_alloc(void);
void bpmu_plan_free(struct bpmu_plan *plan);
struct bpmu_plan_group *bpmu_plan_add(struct bpmu_plan_groups *groups);
bool bpmu_plan_units(const struct bpmu_pmu *pmu, u32 counter,
		     struct bpmu_units *units);
bool bpmu_plan_group_has_data(const struct bpmu_plan_group *group);
bool bpmu_plan_interrupts(const struct bpmu_plan *plan);
bool bpmu_plan_is_precise(const struct bpmu_plan *plan);
bool bpmu_plan_has_counter(const struct bpmu_plan *plan, u32 counter);
bool bpmu_plan_has_data(const struct bpmu_plan *plan);
bool bpmu_plan_can_batch(const struct bpmu_plan *plan);
bool bpmu_plan_uses(const struct bpmu_plan *plan, enum bpmu_bank_id bank);
bool bpmu_plan_extras_clash(const struct bpmu_settings *settings,
			    const struct bpmu_plan *plan, const struct bpmu_plan *other);
u32 bpmu_plan_record_size(const struct bpmu_plan *plan,
			  const struct bpmu_settings *settings);
u32 bpmu_plan_most_groups(const struct bpmu_plan *plan, enum bpmu_bank_id bank);
u32 bpmu_plan_first_samples(const struct bpmu_plan *plan);

#endif /* BPMU_PLAN_H */
