// SPDX-License-Identifier: GPL-2.0
/*
 * When a counter overflows, the CPU freezes its branch records before the interrupt's handler runs,
 * so that the newest record is that of the last branch before the overflow. Up to version 3 of
 * architectural performance monitoring the CPU freezes the records by clearing the bit of
 * IA32_DEBUGCTL that turns them on. From version 4 on it sets a bit of the global status, and goes
 * on to record branches when the handler clears that bit.
 *
 * The register that turns the records on is written at the end of each interrupt: a debug exception
 * turns them off, and some CPUs lose its value in deep sleep (Linux, arch/x86/events/intel/lbr.c).
 *
 * If the records are a call stack, the CPU does not freeze them: that could add or drop a call
 * (Linux, lbr.c, __intel_pmu_lbr_enable()). The handler's own calls are not recorded, since they
 * are in the kernel. Nor does the CPU freeze them if all branches come from precise records, many
 * of which it writes before it interrupts: what it writes until the handler runs would have old
 * branches.
 *
 * A branch record does not say which thread has executed the branch. All records are therefore
 * cleared when the CPU switches to another thread, or exchanged if they are a call stack.
 */
#include "branches.h"

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>

#include <asm/current.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "lbr.h"
#include "precise.h"

static bool is_architectural(const struct bpmu_pmu *pmu)
{
	return pmu->lbr.format == BPMU_LBR_ARCH;
}

/* Returns the register that turns the branch records on, and sets @on to the bit that does. */
static u32 control_of(const struct bpmu_pmu *pmu, u64 *on)
{
	if (is_architectural(pmu)) {
		*on = BPMU_LBR_CTL_ON;
		return bpmu_lbr_msrs(&pmu->lbr)->filter;
	}
	*on = BPMU_DEBUGCTL_LBR;
	return BPMU_MSR_DEBUGCTL;
}

/* Checks if the branch records are on, which a debug exception or another agent may turn off. */
static bool are_on(const struct bpmu_pmu *pmu)
{
	u64 on;

	return bpmu_rdmsr(control_of(pmu, &on)) & on;
}

/**
 * bpmu_branches_recorded() - check if this CPU records branches
 * @pmu: PMU of this CPU
 *
 * Context: this CPU, interrupts off.
 * Return: true if an agent has turned on the records that the module would use.
 */
bool bpmu_branches_recorded(const struct bpmu_pmu *pmu)
{
	u64 value, on;

	lockdep_assert_irqs_disabled();
	return pmu->lbr.depth && !rdmsrq_safe(control_of(pmu, &on), &value) && value & on;
}

/*
 * Reads each register of the branch records once, by functions that survive a fault. The functions
 * of the sampling path do not survive one. Returns 0, or nonzero if a register cannot be read.
 */
static int try_records(const struct bpmu_lbr *lbr)
{
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u64 value;
	int err = 0;
	u32 i;

	for (i = 0; i < lbr->depth; i++) {
		err |= rdmsrq_safe(msrs->from + i, &value);
		err |= rdmsrq_safe(msrs->to + i, &value);
		if (msrs->info)
			err |= rdmsrq_safe(msrs->info + i, &value);
	}
	if (msrs->newest)
		err |= rdmsrq_safe(msrs->newest, &value);
	return err;
}

/*
 * Writes each register of a call stack once, by functions that survive a fault. Returns 0, or
 * nonzero if a register cannot be written.
 */
static int try_calls(const struct bpmu_lbr *lbr)
{
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	int err = 0;
	u32 i;

	for (i = 0; i < lbr->depth; i++) {
		err |= wrmsrq_safe(msrs->from + i, 0);
		err |= wrmsrq_safe(msrs->to + i, 0);
	}
	if (msrs->newest)
		err |= wrmsrq_safe(msrs->newest, 0);
	return err;
}

