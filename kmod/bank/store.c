// SPDX-License-Identifier: GPL-2.0
/*
 * The CPU writes a record to a linear address, by the page tables in use. With page-table isolation
 * those of a user's process lack the kernel's memory, and the CPU cannot take a page fault there.
 * They have the kernel's page for a debug store, one of each CPU: records go there, and the page
 * has its content of before at the end. Only perf uses it, and only while it holds the counters.
 * Without isolation the direct map is in all page tables. The area, which says where records go, is
 * in front of the records.
 *
 * Before the adaptive formats all records have the same groups, the memory access among them. Up
 * to format 2 they have no time, so that the CPU interrupts at each one, and the time of the
 * interrupt is taken. They do not name the counter either, but have the global status: the bits of
 * all counters that have overflowed. If there are several with precise records, none of their
 * events can be told to be the recorded one. Some CPUs have been seen to write no bit (Linux,
 * intel_pmu_drain_pebs_nhm()): if only one counter has precise records, it is that one. In format 1
 * the address is that of the instruction after the one that caused the event.
 *
 * An adaptive record has the basic group. If an event's records have memory accesses, or the
 * session's have branches or counts, MSR_PEBS_DATA_CFG adds them to those of all events of the
 * session, so that all records have one size; the event selects have the bit for that
 * (BPMU_SEL_ADAPTIVE). Else this register is left alone. A record has the branches before its
 * event, unlike the registers at the interrupt.
 *
 * The event that is recorded, the first one after the counter's overflow, sets the counter to a
 * reset value, also if each record interrupts. The reset value then is 1, as if the counter had
 * gone on from its overflow with the recorded event. If the CPU writes many records before it
 * interrupts, the value before is taken for 1 too. Of an event that occurs several times in a
 * cycle, those in the same cycle as the recorded one may be missing.
 */
#include "store.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>

#include <asm/cpu_entry_area.h>
#include <asm/cpufeature.h>

#include "bank.h"
#include "branches.h"
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

/* Checks if the records of a PMU have their time. */
static bool has_time(const struct bpmu_pmu *pmu)
{
	return pmu->pebs_format > BPMU_DS_TIMED;
}

/*
 * Returns the bytes of the longest record of a PMU, if it is adaptive with the memory access, and
 * with branches if @branches is true.
 */
static u32 record_most(const struct bpmu_pmu *pmu, bool branches)
{
	u32 bytes = bpmu_pmu_record_bytes(pmu);

	if (!bpmu_pmu_has_groups(pmu))
		return bytes;
	return bytes + BPMU_DS_MEMORY_BYTES +
	       (branches ? pmu->lbr.depth * BPMU_DS_BRANCH_BYTES : 0);
}

/**
 * bpmu_store_page() - the kernel's page for a debug store (DS), which all page tables of a CPU have
 * @cpu: the CPU
 *
 * Context: any.
 * Return: the page; NULL if page tables are not isolated, or if the CPU is not Intel's, so that
 * other memory does.
 */
void *bpmu_store_page(unsigned int cpu)
{
	return boot_cpu_has(X86_FEATURE_PTI) ? &get_cpu_entry_area(cpu)->cpu_debug_store : NULL;
}

/**
 * bpmu_store_most() - number of PEBS records for which a debug store (DS) has room
 * @pmu: PMU of a CPU with a debug store
 * @branches: the records have branches, if they are adaptive
 *
 * Context: any.
 * Return: the number; 1 if records lack their time, so that the CPU must interrupt at each one;
 * %BPMU_MAX_BATCH and more if the session allocates the memory.
 */
