// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics of Knights Corner. The variance of a metric is that of its first-order expansion in the
 * counts (the delta method). The derivative by a count is computed from the metric's values with
 * this count one standard deviation higher and lower. Counts are taken as independent. This
 * overestimates the variance of a ratio of two counts of the same slices. The degrees of freedom
 * are computed with the formula of Welch and Satterthwaite.
 */
#include "phi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metric/metric_expr.h"
#include "spread.h"

/*
 * Relative change of a count whose variance is unknown: if the change alters a metric, the variance
 * of the metric is unknown, too.
 */
#define NUDGE 0.01

#define NOTHING BPMU_PHI_EVENTS

/**
 * struct view - where the values of the names in a formula come from
 * @metrics: lines of the method
 * @settings: settings of the user
 * @sums: counts
 * @shifted: index of the event whose count is varied, or NOTHING
 * @factor: factor by which the count of @shifted is multiplied
 */
struct view {
	const struct bpmu_metrics *metrics;
	const struct bpmu_phi_settings *settings;
	const struct bpmu_phi_sums *sums;
	unsigned int shifted;
	double factor;
};

static struct bpmu_value some(bool known, double number)
{
	return (struct bpmu_value){ .known = known, .number = number };
}

static struct bpmu_value count_at(const struct view *view, unsigned int i)
{
	const struct bpmu_estimate *count = &view->sums->count[i];

	return some(!count->missing,
		    count->value * (i == view->shifted ? view->factor : 1));
}

/*
 * Returns @number, clocks of cores, as a value. If the sum of the threads' clocks is varied, it is
 * varied by the same factor, so that both have the same relative error.
 */
static struct bpmu_value phi_clocks(const struct view *view, double number)
{
	bool known = view->sums->scope != BPMU_PHI_THREAD &&
		     !view->sums->count[BPMU_PHI_CLOCKS].missing;

	if (view->shifted == BPMU_PHI_CLOCKS)
		number *= view->factor;
	return some(known, number);
}

/* Returns the value of a name in a formula that is not an event: a setting or another metric. */
static struct bpmu_value lookup_own(const struct view *view, const char *name)
{
	const struct bpmu_phi_settings *settings = view->settings;
	const struct bpmu_phi_sums *sums = view->sums;

	if (!strcmp(name, "THREADS"))
		return some(sums->per_core > 0, sums->per_core);
	if (!strcmp(name, "THREAD_CLOCKS"))
		return count_at(view, BPMU_PHI_CLOCKS);
	if (!strcmp(name, "CORE_CLOCKS"))
		return phi_clocks(view, sums->core_clocks);
	if (!strcmp(name, "ELAPSED_CLOCKS"))
		return phi_clocks(view, sums->elapsed);
	if (!strcmp(name, "GHZ"))
		return some(true, settings->ghz);
	if (!strcmp(name, "ELEMENTS"))
		return some(settings->elements, settings->elements);
	if (!strcmp(name, "ELEMENTS_MAX"))
		return some(true, settings->elements ? settings->elements : 16);
	if (!strcmp(name, "WALK_CLOCKS"))
		return some(true, settings->huge ? 8 : 25);
	if (!strcmp(name, "CARD"))
		return some(true, sums->scope == BPMU_PHI_CARD);
	return some(!strcmp(name, "PAPER"), settings->paper);
}

static struct bpmu_value phi_lookup(void *ctx, const char *name)
{
	const struct view *view = ctx;
	int line = bpmu_metrics_find(view->metrics, name);
	unsigned int i;

	if (line >= 0)
		return bpmu_expr_eval(view->metrics->metric[line].expr, phi_lookup,
				      ctx);
	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		if (bpmu_phi_event(i) && !strcmp(bpmu_phi_event(i), name))
			return count_at(view, i);
	return lookup_own(view, name);
}

/*
 * Computes a metric with the count of @event increased by the fraction @part, and decreased by it.
 * Returns half of the difference.
 */
static double swing(const struct view *view, const struct bpmu_expr *expr,
		    unsigned int event, double part)
{
	struct view shifted = *view;
	struct bpmu_value up, down;

	shifted.shifted = event;
	shifted.factor = 1 + part;
	up = bpmu_expr_eval(expr, phi_lookup, &shifted);
	shifted.factor = 1 - part;
	down = bpmu_expr_eval(expr, phi_lookup, &shifted);
	return up.known && down.known ? (up.number - down.number) / 2 :
					INFINITY;
}

static void add_variance(const struct view *view, const struct bpmu_expr *expr,
			 struct bpmu_estimate *estimate)
{
	const struct bpmu_estimate *count = view->sums->count;
	double squares = 0;
	double part, square;
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++) {
		if (!(count[i].variance > 0) || !count[i].value)
			continue;
		if (isinf(count[i].variance)) {
			if (swing(view, expr, i, NUDGE) != 0)
				estimate->variance = INFINITY;
			continue;
		}
		part = sqrt(count[i].variance) / count[i].value;
		square = pow(swing(view, expr, i, part), 2);
		estimate->variance += square;
		if (count[i].freedom > 0)
			squares += square * square / count[i].freedom;
	}
	if (squares > 0)
		estimate->freedom = pow(estimate->variance, 2) / squares;
}

static void find_limit(struct view *view, const char *name, const char *which,
		       struct bpmu_phi_limit *limit)
{
	struct bpmu_value value;
	char line[96];
	int i;

	snprintf(line, sizeof(line), "%s.%s", name, which);
	i = bpmu_metrics_find(view->metrics, line);
	if (i < 0)
		return;
	value = bpmu_expr_eval(view->metrics->metric[i].expr, phi_lookup, view);
	limit->known = value.known;
	limit->number = value.number;
	limit->why = view->metrics->metric[i].text;
}

