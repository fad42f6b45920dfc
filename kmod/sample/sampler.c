// SPDX-License-Identifier: GPL-2.0
#include "sampler.h"

#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/irq_regs.h>

#include "bank/banks.h"
#include "bank/core.h"
#include "bank/interrupts.h"
#include "bank/slice.h"
#include "bank/trace.h"
#include "budget.h"
#include "clock.h"
#include "events.h"
#include "machine/tsc.h"
#include "overflow.h"
#include "slices.h"
#include "who.h"

/**
 * struct pool - memory of the samplers of a session
 * @size: bytes that bpmu_budget_take() has taken
 * @cpu: memory of each CPU's sampler, [nr_cpu_ids]
 */
struct pool {
	u64 size;
	struct bpmu_sampler_memory cpu[];
};

/**
 * struct sampler - state of the sampler of one CPU
 * @clock: clock that takes the samples
 * @settings: settings of the session; NULL without a session
 * @plan: groups of the session; NULL while the CPU has taken no counters. This CPU, with interrupts
 *	off, writes @plan and all members below; the session writes them only while this CPU does
 *	not sample
 * @bank: counter banks of the CPU, and banks that it reads for other CPUs, [BPMU_BANKS]
 * @banks: mask of the banks that are in use or lost, by number
 * @cpu: number of the CPU
 * @lent: the CPU reads banks for others, and while it sleeps another CPU may take the samples of
 *	these banks; constant while the sampler runs
 * @lends: what @lent becomes when the sampler starts, if the CPU then reads banks for others
 * @sampled: bit 0 is a lock of a sampler that is @lent: the CPU that has set it may take samples,
 *	or stop or swap the banks. Timers and other CPUs only try to set it
 * @watched: sampler of a CPU whose shared banks this CPU samples while that CPU sleeps, or NULL
 * @memory: the sampler's buffers and other memory, NULL without a session
 * @thread: number of this CPU among the threads of its core, 0 or 1, constant as long as the
 *	session
 * @flags: set of &enum bpmu_sample_flag that every sample of the CPU gets, beside its own flags
 * @seq: number of the next sample
 * @started: TSC when sampling was last started
 * @enabled: TSC ticks for which the sampler ran before @started
 * @spent: TSC ticks spent in taking samples
 * @running: the sampler takes samples
 */
struct sampler {
	struct bpmu_clock clock;
	const struct bpmu_settings *settings;
	const struct bpmu_plan *plan;
	struct bpmu_bank bank[BPMU_BANKS];
	unsigned long banks;
	unsigned int cpu;
	bool lent;
	bool lends;
	unsigned long sampled;
	struct sampler *watched;
	struct bpmu_sampler_memory *memory;
	u8 thread;
	u32 flags;
	u64 seq;
	u64 started;
	u64 enabled;
	u64 spent;
	bool running;
};

static_assert(BPMU_BANKS <= BITS_PER_LONG);

static DEFINE_PER_CPU(struct sampler, samplers);

/*
 * Returns the address at which a sample describes the interrupted task: at the end of the sample,
 * behind the counters' values.
 */
static struct bpmu_who *who_of(const struct sampler *s, void *record)
{
	return record + s->settings->record_size - sizeof(struct bpmu_who);
}

/*
 * Returns memory for a new sample, never NULL, and sets @room to the same address. If the buffer is
 * full, @room is set to NULL, and the returned sample is only for the tracepoint. This function is
 * on the sampling path: it takes no lock, and allocates and prints nothing.
 */
static __always_inline struct bpmu_sample *
begin_record(struct sampler *s, u32 reserved, struct bpmu_sample **room)
{
	*room = bpmu_buffer_produce(&s->memory->buffer, reserved);
	return *room ?: s->memory->scratch;
}

static __always_inline void end_record(struct sampler *s,
				       struct bpmu_sample *record,
				       const struct bpmu_sample *room, u64 now,
				       u32 flags)
{
	bool wake;

	record->seq = s->seq++;
	record->spent = s->spent;
	record->cpu = s->cpu;
	record->flags = flags | s->flags;
	if (s->settings->who)
		bpmu_who_fill(who_of(s, record), get_irq_regs());
	if (room) {
		trace_bpmu_sample(record);
		wake = bpmu_buffer_commit(&s->memory->buffer, 1);
	} else {
		trace_bpmu_lost(record);
		wake = bpmu_buffer_drop(&s->memory->buffer, now);
	}
	if (wake)
		bpmu_events_watermark();
}

/*
 * Returns BPMU_SAMPLE_DISTURBED if the bank is wary, because another tool has written its
 * registers, and 0 otherwise.
 */
static __always_inline u32 disturbed_flag(const struct bpmu_bank *bank, u32 group)
{
	if (!bank->wary)
		return 0;
	trace_bpmu_disturbed(bank->id, bank->groups, group);
	return BPMU_SAMPLE_DISTURBED;
}

