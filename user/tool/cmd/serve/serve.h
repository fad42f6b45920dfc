/* SPDX-License-Identifier: GPL-2.0 */
/* A call of "barepmu serve": what it measures, what it keeps between intervals, and its pages. */
#ifndef BPMU_SERVE_H
#define BPMU_SERVE_H

#include <threads.h>
#include <time.h>

#include "source/attach.h"
#include "stat/stat.h"
#include "view/serve_http.h"

#define BPMU_SERVE_SERIES 10000

/**
 * struct bpmu_serve_event - an event on the page for Prometheus
 * @name: name of the event as the user requested it
 * @spec: the event as it is counted
 * @slots: in which event groups, and in which slots of them, the event is counted
 */
struct bpmu_serve_event {
	const char *name;
	const struct bpmu_event_spec *spec;
	struct bpmu_event_slots slots;
};

/**
 * struct bpmu_serve_count - count of an event since the start, on the CPUs of a row, such as a core
 * @labels: labels of the count's time series
 * @raw: the count, not scaled, and for how long it was counted, since the start
 * @shown: the count on the page: the maximum of @raw.count so far, because an OpenMetrics counter
 *	must not decrease
 */
struct bpmu_serve_count {
	char *labels;
	struct bpmu_raw raw;
	u64 shown;
};

/**
 * struct bpmu_serve_row - what the page shows of a row: one CPU, or the CPUs of a core or package
 * @labels: labels of the row's time series
 * @lost: number of samples lost since the start
 * @spent: TSC ticks in which the row's CPUs took samples
 * @enabled: TSC ticks in which the session counted on the row's CPUs
 * @offline: true if all CPUs of the row were offline in the latest interval
 */
struct bpmu_serve_row {
	char *labels;
	u64 lost;
	u64 spent;
	u64 enabled;
	bool offline;
};

/**
 * struct bpmu_serve_core_type - what the page for Prometheus shows of a core type
 * @stat: events, metrics and CPUs that are served
 * @event: events without duplicates, [@nr_events]
 * @nr_events: number of events
 * @values: values of the metrics in the latest interval, over all CPUs of the core type, [nr
 *	metrics]
 * @metric: labels of the time series of each metric, [nr metrics]
 * @row_values: values of the metrics on the CPUs of each row (a CPU, core or the like) in the
 *	latest interval, [rows][nr metrics]; NULL unless the user requested rows
 * @row_metric: labels of the time series of @row_values, [rows][nr metrics], or NULL
 * @labels: labels of the time series that are about the whole core type
 * @count: count of each event on the CPUs of each row, [@nr_events][rows]
 * @row: for the page, lost samples and times of each row, [rows]
 */
struct bpmu_serve_core_type {
	const struct bpmu_stat_view *stat;
	struct bpmu_serve_event *event;
	unsigned int nr_events;
	struct bpmu_tree_value *values;
	char **metric;
	struct bpmu_tree_value *row_values;
	char **row_metric;
	char *labels;
	struct bpmu_serve_count *count;
	struct bpmu_serve_row *row;
};

/**
 * struct bpmu_serve - options and state of "barepmu serve"
 * @stat: the measurement, with the options
 * @core_type: what the page shows of each core type, [@nr_core_types]
 * @nr_core_types: number of core types, set by bpmu_serve_prepare()
 * @address: address on which the server listens
 * @by_row: true if the user requested rows (one a CPU or core, for example): the page then has the
 *	metrics of each row, too
 * @attach: true if counts are read from the session of another process (--attach)
 * @beside: with @attach: the session of the other process
 * @max_series: maximum number of time series that the page may have
 * @lock: protects the members below and the counts in @core_type, which the measurement writes
 *	and the server's thread reads
 * @away: with @attach: true if the session of the other process has ended; its counts are then not
 *	on the page
 * @sessions: with @attach: number of sessions of the other process from which counts were read so
 *	far
 * @intervals: number of intervals so far
 * @disturbed: number of intervals in which other software or the firmware wrote counter registers
 * @prefetch: number of intervals in which prefetchers could not be set as requested
 * @failed: number of CPUs that could not be programmed or were offline, in the latest interval
 * @offline: how many of the CPUs counted in @failed were offline
 * @duration: length of the latest interval in seconds
 * @end: time at which the latest interval ended
 * @begin: time at which the measurement began
 * @pages: number of pages written for clients so far
 * @page_seconds: processor time in seconds spent on writing pages
 * @http: the server
 */
struct bpmu_serve {
	struct bpmu_stat stat;
	struct bpmu_serve_core_type core_type[BPMU_CORE_TYPES];
	unsigned int nr_core_types;
	struct bpmu_http_address address;
	bool by_row;
	bool attach;
	struct bpmu_attach beside;
	unsigned int max_series;
	mtx_t lock;
	bool away;
	u64 sessions;
	u64 intervals;
	u64 disturbed;
	u64 prefetch;
	unsigned int failed;
	unsigned int offline;
	double duration;
	struct timespec end;
	struct timespec begin;
	u64 pages;
	double page_seconds;
	struct bpmu_http *http;
};

int bpmu_serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err);
void bpmu_serve_interval(void *serve, const struct bpmu_interval *interval);
void bpmu_serve_raise(struct bpmu_serve_count *count);
void bpmu_serve_changed(void *serve, bool counts, const char *why);
void bpmu_serve_free(struct bpmu_serve *serve);

unsigned int bpmu_serve_series(const struct bpmu_serve *serve);
char *bpmu_serve_page(void *serve, bool open, size_t *len);
char *bpmu_serve_index(void *serve, size_t *len);

#endif /* BPMU_SERVE_H */
