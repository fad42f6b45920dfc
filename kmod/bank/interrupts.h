/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overflow interrupts of a logical CPU's counters. The local APIC has an entry for these
 * interrupts (LVTPC). A counter begins one period below its overflow, so that it interrupts when
 * the period ends.
 */
#ifndef BPMU_INTERRUPTS_H
#define BPMU_INTERRUPTS_H

#include <linux/barepmu.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include <asm/apic.h>
#include <asm/tsc.h>

#include "bank.h"
#include "branches.h"
#include "compat.h"
#include "intel.h"
#include "lbr.h"
#include "pebs.h"
#include "random.h"
#include "rdpmc.h"
#include "selects.h"
#include "tagged.h"

/**
 * struct bpmu_slots_sum - slots, and how many of them each field of PERF_METRICS has
 * @slots: number of slots
 * @part: BPMU_METRICS_FULL times the slots of each field
 */
struct bpmu_slots_sum {
	u64 slots;
	u64 part[BPMU_METRICS_FIELDS];
};

/**
 * struct bpmu_interrupts - overflow interrupts of the core bank of one CPU
 * @lvtpc: value of the APIC's LVTPC entry before the session
 * @check: set of &enum bpmu_check of the session
 * @debugctl: value of IA32_DEBUGCTL before the session; only with %BPMU_CHECK_FREEZE
 * @masks: the APIC masks its LVTPC entry when it delivers an NMI
 * @frozen: bit of the global status that is 1 while an interrupt has stopped the counters; 0 if the
 *	part has no such bit
 * @armed: the module has set the APIC's LVTPC entry to deliver NMIs
 * @global_ctrl: register of the global control; 0 on a part that lacks it and the next two
 * @global_status: register of the global status
 * @global_ovf: register that clears bits of the global status
 * @counters: bit set of the group's counters that interrupt, and bpmu_pebs_status() if precise
 *	records interrupt
 * @tagged_too: there are counters of IBS in @counters
 * @plain: bit of each event's counter if its overflows interrupt, [nr events]; 0 if they do not, or
 *	have precise records
 * @precise: bit of each event's counter if its overflows have precise records, [nr events]
 * @enable: value that the interrupt's handler writes to the global control at its end; 0 while the
 *	counters are stopped
 * @mask: mask of the bits of each event's counter, [nr events]
 * @msr: register of each event's counter, [nr events]; 0 if IBS counts the event. That of
 *	PERF_METRICS is not used
 * @adapts: an event has a frequency, to which its mean period is adapted
 * @mean: mean of each event's periods, before they become random and are made longer, [nr events]
 * @shift: the values that an event's counter begins with have been chosen for periods of 2^@shift
 *	times the mean; another number if they have not been chosen, [nr events]
 * @highest: the highest of these values, [nr events]
 * @range: number of these values, [nr events]
 * @step: the values are multiples of @step + 1, which is a power of two
 * @begun: TSC when each event's period began, [nr events]
 * @from: value to which each event's counter was last set back, [nr events]
 * @moved: sum of the distances by which each event's counter was set back at overflows,
 *	[nr events]. This sum plus the counter's value is the number of all events counted
 * @times: number of times that a counter was set back
 * @expected: number of NMIs that may follow and find no overflow: 1 after an NMI that has served
 *	several counters
 * @incomplete: @moved lacks a period after which the CPU has set back a counter, because the
 *	precise record was lost, could not be read, or lacked the counter's value
 * @base: value of each event's counter from which the counts of the next record with counts are
 *	reckoned, [nr events]; not used for PERF_METRICS and its slots
 * @since_record: slots since the last record with counts, without those that fixed counter 3 holds
 * @since_sample: slots since the last sample, without those that fixed counter 3 holds
 * @since: TSC when @expected was last set
 * @random: state of the random number generator
 * @pebs: precise records
 * @branches: branch records
 * @tagged: instruction-based sampling, [&enum bpmu_tagged_kind]
 *
 * The interrupt's handler writes @mean, @shift, @highest, @range, @begun, @from, @moved, @times,
 * @expected, @incomplete, @base, @since_record, @since_sample, @since and @random. All other code
 * writes these members only while no counter runs.
 */
