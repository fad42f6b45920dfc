/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events a method needs, and which of them at the same time.
 *
 * Events whose counts are added, subtracted or divided by each other only mean
 * something when counted at the same time: they form a bundle. A share (a
 * formula in which the counts cancel out, such as one count divided by
 * another) may come from another time than what it is multiplied with or
 * compared to. Shares that are added or subtracted are better, but not
 * necessarily, counted at the same time: such a bundle is a wish.
 *
 * A group is of one side, such as the core or the uncore. A bundle of several
 * falls into these parts, and one that does not fit on the counters into its summands; each part
 * is then taken per clock of its own group.
 */
#ifndef BPMU_METRIC_NEEDS_H
#define BPMU_METRIC_NEEDS_H

#include "event/event.h"
#include "event/event_set.h"
#include "event/sched.h"
#include "metric.h"

/**
 * struct bpmu_bundle - events to be counted at the same time
 * @events: the events, with the clock's unless they only fit without it
 * @side: &enum bpmu_side
 * @wish: it is no error if they are not
 */
struct bpmu_bundle {
	struct bpmu_event_set events;
	int side;
	bool wish;
};

/**
 * struct bpmu_needs_line - events of a line
 * @events: all events of the line
 * @must: those that must be counted in the same group
 * @degree: power of a count in it: 1 a count, 0 a share
 * @has_events: @events is known
 * @has_must: @must is known
 * @has_degree: @degree is known
 * @bundled: its bundles are there
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
 * struct bpmu_needs - events that a method needs, and rules for groups
 * @metrics: lines of the method
 * @pmu: PMU of the machine
 * @rules: further rules for groups
 * @smt: whether threads share a core
 * @apart: all events are counted by others, no counters are needed
 * @given: with @apart, also events that cannot be counted here
 * @events: all events, the clocks first, then those of upper levels
 * @clock: line that is the unit of time, or -1, [side]
 * @clock_events: events of these lines, to be counted in all groups
 * @line: events of each line, [nr lines]
 * @bundle: sets of events that must be in the same group, [@nr_bundles]
 * @nr_bundles: number of bundles
 */
struct bpmu_needs {
	const struct bpmu_metrics *metrics;
	const struct bpmu_pmu *pmu;
	struct bpmu_sched_rules rules;
	int smt;
	bool apart;
	bool given;
	struct bpmu_event_list events;
	int clock[BPMU_NR_SIDES];
	struct bpmu_event_set clock_events[BPMU_NR_SIDES];
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
void bpmu_needs_free(struct bpmu_needs *needs);

int bpmu_needs_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		  struct bpmu_event_set *events, struct bpmu_error *err);
int bpmu_needs_event(const struct bpmu_needs *needs, const char *name);
int bpmu_needs_side(const struct bpmu_needs *needs, unsigned int event);
int bpmu_needs_degree(struct bpmu_needs *needs, const struct bpmu_expr *expr);
int bpmu_needs_assign(const struct bpmu_needs *needs,
		      const struct bpmu_event_set *events,
		      struct bpmu_error *err);

#endif /* BPMU_METRIC_NEEDS_H */
