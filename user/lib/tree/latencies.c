// SPDX-License-Identifier: GPL-2.0
#include "latencies.h"

#include <stdlib.h>

/**
 * struct reading - a walk through formulas: from each to the lines that it names
 * @metrics: lines of metric files
 * @read: whether the formula of the line was read, [lines]
 */
struct reading {
	const struct bpmu_metrics *metrics;
	bool *read;
};

static void read_expr(const struct reading *reading, const struct bpmu_expr *expr)
{
	int line = expr->op == BPMU_EXPR_NAME ? bpmu_metrics_find(reading->metrics, expr->name) :
						-1;
	unsigned int i;

	if (line >= 0 && !reading->read[line]) {
		reading->read[line] = true;
		read_expr(reading, reading->metrics->metric[line].expr);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		read_expr(reading, expr->arg[i]);
}

/**
 * bpmu_tree_latencies() - find the events whose mean retire latency the formulas of a tree need
 * @tree: tree; formulas of nodes that are not shown are left out
 * @events: set to the names of the events in upper case, which belong to the tree's metrics,
 *	[@nr]; the caller frees the array
 * @nr: set to the number of events; 0 if the CPU model's method has no such latencies
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_tree_latencies(const struct bpmu_tree *tree, const char ***events, unsigned int *nr,
			struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = &tree->metrics;
	struct reading reading = { metrics, calloc(metrics->nr + 1, sizeof(*reading.read)) };
	const char *event;
	unsigned int i;

	*nr = 0;
	*events = calloc(metrics->nr + 1, sizeof(**events));
	if (!*events || !reading.read) {
		free(reading.read);
		free(*events);
		*events = NULL;
		return bpmu_error_no_memory(err, "retire latencies");
	}
	for (i = 0; i < metrics->nr; i++) {
		if (!tree->shown[i])
			continue;
		read_expr(&reading, metrics->metric[i].expr);
		if (metrics->metric[i].flag)
			read_expr(&reading, metrics->metric[i].flag);
	}
	for (i = 0; i < metrics->nr; i++) {
		event = bpmu_metric_latency_event(&metrics->metric[i]);
		if (event && reading.read[i])
			(*events)[(*nr)++] = event;
	}
	free(reading.read);
	return 0;
}