/**
 * enum check - when a bank is checked for another agent's writes, and in which registers
 * @CHECK_COUNTING: at each sample: only the registers that let the group count
 * @CHECK_GROUP: before the next group is programmed: in a shared bank all registers of the group;
 *	in the core bank one event select of the group, because the other event selects are compared
 *	when they are overwritten
 * @CHECK_ALL: before the registers are restored or the counters start anew: all registers that the
 *	session has written
 */
enum check {
	CHECK_COUNTING,
	CHECK_GROUP,
	CHECK_ALL,
};

static __always_inline bool core_holds(const struct bpmu_bank *bank, enum check check)
{
	if (!bpmu_core_counting(bank))
		return false;
	if (check == CHECK_GROUP)
		return bpmu_core_turn_holds(bank);
	return check == CHECK_COUNTING || bank->ops->intact(bank);
}

static __always_inline bool shared_bank_holds(const struct bpmu_bank *bank, enum check check)
{
	return check == CHECK_COUNTING ? bank->ops->counting(bank) : bank->ops->intact(bank);
}

/*
 * Sets &bpmu_bank.wary to true if another tool has written the bank's registers, to false if not.
 * @core tells if @bank is the core bank; callers pass a constant.
 */
static __always_inline void check_bank(struct bpmu_bank *bank, enum check check, bool core)
{
	bank->wary = core ? !core_holds(bank, check) : !shared_bank_holds(bank, check);
}

/*
 * Reads the counters of the scheduled group into the values of a sample. If @resumes is true, the
 * values are the sum of the group's previous sample and what was counted since. @core tells if
 * @bank is the core bank; callers pass a constant. Returns BPMU_SAMPLE_DISTURBED if a register
 * cannot be read, or if it is not known how far the CPU has set a counter back, and 0 otherwise.
 */
static __always_inline u32 read_values(struct bpmu_bank *bank, u64 *values, bool resumes,
				       bool core)
{
	int err = 0;

	if (!core || bank->interrupts) {
		bank->ops->read(bank, values);
		err = core && bank->interrupts->incomplete;
		if (resumes)
			bpmu_bank_resume(bank, values);
	} else {
		err = resumes ? bpmu_core_resume(bank, values) : bpmu_core_read(bank, values);
	}
	if (resumes && bank->setup->metrics)
		bpmu_bank_take_metrics(bank, values);
	return unlikely(err) ? BPMU_SAMPLE_DISTURBED : 0;
}

/*
 * Fills in a sample of a bank, with the values of the counters, except for the members that
 * end_record() fills in. @running is true if the counters run and keep running; @resumes and @core
 * are as for read_values(). Returns the flags that read_values() returned.
 */
static __always_inline u32 fill_record(struct sampler *s, struct bpmu_bank *bank,
				       struct bpmu_sample *record, u64 now, bool running,
				       bool resumes, bool core)
{
	u32 flags;

	record->bank = bank->id;
	record->plan = s->plan->number;
	record->group = bank->at;
	record->nr = bank->group->nr;
	record->enabled = s->enabled + now - s->started;
	record->running = bank->active->running +
			  (running ? now - bank->since : 0);
	record->tsc_begin = now;
	flags = read_values(bank, (u64 *)(record + 1), resumes, core);
	record->tsc_end = bpmu_tsc();
	return flags;
}

/* Stores a sample of a bank whose counters are stopped: the first or last one of a group. */
static void store_sample(struct sampler *s, struct bpmu_bank *bank, u64 now, u32 flags)
{
	struct bpmu_sample *room;
	struct bpmu_sample *record = begin_record(s, 0, &room);

	flags |= fill_record(s, bank, record, now, false, bank->stops,
			     bank->type->is_core);
	end_record(s, record, room, now, flags);
}

/* Stores a sample of a bank whose counters run, and keep running during the sample. */
static __always_inline void sample_running(struct sampler *s, struct bpmu_bank *bank, u64 now,
					   u32 flags, bool core)
{
	struct bpmu_sample *room;
	struct bpmu_sample *record = begin_record(s, BPMU_RESERVED_SAMPLES, &room);

	flags |= fill_record(s, bank, record, now, true, false, core);
	check_bank(bank, CHECK_COUNTING, core);
	flags |= disturbed_flag(bank, bank->at);
	end_record(s, record, room, now, flags);
}

/*
 * Stores a sample of a bank, without counter values. @enabled is the value of &bpmu_sample.enabled,
 * in TSC ticks.
 */
static void store_empty(struct sampler *s, const struct bpmu_plan *plan, enum bpmu_bank_id bank,
			u64 now, u64 enabled, u32 flags, u32 reserved)
{
	struct bpmu_sample *room;
	struct bpmu_sample *record = begin_record(s, reserved, &room);

	record->bank = bank;
	record->plan = plan->number;
	record->group = 0;
	record->nr = 0;
	record->enabled = enabled;
	record->running = 0;
	record->tsc_begin = now;
	record->tsc_end = now;
	end_record(s, record, room, now, flags | BPMU_SAMPLE_FAILED);
}

