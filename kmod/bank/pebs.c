// SPDX-License-Identifier: GPL-2.0
/*
 * IA32_PEBS_BASE holds the physical address of the buffer for records. The CPU can hence write a
 * record whatever page tables are in use, also while page-table isolation hides the kernel's memory
 * from a user's process. PEBS before the architectural format used virtual addresses.
 *
 * The CPU does not reload a counter after a record. The counter goes on from its overflow, and the
 * interrupt's handler sets the counter back, as it does with counters whose events have no precise
 * records. Periods can therefore be random, and each event is in exactly one period.
 */
#include "pebs.h"

#include <linux/bits.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"

/*
 * Size of the buffer for records: 2^BUFFER_SHIFT pages of 4 KiB. The module uses records of 64
 * bytes, the smallest size.
 */
#define BUFFER_SHIFT 0
#define BUFFER_BYTES 4096

static unsigned int pebs_slot_of(u32 counter)
{
	return counter < BPMU_FIXED_BASE ? counter : BPMU_MAX_GP + counter - BPMU_FIXED_BASE;
}

/**
 * bpmu_pebs_save() - save the PEBS registers (precise records) of this CPU
 * @bank: core bank with interrupts; nothing is done if no event has precise records
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if a register cannot be read.
 */
int bpmu_pebs_save(const struct bpmu_bank *bank)
{
	struct bpmu_pebs *pebs = bank->pebs;
	unsigned long left = bank->pmu->pebs;
	int err;

	lockdep_assert_irqs_disabled();
	if (!pebs->page)
		return 0;
	err = rdmsrq_safe(BPMU_MSR_PEBS_BASE, &pebs->base);
	err |= rdmsrq_safe(BPMU_MSR_PEBS_INDEX, &pebs->index);
	for (; left; left &= left - 1) {
		u32 counter = __ffs(left);

		err |= rdmsrq_safe(bpmu_pmu_config_msr(counter),
				   &pebs->config[pebs_slot_of(counter)]);
	}
	return err ? -EIO : 0;
}

/**
 * bpmu_pebs_restore() - restore the PEBS registers of this CPU
 * @bank: core bank whose counters are stopped
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pebs_restore(const struct bpmu_bank *bank)
{
	const struct bpmu_pebs *pebs = bank->pebs;
	unsigned long left = bank->pmu->pebs;

	lockdep_assert_irqs_disabled();
	if (!pebs->page)
		return;
	for (; left; left &= left - 1) {
		u32 counter = __ffs(left);

		bpmu_wrmsr(bpmu_pmu_config_msr(counter), pebs->config[pebs_slot_of(counter)]);
	}
	bpmu_wrmsr(BPMU_MSR_PEBS_INDEX, pebs->index);
	bpmu_wrmsr(BPMU_MSR_PEBS_BASE, pebs->base);
}

/*
 * Returns the bit set of the counters on which the group's events with precise records are counted.
 */
static u64 wanted(const struct bpmu_bank *bank)
{
	const struct bpmu_plan_event *event = bank->group->event;
	u64 set = 0;
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		if (event[i].precise)
			set |= BIT_ULL(bpmu_plan_counter(&event[i], bank->thread));
	return set;
}

/**
 * bpmu_pebs_program() - turn on the PEBS records of a group's events
 * @bank: core bank with a scheduled group, its counters are stopped
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pebs_program(const struct bpmu_bank *bank)
{
	const struct bpmu_pebs *pebs = bank->pebs;
	unsigned long left = bank->pmu->pebs;
	u64 set;

	if (!pebs->page)
		return;
	set = wanted(bank);
	bpmu_wrmsr(BPMU_MSR_PEBS_BASE, virt_to_phys(pebs->page) | BUFFER_SHIFT);
	bpmu_pebs_clear();
	for (; left; left &= left - 1) {
		u32 counter = __ffs(left);

		bpmu_wrmsr(bpmu_pmu_config_msr(counter),
			   set & BIT_ULL(counter) ? BPMU_CONFIG_PEBS : 0);
	}
}

/**
 * bpmu_pebs_end() - find how far the CPU has written PEBS records
 *
 * Context: this CPU, which has a page for records; its counters are stopped; NMI.
 * Return: offset in the page of the first byte behind the last record.
 */
u32 bpmu_pebs_end(void)
{
	return BPMU_PEBS_OFFSET(bpmu_rdmsr(BPMU_MSR_PEBS_INDEX));
}

/**
 * bpmu_pebs_read() - read a PEBS record
 * @bank: core bank whose counters are stopped
 * @offset: offset in the page at which the record begins
 * @end: offset behind the last record, from bpmu_pebs_end()
 * @record: set to the content of the record
 *
 * Context: this CPU, NMI.
 * Return: offset of the next record; 0 if there is none at @offset.
 */
u32 bpmu_pebs_read(const struct bpmu_bank *bank, u32 offset, u32 end,
		   struct bpmu_pebs_record *record)
{
	const u64 *words = bank->pebs->page + offset;
	u32 size;

	if (end > BUFFER_BYTES || offset + BPMU_PEBS_WORDS * sizeof(*words) > end)
		return 0;
	size = BPMU_PEBS_SIZE(*words);
	if (!(*words & BPMU_PEBS_BASIC) || size < BPMU_PEBS_WORDS * sizeof(*words))
		return 0;
	record->counters = words[BPMU_PEBS_COUNTERS];
	record->ip = words[BPMU_PEBS_IP];
	record->tsc = words[BPMU_PEBS_TSC];
	return offset + size;
}

/**
 * bpmu_pebs_clear() - let the CPU write PEBS records from the beginning again
 *
 * Context: this CPU, which has a page for records; its counters are stopped; interrupts off or NMI.
 */
void bpmu_pebs_clear(void)
{
	bpmu_wrmsr(BPMU_MSR_PEBS_INDEX, BPMU_PEBS_ON | BPMU_PEBS_AT_EACH);
}