u32 bpmu_store_most(const struct bpmu_pmu *pmu, bool branches)
{
	if (!has_time(pmu))
		return 1;
	if (!boot_cpu_has(X86_FEATURE_PTI))
		return U32_MAX;
	return (PAGE_SIZE - sizeof(struct bpmu_ds)) / record_most(pmu, branches);
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

/* Returns the set of the counters whose precise records are on. */
static u64 counters_on(const struct bpmu_bank *bank)
{
	return bank->pebs->enabled & bank->pmu->pebs;
}

/*
 * Returns the bits of IA32_PEBS_ENABLE by which a set of general counters counts loads by their
 * latency: 0 from the adaptive formats on, whose bits there are those of fixed counters.
 */
static u64 latency_bits(const struct bpmu_pmu *pmu, u64 counters)
{
	return bpmu_pmu_has_groups(pmu) ? 0 : counters << BPMU_DS_LATENCY_SHIFT;
}

/* Returns the bits of IA32_PEBS_ENABLE of an event with precise records. */
static u64 enable_bits(const struct bpmu_bank *bank, const struct bpmu_plan_event *event)
{
	u64 counter = BIT_ULL(bpmu_plan_counter(event, bank->thread));

	switch (bpmu_data_access_kind(bank->pmu->part, event->select)) {
	case BPMU_DATA_ACCESS_LOAD_LATENCY:
		return counter | latency_bits(bank->pmu, counter);
	case BPMU_DATA_ACCESS_PRECISE_STORE:
		return counter | BPMU_DS_STORES;
	default:
		return counter;
	}
}

/* Returns all bits of IA32_PEBS_ENABLE that a session may set. */
static u64 all_enable_bits(const struct bpmu_pmu *pmu)
{
	if (pmu->part->data_source == BPMU_DATA_SOURCE_UNKNOWN)
		return pmu->pebs;
	return pmu->pebs | latency_bits(pmu, pmu->pebs) |
	       (pmu->part->data_source == BPMU_DATA_SOURCE_SNB ? BPMU_DS_STORES : 0);
}

/* Returns the bits of MSR_PEBS_DATA_CFG by which records have the values of a set of counters. */
static u64 values_of(u64 counters)
{
	return BPMU_DS_VALUES | BPMU_DS_GENERAL_OF(counters) | BPMU_DS_FIXED_OF(counters) |
	       (counters & BIT_ULL(BPMU_METRICS_COUNTER) ? BPMU_DS_METRICS : 0);
}

/* Writes the registers by functions that survive a fault, as under some hypervisors. */
static int try_store(const struct bpmu_bank *bank)
{
	const struct bpmu_pebs *pebs = bank->pebs;
	int err;

	err = wrmsrq_safe(BPMU_MSR_DS_AREA, (unsigned long)pebs->buffer);
	err |= wrmsrq_safe(BPMU_MSR_PEBS_ENABLE, all_enable_bits(bank->pmu));
	err |= wrmsrq_safe(BPMU_MSR_PEBS_ENABLE, pebs->enable);
	if (pebs->counts)
		err |= wrmsrq_safe(BPMU_MSR_PEBS_DATA_CFG,
				   values_of(bpmu_pmu_counters(bank->pmu)));
	if (bpmu_pmu_has_groups(bank->pmu))
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
	if (bpmu_pmu_has_groups(bank->pmu))
		err |= rdmsrq_safe(BPMU_MSR_PEBS_DATA_CFG, &pebs->groups);
	pebs->enabled = 0;
	pebs->asked = 0;
	if (pebs->page)
		memcpy(pebs->page, pebs->buffer, PAGE_SIZE);
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
	if (pebs->page)
		memcpy(pebs->buffer, pebs->page, PAGE_SIZE);
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

/* Sets which groups records have beside the basic one, and how long this makes them. */
static void ask(const struct bpmu_bank *bank)
{
	u32 branches = bank->pebs->branches ? bank->pmu->lbr.depth : 0;
	struct bpmu_pebs *pebs = bank->pebs;
	u64 values;

	pebs->asked = 0;
	pebs->size = bpmu_pmu_record_bytes(bank->pmu);
	if (!bpmu_pmu_has_groups(bank->pmu))
		return;
	if (bpmu_plan_group_has_data(bank->group)) {
		pebs->asked |= BPMU_DS_MEMORY;
		pebs->size += BPMU_DS_MEMORY_BYTES;
	}
	if (branches) {
		pebs->asked |= BPMU_DS_BRANCHES_OF(branches);
		pebs->size += branches * BPMU_DS_BRANCH_BYTES;
	}
	if (pebs->counts) {
		values = values_of(bank->setup->enable);
		pebs->asked |= values;
		pebs->size += sizeof(values) * (BPMU_HELD_VALUES +
						hweight64(BPMU_DS_NAMED(values)) +
						(values & BPMU_DS_METRICS ? 2 : 0));
	}
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
	u32 i;

	ask(bank);
	*ds = (struct bpmu_ds){
		.base = (unsigned long)records_of(bank),
		.maximum = (unsigned long)records_of(bank) + store_bytes(bank),
	};
	bpmu_store_clear(bank);
	/* A counter that had overflowed when it was stopped writes no record of its old period. */
	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, 0);
	pebs->enabled = 0;
	for (i = 0; i < bank->group->nr; i++) {
		if (!event[i].precise)
			continue;
		pebs->enabled |= enable_bits(bank, &event[i]);
		bpmu_store_reload(bank, i, pebs->batch > 1 ? pebs->reload[i] : RECORDED);
	}
	bpmu_wrmsr(BPMU_MSR_DS_AREA, (unsigned long)ds);
	if (pebs->asked)
		bpmu_wrmsr(BPMU_MSR_PEBS_DATA_CFG, pebs->asked);
	bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, counters_on(bank));
	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, pebs->enabled);
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

