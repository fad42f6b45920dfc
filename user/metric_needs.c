// SPDX-License-Identifier: GPL-2.0
#include "metric_needs.h"

#include <errno.h>
#include <string.h>

#include "metric_expr.h"

static struct bpmu_value lookup_smt(void *ctx, const char *name)
{
	const struct bpmu_needs *needs = ctx;
	struct bpmu_value value = { .number = needs->smt };

	value.known = !strcmp(name, "SMT");
	return value;
}

static bool is_smt(const struct bpmu_expr *expr)
{
	return !strcmp(expr->name, "SMT");
}

/*
 * What an expression stands for: the line that it names, and of an "if" on SMT
 * the side that is taken here.
 */
static const struct bpmu_expr *inlined(struct bpmu_needs *needs,
				       const struct bpmu_expr *expr)
{
	struct bpmu_value condition;
	int i;

	for (;;) {
		if (expr->op == BPMU_EXPR_NAME) {
			i = bpmu_metrics_find(needs->metrics, expr->name);
			if (i < 0)
				return expr;
			expr = needs->metrics->metric[i].expr;
			continue;
		}
		if (expr->op != BPMU_EXPR_IF)
			return expr;
		condition = bpmu_expr_eval(expr->arg[1], lookup_smt, needs);
		if (!condition.known)
			return expr;
		expr = expr->arg[condition.number != 0 ? 0 : 2];
	}
}

static int event_bit(struct bpmu_needs *needs, const char *name, u64 *events,
		     struct bpmu_error *err)
{
	unsigned int i;
	int ret;

	for (i = 0; i < needs->events.nr; i++) {
		if (strcmp(needs->events.spec[i].text, name))
			continue;
		*events |= 1ULL << i;
		return 0;
	}
	if (i == BPMU_NEEDS_EVENTS)
		return bpmu_error_set(err, -E2BIG,
				      "event '%s': is one more than the %d that a method can have; ask for a lower level",
				      name, BPMU_NEEDS_EVENTS);
	ret = bpmu_event_list_add(needs->pmu, needs->smt, name, &needs->events,
				  err);
	if (!ret)
		*events |= 1ULL << i;
	return ret;
}

/**
 * bpmu_needs_of() - the events of an expression
 * @needs: new events are appended to its list
 * @expr: the expression
 * @events: their bits are added here
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -E2BIG for too many events, or bpmu_event_parse()'s error.
 */
int bpmu_needs_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		  u64 *events, struct bpmu_error *err)
{
	int ret = 0;
	int i;

	expr = inlined(needs, expr);
	if (expr->op == BPMU_EXPR_NAME)
		return is_smt(expr) ? 0 : event_bit(needs, expr->name, events,
						    err);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = bpmu_needs_of(needs, expr->arg[i], events, err);
	return ret;
}

/* power of a count in an expression: 1 a count, 0 a share */
static int degree(struct bpmu_needs *needs, const struct bpmu_expr *expr)
{
	int a;
	int b;

	expr = inlined(needs, expr);
	if (expr->op == BPMU_EXPR_NUMBER)
		return 0;
	if (expr->op == BPMU_EXPR_NAME)
		return is_smt(expr) ? 0 : 1;
	a = degree(needs, expr->arg[0]);
	b = degree(needs, expr->arg[expr->op == BPMU_EXPR_IF ? 2 : 1]);
	if (expr->op == BPMU_EXPR_MUL)
		return a + b;
	if (expr->op == BPMU_EXPR_DIV)
		return a - b;
	return a > b ? a : b;
}

static int add_bundle(struct bpmu_needs *needs, u64 events, bool wish,
		      struct bpmu_error *err)
{
	struct bpmu_bundle *bundle = &needs->bundle[needs->nr_bundles];

	if (!events)
		return 0;
	if (needs->nr_bundles == BPMU_NEEDS_BUNDLES)
		return bpmu_error_set(err, -E2BIG,
				      "metrics: more than %d sets of events belong together; ask for a lower level",
				      BPMU_NEEDS_BUNDLES);
	bundle->events = events;
	bundle->wish = wish;
	needs->nr_bundles++;
	return 0;
}

static int bundles_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      struct bpmu_error *err);

/* of a product, shares may come from another time, the rest belongs together */
static int product_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      u64 *events, struct bpmu_error *err)
{
	const struct bpmu_expr *factor;
	int ret = 0;
	int i;

	for (i = 0; i < 2 && !ret; i++) {
		factor = inlined(needs, expr->arg[i]);
		if (!degree(needs, factor))
			ret = bundles_of(needs, factor, err);
		else if (factor->op == BPMU_EXPR_MUL ||
			 factor->op == BPMU_EXPR_DIV)
			ret = product_of(needs, factor, events, err);
		else
			ret = bpmu_needs_of(needs, factor, events, err);
	}
	return ret;
}

static int bundles_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      struct bpmu_error *err)
{
	u64 events = 0;
	bool wish;
	int ret;
	int i;

	expr = inlined(needs, expr);
	if (expr->op == BPMU_EXPR_MUL || expr->op == BPMU_EXPR_DIV) {
		ret = product_of(needs, expr, &events, err);
		return ret ? ret : add_bundle(needs, events, false, err);
	}
	ret = bpmu_needs_of(needs, expr, &events, err);
	wish = !degree(needs, expr);
	if (!ret)
		ret = add_bundle(needs, events, wish, err);
	for (i = 0; wish && !ret && i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		ret = bundles_of(needs, expr->arg[i], err);
	return ret;
}

static int clock_of(struct bpmu_needs *needs, struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = needs->metrics;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].clock)
			return bpmu_needs_of(needs, metrics->metric[i].expr,
					     &needs->clock, err);
	return 0;
}

/**
 * bpmu_needs_init() - what the upper levels of a method need
 * @needs: filled in; to be freed in any case
 * @metrics: lines of the method
 * @pmu: as found
 * @smt: whether threads share a core
 * @level: deepest level
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, or the errors of bpmu_needs_of().
 */
int bpmu_needs_init(struct bpmu_needs *needs, const struct bpmu_metrics *metrics,
		    const struct bpmu_pmu *pmu, int smt, unsigned int level,
		    struct bpmu_error *err)
{
	unsigned int i;
	unsigned int l;
	int ret;

	memset(needs, 0, sizeof(*needs));
	needs->metrics = metrics;
	needs->pmu = pmu;
	needs->smt = smt;
	ret = clock_of(needs, err);
	for (l = 1; l <= level && !ret; l++)
		for (i = 0; i < metrics->nr && !ret; i++)
			if (metrics->metric[i].level == l)
				ret = bundles_of(needs,
						 metrics->metric[i].expr, err);
	return ret;
}

/**
 * bpmu_needs_free() - undo bpmu_needs_init()
 * @needs: what was filled in
 *
 * Context: any.
 */
void bpmu_needs_free(struct bpmu_needs *needs)
{
	bpmu_event_list_free(&needs->events);
}
