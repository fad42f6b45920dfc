/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metric files. A line is a node of the tree, its place is its indentation:
 *
 *   NAME = EXPRESSION | unit WORD | flag CONDITION | text "..." | next "..."
 *
 * "NAME := EXPRESSION" defines a name for use in other lines, not a node;
 * "| clock" after it says that counts of different groups are compared per
 * unit of this name. A line that begins with "|" goes on with the one before
 * it; "#" begins a comment. An expression knows + - * / ( ) min() max(),
 * < <= > >=, and, or, "A if B else C", numbers, names, and events with filters
 * as in event.h. SMT is 1 if threads share the core, else 0. The condition of
 * a flag that begins with a comparison begins with the node's own value.
 *
 * A method is two files: NAME.bpm is the tree over generic events,
 * NAME-PART.bpm defines these events for a part.
 */
#ifndef BPMU_METRIC_H
#define BPMU_METRIC_H

#include <stdbool.h>

#include "arch.h"
#include "error.h"

struct bpmu_expr;

/**
 * struct bpmu_metric_file - a metric file built into the tool
 * @name: "topdown.bpm"
 * @text: its text
 */
struct bpmu_metric_file {
	const char *name;
	const char *text;
};

/* made from arch/metrics/ by the Makefile, ended by a row without name */
extern const struct bpmu_metric_file bpmu_metric_files[];

/**
 * struct bpmu_metric - a line of a metric file
 * @name: "Frontend_Bound"
 * @expr: its value
 * @flag: when it deserves a look, or NULL
 * @unit: of what it is a fraction, "slots" or "clocks", or NULL
 * @text: what it means, one sentence, or NULL
 * @next: what to try when it is flagged, or NULL
 * @parent: number of the parent, -1 for a root or a definition
 * @level: 1 for a root and so on, 0 for a definition
 * @clock: unit of time of its group
 */
struct bpmu_metric {
	char *name;
	struct bpmu_expr *expr;
	struct bpmu_expr *flag;
	char *unit;
	char *text;
	char *next;
	int parent;
	unsigned int level;
	bool clock;
};

/**
 * struct bpmu_metrics - a method on a part
 * @metric: the lines; a parent comes before its children
 * @nr: their number
 */
struct bpmu_metrics {
	struct bpmu_metric *metric;
	unsigned int nr;
};

int bpmu_metrics_builtin(struct bpmu_metrics *metrics, const char *method,
			 const struct bpmu_part *part, struct bpmu_error *err);
int bpmu_metrics_parse(struct bpmu_metrics *metrics, const char *file,
		       const char *text, struct bpmu_error *err);
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name);
void bpmu_metrics_free(struct bpmu_metrics *metrics);

#endif /* BPMU_METRIC_H */
