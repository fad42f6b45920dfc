/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The groups of a measurement. Events that do not fit on the counters at the same time are in
 * different groups, which are multiplexed.
 */
#ifndef BPMU_GROUPS_H
#define BPMU_GROUPS_H

#include <stdbool.h>

#include "sched.h"

/*
 * Maximum number of groups of a measurement: one for each of the three banks (sets of counters) of
 * free-running registers, and BPMU_MAX_GROUPS for each other bank
 */
#define BPMU_GROUPS_MAX ((BPMU_BANKS - 3) * BPMU_MAX_GROUPS + 3)

/*
 * Maximum number of core types of a session. All CPUs of a core type have the same counters and
 * events. On a hybrid CPU each core type has its own groups.
 */
#define BPMU_CORE_TYPES 2

/**
 * struct bpmu_group - events that are counted at the same time
 * @events: the events
 * @sched: assignment of events to counters
 * @first: index of the group's first slot (counter and what it counts) if the slots of all groups
 *	are numbered one after another
 */
struct bpmu_group {
	struct bpmu_event_list events;
	struct bpmu_sched sched;
	unsigned int first;
};

/**
 * struct bpmu_groups - all groups of a core type, in the order of &enum bpmu_bank_id
 * @pmu: PMU whose counters the groups use
 * @rules: which counters events may not use, for all groups
 * @of: groups that a recording or another session has counted, or NULL. If not NULL, each group has
 *	some of the events of the group with the same index in @of, or no event
 * @live: true if @of are groups of another session, false if they are groups of a recording
 * @nr: number of groups
 * @nr_of: [BPMU_BANKS], number of groups of a bank (set of counters)
 * @slots: number of slots (counters and what they count) of all groups
 * @group: [@nr], groups
 */
struct bpmu_groups {
	const struct bpmu_pmu *pmu;
	struct bpmu_sched_rules rules;
	const struct bpmu_groups *of;
	bool live;
	unsigned int nr;
	unsigned int nr_of[BPMU_BANKS];
	unsigned int slots;
	struct bpmu_group *group;
};

/**
 * struct bpmu_slots - the slots (counters) of a group that count an event
 * @quotient: true if the event is a quotient, see bpmu_event_is_quotient()
 * @nr: number of slots. A difference or quotient of two counts has slots for both counts; an event
 *	of the uncore has slots in each instance of its unit
 * @slot: [@nr], index of the slot in the group
 * @sign: [@nr], 1 if the slot's count is added, -1 if it is subtracted, 0 if it is a divisor
 *
 * The indices stay valid if events are added to the group.
 */
struct bpmu_slots {
	bool quotient;
	unsigned int nr;
	u8 slot[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
	signed char sign[BPMU_EVENT_TERMS * BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_event_slots - the slots that count an event, in all groups that have it
 * @bank: bank of the event (set of counters, such as those of the memory controllers)
 * @quotient: true if the event is a quotient, see bpmu_event_is_quotient()
 * @everywhere: true if all groups of the bank have the event
 * @lacking: true if the slots of a second event were requested, and one of the groups with the
 *	event lacks the second event
 * @alone: true if just one counter counts the event, in one group; @cell is known then
 * @cell: index of this counter's slot among the slots of all groups
 * @nr: number of groups that have the event; 0 if @lacking
 * @group: [@nr], indices of the groups
 * @slots: [@nr], slots in these groups
 *
 * The indices stay valid until groups are added or sorted.
 */
struct bpmu_event_slots {
	enum bpmu_bank_id bank;
	bool quotient;
	bool everywhere;
	bool lacking;
	bool alone;
	unsigned int cell;
	unsigned int nr;
	u8 group[BPMU_MAX_GROUPS];
	struct bpmu_slots slots[BPMU_MAX_GROUPS];
};

/**
 * struct bpmu_groups_wish - constraints for bpmu_groups_make()
 * @siblings: true if both threads of a core are measured
 * @together: true to refuse events that need multiplexing
 * @arb_both: true if counter 1 of the uncore's arbiter (ARB) can count occupancy events, as counter
 *	0 can
 * @of: groups that were already counted, from which the new groups select events; NULL to make
 *	groups that are to be counted
 */
struct bpmu_groups_wish {
	const struct bpmu_groups *of;
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
int bpmu_groups_begin_of(struct bpmu_groups *groups, const struct bpmu_pmu *pmu,
			 const struct bpmu_groups *of, struct bpmu_error *err);
int bpmu_groups_set(struct bpmu_groups *groups, unsigned int g,
		    const struct bpmu_event_list *events, struct bpmu_error *err);
bool bpmu_groups_leak(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events);
bool bpmu_groups_leak_pair(unsigned int i, struct bpmu_sched_rules *rules);
void bpmu_groups_free(struct bpmu_groups *groups);

const struct bpmu_group *bpmu_groups_find(const struct bpmu_groups *groups,
					  const struct bpmu_event_spec *spec);
void bpmu_groups_slots(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_event_spec *spec,
		       struct bpmu_slots *slots);
void bpmu_groups_event_slots(const struct bpmu_groups *groups,
			     const struct bpmu_event_spec *spec,
			     const struct bpmu_event_spec *counted,
			     struct bpmu_event_slots *slots);
bool bpmu_groups_multiplexed(const struct bpmu_groups *groups,
			     enum bpmu_bank_id bank);
unsigned int bpmu_groups_first(const struct bpmu_groups *groups,
			       enum bpmu_bank_id bank);
unsigned int bpmu_groups_most(const struct bpmu_groups *groups);
const struct bpmu_group *
bpmu_groups_of_sample(const struct bpmu_groups *groups,
		      const struct bpmu_sample *sample);

#endif /* BPMU_GROUPS_H */
