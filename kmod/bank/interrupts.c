// SPDX-License-Identifier: GPL-2.0
/*
 * A counter that overflows sets its bit of the global status. The APIC then delivers an NMI and
 * masks its own entry for overflow interrupts (LVTPC), until software writes the entry (SDM Vol. 3,
 * 11.5.1). The NMI's handler stops all counters, clears the overflow bits, sets the counters back,
 * looks for overflow bits that were set meanwhile, unmasks the entry and starts the counters.
 * Nothing counts while the entry is masked, so that each overflow causes an NMI. No overflow bit is
 * set when the entry is unmasked, so that each NMI finds an overflow.
 *
 * The APICs of AMD's parts and of Knights Corner do not mask the entry. A second counter may
 * overflow while the NMI of the first one is handled. The handler of the first NMI then serves both
 * counters, and the second NMI, which is already on the way, finds nothing. After an NMI that has
 * served several counters, one NMI that finds nothing is therefore expected for a while. NMIs that
 * find one overflow may come before it: the second NMI can find a third overflow, whose own NMI
 * then finds nothing.
 *
 * Linux writes the entry at each interrupt of AMD's parts before Zen 4 (arch/x86/events/core.c,
 * x86_pmu_handle_irq()), and not from Zen 4 on. The module does the same, since it is not known if
 * the APICs of the older parts mask the entry.
 *
 * AMD's parts before Zen 4 have neither a global status nor a global control. A counter that
 * interrupts begins with its highest bit set, since no period is half as long as the counter is
 * wide. If the bit is 0, the counter has overflowed and has not been set back (Linux,
 * arch/x86/events/core.c, x86_pmu_handle_irq()). The handler stops these counters by their event
 * selects.
 *
 * Each period is a random number around the requested one, unless the session has
 * BPMU_CHECK_PERIOD: a constant period can stay in step with a loop. Events that are counted after
 * the overflow, until the counters stop, belong to the period that has just ended, so that each
 * event is in exactly one period.
 *
 * A record can have what all counters of the group have counted since the handler of the interrupt
 * before let them go on. The handler's own events are in no record then, but in the samples.
 * PERF_METRICS has fractions of the slots since fixed counter 3 was 0, in 8 bits. Both are set to 0
 * after each record and each sample, so that the fractions are of few slots and thus exact. What a
 * record sets back is kept for the next sample, and what a sample sets back for the next record.
 *
 * If interrupts are to have a frequency, the mean of an event's periods follows the rate of the
 * event. If the rate drops, the current period is too long, but does not end earlier. Only few
 * events happen until it ends, so that only few events have no record.
 */
#include "interrupts.h"

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/processor.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <asm/apic.h>
#include <asm/msr-index.h>
#include <asm/tsc.h>

#include "bank.h"
#include "compat.h"
#include "intel.h"
#include "lbr.h"
#include "random.h"
#include "rdpmc.h"
#include "selects.h"
#include "store.h"

/*
 * A random period differs from the requested period by at most 1 / SPREAD of the requested period
 */
#define SPREAD 16

/*
 * Number of past intervals between interrupts that count in the estimate of an event's mean period
 */
#define INTERVALS 8
/*
 * Scale of the fixed-point quotient in next_mean(): time between interrupts divided by wished time
 */
#define PARTS 1024

/* After IBS has stopped, NMIs without a sample are awaited for 1 / LATE ms. */
#define LATE 500

/* Delivery status in the APIC's LVTPC entry: a bit that the APIC sets and that cannot be written */
#define LVTPC_STATUS BIT(12)

static void write_lvtpc(u32 value)
{
	apic->write(APIC_LVTPC, value);
}

/*
 * Returns true if Intel PT traces this CPU. A CPU without Intel PT lacks the register: its read
 * faults.
 */
static bool traces(void)
{
	u64 control;

	return !rdmsrq_safe(MSR_IA32_RTIT_CTL, &control) && control & RTIT_CTL_TRACEEN;
}

/**
 * bpmu_interrupts_obstacles() - find what keeps this CPU's counters from interrupting as requested
 *
 * perf sets the APIC's LVTPC entry to deliver NMIs, and leaves it so after its last event; after a
 * reset the entry is masked. Neither value shows that an agent uses the interrupt now.
 *
 * Context: this CPU, interrupts off.
 * Return: set of &enum bpmu_obstacle.
 */
u32 bpmu_interrupts_obstacles(void)
{
	u32 value = apic->read(APIC_LVTPC) & ~LVTPC_STATUS;
	u32 set = 0;

	lockdep_assert_irqs_disabled();
	if ((value & ~APIC_LVT_MASKED) != APIC_DM_NMI && value != APIC_LVT_MASKED)
		set |= BPMU_OBSTACLE_LVTPC;
	if (traces())
		set |= BPMU_OBSTACLE_TRACE;
	if (bpmu_branches_recorded(bpmu_pmu_of(smp_processor_id())))
		set |= BPMU_OBSTACLE_BRANCHES;
	if (bpmu_store_used(bpmu_pmu_of(smp_processor_id())))
		set |= BPMU_OBSTACLE_STORE;
	return set | bpmu_tagged_obstacles(bpmu_pmu_of(smp_processor_id()));
}