/**
 * bpmu_branches_save() - save the control registers of this CPU's branch records
 * @bank: core bank with interrupts; nothing is done if the session does not read branch records
 *
 * If the records are a call stack, they are cleared.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if a register cannot be read, or written where that is needed.
 */
int bpmu_branches_save(const struct bpmu_bank *bank)
{
	struct bpmu_branches *branches = bank->branches;
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	const struct bpmu_lbr_msrs *msrs;
	int err;

	lockdep_assert_irqs_disabled();
	if (!branches)
		return 0;
	msrs = bpmu_lbr_msrs(lbr);
	err = rdmsrq_safe(BPMU_MSR_DEBUGCTL, &branches->debugctl);
	err |= rdmsrq_safe(msrs->filter, &branches->filter);
	if (msrs->depth)
		err |= rdmsrq_safe(msrs->depth, &branches->depth);
	err |= try_records(lbr);
	if (!err && branches->calls)
		err = try_calls(lbr);
	return err ? -EIO : 0;
}

/*
 * Sets those bits of IA32_DEBUGCTL that control branch records to their values in @value. Keeps the
 * other bits.
 */
static void set_debugctl(u64 value)
{
	u64 bits = BPMU_DEBUGCTL_LBR | BPMU_DEBUGCTL_FREEZE;

	bpmu_wrmsr(BPMU_MSR_DEBUGCTL, (bpmu_rdmsr(BPMU_MSR_DEBUGCTL) & ~bits) | (value & bits));
}

/* Checks if the CPU has to freeze the records when it interrupts: the handler reads them then. */
static bool must_freeze(const struct bpmu_bank *bank)
{
	return !bank->branches->calls && bank->pebs->batch == 1;
}

static void clear_frozen(const struct bpmu_pmu *pmu)
{
	if (pmu->version >= BPMU_VERSION_FREEZES)
		bpmu_wrmsr(pmu->part->msrs.global_ovf, BPMU_STATUS_LBR_FROZEN);
}

/**
 * bpmu_branches_restore() - restore the control registers of branch records, and clear the records
 * @bank: core bank whose counters are stopped; nothing is done if it reads no branch records
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_branches_restore(const struct bpmu_bank *bank)
{
	const struct bpmu_branches *branches = bank->branches;
	const struct bpmu_lbr_msrs *msrs;

	lockdep_assert_irqs_disabled();
	if (!branches)
		return;
	msrs = bpmu_lbr_msrs(&bank->pmu->lbr);
	set_debugctl(branches->debugctl);
	bpmu_wrmsr(msrs->filter, branches->filter);
	bpmu_branches_clear(bank);
	if (msrs->depth)
		bpmu_wrmsr(msrs->depth, branches->depth);
	clear_frozen(bank->pmu);
}

/*
 * Returns the privilege levels at which the group's interrupting events are counted, as bits OS and
 * USR of an event select.
 */
static u64 levels_of(const struct bpmu_plan_group *group)
{
	u64 levels = 0;
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (group->event[i].period)
			levels |= group->event[i].select;
	return levels & (BPMU_SEL_OS | BPMU_SEL_USR);
}

/**
 * bpmu_branches_program() - begin to record branches at the privilege levels of a group's events
 * @bank: with a scheduled group, its counters are stopped; nothing is done if it reads no branch
 *	records
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_branches_program(const struct bpmu_bank *bank)
{
	struct bpmu_branches *branches = bank->branches;

	if (!branches)
		return;
	branches->programmed = branches->calls ?
				       bpmu_lbr_calls(&bank->pmu->lbr) :
				       bpmu_lbr_filter(&bank->pmu->lbr, levels_of(bank->group));
	branches->owner = NULL;
	bpmu_branches_clear(bank);
	bpmu_wrmsr(bpmu_lbr_msrs(&bank->pmu->lbr)->filter, branches->programmed);
	bpmu_branches_resume(bank);
}

/*
 * Returns the number of the newest record; 0 if the CPU numbers its records from the newest on.
 */
