// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "metric_check.h"
#include "metric_expr.h"

static bool names_missing(const struct bpmu_metrics *metrics,
			  const struct bpmu_expr *expr, const bool *missing)
{
	int i;

	if (!expr)
		return false;
	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? !strcmp(expr->name, "none") : missing[i];
	}
	for (i = 0; i < BPMU_EXPR_ARGS; i++)
		if (names_missing(metrics, expr->arg[i], missing))
			return true;
	return false;
}

/* what needs "none", and what hangs below such a node */
static void find_missing(const struct bpmu_metrics *metrics, bool *missing)
{
	const struct bpmu_metric *m;
	bool found = true;
	unsigned int i;

	while (found) {
		found = false;
		for (i = 0; i < metrics->nr; i++) {
			m = &metrics->metric[i];
			if (missing[i] ||
			    !((m->parent >= 0 && missing[m->parent]) ||
			      names_missing(metrics, m->expr, missing)))
				continue;
			missing[i] = true;
			found = true;
		}
	}
}

/**
 * bpmu_metrics_drop_missing() - leave out what a part cannot count
 * @metrics: checked for circles
 * @err: set on failure
 *
 * Lines that need "none", and the nodes below them. What is left keeps its
 * order.
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int bpmu_metrics_drop_missing(struct bpmu_metrics *metrics,
			      struct bpmu_error *err)
{
	struct bpmu_metric *all = metrics->metric;
	bool *missing = calloc(metrics->nr + 1, sizeof(*missing));
	struct bpmu_metrics dropped = {
		.metric = calloc(metrics->nr + 1, sizeof(*all)),
	};
	unsigned int nr = metrics->nr;
	unsigned int i;
	int parent;

	if (!missing || !dropped.metric) {
		free(missing);
		free(dropped.metric);
		return bpmu_error_set(err, -ENOMEM,
				      "metrics: no memory; free some");
	}
	find_missing(metrics, missing);
	metrics->nr = 0;
	for (i = 0; i < nr; i++) {
		if (missing[i]) {
			dropped.metric[dropped.nr++] = all[i];
			continue;
		}
		for (parent = all[i].parent; parent > 0; parent--)
			all[i].parent -= missing[parent - 1];
		all[metrics->nr++] = all[i];
	}
	bpmu_metrics_free(&dropped);
	free(missing);
	return 0;
}
