/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that the user requested, and their groups on a target.
 */
#ifndef BPMU_WANTED_H
#define BPMU_WANTED_H

#include <stdbool.h>

#include "event/groups.h"
#include "target.h"

/* Events that are counted without -e. */
#define BPMU_WANTED_DEFAULT "cycles,instructions,branches,branch-misses"

/**
 * struct bpmu_wanted - requested events
 * @text: arguments of all -e, joined with commas, or NULL
 * @together: refuse events that would have to be multiplexed
 * @period: events between two interrupts by the first one, which is of the core; 0: none
 *	interrupts
 * @events: parsed events
 * @groups: groups of @events, scheduled on counters
 */
struct bpmu_wanted {
	char *text;
	bool together;
	u32 period;
	struct bpmu_event_list events;
	struct bpmu_groups groups;
};

int bpmu_wanted_add(struct bpmu_wanted *wanted, const char *text,
		    struct bpmu_error *err);
int bpmu_wanted_schedule(struct bpmu_wanted *wanted, struct bpmu_target *target,
			 struct bpmu_error *err);
void bpmu_wanted_free(struct bpmu_wanted *wanted);

#endif /* BPMU_WANTED_H */
