/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter bank: one set of counters, such as a CPU's core PMU or a package's memory channels, and
 * the event groups that are multiplexed on them. Each bank belongs to the sampler of one CPU, and
 * only that CPU accesses its registers.
 *
 * Two tables have a row for each bank: bpmu_bank_types in banks.c with what only the module needs,
 * and bpmu_bank_facts in arch/units.c with what the tool needs too. Banks whose registers are
 * operated alike share a &struct bpmu_bank_ops.
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
struct bpmu_branches;
struct bpmu_pebs;
struct bpmu_tagged;
struct netlink_ext_ack;
struct pci_dev;

/**
 * struct bpmu_slice - state of a group, kept while other groups of its bank are scheduled
 * @running: TSC ticks for which the group was scheduled, up to its last slice
 * @value: values of the group's latest sample, [nr events]
 * @turn: which registers the next sample of the group compares with what was written. In a core
 *	bank: an index of the group's general counters, see bpmu_core_turn_holds(). In a bank of PCI
 *	devices: the index of a device, modulo their number, see bpmu_uncore_counting()
 */
struct bpmu_slice {
	u64 running;
	u64 value[BPMU_MAX_COUNTERS];
	u32 turn;
};

/*
 * Length of the array &bpmu_bank.base. In the core bank each general counter has an element, then
 * each fixed counter, then IBS' count of fetches, then PERF_METRICS or IBS' count of ops. In
 * another bank each event of a group has one.
 */
#define BPMU_BANK_SLOTS (BPMU_MAX_GP + BPMU_MAX_FIXED + 2)

