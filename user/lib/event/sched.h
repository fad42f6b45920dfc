/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Assignment of a group's events to counters.
 */
#ifndef BPMU_SCHED_H
#define BPMU_SCHED_H

#include <stdbool.h>
#include <linux/barepmu.h>

#include "event.h"

/**
 * struct bpmu_sched_slot - a slot of a group: a counter and what it counts
 * @counter: number of the counter
 * @sibling: number of the counter that counts the same on the second thread of a core
 * @select: event select
 * @filter: value of the filter register of the uncore unit, or of the extra register of the core
 *	(such as MSR_OFFCORE_RSP_0)
 * @counters: mask of the counters that can count the event; for an uncore event those of one box
 *	(instance of the unit)
 * @unit: &enum bpmu_unit
 * @field: number of the field if the counter is PERF_METRICS, each field of which has a slot
 * @value: index of the counter's value in a sample of the group
 * @period: number of events between two interrupts by the counter; 0 if the counter does not
 *	interrupt, or if @frequency is given instead
 * @frequency: number of interrupts by the counter per second; 0 if it does not interrupt, or if
 *	@period is given instead
 * @precise: true if interrupts report the address of an instruction that caused the event. Always
 *	false for an event of a recording; there the modifier "p" in @text tells this
 * @data: true if interrupts report the address of the data that the instruction accessed. Always
 *	false for an event of a recording
 * @text: text of the event, owned by the list of events
 */
struct bpmu_sched_slot {
	u32 counter;
	u32 sibling;
	u64 select;
	u64 filter;
	u64 counters;
	u8 unit;
	u8 field;
	u8 value;
	u32 period;
	u32 frequency;
	bool precise;
	bool data;
	const char *text;
};

/**
 * bpmu_sched_interrupts() - check if a counter of a group interrupts
 * @slot: the counter and what it counts
 *
 * Return: true if the counter has a period or a frequency.
 */
static inline bool bpmu_sched_interrupts(const struct bpmu_sched_slot *slot)
{
	return slot->period || slot->frequency;
}

/**
 * struct bpmu_sched - schedule of a group of events: which counter counts what
 * @nr: number of slots; events that count the same share a slot
 * @values: number of counters in use, which is also the number of values in a sample
 * @bank: which kind of counters all events of the group use
 * @slot: [@nr], counters and what they count, in the order of the events
 *
 * Sent to the module as a BPMU_A_GROUP, BPMU_A_UNCORE_GROUP or BPMU_A_FREE_GROUP etc.
 */
struct bpmu_sched {
	unsigned int nr;
	unsigned int values;
	enum bpmu_bank_id bank;
	struct bpmu_sched_slot slot[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_sched_rules - which counters some events may not use, in all groups of a measurement
 * @leak: [thread of a core], number of the only general-purpose counter for events that leak. An
 *	erratum also adds such an event to the counter with the same number on the sibling thread,
 *	so the sibling thread must not use that counter. -1 if no event leaks
 * @arb_both: true if counter 1 of the uncore's arbiter (ARB) can count occupancy events, as counter
 *	0 can
 */
struct bpmu_sched_rules {
	int leak[2];
	bool arb_both;
};

extern const struct bpmu_sched_rules bpmu_sched_no_rules;

int bpmu_sched_assign(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events,
		      const struct bpmu_sched_rules *rules,
		      struct bpmu_sched *sched, struct bpmu_error *err);
int bpmu_sched_list(const struct bpmu_pmu *pmu,
		    const struct bpmu_event_list *events,
		    struct bpmu_sched *sched, struct bpmu_error *err);
long long bpmu_sched_count(const struct bpmu_part *part,
			   const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas);
bool bpmu_sched_has(const struct bpmu_part *part, const struct bpmu_sched *sched,
		    const struct bpmu_event_spec *spec);
bool bpmu_sched_is_full(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
			const struct bpmu_event_spec *spec);
bool bpmu_sched_is_fixed(const struct bpmu_part *part,
			 const struct bpmu_event_spec *spec);
bool bpmu_sched_is(const struct bpmu_part *part, const struct bpmu_sched_slot *slot,
		   const struct bpmu_event_term *term);

#endif /* BPMU_SCHED_H */
