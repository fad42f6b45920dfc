// SPDX-License-Identifier: GPL-2.0
/*
 * The handler of overflow interrupts. The kernel calls it for every NMI of the CPU, also for NMIs
 * of other agents. It may interrupt any code, also a sampler that takes a sample. Therefore the
 * handler takes no lock, and allocates and prints nothing. Its records have a buffer, times and
 * sequence numbers of their own, apart from those of samples.
 *
 * The handler may not take more than a quarter of a CPU's time. If it takes more, all periods are
 * doubled; if it takes little, longer periods are halved again. Each record says for how many
 * events it stands, so that longer periods lose no counts, only detail.
 *
 * If the CPU writes many precise records before it interrupts, the records name no thread. They are
 * therefore taken from its buffer before each switch of threads, with interrupts off, and at each
 * sample. The buffer of records has one producer at a time: meanwhile @draining is true, and the
 * NMI's handler stores nothing. In such a session all events that interrupt have precise records,
 * so that an NMI that comes meanwhile has nothing to store but these.
 */
#include "overflow.h"

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/log2.h>
#include <linux/netlink.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include <asm/nmi.h>

#include "data_access.h"
#include "bank/bank.h"
#include "bank/branches.h"
#include "bank/interrupts.h"
#include "buffer.h"
#include "calls.h"
#include "chain.h"
#include "events.h"
#include "intel.h"
#include "machine/cpu_run.h"
#include "machine/tsc.h"
#include "switches.h"
#include "unwind.h"
#include "who.h"

/* Number of interrupts after which the handler's share of the CPU's time is judged. */
#define JUDGED 64
/*
 * The handler may take 1 / SHARE_MOST of the CPU's time. Periods become shorter again if it takes
 * less than 1 / SHARE_LITTLE.
 */
#define SHARE_MOST 4
#define SHARE_LITTLE 16
/*
 * Periods become at most 2^19 times as long; the shortest allowed period is then about 2^29 events.
 */
#define SHIFT_MOST 19
/*
 * How many times one call of the handler looks for overflow bits. Without a limit, a bit that
 * cannot be cleared would keep the CPU in the handler forever.
 */
#define ROUNDS 4
/*
 * Bits of the global status by which precise records interrupt. &bpmu_interrupts.counters, of which
 * the handler's status is a part, has only bpmu_pebs_status().
 */
#define PRECISE (BPMU_STATUS_PEBS | BPMU_STATUS_STORE)
/* Bytes of a unit of the buffer; each record takes several units. */
#define UNIT 8
/*
 * The buffer's size assumes call chains whose length is on average 1 / CHAIN_USUAL of the longest
 * one that the session allows.
 */
#define CHAIN_USUAL 4

/**
 * struct overflow - state of the handler on one CPU
 * @bank: core bank of the CPU, NULL if none of its events interrupts
 * @buffer: buffer of the CPU's records
 * @chain: maximum number of addresses in the call chains of a record; 0: no call chains
 * @branches: records have a section of branch records
 * @counts: records have a section of counts
 * @data: events ask for a section of memory accesses
 * @more: @branches, @counts or @data
 * @known: the counts of the precise record that is being stored, [nr events of the group]
 * @all_known: the precise record has them
 * @reserved: units of the longest record behind its first unit
 * @precise: the last precise record of the CPU. The next one is mostly alike
 * @who: the current task, while precise records of a batch are stored
 * @op: the registers of the sampled op that is being stored
 * @fetch: those of the sampled fetch
 * @draining: precise records are being taken outside of the NMI
 * @seq: number of the next record
 * @shift: the periods of the session are multiplied by 2^@shift
 * @nr: number of interrupts since @since, and of reads of precise records outside of them
 * @since: TSC when the handler's share of the time was last judged
 * @spent: TSC ticks spent in the handler since @since
 */
struct overflow {
	const struct bpmu_bank *bank;
	struct bpmu_buffer *buffer;
	u32 chain;
	bool branches;
	bool counts;
	bool data;
	bool more;
	u64 known[BPMU_MAX_COUNTERS];
	bool all_known;
	u32 reserved;
	struct bpmu_pebs_record precise;
	struct bpmu_who who;
	struct bpmu_ibs_sample op;
	struct bpmu_ibs_fetch fetch;
	bool draining;
	u64 seq;
	u32 shift;
	u32 nr;
	u64 since;
	u64 spent;
};

static DEFINE_PER_CPU(struct overflow, overflows);

/*
 * Returns the bytes of the longest section of branch records; 0 in a session without branch
 * records.
 */
static u32 branches_size(bool branches)
{
	return branches ? sizeof(struct bpmu_section) +
			  BPMU_MAX_BRANCHES * sizeof(struct bpmu_branch) : 0;
}

/* Returns the bytes of the longest section of counts; 0 in a session without counts. */
static u32 counts_size(bool counts)
{
	return counts ? sizeof(struct bpmu_section) + BPMU_MAX_COUNTERS * sizeof(u64) : 0;
}

