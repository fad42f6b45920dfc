// SPDX-License-Identifier: GPL-2.0
/*
 * What can only be checked once all lines are there. All that follows names
 * recurses, and evaluates a definition again wherever its name stands: lines
 * nested too deeply or too large written out in full are refused here.
 */
#include "metric_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/event_name.h"
#include "metric_constant.h"
#include "metric_expr.h"

#define HEIGHT_MAX 1000
#define SIZE_LIMIT 100000
#define TOTAL_LIMIT 1000000
#define CIRCLE_LENGTH 300

enum state {
	STATE_NEW,
	STATE_OPEN,
	STATE_DONE
};

/**
 * struct shape - what an expression is when all names are written out
 * @state: &enum state
 * @height: longest way down
 * @size: number of nodes
 */
struct shape {
	enum state state;
	unsigned int height;
	unsigned int size;
};

/**
 * struct walk - a visit of all lines, depth first
 * @metrics: the lines
 * @shape: of each line
 * @path: the lines that are open
 * @nr: their number
 * @height: of all that is open
 * @err: set on failure
 */
struct walk {
	const struct bpmu_metrics *metrics;
	struct shape *shape;
	unsigned int *path;
	unsigned int nr;
	unsigned int height;
	struct bpmu_error *err;
};

/* @expr is a name in the line that is open */
static int circle(const struct walk *w, const struct bpmu_expr *expr,
		  unsigned int to)
{
	const struct bpmu_metric *metric = w->metrics->metric;
	char names[CIRCLE_LENGTH];
	size_t len = 0;
	unsigned int i;

	for (i = 0; w->path[i] != to; i++)
		;
	for (; i < w->nr && len < sizeof(names); i++)
		len += snprintf(names + len, sizeof(names) - len, "%s -> ",
				metric[w->path[i]].name);
	i = w->path[w->nr - 1];
	bpmu_metrics_error(w->metrics, metric[i].file, expr->offset, w->err,
			   "defined by itself, %s%s; break the circle", names,
			   metric[to].name);
	return -ELOOP;
}

static int visit(struct walk *w, unsigned int i);

static int visit_name(struct walk *w, const struct bpmu_expr *expr,
		      struct shape *shape)
{
	int i = bpmu_metrics_find(w->metrics, expr->name);
	int ret;

	if (i < 0)
		return 0;
	if (w->shape[i].state == STATE_OPEN)
		return circle(w, expr, i);
	ret = visit(w, i);
	*shape = w->shape[i];
	return ret;
}

static int visit_expr(struct walk *w, const struct bpmu_expr *expr,
		      struct shape *shape)
{
	struct shape inner = { .height = 0 };
	int ret = 0;
	int i;

	shape->height = 0;
	shape->size = 1;
	if (++w->height > HEIGHT_MAX)
		return -E2BIG;
	if (expr->op == BPMU_EXPR_NAME)
		ret = visit_name(w, expr, shape);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++) {
		ret = visit_expr(w, expr->arg[i], &inner);
		shape->size += inner.size;
		if (inner.height > shape->height)
			shape->height = inner.height;
	}
	if (!ret && (w->height + shape->height > HEIGHT_MAX ||
		     shape->size > SIZE_LIMIT))
		ret = -E2BIG;
	shape->height++;
	w->height--;
	return ret;
}

static int visit(struct walk *w, unsigned int i)
{
	const struct bpmu_metric *metric = &w->metrics->metric[i];
	struct shape shape = { .height = 0 };
	int ret;

	if (w->shape[i].state == STATE_DONE)
		return 0;
	w->shape[i].state = STATE_OPEN;
	w->path[w->nr++] = i;
	ret = visit_expr(w, metric->expr, &shape);
	w->nr--;
	w->shape[i] = shape;
	w->shape[i].state = STATE_DONE;
	return ret;
}

static int check_shapes(struct walk *w)
{
	const struct bpmu_metric *metric = w->metrics->metric;
	unsigned int total = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < w->metrics->nr && !ret; i++) {
		ret = visit(w, i);
		total += w->shape[i].size;
		if (!ret && total > TOTAL_LIMIT)
			ret = -E2BIG;
		if (ret == -E2BIG)
			bpmu_metrics_error(w->metrics, metric[i].file,
					   metric[i].offset, w->err,
					   "too much to compute with all names written out; define it by simpler lines");
	}
	return ret;
}

/**
 * bpmu_metrics_check() - do the lines go together
 * @metrics: all lines
 * @err: set on failure, with the place marked
 *
 * Context: process.
 * Return: 0, -ELOOP if a line is defined by itself, -E2BIG if one is too much
 * to compute, -ENOMEM.
 */
