/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that the user requested, and their groups on a target.
 */
#ifndef BPMU_WANTED_H
#define BPMU_WANTED_H

#include <stdbool.h>

#include "event/groups.h"
#include "target.h"

/* events that are counted if the user does not give the option -e */
#define BPMU_WANTED_DEFAULT "cycles,instructions,branches,branch-misses"

/**
 * struct bpmu_periods - after how many occurrences, or how often, each wanted event interrupts
 * @option: the option that gives the values: 'c' for periods, 'F' for frequencies
 * @nr: number of values: 0 if no event interrupts, 1 if all events have the same value
 * @of: values in the order of the requested events, [@nr]: number of occurrences between two
 *	interrupts, or with 'F' number of interrupts per second; 0 if the event is only counted
 */
struct bpmu_periods {
	char option;
	unsigned int nr;
	u32 of[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_wanted - requested events
 * @text: arguments of all options -e, joined with commas; NULL if there is no such option
 * @together: true to refuse events that would have to be multiplexed
 * @periods: which events interrupt, and how often; only single events of the core can interrupt. With
 *	a tree of metrics, all its events interrupt alike
 * @events: the events in @text, parsed
 * @groups: groups of these events, scheduled on counters
 */
struct bpmu_wanted {
	char *text;
	bool together;
	struct bpmu_periods periods;
	struct bpmu_event_list events;
	struct bpmu_groups groups;
};

int bpmu_wanted_add(struct bpmu_wanted *wanted, const char *text,
		    struct bpmu_error *err);
int bpmu_wanted_schedule(struct bpmu_wanted *wanted, struct bpmu_target *target,
			 struct bpmu_error *err);
int bpmu_wanted_interrupt_all(const struct bpmu_periods *periods, const struct bpmu_target *target,
			      struct bpmu_groups *groups, struct bpmu_error *err);
int bpmu_wanted_interrupt_like(const struct bpmu_periods *periods, const struct bpmu_target *target,
			       struct bpmu_groups *groups, const struct bpmu_groups *other,
			       struct bpmu_error *err);
void bpmu_wanted_free(struct bpmu_wanted *wanted);

#endif /* BPMU_WANTED_H */