/*
 * Returns the bytes of the section of a sampled op, or of a memory access; 0 in a session without
 * either.
 */
static u32 op_size(bool ops)
{
	return ops ? sizeof(struct bpmu_section) + sizeof(struct bpmu_tagged_op) : 0;
}

/* Returns the bytes of the section of a sampled fetch; 0 in a session without them. */
static u32 fetch_size(bool fetches)
{
	return fetches ? sizeof(struct bpmu_section) + sizeof(struct bpmu_fetched) : 0;
}

/* Returns the bytes of the section of retire latency; 0 in a session without precise records. */
static u32 retired_size(bool precise)
{
	return precise ? sizeof(struct bpmu_section) + sizeof(struct bpmu_retired) : 0;
}

/*
 * Returns the bytes of the longest record of a session if call chains had @chain addresses in place
 * of as many as the session allows.
 */
static u32 longest_record(const struct bpmu_settings *settings, u32 chain)
{
	return sizeof(struct bpmu_overflow) + bpmu_chain_size(chain) +
	       branches_size(bpmu_settings_has_branches(settings)) + counts_size(settings->counts) +
	       op_size(settings->ops || settings->data) + fetch_size(settings->fetches) +
	       retired_size(settings->precise);
}

/*
 * Stores the section of branch records, those of the CPU, or those of @precise if it is not NULL.
 * Returns the section's size in bytes.
 */
static noinline u32 fill_branches(struct bpmu_section *section, const struct bpmu_bank *bank,
				  const struct bpmu_pebs_record *precise)
{
	struct bpmu_branch *to = (struct bpmu_branch *)(section + 1);
	u32 nr;

	if (precise)
		nr = bpmu_branches_decode(bank, precise->branches, precise->nr_branches, to);
	else
		nr = bpmu_branches_read(bank, to);
	section->id = BPMU_SECTION_BRANCHES;
	section->flags = 0;
	section->size = sizeof(*section) + nr * sizeof(*to);
	return section->size;
}

/*
 * Stores the section of counts, those of the precise record if it has them. Returns the section's
 * size in bytes.
 */
static u32 fill_counts(struct bpmu_section *section, const struct overflow *o)
{
	u32 bytes = o->all_known ? o->bank->group->nr * sizeof(*o->known) : 0;

	section->id = BPMU_SECTION_COUNTS;
	section->flags = o->all_known ? 0 : BPMU_SECTION_BROKEN;
	section->size = sizeof(*section) + bytes;
	memcpy(section + 1, o->known, bytes);
	return section->size;
}

/*
 * Stores the section of the retire latency of @precise, and returns the section's size in bytes; 0,
 * without a section, if the record lacks the latency.
 */
static u32 fill_retired(struct bpmu_section *section, const struct bpmu_pebs_record *precise)
{
	struct bpmu_retired *retired = (struct bpmu_retired *)(section + 1);

	if (!(precise->retire & BPMU_PEBS_RETIRE_KNOWN))
		return 0;
	section->id = BPMU_SECTION_RETIRED;
	section->flags = 0;
	section->size = retired_size(true);
	retired->latency = BPMU_PEBS_RETIRE_CYCLES(precise->retire);
	retired->pad = 0;
	return section->size;
}

/*
 * Stores the section of the memory access of @precise, a record of event number @event, and returns
 * the section's size in bytes; 0, without a section, if the event asks for none.
 */
static u32 fill_access(struct bpmu_section *section, const struct bpmu_bank *bank, u32 event,
		       const struct bpmu_pebs_record *precise)
{
	const struct bpmu_plan_event *of = &bank->group->event[event];
	struct bpmu_tagged_op *op = (struct bpmu_tagged_op *)(section + 1);

	if (!of->data || !precise->access)
		return 0;
	section->id = BPMU_SECTION_OP;
	section->flags = 0;
	section->size = op_size(true);
	bpmu_data_access_decode(bank->pmu, of->select, precise->access, op);
	return section->size;
}

/*
 * Stores the section of @sample, the op that IBS has sampled, and the op's address, if it is known.
 * Returns the section's size in bytes.
 */
static u32 fill_op(struct bpmu_section *section, struct bpmu_who *who,
		   const struct bpmu_bank *bank, const struct bpmu_ibs_sample *sample)
{
	section->id = BPMU_SECTION_OP;
	section->flags = 0;
	section->size = op_size(true);
	bpmu_ibs_decode(bank->pmu->ibs, bank->pmu->ibs_1293, sample,
			(struct bpmu_tagged_op *)(section + 1));
	if (bpmu_ibs_has_rip(bank->pmu->ibs, sample))
		bpmu_who_at(who, sample->rip);
	return section->size;
}

/*
 * Stores the section of @sample, the fetch that IBS has sampled, and the fetch's address. Returns
 * the section's size in bytes.
 */
