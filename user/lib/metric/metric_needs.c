// SPDX-License-Identifier: GPL-2.0
#include "metric_needs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metric_constant.h"
#include "metric_expr.h"

/*
 * Limit of the degree of a formula in its counts (see bpmu_needs_degree()). The degree of a product
 * is the sum of the factors' degrees, which could overflow an int without a limit.
 */
#define DEGREE_MAX 99

/*
 * Returns what the metric or definition that @expr names needs, and sets @inside to its formula.
 * Returns NULL if @expr names an event or a constant.
 */
static struct bpmu_needs_line *metric_needs_line_of(const struct bpmu_needs *needs,
						    const struct bpmu_expr *expr,
						    const struct bpmu_expr **inside)
{
	int i = bpmu_metrics_find(needs->metrics, expr->name);

	if (i < 0)
		return NULL;
	*inside = needs->metrics->metric[i].expr;
	return &needs->line[i];
}

/**
 * bpmu_needs_event() - find, by its text, an event that formulas need
 * @needs: begun with bpmu_needs_begin()
 * @name: text of the event in the metric file
 *
 * Return: index of the event in @needs->events, or -1 if no formula needs it.
 */
int bpmu_needs_event(const struct bpmu_needs *needs, const char *name)
{
	unsigned int i;

	for (i = 0; i < needs->events.nr; i++)
		if (!strcmp(needs->events.spec[i].text, name))
			return i;
	return -1;
}

/**
 * bpmu_needs_bank() - bank (set of counters that are read together) that counts a needed event
 * @needs: begun with bpmu_needs_begin()
 * @event: index of the event
 *
 * Return: &enum bpmu_bank_id.
 */
int bpmu_needs_bank(const struct bpmu_needs *needs, unsigned int event)
{
	return bpmu_unit_facts[needs->events.spec[event].term[0].unit].bank;
}

static int metric_needs_add_event(struct bpmu_needs *needs, const char *name,
				  struct bpmu_event_set *events, struct bpmu_error *err)
{
	int i = bpmu_needs_event(needs, name);
	int ret;

	if (bpmu_metric_constant(name) >= 0)
		return 0;
	if (i < 0 && needs->events.nr == BPMU_EVENT_SET_MAX)
		return bpmu_error_set(err, -E2BIG,
				      "event '%s': is one more than the %d that a method can have; ask for a lower level",
				      name, BPMU_EVENT_SET_MAX);
	if (i < 0) {
		i = needs->events.nr;
		ret = needs->apart ?
			      bpmu_event_list_add_given(needs->pmu, needs->smt,
							name, needs->given,
							&needs->events, err) :
			      bpmu_event_list_add(needs->pmu, needs->smt, name,
						  &needs->events, err);
		if (ret)
			return ret;
	}
	bpmu_event_set_add(events, i);
	return 0;
}

/**
 * bpmu_needs_of() - find the events that an expression needs, and add them to a set
 * @needs: begun with bpmu_needs_begin(); events that it does not have yet are appended to its list
 * @expr: the expression
 * @events: the set, to which the events are added
 *
 * Return: 0, -E2BIG for too many events, or the error of bpmu_event_parse().
 */
int bpmu_needs_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		  struct bpmu_event_set *events, struct bpmu_error *err)
{
	const struct bpmu_expr *inside;
	struct bpmu_needs_line *line;
	int ret = 0;
	int i;

	expr = bpmu_expr_taken(expr, needs->smt);
	if (expr->op != BPMU_EXPR_NAME) {
		for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
			ret = bpmu_needs_of(needs, expr->arg[i], events, err);
		return ret;
	}
	line = metric_needs_line_of(needs, expr, &inside);
	if (!line)
		return metric_needs_add_event(needs, expr->name, events, err);
	if (!line->has_events)
		ret = bpmu_needs_of(needs, inside, &line->events, err);
	line->has_events = !ret;
	bpmu_event_set_join(events, &line->events);
	return ret;
}

static int limited(int degree)
{
	if (degree > DEGREE_MAX)
		return DEGREE_MAX;
	return degree < -DEGREE_MAX ? -DEGREE_MAX : degree;
}

static int name_degree(struct bpmu_needs *needs, const struct bpmu_expr *expr)
{
	const struct bpmu_expr *inside;
	struct bpmu_needs_line *line = metric_needs_line_of(needs, expr, &inside);

	if (!line)
		return bpmu_metric_constant(expr->name) < 0;
	if (!line->has_degree)
		line->degree = bpmu_needs_degree(needs, inside);
	line->has_degree = true;
	return line->degree;
}

