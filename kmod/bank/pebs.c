// SPDX-License-Identifier: GPL-2.0
/*
 * IA32_PEBS_BASE holds the physical address of the buffer for records. The CPU can hence write a
 * record whatever page tables are in use, also while page-table isolation hides the kernel's memory
 * from a user's process. PEBS before the architectural format uses linear addresses: bank/store.c.
 *
 * If the CPU interrupts at each record, it does not reload the counter. The counter goes on from
 * its overflow, and the interrupt's handler sets the counter back, as it does with counters whose
 * events have no precise records. If the CPU writes many records before it interrupts, it reloads
 * the counter after each one. The record has the counter's value before that, so that each event is
 * in exactly one period here too. Periods are random in both cases. Those that begin between two
 * reads of the buffer are equal, and have no small factor in common with the length of a loop; the
 * first record after a read ends a period that began before it.
 */
#include "pebs.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/topology.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "store.h"

/*
 * Bytes of a record with the basic group and values of counters. A record begins at a multiple of
 * STEP, the unit of IA32_PEBS_INDEX. That the CPU fills up a record whose size is no such multiple
 * is an assumption.
 */
#define STEP 16
#define HEADER_BYTES 16
#define BASIC_BYTES (sizeof(u64) * BPMU_PEBS_WORDS)
#define RECORD_BYTES(counters) ALIGN(sizeof(u64) * (BPMU_PEBS_VALUES + (counters)), STEP)
/* the longest record of a session without branch records, and of one with them */
#define RECORD_MOST(branches) \
	((branches) ? BPMU_STORE_RECORD_MOST : RECORD_BYTES(BPMU_MAX_COUNTERS))
/*
 * The buffer has room for this many times the records after which the CPU interrupts: the CPU goes
 * on until the NMI comes.
 */
#define ROOM 2
/* A record that has counts as well interrupts alone, so that a page has room for it. */
static_assert(ROOM * (BPMU_STORE_RECORD_MOST + BPMU_STORE_COUNTS_MOST) <=
	      PAGE_SIZE - sizeof(struct bpmu_ds));
/* Groups of a record that the module reads. Others would come before the group of counters. */
#define KNOWN_GROUPS (BPMU_PEBS_BASIC | BPMU_PEBS_HAS_COUNTERS)
/*
 * Bits of a record's header that are no groups: size, mode, continuation, and the lowest of the
 * five bits of counters (Linux, struct arch_pebs_header). If the CPU copies the register of the
 * counter, this one is BPMU_CONFIG_ALLOW, which says nothing about the record.
 */
#define NO_GROUPS GENMASK_ULL(35, 0)

/**
 * bpmu_pebs_order() - size of a CPU's buffer for precise records (PEBS)
 * @batch: number of records after which the CPU interrupts
 * @branches: records may have branches
 *
 * Context: any.
 * Return: n for a buffer of 2^n pages.
 */
unsigned int bpmu_pebs_order(u32 batch, bool branches)
{
	return get_order(ROOM * batch * RECORD_MOST(branches));
}

/**
 * bpmu_pebs_most() - maximum of a session's precise records (PEBS) after which a CPU interrupts
 * @pmu: PMU of the CPU
 * @branches: records have branches, if the PMU can write them
 *
 * Context: any.
 * Return: 0 if the CPU writes no precise records; 1 if more would lack the time or the value of
 * their counter.
 */
u32 bpmu_pebs_most(const struct bpmu_pmu *pmu, bool branches)
{
	if (!pmu->pebs)
		return 0;
	if (bpmu_pmu_has_store(pmu))
		return min_t(u32, BPMU_MAX_BATCH, bpmu_store_most(pmu, branches) / ROOM ?: 1);
	return pmu->pebs_values ? BPMU_MAX_BATCH : 1;
}

/**
 * bpmu_pebs_alloc() - allocate a CPU's buffer for precise records (PEBS)
 * @pebs: zeroed but for &bpmu_pebs.batch and &bpmu_pebs.branches; @pebs->buffer and what belongs
 *	to it is set
 * @cpu: the CPU
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int bpmu_pebs_alloc(struct bpmu_pebs *pebs, unsigned int cpu)
{
	void *kernels = bpmu_pmu_has_store(bpmu_pmu_of(cpu)) ? bpmu_store_page(cpu) : NULL;
	unsigned int order = kernels ? 0 : bpmu_pebs_order(pebs->batch, pebs->branches);
	struct page *page = alloc_pages_node(cpu_to_node(cpu), GFP_KERNEL_ACCOUNT | __GFP_ZERO,
					     order);

	if (!page)
		return -ENOMEM;
	pebs->bytes = PAGE_SIZE << order;
	pebs->buffer = kernels ?: page_address(page);
	pebs->page = kernels ? page_address(page) : NULL;
	return 0;
}

/**
 * bpmu_pebs_free() - free a CPU's buffer for precise records (PEBS)
 * @pebs: zeroed, or from bpmu_pebs_alloc(); no CPU writes into the buffer
 *
 * Context: process.
 */
