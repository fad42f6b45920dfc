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
#include "store.h"

/* A random period differs from the requested one by at most 1 / SPREAD of the latter. */
#define SPREAD 16

/* Value of &bpmu_interrupts.shift by which bpmu_interrupts_first() chooses the values anew */
#define NOT_CHOSEN (~0U)

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

/**
 * bpmu_interrupts_freeze() - set the bit by which an interrupt stops the counters (IA32_DEBUGCTL)
 * @bank: core bank with interrupts; nothing is done in a session without BPMU_CHECK_FREEZE
 * @value: value with the bit to set or to clear
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_freeze(const struct bpmu_bank *bank, u64 value)
{
	u64 bit = BPMU_DEBUGCTL_FREEZE_COUNTERS;

	if (freezes(bank))
		bpmu_wrmsr(BPMU_MSR_DEBUGCTL,
			   (bpmu_rdmsr(BPMU_MSR_DEBUGCTL) & ~bit) | (value & bit));
}

static bool interrupts(const struct bpmu_bank *bank, u32 event)
{
	return bank->group->event[event].period;
}

static unsigned int width_of(const struct bpmu_bank *bank, u32 event)
{
	if (bpmu_interrupts_is_tagged(bank, event))
		return BPMU_IBS_WIDTH;
	return bpmu_interrupts_counter(bank, event) < BPMU_FIXED_BASE ? bank->pmu->gp_width :
							   bank->pmu->fixed_width;
}

/* Returns the register of an event's counter; 0 if IBS counts the event. */
static u32 msr_of(const struct bpmu_bank *bank, u32 event)
{
	const struct bpmu_part *part = bank->pmu->part;
	u32 counter = bpmu_interrupts_counter(bank, event);

	if (bpmu_tagged_is(counter))
		return 0;
	return counter < BPMU_FIXED_BASE ?
		       bpmu_pmu_counter_msr(part, counter, bpmu_probe_full_width()) :
		       part->msrs.fixed + counter - BPMU_FIXED_BASE;
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

/**
 * bpmu_interrupts_follow() - adapt the mean period of an event to the frequency of its interrupts
 * @bank: armed by bpmu_interrupts_arm()
 * @event: index in the group
 * @events: number of events in the period that has ended
 *
 * Nothing is done if the event has a period in place of a frequency.
 *
 * Context: this CPU, NMI.
 */
void bpmu_interrupts_follow(const struct bpmu_bank *bank, u32 event, u64 events)
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
	state->shift[event] = NOT_CHOSEN;
}

/**
 * bpmu_interrupts_choose() - choose the values that an event's counter begins its periods with
 * @bank: armed by bpmu_interrupts_arm()
 * @event: index in the group
 * @shift: the periods have 2^@shift times the event's mean period, but at most %BPMU_MAX_PERIOD
 *
 * A period differs from that by at most 1 / SPREAD of it; with BPMU_CHECK_PERIOD it is that.
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_choose(const struct bpmu_bank *bank, u32 event, u32 shift)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 period = min_t(u64, state->mean[event] << shift, BPMU_MAX_PERIOD);
	u64 spread = state->check & BPMU_CHECK_PERIOD ? 0 : period / SPREAD;

	state->shift[event] = shift;
	state->highest[event] = bpmu_interrupts_mask(bank, event) + 1 - (period - spread);
	state->range[event] = 2 * spread + 1;
}

/**
 * bpmu_interrupts_fit() - find a period that IBS can have
 * @bank: core bank with a scheduled group
 * @event: index in the group of an event of IBS
 * @value: value with which a counter would begin the period that is wished
 *
 * A period of ops need not be a multiple of BPMU_IBS_STEP, see tagged.c.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: value of that period, or of one that is a little less.
 */
u64 bpmu_interrupts_fit(const struct bpmu_bank *bank, u32 event, u64 value)
{
	u64 end = bpmu_interrupts_mask(bank, event) + 1;
	u64 period = end - value;

	if (bpmu_interrupts_counter(bank, event) == BPMU_FETCH_COUNTER)
		period = round_down(min_t(u64, period, BPMU_IBS_FETCH_LONGEST), BPMU_IBS_STEP);
	else if (bank->group->event[event].select & BPMU_IBS_SEL_OPS)
		period = min(period, bpmu_ibs_longest(bank->pmu->ibs));
	else
		period = round_down(min(period, bpmu_ibs_longest(bank->pmu->ibs)), BPMU_IBS_STEP);
	return end - period;
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
	u32 counter = bpmu_interrupts_counter(bank, event);

	return counter == BPMU_METRICS_COUNTER ||
	       (counter == BPMU_FIXED_SLOTS && bank->setup->metrics);
}

