/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates metrics from counts of any source.
 *
 * The input is a table with one row per set of counts, or records with one line per
 * count. In both cases each count belongs to a column, an event under its name in the
 * input. A set of counts is an array, [nr_columns].
 */
#ifndef BPMU_EVAL_H
#define BPMU_EVAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/fields.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"
#include "view/tree_print.h"

/**
 * struct bpmu_eval_column - an event of the input
 * @name: as the input writes it
 * @known: the CPU model has this event
 * @spec: the event, if @known
 * @otherwise: default count for sets that lack it; NAN for none
 * @constant: &enum bpmu_metric_constant if the column is a constant, else -1
 * @before: default value of the constant for sets that lack it
 */
struct bpmu_eval_column {
	char *name;
	bool known;
	struct bpmu_event_spec spec;
	double otherwise;
	int constant;
	struct bpmu_value before;
};

/**
 * struct bpmu_eval - a call of the command
 * @pmu: PMU of the CPU model that was measured
 * @smt: whether hyper-threading was on
 * @cpi: print a stack of cycles per instruction
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
 * @source: column of an event, or -1, [nr events]
 * @rows: number of sets evaluated so far
 * @is_of: the input has counts of the evaluated CPU model
 * @other: another CPU model that the input named, or empty
 * @err: set on failure
 */
struct bpmu_eval {
	struct bpmu_pmu pmu;
	int smt;
	bool cpi;
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
	int *source;
	unsigned long rows;
	bool is_of;
	char other[32];
	struct bpmu_error *err;
};

/**
 * struct bpmu_eval_input - the file that is read
 * @csv: reader of its lines
 * @name: name for errors
 */
struct bpmu_eval_input {
	struct bpmu_csv csv;
	const char *name;
};

int bpmu_eval_column(struct bpmu_eval *eval, const char *name);
int bpmu_eval_match(struct bpmu_eval *eval);

int bpmu_eval_set(struct bpmu_eval *eval, const char *label,
		  const double *counts, unsigned int flags);

int bpmu_eval_missing(struct bpmu_eval *eval, const struct bpmu_fields *when);
void bpmu_eval_refused(struct bpmu_eval *eval);

int bpmu_eval_read(struct bpmu_eval *eval, struct bpmu_eval_input *in);

#endif /* BPMU_EVAL_H */