static u32 fill_fetch(struct bpmu_section *section, struct bpmu_who *who,
		      const struct bpmu_bank *bank, const struct bpmu_ibs_fetch *sample)
{
	section->id = BPMU_SECTION_FETCH;
	section->flags = 0;
	section->size = fetch_size(true);
	bpmu_ibs_fetch_decode(bank->pmu->ibs, sample, (struct bpmu_fetched *)(section + 1));
	bpmu_who_at(who, sample->linear);
	return section->size;
}

/* Fills in a record but for who was interrupted and the record's size. */
static __always_inline void fill_head(struct bpmu_overflow *record, u64 seq, u32 event, u64 period,
				      u64 tsc)
{
	record->seq = seq;
	record->tsc = tsc;
	record->period = period;
	record->cpu = smp_processor_id();
	record->event = event;
}

/*
 * Begins the record of one overflow: event number @event of the group overflowed after a period of
 * @period events. The caller fills in who was interrupted, adds sections and sets the size. Returns
 * the record, or NULL if the buffer is full. end_overflow() must end it in both cases.
 */
static __always_inline struct bpmu_overflow *begin_overflow(struct overflow *o, u32 event,
							    u64 period, u64 tsc)
{
	struct bpmu_overflow *record = bpmu_buffer_produce(o->buffer, o->reserved);
	u64 seq = o->seq++;

	if (!record)
		return NULL;
	fill_head(record, seq, event, period, tsc);
	return record;
}

/* Makes a record of begin_overflow() visible, or counts it as lost if it is NULL. */
static __always_inline void end_overflow(struct overflow *o, const struct bpmu_overflow *record,
					 u64 now)
{
	bool wake = record ? bpmu_buffer_commit(o->buffer, record->size / UNIT) :
			     bpmu_buffer_drop(o->buffer, now);

	if (wake)
		bpmu_events_watermark();
}

/*
 * Stores the sections of a record that few sessions ask for: branches, counts, the memory access.
 * The session asks for one of them. @precise: the precise record, or NULL. @counts: as of store().
 * Returns the sections' size in bytes.
 */
static noinline u32 fill_more(void *to, struct overflow *o, u32 event,
			      const struct bpmu_pebs_record *precise, bool counts)
{
	u32 size = 0;

	if (o->branches)
		size = fill_branches(to, o->bank, precise && precise->branches ? precise : NULL);
	if (o->counts && counts)
		size += fill_counts(to + size, o);
	if (o->data && precise)
		size += fill_access(to + size, o->bank, event, precise);
	return size;
}

/*
 * Stores the record of one overflow: event number @event of the group overflowed after a period of
 * @period events. @precise: the CPU has written the precise record @o->precise of the overflow.
 * @counts: the record gets a section of counts, if the session has counts. @counter: number of the
 * counter if it is one of IBS, which has sampled the op @o->op or the fetch @o->fetch; else any
 * other number.
 */
static __always_inline void store(struct overflow *o, u32 event, u64 period, u64 now,
				  struct pt_regs *regs, bool precise, bool counts, u32 counter)
{
	const struct bpmu_pebs_record *from = &o->precise;
	struct bpmu_overflow *record =
		begin_overflow(o, event, period,
			       precise && from->tsc ? bpmu_tsc_of(from->tsc) : now);
	void *to = record + 1;

	if (record) {
		if (precise)
			bpmu_who_fill_at(&record->who, from->ip);
		else
			bpmu_who_fill(&record->who, regs);
		if (o->chain)
			to += bpmu_chain_fill(to, o->chain, regs, o->bank);
		if (unlikely(o->more))
			to += fill_more(to, o, event, precise ? from : NULL, counts);
		if (precise)
			to += fill_retired(to, from);
		if (counter == BPMU_IBS_COUNTER)
			to += fill_op(to, &record->who, o->bank, &o->op);
		else if (counter == BPMU_FETCH_COUNTER)
			to += fill_fetch(to, &record->who, o->bank, &o->fetch);
		record->size = to - (void *)record;
	}
	end_overflow(o, record, now);
}

/**
 * struct run - precise records that are stored one behind the other, before readers see them
 * @begin: the first one in the buffer
 * @to: where the next one is to be stored
 * @limit: where none can begin any more
 */
struct run {
	void *begin;
	void *to;
	void *limit;
};

/* Lets readers see the records of @run, and finds room for further ones, if there is any. */
static void renew_run(struct overflow *o, struct run *run)
{
	u32 units = (run->to - run->begin) / UNIT;

	if (units && bpmu_buffer_commit(o->buffer, units))
		bpmu_events_watermark();
	run->begin = bpmu_buffer_span(o->buffer, o->reserved, &units);
	run->to = run->begin;
	run->limit = run->to + units * UNIT;
}

/*
 * Stores a record of event number @event for the precise record @precise, and for those behind it
 * in the CPU's buffer that are of the same counter alone and have the same values. Arguments as for
 * store_reloaded(). Returns the number of records.
 */