/**
 * bpmu_interrupts_try_freeze() - check if this CPU can stop its counters at an interrupt
 *
 * The bit of IA32_DEBUGCTL is set for a moment. Under some hypervisors the write faults.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if the register does not take the bit.
 */
int bpmu_interrupts_try_freeze(void)
{
	u64 before, after = 0;
	int err;

	lockdep_assert_irqs_disabled();
	err = rdmsrq_safe(BPMU_MSR_DEBUGCTL, &before);
	if (!err)
		err = wrmsrq_safe(BPMU_MSR_DEBUGCTL, before | BPMU_DEBUGCTL_FREEZE_COUNTERS);
	if (err)
		return -EIO;
	err = rdmsrq_safe(BPMU_MSR_DEBUGCTL, &after);
	err |= wrmsrq_safe(BPMU_MSR_DEBUGCTL, before);
	return err || !(after & BPMU_DEBUGCTL_FREEZE_COUNTERS) ? -EIO : 0;
}

/**
 * bpmu_interrupts_try_metrics() - check if this CPU's PERF_METRICS can be set to 0
 *
 * The value before is restored. Under some hypervisors the write faults.
 *
 * Context: this CPU, interrupts off; no counter runs.
 * Return: 0, also if the CPU has no PERF_METRICS in precise records; or -EIO if the register does
 * not take 0.
 */
int bpmu_interrupts_try_metrics(void)
{
	u64 before, after = 0;
	int err;

	lockdep_assert_irqs_disabled();
	if (!bpmu_pmu_of(smp_processor_id())->pebs_metrics)
		return 0;
	err = rdmsrq_safe(BPMU_MSR_PERF_METRICS, &before);
	if (!err)
		err = wrmsrq_safe(BPMU_MSR_PERF_METRICS, 0);
	if (err)
		return -EIO;
	err = rdmsrq_safe(BPMU_MSR_PERF_METRICS, &after);
	err |= wrmsrq_safe(BPMU_MSR_PERF_METRICS, before);
	return err || after ? -EIO : 0;
}

static bool freezes(const struct bpmu_bank *bank)
{
	return bank->interrupts->check & BPMU_CHECK_FREEZE;
}

/*
 * Sets the bit of IA32_DEBUGCTL by which an interrupt stops the counters to its value in @value.
 * Nothing is done in a session without BPMU_CHECK_FREEZE.
 */
static void set_freeze(const struct bpmu_bank *bank, u64 value)
{
	u64 bit = BPMU_DEBUGCTL_FREEZE_COUNTERS;

	if (freezes(bank))
		bpmu_wrmsr(BPMU_MSR_DEBUGCTL,
			   (bpmu_rdmsr(BPMU_MSR_DEBUGCTL) & ~bit) | (value & bit));
}

static u32 counter_of(const struct bpmu_bank *bank, u32 event)
{
	return bpmu_plan_counter(&bank->group->event[event], bank->thread);
}

static bool interrupts(const struct bpmu_bank *bank, u32 event)
{
	return bank->group->event[event].period;
}

/* Returns true if IBS counts an event of which bpmu_interrupts_preload() has set the register. */
static bool is_tagged(const struct bpmu_bank *bank, u32 event)
{
	return !bank->interrupts->msr[event];
}

static unsigned int width_of(const struct bpmu_bank *bank, u32 event)
{
	if (is_tagged(bank, event))
		return BPMU_IBS_WIDTH;
	return counter_of(bank, event) < BPMU_FIXED_BASE ? bank->pmu->gp_width :
							   bank->pmu->fixed_width;
}

/* Returns the register of an event's counter; 0 if IBS counts the event. */
static u32 msr_of(const struct bpmu_bank *bank, u32 event)
{
	const struct bpmu_part *part = bank->pmu->part;
	u32 counter = counter_of(bank, event);

	if (bpmu_tagged_is(counter))
		return 0;
	return counter < BPMU_FIXED_BASE ?
		       bpmu_pmu_counter_msr(part, counter, bpmu_probe_full_width()) :
		       part->msrs.fixed + counter - BPMU_FIXED_BASE;
}

static u64 mask_of(const struct bpmu_bank *bank, u32 event)
{
	return bank->interrupts->mask[event];
}

/*
 * Returns the value of an event's counter. The count of IBS, which begins at 0, is converted to the
 * value that a counter would have which began a period below its overflow.
 */
static __always_inline u64 value_of(const struct bpmu_bank *bank, u32 event)
{
	u64 from = bank->interrupts->from[event];
	u64 value = 0;
	int err = 0;

	if (is_tagged(bank, event))
		return (from + bpmu_tagged_count(bank, counter_of(bank, event),
						 mask_of(bank, event) + 1 - from)) &
		       mask_of(bank, event);
	bpmu_rdpmc(bank->setup->index[event], &value, &err);
	return value;
}

