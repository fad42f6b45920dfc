/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter bank: one set of counters, a CPU's core PMU or a package's uncore, and
 * the event groups multiplexed on it. It is owned by one sampler and touched on
 * that sampler's CPU only.
 *
 * A bank has two rows: a &struct bpmu_bank_type in banks.c, with what only the module needs,
 * and one in arch/units.c, with what the tool needs too. Banks whose registers are operated
 * alike share a &struct bpmu_bank_ops.
 */
#ifndef BPMU_BANK_H
#define BPMU_BANK_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "machine/probe.h"
#include "machine/tsc.h"
#include "plan.h"
#include "units.h"

struct bpmu_devices;
struct bpmu_interrupts;
struct bpmu_pebs;
struct netlink_ext_ack;
struct pci_dev;

/**
 * struct bpmu_slice - state of a group, saved between its multiplexing slices
 * @running: TSC ticks for which the group was scheduled, up to its last slice
 * @value: values of its latest sample, [nr events]
 * @turn: register that the next sample compares with what was written: number of a PCI device,
 *	modulo their number, see bpmu_uncore_counting(); of a core, lowest number of a counter,
 *	see bpmu_core_turn_holds()
 */
struct bpmu_slice {
	u64 running;
	u64 value[BPMU_MAX_COUNTERS];
	u32 turn;
};

/*
 * most counters of a bank, by index: in the core general counters, fixed counters, PERF_METRICS; in
 * other banks the events of a group
 */
#define BPMU_BANK_SLOTS (BPMU_MAX_GP + BPMU_MAX_FIXED + 1)

/**
 * struct bpmu_bank - a counter bank and the groups multiplexed on it
 * @id: number of the bank
 * @type: how the bank is programmed
 * @ops: operations on the bank's registers, those of @type
 * @devices: PCI devices of this CPU's package, if they hold the registers
 * @groups: the groups, NULL while the bank is not in use
 * @pmu: descriptor of the CPU's counters
 * @slice: state of @groups, saved between their slices, [@groups->nr]
 * @saved: values of the registers before the session, @ops->saved_size bytes
 * @interrupts: overflow interrupts of its counters, NULL if no event interrupts; only events
 *	of the core bank can
 * @pebs: precise records of its events, NULL without @interrupts
 * @at: index of the scheduled group in @groups
 * @group: the scheduled group
 * @setup: register values of @group on this CPU, core groups only
 * @active: entry of @group in @slice
 * @base: values of the counters when they were last read, [BPMU_BANK_SLOTS]; of a bank whose
 *	counters are stopped around a sample
 * @stops: counters are stopped around a sample: groups are multiplexed, or
 *	registers restart from 0 after it (PERF_METRICS)
 * @left: groups not yet scheduled in this round
 * @random: state of the generator that chooses the first group of a round
 * @thread: number of this CPU among the threads of its core, 0 or 1
 * @top: events below overflow at which counters start; 0: from their current
 *	value
 * @running: the counters are started
 * @wary: another agent had written the bank's registers when they were last checked, or may
 *	have written them since: each register is read before it is written, and is not written if
 *	the agent counts with it. Banks that the module owns exclusively ignore @wary
 * @lost: this CPU should read the bank, and cannot: the bank could not be programmed again
 *	after hotplug or resume, or its PCI device has been removed; the bank is not in use
 * @since: TSC when the counters were last started, ticks
 */
struct bpmu_bank {
	enum bpmu_bank_id id;
	const struct bpmu_bank_type *type;
	const struct bpmu_bank_ops *ops;
	const struct bpmu_devices *devices;
	const struct bpmu_plan_groups *groups;
	const struct bpmu_pmu *pmu;
	struct bpmu_slice *slice;
	void *saved;
	struct bpmu_interrupts *interrupts;
	struct bpmu_pebs *pebs;
	u32 at;
	const struct bpmu_plan_group *group;
	const struct bpmu_core_setup *setup;
	struct bpmu_slice *active;
	u64 base[BPMU_BANK_SLOTS];
	bool stops;
	u32 left;
	u32 random;
	u8 thread;
	u32 top;
	bool running;
	bool wary;
	bool lost;
	u64 since;
};

/**
 * struct bpmu_bank_ops - operations on registers of one kind
 * @saved_size: bytes of &bpmu_bank.saved
 * @busy_error: negative errno for registers that another tool or driver uses
 * @claim: exclude drivers from the devices of &bpmu_bank_type.unit until @unclaim, for
 *	these CPUs; called without any of the session's locks. Devices that were removed and
 *	are back are found again. Sets a sentence and returns a negative errno on refusal. May
 *	be NULL
 * @unclaim: undo @claim. May be NULL
 * @needs: returns true if a PCI device has registers of the bank's groups on a CPU, or holds
 *	the address of some. NULL if the bank uses no PCI device. Context: any CPU, the
 *	session's lock held
 * @reserve: exclude other users in the kernel, before any CPU's registers are accessed;
 *	sets a sentence and returns a negative errno on refusal. May be NULL
 * @unreserve: undo @reserve
 * @save: save the registers' values; returns @busy_error if they are in use and
 *	@take_over is false, -EIO if they cannot be read
 * @restore: stop the counters and restore the saved values
 * @prove: save the counters of the bank's groups that are not saved yet, write each of these and
 *	read it back as @read does; the old values are restored. Returns -EIO if a counter does
 *	not hold its value or the access faults. NULL if @save saves the counters and @read
 *	cannot fault
 * @preload: set the groups' counters to &bpmu_bank.top below overflow, or those of events that
 *	interrupt to a period below it; NULL if the bank cannot
 * @program: write the scheduled group's event selects without starting it; returns -EIO
 *	if a write faults, -ENODEV if this CPU's package lacks a register
 * @reprogram: program a group again that @program has accepted, in all registers; no checks
 * @start: start the programmed group's counters
 * @stop: stop the counters
 * @read: read the scheduled group's raw values, [nr events]
 * @reset_metrics: set slots and PERF_METRICS to 0; NULL in banks without them
 * @programmed: returns true if the registers of the scheduled group, which does not count, hold
 *	what was programmed
 * @intact: returns true if all registers hold what was programmed
 * @counting: returns true if the counters are enabled: the checks of @intact that are
 *	cheap enough for each sample. NULL for the core, whose bpmu_core_counting() is
 *	inline
 *
 * All but @claim, @unclaim, @needs, @reserve and @unreserve are called on the CPU with interrupts
 * off. @reprogram, @start, @stop, @read, @reset_metrics and @counting are on the sampling
 * path.
 */
