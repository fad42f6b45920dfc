// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric_code.h"

static struct bpmu_code code_of(const struct bpmu_compiler *c)
{
	return (struct bpmu_code){ .program = c->program, .err = c->err };
}

/* Returns the number of the program's variable that has the count of an event in group @g. */
static int count_slot(const struct bpmu_compiler *c, unsigned int event,
		      unsigned int g)
{
	unsigned int slot = c->program->first_count[g];
	unsigned int i;

	for (i = 0; i < event; i++)
		slot += bpmu_event_set_has(&c->pack->group[g], i);
	return slot;
}

/*
 * Chooses from which group the counts of @events are taken. If all groups that use the kind of
 * counters @bank have these events, the events are counted all the time: returns
 * BPMU_PACK_TOTAL(), the index for the sums over all groups. Otherwise returns @group.
 */
static int total_of(const struct bpmu_compiler *c, int bank,
		    const struct bpmu_event_set *events, int group)
{
	const struct bpmu_event_set *total = &c->pack->group[BPMU_PACK_TOTAL(bank)];

	return bpmu_event_set_size(events) && bpmu_event_set_inside(events, total) ?
	       BPMU_PACK_TOTAL(bank) : group;
}

/*
 * Returns the group from which the count of an event is taken if the count has to be divided by the
 * clock (the count that tells how long the group was counted). This is the first group with the
 * event and the clock, else the first group with the event; -1 if no group has the event.
 */
static int home_of(const struct bpmu_compiler *c, unsigned int event)
{
	int bank = bpmu_needs_bank(c->needs, event);
	int found = -1;
	unsigned int g;

	for (g = c->pack->nr; g-- > 0; ) {
		if (!bpmu_event_set_has(&c->pack->group[g], event))
			continue;
		if (found < 0 ||
		    bpmu_event_set_inside(&c->needs->clock_events[bank],
					  &c->pack->group[g]))
			found = g;
	}
	return found;
}

/*
 * Compiles the quotient of the count of an event and the clock (the count that tells how long a
 * group was counted), both in the same group. Returns the number of the variable with the quotient,
 * or a negative errno. Formulas can combine such quotients even if the groups ran at different
 * times.
 */
static int per_clock(struct bpmu_compiler *c, unsigned int event)
{
	int bank = bpmu_needs_bank(c->needs, event);
	struct bpmu_event_set events = c->needs->clock_events[bank];
	int clock = c->needs->clock[bank];
	int home = home_of(c, event);
	struct bpmu_code code = code_of(c);
	int ret;

	if (c->per_clock[event] || home < 0)
		return c->per_clock[event];
	bpmu_event_set_add(&events, event);
	home = total_of(c, bank, &events, home);
	ret = bpmu_code_slot(&code, count_slot(c, event, home));
	if (!ret && clock >= 0)
		ret = bpmu_code_slot(&code, bpmu_compile_line(c, clock, home));
	if (!ret && clock >= 0)
		ret = bpmu_code_emit(&code, BPMU_EXPR_DIV, 0, 0);
	ret = bpmu_code_end(&code, ret);
	if (ret > 0)
		c->per_clock[event] = ret;
	return ret;
}

/**
 * bpmu_compile_view() - find the group from which compiled formulas take the counts of some events
 * @c: begun with bpmu_compile_begin()
 *
 * Return: BPMU_PACK_TOTAL() if all groups that use the same kind of counters (bank) have all of the
 * events, else the first group that has all events, or BPMU_VIEW_MIXED if no group has all events.
 */
int bpmu_compile_view(const struct bpmu_compiler *c,
		      const struct bpmu_event_set *events)
{
	int view = BPMU_VIEW_MIXED;
	unsigned int g;
	int bank;

	for (bank = 0; bank < BPMU_BANKS && view < 0; bank++)
		view = total_of(c, bank, events, view);
	for (g = 0; g < c->pack->nr && view < 0; g++)
		if (bpmu_event_set_inside(events, &c->pack->group[g]))
			view = g;
	return view;
}

