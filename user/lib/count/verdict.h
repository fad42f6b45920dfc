/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verdict on a tree of metrics: the path of largest flagged nodes, found by the drill-down of
 * the Top-Down paper, section 2. All output that names a path uses this verdict.
 */
#ifndef BPMU_VERDICT_H
#define BPMU_VERDICT_H

#include <stdio.h>

#include "base/fields.h"
#include "tree/tree.h"

/* Maximum number of siblings at which the path of a verdict may end */
#define BPMU_VERDICT_ENDS 8

/**
 * enum bpmu_verdict_type - types of verdicts
 * @BPMU_VERDICT_NONE: no verdict: no node has a threshold
 * @BPMU_VERDICT_NO_VALUE: no verdict: no node has a value
 * @BPMU_VERDICT_WITHHELD: no verdict yet: groups had too few rotation slices
 * @BPMU_VERDICT_COUNTS_NOTHING: no verdict: one root has all slots, because the counts of the
 *	other roots are 0
 * @BPMU_VERDICT_INCOMPLETE: no verdict: a root has no value; it might be the largest root
 * @BPMU_VERDICT_CONTRADICTORY: no verdict: a root is below 0 or above 1
 * @BPMU_VERDICT_UNDECIDED: no node is flagged, but some may be
 * @BPMU_VERDICT_CLEAR: no node is flagged
 * @BPMU_VERDICT_FLAGGED: some node is flagged
 */
enum bpmu_verdict_type {
	BPMU_VERDICT_NONE,
	BPMU_VERDICT_NO_VALUE,
	BPMU_VERDICT_WITHHELD,
	BPMU_VERDICT_COUNTS_NOTHING,
	BPMU_VERDICT_INCOMPLETE,
	BPMU_VERDICT_CONTRADICTORY,
	BPMU_VERDICT_UNDECIDED,
	BPMU_VERDICT_CLEAR,
	BPMU_VERDICT_FLAGGED
};

/**
 * enum bpmu_longer - advice how to get more rotation slices, for %BPMU_VERDICT_WITHHELD
 * @BPMU_LONGER_RUN: measure for a longer time
 * @BPMU_LONGER_REPEAT: run the command several times: topdown -r auto
 * @BPMU_LONGER_INTERVAL: choose longer intervals
 * @BPMU_LONGER_RECORDING: make a longer recording, or record fewer levels. Analysing fewer levels
 *	of the present recording does not help: the number of slices of a group stays the same
 * @BPMU_LONGER_REPLAY: choose longer intervals when the recording is analysed
 */
enum bpmu_longer {
	BPMU_LONGER_RUN,
	BPMU_LONGER_REPEAT,
	BPMU_LONGER_INTERVAL,
	BPMU_LONGER_RECORDING,
	BPMU_LONGER_REPLAY
};

/**
 * struct bpmu_verdict_path - a path from the largest root to the largest leaf
 * @end: nodes at the end of the path, largest first; several siblings if it is uncertain which of
 *	them is the largest
 * @nr: number of @end, 0 if there is no path
 * @maybe: child of @end that is undecided and larger than its flagged siblings, or a root with
 *	these properties if there is no path; -1 if there is none
 * @missing: child of @end that lacks a count, so that the path ends before it; or -1
 * @beyond: child of @end that is the largest, but impossible because it is above 1, so that the
 *	path ends before it; or -1
 */
struct bpmu_verdict_path {
	int end[BPMU_VERDICT_ENDS];
	unsigned int nr;
	int maybe;
	int missing;
	int beyond;
};

/**
 * struct bpmu_verdict - verdict on a tree
 * @type: &enum bpmu_verdict_type
 * @first: path from the root that has precedence over the other roots if it is flagged, such as
 *	Bad_Speculation (&bpmu_metric.first); @first.nr is 0 if this root is not flagged
 * @path: path from the largest of the other roots; @path.nr is 0 if none of them is flagged, or as
 *	large as the root of @first
 * @besides: path from the largest root that is flagged only because of a deeper node, down to that
 *	node; @besides.nr is 0 if there is no such root
 * @longer: minimum measurement time in seconds, for %BPMU_VERDICT_WITHHELD
 * @runs: number of measurements of the present length that together take @longer, or 0
 * @why: roots because of which there is no verdict: the roots without a value, the roots with an
 *	impossible value, or the only root above 0; [@nr_why]
 * @nr_why: number of @why
 */
struct bpmu_verdict {
	enum bpmu_verdict_type type;
	struct bpmu_verdict_path first;
	struct bpmu_verdict_path path;
	struct bpmu_verdict_path besides;
	double longer;
	double runs;
	int why[BPMU_VERDICT_ENDS];
	unsigned int nr_why;
};

void bpmu_verdict_find(const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       struct bpmu_verdict *verdict);
bool bpmu_verdict_event(const struct bpmu_metric *metric, char *event, size_t size);
int bpmu_verdict_node(const struct bpmu_verdict *verdict);
void bpmu_verdict_text(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values, enum bpmu_longer how);
void bpmu_verdict_json(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       const struct bpmu_fields *when);

#endif /* BPMU_VERDICT_H */
