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
#include "source/analysis.h"
#include "source/measure.h"
#include "tree/tree.h"

struct bpmu_topdown;

/**
 * struct bpmu_topdown_view - what topdown prints about one core type
 * @call: the call of "barepmu topdown"
 * @type: the core type, with its tree; with rows, each of them has a tree of its own
 * @row: row that is printed as CSV, JSON or line, or NULL
 * @whole: all metrics that were asked for can be measured
 * @seconds: time of the run so far in seconds
 * @duration: length of the last interval in seconds
 * @stamp: end of the last interval
 * @lost: samples lost so far
 * @flaws: flaws of the samples so far
 * @trees: number of trees printed so far, below one heading
 * @step: number of the step of --drill that is printed
 * @noted: the assumption of the 95 % intervals was printed
 * @verdict: verdict of the previous interval as text, or NULL
 */
struct bpmu_topdown_view {
	struct bpmu_topdown *call;
	struct bpmu_core_type *type;
	const struct bpmu_row *row;
	bool whole;
	double seconds;
	double duration;
	struct bpmu_stamp stamp;
	u64 lost;
	struct bpmu_flaws flaws;
	unsigned int trees;
	unsigned int step;
	bool noted;
	char *verdict;
};

/**
 * struct bpmu_topdown - a call of "barepmu topdown"
 * @options: common options
 * @level: deepest level, or 0 if not given
 * @extra: also the nodes of --extra
 * @cpi: print a stack of cycles per instruction or unit of work
 * @work: number of units of work, 0 for instructions
 * @compact: print one line per interval
 * @formula: also print the formula of each node
 * @together: refuse multiplexing
 * @groups: only print the event groups
 * @drill: measure level 1, and then only children of flagged nodes
 * @repeat: number of runs of -r, %BPMU_REPEAT_AUTO, or 0 without it
 * @runs: with @repeat, number of runs that were measured
 * @by: aggregation of CPUs into rows
 * @alerts: the alerts
 * @analysis: requested metrics, and the trees of all core types
 * @view: what is printed of each core type, [core type]
 * @out: output
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
enum bpmu_longer bpmu_topdown_longer(const struct bpmu_topdown_view *topdown);
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