/*
 * Stores a sample without counter values for a bank that is not read at present. @why: &enum
 * bpmu_sample_flag of the sample.
 */
static void store_loss(struct sampler *s, const struct bpmu_bank *bank, u64 now, u32 why,
		       u32 reserved)
{
	store_empty(s, s->plan, bank->id, now, s->enabled + now - s->started, why, reserved);
}

/*
 * Takes a sample of a bank whose counters stop for it, and schedules the bank's next group. If the
 * registers that are overwritten for the next group do not hold what was written for the sampled
 * group, the sample gets the flag BPMU_SAMPLE_DISTURBED. Returns bpmu_tsc() when the counters were
 * started again.
 */
static __always_inline u64 sample_and_rotate(struct sampler *s, struct bpmu_bank *bank, u32 flags,
					     bool core)
{
	struct bpmu_sample *record, *room;
	u32 group = bank->at;
	u64 now;

	check_bank(bank, CHECK_GROUP, core);
	now = bpmu_slice_pause(bank, core);
	record = begin_record(s, BPMU_RESERVED_SAMPLES, &room);
	flags |= fill_record(s, bank, record, now, false, true, core);
	bpmu_slice_next(bank, core);
	flags |= disturbed_flag(bank, group);
	end_record(s, record, room, now, flags);
	bpmu_slice_begin(bank, core);
	return bank->since;
}

/*
 * Samples a bank at @now; returns bpmu_tsc() after the sample. @core tells if @bank is the core
 * bank. Callers pass a constant, so that the code is compiled once for that bank and once for the
 * others.
 */
static __always_inline u64 sample_bank(struct sampler *s, struct bpmu_bank *bank, u64 now, u32 why,
				       bool core)
{
	if (bank->stops)
		return sample_and_rotate(s, bank, why, core);
	sample_running(s, bank, now, why, core);
	return bpmu_tsc();
}

/* Takes a sample of each bank that this CPU reads. Returns bpmu_tsc() after the last sample. */
static u64 sample_all_banks(struct sampler *s, u32 why)
{
	u64 now = bpmu_tsc();
	u64 begin = now;
	unsigned long left;

	if (unlikely(s->settings->batch > 1))
		bpmu_overflow_drain();
	for (left = s->banks; left; left &= left - 1) {
		struct bpmu_bank *bank = &s->bank[__ffs(left)];

		if (unlikely(!bpmu_bank_in_use(bank)))
			store_loss(s, bank, now, why, BPMU_RESERVED_SAMPLES);
		else if (bank->type->is_core)
			now = sample_bank(s, bank, now, why, true);
		else
			now = sample_bank(s, bank, now, why, false);
	}
	s->spent += now - begin;
	return now;
}

/* Returns false if another CPU takes a sample of the sampler just now. */
static bool try_enter(struct sampler *s)
{
	return !s->lent || !test_and_set_bit_lock(0, &s->sampled);
}

/* Waits until no other CPU takes a sample of the sampler. Must not be used on the sampling path. */
static void enter(struct sampler *s)
{
	while (!try_enter(s))
		cpu_relax();
}

static void leave(struct sampler *s)
{
	if (s->lent)
		clear_bit_unlock(0, &s->sampled);
}

/*
 * Takes a sample of each shared bank that @s, the sampler of a sleeping CPU, reads. The counters of
 * the sleeping core itself stand still. Returns bpmu_tsc() after the last sample.
 */
static u64 sample_shared_banks(struct sampler *s, u64 now)
{
	u64 begin = now;
	unsigned long left;

	for (left = s->banks; left; left &= left - 1) {
		struct bpmu_bank *bank = &s->bank[__ffs(left)];

		if (unlikely(!bpmu_bank_in_use(bank)))
			store_loss(s, bank, now, BPMU_SAMPLE_TIMER, BPMU_RESERVED_SAMPLES);
		else if (bank->type->shares)
			now = sample_bank(s, bank, now, BPMU_SAMPLE_TIMER, false);
	}
	s->spent += now - begin;
	return now;
}

/*
 * Takes the samples of the CPU that this one watches, if that CPU sleeps and its samples are due.
 * This CPU runs anyway and reaches the same registers.
 */
static noinline void sample_watched(struct sampler *s)
{
	u64 now = bpmu_tsc();

	if (!READ_ONCE(s->clock.is_deferred) || !bpmu_clock_is_due(&s->clock, now) ||
	    test_and_set_bit_lock(0, &s->sampled))
		return;
	if (s->running && s->lent && s->clock.is_deferred && bpmu_clock_is_due(&s->clock, now))
		bpmu_clock_step(&s->clock, sample_shared_banks(s, now));
	clear_bit_unlock(0, &s->sampled);
}