static u32 newest_record(const struct bpmu_lbr_msrs *msrs)
{
	return msrs->newest ? bpmu_rdmsr(msrs->newest) : 0;
}

/* Returns the number of the record that is @i records older than the newest one, number @newest. */
static u32 record_at(const struct bpmu_lbr *lbr, u32 newest, u32 i)
{
	return bpmu_lbr_msrs(lbr)->newest ? (newest - i) & (lbr->depth - 1) : i;
}

/*
 * Reads the record that is @i records older than the newest one, number @newest, into @to. Returns
 * false if there is none.
 */
static bool read_record(const struct bpmu_lbr *lbr, u32 newest, u32 i, struct bpmu_branch *to)
{
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u32 at = record_at(lbr, newest, i);

	to->from = bpmu_rdmsr(msrs->from + at);
	if (!to->from)
		return false;
	to->to = bpmu_rdmsr(msrs->to + at);
	bpmu_lbr_decode(lbr, msrs->info ? bpmu_rdmsr(msrs->info + at) : 0, to);
	return true;
}

/**
 * bpmu_branches_read() - read the branch records of this CPU
 * @bank: reads branch records, which are frozen
 * @to: set to the records, the newest branch first, [BPMU_MAX_BRANCHES]
 *
 * Context: this CPU, NMI.
 * Return: number of records that were stored at @to.
 */
u32 bpmu_branches_read(const struct bpmu_bank *bank, struct bpmu_branch *to)
{
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	u32 newest = newest_record(bpmu_lbr_msrs(lbr));
	u32 i;

	for (i = 0; i < lbr->depth && read_record(lbr, newest, i, to + i); i++)
		;
	return i;
}

/**
 * bpmu_branches_decode() - convert the branch records that a precise record of this CPU has
 * @bank: reads branch records
 * @words: source, target and info of each, the newest first, [3 * @nr]
 * @nr: their number
 * @to: set to the records, [BPMU_MAX_BRANCHES]
 *
 * Context: any; the sampling path.
 * Return: number of records that were stored at @to.
 */
u32 bpmu_branches_decode(const struct bpmu_bank *bank, const u64 *words, u32 nr,
			 struct bpmu_branch *to)
{
	u32 i;

	for (i = 0; i < nr && i < BPMU_MAX_BRANCHES && words[0]; i++) {
		to[i].from = words[0];
		to[i].to = words[1];
		bpmu_lbr_decode(&bank->pmu->lbr, words[2], to + i);
		words += BPMU_DS_BRANCH_WORDS;
	}
	return i;
}

/**
 * bpmu_branches_calls() - read the branch records of this CPU that are a call stack
 * @bank: reads branch records, which are a call stack
 * @to: set to addresses in the calls that have not returned, one byte into each, the innermost call
 *	first, [@most]
 * @most: maximum number of addresses
 * @flags: set to %BPMU_SECTION_CUT if there are or may be more calls; to %BPMU_SECTION_BROKEN if a
 *	debug exception or another agent has turned the records off, or if the CPU is about to
 *	switch to another thread and has its calls already; else to 0
 *
 * Records that were turned off still have calls that have returned since: bpmu_branches_resume()
 * clears them.
 *
 * Context: this CPU, NMI.
 * Return: number of addresses that were stored at @to.
 */
u32 bpmu_branches_calls(const struct bpmu_bank *bank, u64 *to, u32 most, u16 *flags)
{
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u32 newest = newest_record(msrs);
	const struct task_struct *owner = READ_ONCE(bank->branches->owner);
	struct bpmu_branch call = { };
	u32 i;

	*flags = BPMU_SECTION_BROKEN;
	if (owner && owner != current)
		return 0;
	if (!are_on(bank->pmu))
		return 0;
	*flags = 0;
	for (i = 0; i < lbr->depth; i++) {
		call.from = bpmu_rdmsr(msrs->from + record_at(lbr, newest, i));
		if (!call.from)
			return i;
		if (i == most)
			break;
		bpmu_lbr_decode(lbr, 0, &call);
		to[i] = call.from + 1;
	}
	*flags = BPMU_SECTION_CUT;
	return i;
}

