/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a method (set of metrics), and which of them must be counted at the same time.
 *
 * Counts that are added, subtracted or divided by each other must be counted at the same time.
 * Their events form a bundle, which is counted in one group. A ratio of two counts, unlike a count,
 * does not grow with the time of counting: its degree in the counts is 0, and the degree of a count
 * is 1. A ratio may therefore be counted at another time than the value with which it is multiplied
 * or compared. Ratios that are added or subtracted should be counted at the same time, but need not
 * be: their events form a bundle that is only a wish.
 *
 * All events of a group are counted by one bank (set of counters that are read together), such as
 * the counters of the core. A bundle with events of several banks is split by bank, and a bundle
 * that does not fit on the counters is split into the summands of its formula. After a split each
 * count is divided by the clock of its group: the count that tells how long the group was counted.
 */
#ifndef BPMU_METRIC_NEEDS_H
#define BPMU_METRIC_NEEDS_H

#include "event/event.h"
#include "event/event_set.h"
#include "event/sched.h"
#include "metric.h"

/**
 * struct bpmu_bundle - events to count at the same time, in one group
 * @events: the events, with those of the clock (the count that tells how long a group was counted)
 *	if the counters have room for them
 * @bank: which kind of counters the events use, &enum bpmu_bank_id
 * @wish: true if the events should be counted at the same time, but need not be
 */
struct bpmu_bundle {
	struct bpmu_event_set events;
	int bank;
	bool wish;
};

/**
 * struct bpmu_needs_line - events of the formula of a metric or definition, once they are looked up
 * @events: all events that the formula needs
 * @must: those of @events that must be counted in one group
 * @degree: degree of the formula in the counts: 1 for a count, 0 for a ratio, 2 for a product
 * @has_events: true if @events is valid
 * @has_must: true if @must is valid
 * @has_degree: true if @degree is valid
 * @bundled: true if the sets of events to be counted in one group have been added to
 *	&bpmu_needs.bundle
 */
struct bpmu_needs_line {
	struct bpmu_event_set events;
	struct bpmu_event_set must;
	int degree;
	bool has_events;
	bool has_must;
	bool has_degree;
	bool bundled;
};

/**
 * struct bpmu_needs - events that a set of metrics needs, and which ones have to be in one group
 * @metrics: metrics and definitions of the method (lines of its files)
 * @pmu: PMU that counts the events
 * @rules: which counters events may not use, in all groups
 * @smt: true if hyper-threading is on
 * @apart: true if the counts come from another tool, so that no counters are needed
 * @given: with @apart: true to allow events that cannot be counted here
 * @counted: true if the counts are of groups that were counted already, so that no bundles are
 *	needed
 * @events: all events: first those of the clocks, then those of the lines from the top level down
 * @clock: [bank], index of the clock, the line whose value tells how long a group was counted, or
 *	-1
 * @clock_events: [bank], events of the line in @clock, to be counted in all groups of the bank
 * @line: [nr lines], what each line needs
 * @bundle: [@nr_bundles], bundles: sets of events to be counted in one group
 * @nr_bundles: number of bundles
 */
struct bpmu_needs {
	const struct bpmu_metrics *metrics;
	const struct bpmu_pmu *pmu;
	struct bpmu_sched_rules rules;
	int smt;
	bool apart;
	bool given;
	bool counted;
	struct bpmu_event_list events;
	int clock[BPMU_BANKS];
	struct bpmu_event_set clock_events[BPMU_BANKS];
	struct bpmu_needs_line *line;
	struct bpmu_bundle *bundle;
	unsigned int nr_bundles;
};

int bpmu_needs_begin(struct bpmu_needs *needs,
		     const struct bpmu_metrics *metrics,
		     const struct bpmu_pmu *pmu, int smt,
		     struct bpmu_error *err);
int bpmu_needs_add(struct bpmu_needs *needs, unsigned int line,
		   struct bpmu_error *err);
int bpmu_needs_beside(struct bpmu_needs *needs, const char *event,
		      struct bpmu_error *err);
void bpmu_needs_free(struct bpmu_needs *needs);

int bpmu_needs_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		  struct bpmu_event_set *events, struct bpmu_error *err);
int bpmu_needs_event(const struct bpmu_needs *needs, const char *name);
int bpmu_needs_bank(const struct bpmu_needs *needs, unsigned int event);
int bpmu_needs_degree(struct bpmu_needs *needs, const struct bpmu_expr *expr);
int bpmu_needs_assign(const struct bpmu_needs *needs,
		      const struct bpmu_event_set *events,
		      struct bpmu_error *err);

#endif /* BPMU_METRIC_NEEDS_H */