static enum hrtimer_restart bpmu_sampler_timer(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, clock.timer);
	enum hrtimer_restart restart = HRTIMER_RESTART;

	if (likely(try_enter(s))) {
		restart = bpmu_clock_next(&s->clock, sample_all_banks(s, BPMU_SAMPLE_TIMER));
		leave(s);
	} else {
		bpmu_clock_step(&s->clock, bpmu_tsc());
	}
	if (s->watched)
		sample_watched(s->watched);
	return restart;
}

/*
 * Takes a sample on a CPU whose clock is deferred, unless a CPU that watches this one has already
 * taken the sample. The sampler may have been stopped between the expiry of the timer and this
 * call.
 */
static void sample_deferred(struct sampler *s)
{
	unsigned long flags;

	local_irq_save(flags);
	if (s->clock.is_deferred && try_enter(s)) {
		if (bpmu_clock_is_due(&s->clock, bpmu_tsc()))
			bpmu_clock_step(&s->clock, sample_all_banks(s, BPMU_SAMPLE_TIMER));
		bpmu_clock_next_deferred(&s->clock);
		leave(s);
	} else if (s->clock.is_deferred) {
		bpmu_clock_defer(&s->clock);
	}
	if (s->watched)
		sample_watched(s->watched);
	local_irq_restore(flags);
}

static void bpmu_sampler_deferred(struct timer_list *deferred)
{
	sample_deferred(container_of(deferred, struct sampler, clock.deferred));
}

static void bpmu_sampler_woken(struct timer_list *waker)
{
	sample_deferred(container_of(waker, struct sampler, clock.waker));
}

static void free_memory(struct bpmu_sampler_memory *memory)
{
	unsigned int i;

	bpmu_buffer_free(&memory->buffer);
	bpmu_buffer_free(&memory->overflows);
	if (memory->interrupts)
		bpmu_pebs_free(&memory->interrupts->pebs);
	kfree(memory->interrupts);
	for (i = 0; i < BPMU_BANKS; i++)
		kvfree(memory->saved[i]);
	kfree(memory->scratch);
}

/*
 * Allocates the buffer into which a CPU writes precise records, if the session has any. Returns 0
 * or -ENOMEM.
 */
static int alloc_pebs(struct bpmu_pebs *pebs, unsigned int cpu,
		      const struct bpmu_settings *settings)
{
	pebs->batch = settings->batch;
	pebs->branches = bpmu_settings_has_branches(settings);
	pebs->counts = settings->counts;
	return settings->precise ? bpmu_pebs_alloc(pebs, cpu) : 0;
}

static int alloc_overflows(struct bpmu_sampler_memory *memory, unsigned int cpu,
			   const struct bpmu_settings *settings)
{
	int node = cpu_to_node(cpu);

	if (!settings->overflows)
		return 0;
	memory->interrupts = kzalloc_node(sizeof(*memory->interrupts), GFP_KERNEL_ACCOUNT, node);
	if (!memory->interrupts || alloc_pebs(&memory->interrupts->pebs, cpu, settings))
		return -ENOMEM;
	memory->interrupts->check = settings->check;
	memory->interrupts->branches.calls = settings->calls;
	return bpmu_overflow_alloc(&memory->overflows, settings, node);
}

static int alloc_memory(struct bpmu_sampler_memory *memory, unsigned int cpu,
			const struct bpmu_settings *settings,
			const struct bpmu_plan *plan)
{
	int node = cpu_to_node(cpu);
	unsigned int i;

	memory->scratch = kmalloc(settings->record_size, GFP_KERNEL_ACCOUNT);
	if (!memory->scratch)
		return -ENOMEM;
	for (i = 0; i < BPMU_BANKS; i++) {
		if (!bpmu_plan_uses(plan, i))
			continue;
		if (!bpmu_bank_types[i].ops->saved_size)
			continue;
		memory->saved[i] = kvzalloc(bpmu_bank_types[i].ops->saved_size,
					    GFP_KERNEL_ACCOUNT);
		if (!memory->saved[i])
			return -ENOMEM;
	}
	if (alloc_overflows(memory, cpu, settings))
		return -ENOMEM;
	return bpmu_buffer_alloc(&memory->buffer, settings->buffer_samples,
				 settings->record_size, 0, settings->watermark, node);
}

/*
 * Returns the size in bytes of a session's pool and of all memory that alloc_memory() allocates for
 * the session.
 */
static u64 pool_size(const struct bpmu_settings *settings, const struct bpmu_plan *plan)
{
	u64 each = (u64)settings->record_size * (settings->buffer_samples + 1);
	unsigned int i;

	for (i = 0; i < BPMU_BANKS; i++)
		if (bpmu_plan_uses(plan, i))
			each += bpmu_bank_types[i].ops->saved_size;
	if (settings->overflows)
		each += sizeof(struct bpmu_interrupts) + bpmu_overflow_buffer_size(settings);
	if (settings->precise)
		each += PAGE_SIZE << bpmu_pebs_order(settings->batch,
						     bpmu_settings_has_branches(settings));
	return sizeof(struct pool) + sizeof(struct bpmu_sampler_memory) * (u64)nr_cpu_ids +
	       each * cpumask_weight(settings->cpus);
}

