/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which event of a group is on which counter.
 */
#ifndef BPMU_SCHED_H
#define BPMU_SCHED_H

#include <stdbool.h>
#include <linux/barepmu.h>

#include "event.h"

/**
 * enum bpmu_side - where the events of a group are counted
 * @BPMU_SIDE_CORE: on the counters of each logical CPU
 * @BPMU_SIDE_UNCORE: on those of the package
 * @BPMU_SIDE_FREE_THREAD: in free-running registers of each logical CPU
 * @BPMU_SIDE_FREE_CORE: in those of a core, which one of its CPUs reads
 * @BPMU_SIDE_FREE_PACKAGE: in those of a package, which one of its CPUs reads
 * @BPMU_NR_SIDES: number of sides
 *
 * Groups are in this order; those of a free-running side are one at most.
 */
enum bpmu_side {
	BPMU_SIDE_CORE,
	BPMU_SIDE_UNCORE,
	BPMU_SIDE_FREE_THREAD,
	BPMU_SIDE_FREE_CORE,
	BPMU_SIDE_FREE_PACKAGE,
	BPMU_NR_SIDES
};

/**
 * struct bpmu_sched_slot - one counter of a group
 * @counter: its number
 * @sibling: its number on the second thread of a core
 * @select: what it counts
 * @counters: the counters that could have held it; for an uncore event those of
 *	its box
 * @unit: &enum bpmu_unit
 * @field: of PERF_METRICS, the only counter that several slots can share
 * @value: which value of a sample is this counter's
 * @text: the event it is for, owned by the list of events
 */
struct bpmu_sched_slot {
	u32 counter;
	u32 sibling;
	u64 select;
	u64 counters;
	u8 unit;
	u8 field;
	u8 value;
	const char *text;
};

/**
 * struct bpmu_sched - a group of events on its counters
 * @nr: slots used; equal terms share one
 * @values: counters used, hence values of a sample
 * @side: where
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
 * struct bpmu_sched_rules - what holds for all groups of a measurement
 * @leak: on the first and on the second thread of a core the general counter
 *	that alone may hold events that leak into the sibling's counter of the
 *	same index, which the other thread then leaves alone; -1: nothing leaks
 * @arb_both: the arbiter's counter 1 counts thresholds of occupancy too
 */
struct bpmu_sched_rules {
	int leak[2];
	bool arb_both;
};

enum bpmu_side bpmu_side_of_unit(u8 unit);
enum bpmu_side bpmu_side_of_sample(u32 flags);
u16 bpmu_side_attr(enum bpmu_side side);

extern const struct bpmu_sched_rules bpmu_sched_no_rules;

int bpmu_sched_assign(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events,
		      const struct bpmu_sched_rules *rules,
		      struct bpmu_sched *sched, struct bpmu_error *err);
long long bpmu_sched_count(const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas);
bool bpmu_sched_is(const struct bpmu_sched_slot *slot,
		   const struct bpmu_event_term *term);

#endif /* BPMU_SCHED_H */
