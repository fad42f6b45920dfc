/* SPDX-License-Identifier: GPL-2.0 */
/* The options of "barepmu top" and its state while it runs, which its source files share. */
#ifndef BPMU_TOP_H
#define BPMU_TOP_H

#include "count/step.h"
#include "event/rows.h"
#include "options.h"
#include "replay/report_by.h"
#include "source/analysis.h"
#include "top_console.h"
#include "top_draw.h"
#include "top_sum.h"

/**
 * struct bpmu_top_section - what "barepmu top" shows of one core type
 * @type: the core type; its tree has all nodes that the user can open (measure and show)
 * @step: the two latest steps. A step is a set of nodes that are measured together; step number i
 *	of a run is at index i modulo 2
 * @state: what the user changes by keys, such as the cursor and the open nodes
 * @sum: evaluates the rows of the interval that is on the screen
 * @view: data on the screen
 */
struct bpmu_top_section {
	struct bpmu_core_type *type;
	struct bpmu_step step[2];
	struct bpmu_top_state state;
	struct bpmu_top_sum sum;
	struct bpmu_top_view view;
};

/**
 * struct bpmu_top - options and state of "barepmu top"
 * @options: common options
 * @level: level down to which the tree is open at first; 0 without the option -l
 * @extra: true if the tree also has the nodes that the option --extra adds
 * @by: which CPUs a row of the table of CPUs adds up at first, such as those of a core
 * @key: what --by shows instead of the tree; 0 without --by
 * @of_tree: option that was given and is of the tree, or 0
 * @of_key: option that was given and is of --by, or 0
 * @analysis: requested metrics, and the trees of all core types
 * @section: what is shown of each core type, [core type]. The state of the first one is also used
 *	for what all core types have in common, such as the request to quit
 * @below: index in @section of the core type that the user controls by keys
 * @at: number of the step that was measured in the latest interval
 * @ahead: number of the step whose events are being counted
 * @console: the terminal: its screen, its keys and its signals
 * @plain: true if there is no terminal, so that lines of text are printed
 * @changed: true if the screen must be drawn again
 * @again: true if another run must follow this run, because the user has changed the length of
 *	intervals
 * @over: true if this run must end
 * @deadline: time at which all runs end, CLOCK_MONOTONIC in ns
 * @before: duration of the previous runs in seconds
 * @seconds: duration of the previous runs and of this one in seconds
 * @intervals: number of intervals of the previous runs
 * @index: number of intervals of this run so far
 * @code: code of @err, 0 if there was no error
 * @err: error during the evaluation of an interval
 */
struct bpmu_top {
	struct bpmu_options options;
	unsigned int level;
	bool extra;
	enum bpmu_rows_by by;
	enum bpmu_by_type key;
	int of_tree;
	int of_key;
	struct bpmu_analysis analysis;
	struct bpmu_top_section section[BPMU_CORE_TYPES];
	unsigned int below;
	unsigned int at;
	unsigned int ahead;
	struct bpmu_top_console console;
	bool plain;
	bool changed;
	bool again;
	bool over;
	u64 deadline;
	double before;
	double seconds;
	unsigned int intervals;
	unsigned int index;
	int code;
	struct bpmu_error err;
};

int bpmu_top_schedule(struct bpmu_top *top, struct bpmu_error *err);
int bpmu_top_rows_of(struct bpmu_top_section *section, struct bpmu_error *err);
void bpmu_top_rows_judge(struct bpmu_top_section *section);
void bpmu_top_rows_free(struct bpmu_top_section *section);
int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err);
int bpmu_top_measure(struct bpmu_top *top, struct bpmu_error *err);
int bpmu_top_live_begin(struct bpmu_top *top, struct bpmu_error *err);
void bpmu_top_live_input(struct bpmu_top *top);
void bpmu_top_live_show(struct bpmu_top *top);
int bpmu_top_plain(FILE *out, struct bpmu_top_view *view,
		   struct bpmu_top_state *state, struct bpmu_error *err);

#endif /* BPMU_TOP_H */