/*
 * Sets the counter of an event. The distance of @value from overflow has at most 31 bits, so that a
 * counter that sign-extends a write of 32 bits gets the same value.
 */
static __always_inline void set_counter(const struct bpmu_bank *bank, u32 event, u64 value)
{
	u32 msr = bank->interrupts->msr[event];

	if (msr)
		bpmu_wrmsr(msr, value);
	else
		bpmu_tagged_set(bank, counter_of(bank, event), bank->group->event[event].select,
				mask_of(bank, event) + 1 - value);
}

/*
 * Returns true if the APIC masks its LVTPC entry when it delivers an NMI, as Intel's CPUs with
 * architectural performance monitoring do.
 */
static bool masks_entry(const struct bpmu_bank *bank)
{
	return bank->pmu->part->cpuid_leaf == BPMU_CPUID_PERFMON;
}

/*
 * Returns the bit of the global status that is 1 while an interrupt has stopped the counters; 0 if
 * the part has no such bit.
 */
static u64 frozen_bit(const struct bpmu_bank *bank)
{
	return masks_entry(bank) && bank->pmu->version >= BPMU_VERSION_FREEZES ?
		       BPMU_STATUS_FROZEN : 0;
}

/*
 * Starts the counters, unless the session has stopped them. The bit of IA32_DEBUGCTL by which an
 * interrupt stops the counters is set again each time: KVM may write an old value of the register
 * when it leaves a guest.
 */
static __always_inline void start_again(const struct bpmu_bank *bank)
{
	u64 enable = READ_ONCE(bank->interrupts->enable);

	if (!enable)
		return;
	set_freeze(bank, BPMU_DEBUGCTL_FREEZE_COUNTERS);
	if (bank->pmu->global)
		bpmu_wrmsr(bank->pmu->part->msrs.global_ctrl, enable);
	else
		bpmu_selects_start(bank);
}

/*
 * Stops the counters in an interrupt. If the session is stopping them at this time, or has stopped
 * them, it has written the same values or will.
 */
static void stop_here(const struct bpmu_bank *bank)
{
	if (bank->pmu->global)
		bpmu_wrmsr(bank->pmu->part->msrs.global_ctrl, 0);
	else
		bpmu_selects_stop(bank);
}

/*
 * Returns the mean of an event's next period, in events, so that interrupts come every @wished TSC
 * ticks. The last period had the mean @mean, and took @ticks ticks in which @events events were
 * counted. If the last period was too short, the mean goes an eighth of the way to the period that
 * would have fitted, but at most doubles: two interrupts in a burst can be so close together that
 * the counter would not overflow again for minutes. If the last period was too long, the mean is
 * reduced faster, but at most by half, because the CPU may have been idle. The products fit into 64
 * bits: @wished has less than 33 bits if the TSC is below 8 GHz.
 */
static u64 next_mean(u64 mean, u64 events, u64 ticks, u64 wished)
{
	u64 before = (INTERVALS - 1) * mean;
	u64 parts, next;

	events = min_t(u64, events, BPMU_MAX_PERIOD);
	ticks = clamp_t(u64, ticks, 1, INTERVALS * wished);
	if (ticks < wished) {
		next = (before + div64_u64(events * wished, ticks)) / INTERVALS;
		mean = min(next, 2 * mean);
	} else {
		parts = div64_u64(PARTS * ticks, wished);
		mean = div64_u64(PARTS * (before + events), PARTS * (INTERVALS - 1) + parts);
	}
	return clamp_t(u64, mean, BPMU_MIN_PERIOD, BPMU_MAX_PERIOD);
}

/*
 * Adapts the mean period of an event to the requested frequency of interrupts. @events is the
 * number of events in the period that has ended. Nothing is done if the event has no frequency.
 */
static void follow_frequency(const struct bpmu_bank *bank, u32 event, u64 events)
{
	u32 frequency = bank->group->event[event].frequency;
	struct bpmu_interrupts *state = bank->interrupts;
	u64 now;

	if (!frequency)
		return;
	now = rdtsc();
	state->mean[event] = next_mean(state->mean[event], events, now - state->begun[event],
				       tsc_khz * 1000ULL / frequency);
	state->begun[event] = now;
}

/*
 * Returns a period of an event of IBS that IBS can have, @period or a little less. A period of ops
 * need not be a multiple of BPMU_IBS_STEP, see tagged.c.
 */
static u64 fit_tagged(const struct bpmu_bank *bank, u32 event, u64 period)
{
	if (counter_of(bank, event) == BPMU_FETCH_COUNTER)
		return round_down(min_t(u64, period, BPMU_IBS_FETCH_LONGEST), BPMU_IBS_STEP);
	period = min(period, bpmu_ibs_longest(bank->pmu->ibs));
	return bank->group->event[event].select & BPMU_IBS_SEL_OPS ?
		       period : round_down(period, BPMU_IBS_STEP);
}

