/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that a command was asked for, and their groups on a target.
 */
#ifndef BPMU_WANTED_H
#define BPMU_WANTED_H

#include <stdbool.h>

#include "event/groups.h"
#include "target.h"

/* what is counted if nothing is asked for */
#define BPMU_WANTED_DEFAULT "cycles,instructions,branches,branch-misses"

/**
 * struct bpmu_wanted - events
 * @text: all -e, joined with commas, or NULL
 * @together: refuse what would have to be multiplexed
 * @events: parsed events
 * @groups: these events on counters
 */
struct bpmu_wanted {
	char *text;
	bool together;
	struct bpmu_event_list events;
	struct bpmu_groups groups;
};

int bpmu_wanted_add(struct bpmu_wanted *wanted, const char *text,
		    struct bpmu_error *err);
int bpmu_wanted_schedule(struct bpmu_wanted *wanted, struct bpmu_target *target,
			 struct bpmu_error *err);
int bpmu_wanted_try(struct bpmu_target *target, const char *text,
		    bool take_over, struct bpmu_error *err);
void bpmu_wanted_free(struct bpmu_wanted *wanted);

#endif /* BPMU_WANTED_H */
