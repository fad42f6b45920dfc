// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"
#include "metric_needs.h"

static bool metric_bundle_same(const struct bpmu_event_set *a, const struct bpmu_event_set *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static int metric_bundle_append(struct bpmu_needs *needs, const struct bpmu_event_set *events,
				int bank, bool wish, struct bpmu_error *err)
{
	struct bpmu_bundle *grown;
	unsigned int i;

	for (i = 0; i < needs->nr_bundles; i++) {
		if (!metric_bundle_same(&needs->bundle[i].events, events))
			continue;
		needs->bundle[i].wish &= wish;
		return 0;
	}
	grown = reallocarray(needs->bundle, needs->nr_bundles + 1,
			     sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "metrics");
	needs->bundle = grown;
	grown += needs->nr_bundles++;
	grown->events = *events;
	grown->bank = bank;
	grown->wish = wish;
	return 0;
}

static struct bpmu_event_set part_of(const struct bpmu_needs *needs,
				     const struct bpmu_event_set *events,
				     int bank)
{
	struct bpmu_event_set part = { .word = { 0 } };
	unsigned int i;

	for (i = 0; i < needs->events.nr; i++)
		if (bpmu_event_set_has(events, i) &&
		    bpmu_needs_bank(needs, i) == bank)
			bpmu_event_set_add(&part, i);
	return part;
}

/*
 * Adds a bundle (events to be counted in one group): the events @part, which all use the same kind
 * of counters (@bank), and the events of the clock, the count that tells how long a group was
 * counted. If @whole is true, @part has all events of a ratio, in which the counting time cancels
 * out; the clock is then left out if the counters have no room for it. If @whole is false, the
 * clock is needed, because the counts are divided by it.
 */
static int add_part(struct bpmu_needs *needs, struct bpmu_event_set part,
		    int bank, bool whole, bool wish, struct bpmu_error *err)
{
	struct bpmu_event_set with = part;
	struct bpmu_error ignored;
	int ret;

	bpmu_event_set_join(&with, &needs->clock_events[bank]);
	ret = bpmu_needs_assign(needs, &with, err);
	if (!ret)
		return metric_bundle_append(needs, &with, bank, wish, err);
	if (!whole || bpmu_needs_assign(needs, &part, &ignored))
		return ret;
	return metric_bundle_append(needs, &part, bank, wish, err);
}

static int add_wish(struct bpmu_needs *needs,
		    const struct bpmu_event_set *events, struct bpmu_error *err)
{
	struct bpmu_event_set part;
	int ret = 0;
	int bank;

	for (bank = 0; bank < BPMU_BANKS && !ret; bank++) {
		part = part_of(needs, events, bank);
		if (bpmu_event_set_size(&part) < 2)
			continue;
		ret = add_part(needs, part, bank, true, true, err);
		if (ret == -ENOSPC)
			ret = 0;
	}
	return ret;
}

static int add_must(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		    const struct bpmu_event_set *events, bool whole,
		    struct bpmu_error *err);

/*
 * Adds a bundle (events to be counted in one group) for each summand of @expr, because the counters
 * have no room for all events of @expr together.
 */
static int add_pieces(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      const struct bpmu_event_set *events,
		      struct bpmu_error *err)
{
	struct bpmu_event_set piece;
	int ret = 0;
	int i;
	unsigned int w;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++) {
		memset(&piece, 0, sizeof(piece));
		ret = bpmu_needs_of(needs, expr->arg[i], &piece, err);
		for (w = 0; w < BPMU_EVENT_SET_WORDS; w++)
			piece.word[w] &= events->word[w];
		if (!ret)
			ret = add_must(needs, expr->arg[i], &piece, false,
				       err);
	}
	return ret;
}

/*
 * Returns the formula of the metric or definition that @expr names. If this formula is just another
 * name, it returns the formula that this name stands for, and so on. Returns @expr itself if it is
 * not such a name.
 */
static const struct bpmu_expr *inlined(const struct bpmu_needs *needs,
				       const struct bpmu_expr *expr)
{
	int i;

	for (;;) {
		expr = bpmu_expr_taken(expr, needs->smt);
		if (expr->op != BPMU_EXPR_NAME)
			return expr;
		i = bpmu_metrics_find(needs->metrics, expr->name);
		if (i < 0)
			return expr;
		expr = needs->metrics->metric[i].expr;
	}
}

static int add_must(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		    const struct bpmu_event_set *events, bool whole,
		    struct bpmu_error *err)
{
	unsigned int size = bpmu_event_set_size(events);
	struct bpmu_event_set part;
	int ret = 0;
	int bank;

	for (bank = 0; bank < BPMU_BANKS && !ret; bank++) {
		part = part_of(needs, events, bank);
		if (bpmu_event_set_size(&part) < size)
			whole = false;
		if (bpmu_event_set_size(&part))
			ret = add_part(needs, part, bank, whole, false, err);
	}
	expr = inlined(needs, expr);
	if (ret == -ENOSPC && expr->op != BPMU_EXPR_NAME)
		return add_pieces(needs, expr, events, err);
	return ret;
}

