/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of an HTML page, as JSON. The page of a recording has views, and "roofline": an object
 * with the ceilings or null, a view of Memory_Traffic and the FLOP rate, and a view of
 * Memory_Traffic and the uop rate. If two core types were recorded, the page has the array "types"
 * instead, in which each core type has an element with these members. The page of a comparison has
 * the array "recordings", in which each core type of each recording has an element with name,
 * about, and the views topdown and ipc. The only interval of these two views is the whole time.
 * A view is an object:
 *
 *   rows         labels, [rows]
 *   begin, end   seconds, [intervals]
 *   lost         lost samples, [intervals]
 *   flaws        flags of the samples, [intervals]
 *   groups       [groups], each with uncore, events (names) and running: running time
 *                divided by enabled time, [intervals]
 *   worst        id of the node to which the verdict points, or -1
 *   verdict      text of the verdict
 *   nodes        [nodes]
 *
 * A node has
 *
 *   name, level, parent, unit, share, text, next, source, errata (names)
 *   value, half  over the whole time; half is the half-width of the 95 % interval,
 *                "inf" if it is unknown
 *   flagged, flags
 *   v, u         value and half, [intervals]
 *   r            value and half, [rows]
 *   c            value, [rows][intervals]
 *
 * A missing value is null.
 */
#ifndef BPMU_HTML_VIEW_H
#define BPMU_HTML_VIEW_H

#include <jansson.h>

#include "replay/report_replay.h"
#include "source/analysis.h"
#include "source/measure.h"
#include "tree/tree.h"

/**
 * struct bpmu_html_made - a part of the page (view) whose counts are still to be read
 * @view: the view
 * @free: frees @view
 */
struct bpmu_html_made {
	void *view;
	void (*free)(void *view);
};

/**
 * struct bpmu_html - an HTML page that is being made
 * @replay: the recording
 * @type: the recorded CPUs of one core type that the user chose, and the metrics that the user
 *	requested
 * @beside: true if the recording also has another core type, which may have events that this core
 *	type (@type) lacks
 * @interval_ns: interval of the plots over time in ns; 0 if there are none
 * @made: parts of the page (views) to be filled by bpmu_html_read(), [@nr_made]
 * @nr_made: number of views
 * @wanted: the counts that views need, each as parameters to read them from the recording,
 *	[@nr_wanted]
 * @nr_wanted: number of elements of @wanted
 */
struct bpmu_html {
	struct bpmu_replay *replay;
	struct bpmu_core_type *type;
	bool beside;
	u64 interval_ns;
	struct bpmu_html_made *made;
	unsigned int nr_made;
	struct bpmu_measure *wanted;
	unsigned int nr_wanted;
};

/**
 * struct bpmu_html_axis - arrays of a view with an element per interval; nodes have further ones
 * @begin: seconds, [intervals]
 * @end: seconds, [intervals]
 * @lost: lost samples, [intervals]
 * @flaws: flags as text, [intervals]
 * @groups: objects with an array over time, [groups]
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
int bpmu_html_count(struct bpmu_html *html, const struct bpmu_groups *groups,
		    u64 interval_ns, bpmu_html_emit *emit, void *view,
		   struct bpmu_error *err);
int bpmu_html_keep(struct bpmu_html *html, void *view, void (*free)(void *view),
		   struct bpmu_error *err);
int bpmu_html_read(struct bpmu_html *html, struct bpmu_error *err);
void bpmu_html_free(struct bpmu_html *html);

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

int bpmu_html_tree(struct bpmu_html *html, struct bpmu_tree_wish *wish,
		   u64 interval_ns, json_t **view, struct bpmu_error *err);
int bpmu_html_stack(struct bpmu_html *html, json_t **stack,
		    struct bpmu_error *err);
int bpmu_html_phi(struct bpmu_html *html, json_t **view,
		  struct bpmu_error *err);
int bpmu_html_events(struct bpmu_html *html, json_t **view,
		     struct bpmu_error *err);

#endif /* BPMU_HTML_VIEW_H */