/**
 * bpmu_needs_degree() - what an expression needs: with which power of the counting time it grows
 * @needs: begun with bpmu_needs_begin()
 * @expr: the expression
 *
 * Return: the power, called degree: 1 for a count, 0 for a ratio of two counts, 2 for a product of
 * two counts.
 */
int bpmu_needs_degree(struct bpmu_needs *needs, const struct bpmu_expr *expr)
{
	int a;
	int b;

	expr = bpmu_expr_taken(expr, needs->smt);
	if (expr->op == BPMU_EXPR_NUMBER ||
	    (expr->op >= BPMU_EXPR_LT && expr->op <= BPMU_EXPR_OR))
		return 0;
	if (expr->op == BPMU_EXPR_NAME)
		return name_degree(needs, expr);
	a = bpmu_needs_degree(needs, expr->arg[0]);
	b = bpmu_needs_degree(needs, expr->arg[expr->op == BPMU_EXPR_IF ? 2 :
									  1]);
	if (expr->op == BPMU_EXPR_MUL)
		return limited(a + b);
	if (expr->op == BPMU_EXPR_DIV)
		return limited(a - b);
	return a > b ? a : b;
}

/**
 * bpmu_needs_assign() - check if the events that a formula needs fit on the counters together
 * @needs: begun with bpmu_needs_begin()
 * @events: events that use the same kind of counters (bank)
 *
 * Return: 0, or -ENOSPC if the events do not fit.
 */
int bpmu_needs_assign(const struct bpmu_needs *needs,
		      const struct bpmu_event_set *events,
		      struct bpmu_error *err)
{
	struct bpmu_event_spec spec[BPMU_MAX_COUNTERS + 1];
	struct bpmu_event_list list = { .spec = spec };
	struct bpmu_sched sched;
	unsigned int i;

	for (i = 0; i < needs->events.nr && list.nr <= BPMU_MAX_COUNTERS; i++)
		if (bpmu_event_set_has(events, i))
			spec[list.nr++] = needs->events.spec[i];
	return bpmu_sched_assign(needs->pmu, &list, &needs->rules, &sched, err);
}

static int clock_of(struct bpmu_needs *needs, unsigned int line,
		    struct bpmu_error *err)
{
	const struct bpmu_metric *metric = &needs->metrics->metric[line];
	struct bpmu_event_set events = { .word = { 0 } };
	int bank = BPMU_BANK_UNCORE;
	unsigned int i;
	int ret;

	ret = bpmu_needs_of(needs, metric->expr, &events, err);
	for (i = 0; i < needs->events.nr; i++)
		if (bpmu_event_set_has(&events, i) &&
		    bpmu_needs_bank(needs, i) == BPMU_BANK_CORE)
			bank = BPMU_BANK_CORE;
	if (ret || needs->clock[bank] >= 0)
		return ret;
	needs->clock[bank] = line;
	needs->clock_events[bank] = events;
	return 0;
}

/**
 * bpmu_needs_begin() - initialise the list of events that a method (set of metrics) needs
 * @needs: set; the caller frees it with bpmu_needs_free(), also after an error. It has only the
 *	events of the clocks, which tell how long a group was counted
 * @metrics: metrics and definitions of the method
 * @pmu: counters of the CPU
 * @smt: true if hyper-threading is on
 *
 * Return: 0, -ENOMEM, or the errors of bpmu_needs_of().
 */
int bpmu_needs_begin(struct bpmu_needs *needs,
		     const struct bpmu_metrics *metrics,
		     const struct bpmu_pmu *pmu, int smt,
		     struct bpmu_error *err)
{
	unsigned int i;
	int ret = 0;

	memset(needs, 0, sizeof(*needs));
	needs->metrics = metrics;
	needs->pmu = pmu;
	needs->rules = bpmu_sched_no_rules;
	needs->smt = smt;
	for (i = 0; i < BPMU_BANKS; i++)
		needs->clock[i] = -1;
	needs->line = calloc(metrics->nr + 1, sizeof(*needs->line));
	if (!needs->line)
		return bpmu_error_no_memory(err, "metrics");
	for (i = 0; i < metrics->nr && !ret; i++)
		if (metrics->metric[i].clock)
			ret = clock_of(needs, i, err);
	return ret;
}

/**
 * bpmu_needs_free() - free the events that formulas need, and the sets to be counted in one group
 * @needs: begun with bpmu_needs_begin()
 */
void bpmu_needs_free(struct bpmu_needs *needs)
{
	bpmu_event_list_free(&needs->events);
	free(needs->line);
	free(needs->bundle);
	needs->line = NULL;
	needs->bundle = NULL;
}