/**
 * bpmu_samplers_alloc() - allocate memory for the samplers of a session
 * @settings: settings of the session
 * @plan: the first groups of the session
 * @extack: set to a sentence on refusal
 *
 * The memory is charged to the caller's memory cgroup, and limited by bpmu_budget_take().
 *
 * Context: process, may sleep; without the session's lock.
 * Return: memory of the samplers, [nr_cpu_ids]; NULL on refusal.
 */
struct bpmu_sampler_memory *
bpmu_samplers_alloc(const struct bpmu_settings *settings,
		    const struct bpmu_plan *plan, struct netlink_ext_ack *extack)
{
	u64 size = pool_size(settings, plan);
	struct pool *pool;
	unsigned int cpu;

	if (!bpmu_budget_take(size, extack))
		return NULL;
	pool = kvzalloc(struct_size(pool, cpu, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!pool) {
		bpmu_budget_give(size);
		goto err_no_memory;
	}
	pool->size = size;
	for_each_cpu(cpu, settings->cpus) {
		if (alloc_memory(&pool->cpu[cpu], cpu, settings, plan)) {
			bpmu_samplers_free(pool->cpu);
			goto err_no_memory;
		}
		cond_resched();
	}
	return pool->cpu;

err_no_memory:
	NL_SET_ERR_MSG(extack, "no memory for the sample buffers; ask for fewer samples");
	return NULL;
}

/**
 * bpmu_samplers_free() - free the memory of bpmu_samplers_alloc()
 * @memory: installed in no sampler, or NULL
 *
 * Context: process, may sleep.
 */
void bpmu_samplers_free(struct bpmu_sampler_memory *memory)
{
	struct pool *pool;
	unsigned int cpu;

	if (!memory)
		return;
	pool = container_of(memory, struct pool, cpu[0]);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		free_memory(&pool->cpu[cpu]);
	bpmu_budget_give(pool->size);
	kvfree(pool);
}

/**
 * bpmu_sampler_install() - attach a CPU's sampler to a session
 * @cpu: number of the CPU
 * @settings: settings of the session, valid until bpmu_sampler_remove()
 * @memory: memory for this CPU's sampler, valid until bpmu_sampler_remove()
 *
 * Notes the number of the CPU among the threads of its core. This number does not change if a
 * sibling goes offline. By this number the threads count events that leak into a sibling's counter
 * on different counters.
 *
 * Context: process; all CPUs of the session are online.
 */
void bpmu_sampler_install(unsigned int cpu,
			  const struct bpmu_settings *settings,
			  struct bpmu_sampler_memory *memory)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);
	unsigned int other;

	bpmu_clock_init(&s->clock, bpmu_sampler_timer, bpmu_sampler_deferred,
			bpmu_sampler_woken);
	s->cpu = cpu;
	s->settings = settings;
	s->memory = memory;
	s->flags = 0;
	s->thread = 0;
	for_each_cpu_and(other, settings->cpus, topology_sibling_cpumask(cpu))
		s->thread |= other < cpu;
	s->bank[BPMU_BANK_CORE].interrupts = memory->interrupts;
	s->bank[BPMU_BANK_CORE].pebs = memory->interrupts ? &memory->interrupts->pebs : NULL;
	s->bank[BPMU_BANK_CORE].tagged = memory->interrupts ? memory->interrupts->tagged : NULL;
	if (memory->interrupts)
		bpmu_tagged_attach(memory->interrupts->tagged, settings->ops, settings->fetches);
	s->bank[BPMU_BANK_CORE].branches = settings->branches ? &memory->interrupts->branches :
								NULL;
	if (settings->overflows)
		bpmu_overflow_attach(cpu, &s->bank[BPMU_BANK_CORE], &memory->overflows, settings);
	bpmu_sampler_reset(cpu);
}

/**
 * bpmu_sampler_remove() - detach a CPU's sampler from its session
 * @cpu: number of the CPU
 *
 * Context: process, may sleep; the CPU has no counters, and no handler of its overflows runs.
 */
void bpmu_sampler_remove(unsigned int cpu)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	if (!s->memory)
		return;
	bpmu_clock_free(&s->clock);
	bpmu_overflow_detach(cpu);
	s->bank[BPMU_BANK_CORE].interrupts = NULL;
	s->bank[BPMU_BANK_CORE].pebs = NULL;
	s->bank[BPMU_BANK_CORE].tagged = NULL;
	s->bank[BPMU_BANK_CORE].branches = NULL;
	s->memory = NULL;
	s->settings = NULL;
	s->lent = false;
	s->lends = false;
	s->watched = NULL;
}