static int store_run(struct overflow *o, u32 event, u64 now, const struct bpmu_pebs_record *first,
		     u32 *at, u32 end)
{
	const struct bpmu_bank *bank = o->bank;
	/* Records with branches differ in size, and are stored one by one. */
	const bool alone = !o->branches && is_power_of_2(first->counters) &&
			   first->counters & first->held;
	const bool data = bank->group->event[event].data;
	/* The compiler can keep the members of copies in registers. */
	struct bpmu_reloaded counter = bpmu_interrupts_reloaded(bank, event, first);
	struct bpmu_pebs_record precise = *first;
	struct bpmu_who who = o->who;
	struct run run = { };
	u64 value = counter.first;
	u64 seq = o->seq;
	u32 next = *at;

	renew_run(o, &run);
	for (;; value = precise.value[counter.at]) {
		u64 period = bpmu_interrupts_take_reloaded(&counter, value);
		struct bpmu_overflow *record;

		if (unlikely(run.to >= run.limit))
			renew_run(o, &run);
		record = run.to;
		if (likely(run.to < run.limit)) {
			fill_head(record, seq, event, period, bpmu_tsc_of(precise.tsc));
			bpmu_who_at(&who, precise.ip);
			record->who = who;
			run.to = record + 1;
			if (unlikely(o->branches))
				run.to += fill_branches(run.to, bank, first);
			run.to += fill_retired(run.to, &precise);
			if (data)
				run.to += fill_access(run.to, bank, event, &precise);
			record->size = run.to - (void *)record;
		} else {
			end_overflow(o, NULL, now);
		}
		seq++;
		if (!alone || !bpmu_pebs_again(bank->pebs, &next, end, &precise))
			break;
	}
	*at = next;
	seq -= o->seq;
	o->seq += seq;
	bpmu_interrupts_end_reloaded(bank, event, counter);
	renew_run(o, &run);
	return seq;
}

/*
 * Stores a record for each event of the precise record @precise, in a session with a batch of
 * several precise records. Such a session has events with precise records only, and records without
 * call chains and counts. @o->who is the current task. @at is the offset behind @precise in the
 * CPU's buffer, and @end that behind the last one. Precise records behind @precise may be
 * stored, too: @at is then set to the offset behind them. Returns the number of records.
 */
static int store_reloaded(struct overflow *o, u64 now, const struct bpmu_pebs_record *precise,
			  u32 *at, u32 end)
{
	const struct bpmu_bank *bank = o->bank;
	const struct bpmu_plan_event *event = bank->group->event;
	int nr = 0;
	u32 i;

	for (i = 0; i < bank->group->nr; i++, event++)
		if (event->precise &&
		    precise->counters & BIT_ULL(bpmu_plan_counter(event, bank->thread)))
			nr += store_run(o, i, now, precise, at, end);
	return nr;
}

/* Counts a record as lost that cannot be stored. */
static void drop(struct overflow *o, u64 now)
{
	o->seq++;
	if (bpmu_buffer_drop(o->buffer, now))
		bpmu_events_watermark();
}

/*
 * Returns true if the sampled op @o->op is of the kernel. If the op's address is not known, the
 * level is that of the code that the NMI has interrupted, which has @regs.
 */
static bool is_kernel_op(const struct overflow *o, struct pt_regs *regs)
{
	return bpmu_ibs_has_rip(o->bank->pmu->ibs, &o->op) ? (s64)o->op.rip < 0 :
							     !user_mode(regs);
}

/*
 * Returns true if the sampled op or fetch is of a privilege level that its event leaves out. IBS
 * itself has no filter by privilege level.
 */
static bool is_left_out(const struct overflow *o, const struct bpmu_plan_event *event, u32 counter,
			struct pt_regs *regs)
{
	bool kernel = counter == BPMU_FETCH_COUNTER ? (s64)o->fetch.linear < 0 :
						      is_kernel_op(o, regs);
	u64 levels = event->select & (BPMU_SEL_USR | BPMU_SEL_OS);

	if (levels == (BPMU_SEL_USR | BPMU_SEL_OS))
		return false;
	return !(levels & (kernel ? BPMU_SEL_OS : BPMU_SEL_USR));
}

/* Reads the registers of the op or fetch that IBS has sampled by @counter, if it is one of IBS. */
static __always_inline void read_tagged(struct overflow *o, u32 counter)
{
	if (counter == BPMU_IBS_COUNTER)
		bpmu_tagged_read(&o->op);
	else if (counter == BPMU_FETCH_COUNTER)
		bpmu_tagged_read_fetch(o->bank->pmu->ibs, &o->fetch);
}

/* Returns true if @counter has sampled a fetch whose address is not valid, by erratum 1197. */
static bool is_broken(const struct overflow *o, u32 counter)
{
	return counter == BPMU_FETCH_COUNTER && o->bank->pmu->ibs_1197 && !o->fetch.linear;
}

/*
 * Ends the period of event number @event, which IBS counts by @counter, and stores a record of the
 * op or fetch that it has sampled, unless the event leaves it out.
 */
