/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event and metric files as Intel publishes them: {"Events": [...]} and
 * {"Metrics": [...]} in JSON, and mapfile.csv, which says what belongs to which
 * CPU.
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
#define BPMU_VENDOR_WHY 256

struct bpmu_json_at;

/**
 * enum bpmu_refusal - why an event cannot be counted
 * @BPMU_REFUSAL_NONE: it can
 * @BPMU_REFUSAL_UNIT: it is of a unit without counters that we program
 * @BPMU_REFUSAL_MSR: it needs one more register
 * @BPMU_REFUSAL_PEBS: only samples of the hardware make sense
 * @BPMU_REFUSAL_ALONE: no other event may be counted at the same time
 * @BPMU_REFUSAL_FILTER: it needs a filter that the part lacks
 */
enum bpmu_refusal {
	BPMU_REFUSAL_NONE,
	BPMU_REFUSAL_UNIT,
	BPMU_REFUSAL_MSR,
	BPMU_REFUSAL_PEBS,
	BPMU_REFUSAL_ALONE,
	BPMU_REFUSAL_FILTER
};

/**
 * struct bpmu_vendor_event - an event of a file
 * @row: as one of the part's; only its name and text if it is refused
 * @refusal: &enum bpmu_refusal
 * @detail: the unit, the register or the filter that it is refused for
 * @file: number of the file it comes from
 */
struct bpmu_vendor_event {
	struct bpmu_event row;
	u8 refusal;
	const char *detail;
	size_t file;
};

/**
 * struct bpmu_vendor_note - additional properties of a metric file's metric
 * @group: groups that it belongs to, with semicolons, or ""
 * @why: reason why it cannot be measured here, to be freed, or NULL if it can
 * @computable: its formula can be evaluated, even if its events cannot be
 *	counted
 * @given: all of its events were counted by another tool
 * @threshold: reason why its threshold is not used, to be freed, or NULL
 */
struct bpmu_vendor_note {
	const char *group;
	char *why;
	bool computable;
	bool given;
	char *threshold;
};

/**
 * struct bpmu_vendor_set - contents of the loaded files
 * @part: part of the files; @own once something was loaded
 * @own: a copy of the part's descriptor that has the events of @row
 * @loaded: these events
 * @cpu: CPU to look up in mapfile.csv; with vendor 0 any model of @part
 * @stepping: stepping of that CPU
 * @native: native model of its cores, if it is a hybrid one
 * @files: array of all files, which own the texts
 * @event: events of the files, [@nr_events]
 * @nr_events: number of events
 * @room: capacity of @event
 * @row: events of the part and those of @event that can be counted, sorted by
 *	name
 * @nr_rows: number of rows
 * @event_names: number of each name in @event
 * @metrics: metrics; names in their expressions are events as in event.h and
 *	what bpmu_metric_constant() knows; in their flags they are metrics
 * @note: notes, [nr metrics]
 * @metric_names: number of each metric
 * @latency: mean retire latency of events, in cycles
 * @given: the counts are given, not measured: names of events are kept as they are
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
int bpmu_vendor_add_metrics(struct bpmu_vendor_set *v, const char *file,
			    const json_t *metrics, struct bpmu_error *err);

/**
 * struct bpmu_vendor_files - names of files
 * @name: the names, each to be freed
 * @nr: number of files
 * @searched: they were found, not named, so that others may be among them
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