static int compile_name(struct bpmu_compiler *c, struct bpmu_code *code,
			const char *name, int view)
{
	int i = bpmu_metrics_find(c->needs->metrics, name);
	int event;

	if (i >= 0)
		return bpmu_code_slot(code, bpmu_compile_line(c, i, view));
	i = bpmu_metric_constant(name);
	if (i >= 0)
		return bpmu_code_slot(code, i);
	event = bpmu_needs_event(c->needs, name);
	if (view == BPMU_VIEW_MIXED)
		return bpmu_code_slot(code, per_clock(c, event));
	return bpmu_code_slot(code, count_slot(c, event, view));
}

/*
 * Chooses the group for the counts of @expr, an operand of an expression whose events are in
 * several groups. A ratio may be counted at another time than the rest of the expression: if a
 * single group has all of its events, that group is returned. For any other operand BPMU_VIEW_MIXED
 * is returned.
 */
static int own_view(struct bpmu_compiler *c, const struct bpmu_expr *expr)
{
	struct bpmu_event_set events = { .word = { 0 } };

	if (bpmu_needs_degree(c->needs, expr) ||
	    bpmu_needs_of(c->needs, expr, &events, c->err))
		return BPMU_VIEW_MIXED;
	return bpmu_compile_view(c, &events);
}

static int compile_expr(struct bpmu_compiler *c, struct bpmu_code *code,
			const struct bpmu_expr *expr, int view)
{
	int ret = 0;
	int i;

	expr = bpmu_expr_taken(expr, c->needs->smt);
	if (expr->op == BPMU_EXPR_NUMBER)
		return bpmu_code_emit(code, expr->op, 0, expr->number);
	if (view == BPMU_VIEW_MIXED)
		view = own_view(c, expr);
	if (expr->op == BPMU_EXPR_NAME)
		return compile_name(c, code, expr->name, view);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = compile_expr(c, code, expr->arg[i], view);
	return ret ? ret : bpmu_code_emit(code, expr->op, 0, 0);
}

/*
 * The clock is the count that tells how long a group was counted. If a formula has events of
 * several groups, each count is divided by the clock of its group. Appends the operation that
 * undoes this to the statement of such a formula: a multiplication by the clock over the whole
 * interval.
 */
static int unscale(struct bpmu_compiler *c, struct bpmu_code *code,
		   unsigned int line)
{
	const struct bpmu_event_set *events = &c->needs->line[line].events;
	unsigned int i = 0;
	int clock;
	int bank;
	int view;
	int ret;

	while (!bpmu_event_set_has(events, i))
		i++;
	bank = bpmu_needs_bank(c->needs, i);
	clock = c->needs->clock[bank];
	if (clock < 0)
		return 0;
	view = total_of(c, bank, &c->needs->clock_events[bank], home_of(c, i));
	ret = bpmu_code_slot(code, bpmu_compile_line(c, clock, view));
	return ret ? ret : bpmu_code_emit(code, BPMU_EXPR_MUL, 0, 0);
}

/**
 * bpmu_compile_line() - compile the formula of a metric or definition
 * @c: begun with bpmu_compile_begin()
 * @line: index of the metric or definition
 * @view: group from which the counts are taken, or BPMU_VIEW_MIXED
 *
 * Return: number of the program's variable with the value, or a negative errno.
 */
int bpmu_compile_line(struct bpmu_compiler *c, unsigned int line, int view)
{
	unsigned int *made = &c->made[line * (BPMU_PACK_GROUPS + 1) + view + 1];
	struct bpmu_code code = code_of(c);
	int ret;

	if (*made)
		return *made;
	ret = compile_expr(c, &code, c->needs->metrics->metric[line].expr,
			   view);
	ret = bpmu_code_end(&code, ret);
	if (ret > 0)
		*made = ret;
	return ret;
}

/**
 * bpmu_compile_node() - compile the formula of a metric that is displayed as a node
 * @c: begun with bpmu_compile_begin()
 * @line: index of the metric, for which bpmu_needs_add() was called
 * @view: set to the group from which the counts are taken, or to BPMU_VIEW_MIXED
 *
 * Return: number of the program's variable with the value, or a negative errno.
 */