struct bpmu_interrupts {
	u32 lvtpc;
	u32 check;
	u64 debugctl;
	bool masks;
	u64 frozen;
	bool armed;
	u32 global_ctrl;
	u32 global_status;
	u32 global_ovf;
	u64 counters;
	bool tagged_too;
	u64 plain[BPMU_MAX_COUNTERS];
	u64 precise[BPMU_MAX_COUNTERS];
	u64 enable;
	u64 mask[BPMU_MAX_COUNTERS];
	u32 msr[BPMU_MAX_COUNTERS];
	bool adapts;
	u64 mean[BPMU_MAX_COUNTERS];
	u32 shift[BPMU_MAX_COUNTERS];
	u64 highest[BPMU_MAX_COUNTERS];
	u32 range[BPMU_MAX_COUNTERS];
	u64 step;
	u64 begun[BPMU_MAX_COUNTERS];
	u64 from[BPMU_MAX_COUNTERS];
	u64 moved[BPMU_MAX_COUNTERS];
	u32 times;
	u32 expected;
	bool incomplete;
	u64 base[BPMU_MAX_COUNTERS];
	struct bpmu_slots_sum since_record;
	struct bpmu_slots_sum since_sample;
	u64 since;
	u32 random;
	struct bpmu_pebs pebs;
	struct bpmu_branches branches;
	struct bpmu_tagged tagged[BPMU_TAGGED_KINDS];
};

/**
 * struct bpmu_reloaded - a counter that the CPU sets back, while its precise records are taken
 * @first: value of the counter in the first record, before it was set back
 * @at: index of that value among those of a further record
 * @reload: value to which the CPU has set the counter back
 * @mask: as &bpmu_interrupts.mask
 * @from: as &bpmu_interrupts.from
 * @moved: as &bpmu_interrupts.moved
 * @times: as &bpmu_interrupts.times
 */
struct bpmu_reloaded {
	u64 first;
	u32 at;
	u64 reload;
	u64 mask;
	u64 from;
	u64 moved;
	u32 times;
};

/**
 * bpmu_interrupts_take_reloaded() - take a precise record after which the CPU set back a counter
 * @counter: from bpmu_interrupts_reloaded()
 * @value: value of the counter in the record
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: number of events that were counted in the period that has ended.
 */
static __always_inline u64 bpmu_interrupts_take_reloaded(struct bpmu_reloaded *counter, u64 value)
{
	u64 period = (value - counter->from) & counter->mask;

	counter->from = counter->reload;
	counter->moved += value - counter->reload;
	counter->times++;
	return period;
}

u32 bpmu_interrupts_obstacles(void);
int bpmu_interrupts_try_freeze(void);
int bpmu_interrupts_try_metrics(void);

void bpmu_interrupts_arm(const struct bpmu_bank *bank);
void bpmu_interrupts_disarm(const struct bpmu_bank *bank);
void bpmu_interrupts_preload(const struct bpmu_bank *bank);
void bpmu_interrupts_start(const struct bpmu_bank *bank);
void bpmu_interrupts_hold(const struct bpmu_bank *bank);
void bpmu_interrupts_stop(const struct bpmu_bank *bank);
int bpmu_interrupts_read(const struct bpmu_bank *bank, u64 *values);

void bpmu_interrupts_freeze(const struct bpmu_bank *bank, u64 value);
void bpmu_interrupts_follow(const struct bpmu_bank *bank, u32 event, u64 events);
void bpmu_interrupts_choose(const struct bpmu_bank *bank, u32 event, u32 shift);
u64 bpmu_interrupts_fit(const struct bpmu_bank *bank, u32 event, u64 value);
u64 bpmu_interrupts_overflowed(const struct bpmu_bank *bank, u64 counters);
void bpmu_interrupts_leave_out(const struct bpmu_bank *bank, u32 event, u64 period);
struct bpmu_reloaded bpmu_interrupts_reloaded(const struct bpmu_bank *bank, u32 event,
					      const struct bpmu_pebs_record *record);
void bpmu_interrupts_end_reloaded(const struct bpmu_bank *bank, u32 event,
				  struct bpmu_reloaded counter);
void bpmu_interrupts_reload(const struct bpmu_bank *bank, u32 shift);
bool bpmu_interrupts_counts(const struct bpmu_bank *bank, const struct bpmu_pebs_record *record,
			    u64 *counts);
void bpmu_interrupts_count_anew(const struct bpmu_bank *bank);
void bpmu_interrupts_reset_slots(const struct bpmu_bank *bank);
u64 bpmu_interrupts_pause(const struct bpmu_bank *bank);
void bpmu_interrupts_resume(const struct bpmu_bank *bank, u64 control);
bool bpmu_interrupts_was_ours(const struct bpmu_bank *bank);

/*
 * The handler takes the steps that follow once in each interrupt. They are inline: a call would
 * take about as long as a step.
 */

/**
 * bpmu_interrupts_counter() - number of an event's counter
 * @bank: core bank with a scheduled group
 * @event: index in the group
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: the number.
 */
static __always_inline u32 bpmu_interrupts_counter(const struct bpmu_bank *bank, u32 event)
{
	return bpmu_plan_counter(&bank->group->event[event], bank->thread);
}

/**
 * bpmu_interrupts_is_tagged() - check if IBS counts an event
 * @bank: core bank, of which bpmu_interrupts_preload() has set the register of the event
 * @event: index in the group
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: true if it does.
 */
