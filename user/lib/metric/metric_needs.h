/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a method, and which of them must be counted at the same time.
 *
 * Counts that are added, subtracted or divided by each other must be of the same time. Their events
 * form a bundle, which is counted in one group. A ratio of counts does not depend on how long the
 * counts were taken. (As a formula in the counts it has degree 0, while a count has degree 1.) It
 * may therefore be of another time than the value with which it is multiplied or compared. Ratios
 * that are added or subtracted should be of the same time, but need not be. Their events form a
 * bundle that is only a wish.
 *
 * All events of a group are of one bank, such as the core or the uncore. A bundle with events of
 * several banks is split by bank, and a bundle that does not fit on the counters is split into the
 * summands of its formula. The counts of each part are divided by the clock of the part's group.
 */
#ifndef BPMU_METRIC_NEEDS_H
#define BPMU_METRIC_NEEDS_H

#include "event/event.h"
#include "event/event_set.h"
#include "event/sched.h"
#include "metric.h"

/**
 * struct bpmu_bundle - events to count at the same time
 * @events: the events, including those of the clock if the counters have room for them
 * @bank: &enum bpmu_bank_id
 * @wish: the events should be counted at the same time, but need not be
 */
struct bpmu_bundle {
	struct bpmu_event_set events;
	int bank;
	bool wish;
};

/**
 * struct bpmu_needs_line - what is known of the events that a line needs
 * @events: all events that the formula of the line needs
 * @must: events of the line that must be counted in one group
 * @degree: degree of the formula in the counts: 1 for a count, 0 for a ratio, 2 for a product
 * @has_events: @events is valid
 * @has_must: @must is valid
 * @has_degree: @degree is valid
 * @bundled: the bundles of the line have been added
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
 * struct bpmu_needs - events that a method needs, and bundles that groups must hold
 * @metrics: lines of the method
 * @pmu: PMU that counts the events
 * @rules: constraints of all groups, besides those of the PMU
 * @smt: hyper-threading is on
 * @apart: the counts come from another tool, so that no counters are needed
 * @given: with @apart: events that cannot be counted here are allowed
 * @counted: the counts are from groups that were counted already, so that no bundles are needed
 * @events: all events: first those of the clocks, then those of the lines from the top level down
 * @clock: [bank], index of the line that is the clock, or -1
 * @clock_events: [bank], events of the line in @clock, to be counted in all groups of the bank
 * @line: [nr lines], what each line needs
 * @bundle: [@nr_bundles], bundles
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
