/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The groups of a measurement: events that do not fit on the counters together are multiplexed.
 */
#ifndef BPMU_GROUPS_H
#define BPMU_GROUPS_H

#include <stdbool.h>

#include "sched.h"

/* of each side that is multiplexed, and one of each of the three that run free */
#define BPMU_GROUPS_MAX ((BPMU_NR_SIDES - 3) * BPMU_MAX_GROUPS + 3)

/*
 * A kind of CPUs: those of one core type of a hybrid part, which have the same
 * counters and events. Each of at most two kinds has groups of its own.
 */
#define BPMU_KINDS 2

/**
 * struct bpmu_group - events that are counted at the same time
 * @events: the events
 * @sched: assignment of events to counters
 * @first: number of its first slot among the slots of all groups
 */
struct bpmu_group {
	struct bpmu_event_list events;
	struct bpmu_sched sched;
	unsigned int first;
};

/**
 * struct bpmu_groups - all groups, in the order of &enum bpmu_side
 * @pmu: counters of the groups
 * @rules: constraints of all groups
 * @nr: number of groups
 * @nr_of: number of groups of each side, [BPMU_NR_SIDES]
 * @slots: number of slots of all groups
 * @group: the groups, [nr]
 */
struct bpmu_groups {
	const struct bpmu_pmu *pmu;
	struct bpmu_sched_rules rules;
	unsigned int nr;
	unsigned int nr_of[BPMU_NR_SIDES];
	unsigned int slots;
	struct bpmu_group *group;
};

/**
 * struct bpmu_slots - the slots of a group that count an event
 * @nr: number of these events; an event of the cache's slices has one on each slice
 * @slot: numbers in the group, [@nr]
 * @sign: sign of the term that is counted there, [@nr]
 *
 * They stay valid when more events are added to the group.
 */
struct bpmu_slots {
	unsigned int nr;
	u8 slot[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
	signed char sign[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_groups_wish - constraints for bpmu_groups_make()
 * @siblings: both threads of some core are measured
 * @together: refuse events that would have to be multiplexed
 * @arb_both: the arbiter's counter 1 counts occupancy too
 */
struct bpmu_groups_wish {
	bool siblings;
	bool together;
	bool arb_both;
};

int bpmu_groups_make(struct bpmu_groups *groups, const struct bpmu_pmu *pmu,
		     const struct bpmu_event_list *events,
		     const struct bpmu_groups_wish *wish,
		     struct bpmu_error *err);
int bpmu_groups_add(struct bpmu_groups *groups,
		    const struct bpmu_event_list *events,
		    struct bpmu_error *err);
int bpmu_groups_join(struct bpmu_groups *groups,
		     const struct bpmu_event_list *events, bool together,
		     struct bpmu_error *err);
void bpmu_groups_begin(struct bpmu_groups *groups, const struct bpmu_pmu *pmu);
bool bpmu_groups_leak(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events);
bool bpmu_groups_leak_pair(unsigned int i, struct bpmu_sched_rules *rules);
void bpmu_groups_free(struct bpmu_groups *groups);

const struct bpmu_group *bpmu_groups_find(const struct bpmu_groups *groups,
					  const struct bpmu_event_spec *spec);
void bpmu_groups_slots(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_event_spec *spec,
		       struct bpmu_slots *slots);
bool bpmu_groups_multiplexed(const struct bpmu_groups *groups,
			     enum bpmu_side side);
unsigned int bpmu_groups_first(const struct bpmu_groups *groups,
			       enum bpmu_side side);
unsigned int bpmu_groups_most(const struct bpmu_groups *groups);
const struct bpmu_group *
bpmu_groups_of_sample(const struct bpmu_groups *groups,
		      const struct bpmu_sample *sample);

#endif /* BPMU_GROUPS_H */