static noinline void store_tagged(struct overflow *o, u32 event, u64 now, struct pt_regs *regs,
				  bool counts, u32 counter)
{
	const struct bpmu_bank *bank = o->bank;
	u64 period;

	/* The next period lets the CPU tag another op, which the registers have then. */
	read_tagged(o, counter);
	period = bpmu_interrupts_take(bank, event, o->shift, true);
	if (is_broken(o, counter))
		drop(o, now);
	else if (is_left_out(o, &bank->group->event[event], counter, regs))
		bpmu_interrupts_leave_out(bank, event, period);
	else
		store(o, event, period, now, regs, false, counts, counter);
}

/*
 * Stores a record for each event that interrupts and is counted by one of @counters; returns the
 * number of records. If @precise is true, only events with precise records are considered, of which
 * @o->precise is one; else only events without precise records. Only the first record
 * gets a section of counts, so that no event is in two records.
 */
static __always_inline int store_all(struct overflow *o, u64 counters, u64 now,
				     struct pt_regs *regs, bool precise)
{
	const struct bpmu_bank *bank = o->bank;
	const struct bpmu_interrupts *state = bank->interrupts;
	int nr = 0;
	u32 i;

	if (precise && o->counts)
		o->all_known = bpmu_interrupts_counts(bank, &o->precise, o->known);
	for (i = 0; i < bank->group->nr; i++) {
		u64 period;

		if (!(counters & (precise ? state->precise[i] : state->plain[i])))
			continue;
		if (unlikely(bpmu_interrupts_is_tagged(bank, i))) {
			store_tagged(o, i, now, regs, !nr, bpmu_interrupts_counter(bank, i));
		} else {
			period = bpmu_interrupts_take(bank, i, o->shift, false);
			store(o, i, period, now, regs, precise, !nr, 0);
		}
		nr++;
	}
	return nr;
}

/*
 * Counts a precise record that the CPU has lost because its buffer was full, or that the module
 * cannot read: at least one. Its period is not known, nor by how much the counter was set back.
 */
static void drop_precise(struct overflow *o, u64 now)
{
	o->bank->interrupts->incomplete = true;
	drop(o, now);
}

/*
 * Ends the periods of the events of @counters, of which precise records do not tell which of them
 * they are of, and counts them as lost. None of them may write a record of the period that has
 * ended: they are disarmed, with all others that have overflowed and written none yet, except those
 * of @told, which have written one.
 */
static void lose_precise(struct overflow *o, u64 counters, u64 told, u64 now)
{
	const struct bpmu_plan_event *event = o->bank->group->event;
	u32 i;

	counters = (counters | bpmu_pebs_disarm(o->bank)) & ~told;
	for (i = 0; i < o->bank->group->nr; i++, event++) {
		if (!event->precise ||
		    !(counters & BIT_ULL(bpmu_plan_counter(event, o->bank->thread))))
			continue;
		bpmu_interrupts_take(o->bank, i, o->shift, false);
		drop(o, now);
	}
}

/*
 * Stores the precise records that the CPU has written, and empties its buffer. @regs are NULL
 * outside of an interrupt. @batch: the session has a batch of several. Returns the number of
 * records.
 */
static __always_inline int store_precise(struct overflow *o, u64 now, struct pt_regs *regs,
					 bool batch)
{
	struct bpmu_pebs_record *record = &o->precise;
	u64 mixed = 0, told = 0;
	u32 at = 0, end, next;
	bool overrun;
	int nr = 0;

	end = bpmu_pebs_end(o->bank, &overrun);
	if (batch)
		bpmu_who_fill(&o->who, regs);
	for (; at != end; at = next) {
		next = bpmu_pebs_read(o->bank, at, end, record);
		if (unlikely(next == at))
			break;
		if (unlikely(record->mixed)) {
			mixed |= record->counters;
			continue;
		}
		/* There was none of an event up to @next: @record has counts of an older one. */
		if (unlikely(!record->counters))
			continue;
		told |= record->counters;
		nr += batch ? store_reloaded(o, now, record, &next, end) :
			      store_all(o, record->counters, now, regs, true);
	}
	if (unlikely(mixed & ~told))
		lose_precise(o, mixed, told, now);
	if (unlikely(overrun || at != end))
		drop_precise(o, now);
	if (batch)
		bpmu_interrupts_reload(o->bank, o->shift);
	if (o->counts)
		bpmu_interrupts_count_anew(o->bank);
	bpmu_pebs_clear(o->bank);
	return nr;
}

static noinline int store_batch(struct overflow *o, u64 now, struct pt_regs *regs)
{
	return store_precise(o, now, regs, true);
}

static __always_inline int store_each(struct overflow *o, u64 now, struct pt_regs *regs)
{
	return store_precise(o, now, regs, false);
}

static __always_inline void adapt_periods(struct overflow *o, u64 begin)
{
	u64 now = bpmu_tsc();
	u64 elapsed = now - o->since;

	o->spent += now - begin;
	if (++o->nr < JUDGED)
		return;
	if (o->spent > elapsed / SHARE_MOST && o->shift < SHIFT_MOST)
		o->shift++;
	else if (o->spent < elapsed / SHARE_LITTLE && o->shift)
		o->shift--;
	o->nr = 0;
	o->spent = 0;
	o->since = now;
}