/* Sets the values of fixed counter 3 and of PERF_METRICS in @values, [nr events]. */
static void put_slots(const struct bpmu_bank *bank, const struct bpmu_slots_sum *sum, u64 *values)
{
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		if (counts_slots(bank, i))
			values[i] = bpmu_interrupts_counter(bank, i) == BPMU_METRICS_COUNTER ?
					    metrics_of(sum) : sum->slots;
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
			state->base[i] =
				bpmu_interrupts_value(bank, i, bpmu_interrupts_is_tagged(bank, i));
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
		if (counts_slots(bank, i) ?
			    !record->slots :
			    !(record->held & BIT_ULL(bpmu_interrupts_counter(bank, i))))
			return false;
	for (i = 0; i < bank->group->nr; i++) {
		u64 value = bpmu_pebs_value(record, bpmu_interrupts_counter(bank, i));

		if (counts_slots(bank, i))
			continue;
		counts[i] = (value - state->base[i]) & bpmu_interrupts_mask(bank, i);
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
	const struct bpmu_msrs *msrs = &bank->pmu->part->msrs;
	struct bpmu_interrupts *state = bank->interrupts;

	lockdep_assert_irqs_disabled();
	state->counters = 0;
	state->tagged_too = false;
	state->enable = 0;
	state->expected = 0;
	state->masks = masks_entry(bank);
	state->global_ctrl = bank->pmu->global ? msrs->global_ctrl : 0;
	state->global_status = bank->pmu->global ? msrs->global_status : 0;
	state->global_ovf = bank->pmu->global ? msrs->global_ovf : 0;
	state->frozen = frozen_bit(bank);
	state->random = (u32)rdtsc() | 1;
	state->step = bank->pmu->part->quirks & BPMU_QUIRK_PERIOD_64 ? 64 - 1 : 0;
	state->lvtpc = apic->read(APIC_LVTPC) & ~LVTPC_STATUS;
	if (freezes(bank))
		state->debugctl = bpmu_rdmsr(BPMU_MSR_DEBUGCTL);
	WRITE_ONCE(state->armed, true);
	apic->write(APIC_LVTPC, APIC_DM_NMI);
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
	bpmu_interrupts_freeze(bank, state->debugctl);
	if (freezes(bank))
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, state->frozen);
	apic->write(APIC_LVTPC, state->lvtpc);
	WRITE_ONCE(state->armed, false);
}

/* Returns true if a number has a prime factor up to 13. */
static bool has_small_factor(u32 number)
{
	return number % 2 == 0 || number % 3 == 0 || number % 5 == 0 || number % 7 == 0 ||
	       number % 11 == 0 || number % 13 == 0;
}

/*
 * Returns the value to which the CPU sets the counter of an event back by itself after each precise
 * record, at most some events below bpmu_interrupts_first(). The records until the next NMI are
 * equally far apart: if this number of events had a factor in common with the length of a loop,
 * they would be of few of its instructions. It has none of the small ones. It is one more than the
 * counter counts up to its overflow, because the event after the overflow is recorded, and sets the
 * counter back (SDM Vol. 3, "Processor Event Based Sampling").
 */
