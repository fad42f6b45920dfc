/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Alerts: what a metric must not do for some time.
 *
 *   NAME OP NUMBER [for TIME]        Backend_Bound > 60% for 5s
 *
 * OP is > >= < or <=. NUMBER may have a %. An alert is raised when it holds in
 * all intervals of the last TIME, once until it no longer holds. An interval
 * without a value ends it.
 */
#ifndef BPMU_ALERT_H
#define BPMU_ALERT_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"

/**
 * struct bpmu_alert - one of them
 * @text: as written
 * @name: of the metric
 * @op: one of the comparisons of &enum bpmu_expr_op
 * @bound: with what it is compared
 * @for_ns: how long it has to hold, 0 for one interval
 * @holds: it held in the interval that was seen last
 * @raised: and has been raised
 * @since: second of the run at which it began to hold
 */
struct bpmu_alert {
	char *text;
	char *name;
	enum bpmu_expr_op op;
	double bound;
	u64 for_ns;
	bool holds;
	bool raised;
	double since;
};

/**
 * struct bpmu_alerts - the alerts of a run
 * @alert: the alerts
 * @nr: their number
 * @command: to run when one is raised, NULL to end the run
 * @stop: the run is to end
 */
struct bpmu_alerts {
	struct bpmu_alert *alert;
	unsigned int nr;
	const char *command;
	bool stop;
};

int bpmu_alerts_add(struct bpmu_alerts *alerts, const char *text,
		    struct bpmu_error *err);
int bpmu_alerts_check(const struct bpmu_alerts *alerts, u64 interval_ns,
		      struct bpmu_error *err);
int bpmu_alerts_know(const struct bpmu_alerts *alerts,
		     const struct bpmu_metrics *metrics, unsigned int level,
		     struct bpmu_error *err);
void bpmu_alerts_see(struct bpmu_alerts *alerts, bpmu_lookup_fn *lookup,
		     void *ctx, double seconds, double duration);
void bpmu_alerts_free(struct bpmu_alerts *alerts);

#endif /* BPMU_ALERT_H */
