/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SCHED_H
#define BPMU_SCHED_H

#include <linux/barepmu.h>

#include "event.h"

/**
 * struct bpmu_sched_slot - one counter of a group
 * @counter: its number
 * @select: what it counts
 * @counters: the counters that could have held it
 * @text: the event it is for, owned by the list of events
 */
struct bpmu_sched_slot {
	u32 counter;
	u64 select;
	u64 counters;
	const char *text;
};

/**
 * struct bpmu_sched - a group of events on its counters
 * @nr: counters used; equal terms share one
 * @slot: the counters, in the order in which the events ask for them
 *
 * This is one BPMU_A_GROUP of the protocol: one BPMU_A_GROUP_EVENT per slot.
 */
struct bpmu_sched {
	unsigned int nr;
	struct bpmu_sched_slot slot[BPMU_MAX_COUNTERS];
};

int bpmu_sched_assign(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events,
		      struct bpmu_sched *sched, struct bpmu_error *err);
long long bpmu_sched_count(const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas);

#endif /* BPMU_SCHED_H */