void bpmu_pebs_free(const struct bpmu_pebs *pebs)
{
	free_pages((unsigned long)(pebs->page ?: pebs->buffer), get_order(pebs->bytes));
}

/**
 * bpmu_pebs_status() - bit of the global status by which precise records (PEBS) interrupt
 * @pmu: PMU of the CPU
 *
 * Context: any; the sampling path.
 * Return: the bit.
 */
u64 bpmu_pebs_status(const struct bpmu_pmu *pmu)
{
	return bpmu_pmu_has_store(pmu) ? BPMU_STATUS_STORE : BPMU_STATUS_PEBS;
}

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
	if (!pebs->buffer)
		return 0;
	pebs->store = bpmu_pmu_has_store(bank->pmu);
	if (pebs->store)
		return bpmu_store_save(bank);
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
	if (!pebs->buffer)
		return;
	if (bank->pebs->store) {
		bpmu_store_restore(bank);
		return;
	}
	for (; left; left &= left - 1) {
		u32 counter = __ffs(left);

		bpmu_wrmsr(bpmu_pmu_config_msr(counter), pebs->config[pebs_slot_of(counter)]);
	}
	bpmu_wrmsr(BPMU_MSR_PEBS_INDEX, pebs->index);
	bpmu_wrmsr(BPMU_MSR_PEBS_BASE, pebs->base);
}

/**
 * bpmu_pebs_intact() - check if the PEBS registers of a debug store (DS) hold what was written
 * @bank: core bank
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true also if no group with precise records is programmed, and with architectural PEBS,
 * whose registers are of the counters that no other agent can have.
 */
bool bpmu_pebs_intact(const struct bpmu_bank *bank)
{
	return !bank->pebs || !bank->pebs->enabled || bpmu_store_intact(bank);
}

/**
 * bpmu_pebs_reload() - set from where an event is counted after each of its PEBS records
 * @bank: core bank whose counters are stopped, with a batch of several records
 * @event: index in the group of an event with precise records
 * @value: value to which the CPU will set the event's counter; its distance from overflow has at
 *	most 31 bits
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_pebs_reload(const struct bpmu_bank *bank, u32 event, u64 value)
{
	u32 counter = bpmu_plan_counter(&bank->group->event[event], bank->thread);

	bank->pebs->reload[event] = value;
	if (bank->pebs->store) {
		bpmu_store_reload(bank, event, value);
		return;
	}
	bpmu_wrmsr(bpmu_pmu_config_msr(counter), BPMU_CONFIG_PEBS | BPMU_CONFIG_COUNTERS |
		   (value & BPMU_CONFIG_RELOAD));
}

/*
 * Writes the register that turns on an event's records, or that allows the value of its counter in
 * the records of other events. Records that interrupt one by one are not reloaded.
 */
static void write_config(const struct bpmu_bank *bank, u32 event)
{
	u32 counter = bpmu_plan_counter(&bank->group->event[event], bank->thread);
	u64 config = bank->pebs->counts ? BPMU_CONFIG_ALLOW : 0;

	if (bank->group->event[event].precise) {
		config |= BPMU_CONFIG_PEBS;
		if (bank->pebs->counts)
			config |= BPMU_CONFIG_COUNTERS;
		if (bank->setup->metrics)
			config |= BPMU_CONFIG_METRICS;
	}
	if (bank->pmu->pebs & BIT_ULL(counter))
		bpmu_wrmsr(bpmu_pmu_config_msr(counter), config);
}

/*
 * Returns the bytes of a record in a batch of several. It has the values of all events with precise
 * records.
 */
static u32 record_bytes(const struct bpmu_bank *bank)
{
	u32 i, nr = 0;

	for (i = 0; i < bank->group->nr; i++)
		nr += bank->group->event[i].precise;
	return RECORD_BYTES(nr);
}