static u64 reload_value(const struct bpmu_bank *bank, u32 event, u32 shift)
{
	u64 value = bpmu_interrupts_first(bank, event, shift, false);

	if (bank->interrupts->check & BPMU_CHECK_PERIOD)
		return value;
	while (has_small_factor(bpmu_interrupts_mask(bank, event) + 2 - value))
		value--;
	return value;
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
	state->adapts = false;
	bpmu_tagged_begin(bank);
	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];
		u64 bit = BIT_ULL(bpmu_interrupts_counter(bank, i));

		state->plain[i] = interrupts(bank, i) && !event->precise ? bit : 0;
		state->precise[i] = interrupts(bank, i) && event->precise ? bit : 0;
		state->moved[i] = 0;
		state->msr[i] = msr_of(bank, i);
		state->mask[i] = GENMASK_ULL(width_of(bank, i) - 1, 0);
		if (!interrupts(bank, i))
			continue;
		counters |= event->precise ? bpmu_pebs_status(bank->pmu) : bit;
		state->adapts |= event->frequency;
		state->mean[i] = event->period;
		state->shift[i] = NOT_CHOSEN;
		state->begun[i] = rdtsc();
		bpmu_interrupts_set_back(bank, i, 0, bpmu_interrupts_is_tagged(bank, i));
		if (event->precise)
			bank->pebs->reload[i] = reload_value(bank, i, 0);
	}
	state->tagged_too = counters & BPMU_STATUS_TAGGED;
	if (bank->setup->metrics)
		clear_slots(bank);
	memset(&state->since_sample, 0, sizeof(state->since_sample));
	bpmu_interrupts_count_anew(bank);
	bpmu_pebs_program(bank);
	bpmu_branches_program(bank);
	bpmu_interrupts_clear(bank, counters);
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
	bpmu_interrupts_go_on(bank);
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
	if (!state->tagged_too)
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
	u32 counter = bpmu_interrupts_counter(bank, event);

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
	u32 at = 0, next, i;

	for (; at != end; at = next) {
		next = bpmu_pebs_read(bank, at, end, &record);
		if (next == at)
			return false;
		for (i = 0; i < bank->group->nr; i++)
			if (bank->group->event[i].precise &&
			    record.counters & BIT_ULL(bpmu_interrupts_counter(bank, i)))
				moved[i] += value_in(bank, i, &record) - bank->pebs->reload[i];
	}
	return true;
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
	u64 value = bpmu_interrupts_value(bank, event, true);

	if ((select & levels) == levels && !(select & BPMU_IBS_SEL_FILTERS))
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
			if (bpmu_interrupts_is_tagged(bank, i))
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
			values[i] = (values[i] + moved[i]) & bpmu_interrupts_mask(bank, i);
	if (bank->setup->metrics && !err)
		read_since_sample(bank, values);
	return err;
}

/**
 * bpmu_interrupts_overflowed() - find overflows on a part without a global status
 * @bank: core bank that bpmu_interrupts_arm() has armed
 * @counters: set of counters that interrupt
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: those of @counters that have overflowed, whose highest bit is 0.
 */
u64 bpmu_interrupts_overflowed(const struct bpmu_bank *bank, u64 counters)
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
 * bpmu_interrupts_reloaded() - begin to take precise records after which the CPU set back a counter
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, with a batch of several records
 * @event: index of the counter's event in the group
 * @record: the first record; the others have the values of the same counters
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: the counter, for bpmu_interrupts_take_reloaded().
 */
struct bpmu_reloaded bpmu_interrupts_reloaded(const struct bpmu_bank *bank, u32 event,
					      const struct bpmu_pebs_record *record)
{
	const struct bpmu_interrupts *state = bank->interrupts;

	return (struct bpmu_reloaded){
		.first = value_in(bank, event, record),
		.at = bpmu_pebs_place(record, bpmu_interrupts_counter(bank, event)),
		.reload = bank->pebs->reload[event],
		.mask = bpmu_interrupts_mask(bank, event),
		.from = state->from[event],
		.moved = state->moved[event],
		.times = state->times,
	};
}

/**
 * bpmu_interrupts_end_reloaded() - end to take precise records of a counter that was set back
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, with a batch of several records
 * @event: index of the counter's event in the group
 * @counter: from bpmu_interrupts_reloaded(); all records have been taken
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_end_reloaded(const struct bpmu_bank *bank, u32 event,
				  struct bpmu_reloaded counter)
{
	struct bpmu_interrupts *state = bank->interrupts;

	state->from[event] = counter.from;
	WRITE_ONCE(state->moved[event], counter.moved);
	WRITE_ONCE(state->times, counter.times);
}

/**
 * bpmu_interrupts_reload() - choose new periods for events whose counters the CPU sets back
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, with a batch of several records;
 *	all records have been taken
 * @shift: the next periods are the mean periods times 2^@shift, but at most %BPMU_MAX_PERIOD
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_interrupts_reload(const struct bpmu_bank *bank, u32 shift)
{
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		if (bank->group->event[i].precise)
			bpmu_pebs_reload(bank, i, reload_value(bank, i, shift));
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
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	if (freezes(bank)) {
		bpmu_wrmsr(bank->pmu->part->msrs.global_ovf, state->frozen);
		bpmu_interrupts_go_on(bank);
	}
	return true;
}