int bpmu_compile_node(struct bpmu_compiler *c, unsigned int line, int *view)
{
	const struct bpmu_metric *metric = &c->needs->metrics->metric[line];
	struct bpmu_code code = code_of(c);
	int ret;

	*view = bpmu_compile_view(c, &c->needs->line[line].events);
	ret = bpmu_compile_line(c, line, *view);
	if (*view != BPMU_VIEW_MIXED ||
	    bpmu_needs_degree(c->needs, metric->expr) != 1)
		return ret;
	ret = bpmu_code_slot(&code, ret);
	if (!ret)
		ret = unscale(c, &code, line);
	return bpmu_code_end(&code, ret);
}

/**
 * struct condition - what is needed to compile the names in the condition of a flag
 * @c: compiler of the program
 * @slots: [nr metrics and definitions], number of the program's variable with the value; 0 for what
 *	is not displayed
 */
struct condition {
	const struct bpmu_compiler *c;
	const int *slots;
};

/*
 * Compiles a name in a condition. It may be a displayed node, a constant, or a definition that is
 * computed from displayed nodes and constants only.
 */
static int condition_name(void *ctx, struct bpmu_code *code, const char *name)
{
	const struct condition *condition = ctx;
	const struct bpmu_metrics *metrics = condition->c->needs->metrics;
	int i = bpmu_metrics_find(metrics, name);

	if (i >= 0 && condition->slots[i] > 0)
		return bpmu_code_slot(code, condition->slots[i]);
	if (i >= 0 && !metrics->metric[i].level)
		return bpmu_code_expr(code, metrics->metric[i].expr, condition_name, ctx);
	i = bpmu_metric_constant(name);
	return i >= 0 ? bpmu_code_slot(code, i) :
			bpmu_code_emit(code, BPMU_EXPR_NUMBER, 0, NAN);
}

/**
 * bpmu_compile_flag() - compile a flag's condition into the program of the metrics
 * @c: begun with bpmu_compile_begin()
 * @flag: the condition
 * @slots: [nr metrics and definitions], number of the program's variable with the value; 0 for what
 *	is not displayed
 *
 * Return: number of the variable with the condition's value, or a negative errno.
 */
int bpmu_compile_flag(struct bpmu_compiler *c, const struct bpmu_expr *flag,
		      const int *slots)
{
	struct condition condition = { .c = c, .slots = slots };
	struct bpmu_code code = code_of(c);

	return bpmu_code_end(&code, bpmu_code_expr(&code, flag, condition_name, &condition));
}

/**
 * bpmu_compile_begin() - start to compile formulas into a program
 * @c: set; the caller ends it with bpmu_compile_end(), also after an error
 * @program: set to an empty program; the caller frees it, also after an error
 * @needs: events of all metrics and definitions; must outlive @c
 * @pack: groups of these events; must outlive @c
 * @err: set when this function or a later one with @c fails; must outlive @c
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_compile_begin(struct bpmu_compiler *c, struct bpmu_program *program,
		       struct bpmu_needs *needs, const struct bpmu_pack *pack,
		       struct bpmu_error *err)
{
	unsigned int slot = BPMU_NR_CONSTANTS;
	unsigned int g;

	memset(c, 0, sizeof(*c));
	memset(program, 0, sizeof(*program));
	c->program = program;
	c->needs = needs;
	c->pack = pack;
	c->err = err;
	for (g = 0; g < BPMU_PACK_GROUPS; g++) {
		program->first_count[g] = slot;
		if (g < pack->nr || g >= BPMU_PACK_TOTAL(0))
			slot += bpmu_event_set_size(&pack->group[g]);
	}
	program->first_result = slot;
	c->made = calloc(needs->metrics->nr + 1, (BPMU_PACK_GROUPS + 1) *
						 sizeof(*c->made));
	return c->made ? 0 : bpmu_error_no_memory(c->err, "metrics");
}

/**
 * bpmu_compile_end() - free the state of compiling formulas
 * @c: begun with bpmu_compile_begin()
 */
void bpmu_compile_end(struct bpmu_compiler *c)
{
	free(c->made);
	c->made = NULL;
}
