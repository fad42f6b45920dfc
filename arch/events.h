/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of events. They are linked into the tool only, never into the module.
 */
#ifndef BPMU_EVENTS_H
#define BPMU_EVENTS_H

#include "arch.h"

/**
 * struct bpmu_event_alias - a name that means the same on all parts
 * @name: perf's name of it
 * @event: the part's name
 */
struct bpmu_event_alias {
	const char *name;
	const char *event;
};

const struct bpmu_part *bpmu_events_part(const char *name);
const struct bpmu_event *bpmu_events(const struct bpmu_part *part, size_t *nr);
const struct bpmu_event *bpmu_events_own(const struct bpmu_part *part,
					 size_t *nr);
void bpmu_events_load(const struct bpmu_part *part,
		      const struct bpmu_event *rows, size_t nr);
const struct bpmu_event_alias *bpmu_event_aliases(const struct bpmu_part *part,
						  size_t *nr);

const struct bpmu_event *bpmu_free_events(size_t *nr);
const struct bpmu_event_alias *bpmu_free_aliases(size_t *nr);

#endif /* BPMU_EVENTS_H */