static void check_limits(struct bpmu_phi_value *value)
{
	double half = bpmu_estimate_half_width(&value->estimate);
	double number = value->estimate.value;

	value->below = value->least.known && number < value->least.number;
	value->above = value->most.known && number > value->most.number;
	value->unsure =
		(value->below && number + half >= value->least.number) ||
		(value->above && number - half <= value->most.number);
}

/* Result of a comparison. OVER_OR_NOT: the value's confidence interval includes the limit. */
enum truth { OVER_NOT, OVER_OR_NOT, OVER };

static enum truth lesser(enum truth a, enum truth b)
{
	return a < b ? a : b;
}

static enum truth phi_compare(struct view *view, const struct bpmu_expr *expr)
{
	const struct bpmu_expr margin = {
		.op = BPMU_EXPR_SUB, .arg = { expr->arg[0], expr->arg[1] },
	};
	struct bpmu_estimate estimate = { };
	struct bpmu_value value;
	double half;

	value = bpmu_expr_eval(expr, phi_lookup, view);
	add_variance(view, &margin, &estimate);
	estimate.value = bpmu_expr_eval(&margin, phi_lookup, view).number;
	half = bpmu_estimate_half_width(&estimate);
	if (half > 0 && fabs(estimate.value) <= half)
		return OVER_OR_NOT;
	return value.number != 0 ? OVER : OVER_NOT;
}

/* Evaluates a condition; all names in it must have values. */
static enum truth truth_of(struct view *view, const struct bpmu_expr *expr)
{
	enum truth a, b;

	switch (expr->op) {
	case BPMU_EXPR_LT:
	case BPMU_EXPR_LE:
	case BPMU_EXPR_GT:
	case BPMU_EXPR_GE:
		return phi_compare(view, expr);
	case BPMU_EXPR_AND:
	case BPMU_EXPR_OR:
		a = truth_of(view, expr->arg[0]);
		b = truth_of(view, expr->arg[1]);
		return expr->op == BPMU_EXPR_AND ? lesser(a, b) :
						   OVER - lesser(OVER - a,
								 OVER - b);
	default:
		return bpmu_expr_eval(expr, phi_lookup, view).number != 0 ? OVER :
									OVER_NOT;
	}
}

static void phi_judge(struct view *view, const struct bpmu_metric *metric,
		      struct bpmu_phi_value *value)
{
	enum truth truth;

	if (!metric->flag)
		return;
	value->judged = bpmu_expr_eval(metric->flag, phi_lookup, view).known;
	if (!value->judged)
		return;
	truth = truth_of(view, metric->flag);
	value->flagged = truth == OVER;
	value->undecided = truth == OVER_OR_NOT;
}

/* Returns the first name of an expression that has no value. */
static const char *phi_unknown(const struct view *view,
			       const struct bpmu_expr *expr)
{
	const char *name = NULL;
	unsigned int a;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(view->metrics, expr->name);
		if (i >= 0)
			return phi_unknown(view, view->metrics->metric[i].expr);
		return phi_lookup((void *)view, expr->name).known ? NULL :
								expr->name;
	}
	for (a = 0; a < BPMU_EXPR_ARGS && expr->arg[a] && !name; a++)
		name = phi_unknown(view, expr->arg[a]);
	return name;
}

/**
 * bpmu_phi_eval() - evaluate a metric of Xeon Phi
 * @metrics: lines of the method
 * @settings: settings of the user
 * @sums: counts over a scope
 * @i: number of the metric
 * @value: filled in
 */
void bpmu_phi_eval(const struct bpmu_metrics *metrics,
		   const struct bpmu_phi_settings *settings,
		   const struct bpmu_phi_sums *sums, unsigned int i,
		   struct bpmu_phi_value *value)
{
	const struct bpmu_metric *metric = &metrics->metric[i];
	struct view view = {
		.metrics = metrics, .settings = settings, .sums = sums,
		.shifted = NOTHING,
	};
	struct bpmu_value number;

	memset(value, 0, sizeof(*value));
	find_limit(&view, metric->name, "Least", &value->least);
	find_limit(&view, metric->name, "Most", &value->most);
	number = bpmu_expr_eval(metric->expr, phi_lookup, &view);
	value->known = number.known;
	if (!number.known) {
		value->why = phi_unknown(&view, metric->expr);
		return;
	}
	value->estimate.value = number.number;
	add_variance(&view, metric->expr, &value->estimate);
	check_limits(value);
	phi_judge(&view, metric, value);
}

static bool uses(const struct bpmu_metrics *metrics,
		 const struct bpmu_expr *expr, const char *name)
{
	unsigned int a;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? !strcmp(expr->name, name) :
			       uses(metrics, metrics->metric[i].expr, name);
	}
	for (a = 0; a < BPMU_EXPR_ARGS && expr->arg[a]; a++)
		if (uses(metrics, expr->arg[a], name))
			return true;
	return false;
}

/**
 * bpmu_phi_shown() - check if a metric of Xeon Phi is meaningful in a scope
 * @metrics: lines of the method
 * @i: number of a line
 * @scope: the scope
 *
 * Return: false for definitions, and in the scope of a thread for metrics that need the
 * core's time.
 */
bool bpmu_phi_shown(const struct bpmu_metrics *metrics, unsigned int i,
		    enum bpmu_phi_scope scope)
{
	const struct bpmu_metric *metric = &metrics->metric[i];

	if (!metric->level)
		return false;
	return scope != BPMU_PHI_THREAD ||
	       !(uses(metrics, metric->expr, "CORE_CLOCKS") ||
		 uses(metrics, metric->expr, "ELAPSED_CLOCKS"));
}
