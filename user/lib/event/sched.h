/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Assignment of a group's events to counters.
 */
#ifndef BPMU_SCHED_H
#define BPMU_SCHED_H

#include <stdbool.h>
#include <linux/barepmu.h>

#include "event.h"
#include "side.h"

/**
 * struct bpmu_sched_slot - one counter of a group
 * @counter: its number
 * @sibling: its number on the second thread of a core
 * @select: its event select
 * @filter: value of its box's filter; of a core event, of its extra register
 * @counters: the counters that could have held it; for an uncore event those of
 *	its box
 * @unit: &enum bpmu_unit
 * @field: field of PERF_METRICS, the only counter that several slots can share
 * @value: index of this counter's value in a sample
 * @text: the event it is for, owned by the list of events
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
	const char *text;
};

/**
 * struct bpmu_sched - a group of events with their counters
 * @nr: number of slots used; equal terms share one
 * @values: number of counters used, which is that of values of a sample
 * @side: side of all its events
 * @slot: the slots, in the order in which the events ask for them
 *
 * This is one BPMU_A_GROUP, BPMU_A_UNCORE_GROUP or BPMU_A_FREE_GROUP of the
 * protocol.
 */
struct bpmu_sched {
	unsigned int nr;
	unsigned int values;
	enum bpmu_side side;
	struct bpmu_sched_slot slot[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_sched_rules - constraints of all groups of a measurement
 * @leak: on the first and on the second thread of a core the general counter
 *	that alone may hold events that leak into the sibling's counter of the
 *	same index, which the other thread then leaves alone; -1: nothing leaks
 * @arb_both: the arbiter's counter 1 counts thresholds of occupancy too
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
long long bpmu_sched_count(const struct bpmu_part *part,
			   const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas);
bool bpmu_sched_has(const struct bpmu_part *part, const struct bpmu_sched *sched,
		    const struct bpmu_event_spec *spec);
bool bpmu_sched_is_full(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
			const struct bpmu_event_spec *spec);
bool bpmu_sched_is(const struct bpmu_part *part, const struct bpmu_sched_slot *slot,
		   const struct bpmu_event_term *term);

#endif /* BPMU_SCHED_H */