/* Returns the bank whose overflows interrupt this CPU, or NULL if the module has armed none. */
static const struct bpmu_bank *armed_bank(void)
{
	const struct bpmu_bank *bank = READ_ONCE(this_cpu_ptr(&overflows)->bank);

	return bank && READ_ONCE(bank->interrupts->armed) ? bank : NULL;
}

/*
 * Handles an NMI; returns 1, or 0 if the NMI is another agent's. Whatever the number of overflows:
 * after a larger number the kernel would drop the next NMI that nobody handles.
 */
static int bpmu_overflow_nmi(unsigned int type, struct pt_regs *regs)
{
	struct overflow *o = this_cpu_ptr(&overflows);
	const struct bpmu_bank *bank = armed_bank();
	unsigned int round;
	int nr = 0;
	u64 status;
	u64 begin;

	if (!bank)
		return NMI_DONE;
	if (READ_ONCE(o->draining))
		return bpmu_interrupts_was_ours(bank);
	begin = bpmu_tsc();
	status = bpmu_interrupts_begin(bank);
	if (!status)
		return bpmu_interrupts_was_ours(bank);
	for (round = 0; status && round < ROUNDS; round++) {
		if (status & ~PRECISE)
			nr += store_all(o, status, begin, regs, false);
		if (status & PRECISE)
			nr += bank->pebs->batch > 1 ? store_batch(o, begin, regs) :
						      store_each(o, begin, regs);
		status = bpmu_interrupts_again(bank, status);
	}
	bpmu_interrupts_end(bank, nr);
	adapt_periods(o, begin);
	return NMI_HANDLED;
}

/**
 * bpmu_overflow_drain() - store the precise records that this CPU has written without an interrupt
 *
 * Nothing is done if there are none, or if the CPU has no counters that interrupt. The records are
 * of the current thread.
 *
 * Context: this CPU, interrupts off, in a session with a batch of several records; the sampling
 * path.
 */
void bpmu_overflow_drain(void)
{
	struct overflow *o = this_cpu_ptr(&overflows);
	const struct bpmu_bank *bank = armed_bank();
	u64 begin, control, status;

	if (!bank || !bpmu_pebs_end(bank, NULL))
		return;
	begin = bpmu_tsc();
	WRITE_ONCE(o->draining, true);
	/* An NMI that comes from here on sees @draining: the compiler may not move the rest up. */
	barrier();
	control = bpmu_interrupts_pause(bank);
	store_batch(o, begin, NULL);
	/* If another agent's interrupt has frozen the counters, a sample has to find it. */
	status = bpmu_interrupts_found(bank);
	if (status)
		bpmu_interrupts_again(bank, status);
	adapt_periods(o, begin);
	barrier();
	WRITE_ONCE(o->draining, false);
	bpmu_interrupts_resume(bank, control);
}

static int bpmu_overflow_obstacles_here(void *set)
{
	atomic_or(bpmu_interrupts_obstacles(), set);
	return 0;
}

/**
 * bpmu_overflow_obstacles() - find what keeps a set of CPUs from overflow interrupts
 * @cpus: set of CPUs; offline ones are skipped
 *
 * Context: process, with cpus_read_lock() held.
 * Return: set of &enum bpmu_obstacle, each of which is on at least one CPU; 0: there is none.
 */
u32 bpmu_overflow_obstacles(const struct cpumask *cpus)
{
	atomic_t set = ATOMIC_INIT(0);

	bpmu_cpu_run(cpus, bpmu_overflow_obstacles_here, &set);
	return atomic_read(&set);
}

static int try_freeze_here(void *failed)
{
	if (bpmu_interrupts_try_freeze())
		atomic_inc(failed);
	return 0;
}

static int try_metrics_here(void *failed)
{
	if (bpmu_interrupts_try_metrics())
		atomic_inc(failed);
	return 0;
}

/*
 * Writes the registers that nothing else has written before the handler does. Returns 0, or
 * -EOPNOTSUPP after a sentence was set.
 */
static int check_writes(const struct bpmu_settings *settings, struct netlink_ext_ack *extack)
{
	atomic_t failed = ATOMIC_INIT(0);

	if (settings->check & BPMU_CHECK_FREEZE)
		bpmu_cpu_run(settings->cpus, try_freeze_here, &failed);
	if (atomic_read(&failed)) {
		NL_SET_ERR_MSG(extack,
			       "a CPU does not take the bit by which an interrupt stops its counters (IA32_DEBUGCTL), as under some hypervisors");
		return -EOPNOTSUPP;
	}
	if (settings->metrics)
		bpmu_cpu_run(settings->cpus, try_metrics_here, &failed);
	if (!atomic_read(&failed))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "a CPU does not take 0 in PERF_METRICS, which each record has to set back, as under some hypervisors");
	return -EOPNOTSUPP;
}