static int bundles_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      struct bpmu_error *err);

/*
 * Adds to @events those events of an expression that must be counted in one group, because their
 * counts are combined. Events of a ratio within the expression are left out: the value of a ratio
 * does not depend on how long it was counted, so that it may be counted in another group.
 */
static int must_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		   struct bpmu_event_set *events, struct bpmu_error *err)
{
	struct bpmu_needs_line *line;
	int ret = 0;
	int i;

	expr = bpmu_expr_taken(expr, needs->smt);
	if (!bpmu_needs_degree(needs, expr))
		return bundles_of(needs, expr, err);
	if (expr->op != BPMU_EXPR_NAME) {
		for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
			ret = must_of(needs, expr->arg[i], events, err);
		return ret;
	}
	i = bpmu_metrics_find(needs->metrics, expr->name);
	if (i < 0)
		return bpmu_needs_of(needs, expr, events, err);
	line = &needs->line[i];
	if (!line->has_must)
		ret = must_of(needs, needs->metrics->metric[i].expr,
			      &line->must, err);
	line->has_must = !ret;
	bpmu_event_set_join(events, &line->must);
	return ret;
}

/*
 * Adds bundles (sets of events to be counted in one group) for the events of an expression, so that
 * these are counted at the same time.
 */
static int bundles_together(struct bpmu_needs *needs,
			    const struct bpmu_expr *expr,
			    struct bpmu_error *err)
{
	struct bpmu_event_set events = { .word = { 0 } };
	int ret = 0;
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = must_of(needs, expr->arg[i], &events, err);
	if (!ret && expr->op == BPMU_EXPR_NAME)
		ret = bpmu_needs_of(needs, expr, &events, err);
	if (ret || !bpmu_event_set_size(&events))
		return ret;
	return add_must(needs, expr, &events, true, err);
}

static int bundles_of(struct bpmu_needs *needs, const struct bpmu_expr *expr,
		      struct bpmu_error *err)
{
	struct bpmu_event_set events = { .word = { 0 } };
	int ret;
	int i;

	expr = bpmu_expr_taken(expr, needs->smt);
	i = expr->op == BPMU_EXPR_NAME ?
		bpmu_metrics_find(needs->metrics, expr->name) : -1;
	if (i >= 0) {
		if (needs->line[i].bundled)
			return 0;
		needs->line[i].bundled = true;
		return bundles_of(needs, needs->metrics->metric[i].expr, err);
	}
	if (expr->op == BPMU_EXPR_MUL || expr->op == BPMU_EXPR_DIV ||
	    bpmu_needs_degree(needs, expr))
		return bundles_together(needs, expr, err);
	ret = bpmu_needs_of(needs, expr, &events, err);
	if (!ret)
		ret = add_wish(needs, &events, err);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = bundles_of(needs, expr->arg[i], err);
	return ret;
}

/**
 * bpmu_needs_beside() - add an event that is in no metric's bundle, to be counted if there is room
 * @needs: begun with bpmu_needs_begin(); bpmu_needs_add() was called for all metrics
 * @event: text of the event
 *
 * The event is counted only if it fits into a group that the metrics need anyway.
 *
 * Return: 0, -ENOMEM, or the errors of bpmu_event_parse().
 */
int bpmu_needs_beside(struct bpmu_needs *needs, const char *event,
		      struct bpmu_error *err)
{
	struct bpmu_event_set events = { .word = { 0 } };
	int i = bpmu_needs_event(needs, event);
	int ret;

	if (i < 0 && needs->events.nr == BPMU_EVENT_SET_MAX)
		return 0;
	if (i < 0) {
		i = needs->events.nr;
		ret = bpmu_event_list_add(needs->pmu, needs->smt, event,
					  &needs->events, err);
		if (ret)
			return ret;
	}
	bpmu_event_set_add(&events, i);
	return metric_bundle_append(needs, &events, bpmu_needs_bank(needs, i),
				    true, err);
}

/**
 * bpmu_needs_add() - bundle events of a metric that must be in one group, and add all of its events
 * @needs: begun with bpmu_needs_begin()
 * @line: index of the metric in @needs->metrics
 *
 * Return: 0, -ENOSPC if no counter can count an event, -ENOMEM, or the errors of
 * bpmu_needs_of().
 */
int bpmu_needs_add(struct bpmu_needs *needs, unsigned int line,
		   struct bpmu_error *err)
{
	const struct bpmu_expr *expr = needs->metrics->metric[line].expr;
	struct bpmu_event_set *events = &needs->line[line].events;
	int ret = 0;

	if (!needs->line[line].has_events)
		ret = bpmu_needs_of(needs, expr, events, err);
	needs->line[line].has_events = !ret;
	if (ret || needs->apart || needs->counted || needs->line[line].bundled)
		return ret;
	needs->line[line].bundled = true;
	return bundles_of(needs, expr, err);
}
