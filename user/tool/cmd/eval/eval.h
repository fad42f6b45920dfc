/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluation of metrics from counts of any source, for "barepmu eval". The input is a table with a
 * row of counts for each interval, or a list with a line for each count. In both, each count
 * belongs to a column. A column is an event, under the name that the input gives it. The counts of
 * one interval, or of one row, are evaluated together. They are an array, [nr_columns].
 */
#ifndef BPMU_EVAL_H
#define BPMU_EVAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/fields.h"
#include "intel.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"
#include "view/tree_print.h"

/**
 * struct bpmu_eval_column - a column of the input's table of counts: an event or a constant
 * @name: name of the event or constant as the input writes it
 * @known: the CPU model has this event
 * @spec: the event, if @known
 * @otherwise: count to use for the event where the input has none; NAN to take the count as missing
 * @constant: &enum bpmu_metric_constant if the column is a constant, -1 if it is an event
 * @before: value of the constant before the input was read; used where the input has no value
 * @counted: the input has at least one count of the event
 * @of_groups: the input may have several counts of the event for the same time, from several event
 *	groups
 */
struct bpmu_eval_column {
	char *name;
	bool known;
	struct bpmu_event_spec spec;
	double otherwise;
	int constant;
	struct bpmu_value before;
	bool counted;
	bool of_groups;
};

/**
 * struct bpmu_eval_count - a count of the input
 * @number: the count, scaled to the whole time if it was multiplexed; NAN if it is missing
 * @share: fraction of the time for which the event was counted
 * @half: half-width of the 95 % confidence interval of @number; 0 if it is exact, INFINITY if
 *	unknown
 * @clock: unhalted cycles in the time for which the event was counted (the rotation slices of its
 *	group). They are scaled by the same factor as @number; 0 if unknown
 */
struct bpmu_eval_count {
	double number;
	double share;
	double half;
	double clock;
};

#define BPMU_EVAL_PRIVILEGES (BPMU_SEL_USR | BPMU_SEL_OS)

/*
 * maximum number of columns with the same event, under different names: perf's, Intel's, LIKWID's
 */
#define BPMU_EVAL_NAMES 4
/* maximum number of events from which another event's count is derived */
#define BPMU_EVAL_FROM 4

/**
 * struct bpmu_eval_source - where the input has the count of one of the tree's events
 * @column: columns with the event, under any of its names, [@nr]
 * @nr: number of columns in @column
 * @taken: column whose count is used for the present set of counts, -1 if no column has a count in
 *	it
 * @derivation: index of the formula by which a missing count is computed from other counts, or -1
 * @from: columns whose counts the formula needs, [@nr_from]
 * @nr_from: number of columns in @from
 */
struct bpmu_eval_source {
	unsigned int column[BPMU_EVAL_NAMES];
	unsigned int nr;
	int taken;
	int derivation;
	unsigned int from[BPMU_EVAL_FROM];
	unsigned int nr_from;
};

/**
 * struct bpmu_eval - options and state of "barepmu eval"
 * @pmu: PMU of the CPU model that was measured
 * @smt: 1 if hyper-threading was on, else 0
 * @cpi: print a CPI stack: cycles per instruction or per unit of work
 * @work: number of units of work by which the stack is divided; 0 to divide by instructions retired
 * @format: format of the output
 * @separator: separator of CSV
 * @out: stream to which results are printed
 * @verbose: also print the names of missing and of unused events
 * @choice: requested metrics
 * @tree: tree of the metrics
 * @values: values of the tree, [nr metrics]
 * @counts: counts of the tree's events, [nr events]
 * @column: events and constants that the input has so far, [@nr_columns]
 * @nr_columns: number of columns
 * @room: capacity of @column
 * @source: in which columns the input has the counts of the tree's events, [nr events]
 * @needs: whether a metric needs an event, [nr metrics][nr events]
 * @shifted: values of the tree after one count was changed, to find the uncertainty, [nr metrics]
 * @by_clock: values of the tree from counts that are scaled by cycles, not by time, [nr metrics]
 * @clock: column of the unhalted cycles, -1 if the input has none
 * @rows: number of sets of counts evaluated so far; all counts of a set are of the same interval
 *	and CPUs
 * @perf_metrics: number of input lines with metrics that perf computed, which are not used
 * @is_of: the input has counts of the CPU model @pmu
 * @other: name of another CPU model whose counts are in the input, or ""
 * @err: set on failure
 */
struct bpmu_eval {
	struct bpmu_pmu pmu;
	int smt;
	bool cpi;
	double work;
	enum bpmu_format format;
	const char *separator;
	FILE *out;
	bool verbose;
	struct bpmu_choice choice;
	struct bpmu_tree tree;
	struct bpmu_tree_value *values;
	double *counts;
	struct bpmu_eval_column *column;
	unsigned int nr_columns;
	unsigned int room;
	struct bpmu_eval_source *source;
	bool *needs;
	struct bpmu_tree_value *shifted;
	struct bpmu_tree_value *by_clock;
	int clock;
	unsigned long rows;
	unsigned long perf_metrics;
	bool is_of;
	char other[32];
	struct bpmu_error *err;
};

/**
 * struct bpmu_eval_input - the input of "barepmu eval": a file with counts
 * @csv: reader of the file's lines
 * @name: name of the input, for errors
 */
struct bpmu_eval_input {
	struct bpmu_csv csv;
	const char *name;
};

int bpmu_eval_column(struct bpmu_eval *eval, const char *name);
int bpmu_eval_match(struct bpmu_eval *eval);

bool bpmu_eval_same(const struct bpmu_eval *eval, const struct bpmu_event_spec *a,
		    const struct bpmu_event_spec *b);
u64 bpmu_eval_privileges(const struct bpmu_event_spec *spec);
int bpmu_eval_find(const struct bpmu_eval *eval, const char *name);
bool bpmu_eval_counts(const struct bpmu_eval *eval, const char *name,
		      const struct bpmu_event_spec *spec);

int bpmu_eval_set(struct bpmu_eval *eval, const char *label,
		  const struct bpmu_eval_count *counts);
double bpmu_eval_half_width(double count, double share, double running_ns);

void bpmu_eval_needs(struct bpmu_eval *eval);
int bpmu_eval_missing(struct bpmu_eval *eval, const struct bpmu_fields *when);
bool bpmu_eval_lacks_most(const struct bpmu_eval *eval);
int bpmu_eval_lacking(struct bpmu_eval *eval);
void bpmu_eval_refused(struct bpmu_eval *eval);

void bpmu_eval_unused(const struct bpmu_eval *eval, const char *input);

int bpmu_eval_read(struct bpmu_eval *eval, struct bpmu_eval_input *in);

#endif /* BPMU_EVAL_H */