/*
 * Returns a value from which an event's counter overflows after a random number of events. The mean
 * of this number is 2^@shift times the event's mean period. The number differs from its mean by at
 * most 1 / SPREAD of the mean; with BPMU_CHECK_PERIOD it is the mean.
 */
static __always_inline u64 first_value(const struct bpmu_bank *bank, u32 event, u32 shift)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 period = state->mean[event] << shift;
	u64 spread;

	period = min_t(u64, period, BPMU_MAX_PERIOD);
	spread = state->check & BPMU_CHECK_PERIOD ? 0 : period / SPREAD;
	period += bpmu_random_below(&state->random, 2 * spread + 1) - spread;
	if (bank->pmu->part->quirks & BPMU_QUIRK_PERIOD_64)
		period = round_down(period, 64);
	if (is_tagged(bank, event))
		period = fit_tagged(bank, event, period);
	return (mask_of(bank, event) + 1) - period;
}

/* Begins a period of an event: sets its counter to first_value(). */
static __always_inline void set_back(const struct bpmu_bank *bank, u32 event, u32 shift)
{
	struct bpmu_interrupts *state = bank->interrupts;

	state->from[event] = first_value(bank, event, shift);
	set_counter(bank, event, state->from[event]);
}

/* Adds to @sum the slots that fixed counter 3 and PERF_METRICS have counted since they were 0. */
static void add_slots(struct bpmu_slots_sum *sum, u64 slots, u64 metrics)
{
	u32 i;

	sum->slots += slots;
	for (i = 0; i < BPMU_METRICS_FIELDS; i++)
		sum->part[i] += slots * (metrics >> (BPMU_METRICS_BITS * i) & BPMU_METRICS_FULL);
}

/*
 * Returns the value that PERF_METRICS would have after the slots of @sum. A field of a difference
 * of two values of the register can be a little below 0 or above 255, because they are rounded.
 */
static u64 metrics_of(const struct bpmu_slots_sum *sum)
{
	u64 metrics = 0;
	u32 i;

	for (i = 0; sum->slots && i < BPMU_METRICS_FIELDS; i++) {
		s64 part = sum->part[i] + sum->slots / 2;

		if (part > 0)
			metrics |= min_t(u64, div64_u64(part, sum->slots), BPMU_METRICS_FULL) <<
				   (BPMU_METRICS_BITS * i);
	}
	return metrics;
}

static void read_slots(u64 *slots, u64 *metrics)
{
	int err = 0;

	bpmu_rdpmc(BPMU_RDPMC_FIXED + BPMU_FIXED_SLOTS - BPMU_FIXED_BASE, slots, &err);
	bpmu_rdpmc(BPMU_RDPMC_METRICS, metrics, &err);
	if (unlikely(err))
		*slots = 0;
}

/* Sets fixed counter 3 and PERF_METRICS to 0, the counter first (SDM Vol. 3, 19.3.9.3). */
static void clear_slots(const struct bpmu_bank *bank)
{
	bpmu_wrmsr(bank->pmu->part->msrs.fixed + BPMU_FIXED_SLOTS - BPMU_FIXED_BASE, 0);
	bpmu_wrmsr(BPMU_MSR_PERF_METRICS, 0);
}

/*
 * Returns true if the counter of an event is PERF_METRICS, or fixed counter 3 in a group with
 * PERF_METRICS.
 */
static bool counts_slots(const struct bpmu_bank *bank, u32 event)
{
	u32 counter = counter_of(bank, event);

	return counter == BPMU_METRICS_COUNTER ||
	       (counter == BPMU_FIXED_SLOTS && bank->setup->metrics);
}

/* Sets the values of fixed counter 3 and of PERF_METRICS in @values, [nr events]. */
static void put_slots(const struct bpmu_bank *bank, const struct bpmu_slots_sum *sum, u64 *values)
{
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		if (counts_slots(bank, i))
			values[i] = counter_of(bank, i) == BPMU_METRICS_COUNTER ? metrics_of(sum) :
										 sum->slots;
}