/**
 * bpmu_pebs_program() - turn on the PEBS records of a group's events
 * @bank: core bank with a scheduled group, its counters are stopped. With a batch of several
 *	records, &bpmu_pebs.reload has the first values of the counters
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pebs_program(const struct bpmu_bank *bank)
{
	const struct bpmu_plan_event *event = bank->group->event;
	struct bpmu_pebs *pebs = bank->pebs;
	unsigned long left = bank->pmu->pebs;
	u32 i;

	if (!pebs->buffer)
		return;
	if (bank->pebs->store) {
		bpmu_store_program(bank);
		return;
	}
	bpmu_wrmsr(BPMU_MSR_PEBS_BASE,
		   virt_to_phys(pebs->buffer) |
		   bpmu_pebs_order(pebs->batch, pebs->branches));
	pebs->threshold = BPMU_PEBS_ON |
			  BPMU_PEBS_THRESHOLD((pebs->batch - 1) * record_bytes(bank) + STEP);
	bpmu_pebs_clear(bank);
	for (; left; left &= left - 1)
		bpmu_wrmsr(bpmu_pmu_config_msr(__ffs(left)), 0);
	for (i = 0; i < bank->group->nr; i++)
		if (event[i].precise && pebs->batch > 1)
			bpmu_pebs_reload(bank, i, pebs->reload[i]);
		else if (event[i].precise || pebs->counts)
			write_config(bank, i);
}

/**
 * bpmu_pebs_disarm() - keep counters that have overflowed from writing a PEBS record of their event
 * @bank: core bank with a buffer for records; its counters are stopped
 *
 * Nothing is done with architectural PEBS, which names the counter of each record.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of the counters that had overflowed and written no record since.
 */
u64 bpmu_pebs_disarm(const struct bpmu_bank *bank)
{
	return bank->pebs->store ? bpmu_store_disarm(bank) : 0;
}

/* Stores what a record's @words say of the values of counters and of PERF_METRICS. */
static void read_counters(const u64 *words, u32 size, struct bpmu_pebs_record *record)
{
	u64 groups = *words & ~NO_GROUPS;

	record->held = 0;
	record->slots = NULL;
	if (groups & BPMU_PEBS_HAS_COUNTERS && !(groups & ~KNOWN_GROUPS))
		bpmu_precise_values(record, words + BPMU_PEBS_HELD, size - BASIC_BYTES,
				    groups & BPMU_CONFIG_METRICS);
}

/*
 * Returns the bytes of the record at @offset and of what fills it up; 0 if there is no whole record
 * before @end, which is in the buffer.
 */
static u32 step_at(const struct bpmu_pebs *pebs, u32 offset, u32 end)
{
	const u64 *words = pebs->buffer + offset;
	u32 size;

	if (offset + HEADER_BYTES > end)
		return 0;
	size = BPMU_PEBS_SIZE(*words);
	if (size < (*words & BPMU_PEBS_BASIC ? BASIC_BYTES : HEADER_BYTES) ||
	    offset + ALIGN(size, STEP) > end)
		return 0;
	return ALIGN(size, STEP);
}

/*
 * Finds the next record with the basic group from offset *@at on, and sets *@at to the offset
 * behind it. Returns its words; NULL if there is no such record. Sets the members of @record that
 * say where the record has the values of counters. They hold for the next record, too, if it has
 * the same header and the same counters, so that bpmu_pebs_read() need not look for them again.
 */
static noinline const u64 *find_record(const struct bpmu_pebs *pebs, u32 *at, u32 end,
				       struct bpmu_pebs_record *record)
{
	const u64 *words;
	u32 step;

	if (!*at && end > pebs->bytes)
		return NULL;
	do {
		words = pebs->buffer + *at;
		step = step_at(pebs, *at, end);
		*at += step;
	} while (step && !(*words & BPMU_PEBS_BASIC));
	if (!step)
		return NULL;
	record->reset = 0;
	read_counters(words, BPMU_PEBS_SIZE(*words), record);
	record->header = *words;
	record->step = record->slots || (*words & BPMU_PEBS_HAS_COUNTERS && !record->held) ?
			       0 : step;
	return words;
}

/**
 * bpmu_pebs_read_other() - read the next PEBS record that has an event, if it is not like the last
 * @bank: core bank with a buffer for records
 * @at: offset in the buffer, 0 at first
 * @end: offset behind the last record, from bpmu_pebs_end()
 * @record: as for bpmu_pebs_read()
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: as bpmu_pebs_read().
 */
u32 bpmu_pebs_read_other(const struct bpmu_bank *bank, u32 at, u32 end,
			 struct bpmu_pebs_record *record)
{
	const u64 *words;

	record->counters = 0;
	record->mixed = false;
	if (bank->pebs->store) {
		bpmu_store_read(bank, &at, end, record);
		return at;
	}
	words = find_record(bank->pebs, &at, end, record);
	if (words)
		bpmu_pebs_fill(words, record);
	return at;
}
