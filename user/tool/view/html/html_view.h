/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a page shows, as JSON: views of one recording, and "roofline", which has views
 * with Memory_Traffic and a rate of work, and ceilings or null; or "recordings", of each
 * the name, about, and topdown and ipc, views of one interval. A view is an object:
 *
 *   title, rows (labels), begin, end (seconds of each interval), lost (samples
 *   in each), flaws (words of what they said in each), groups (of each the name and in each interval the part of the time
 *   that it was on the counters), worst (id of the node that the
 *   verdict names, or -1), verdict (its text), nodes
 *
 * and a node has name, level, parent, unit, share, text, next, source, value,
 * half (of the 95 % interval; "inf" for unknown), flagged, flags, errata (names);
 * in each interval v and u, the same over time; of each row r, value and half, and
 * c, value in each interval. What has no value is null.
 */
#ifndef BPMU_HTML_VIEW_H
#define BPMU_HTML_VIEW_H

#include <jansson.h>

#include "replay/report_replay.h"
#include "source/machine.h"
#include "source/measure.h"
#include "source/target.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

/**
 * struct bpmu_html - a page being made
 * @replay: what is read
 * @target: what it was measured on
 * @machine: what that is
 * @errata: which it has
 * @interval_ns: of what is drawn over time; 0 if nothing is
 */
struct bpmu_html {
	struct bpmu_replay *replay;
	struct bpmu_target target;
	struct bpmu_machine machine;
	struct bpmu_errata_cpu errata;
	u64 interval_ns;
};

/**
 * struct bpmu_html_axis - what is known of each interval besides counts
 * @begin: array of seconds
 * @end: the same
 * @lost: array of samples
 * @flaws: array of words
 * @groups: array of objects
 */
struct bpmu_html_axis {
	json_t *begin;
	json_t *end;
	json_t *lost;
	json_t *flaws;
	json_t *groups;
};

typedef void bpmu_html_emit(void *data, const struct bpmu_interval *interval);

json_t *bpmu_html_number(double number);
json_t *bpmu_html_half(double half);
int bpmu_html_no_memory(struct bpmu_error *err);
int bpmu_html_has(const struct bpmu_html *html, const struct bpmu_groups *groups,
		  struct bpmu_error *err);
int bpmu_html_run(struct bpmu_html *html, const struct bpmu_groups *groups,
		  u64 interval_ns, bpmu_html_emit *emit, void *data,
		  struct bpmu_error *err);

int bpmu_html_axis_begin(struct bpmu_html_axis *axis, json_t *view,
			 const struct bpmu_groups *groups,
			 struct bpmu_error *err);
void bpmu_html_axis_add(struct bpmu_html_axis *axis,
			const struct bpmu_groups *groups,
			const struct bpmu_interval *interval,
			unsigned int nr_cpus);

json_t *bpmu_html_group(const struct bpmu_group *group);

json_t *bpmu_html_node(const struct bpmu_metric *metric);
int bpmu_html_node_add(json_t *nodes, json_t *node, unsigned int id,
		       unsigned int rows, struct bpmu_error *err);
void bpmu_html_node_errata(json_t *node, const struct bpmu_errata *errata);
void bpmu_html_node_row(json_t *node, json_t *value, json_t *half);
void bpmu_html_node_point(json_t *node, json_t *value, json_t *half);
void bpmu_html_node_cell(json_t *node, unsigned int row, json_t *value);

json_t *bpmu_html_about(const struct bpmu_html *html);
int bpmu_html_tree(struct bpmu_html *html, struct bpmu_tree_wish *wish,
		   json_t **view, struct bpmu_error *err);
int bpmu_html_stack(struct bpmu_html *html, json_t **stack,
		    struct bpmu_error *err);
int bpmu_html_phi(struct bpmu_html *html, json_t **view,
		  struct bpmu_error *err);
int bpmu_html_events(struct bpmu_html *html, json_t **view,
		     struct bpmu_error *err);

#endif /* BPMU_HTML_VIEW_H */
