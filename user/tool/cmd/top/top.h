/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call of "barepmu top".
 */
#ifndef BPMU_TOP_H
#define BPMU_TOP_H

#include "count/step.h"
#include "event/rows.h"
#include "options.h"
#include "source/machine.h"
#include "source/target.h"
#include "top_draw.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"

/**
 * struct bpmu_top - the call
 * @options: shared ones
 * @choice: which metrics
 * @others: kinds of CPUs beside this one: their calls follow in an array,
 *	[BPMU_KINDS] at most, are measured by this one and shown below it
 * @below: the call in the array that keys are for
 * @cpus: of all kinds
 * @first: position in it of each kind's first CPU
 * @nr_cpus: how many
 * @level: open down to this one at first, or 0 if none was given
 * @extra: nodes beyond the method's own too
 * @target: what it measures on
 * @machine: what it is
 * @errata_cpu: which errata there are
 * @wish: how trees are made
 * @tree: of all nodes that may come
 * @rows: which CPUs are added up
 * @step: number i of this run at i modulo 2
 * @at: number of the step of the latest interval
 * @ahead: number of the step that is on the counters
 * @state: what the keys changed
 * @view: what is shown
 * @screen: where
 * @wake: readable when there is a key or a signal, with a terminal
 * @signals: of these, the signals
 * @plain: there is no terminal
 * @changed: the screen is not up to date
 * @again: go on with another run, as the interval is another one
 * @over: the run is to end
 * @deadline: of all runs, monotonic nanoseconds
 * @before: seconds of the runs before
 * @seconds: the same with this run
 * @intervals: of the runs before
 * @index: of this run, number of the latest interval and one
 * @code: of @err, 0 if nothing went wrong
 * @err: what went wrong while an interval was looked at
 */
struct bpmu_top {
	struct bpmu_options options;
	struct bpmu_choice choice;
	unsigned int others;
	unsigned int below;
	u32 *cpus;
	unsigned int first[BPMU_KINDS];
	unsigned int nr_cpus;
	unsigned int level;
	bool extra;
	struct bpmu_target target;
	struct bpmu_machine machine;
	struct bpmu_errata_cpu errata_cpu;
	struct bpmu_tree_wish wish;
	struct bpmu_tree tree;
	struct bpmu_rows rows;
	struct bpmu_step step[2];
	unsigned int at;
	unsigned int ahead;
	struct bpmu_top_state state;
	struct bpmu_top_view view;
	struct bpmu_top_screen screen;
	int wake;
	int signals;
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
int bpmu_top_share(struct bpmu_top top[BPMU_KINDS], struct bpmu_error *err);
int bpmu_top_open(struct bpmu_top top[BPMU_KINDS], struct bpmu_error *err);
int bpmu_top_rows_of(struct bpmu_top *top, struct bpmu_error *err);
void bpmu_top_rows_free(struct bpmu_top *top);
int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err);
int bpmu_top_measure(struct bpmu_top *top, struct bpmu_error *err);
int bpmu_top_live_begin(struct bpmu_top *top, struct bpmu_error *err);
void bpmu_top_live_end(struct bpmu_top *top);
void bpmu_top_live_input(struct bpmu_top *top);
void bpmu_top_live_show(struct bpmu_top *top);
int bpmu_top_plain(FILE *out, struct bpmu_top_view *view,
		   struct bpmu_top_state *state, struct bpmu_error *err);

#endif /* BPMU_TOP_H */