/**
 * bpmu_interrupts_count_anew() - begin to count for the next record that has counts
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped; nothing is done if its records
 *	have no counts
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_count_anew(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 slots = 0, metrics = 0;
	u32 i;

	if (!bank->pebs->counts)
		return;
	for (i = 0; i < bank->group->nr; i++)
		if (!counts_slots(bank, i))
			state->base[i] = value_of(bank, i);
	if (!bank->setup->metrics)
		return;
	read_slots(&slots, &metrics);
	add_slots(&state->since_sample, slots, metrics);
	memset(&state->since_record, 0, sizeof(state->since_record));
	clear_slots(bank);
}

/**
 * bpmu_interrupts_reset_slots() - set PERF_METRICS and its slots to 0 after a sample
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped; its group has PERF_METRICS
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_interrupts_reset_slots(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 slots = 0, metrics = 0;

	read_slots(&slots, &metrics);
	add_slots(&state->since_record, slots, metrics);
	memset(&state->since_sample, 0, sizeof(state->since_sample));
	clear_slots(bank);
}

/**
 * bpmu_interrupts_counts() - find what all counters counted between two precise records
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped; its records have counts
 * @record: the next record of the buffer, before bpmu_interrupts_take() sets back its counter
 * @counts: set to the counts since bpmu_interrupts_count_anew() or the record before, [nr events];
 *	that of PERF_METRICS to the fractions of these slots
 *
 * Context: this CPU, NMI.
 * Return: false if the record lacks the value of a counter. @counts is not set then, and the next
 * record of the buffer has the counts of both.
 */
bool bpmu_interrupts_counts(const struct bpmu_bank *bank, const struct bpmu_pebs_record *record,
			    u64 *counts)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		if (counts_slots(bank, i) ? !record->slots :
					    !(record->held & BIT_ULL(counter_of(bank, i))))
			return false;
	for (i = 0; i < bank->group->nr; i++) {
		u64 value = bpmu_pebs_value(record, counter_of(bank, i));

		if (counts_slots(bank, i))
			continue;
		counts[i] = (value - state->base[i]) & mask_of(bank, i);
		state->base[i] = value;
	}
	if (!bank->setup->metrics)
		return true;
	add_slots(&state->since_record, record->slots[0], record->slots[1]);
	put_slots(bank, &state->since_record, counts);
	/* A further record counts from the same 0 as this one, whose slots it must not have. */
	memset(&state->since_record, 0, sizeof(state->since_record));
	add_slots(&state->since_record, -record->slots[0], record->slots[1]);
	return true;
}

/**
 * bpmu_interrupts_arm() - let the overflows of this CPU's counters cause NMIs
 * @bank: core bank with interrupts, before it is programmed
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_arm(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;

	lockdep_assert_irqs_disabled();
	state->counters = 0;
	state->enable = 0;
	state->expected = 0;
	state->masks = masks_entry(bank);
	state->frozen = frozen_bit(bank);
	state->random = (u32)rdtsc() | 1;
	state->lvtpc = apic->read(APIC_LVTPC) & ~LVTPC_STATUS;
	if (freezes(bank))
		state->debugctl = bpmu_rdmsr(BPMU_MSR_DEBUGCTL);
	WRITE_ONCE(state->armed, true);
	write_lvtpc(APIC_DM_NMI);
}

/**
 * bpmu_interrupts_disarm() - restore the APIC's LVTPC entry for overflow interrupts
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_disarm(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;

	lockdep_assert_irqs_disabled();
	bpmu_pebs_restore(bank);
	bpmu_branches_restore(bank);
	if (state->counters & bpmu_pebs_status(bank->pmu))
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, bpmu_pebs_status(bank->pmu));
	bpmu_tagged_restore(bank);
	set_freeze(bank, state->debugctl);
	if (freezes(bank))
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, state->frozen);
	write_lvtpc(state->lvtpc);
	WRITE_ONCE(state->armed, false);
}

/*
 * Clears overflow bits of the global status, and the bit that is set while an interrupt has stopped
 * the counters. Nothing is done on parts without this register.
 */
static __always_inline void clear_status(const struct bpmu_bank *bank, u64 counters)
{
	if (bank->pmu->global)
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf,
			   (counters & ~BPMU_STATUS_TAGGED) | bank->interrupts->frozen);
}

/**
 * bpmu_interrupts_preload() - preload a bank's counters, so that events of its group interrupt
 * @bank: armed by bpmu_interrupts_arm(), with a scheduled group; its counters are stopped
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_preload(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 counters = 0;
	u32 i;

	WRITE_ONCE(state->counters, 0);
	state->incomplete = false;
	bpmu_tagged_begin(bank);
	for (i = 0; i < bank->group->nr; i++) {
		state->moved[i] = 0;
		state->msr[i] = msr_of(bank, i);
		state->mask[i] = GENMASK_ULL(width_of(bank, i) - 1, 0);
		if (!interrupts(bank, i))
			continue;
		counters |= bank->group->event[i].precise ? bpmu_pebs_status(bank->pmu) :
							    BIT_ULL(counter_of(bank, i));
		state->mean[i] = bank->group->event[i].period;
		state->begun[i] = rdtsc();
		set_back(bank, i, 0);
		bank->pebs->reload[i] = state->from[i];
	}
	if (bank->setup->metrics)
		clear_slots(bank);
	memset(&state->since_sample, 0, sizeof(state->since_sample));
	bpmu_interrupts_count_anew(bank);
	bpmu_pebs_program(bank);
	bpmu_branches_program(bank);
	clear_status(bank, counters);
	/* An NMI that comes from here on finds no overflow of an earlier run. */
	WRITE_ONCE(state->counters, counters);
}

