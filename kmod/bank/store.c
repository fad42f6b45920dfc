// SPDX-License-Identifier: GPL-2.0
/*
 * The CPU writes a record to a linear address, by the page tables in use. With page-table isolation
 * those of a user's process lack the kernel's memory, and the CPU cannot take a page fault there:
 * the probe then leaves these records out. Without it the direct map is in all page tables. The
 * area, which says where records go, is in front of the records.
 *
 * A record has the basic group. If an event's records have memory accesses, MSR_PEBS_DATA_CFG adds
 * them to those of all events of the session, so that all records have one size; the event selects
 * have the bit for that (BPMU_SEL_ADAPTIVE). Else this register is left alone.
 *
 * The event that is recorded, the first one after the counter's overflow, sets the counter to a
 * reset value, also if each record interrupts. The reset value then is 1, as if the counter had
 * gone on from its overflow with the recorded event. If the CPU writes many records before it
 * interrupts, the value before is taken for 1 too. Of an event that occurs several times in a
 * cycle, those in the same cycle as the recorded one may be missing.
 */
#include "store.h"

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "lbr.h"

/* the value that a counter has after the recorded event, counted from its overflow */
#define RECORDED 1

static struct bpmu_ds *ds_of(const struct bpmu_bank *bank)
{
	return bank->pebs->buffer;
}

/* Returns the first byte of the records, which are behind the area. */
static void *records_of(const struct bpmu_bank *bank)
{
	return ds_of(bank) + 1;
}

static u32 store_bytes(const struct bpmu_bank *bank)
{
	return bank->pebs->bytes - sizeof(struct bpmu_ds);
}

/**
 * bpmu_store_used() - check if another agent makes this CPU write into a debug store (DS)
 * @pmu: PMU of this CPU
 *
 * Context: this CPU, interrupts off.
 * Return: true if records of events (PEBS) or of branches (BTS) are on, on a part whose precise
 * records the module would have in a debug store.
 */
bool bpmu_store_used(const struct bpmu_pmu *pmu)
{
	u64 debugctl = 0, enable = 0;

	lockdep_assert_irqs_disabled();
	if (!bpmu_pmu_has_store(pmu))
		return false;
	rdmsrq_safe(BPMU_MSR_DEBUGCTL, &debugctl);
	rdmsrq_safe(BPMU_MSR_PEBS_ENABLE, &enable);
	return enable || debugctl & BPMU_DEBUGCTL_BTS;
}

/* Returns true if records can have other groups than the basic one, by MSR_PEBS_DATA_CFG. */
static bool has_groups(const struct bpmu_bank *bank)
{
	return bank->pmu->pebs_format > BPMU_DS_ADAPTIVE;
}

/* Writes the registers by functions that survive a fault, as under some hypervisors. */
static int try_store(const struct bpmu_bank *bank)
{
	const struct bpmu_pebs *pebs = bank->pebs;
	int err;

	err = wrmsrq_safe(BPMU_MSR_DS_AREA, (unsigned long)pebs->buffer);
	err |= wrmsrq_safe(BPMU_MSR_PEBS_ENABLE, bank->pmu->pebs);
	err |= wrmsrq_safe(BPMU_MSR_PEBS_ENABLE, pebs->enable);
	if (has_groups(bank))
		err |= wrmsrq_safe(BPMU_MSR_PEBS_DATA_CFG, pebs->groups);
	err |= wrmsrq_safe(BPMU_MSR_DS_AREA, pebs->area);
	return err;
}

/**
 * bpmu_store_save() - save the registers of the debug store (DS), and of PEBS into it
 * @bank: core bank with a buffer for precise records, its counters are stopped
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if a register cannot be read or written.
 */
int bpmu_store_save(const struct bpmu_bank *bank)
{
	struct bpmu_pebs *pebs = bank->pebs;
	int err;

	lockdep_assert_irqs_disabled();
	err = rdmsrq_safe(BPMU_MSR_DS_AREA, &pebs->area);
	err |= rdmsrq_safe(BPMU_MSR_PEBS_ENABLE, &pebs->enable);
	if (has_groups(bank))
		err |= rdmsrq_safe(BPMU_MSR_PEBS_DATA_CFG, &pebs->groups);
	pebs->enabled = 0;
	pebs->asked = 0;
	return err || try_store(bank) ? -EIO : 0;
}