static int check(const struct bpmu_settings *settings, struct netlink_ext_ack *extack)
{
	u32 set = bpmu_overflow_obstacles(settings->cpus);

	if (set & BPMU_OBSTACLE_LVTPC)
		NL_SET_ERR_MSG(extack,
			       "another agent has set the overflow interrupt of a CPU (LVTPC); stop it first");
	else if (set & BPMU_OBSTACLE_TRACE)
		NL_SET_ERR_MSG(extack,
			       "Intel PT traces a CPU, and its interrupts stop all counters; stop perf's intel_pt first");
	else if (set & BPMU_OBSTACLE_IBS && settings->ops)
		NL_SET_ERR_MSG(extack,
			       "another agent samples ops of a CPU (IBS); stop it first, such as perf record -e ibs_op//");
	else if (set & BPMU_OBSTACLE_IBS_FETCH && settings->fetches)
		NL_SET_ERR_MSG(extack,
			       "another agent samples fetches of a CPU (IBS); stop it first, such as perf record -e ibs_fetch//");
	else if (set & BPMU_OBSTACLE_IBS_LVT && (settings->ops || settings->fetches))
		NL_SET_ERR_MSG(extack,
			       "the APIC of a CPU does not deliver the interrupts of IBS, which the kernel sets up at boot if firmware has assigned them (extended LVT)");
	else if (set & BPMU_OBSTACLE_STORE && settings->precise)
		NL_SET_ERR_MSG(extack,
			       "another agent lets a CPU write into a debug store (PEBS or BTS); stop it first");
	else if (set & BPMU_OBSTACLE_BRANCHES && settings->branches)
		NL_SET_ERR_MSG(extack,
			       "another agent records the branches of a CPU (LBR); stop it first, such as perf record -b");
	else
		return check_writes(settings, extack);
	return -EBUSY;
}

/*
 * The functions that are called at each context switch of this CPU: clear the CPU's branch records,
 * because the records of the next thread must not have branches of the previous thread; exchange
 * the call stacks of the two; store the precise records of the previous thread; and clear the CPU's
 * branch records, then store the precise records, which have branches. A record that the CPU writes
 * between the two may be stored as one of the next thread: it has no branches of the previous one.
 */
static void clear_branches(const struct task_struct *prev, const struct task_struct *next)
{
	const struct bpmu_bank *bank = armed_bank();

	if (bank)
		bpmu_branches_clear(bank);
}

static void exchange_calls(const struct task_struct *prev, const struct task_struct *next)
{
	const struct bpmu_bank *bank = armed_bank();

	if (bank)
		bpmu_calls_switch(bank, prev, next);
}

/* What the thread called before it executed another program does not return any more. */
static void forget_calls(void)
{
	const struct bpmu_bank *bank = armed_bank();

	if (bank)
		bpmu_branches_put_calls(bank, NULL, current);
}

static void drain(const struct task_struct *prev, const struct task_struct *next)
{
	bpmu_overflow_drain();
}

static void clear_and_drain(const struct task_struct *prev, const struct task_struct *next)
{
	clear_branches(prev, next);
	drain(prev, next);
}

/*
 * Returns the function to call at context switches, if a CPU keeps something of the current thread
 * that must be read or cleared before another thread runs; else NULL.
 */
static bpmu_switch_call *at_switches(const struct bpmu_settings *settings)
{
	if (settings->calls)
		return exchange_calls;
	if (settings->branches)
		return settings->batch > 1 ? clear_and_drain : clear_branches;
	return settings->batch > 1 ? drain : NULL;
}

static int begin_switches(const struct bpmu_settings *settings, struct netlink_ext_ack *extack)
{
	int err;

	if (!at_switches(settings))
		return 0;
	err = settings->calls ? bpmu_calls_begin(extack) : 0;
	if (err)
		return err;
	bpmu_switches_begin(at_switches(settings), settings->calls ? forget_calls : NULL);
	return 0;
}

static void end_switches(const struct bpmu_settings *settings)
{
	if (!at_switches(settings))
		return;
	bpmu_switches_end();
	if (settings->calls)
		bpmu_calls_end();
}

static int register_handler(struct netlink_ext_ack *extack)
{
	int err = register_nmi_handler(NMI_LOCAL, bpmu_overflow_nmi, NMI_FLAG_FIRST, "barepmu");

	if (err)
		NL_SET_ERR_MSG(extack, "the kernel takes no handler for overflow interrupts");
	return err;
}

/**
 * bpmu_overflows_claim() - prepare for what a session with interrupts needs of the kernel
 * @settings: settings of a session that has not begun; nothing is done if it needs nothing
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep, no lock held.
 * Return: 0, or -EOPNOTSUPP if the kernel lacks it.
 */
int bpmu_overflows_claim(const struct bpmu_settings *settings, struct netlink_ext_ack *extack)
{
	return settings->overflows && at_switches(settings) ? bpmu_switches_claim(extack) : 0;
}

/**
 * bpmu_overflows_unclaim() - end a claim of bpmu_overflows_claim()
 * @settings: settings of a session that has ended, or has not begun
 *
 * Context: process, may sleep, no lock held.
 */