/* Returns what a record's @words have of retire latency, as a word of architectural PEBS. */
static u64 retire_of(const struct bpmu_bank *bank, const u64 *words)
{
	if (!bpmu_pmu_retires(bank->pmu, words[BPMU_DS_COUNTERS]))
		return 0;
	return BPMU_PEBS_RETIRE_KNOWN | BPMU_DS_RETIRE_CYCLES(words[0]);
}

/* Finds the groups of a record of @size bytes, as far as it has them. */
static void find_groups(const u64 *words, u32 size, struct bpmu_pebs_record *record)
{
	u32 nr = BPMU_DS_BRANCHES_NR(words[0]);
	u32 at = BPMU_DS_RECORD_BYTES;

	if (words[0] & BPMU_DS_MEMORY) {
		if (at + BPMU_DS_MEMORY_BYTES > size)
			return;
		record->access = (const void *)words + at;
		at += BPMU_DS_MEMORY_BYTES;
	}
	if (words[0] & BPMU_DS_UNKNOWN)
		return;
	if (words[0] & BPMU_DS_BRANCHES) {
		if (at + nr * BPMU_DS_BRANCH_BYTES > size)
			return;
		record->branches = (const void *)words + at;
		record->nr_branches = nr;
		at += nr * BPMU_DS_BRANCH_BYTES;
	}
	if (words[0] & BPMU_DS_VALUES)
		bpmu_precise_values(record, (const void *)words + at, size - at,
				    words[0] & BPMU_DS_METRICS);
}

/*
 * Reads the record @words of a format before the adaptive ones, as bpmu_store_read(). Returns false
 * if there is no whole one.
 */
static bool read_legacy(const struct bpmu_bank *bank, const u64 *words, u32 *at, u32 end,
			struct bpmu_pebs_record *record)
{
	u32 ip = bpmu_pmu_pebs_names(bank->pmu) ? BPMU_DS_LEGACY_IP : BPMU_DS_LEGACY_NEXT;
	u32 size = bpmu_pmu_record_bytes(bank->pmu);
	u64 on = counters_on(bank);
	u64 counters, named;

	if (*at + size > end)
		return false;
	*at += size;
	named = words[BPMU_DS_LEGACY_COUNTERS] & on;
	counters = named ?: on;
	*record = (struct bpmu_pebs_record){
		.counters = counters,
		.reset = counters,
		.ip = words[ip],
		.access = (const void *)(words + BPMU_DS_LEGACY_ACCESS),
	};
	if (has_time(bank->pmu))
		record->tsc = words[BPMU_DS_LEGACY_TSC];
	if (!named || !has_time(bank->pmu))
		record->mixed = !is_power_of_2(counters);
	return true;
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

	if (bank->pmu->pebs_format <= BPMU_DS_ADAPTIVE)
		return end <= store_bytes(bank) && read_legacy(bank, words, at, end, record);
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
	};
	find_groups(words, size, record);
	return true;
}

/**
 * bpmu_store_disarm() - keep counters that have overflowed from writing a PEBS record (DS)
 * @bank: core bank with a buffer for records; its counters are stopped
 *
 * Only its own record clears the overflow bit of a counter, and all records have the bits that are
 * set: those of the counters that are disarmed are cleared here.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of the counters that had overflowed and written no record since.
 */
u64 bpmu_store_disarm(const struct bpmu_bank *bank)
{
	const struct bpmu_msrs *msrs = &bank->pmu->part->msrs;
	u64 on = counters_on(bank);
	u64 armed = bpmu_rdmsr(msrs->global_status) & on;

	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, 0);
	bpmu_wrmsr(BPMU_MSR_PEBS_ENABLE, bank->pebs->enabled);
	bpmu_wrmsr(msrs->global_ovf, on);
	return armed;
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
