/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metric files, see barepmu-metrics(5). A line is a node of the tree, its place
 * is its indentation; "NAME := EXPRESSION" defines a name, not a node:
 *
 *   NAME = EXPRESSION | unit UNIT | flag CONDITION | text "..." | next "..."
 *
 * A method is two files in the tool: NAME.bpm is the tree over generic events,
 * NAME-PART.bpm defines these events for a part. "NAME := none" there leaves
 * out every line that needs NAME, and the nodes below it. In these files
 * "include FILE.bpm" stands for the lines of another one. A user's file is
 * complete or begins with "extends METHOD".
 */
#ifndef BPMU_METRIC_H
#define BPMU_METRIC_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

struct bpmu_expr;

#define BPMU_METRICS_WHY 256

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
 * enum bpmu_scope - hardware unit that a value of a metric belongs to
 * @BPMU_SCOPE_NONE: not said
 * @BPMU_SCOPE_THREAD: a hardware thread
 * @BPMU_SCOPE_CORE: a core, all its threads together
 * @BPMU_SCOPE_CARD: a card, all its cores together
 */
enum bpmu_scope {
	BPMU_SCOPE_NONE,
	BPMU_SCOPE_THREAD,
	BPMU_SCOPE_CORE,
	BPMU_SCOPE_CARD
};

/**
 * struct bpmu_metric - a line of a metric file
 * @name: "Frontend_Bound"
 * @expr: its value
 * @flag: condition for a flag, or NULL
 * @unit: the whole of which it is a fraction, such as "slots", or its unit, or
 *	NULL; see bpmu_unit_is_share()
 * @text: description in one sentence, or NULL
 * @next: advice if it is flagged, or NULL
 * @source: source of the formula, or NULL
 * @erratum: names of errata that touch it, with blanks between, or NULL
 * @group: names of groups that it can be asked for by, with semicolons between, or
 *	NULL
 * @parent: number of the parent, -1 for a root or a definition
 * @level: 1 for a root and so on, 0 for a definition
 * @scope: &enum bpmu_scope
 * @clock: unit of time of its group
 * @first: while it is flagged, it is to be looked at before its siblings
 * @extra: a node beyond the method\'s own, as all below it are
 * @file: number of its file
 * @offset: position of its name in the file
 * @flag_file: number of the file of its flag
 */
struct bpmu_metric {
	char *name;
	struct bpmu_expr *expr;
	struct bpmu_expr *flag;
	const char *unit;
	char *text;
	char *next;
	char *source;
	char *erratum;
	char *group;
	int parent;
	unsigned int level;
	enum bpmu_scope scope;
	bool clock;
	bool first;
	bool extra;
	unsigned int file;
	unsigned int offset;
	unsigned int flag_file;
};

/**
 * struct bpmu_metric_source - a file that was read
 * @name: name for error messages
 * @text: all of it
 */
struct bpmu_metric_source {
	char *name;
	char *text;
};

/**
 * struct bpmu_metrics - a method on a part
 * @metric: the lines; a node comes before its children, and these before
 *	anything else
 * @nr: number of metrics
 * @file: source of the metrics
 * @nr_files: number of files
 */
struct bpmu_metrics {
	struct bpmu_metric *metric;
	unsigned int nr;
	struct bpmu_metric_source *file;
	unsigned int nr_files;
};

int bpmu_metrics_builtin(struct bpmu_metrics *metrics, const char *method,
			 const struct bpmu_part *part, struct bpmu_error *err);
int bpmu_metrics_as_printed(struct bpmu_metrics *metrics,
			    const struct bpmu_part *part,
			    struct bpmu_error *err);
int bpmu_metrics_memory_by(struct bpmu_metrics *metrics, const char *by,
			   const struct bpmu_part *part, struct bpmu_error *err);
int bpmu_metrics_of_counts(struct bpmu_metrics *metrics,
			   struct bpmu_error *err);
int bpmu_metrics_join(struct bpmu_metrics *metrics, const char *method,
		      const struct bpmu_part *part, struct bpmu_error *err);
bool bpmu_metric_of_group(const char *list, const char *word);
bool bpmu_metrics_lost(const char *method, const struct bpmu_part *part,
		       const char *name, char *why);
int bpmu_metrics_file(struct bpmu_metrics *metrics, const char *path,
		      const struct bpmu_part *part, struct bpmu_error *err);
int bpmu_metrics_add(struct bpmu_metrics *metrics, const char *file,
		     const char *text, const struct bpmu_part *part,
		     struct bpmu_error *err);
int bpmu_metrics_parse(struct bpmu_metrics *metrics, const char *file,
		       const char *text, struct bpmu_error *err);
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name);
__printf(5, 6)
int bpmu_metrics_error(const struct bpmu_metrics *metrics, unsigned int file,
		       unsigned int offset, struct bpmu_error *err,
		       const char *fmt, ...);
void bpmu_metrics_free(struct bpmu_metrics *metrics);

#endif /* BPMU_METRIC_H */
