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
 * @sched: the same on counters
 * @first: number of its first slot in a row of all slots of all groups
 */
struct bpmu_group {
	struct bpmu_event_list events;
	struct bpmu_sched sched;
	unsigned int first;
};

/**
 * struct bpmu_groups - all groups, in the order of &enum bpmu_side
 * @pmu: on whose counters
 * @rules: what holds for all of them
 * @nr: number of groups
 * @nr_of: of these, groups of each side
 * @slots: of all groups
 * @group: the groups
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
 * @sign: of the term that is counted there, [@nr]
 *
 * They stay the same when events are put into the group behind those that it has.
 */
struct bpmu_slots {
	unsigned int nr;
	u8 slot[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
	signed char sign[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_groups_wish - how to make them
 * @siblings: both threads of some core are measured
 * @together: refuse what would be multiplexed
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