/**
 * bpmu_branches_take_calls() - read the call stack of a thread that is about to stop
 * @bank: reads branch records, which are a call stack
 * @to: set to the calls; none if the records were turned off
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_branches_take_calls(const struct bpmu_bank *bank, struct bpmu_calls *to)
{
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u32 newest = newest_record(msrs);
	u32 at;

	to->nr = 0;
	if (!are_on(bank->pmu))
		return;
	while (to->nr < lbr->depth) {
		at = record_at(lbr, newest, to->nr);
		to->from[to->nr] = bpmu_rdmsr(msrs->from + at);
		if (!to->from[to->nr])
			break;
		to->to[to->nr++] = bpmu_rdmsr(msrs->to + at);
	}
}

/**
 * bpmu_branches_put_calls() - give the CPU the call stack of a thread that is about to run
 * @bank: reads branch records, which are a call stack
 * @calls: calls of the thread that have not returned; NULL if they are not known
 * @owner: the thread
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_branches_put_calls(const struct bpmu_bank *bank, const struct bpmu_calls *calls,
			     const struct task_struct *owner)
{
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u32 nr = calls ? calls->nr : 0;
	u32 i, at;

	WRITE_ONCE(bank->branches->owner, owner);
	if (!nr || msrs->depth)
		bpmu_branches_clear(bank);
	if (!nr)
		return;
	if (msrs->newest)
		bpmu_wrmsr(msrs->newest, nr - 1);
	for (i = 0; i < nr; i++) {
		at = record_at(lbr, nr - 1, i);
		bpmu_wrmsr(msrs->from + at, calls->from[i]);
		bpmu_wrmsr(msrs->to + at, calls->to[i]);
	}
	for (; !msrs->depth && i < lbr->depth; i++)
		bpmu_wrmsr(msrs->from + record_at(lbr, nr - 1, i), 0);
}

/**
 * bpmu_branches_clear() - forget the branches that this CPU has recorded so far
 * @bank: reads branch records
 *
 * On CPUs without a register that clears all records, the address of each branch is set to 0. The
 * address of the branch's target is kept, but is not read any more.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_branches_clear(const struct bpmu_bank *bank)
{
	const struct bpmu_lbr *lbr = &bank->pmu->lbr;
	const struct bpmu_lbr_msrs *msrs = bpmu_lbr_msrs(lbr);
	u32 i;

	if (msrs->depth) {
		bpmu_wrmsr(msrs->depth, lbr->depth);
		return;
	}
	for (i = 0; i < lbr->depth; i++)
		bpmu_wrmsr(msrs->from + i, 0);
}

/**
 * bpmu_branches_resume() - let this CPU go on to record branches after it has frozen the records
 * @bank: programmed by bpmu_branches_program(), its counters are stopped; nothing is done if it
 *	reads no branch records
 *
 * Context: this CPU, NMI or interrupts off.
 */
void bpmu_branches_resume(const struct bpmu_bank *bank)
{
	u64 on;

	if (!bank->branches)
		return;
	/* Calls may have returned since the records were turned off. */
	if (bank->branches->calls && !are_on(bank->pmu))
		bpmu_branches_clear(bank);
	on = must_freeze(bank) ? BPMU_DEBUGCTL_FREEZE : 0;
	clear_frozen(bank->pmu);
	if (is_architectural(bank->pmu))
		bpmu_wrmsr(bpmu_lbr_msrs(&bank->pmu->lbr)->filter, bank->branches->programmed);
	else
		on |= BPMU_DEBUGCTL_LBR;
	set_debugctl(on);
}