void bpmu_overflows_unclaim(const struct bpmu_settings *settings)
{
	if (settings->overflows && at_switches(settings))
		bpmu_switches_unclaim();
}

/**
 * bpmu_overflows_begin() - register the NMI handler that stores records of overflows
 * @settings: settings of the session; nothing is done if no event interrupts
 * @extack: set to a sentence on refusal
 *
 * The kernel calls the module's NMI handler before perf's.
 *
 * Context: process, may sleep; with a claim of bpmu_overflows_claim().
 * Return: 0, -EBUSY if another agent uses overflow interrupts, -EOPNOTSUPP if a CPU lacks what the
 * session's BPMU_A_CHECK asks for or does not take 0 in PERF_METRICS, whose counts the session has,
 * or another negative errno.
 */
int bpmu_overflows_begin(const struct bpmu_settings *settings, struct netlink_ext_ack *extack)
{
	int err;

	if (!settings->overflows)
		return 0;
	err = check(settings, extack);
	if (err)
		return err;
	err = begin_switches(settings, extack);
	if (err)
		return err;
	bpmu_unwind_forget();
	err = register_handler(extack);
	if (err)
		end_switches(settings);
	return err;
}

/**
 * bpmu_overflows_end() - unregister the NMI handler that stores records of overflows
 * @settings: settings of the session
 *
 * Context: process, may sleep; no CPU has armed counters that interrupt.
 */
void bpmu_overflows_end(const struct bpmu_settings *settings)
{
	if (!settings->overflows)
		return;
	unregister_nmi_handler(NMI_LOCAL, "barepmu");
	end_switches(settings);
}

static u32 units_of(const struct bpmu_settings *settings)
{
	return roundup_pow_of_two(settings->buffer_samples *
				  longest_record(settings,
						 DIV_ROUND_UP(settings->chain, CHAIN_USUAL)) /
				  UNIT);
}

/**
 * bpmu_overflow_buffer_size() - size of a CPU's buffer of records of overflow interrupts
 * @settings: settings of a session in which events interrupt
 *
 * Context: any.
 * Return: bytes.
 */
u32 bpmu_overflow_buffer_size(const struct bpmu_settings *settings)
{
	return units_of(settings) * UNIT + longest_record(settings, settings->chain) - UNIT;
}

/**
 * bpmu_overflow_alloc() - allocate a CPU's buffer of records of overflow interrupts
 * @buffer: zeroed or freed
 * @settings: settings of a session in which events interrupt
 * @node: NUMA node of the buffer
 *
 * The buffer holds at least &bpmu_settings.buffer_samples records, unless their call chains are
 * longer on average than a fourth of the allowed length.
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM.
 */
int bpmu_overflow_alloc(struct bpmu_buffer *buffer, const struct bpmu_settings *settings,
			int node)
{
	u32 units = units_of(settings);

	return bpmu_buffer_alloc(buffer, units, UNIT,
				 longest_record(settings, settings->chain) - UNIT,
				 units / settings->buffer_samples * settings->watermark, node);
}

/**
 * bpmu_overflow_attach() - let the overflow handler record the overflows of a bank of a CPU
 * @cpu: number of the CPU
 * @bank: core bank of the CPU, which is not armed yet
 * @buffer: buffer for the records of the bank's overflows
 * @settings: settings of the session
 *
 * Context: any; @bank and @buffer must stay valid until bpmu_overflow_detach().
 */
void bpmu_overflow_attach(unsigned int cpu, const struct bpmu_bank *bank,
			  struct bpmu_buffer *buffer, const struct bpmu_settings *settings)
{
	struct overflow *o = per_cpu_ptr(&overflows, cpu);

	o->buffer = buffer;
	o->chain = settings->chain;
	o->branches = bpmu_settings_has_branches(settings);
	o->counts = settings->counts;
	o->data = settings->data;
	o->more = o->branches || o->counts || o->data;
	o->reserved = longest_record(settings, settings->chain) / UNIT - 1;
	o->precise = (struct bpmu_pebs_record){ };
	WRITE_ONCE(o->bank, bank);
}

/**
 * bpmu_overflow_detach() - let the handler ignore a CPU's overflow interrupts
 * @cpu: number of the CPU; its bank is not armed
 *
 * Context: this CPU, or another one while the CPU has no counters.
 */
void bpmu_overflow_detach(unsigned int cpu)
{
	WRITE_ONCE(per_cpu_ptr(&overflows, cpu)->bank, NULL);
}

/**
 * bpmu_overflow_reset() - discard the records of overflow interrupts of an earlier run
 * @cpu: number of the CPU; its counters are stopped
 *
 * Context: process.
 */
void bpmu_overflow_reset(unsigned int cpu)
{
	struct overflow *o = per_cpu_ptr(&overflows, cpu);

	bpmu_buffer_reset(o->buffer);
	o->seq = 0;
	o->shift = 0;
	o->nr = 0;
	o->spent = 0;
	o->since = bpmu_tsc();
}