/**
 * bpmu_sampler_lend() - choose who takes a sampler's samples of shared banks while its CPU sleeps
 * @cpu: number of the CPU
 * @lends: true if CPUs that share all of these banks watch this CPU, by bpmu_sampler_watch(): this
 *	CPU is then woken every %BPMU_CLOCK_NAP_NS, but not for each sample
 *
 * Context: process; the CPU does not sample.
 */
void bpmu_sampler_lend(unsigned int cpu, bool lends)
{
	per_cpu_ptr(&samplers, cpu)->lends = lends;
}

/**
 * bpmu_sampler_watch() - let a CPU's sampler take the samples of another CPU that sleeps
 * @cpu: number of the CPU
 * @watched: number of the other CPU, whose shared banks this one reaches; nr_cpu_ids for none
 *
 * The clock of @cpu then runs, even if @cpu has taken no counters itself.
 *
 * Context: process; the CPU does not sample.
 */
void bpmu_sampler_watch(unsigned int cpu, unsigned int watched)
{
	per_cpu_ptr(&samplers, cpu)->watched =
		watched < nr_cpu_ids ? per_cpu_ptr(&samplers, watched) : NULL;
}

/**
 * bpmu_sampler_reset() - discard the samples that a CPU's sampler has of an earlier run
 * @cpu: number of the CPU
 *
 * Context: process; the CPU does not sample.
 */
void bpmu_sampler_reset(unsigned int cpu)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	bpmu_buffer_reset(&s->memory->buffer);
	if (s->settings->overflows)
		bpmu_overflow_reset(cpu);
	s->seq = 0;
	s->enabled = 0;
	s->spent = 0;
}

/**
 * bpmu_sampler_flag() - set or clear a flag of all later samples of a CPU
 * @cpu: number of the CPU
 * @flag: &enum bpmu_sample_flag
 * @set: true to set the flag, false to clear it
 *
 * Context: the CPU does not sample.
 */
void bpmu_sampler_flag(unsigned int cpu, u32 flag, bool set)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	s->flags = set ? s->flags | flag : s->flags & ~flag;
}

static const struct bpmu_plan_groups *groups_here(const struct sampler *s,
						  const struct bpmu_plan *plan,
						  unsigned int bank)
{
	u32 type = bpmu_settings_core_type(s->settings, smp_processor_id());

	return &plan->groups[bank][bank == BPMU_BANK_CORE ? type : 0];
}

static void set_up_bank(struct sampler *s, const struct bpmu_plan *plan,
			unsigned int id)
{
	u32 type = bpmu_settings_core_type(s->settings, smp_processor_id());
	struct bpmu_bank *bank = &s->bank[id];

	bank->id = id;
	bank->type = &bpmu_bank_types[id];
	bank->ops = bank->type->ops;
	bank->pmu = s->settings->pmu[type];
	bank->slice = bpmu_slices_of(plan, smp_processor_id(), id);
	bank->saved = s->memory->saved[id];
	bank->thread = s->thread;
	bank->top = s->settings->top;
	bank->running = false;
	bank->wary = !bank->type->is_core;
	bank->groups = groups_here(s, plan, id);
}

/*
 * Decides if a bank can be used although bpmu_bank_open() or bpmu_bank_try() has returned @err.
 * -EROFS means that a register reads back as another value than was written. After -EROFS the core
 * bank can still be used if the session's settings have BPMU_CHECK_SELECT. Returns 0 if the bank
 * can be used; -EIO after any other -EROFS; or @err.
 */
static int judge(const struct sampler *s, const struct bpmu_bank *bank, int err)
{
	if (err != -EROFS)
		return err;
	return bank->type->is_core && s->settings->check & BPMU_CHECK_SELECT ? 0 : -EIO;
}

/**
 * bpmu_sampler_take() - take the counters of a bank for a CPU's sampler, and program them
 * @plan: groups, valid until bpmu_sampler_give()
 * @id: number of the bank
 *
 * Nothing is done if this CPU has taken the bank already, or if the plan has no groups on it.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, -EIO if a register cannot be read or does not hold its value, or another
 * error of &bpmu_bank_type.attach, &bpmu_bank_ops.save or &bpmu_bank_ops.program.
 */
int bpmu_sampler_take(const struct bpmu_plan *plan, enum bpmu_bank_id id)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	struct bpmu_bank *bank = &s->bank[id];
	int err;

	lockdep_assert_irqs_disabled();
	if (bpmu_bank_in_use(bank) || !bpmu_plan_uses(plan, id))
		return 0;
	set_up_bank(s, plan, id);
	err = bank->type->attach ? bank->type->attach(bank) : 0;
	if (!err)
		err = bank->ops->save(bank, s->settings->take_over);
	if (err)
		goto err_unused;
	err = bpmu_bank_prove(bank);
	if (!err)
		err = judge(s, bank, bpmu_bank_open(bank));
	if (err)
		goto err_restore;
	bank->lost = false;
	s->plan = plan;
	s->banks |= BIT(id);
	return 0;

