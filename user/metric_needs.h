/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events a method needs, and which of them at the same time.
 *
 * Events whose counts are added, subtracted or divided by each other only mean
 * something when counted at the same time: they form a bundle. A share (a
 * formula in which the counts cancel out, such as one count divided by
 * another) may be multiplied with a share of another time. Shares that are
 * added or subtracted are better, but not necessarily, counted at the same
 * time: such a bundle is a wish.
 */
#ifndef BPMU_METRIC_NEEDS_H
#define BPMU_METRIC_NEEDS_H

#include "event.h"
#include "metric.h"

#define BPMU_NEEDS_EVENTS 64
#define BPMU_NEEDS_BUNDLES 128

/**
 * struct bpmu_bundle - events to be counted at the same time
 * @events: one bit per event of &struct bpmu_needs.events
 * @wish: it is no error if they are not
 */
struct bpmu_bundle {
	u64 events;
	bool wish;
};

/**
 * struct bpmu_needs - what a method needs
 * @metrics: its lines
 * @pmu: as found
 * @smt: whether threads share a core
 * @events: all events, those of upper levels first
 * @clock: events of the unit of time, to be counted in all groups
 * @bundle: which events belong together
 * @nr_bundles: their number
 */
struct bpmu_needs {
	const struct bpmu_metrics *metrics;
	const struct bpmu_pmu *pmu;
	int smt;
	struct bpmu_event_list events;
	u64 clock;
	struct bpmu_bundle bundle[BPMU_NEEDS_BUNDLES];
	unsigned int nr_bundles;
};

int bpmu_needs_init(struct bpmu_needs *needs, const struct bpmu_metrics *metrics,
		    const struct bpmu_pmu *pmu, int smt, unsigned int level,
		    struct bpmu_error *err);
int bpmu_needs_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		  u64 *events, struct bpmu_error *err);
void bpmu_needs_free(struct bpmu_needs *needs);

#endif /* BPMU_METRIC_NEEDS_H */