static __always_inline bool bpmu_interrupts_is_tagged(const struct bpmu_bank *bank, u32 event)
{
	return !bank->interrupts->msr[event];
}

/**
 * bpmu_interrupts_mask() - mask of an event's counter
 * @bank: as for bpmu_interrupts_is_tagged()
 * @event: index in the group
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: bits that the counter has.
 */
static __always_inline u64 bpmu_interrupts_mask(const struct bpmu_bank *bank, u32 event)
{
	return bank->interrupts->mask[event];
}

/**
 * bpmu_interrupts_value() - value of an event's counter
 * @bank: as for bpmu_interrupts_is_tagged()
 * @event: index in the group
 * @tagged: IBS counts the event
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: the value. The count of IBS, which begins at 0, is converted to the value that a counter
 * would have which began a period below its overflow.
 */
static __always_inline u64 bpmu_interrupts_value(const struct bpmu_bank *bank, u32 event,
						 bool tagged)
{
	u64 from = bank->interrupts->from[event];
	u64 value = 0;
	int err = 0;

	if (tagged)
		return (from + bpmu_tagged_count(bank, bpmu_interrupts_counter(bank, event),
						 bpmu_interrupts_mask(bank, event) + 1 - from)) &
		       bpmu_interrupts_mask(bank, event);
	bpmu_rdpmc(bank->setup->index[event], &value, &err);
	return value;
}

/**
 * bpmu_interrupts_go_on() - start the counters, unless they are held
 * @bank: armed by bpmu_interrupts_arm()
 *
 * The bit of IA32_DEBUGCTL by which an interrupt stops the counters is set again each time: KVM may
 * write an old value of the register when it leaves a guest.
 *
 * Context: this CPU, interrupts off or NMI.
 */
static __always_inline void bpmu_interrupts_go_on(const struct bpmu_bank *bank)
{
	const struct bpmu_interrupts *state = bank->interrupts;
	u64 enable = READ_ONCE(state->enable);

	if (!enable)
		return;
	if (unlikely(state->check & BPMU_CHECK_FREEZE))
		bpmu_interrupts_freeze(bank, BPMU_DEBUGCTL_FREEZE_COUNTERS);
	if (likely(state->global_ctrl))
		bpmu_wrmsr(state->global_ctrl, enable);
	else
		bpmu_selects_start(bank);
}

/**
 * bpmu_interrupts_first() - value from which an event's counter is to begin
 * @bank: as for bpmu_interrupts_is_tagged()
 * @event: index in the group
 * @shift: the mean of the number is 2^@shift times the event's mean period
 * @tagged: IBS counts the event
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: a value from which the counter overflows after a random number of events, see
 * bpmu_interrupts_choose().
 */
static __always_inline u64 bpmu_interrupts_first(const struct bpmu_bank *bank, u32 event, u32 shift,
						 bool tagged)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 value;

	if (unlikely(state->shift[event] != shift))
		bpmu_interrupts_choose(bank, event, shift);
	value = state->highest[event] - bpmu_random_below(&state->random, state->range[event]);
	value = (value + state->step) & ~state->step;
	if (tagged)
		value = bpmu_interrupts_fit(bank, event, value);
	return value;
}

/**
 * bpmu_interrupts_set_back() - begin a period of an event: set its counter back
 * @bank: as for bpmu_interrupts_is_tagged(); its counters are stopped
 * @event: index in the group
 * @shift: as for bpmu_interrupts_first()
 * @tagged: IBS counts the event
 *
 * It is set to bpmu_interrupts_first(). The distance of the value from overflow has at most 31
 * bits, so that a counter that sign-extends a write of 32 bits gets the same value.
 *
 * Context: this CPU, interrupts off or NMI.
 */
static __always_inline void bpmu_interrupts_set_back(const struct bpmu_bank *bank, u32 event,
						     u32 shift, bool tagged)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 value = bpmu_interrupts_first(bank, event, shift, tagged);

	state->from[event] = value;
	if (!tagged)
		bpmu_wrmsr(state->msr[event], value);
	else
		bpmu_tagged_set(bank, bpmu_interrupts_counter(bank, event),
				bank->group->event[event].select,
				bpmu_interrupts_mask(bank, event) + 1 - value);
}

/**
 * bpmu_interrupts_clear() - clear overflow bits of the global status
 * @bank: armed by bpmu_interrupts_arm()
 * @counters: the bits
 *
 * The bit that is set while an interrupt has stopped the counters is cleared, too. Nothing is done
 * on parts without this register.
 *
 * Context: this CPU, interrupts off or NMI.
 */
static __always_inline void bpmu_interrupts_clear(const struct bpmu_bank *bank, u64 counters)
{
	const struct bpmu_interrupts *state = bank->interrupts;

	if (unlikely(state->tagged_too))
		counters &= ~BPMU_STATUS_TAGGED;
	if (likely(state->global_ovf))
		bpmu_wrmsr(state->global_ovf, counters | state->frozen);
}