struct bpmu_bank_ops {
	size_t saved_size;
	int busy_error;
	int (*claim)(u8 unit, const struct cpumask *cpus, struct netlink_ext_ack *extack);
	void (*unclaim)(u8 unit);
	bool (*needs)(const struct bpmu_bank *bank, unsigned int cpu, const struct pci_dev *pci);
	int (*reserve)(const struct bpmu_settings *settings, struct netlink_ext_ack *extack);
	void (*unreserve)(void);
	int (*save)(struct bpmu_bank *bank, bool take_over);
	void (*restore)(struct bpmu_bank *bank);
	int (*prove)(const struct bpmu_bank *bank);
	void (*preload)(struct bpmu_bank *bank);
	int (*program)(struct bpmu_bank *bank);
	void (*reprogram)(struct bpmu_bank *bank);
	void (*start)(struct bpmu_bank *bank);
	void (*stop)(struct bpmu_bank *bank);
	void (*read)(const struct bpmu_bank *bank, u64 *values);
	void (*reset_metrics)(struct bpmu_bank *bank);
	bool (*programmed)(const struct bpmu_bank *bank);
	bool (*intact)(const struct bpmu_bank *bank);
	bool (*counting)(const struct bpmu_bank *bank);
};

/**
 * struct bpmu_bank_type - how a bank is programmed, who can reach it, and what is said of it
 * @ops: operations on its registers
 * @busy: sentence that names the possible users when &bpmu_bank_ops.save returns
 *	&bpmu_bank_ops.busy_error
 * @busy_unbound: replaces @busy on parts with discovery tables or MCHBAR, where perf's driver
 *	binds to no device that &bpmu_bank_ops.claim could deny it, and has other names for
 *	boxes; NULL if @busy holds there too
 * @unlike: sentence on how the registers of packages differ, when @attach returns -ENODEV;
 *	NULL if it never does
 * @missing: sentence for a counter that this machine lacks
 * @legal: sentence that names the fields of an event select; NULL for the core and for
 *	free-running registers
 * @legal_client: replaces @legal on a client; NULL if @legal holds there too
 * @unit: &enum bpmu_unit whose PCI devices have the registers; 0 if the registers are MSRs
 * @is_core: it is the core PMU, whose read and check the sampling path calls directly
 * @all_core_types: CPUs of all core types have the registers of its groups and may read
 *	them; false if only CPUs of the session's first core type may
 * @shares: returns true if two CPUs reach the same registers, so that one of them
 *	reads for the other; NULL if each logical CPU has its own. Context: any
 * @attach: find the registers that this CPU reaches; returns -ENODEV if its package lacks
 *	them or differs from the first one. NULL if each CPU has them. Context: this CPU,
 *	interrupts off
 */
struct bpmu_bank_type {
	const struct bpmu_bank_ops *ops;
	const char *busy;
	const char *busy_unbound;
	const char *unlike;
	const char *missing;
	const char *legal;
	const char *legal_client;
	u8 unit;
	bool is_core;
	bool all_core_types;
	bool (*shares)(unsigned int cpu, unsigned int other);
	int (*attach)(struct bpmu_bank *bank);
};

int bpmu_bank_prove(struct bpmu_bank *bank);
int bpmu_bank_open(struct bpmu_bank *bank);
int bpmu_bank_reopen(struct bpmu_bank *bank);
int bpmu_bank_try(struct bpmu_bank *bank, const struct bpmu_plan_groups *groups,
		  struct bpmu_slice *slice);
void bpmu_bank_base(struct bpmu_bank *bank);
void bpmu_bank_read_base(struct bpmu_bank *bank);
void bpmu_bank_resume(struct bpmu_bank *bank, u64 *values);
void bpmu_bank_take_metrics(const struct bpmu_bank *bank, u64 *values);

/**
 * bpmu_bank_choose() - schedule a group on a bank, without programming it
 * @bank: with groups, not running
 * @group: index of the group
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static inline void bpmu_bank_choose(struct bpmu_bank *bank, u32 group)
{
	bank->at = group;
	bank->group = &bank->groups->group[group];
	bank->setup = &bank->group->setup[bank->thread];
	bank->active = &bank->slice[group];
}

/**
 * bpmu_bank_in_use() - check if the session counts on a bank of this CPU
 * @bank: the bank
 *
 * Context: this CPU, or while it does not sample.
 * Return: true if the bank has groups.
 */
static inline bool bpmu_bank_in_use(const struct bpmu_bank *bank)
{
	return bank->groups;
}

#endif /* BPMU_BANK_H */