/**
 * bpmu_interrupts_start() - start the counters of a group with events that interrupt
 * @bank: core bank with a programmed group
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_start(const struct bpmu_bank *bank)
{
	WRITE_ONCE(bank->interrupts->enable, bank->setup->enable);
	start_again(bank);
	bpmu_tagged_start(bank);
}

/* Returns true if an NMI that finds no overflow is to be taken for an overflow interrupt. */
static bool is_expected(const struct bpmu_interrupts *state)
{
	return READ_ONCE(state->expected) && rdtsc() - state->since < tsc_khz;
}

/**
 * bpmu_interrupts_hold() - keep interrupts from starting the counters again
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * The caller then stops the counters, and calls bpmu_interrupts_stop().
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_hold(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u32 expected;

	WRITE_ONCE(state->enable, 0);
	if (!(state->counters & BPMU_STATUS_TAGGED))
		return;
	/* No handler lets IBS count from here on. */
	expected = is_expected(state) ? READ_ONCE(state->expected) : 0;
	state->since = rdtsc();
	WRITE_ONCE(state->expected, expected + bpmu_tagged_hold(bank));
}

/**
 * bpmu_interrupts_stop() - stop IBS, and wait for overflow interrupts that are on the way
 * @bank: core bank whose counters are stopped, after bpmu_interrupts_hold()
 *
 * An NMI arrives within some hundred cycles. The wait ends after 1 ms, because the CPU would wait
 * forever if an NMI were lost. When IBS stops, NMIs without a sample may come: the function waits
 * some microseconds for them.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_interrupts_stop(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 begin = rdtsc();

	bpmu_tagged_stop(bank);
	while (bpmu_interrupts_found(bank) && rdtsc() - begin < tsc_khz)
		cpu_relax();
	while (is_expected(state) && rdtsc() - begin < tsc_khz / LATE)
		cpu_relax();
}

static bool has_batch(const struct bpmu_bank *bank)
{
	return bank->pebs->batch > 1;
}

/* Returns the value that the counter of a record's event had before the CPU set it back. */
static u64 value_in(const struct bpmu_bank *bank, u32 event, const struct bpmu_pebs_record *record)
{
	u32 counter = counter_of(bank, event);

	if (!((record->held | record->reset) & BIT_ULL(counter)))
		bank->interrupts->incomplete = true;
	return bpmu_pebs_value(record, counter);
}

/*
 * Adds to @moved, [nr events], the distances by which the CPU has set counters back at the precise
 * records that wait in the buffer. Returns false if they cannot all be read.
 */
static bool add_waiting(const struct bpmu_bank *bank, u64 *moved)
{
	struct bpmu_pebs_record record = { };
	u32 end = bpmu_pebs_end(bank, NULL);
	u32 at = 0, i;

	while (bpmu_pebs_read(bank, &at, end, &record))
		for (i = 0; i < bank->group->nr; i++)
			if (bank->group->event[i].precise &&
			    record.counters & BIT_ULL(counter_of(bank, i)))
				moved[i] += value_in(bank, i, &record) - bank->pebs->reload[i];
	return at == end;
}

/**
 * bpmu_interrupts_pause() - stop the counters, so that the CPU writes no further precise record
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * An NMI whose handler starts the counters must not come until bpmu_interrupts_resume(), or the
 * caller must notice it.
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: value of the global control before, for bpmu_interrupts_resume().
 */
u64 bpmu_interrupts_pause(const struct bpmu_bank *bank)
{
	u32 msr = bank->pmu->part->msrs.global_ctrl;
	u64 control = bpmu_rdmsr(msr);

	bpmu_wrmsr(msr, 0);
	return control;
}

/**
 * bpmu_interrupts_resume() - let the counters go on after bpmu_interrupts_pause()
 * @bank: core bank that bpmu_interrupts_arm() has armed
 * @control: value that bpmu_interrupts_pause() has returned. If another agent has stopped counters,
 *	they stay stopped, so that the next sample finds it
 *
 * The APIC's entry is left alone: an NMI that is on the way finds it masked, by which
 * bpmu_interrupts_was_ours() knows the NMI.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_interrupts_resume(const struct bpmu_bank *bank, u64 control)
{
	bpmu_wrmsr(bank->pmu->part->msrs.global_ctrl, control);
}

/*
 * Sets the values of fixed counter 3 and PERF_METRICS in a sample, [nr events]: since the sample
 * before, although records have set both to 0 meanwhile.
 */
static void read_since_sample(const struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_slots_sum sum = bank->interrupts->since_sample;
	u64 slots = 0, metrics = 0;

	read_slots(&slots, &metrics);
	add_slots(&sum, slots, metrics);
	put_slots(bank, &sum, values);
}

/*
 * Returns the value of a count of IBS in a sample. If some privilege levels are left out, it is not
 * known before its end whether a period counts. If ops or fetches are filtered, the CPU discards
 * one that does not pass, and begins a new period by itself, from a small random count: the count
 * runs backwards. In both cases only periods that have ended are in the value, so that it never
 * decreases.
 */