err_restore:
	bank->ops->restore(bank);
err_unused:
	bank->groups = NULL;
	return err;
}

/**
 * bpmu_sampler_lose() - let a CPU's sampler go on without a bank that could not be taken again
 * @plan: groups, valid until bpmu_sampler_give()
 * @id: number of the bank, which this CPU has not taken
 *
 * The samples of that bank have no values until the bank is taken again.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_lose(const struct bpmu_plan *plan, enum bpmu_bank_id id)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	s->bank[id].id = id;
	s->bank[id].type = &bpmu_bank_types[id];
	s->bank[id].lost = true;
	s->plan = plan;
	s->banks |= BIT(id);
}

/**
 * bpmu_sampler_drop() - let a CPU's sampler stop and restore a bank whose PCI device is removed
 * @id: number of the bank, which this CPU has taken
 *
 * If the sampler runs, the bank gets a last sample. Its later samples have no values, until the
 * bank is taken again. The other banks are not affected.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_drop(enum bpmu_bank_id id)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	struct bpmu_bank *bank = &s->bank[id];
	u32 flags = BPMU_SAMPLE_STOP;

	lockdep_assert_irqs_disabled();
	if (!bpmu_bank_in_use(bank))
		return;
	enter(s);
	if (s->running) {
		check_bank(bank, CHECK_ALL, bank->type->is_core);
		flags |= disturbed_flag(bank, bank->at);
		store_sample(s, bank, bpmu_slice_end(bank), flags);
	}
	bank->ops->restore(bank);
	bank->groups = NULL;
	bpmu_sampler_lose(s->plan, id);
	if (s->running)
		store_loss(s, bank, bpmu_tsc(), BPMU_SAMPLE_STOP, 0);
	leave(s);
}

/**
 * bpmu_sampler_give() - stop this CPU's sampler and restore all banks that it has taken
 *
 * Nothing is done on a CPU that has taken no banks.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_give(void)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	unsigned int i;

	bpmu_sampler_stop(BPMU_SAMPLE_STOP);
	for (i = 0; i < BPMU_BANKS; i++) {
		struct bpmu_bank *bank = &s->bank[i];

		if (bpmu_bank_in_use(bank))
			bank->ops->restore(bank);
		bank->groups = NULL;
		bank->lost = false;
	}
	s->banks = 0;
	s->plan = NULL;
}

/* Stores the first sample of each group, with the counters' values before the counters start. */
static void store_first_samples(struct sampler *s, struct bpmu_bank *bank, u32 why)
{
	u32 g;

	for (g = 0; g < bank->groups->nr; g++) {
		bpmu_bank_choose(bank, g);
		bpmu_bank_base(bank);
		store_sample(s, bank, bpmu_tsc(), why);
	}
	bpmu_bank_choose(bank, 0);
}

static void start_banks(struct sampler *s, u32 why)
{
	unsigned int i;

	for (i = 0; i < BPMU_BANKS; i++) {
		struct bpmu_bank *bank = &s->bank[i];
		u32 flags = why;

		if (!bpmu_bank_in_use(bank))
			continue;
		if (bpmu_bank_reopen(bank))
			flags |= BPMU_SAMPLE_DISTURBED;
		store_first_samples(s, bank, flags);
	}
	for (i = 0; i < BPMU_BANKS; i++)
		if (bpmu_bank_in_use(&s->bank[i]))
			bpmu_slice_begin(&s->bank[i], s->bank[i].type->is_core);
}

static void stop_banks(struct sampler *s, u32 why)
{
	unsigned int i;

	for (i = 0; i < BPMU_BANKS; i++) {
		struct bpmu_bank *bank = &s->bank[i];
		u64 now;

		if (!bpmu_bank_in_use(bank)) {
			if (bank->lost)
				store_loss(s, bank, bpmu_tsc(), why, 0);
			continue;
		}
		check_bank(bank, CHECK_ALL, bank->type->is_core);
		now = bpmu_slice_end(bank);
		if (s->settings->batch > 1 && bank->type->is_core)
			bpmu_overflow_drain();
		store_sample(s, bank, now, why | disturbed_flag(bank, bank->at));
	}
}

