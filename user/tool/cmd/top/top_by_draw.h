/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu top --by" shows: the shares of the interrupts by an event in an interval.
 */
#ifndef BPMU_TOP_BY_DRAW_H
#define BPMU_TOP_BY_DRAW_H

#include <limits.h>

#include "count/flaw.h"
#include "count/share.h"
#include "replay/report_by.h"
#include "top_screen.h"
#include "top_state.h"
#include "view/share_notes.h"

/* position of a row behind all others, to which the rows are scrolled */
#define BPMU_TOP_BY_END (UINT_MAX / 2)

/**
 * struct bpmu_top_by_row - a row of top --by: the interrupts with one key, such as one function
 * @label: text that names the row
 * @interrupts: number of interrupts
 * @share: share of the events for which they stand
 */
struct bpmu_top_by_row {
	char *label;
	u64 interrupts;
	struct bpmu_share share;
};

/**
 * struct bpmu_top_by_view - the data that top --by shows
 * @title: name of the CPU model
 * @cpus: list of the measured CPUs, as text
 * @slot: the event that interrupts
 * @type: key of the rows
 * @row: rows, those with the largest shares first, [@nr_rows]
 * @nr_rows: number of rows
 * @interrupts: number of interrupts of all rows
 * @events: number of events for which they stand
 * @seconds: end of the interval on the screen, in seconds since the start; 0 before the first one
 * @lost: number of interrupts lost so far
 * @flaws: flaws of the measurement that samples have reported so far
 * @hidden: addresses of the kernel are hidden from the user
 */
struct bpmu_top_by_view {
	const char *title;
	const char *cpus;
	const struct bpmu_sched_slot *slot;
	enum bpmu_by_type type;
	struct bpmu_top_by_row *row;
	unsigned int nr_rows;
	u64 interrupts;
	double events;
	double seconds;
	u64 lost;
	struct bpmu_flaws flaws;
	bool hidden;
};

/**
 * struct bpmu_top_by_state - the part of the state of top --by that keys change
 * @type: key of the rows from the next interval on
 * @by_name: the rows are sorted by their labels, not by share
 * @reverse: the order of the rows is reversed
 * @first_row: position of the first visible row
 * @page: number of rows that fit on the screen
 * @frozen: the screen is frozen
 * @help: the keys are shown
 * @quit: the tool is to end
 * @interval_ns: length of an interval in ns
 */
struct bpmu_top_by_state {
	enum bpmu_by_type type;
	bool by_name;
	bool reverse;
	unsigned int first_row;
	unsigned int page;
	bool frozen;
	bool help;
	bool quit;
	u64 interval_ns;
};

void bpmu_top_by_press(struct bpmu_top_by_state *state, enum bpmu_top_key key);
void bpmu_top_by_draw(struct bpmu_top_screen *screen, struct bpmu_top_by_view *view,
		      struct bpmu_top_by_state *state);
int bpmu_top_by_plain(FILE *out, struct bpmu_top_by_view *view,
		      struct bpmu_top_by_state *state, struct bpmu_error *err);

#endif /* BPMU_TOP_BY_DRAW_H */