/**
 * struct bpmu_bank - a counter bank and the groups multiplexed on it
 * @id: number of the bank
 * @type: how the bank is programmed
 * @ops: operations of @type on the bank's registers
 * @devices: PCI devices of this CPU's package, if they hold the registers
 * @groups: the groups that are multiplexed on the bank, NULL while the bank is not in use
 * @pmu: descriptor of the CPU's counters
 * @slice: state of @groups, saved between their slices, [@groups->nr]
 * @saved: values of the registers before the session, @ops->saved_size bytes
 * @interrupts: overflow interrupts of the bank's counters, NULL if no event interrupts; only events
 *	of the core bank can interrupt
 * @pebs: precise records of the bank's events, NULL without @interrupts
 * @tagged: instruction-based sampling, [&enum bpmu_tagged_kind], NULL without @interrupts
 * @branches: branch records, NULL if the session does not read them
 * @at: index of the scheduled group in @groups
 * @group: the scheduled group
 * @setup: register values of @group on this CPU, core groups only
 * @active: element of @slice that holds the state of @group
 * @base: raw values of the counters when they were last read, [BPMU_BANK_SLOTS]; not used while
 *	@stops is false
 * @stops: the counters are stopped while a sample is taken, because groups are multiplexed or
 *	because registers restart from 0 after each sample (PERF_METRICS)
 * @left: number of groups that are still to be scheduled in this round
 * @random: state of the generator that chooses the first group of a round
 * @thread: number of this CPU among the threads of its core, 0 or 1
 * @top: number of events after which a started counter overflows; 0: the counters start from their
 *	current values
 * @running: the counters are started
 * @wary: the last check has found that another agent has written the bank's registers, or an agent
 *	may have written them since that check. Each register is then read before it is written, and
 *	is not written if that agent counts with it. Banks that the module owns exclusively ignore
 *	@wary
 * @same: the group of the previous slice has the same counters as @group, in the same order, and
 *	these counters have been stopped since, so that @base has their values; not used in the core
 *	bank
 * @lost: this CPU should read the bank but cannot, because the bank could not be programmed again
 *	after hotplug or resume, or because its PCI device has been removed. The bank is then not in
 *	use
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
	struct bpmu_tagged *tagged;
	struct bpmu_branches *branches;
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
	bool same;
	bool lost;
	u64 since;
};

/**
 * struct bpmu_bank_ops - operations on the registers of counter banks that are operated alike
 * @saved_size: bytes of &bpmu_bank.saved
 * @busy_error: negative errno that @save returns if another tool or driver uses the registers
 * @claim: exclude other drivers from the devices of &bpmu_bank_type.unit in the packages of @cpus
 *	until @unclaim. Called without any of the session's locks. Finds devices again that were
 *	removed and have come back. Returns 0; or sets a sentence in @extack and returns a negative
 *	errno. May be NULL
 * @unclaim: undo @claim. May be NULL
 * @needs: returns true if the bank's groups on a CPU use registers that are in a PCI device, or
 *	registers whose address a PCI device holds. NULL if the bank uses no PCI device. Context:
 *	any CPU, the session's lock held
 * @reserve: exclude other users in the kernel, before the registers of any CPU are accessed.
 *	Returns 0; or sets a sentence in @extack and returns a negative errno. May be NULL
 * @unreserve: undo @reserve
 * @save: save the registers' values; returns @busy_error if they are in use and @take_over is
 *	false, -EIO if they cannot be read
 * @restore: stop the counters and restore the saved values
 * @prove: save those counters of the bank's groups that are not saved yet; write a value to each of
 *	them, read it back as @read does, and restore the old value. Returns -EIO if a counter does
 *	not hold the value or if an access faults. NULL if @save saves the counters and @read cannot
 *	fault
 * @preload: set the groups' counters so that they overflow after &bpmu_bank.top events, and the
 *	counters of events that interrupt so that these overflow after a period; NULL if the bank's
 *	counters cannot be preloaded
 * @program: write the scheduled group's event selects without starting the group; returns -EIO if a
 *	write faults, -ENODEV if this CPU's package lacks a register
 * @change: program the scheduled group in place of @before, which @intact has found to hold what
 *	was programmed and which @pause has stopped: write only registers whose value changes, and
 *	compare their old contents with what was written. Sets &bpmu_bank.same. Returns false if an
 *	old content differs from what was written; then the group must be programmed by @reprogram.
 *	NULL for the core, whose bpmu_core_switch() is inline
 * @reprogram: program again a group that @program has accepted: write all registers, without checks
 * @start: start the programmed group's counters
 * @stop: stop the counters, and clear the event selects that the session has enabled in a bank that
 *	CPUs share
 * @pause: stop the counters of a bank that is not &bpmu_bank.wary, until @change and @start. NULL
 *	for the core
 * @read: read the scheduled group's raw values, [nr events]
 * @reset_metrics: set slots and PERF_METRICS to 0; NULL in banks without them
 * @programmed: returns true if the registers of the scheduled group, whose counters are stopped,
 *	hold what was written
 * @intact: returns true if all registers of the bank hold what was written
 * @counting: returns true if the counters are enabled; does only those checks of @intact that are
 *	cheap enough for each sample. NULL for the core, whose bpmu_core_counting() is inline
 *
 * All but @claim, @unclaim, @needs, @reserve and @unreserve are called on the CPU with interrupts
 * off. @change, @reprogram, @start, @stop, @pause, @read, @reset_metrics, @counting and @intact are
 * on the sampling path.
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
	bool (*change)(struct bpmu_bank *bank, const struct bpmu_plan_group *before);
	void (*reprogram)(struct bpmu_bank *bank);
	void (*start)(struct bpmu_bank *bank);
	void (*stop)(struct bpmu_bank *bank);
	void (*pause)(struct bpmu_bank *bank);
	void (*read)(const struct bpmu_bank *bank, u64 *values);
	void (*reset_metrics)(struct bpmu_bank *bank);
	bool (*programmed)(const struct bpmu_bank *bank);
	bool (*intact)(const struct bpmu_bank *bank);
	bool (*counting)(const struct bpmu_bank *bank);
};

/**
 * struct bpmu_bank_type - how a bank is programmed, which CPUs reach it, and sentences on refusals
 * @ops: operations on the bank's registers
 * @busy: sentence that names the possible users when &bpmu_bank_ops.save returns
 *	&bpmu_bank_ops.busy_error
 * @busy_unbound: replaces @busy on parts with discovery tables or MCHBAR. There perf uses the
 *	registers without binding to a PCI device, so &bpmu_bank_ops.claim cannot keep perf out, and
 *	perf's PMUs have other names. NULL if @busy holds there too
 * @unlike: sentence that says how packages differ, for when @attach returns -ENODEV; NULL if
 *	@attach never does
 * @missing: sentence for a counter that this machine lacks
 * @legal: sentence that names the fields of an event select; NULL for the core and for free-running
 *	registers
 * @legal_client: replaces @legal on a client; NULL if @legal holds there too
 * @unit: &enum bpmu_unit whose PCI devices have the registers; 0 if the registers are MSRs
 * @is_core: the bank is the core PMU, whose functions the sampling path calls without @ops
 * @all_core_types: CPUs of all core types have the registers of the bank's groups and may read
 *	them; false if only CPUs of the session's first core type may
 * @shares: returns true if two CPUs reach the same registers, so that one of them reads for the
 *	other; NULL if each logical CPU has its own. Context: any
 * @attach: find the registers that this CPU reaches; returns -ENODEV if the CPU's package lacks
 *	them, or has other registers than the first package. NULL if each CPU has the registers.
 *	Context: this CPU, interrupts off
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
 * bpmu_bank_in_use() - check if a bank of this CPU has groups
 * @bank: the bank
 *
 * Context: this CPU, or another one while this CPU does not sample.
 * Return: true if the bank has groups.
 */
static inline bool bpmu_bank_in_use(const struct bpmu_bank *bank)
{
	return bank->groups;
}

#endif /* BPMU_BANK_H */