static u64 tagged_value(const struct bpmu_bank *bank, u32 event)
{
	u64 levels = BPMU_SEL_USR | BPMU_SEL_OS;
	u64 select = bank->group->event[event].select;
	u64 value = value_of(bank, event);

	if ((select & levels) == levels &&
	    !(select & BPMU_IBS_SEL_FILTERS))
		return value;
	return bank->interrupts->from[event];
}

/**
 * bpmu_interrupts_read() - read counters as if overflows had not set them back
 * @bank: core bank that bpmu_interrupts_arm() has armed
 * @values: set to the values, [nr events], like the values that bpmu_core_read() reads
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: 0, or -EFAULT if RDPMC faults; @values are all 0 then.
 */
int bpmu_interrupts_read(const struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 moved[BPMU_MAX_COUNTERS];
	u32 nr = bank->group->nr;
	bool all_read = true;
	u64 control = 0;
	u32 times, i;
	int err;

	/*
	 * An NMI during the loop may set a counter back: @times has then changed, and all counters
	 * are read again. A CPU that sets counters back by itself must not do so meanwhile.
	 */
	do {
		times = READ_ONCE(state->times);
		if (has_batch(bank))
			control = bpmu_interrupts_pause(bank);
		err = bpmu_core_read(bank, values);
		for (i = 0; i < nr; i++) {
			if (is_tagged(bank, i))
				values[i] = tagged_value(bank, i);
			moved[i] = READ_ONCE(state->moved[i]);
		}
		if (has_batch(bank)) {
			all_read = add_waiting(bank, moved);
			bpmu_interrupts_resume(bank, control);
		}
	} while (times != READ_ONCE(state->times));
	if (!all_read || bpmu_tagged_disturbed(bank))
		state->incomplete = true;
	for (i = 0; i < nr && !err; i++)
		if (!counts_slots(bank, i))
			values[i] = (values[i] + moved[i]) & mask_of(bank, i);
	if (bank->setup->metrics && !err)
		read_since_sample(bank, values);
	return err;
}

/*
 * Returns the set of the counters, among those in @counters, that have overflowed on a part without
 * a global status: those whose highest bit is 0.
 */
static u64 overflowed(const struct bpmu_bank *bank, u64 counters)
{
	const struct bpmu_core_setup *setup = bank->setup;
	u64 found = 0;
	u64 value = 0;
	int err = 0;
	u32 i;

	counters &= ~BPMU_STATUS_TAGGED;
	for (i = 0; counters && i < setup->nr_gp; i++) {
		if (!(counters & BIT_ULL(setup->gp[i])))
			continue;
		bpmu_rdpmc(setup->gp[i], &value, &err);
		if (!err && !(value >> (bank->pmu->gp_width - 1)))
			found |= BIT_ULL(setup->gp[i]);
	}
	return found;
}

/* Returns the set of the counters of IBS, among those in @counters, that have a sample. */
static u64 found_tagged(const struct bpmu_bank *bank, u64 counters)
{
	return counters & BPMU_STATUS_TAGGED ? bpmu_tagged_found(bank) & counters : 0;
}

/* Returns what bpmu_interrupts_found() returns. */
static __always_inline u64 found_here(const struct bpmu_bank *bank)
{
	u64 counters = READ_ONCE(bank->interrupts->counters);
	u64 found = found_tagged(bank, counters);

	if (bank->pmu->global)
		return found | (bpmu_rdmsr(bank->pmu->part->msrs.global_status) & counters);
	return found | overflowed(bank, counters);
}

/**
 * bpmu_interrupts_found() - find the counters that have overflowed, or written precise records
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of the counters that overflowed, with bpmu_pebs_status() if the precise records are
 *	as many as interrupt, and the counters of IBS that have a sample.
 */
u64 bpmu_interrupts_found(const struct bpmu_bank *bank)
{
	return found_here(bank);
}

/**
 * bpmu_interrupts_begin() - begin an overflow interrupt: find the counters that caused it, stop all
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * Context: this CPU, NMI.
 * Return: what bpmu_interrupts_found() finds. If it is 0 the function has not stopped the counters.
 */
u64 bpmu_interrupts_begin(const struct bpmu_bank *bank)
{
	u64 status = found_here(bank);

	if (status)
		stop_here(bank);
	return status;
}

/**
 * bpmu_interrupts_take() - take an event's interrupt: end its counter's period, begin the next
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped
 * @event: index of the counter's event in the group
 * @shift: the next period is the mean period times 2^@shift, but at most %BPMU_MAX_PERIOD
 *
 * Context: this CPU, NMI.
 * Return: number of events that were counted in the period that has ended.
 */
