/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics of counts that somebody else has counted.
 *
 * Input comes as a table, a row for each set of counts, or as records, a line
 * for each count. Either way a count has a column: an event of the input, by
 * the name it has there. A set of counts is an array with one for each column.
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
 * @known: the part has such an event
 * @spec: the event, if @known
 * @otherwise: its count where the input has none; NAN for none
 * @constant: &enum bpmu_metric_constant if it is no event but one of these, or -1
 * @before: the constant's value where the input has none
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
 * @pmu: of the part that was measured on
 * @smt: whether threads shared its cores
 * @cpi: print the stack of cycles per instruction instead
 * @format: of the output
 * @separator: of its CSV
 * @out: where it goes
 * @verbose: say what is missing
 * @choice: which metrics
 * @tree: of these
 * @values: of the tree
 * @counts: of the tree's events
 * @column: the columns
 * @nr_columns: their number
 * @room: for so many
 * @source: column of the event, or -1, [nr events of the tree]
 * @rows: evaluated so far
 * @is_of: a count named the part that is evaluated
 * @other: another one that a count named, or empty
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
 * @csv: its lines
 * @name: for errors
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
__printf(4, 5)
int bpmu_eval_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
		    unsigned int column, const char *fmt, ...);
bool bpmu_eval_is_of(struct bpmu_eval *eval, const char *part);
unsigned int bpmu_eval_split(char *line, char separator,
			     struct bpmu_csv_field *field, unsigned int most);
bool bpmu_eval_number(const char *text, double *number);
char bpmu_eval_separator(const char *line);

int bpmu_eval_table(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator);
unsigned int bpmu_eval_is_own(const struct bpmu_csv_field *field,
			      unsigned int nr);
int bpmu_eval_own_csv(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		      char separator);
int bpmu_eval_perf(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		   char separator);
int bpmu_eval_json(struct bpmu_eval *eval, struct bpmu_eval_input *in);

#endif /* BPMU_EVAL_H */