/**
 * bpmu_interrupts_sampled() - find the samples of IBS
 * @bank: core bank that bpmu_interrupts_arm() has armed
 * @counters: set of counters that interrupt
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: those of @counters that are of IBS and have a sample.
 */
static __always_inline u64 bpmu_interrupts_sampled(const struct bpmu_bank *bank, u64 counters)
{
	if (likely(!bank->interrupts->tagged_too))
		return 0;
	return bpmu_tagged_found(bank) & counters;
}

/**
 * bpmu_interrupts_found() - find the counters that have overflowed, or written precise records
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of the counters that overflowed, with bpmu_pebs_status() if the precise records are
 *	as many as interrupt, and the counters of IBS that have a sample.
 */
static __always_inline u64 bpmu_interrupts_found(const struct bpmu_bank *bank)
{
	const struct bpmu_interrupts *state = bank->interrupts;
	u64 counters = READ_ONCE(state->counters);
	u64 found = bpmu_interrupts_sampled(bank, counters);

	if (likely(state->global_status))
		return found | (bpmu_rdmsr(state->global_status) & counters);
	return found | bpmu_interrupts_overflowed(bank, counters);
}

/**
 * bpmu_interrupts_begin() - begin an overflow interrupt: find the counters that caused it, stop all
 * @bank: core bank that bpmu_interrupts_arm() has armed
 *
 * Context: this CPU, NMI.
 * Return: what bpmu_interrupts_found() finds. If it is 0 the function has not stopped the counters.
 */
static __always_inline u64 bpmu_interrupts_begin(const struct bpmu_bank *bank)
{
	const struct bpmu_interrupts *state = bank->interrupts;
	u64 status = bpmu_interrupts_found(bank);

	/*
	 * If the session is stopping the counters at this time, or has stopped them, it has written
	 * the same values or will.
	 */
	if (status && likely(state->global_ctrl))
		bpmu_wrmsr(state->global_ctrl, 0);
	else if (status)
		bpmu_selects_stop(bank);
	return status;
}

/**
 * bpmu_interrupts_take() - take an event's interrupt: end its counter's period, begin the next
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped
 * @event: index of the counter's event in the group
 * @shift: the next period is the mean period times 2^@shift, but at most %BPMU_MAX_PERIOD
 * @tagged: IBS counts the event
 *
 * Context: this CPU, NMI.
 * Return: number of events that were counted in the period that has ended.
 */
static __always_inline u64 bpmu_interrupts_take(const struct bpmu_bank *bank, u32 event, u32 shift,
						bool tagged)
{
	struct bpmu_interrupts *state = bank->interrupts;
	u64 now = bpmu_interrupts_value(bank, event, tagged);
	u64 period = (now - state->from[event]) & bpmu_interrupts_mask(bank, event);

	if (unlikely(state->adapts))
		bpmu_interrupts_follow(bank, event, period);
	bpmu_interrupts_set_back(bank, event, shift, tagged);
	WRITE_ONCE(state->moved[event], state->moved[event] + now - state->from[event]);
	WRITE_ONCE(state->times, state->times + 1);
	return period;
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
static __always_inline u64 bpmu_interrupts_again(const struct bpmu_bank *bank, u64 status)
{
	if (unlikely(!bank->interrupts->global_status))
		return bpmu_interrupts_sampled(bank, bank->interrupts->counters);
	/*
	 * The CPU has stopped all counters if this session or another agent has set bit 12 of
	 * IA32_DEBUGCTL: let the counters go on.
	 */
	bpmu_interrupts_clear(bank, status);
	return bpmu_interrupts_found(bank);
}

/**
 * bpmu_interrupts_end() - end an overflow interrupt: unmask the APIC's entry, start the counters
 * @bank: armed by bpmu_interrupts_arm(), its counters are stopped, no overflow bit is set
 * @nr: number of overflows that have been handled
 *
 * Context: this CPU, NMI.
 */
static __always_inline void bpmu_interrupts_end(const struct bpmu_bank *bank, unsigned int nr)
{
	struct bpmu_interrupts *state = bank->interrupts;

	if (state->masks || !state->global_ctrl)
		apic->write(APIC_LVTPC, APIC_DM_NMI);
	if (nr > 1) {
		state->expected = max_t(u32, state->expected, 1);
		state->since = rdtsc();
	}
	if (bank->branches && READ_ONCE(state->enable))
		bpmu_branches_resume(bank);
	bpmu_interrupts_go_on(bank);
	if (unlikely(state->tagged_too))
		bpmu_tagged_go_on(bank);
}

#endif /* BPMU_INTERRUPTS_H */
