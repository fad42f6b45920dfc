/* SPDX-License-Identifier: GPL-2.0 */
/* The options of "barepmu topdown", its state while it runs, and its output. */
#ifndef BPMU_TOPDOWN_H
#define BPMU_TOPDOWN_H

#include <stdio.h>

#include "alert.h"
#include "count/flaw.h"
#include "count/verdict.h"
#include "event/rows.h"
#include "options.h"
#include "source/analysis.h"
#include "source/measure.h"
#include "tree/tree.h"

struct bpmu_topdown;

/**
 * struct bpmu_topdown_view - what topdown prints about one core type
 * @call: state of "barepmu topdown"
 * @type: the core type, with its tree
 * @row: set of CPUs, such as a core, whose values are being printed; NULL if all CPUs are added up
 * @whole: true if all metrics that the user named can be measured on this core type
 * @longer: what the user can change in the call so that multiplexed groups are counted more often
 * @seconds: time since the run began, in seconds
 * @duration: length of the latest interval in seconds
 * @stamp: time at which the latest interval ended
 * @lost: number of samples lost so far
 * @flaws: flaws of the measurement that samples have reported so far
 * @trees: number of trees printed so far below the last heading
 * @step: with --drill, number of the step: of the set of nodes that was measured in this interval
 * @noted: true once it has been printed what the 95 % intervals assume
 * @verdict: verdict of the previous interval as text, or NULL
 * @saying: stream to @said, or NULL
 * @said: memory for the verdict of an interval as text, of @size bytes
 * @size: length of the text
 * @values: memory for the values of an interval, [nr metrics]; NULL before the first
 */
struct bpmu_topdown_view {
	struct bpmu_topdown *call;
	struct bpmu_core_type *type;
	const struct bpmu_row *row;
	bool whole;
	enum bpmu_longer longer;
	double seconds;
	double duration;
	struct bpmu_stamp stamp;
	u64 lost;
	struct bpmu_flaws flaws;
	unsigned int trees;
	unsigned int step;
	bool noted;
	char *verdict;
	FILE *saying;
	char *said;
	size_t size;
	struct bpmu_tree_value *values;
};

/**
 * struct bpmu_topdown - options and state of "barepmu topdown"
 * @options: common options
 * @level: deepest level of the tree to measure; 0 without the option -l
 * @extra: true to measure the nodes, too, that the option --extra adds to the tree
 * @cpi: true to print a CPI stack (cycles per instruction or per unit of work) in place of the tree
 * @work: number of units of work that the program does (--normalise), by which the cycles of the
 *	CPI stack are divided; 0 to divide by instructions retired
 * @compact: true to print one line per interval
 * @formula: true to print the formula of each node, too
 * @together: true to refuse multiplexing: all events must fit on the counters at once
 * @groups: true to measure nothing, and to print which events are counted together
 * @drill: true to measure level 1, and then only children of flagged nodes
 * @locate: with --drill, file for a recording that locates the flagged node; NULL for none
 * @event: with --drill, event by which the flagged node is located; "" if nothing is flagged
 * @repeat: value of the option -r: a number of runs, or %BPMU_REPEAT_AUTO; 0 without -r
 * @runs: with -r, number of runs that were measured
 * @by: which CPUs are added up in a row of the result, such as those of a core
 * @alerts: conditions of --alert
 * @analysis: requested metrics, and the trees of all core types
 * @view: what is printed of each core type, [core type]
 * @out: stream to which results are printed
 */
struct bpmu_topdown {
	struct bpmu_options options;
	unsigned int level;
	bool extra;
	bool cpi;
	double work;
	bool compact;
	bool formula;
	bool together;
	bool groups;
	bool drill;
	const char *locate;
	char event[64];
	unsigned int repeat;
	unsigned int runs;
	enum bpmu_rows_by by;
	struct bpmu_alerts alerts;
	struct bpmu_analysis analysis;
	struct bpmu_topdown_view view[BPMU_CORE_TYPES];
	FILE *out;
};

int bpmu_topdown_schedule(struct bpmu_topdown *topdown, struct bpmu_error *err);
int bpmu_topdown_open(struct bpmu_topdown *topdown, struct bpmu_error *err);
void bpmu_topdown_free(struct bpmu_topdown *topdown);

void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval);
void bpmu_topdown_head(const struct bpmu_topdown_view *topdown);
enum bpmu_longer bpmu_topdown_longer(const struct bpmu_topdown *call);
void bpmu_topdown_loss(const struct bpmu_topdown_view *topdown);
void bpmu_topdown_intervals(struct bpmu_topdown_view *topdown, bool estimated);
void bpmu_topdown_rows(struct bpmu_topdown_view *topdown,
		       const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values);
void bpmu_topdown_verdict(struct bpmu_topdown_view *topdown,
			  const struct bpmu_tree_value *values);
void bpmu_topdown_alert(struct bpmu_topdown_view *topdown,
			const struct bpmu_tree_value *values);
void bpmu_topdown_groups(const struct bpmu_topdown *topdown);

#endif /* BPMU_TOPDOWN_H */
