/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu serve" keeps between intervals and puts on its page.
 */
#ifndef BPMU_SERVE_H
#define BPMU_SERVE_H

#include <threads.h>
#include <time.h>

#include "source/attach.h"
#include "stat/stat.h"
#include "view/serve_http.h"

#define BPMU_SERVE_SERIES 10000

/**
 * struct bpmu_serve_event - an event on the page
 * @name: as it was asked for
 * @spec: what is counted for it
 */
struct bpmu_serve_event {
	const char *name;
	const struct bpmu_event_spec *spec;
};

/**
 * struct bpmu_serve_count - an event in a row
 * @labels: of its series
 * @raw: since the start
 * @shown: the most that @raw.count has been: a counter never falls
 */
struct bpmu_serve_count {
	char *labels;
	struct bpmu_raw raw;
	u64 shown;
};

/**
 * struct bpmu_serve_row - a row, that is a CPU or several
 * @labels: of its series
 * @lost: samples since the start
 * @spent: TSC ticks spent in taking samples
 * @enabled: TSC ticks of the session
 */
struct bpmu_serve_row {
	char *labels;
	u64 lost;
	u64 spent;
	u64 enabled;
};

/**
 * struct bpmu_serve_kind - CPUs of a kind
 * @stat: events and metrics, and on what they are measured
 * @event: each event once
 * @nr_events: their number
 * @tree_counts: of each group of the tree, over all CPUs of the kind
 * @values: of the tree, in the latest interval
 * @metric: labels of the line's time series, [nr lines]
 * @labels: of series of the part
 * @count: at [event * rows + row]
 * @row: the rows
 */
struct bpmu_serve_kind {
	struct bpmu_stat *stat;
	struct bpmu_serve_event *event;
	unsigned int nr_events;
	double *tree_counts[BPMU_TREE_GROUPS];
	struct bpmu_tree_value *values;
	char **metric;
	char *labels;
	struct bpmu_serve_count *count;
	struct bpmu_serve_row *row;
};

/**
 * struct bpmu_serve - a call of the command
 * @stat: what is measured on each kind of CPUs; the first has the options of the call
 * @kind: of CPUs
 * @nr_kinds: how many are measured, known by bpmu_serve_prepare()
 * @address: where to listen
 * @attach: read beside a session of somebody else
 * @beside: this one, if so
 * @max_series: refuse more than these
 * @lock: of all that follows and of what @kind has counted; the server's thread
 *	reads what the measurement writes
 * @away: the session that was read has ended: what it counted is left out
 * @sessions: that were read
 * @intervals: so far
 * @disturbed: intervals in which a register was written by someone else
 * @prefetch: intervals in which prefetchers were not as was asked for
 * @failed: CPUs that could not be programmed, in the latest interval
 * @duration: seconds of the latest interval
 * @end: when it ended
 * @begin: when the measurement began
 * @pages: made so far
 * @page_seconds: processor time that took
 * @http: the server
 */
struct bpmu_serve {
	struct bpmu_stat stat[BPMU_KINDS];
	struct bpmu_serve_kind kind[BPMU_KINDS];
	unsigned int nr_kinds;
	struct bpmu_http_address address;
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
	double duration;
	struct timespec end;
	struct timespec begin;
	u64 pages;
	double page_seconds;
	struct bpmu_http *http;
};

int bpmu_serve_kind_find_events(struct bpmu_serve_kind *kind, struct bpmu_error *err);
int bpmu_serve_kind_prepare(struct bpmu_serve_kind *kind,
			    struct bpmu_error *err);
void bpmu_serve_raise(struct bpmu_serve_count *count);
void bpmu_serve_kind_add(struct bpmu_serve_kind *kind,
			 const struct bpmu_interval *interval);
void bpmu_serve_kind_free(struct bpmu_serve_kind *kind);

int bpmu_serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err);
void bpmu_serve_interval(void *serve, const struct bpmu_interval *interval);
void bpmu_serve_changed(void *serve, bool counts, const char *why);
void bpmu_serve_free(struct bpmu_serve *serve);

unsigned int bpmu_serve_series(const struct bpmu_serve *serve);
char *bpmu_serve_page(void *serve, bool open, size_t *len);

#endif /* BPMU_SERVE_H */
