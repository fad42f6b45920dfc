/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of "barepmu topdown", and its output.
 */
#ifndef BPMU_TOPDOWN_H
#define BPMU_TOPDOWN_H

#include <stdio.h>

#include "alert.h"
#include "count/flaw.h"
#include "count/verdict.h"
#include "event/rows.h"
#include "options.h"
#include "source/machine.h"
#include "source/measure.h"
#include "source/target.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

/**
 * struct bpmu_topdown - a call of the command
 * @options: common options
 * @choice: requested metrics
 * @level: deepest level, or 0 if not given
 * @extra: also the nodes of --extra
 * @cpi: print a stack of cycles per instruction or unit of work
 * @work: number of units of work, 0 for instructions
 * @compact: print one line per interval
 * @formula: also print the formula of each node
 * @together: refuse multiplexing
 * @groups: only print the event groups
 * @drill: measure only below flagged nodes
 * @repeat: number of runs of -r, %BPMU_REPEAT_AUTO, or 0 without it
 * @runs: with @repeat, number of runs that were measured
 * @by: aggregation of CPUs into rows, each with a tree of its own
 * @rows: the rows; none with %BPMU_ROWS_ALL
 * @row: row that is printed as CSV, JSON or line, or NULL
 * @target: CPUs to measure, and the PMU
 * @others: number of further core types; their calls follow this one in an array,
 *	[BPMU_CORE_TYPES], and are printed after this one
 * @core_type: name of the core type if there are two, else NULL
 * @machine: constants of the machine for formulas
 * @errata_cpu: description of the CPU for the choice of errata
 * @alerts: the alerts
 * @whole: all of @choice can be measured
 * @wish: parameters of the tree
 * @tree: the tree
 * @seconds: time of the run so far in seconds
 * @duration: length of the last interval in seconds
 * @stamp: end of the last interval
 * @lost: samples lost so far
 * @flaws: flaws of the samples so far
 * @trees: number of trees printed so far, below one heading
 * @step: number of the step that is printed
 * @noted: the assumption of the 95 % intervals was printed
 * @verdict: verdict of the previous interval as text, or NULL
 * @out: output
 */
struct bpmu_topdown {
	struct bpmu_options options;
	struct bpmu_choice choice;
	unsigned int level;
	bool extra;
	bool cpi;
	double work;
	bool compact;
	bool formula;
	bool together;
	bool groups;
	bool drill;
	unsigned int repeat;
	unsigned int runs;
	enum bpmu_rows_by by;
	struct bpmu_rows rows;
	const struct bpmu_row *row;
	struct bpmu_target target;
	unsigned int others;
	const char *core_type;
	struct bpmu_machine machine;
	struct bpmu_errata_cpu errata_cpu;
	struct bpmu_alerts alerts;
	bool whole;
	struct bpmu_tree_wish wish;
	struct bpmu_tree tree;
	double seconds;
	double duration;
	struct bpmu_stamp stamp;
	u64 lost;
	struct bpmu_flaws flaws;
	unsigned int trees;
	unsigned int step;
	bool noted;
	char *verdict;
	FILE *out;
};

int bpmu_topdown_schedule(struct bpmu_topdown *topdown, struct bpmu_error *err);
void bpmu_topdown_unschedule(struct bpmu_topdown *topdown);
int bpmu_topdown_share(struct bpmu_topdown topdown[BPMU_CORE_TYPES],
		       struct bpmu_error *err);
int bpmu_topdown_open(struct bpmu_topdown topdown[BPMU_CORE_TYPES],
		      struct bpmu_error *err);

void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval);
void bpmu_topdown_head(const struct bpmu_topdown *topdown);
enum bpmu_longer bpmu_topdown_longer(const struct bpmu_topdown *topdown);
void bpmu_topdown_loss(const struct bpmu_topdown *topdown);
void bpmu_topdown_intervals(struct bpmu_topdown *topdown, bool estimated);
void bpmu_topdown_rows(struct bpmu_topdown *topdown,
		       const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values);
void bpmu_topdown_verdict(struct bpmu_topdown *topdown,
			  const struct bpmu_tree_value *values);
void bpmu_topdown_alert(struct bpmu_topdown *topdown,
			const struct bpmu_tree_value *values);
void bpmu_topdown_groups(const struct bpmu_topdown *topdown);

#endif /* BPMU_TOPDOWN_H */
