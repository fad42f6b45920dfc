/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event tables. They are linked into the tool only, never into the module.
 */
#ifndef BPMU_EVENTS_H
#define BPMU_EVENTS_H

#include "arch.h"

/**
 * struct bpmu_event_alias - perf's name of an event
 * @name: perf's name
 * @event: name in the part's event table
 */
struct bpmu_event_alias {
	const char *name;
	const char *event;
};

/**
 * struct bpmu_event_bits - the numeric fields of an event whose strings are stored apart (packed)
 * @select: &bpmu_event.select
 * @counters: &bpmu_event.counters
 * @counters_noht: &bpmu_event.counters_noht
 * @unit: &bpmu_event.unit
 * @extra: &bpmu_event.extra
 */
struct bpmu_event_bits {
	u64 select;
	u64 counters;
	u64 counters_noht;
	u8 unit;
	u64 extra;
};

/**
 * struct bpmu_event_rows - event table in the form in which the linker puts it into the tool
 * @events: the rows, [@nr]; or NULL if they are packed
 * @words: packed rows: name, description and errata of each row in turn, as strings that end with a
 * zero byte; an empty string stands for NULL in &struct bpmu_event
 * @bits: packed rows: the numbers of each row, [@nr]
 * @unpacked: packed rows: memory into which the rows are unpacked at their first use, [@nr]
 * @nr: number of rows
 *
 * Packed rows have no pointers, because the dynamic linker would relocate the 30,000 pointers of
 * all parts at each start of the tool, although a run needs the rows of only one part.
 */
struct bpmu_event_rows {
	const struct bpmu_event *events;
	const char *words;
	const struct bpmu_event_bits *bits;
	struct bpmu_event *unpacked;
	size_t nr;
};

struct bpmu_error;

/**
 * struct bpmu_events_loaded - events read from files, which replace a part's built-in events
 * @part: original descriptor of the part
 * @rows: the rows, sorted by name, [@nr]
 * @nr: number of rows
 * @refuse: returns 0, or a negative errno with the reason in @err if @name is an event of
 *	the files that cannot be counted
 * @ctx: passed to @refuse
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