/**
 * bpmu_sampler_start() - let a CPU's sampler store first samples, then start the counters
 * @why: &enum bpmu_sample_flag of these samples
 *
 * Does nothing on a CPU that has taken no counters and watches no other CPU, see
 * bpmu_sampler_watch().
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_start(u32 why)
{
	enum bpmu_clock_sleep sleep = BPMU_CLOCK_SLEEPS;
	struct sampler *s = this_cpu_ptr(&samplers);
	unsigned int i;

	lockdep_assert_irqs_disabled();
	if ((!s->plan && !s->watched) || s->running)
		return;
	for (i = 0; i < BPMU_BANKS; i++)
		if (bpmu_bank_in_use(&s->bank[i]) && s->bank[i].type->shares)
			sleep = s->lends ? BPMU_CLOCK_NAPS : BPMU_CLOCK_WAKES;
	s->lent = sleep == BPMU_CLOCK_NAPS;
	bpmu_clock_start(&s->clock, s->settings, sleep);
	s->started = bpmu_tsc();
	s->running = true;
	start_banks(s, why);
}

/**
 * bpmu_sampler_stop() - let a CPU's sampler stop the counters, then store last samples
 * @why: &enum bpmu_sample_flag of these samples
 *
 * Does nothing on a CPU that does not sample.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_stop(u32 why)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	if (!s->running)
		return;
	enter(s);
	stop_banks(s, why);
	bpmu_clock_stop(&s->clock);
	s->enabled += bpmu_tsc() - s->started;
	s->running = false;
	leave(s);
}

/**
 * bpmu_sampler_fail() - let a CPU's sampler store a last sample, without values
 * @plan: the plan whose groups the CPU should count
 * @why: &enum bpmu_sample_flag, the reason why no samples follow
 *
 * Context: this CPU, interrupts off; it has no counters, and its session runs.
 */
void bpmu_sampler_fail(const struct bpmu_plan *plan, u32 why)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	store_empty(s, plan, BPMU_BANK_CORE, bpmu_tsc(), s->enabled, why, 0);
}

/**
 * bpmu_sampler_request() - let this CPU's sampler take a sample of all banks now
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_request(void)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	if (!s->running)
		return;
	enter(s);
	sample_all_banks(s, BPMU_SAMPLE_REQUEST);
	leave(s);
}

/**
 * bpmu_sampler_try() - check that this CPU's registers can hold a plan other than its sampler's
 * @plan: has groups on the same banks as the sampler's
 * @id: number of the bank to check
 *
 * The sampler continues with its own plan. Does nothing on a CPU that has not taken the bank.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or the error that bpmu_sampler_take() would return for @plan.
 */
int bpmu_sampler_try(const struct bpmu_plan *plan, enum bpmu_bank_id id)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	struct bpmu_bank *bank = &s->bank[id];
	int err;

	lockdep_assert_irqs_disabled();
	if (!bpmu_bank_in_use(bank))
		return 0;
	enter(s);
	err = bpmu_bank_try(bank, groups_here(s, plan, id), bpmu_slices_of(plan, s->cpu, id));
	leave(s);
	return judge(s, bank, err);
}

/**
 * bpmu_sampler_swap() - let a CPU's sampler continue with another plan
 * @plan: has groups on the same banks as the old one, which bpmu_sampler_try() has accepted;
 *	valid until the next plan or bpmu_sampler_give()
 *
 * The clock keeps running; nothing is counted between the last samples of the old
 * plan and the first ones of the new plan.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_swap(const struct bpmu_plan *plan)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	bool running = s->running;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	if (!s->plan)
		return;
	enter(s);
	if (running)
		stop_banks(s, BPMU_SAMPLE_SWAP);
	s->plan = plan;
	for (i = 0; i < BPMU_BANKS; i++) {
		if (!bpmu_bank_in_use(&s->bank[i]))
			continue;
		s->bank[i].groups = groups_here(s, plan, i);
		s->bank[i].slice = bpmu_slices_of(plan, smp_processor_id(), i);
	}
	if (running)
		start_banks(s, BPMU_SAMPLE_START);
	leave(s);
}

/**
 * bpmu_sampler_bank() - find a bank of a CPU's sampler
 * @cpu: number of the CPU
 * @bank: number of the bank
 *
 * Context: under the session's lock.
 * Return: the bank, never NULL; it is in use only if bpmu_sampler_take() took it.
 */
const struct bpmu_bank *bpmu_sampler_bank(unsigned int cpu,
					  enum bpmu_bank_id bank)
{
	return &per_cpu_ptr(&samplers, cpu)->bank[bank];
}

/**
 * bpmu_sampler_buffer() - find where a CPU's sampler stores its samples
 * @cpu: a CPU of the session
 *
 * Context: under the session's lock.
 * Return: never NULL.
 */
struct bpmu_buffer *bpmu_sampler_buffer(unsigned int cpu)
{
	return &per_cpu_ptr(&samplers, cpu)->memory->buffer;
}

/**
 * bpmu_sampler_overflows() - find where a CPU's sampler keeps records of overflow interrupts
 * @cpu: a CPU of a session with &bpmu_settings.overflows
 *
 * Context: under the session's lock.
 * Return: never NULL.
 */
struct bpmu_buffer *bpmu_sampler_overflows(unsigned int cpu)
{
	return &per_cpu_ptr(&samplers, cpu)->memory->overflows;
}
