// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "metric_expr.h"

static const struct bpmu_metric_file *find_file(const char *name)
{
	const struct bpmu_metric_file *file;

	for (file = bpmu_metric_files; file->name; file++)
		if (!strcmp(file->name, name))
			return file;
	return NULL;
}

static int visit(const struct bpmu_metrics *metrics, unsigned int i,
		 char *state, struct bpmu_error *err);

static int visit_names(const struct bpmu_metrics *metrics,
		       const struct bpmu_expr *expr, char *state,
		       struct bpmu_error *err)
{
	int ret = 0;
	int i;

	if (!expr)
		return 0;
	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? 0 : visit(metrics, i, state, err);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && !ret; i++)
		ret = visit_names(metrics, expr->arg[i], state, err);
	return ret;
}

/* depth first: state is 0 before, 1 while, 2 after the visit */
static int visit(const struct bpmu_metrics *metrics, unsigned int i,
		 char *state, struct bpmu_error *err)
{
	int ret;

	if (state[i] == 2)
		return 0;
	if (state[i] == 1)
		return bpmu_error_set(err, -ELOOP,
				      "metric '%s': is defined by itself; break the circle",
				      metrics->metric[i].name);
	state[i] = 1;
	ret = visit_names(metrics, metrics->metric[i].expr, state, err);
	state[i] = 2;
	return ret;
}

static int check_circles(const struct bpmu_metrics *metrics,
			 struct bpmu_error *err)
{
	char *state = calloc(metrics->nr + 1, 1);
	unsigned int i;
	int ret = 0;

	if (!state)
		return bpmu_error_set(err, -ENOMEM,
				      "metrics: no memory; free some");
	for (i = 0; i < metrics->nr && !ret; i++)
		ret = visit(metrics, i, state, err);
	free(state);
	return ret;
}

/**
 * bpmu_metrics_builtin() - a method on a part, from the files in the tool
 * @metrics: filled in; to be freed in any case
 * @method: "topdown"
 * @part: descriptor
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOENT if there is no such method for this part, or the error of
 * bpmu_metrics_parse(), -ELOOP if a line is defined by itself.
 */
int bpmu_metrics_builtin(struct bpmu_metrics *metrics, const char *method,
			 const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_metric_file *generic;
	const struct bpmu_metric_file *own;
	char name[64];
	int ret;

	memset(metrics, 0, sizeof(*metrics));
	snprintf(name, sizeof(name), "%s.bpm", method);
	generic = find_file(name);
	snprintf(name, sizeof(name), "%s-%s.bpm", method, part->name);
	own = find_file(name);
	if (!generic || !own)
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': not available on %s; see 'barepmu list events' for what can be counted",
				      method, part->name);
	ret = bpmu_metrics_parse(metrics, generic->name, generic->text, err);
	if (!ret)
		ret = bpmu_metrics_parse(metrics, own->name, own->text, err);
	if (!ret)
		ret = check_circles(metrics, err);
	return ret;
}
