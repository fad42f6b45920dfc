/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates metrics from counts of any source.
 *
 * A set of counts is what one interval, or one row of a table, has: an array, [nr_columns]. The
 * input is a table with one row per set, or a list of records with one line per count. In both
 * cases each count belongs to a column: an event under its name in the input.
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
 * struct bpmu_eval_column - an event or a constant of the input
 * @name: name of the event or constant as the input writes it
 * @known: the CPU model has this event
 * @spec: the event, if @known
 * @otherwise: count of the event in sets without this column; NAN for none
 * @constant: &enum bpmu_metric_constant if the column is a constant, -1 if it is an event
 * @before: value of the constant before the input is read, used in sets without this column
 * @counted: a record of the input has a count of the event
 * @of_groups: several groups counted the event
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
 * @number: the count, scaled to the whole time if it was multiplexed; NAN for none
 * @share: fraction of the time for which the event was counted
 * @half: half-width of the 95 % confidence interval of @number; 0 if it is exact, INFINITY if
 *	unknown
 * @clock: unhalted cycles in the rotation slices in which the event was counted, scaled as @number
 *	is; 0 if unknown
 */
struct bpmu_eval_count {
	double number;
	double share;
	double half;
	double clock;
};

#define BPMU_EVAL_PRIVILEGES (BPMU_SEL_USR | BPMU_SEL_OS)

/* maximum number of names of one event in an input: perf's, the vendor's, LIKWID's */
#define BPMU_EVAL_NAMES 4
/* maximum number of events from which another event's count is derived */
#define BPMU_EVAL_FROM 4

/**
 * struct bpmu_eval_source - columns from which the count of an event of the tree is taken
 * @column: columns with an event that counts the same, [@nr]
 * @nr: number of @column
 * @taken: column whose count is used in the current set, -1 for none
 * @derivation: number of the derivation that replaces a missing count, or -1
 * @from: columns from which the missing count is derived, [@nr_from]
 * @nr_from: number of @from
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
 * struct bpmu_eval - a call of "barepmu eval"
 * @pmu: PMU of the CPU model that was measured
 * @smt: whether hyper-threading was on
 * @cpi: print a stack of cycles per instruction or unit of work
 * @work: number of units of work, 0 for instructions
 * @format: format of the output
 * @separator: separator of CSV
 * @out: output
 * @verbose: print missing names
 * @choice: requested metrics
 * @tree: tree of the metrics
 * @values: values of the tree, [nr metrics]
 * @counts: counts of the tree's events, [nr events]
 * @column: the columns, [@nr_columns]
 * @nr_columns: number of columns
 * @room: capacity of @column
 * @source: columns from which the counts of the tree's events are taken, [nr events]
 * @needs: whether a metric needs an event, [nr metrics][nr events]
 * @shifted: values of the tree with one count changed, to find the uncertainty, [nr metrics]
 * @by_clock: values of the tree with counts scaled by the clock, [nr metrics]
 * @clock: column of the unhalted cycles, -1 for none
 * @rows: number of sets evaluated so far
 * @perf_metrics: number of lines with metrics of perf, which are not used
 * @is_of: the input has counts that are of the evaluated CPU model
 * @other: another CPU model whose counts the input has, too; or empty
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
 * struct bpmu_eval_input - the file that is read
 * @csv: reader of its lines
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
