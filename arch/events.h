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

struct bpmu_error;

/**
 * struct bpmu_events_loaded - events of files in place of a part's own
 * @part: the descriptor whose own they replace
 * @rows: the rows, sorted by name, [@nr]
 * @nr: their number
 * @refuse: returns 0, or for the name of an event of the files that cannot be
 *	counted an error with the reason
 * @ctx: for @refuse
 */
struct bpmu_events_loaded {
	const struct bpmu_part *part;
	const struct bpmu_event *rows;
	size_t nr;
	int (*refuse)(const void *ctx, const char *name, struct bpmu_error *err);
	const void *ctx;
};

const struct bpmu_part *bpmu_part_described(const struct bpmu_part *part);
const struct bpmu_part *bpmu_events_part(const char *name);
const struct bpmu_event *bpmu_events(const struct bpmu_part *part, size_t *nr);
const struct bpmu_event *bpmu_events_own(const struct bpmu_part *part,
					 size_t *nr);
const struct bpmu_event_alias *bpmu_event_aliases(const struct bpmu_part *part,
						  size_t *nr);
const struct bpmu_event *bpmu_cache_events(const struct bpmu_part *part,
					   size_t *nr);

const struct bpmu_event *bpmu_free_events(size_t *nr);
const struct bpmu_event_alias *bpmu_free_aliases(size_t *nr);

#endif /* BPMU_EVENTS_H */