/**
 * bpmu_store_restore() - restore the registers of the debug store (DS), and of PEBS into it
 * @bank: core bank whose counters are stopped
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_store_restore(const struct bpmu_bank *bank)
{
	struct bpmu_pebs *pebs = bank->pebs;

	lockdep_assert_irqs_disabled();
	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, pebs->enable);
	bpmu_wrmsr(BPMU_MSR_DS_AREA, pebs->area);
	if (pebs->asked)
		bpmu_wrmsr(BPMU_MSR_PEBS_DATA_CFG, pebs->groups);
	pebs->enabled = 0;
	pebs->asked = 0;
}

/**
 * bpmu_store_reload() - set from where an event is counted after each of its PEBS records
 * @bank: core bank whose counters are stopped
 * @event: index in the group of an event with precise records
 * @value: value to which the CPU will set the event's counter
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_store_reload(const struct bpmu_bank *bank, u32 event, u64 value)
{
	u32 counter = bpmu_plan_counter(&bank->group->event[event], bank->thread);
	u32 slot = counter;

	if (counter >= BPMU_FIXED_BASE)
		slot += BPMU_DS_FIRST_FIXED(bank->pmu->pebs_format - 1) - BPMU_FIXED_BASE;
	WRITE_ONCE(ds_of(bank)->reset[slot], value);
}

/**
 * bpmu_store_program() - turn on the PEBS records of a group's events in the debug store (DS)
 * @bank: core bank with a scheduled group, its counters are stopped. With a batch of several
 *	records, &bpmu_pebs.reload has the first values of the counters
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_store_program(const struct bpmu_bank *bank)
{
	const struct bpmu_plan_event *event = bank->group->event;
	struct bpmu_pebs *pebs = bank->pebs;
	struct bpmu_ds *ds = ds_of(bank);
	u64 enable = 0;
	u32 i;

	pebs->asked = bpmu_plan_group_has_data(bank->group) ? BPMU_DS_MEMORY : 0;
	pebs->size = BPMU_DS_RECORD_BYTES + (pebs->asked ? BPMU_DS_MEMORY_BYTES : 0);
	*ds = (struct bpmu_ds){
		.base = (unsigned long)records_of(bank),
		.maximum = (unsigned long)records_of(bank) + store_bytes(bank),
	};
	bpmu_store_clear(bank);
	for (i = 0; i < bank->group->nr; i++) {
		if (!event[i].precise)
			continue;
		enable |= BIT_ULL(bpmu_plan_counter(&event[i], bank->thread));
		bpmu_store_reload(bank, i, pebs->batch > 1 ? pebs->reload[i] : RECORDED);
	}
	bpmu_wrmsr(BPMU_MSR_DS_AREA, (unsigned long)ds);
	if (pebs->asked)
		bpmu_wrmsr(BPMU_MSR_PEBS_DATA_CFG, pebs->asked);
	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, enable);
	pebs->enabled = enable;
}

/**
 * bpmu_store_intact() - check if the registers of the debug store (DS) hold what was written
 * @bank: core bank with a programmed group that has precise records
 *
 * KVM writes IA32_DS_AREA when it leaves a guest, if perf has a debug store.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if they do.
 */
bool bpmu_store_intact(const struct bpmu_bank *bank)
{
	const struct bpmu_pebs *pebs = bank->pebs;

	return bpmu_rdmsr(BPMU_MSR_DS_AREA) == (unsigned long)pebs->buffer &&
	       bpmu_rdmsr(BPMU_MSR_PEBS_ENABLE) == pebs->enabled &&
	       (!pebs->asked || bpmu_rdmsr(BPMU_MSR_PEBS_DATA_CFG) == pebs->asked);
}

/**
 * bpmu_store_end() - find how far the CPU has written PEBS records into the debug store (DS)
 * @bank: core bank with a buffer for records
 * @overrun: set to true if the buffer has no room for a further record, so that the CPU may have
 *	lost some without a trace; NULL if not wanted
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: offset in the records of the first byte behind the last record.
 */
u32 bpmu_store_end(const struct bpmu_bank *bank, bool *overrun)
{
	const struct bpmu_ds *ds = ds_of(bank);
	u64 index = READ_ONCE(ds->index);

	if (overrun)
		*overrun = index + bank->pebs->size > ds->maximum;
	return index - ds->base;
}

/* Returns what a record's @words have of retire latency, as a word of architectural PEBS. */
static u64 retire_of(const struct bpmu_bank *bank, const u64 *words)
{
	if (!bpmu_pmu_retires(bank->pmu, words[BPMU_DS_COUNTERS]))
		return 0;
	return BPMU_PEBS_RETIRE_KNOWN | BPMU_DS_RETIRE_CYCLES(words[0]);
}

/* Returns the memory access of a record of @size bytes; NULL if the record lacks it. */
static const struct bpmu_data_access *access_of(const u64 *words, u32 size)
{
	if (!(words[0] & BPMU_DS_MEMORY) || size < BPMU_DS_RECORD_BYTES + BPMU_DS_MEMORY_BYTES)
		return NULL;
	return (const void *)words + BPMU_DS_RECORD_BYTES;
}

/**
 * bpmu_store_read() - read the next PEBS record of the debug store (DS)
 * @bank: core bank with a buffer for records
 * @at: offset in the records, 0 at first; set to the offset behind the record
 * @end: offset behind the last record, from bpmu_store_end()
 * @record: set to the content of the record; &bpmu_pebs_record.access is in the records
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: true; or false if there is no further record, or if the records from *@at on are not
 * understood. *@at is @end only in the first case.
 */
bool bpmu_store_read(const struct bpmu_bank *bank, u32 *at, u32 end,
		     struct bpmu_pebs_record *record)
{
	const u64 *words = records_of(bank) + *at;
	u32 size;

	if (end > store_bytes(bank) || *at + BPMU_DS_RECORD_BYTES > end)
		return false;
	size = BPMU_DS_RECORD_SIZE(words[0]);
	if (size < BPMU_DS_RECORD_BYTES || *at + size > end)
		return false;
	*at += size;
	*record = (struct bpmu_pebs_record){
		.ip = words[BPMU_DS_IP],
		.counters = words[BPMU_DS_COUNTERS],
		.tsc = words[BPMU_DS_TSC],
		.retire = retire_of(bank, words),
		.reset = words[BPMU_DS_COUNTERS],
		.access = access_of(words, size),
	};
	return true;
}

/**
 * bpmu_store_clear() - let the CPU write PEBS records from the debug store's beginning again
 * @bank: core bank with a buffer for records; its counters are stopped
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_store_clear(const struct bpmu_bank *bank)
{
	struct bpmu_ds *ds = ds_of(bank);

	WRITE_ONCE(ds->index, ds->base);
	WRITE_ONCE(ds->threshold, ds->base + bank->pebs->batch * bank->pebs->size);
}
