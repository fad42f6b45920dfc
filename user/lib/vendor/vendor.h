/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the files of events and metrics that Intel publishes: {"Events": [...]} and
 * {"Metrics": [...]} in JSON, and mapfile.csv, which lists the files of each CPU.
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
 * @BPMU_REFUSAL_UNIT: the module has no counter bank for the event's uncore unit
 * @BPMU_REFUSAL_MSR: the event needs an extra register that the module does not program
 * @BPMU_REFUSAL_PEBS: the event has a meaning in PEBS records only
 * @BPMU_REFUSAL_ALONE: the event must not be counted together with other events
 * @BPMU_REFUSAL_FILTER: the event needs a filter that the part lacks
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
 * struct bpmu_vendor_event - an event of a vendor's file
 * @row: the event in the form of the part's event table; if the event is refused, only its name and
 * description are set
 * @refusal: &enum bpmu_refusal
 * @detail: name of the unit, register or filter that is the reason of @refusal
 * @file: index of the file that has the event, in the order of loading
 */
struct bpmu_vendor_event {
	struct bpmu_event row;
	u8 refusal;
	const char *detail;
	size_t file;
};

/**
 * struct bpmu_vendor_note - note on a metric of a vendor's file: its groups, and what cannot be
 * done
 * @group: groups of the metric, separated by semicolons, or ""
 * @why: why the metric cannot be measured on this part, allocated; NULL if it can be measured
 * @computable: true if the formula can be evaluated, even if its events cannot be
 * counted
 * @given: true if counts come from another tool, which has counted all events of the metric
 * @threshold: why the metric's threshold is not used, allocated; NULL if it is used
 */
struct bpmu_vendor_note {
	const char *group;
	char *why;
	bool computable;
	bool given;
	char *threshold;
};

/**
 * struct bpmu_vendor_set - contents of the loaded files of a vendor
 * @part: part whose files are loaded; points to @own after the first file was loaded
 * @own: copy of the part's descriptor, with the events in @row
 * @loaded: events of the loaded files
 * @cpu: CPU to look up in mapfile.csv; with vendor 0 any model of @part
 * @stepping: stepping of @cpu
 * @native: native model of the cores of @cpu if it is hybrid, else 0
 * @files: array of the JSON of all files, to which all texts belong
 * @event: events of the files, [@nr_events]
 * @nr_events: number of events
 * @room: number of events for which @event has memory
 * @row: table of the part's events and of those in @event that can be counted, sorted by name
 * @nr_rows: number of rows of this table
 * @event_names: JSON object with the index in @event under each event's name
 * @metrics: metrics of the files. A name in a formula is an event as in event.h, or a constant that
 * bpmu_metric_constant() knows; a name in the condition of a flag is a metric
 * @note: notes on @metrics, [nr metrics]
 * @metric_names: JSON object with the index in @metrics under each metric's name
 * @latency: JSON object with the mean retire latency of events, in cycles
 * @given: true if counts come from another tool, as for the subcommand eval. Events in formulas
 * then keep their names in the file, in place of the tool's syntax
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
 * struct bpmu_vendor_files - names of a vendor's files that are to be loaded
 * @name: the names, each allocated, [@nr]
 * @nr: number of files
 * @searched: true if the files were found in a directory, not named by the user, so that files for
 * variants of the CPU may be among them
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