u64 bpmu_interrupts_take(const struct bpmu_bank *bank, u32 event, u32 shift)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 now = value_of(bank, event);
	u64 period = (now - state->from[event]) & mask_of(bank, event);

	follow_frequency(bank, event, period);
	set_back(bank, event, shift);
	WRITE_ONCE(state->moved[event], state->moved[event] + now - state->from[event]);
	WRITE_ONCE(state->times, state->times + 1);
	return period;
}

/**
 * bpmu_interrupts_leave_out() - leave a period out of an event's count: its interrupt has no record
 * @bank: armed by bpmu_interrupts_arm()
 * @event: index of the event in the group
 * @period: result of bpmu_interrupts_take(), which has counted the period
 *
 * Context: this CPU, NMI.
 */
void bpmu_interrupts_leave_out(const struct bpmu_bank *bank, u32 event, u64 period)
{
	struct bpmu_interrupts *state = bank->interrupts;

	WRITE_ONCE(state->moved[event], state->moved[event] - period);
}

/**
 * bpmu_interrupts_take_reloaded() - take a precise record after which the CPU set back a counter
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, with a batch of several records
 * @event: index of the counter's event in the group
 * @record: the record
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: number of events that were counted in the period that has ended.
 */
u64 bpmu_interrupts_take_reloaded(const struct bpmu_bank *bank, u32 event,
				  const struct bpmu_pebs_record *record)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 value = value_in(bank, event, record);
	u64 period = (value - state->from[event]) & mask_of(bank, event);

	state->from[event] = bank->pebs->reload[event];
	WRITE_ONCE(state->moved[event], state->moved[event] + value - state->from[event]);
	WRITE_ONCE(state->times, state->times + 1);
	return period;
}

/**
 * bpmu_interrupts_reload() - choose new periods for events whose counters the CPU sets back
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped; all records have been taken
 * @shift: the next periods are the mean periods times 2^@shift, but at most %BPMU_MAX_PERIOD
 *
 * Nothing is done if each precise record interrupts.
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_reload(const struct bpmu_bank *bank, u32 shift)
{
	u32 i;

	for (i = 0; has_batch(bank) && i < bank->group->nr; i++)
		if (bank->group->event[i].precise)
			bpmu_pebs_reload(bank, i, first_value(bank, i, shift));
}

/**
 * bpmu_interrupts_again() - clear overflow bits of an interrupt, and look for further overflows
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped
 * @status: set of counters whose overflows have been handled
 *
 * On a part without a global status the counters are not read again: one that has overflowed
 * before it was stopped is found by its own NMI, which is on the way.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of counters whose overflow bits are set after the overflow bits of @status were
 * cleared.
 */
u64 bpmu_interrupts_again(const struct bpmu_bank *bank, u64 status)
{
	if (!bank->pmu->global)
		return found_tagged(bank, bank->interrupts->counters);
	/*
	 * The CPU has stopped all counters if this session or another agent has set bit 12 of
	 * IA32_DEBUGCTL: let the counters go on.
	 */
	clear_status(bank, status);
	return found_here(bank);
}

/**
 * bpmu_interrupts_end() - end an overflow interrupt: unmask the APIC's entry, start the counters
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, no overflow bit is set
 * @nr: number of overflows that have been handled
 *
 * Context: this CPU, NMI.
 */
void bpmu_interrupts_end(const struct bpmu_bank *bank, unsigned int nr)
{
	struct bpmu_interrupts *state = bank->interrupts;

	if (state->masks || !bank->pmu->global)
		write_lvtpc(APIC_DM_NMI);
	if (nr > 1) {
		state->expected = max_t(u32, state->expected, 1);
		state->since = rdtsc();
	}
	if (bank->branches && READ_ONCE(state->enable))
		bpmu_branches_resume(bank);
	start_again(bank);
	if (state->counters & BPMU_STATUS_TAGGED)
		bpmu_tagged_go_on(bank);
}

/**
 * bpmu_interrupts_was_ours() - check if an NMI without an overflow bit was an overflow interrupt
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * On parts whose APIC masks its LVTPC entry when it delivers an overflow interrupt, a masked entry
 * shows that the NMI was an overflow interrupt; the function then unmasks the entry, and starts the
 * counters again if the interrupt has stopped them by BPMU_CHECK_FREEZE. On other parts
 * one NMI within 1 ms after an NMI that has served several counters is taken for an overflow
 * interrupt.
 *
 * Context: this CPU, NMI.
 * Return: true if the NMI is handled; false to leave it to other handlers.
 */
bool bpmu_interrupts_was_ours(const struct bpmu_bank *bank)
{
	struct bpmu_interrupts *state = bank->interrupts;
	bool expected = is_expected(state);

	if (!state->masks) {
		WRITE_ONCE(state->expected, expected ? state->expected - 1 : 0);
		return expected;
	}
	if (!(apic->read(APIC_LVTPC) & APIC_LVT_MASKED))
		return false;
	write_lvtpc(APIC_DM_NMI);
	if (freezes(bank)) {
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, state->frozen);
		start_again(bank);
	}
	return true;
}
