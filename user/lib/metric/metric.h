/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metric files, see barepmu-metrics(5). A line is a node of the tree, whose level is given by the
 * line's indentation:
 *
 *   NAME = EXPRESSION | unit UNIT | flag CONDITION | text "..." | next "..."
 *
 * A line "NAME := EXPRESSION" is a definition, not a node. The file of a published tree begins with
 * 'version "TMA 5.2"'.
 *
 * A method has two files for each CPU model, which are built into the tool. METHOD.bpm has the
 * tree, with generic names for events. METHOD-PART.bpm, with the CPU model's short name for PART,
 * defines these names for the CPU model, or has a tree that replaces the tree of METHOD.bpm. In
 * METHOD-PART.bpm "NAME := none" drops all lines that need NAME, and the nodes below these lines;
 * "include FILE.bpm" inserts the lines of another file. A user's file is complete in itself, or
 * begins with "extends METHOD".
 */
#ifndef BPMU_METRIC_H
#define BPMU_METRIC_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

struct bpmu_expr;
struct json_t;

#define BPMU_METRICS_WHY 256

/**
 * struct bpmu_metric_file - a metric file built into the tool
 * @name: name of the file, such as "topdown.bpm"
 * @text: contents of the file
 */
struct bpmu_metric_file {
	const char *name;
	const char *text;
};

/*
 * All built-in metric files; the build makes this array from arch/metrics/. The last name is NULL.
 */
extern const struct bpmu_metric_file bpmu_metric_files[];

/**
 * enum bpmu_scope - part of the hardware to which a metric applies
 * @BPMU_SCOPE_NONE: the metric file does not say
 * @BPMU_SCOPE_THREAD: hardware thread
 * @BPMU_SCOPE_CORE: core, with all its threads
 * @BPMU_SCOPE_CARD: card, with all its cores
 */
enum bpmu_scope {
	BPMU_SCOPE_NONE,
	BPMU_SCOPE_THREAD,
	BPMU_SCOPE_CORE,
	BPMU_SCOPE_CARD
};

/**
 * struct bpmu_metric - a line of a metric file: a metric (a node of a tree) or a definition
 * @name: name, such as "Frontend_Bound"
 * @key: hash of @name, which bpmu_metrics_find() compares before the names themselves
 * @expr: formula
 * @flag: condition under which the node is flagged, or NULL
 * @unit: unit, or NULL. A fraction of the slots has the unit "slots" and so on, see
 *	bpmu_unit_is_share()
 * @text: description, one sentence, or NULL
 * @next: advice if the node is flagged, or NULL
 * @source: source of the formula, or NULL
 * @erratum: names of errata that affect the metric, separated by blanks, or NULL
 * @group: names of metric groups, separated by semicolons, or NULL
 * @parent: index of the parent, -1 for a root or a definition
 * @level: 1 for a root, 2 for its children etc., 0 for a definition
 * @scope: &enum bpmu_scope
 * @clock: true if this line's count tells how long a group was counted. To combine counts of groups
 *	that ran at different times, each count is divided by the count of this line in its own
 *	group
 * @first: true if the node, when flagged, has precedence over its siblings
 * @root: true if the node is the root of a tree even without children; other roots without children
 *	are single metrics, not trees
 * @stands: true if the node may be flagged although its parent is not. In Intel's files the
 *	condition of a node itself names the nodes above that must exceed their thresholds
 * @extra: true if the node, and hence all nodes below it, is not part of the published method
 * @file: index of the line's file in &bpmu_metrics.file
 * @offset: position of the name in this file, in bytes
 * @flag_file: index of the file from which @flag is; it may differ from @file
 */
struct bpmu_metric {
	char *name;
	u32 key;
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
	bool root;
	bool stands;
	bool extra;
	unsigned int file;
	unsigned int offset;
	unsigned int flag_file;
};

/**
 * struct bpmu_metric_source - a metric file that was parsed, kept for error messages
 * @name: name of the file
 * @text: contents of the file
 * @version: version of the published tree in the file, or NULL
 */
struct bpmu_metric_source {
	char *name;
	char *text;
	char *version;
};

/**
 * struct bpmu_metrics - metrics of a method, such as "tma", for a CPU model: the lines of its files
 * @metric: [@nr], lines; nodes are in preorder
 * @nr: number of lines
 * @room: number of lines for which @metric has memory
 * @slot: [@slots], hash table for bpmu_metrics_find(): index of a line plus 1, or 0 if the slot is
 *	free
 * @slots: length of @slot, a power of 2, or 0
 * @indexed: number of lines in @slot; if it differs from @nr, @slot must be built again
 * @file: [@nr_files], files of the lines
 * @nr_files: number of files
 * @latency: mean retire latency of events in cycles, as the user has measured them, or NULL;
 *	owned by the caller, used by bpmu_metrics_join()
 * @unmeasured: true if @latency lacks latencies that are measured later: what is not known is 0
 *	until then, and no metric is left out for it
 */
struct bpmu_metrics {
	struct bpmu_metric *metric;
	unsigned int nr;
	unsigned int room;
	u16 *slot;
	unsigned int slots;
	unsigned int indexed;
	struct bpmu_metric_source *file;
	unsigned int nr_files;
	const struct json_t *latency;
	bool unmeasured;
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
const char *bpmu_metric_latency_event(const struct bpmu_metric *metric);
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
void bpmu_metric_rename(struct bpmu_metric *metric, char *name);
const char *bpmu_metric_version(const struct bpmu_metrics *metrics, unsigned int i);
const char *bpmu_metrics_version(const struct bpmu_metrics *metrics);
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name);
__printf(5, 6)
int bpmu_metrics_error(const struct bpmu_metrics *metrics, unsigned int file,
		       unsigned int offset, struct bpmu_error *err,
		       const char *fmt, ...);
void bpmu_metrics_free(struct bpmu_metrics *metrics);

#endif /* BPMU_METRIC_H */
