/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Alerts: conditions on metrics that must hold for some time.
 *
 *   NAME OP NUMBER [for TIME]        Backend_Bound > 60% for 5s
 *
 * OP is > >= < or <=. NUMBER may have a %. An alert is raised when its condition has held in all
 * intervals of the last TIME. It is raised again only after the condition was false. In an interval
 * without a value the condition is false.
 */
#ifndef BPMU_ALERT_H
#define BPMU_ALERT_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"

/**
 * struct bpmu_alert - an alert: a condition on a metric, such as "Backend_Bound > 60% for 5s"
 * @text: text as given on the command line
 * @name: name of the metric
 * @op: a comparison of &enum bpmu_expr_op
 * @bound: value that the metric is compared with
 * @for_ns: time in ns for which the condition must hold; 0 if one interval is enough
 * @holds: whether the condition was true in the latest interval
 * @raised: whether the alert has been raised since the condition last became true
 * @since: time at which the condition last became true, in seconds since the run began
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
 * @alert: the alerts, [@nr]
 * @nr: number of alerts
 * @command: shell command to run when an alert is raised; NULL: an alert ends the run
 * @stop: output: an alert was raised, and the run must end
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
