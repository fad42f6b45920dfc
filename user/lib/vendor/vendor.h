/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the event files and metric files that Intel publishes in JSON: an array of objects under
 * the key "Events" or "Metrics". The file mapfile.csv lists the event and metric files of each CPU.
 */
#ifndef BPMU_VENDOR_H
#define BPMU_VENDOR_H

#include <jansson.h>
#include <stdbool.h>

#include "arch.h"
#include "base/error.h"
#include "events.h"
#include "metric/metric.h"

#define BPMU_VENDOR_NAME 128
#define BPMU_VENDOR_TEXT 256
#define BPMU_VENDOR_WHY 256

struct bpmu_json_at;

/**
 * enum bpmu_refusal - why an event of a vendor's file cannot be counted
 * @BPMU_REFUSAL_NONE: the event can be counted
 * @BPMU_REFUSAL_UNIT: the module does not know the counters of the event's uncore unit
 * @BPMU_REFUSAL_MSR: the event needs an extra register that the module does not program
 * @BPMU_REFUSAL_PEBS: the event can be sampled by PEBS, but not counted
 * @BPMU_REFUSAL_ALONE: the event must not be counted together with other events
 * @BPMU_REFUSAL_FILTER: the event needs a filter that the CPU model lacks
 * @BPMU_REFUSAL_MODULE: the event needs a field or filter that the module does not program
 * @BPMU_REFUSAL_FREERUN: only a free-running counter counts the event
 */
enum bpmu_refusal {
	BPMU_REFUSAL_NONE,
	BPMU_REFUSAL_UNIT,
	BPMU_REFUSAL_MSR,
	BPMU_REFUSAL_PEBS,
	BPMU_REFUSAL_ALONE,
	BPMU_REFUSAL_FILTER,
	BPMU_REFUSAL_MODULE,
	BPMU_REFUSAL_FREERUN
};

/**
 * struct bpmu_vendor_event - an event that was read from an event file of the vendor
 * @row: the event as it gets into the event table of the CPU model. If the event is refused, only
 *	the name and the description in @row are reliable
 * @refusal: why the event cannot be counted, &enum bpmu_refusal
 * @detail: name of the unit, register or filter because of which the event is refused; NULL if
 *	@refusal needs no name
 * @file: number of the file from which the event was read; files are numbered from 1 in the order
 *	of loading
 */
struct bpmu_vendor_event {
	struct bpmu_event row;
	u8 refusal;
	const char *detail;
	size_t file;
};

/**
 * struct bpmu_vendor_note - facts about a metric of the vendor besides the metric's formula
 * @group: groups of the metric, separated by semicolons, or ""
 * @why: why the metric cannot be measured on this CPU model, to be freed; NULL if it can be
 *	measured
 * @computable: the formula has no error, so that it can be evaluated with counts from another tool
 * @given: another tool has counted all events of the metric
 * @threshold: why the metric's threshold is not used, to be freed; NULL if it is used
 */
struct bpmu_vendor_note {
	const char *group;
	char *why;
	bool computable;
	bool given;
	char *threshold;
};

/**
 * struct bpmu_vendor_set - events and metrics of the vendor's files that were loaded
 * @part: descriptor of the CPU model whose files are loaded; points to @own as soon as a file was
 *	loaded
 * @own: a copy of the CPU model's descriptor, with the event table @row
 * @loaded: the event table @row in the form that the event parser takes
 * @cpu: CPU to look up in mapfile.csv; if its vendor is 0, all models of @part are looked up
 * @stepping: stepping of @cpu
 * @native: native model number of the cores (CPUID leaf 0x1A) if @cpu is hybrid, else 0
 * @files: JSON array of the contents of all files, which has the texts to which @event, @row,
 *	@metrics and @note point
 * @event: events of the files, [@nr_events]
 * @nr_events: number of events in @event
 * @room: number of events for which @event has memory
 * @row: event table: the tool's own events of the CPU model, and the events of @event that can be
 *	counted, sorted by name
 * @nr_rows: number of events in @row
 * @event_names: JSON object that maps the name of an event to the event's index in @event
 * @metrics: metrics of the files. A name in a formula is an event in the syntax of event.h, or a
 *	constant of bpmu_metric_constant(). A name in a threshold is a metric
 * @note: further facts about @metrics, [nr metrics]
 * @metric_names: JSON object that maps the name of a metric to the metric's index in @metrics
 * @latency: JSON object that maps the name of an event to its mean retire latency in cycles
 * @given: counts come from another tool, as for the command "eval". Events in formulas then keep
 *	the names that the file gives them, and are not translated to the tool's syntax
 */
struct bpmu_vendor_set {
	const struct bpmu_part *part;
	struct bpmu_part own;
	struct bpmu_events_loaded loaded;
	struct bpmu_cpu_id cpu;
	u8 stepping;
	u32 native;
	json_t *files;
	struct bpmu_vendor_event *event;
	size_t nr_events;
	size_t room;
	struct bpmu_event *row;
	size_t nr_rows;
	json_t *event_names;
	struct bpmu_metrics metrics;
	struct bpmu_vendor_note *note;
	json_t *metric_names;
	json_t *latency;
	bool given;
};

int bpmu_vendor_load(struct bpmu_vendor_set *v, const char *path,
		     const struct bpmu_part *part, struct bpmu_error *err);
void bpmu_vendor_free(struct bpmu_vendor_set *v);
void bpmu_vendor_this_cpu(struct bpmu_vendor_set *v);

int bpmu_vendor_add_event(struct bpmu_vendor_set *v,
			  const struct bpmu_json_at *at);
int bpmu_vendor_index(struct bpmu_vendor_set *v, struct bpmu_error *err);
const struct bpmu_event *bpmu_vendor_row(const struct bpmu_vendor_set *v,
					 const char *name);
const struct bpmu_vendor_event *
bpmu_vendor_refused(const struct bpmu_vendor_set *v, const char *name);
bool bpmu_vendor_known(const struct bpmu_vendor_set *v, const char *name);
void bpmu_vendor_why(const struct bpmu_vendor_event *event, char *why,
		     size_t size);

int bpmu_vendor_name(const struct bpmu_vendor_set *v, const char *name,
		     char *text, char *why);
int bpmu_vendor_expression(const struct bpmu_vendor_set *v, const char *name,
			   char *text);
int bpmu_vendor_add_metrics(struct bpmu_vendor_set *v, const char *file,
			    const json_t *metrics, struct bpmu_error *err);

/**
 * struct bpmu_vendor_files - names of the vendor's event and metric files to load
 * @name: names of the files, [@nr]; each name and the array are to be freed
 * @nr: number of files
 * @searched: true if the user has named a directory, in which some files can be for variants of the
 *	CPU, such as one with high-bandwidth memory; false if the user has named the file
 */
struct bpmu_vendor_files {
	char **name;
	size_t nr;
	bool searched;
};

int bpmu_vendor_files_find(struct bpmu_vendor_files *files,
			   const struct bpmu_vendor_set *v, const char *path,
			   struct bpmu_error *err);
void bpmu_vendor_files_free(struct bpmu_vendor_files *files);

#endif /* BPMU_VENDOR_H */