int bpmu_metrics_check(const struct bpmu_metrics *metrics,
		       struct bpmu_error *err)
{
	struct walk w = { .metrics = metrics, .err = err };
	int ret;

	w.shape = calloc(metrics->nr + 1, sizeof(*w.shape));
	w.path = calloc(metrics->nr + 1, sizeof(*w.path));
	if (w.shape && w.path)
		ret = check_shapes(&w);
	else
		ret = bpmu_error_set(err, -ENOMEM,
				     "metrics: no memory; free some");
	free(w.shape);
	free(w.path);
	return ret;
}

static int unknown_name(const struct bpmu_metrics *metrics, unsigned int file,
			const struct bpmu_part *part,
			const struct bpmu_expr *expr, struct bpmu_error *err)
{
	size_t len = strcspn(expr->name, ":[/");
	char *name = strndup(expr->name, len);
	struct bpmu_nearest nearest = { .typed = name ? name : "" };
	char list[BPMU_NEAREST_LIST];
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		bpmu_nearest_offer(&nearest, metrics->metric[i].name);
	bpmu_event_nearest(part, &nearest);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	bpmu_metrics_error(metrics, file, expr->offset, err,
			   "'%s' is neither a line nor an event of %s; %s%s%s",
			   expr->name, part->name, nearest.nr ?
			   "did you mean " : "see 'barepmu list'", list,
			   nearest.nr ? "?" : "");
	free(name);
	return -ENOENT;
}

static int check_names(const struct bpmu_metrics *metrics, unsigned int file,
		       const struct bpmu_pmu *pmu, const struct bpmu_expr *expr,
		       struct bpmu_error *err)
{
	struct bpmu_event_spec spec;
	struct bpmu_error inner;
	int ret = 0;
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = check_names(metrics, file, pmu, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME ||
	    bpmu_metric_constant(expr->name) >= 0 ||
	    bpmu_metrics_find(metrics, expr->name) >= 0)
		return ret;
	ret = bpmu_event_parse(pmu, 0, expr->name, &spec, &inner);
	if (!ret)
		bpmu_event_free(&spec);
	if (ret == -ENOENT)
		return unknown_name(metrics, file, pmu->part, expr, err);
	if (ret != -EINVAL && ret != -ERANGE)
		return 0;
	bpmu_metrics_error(metrics, file, expr->offset, err, "%s", inner.text);
	return ret;
}

/* only nodes have values when flags are judged */
static int check_flag(const struct bpmu_metrics *metrics,
		      unsigned int file, const struct bpmu_expr *expr,
		      struct bpmu_error *err)
{
	struct bpmu_nearest nearest = { .typed = expr->name };
	char list[BPMU_NEAREST_LIST];
	unsigned int k;
	int ret = 0;
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = check_flag(metrics, file, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME ||
	    bpmu_metric_constant(expr->name) >= 0)
		return ret;
	i = bpmu_metrics_find(metrics, expr->name);
	if (i >= 0 && metrics->metric[i].level)
		return 0;
	for (k = 0; k < metrics->nr; k++)
		if (metrics->metric[k].level)
			bpmu_nearest_offer(&nearest, metrics->metric[k].name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	bpmu_metrics_error(metrics, file, expr->offset, err,
			   "'%s' is no node, as a flag needs; %s%s%s",
			   expr->name, nearest.nr ? "did you mean " :
			   "name one of the tree", list, nearest.nr ? "?" : "");
	return -ENOENT;
}

/**
 * bpmu_metrics_check_names() - are all names known
 * @metrics: all lines
 * @file: number of the file to check
 * @part: descriptor
 * @err: set on failure, with the place marked
 *
 * Whether there is a counter for an event is only known once the PMU is.
 *
 * Context: process.
 * Return: 0, -ENOENT for a name that is neither a line nor an event, or that is
 * no node where a flag needs one, -EINVAL or -ERANGE for a wrong filter.
 */
int bpmu_metrics_check_names(const struct bpmu_metrics *metrics,
			     unsigned int file, const struct bpmu_part *part,
			     struct bpmu_error *err)
{
	const struct bpmu_cpuid none = { .eax = 0 };
	const struct bpmu_metric *m;
	struct bpmu_pmu pmu;
	unsigned int i;
	int ret = 0;

	bpmu_pmu_init(&pmu, part, &none, BPMU_CORE_ANY);
	for (i = 0; i < metrics->nr && !ret; i++) {
		m = &metrics->metric[i];
		if (m->file == file)
			ret = check_names(metrics, file, &pmu, m->expr, err);
		if (!ret && m->flag && m->flag_file == file)
			ret = check_flag(metrics, file, m->flag, err);
	}
	return ret;
}
