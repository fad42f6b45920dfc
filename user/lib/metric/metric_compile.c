// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric_program.h"

/* Maximum depth of the stack. No sensible formula needs so much. */
#define STACK_MAX 4096
#define CODE_MAX 65536

/**
 * struct code - operations of a statement that is being compiled
 * @op: the operations
 * @nr: number of @op
 * @height: current height of the stack
 */
struct code {
	struct bpmu_op *op;
	unsigned int nr;
	unsigned int height;
};

static int metric_compile_emit(struct bpmu_compiler *c, struct code *code,
			       enum bpmu_expr_op op, unsigned int slot, double number)
{
	struct bpmu_op *grown;

	grown = reallocarray(code->op, code->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(c->err, "metrics");
	code->op = grown;
	grown[code->nr++] = (struct bpmu_op){
		.op = op, .slot = slot, .number = number,
	};
	if (op == BPMU_EXPR_NAME || op == BPMU_EXPR_NUMBER)
		code->height++;
	else
		code->height -= op == BPMU_EXPR_IF ? 2 : 1;
	if (code->height > c->program->depth)
		c->program->depth = code->height;
	if (code->height <= STACK_MAX && code->nr <= CODE_MAX)
		return 0;
	return bpmu_error_set(c->err, -E2BIG,
			      "metrics: a formula is too long; define names for parts of it");
}

static int emit_slot(struct bpmu_compiler *c, struct code *code, int slot)
{
	return slot < 0 ? slot : metric_compile_emit(c, code, BPMU_EXPR_NAME, slot, 0);
}

/* Appends the operations of @code to the program as a statement; returns the statement's slot. */
static int metric_compile_finish(struct bpmu_compiler *c, struct code *code)
{
	struct bpmu_program *p = c->program;
	struct bpmu_statement *statements;
	struct bpmu_op *ops;

	ops = reallocarray(p->op, p->nr_ops + code->nr, sizeof(*ops));
	if (!ops)
		return bpmu_error_no_memory(c->err, "metrics");
	p->op = ops;
	statements = reallocarray(p->statement, p->nr_statements + 1, sizeof(*statements));
	if (!statements)
		return bpmu_error_no_memory(c->err, "metrics");
	p->statement = statements;
	memcpy(ops + p->nr_ops, code->op, code->nr * sizeof(*ops));
	statements[p->nr_statements].first = p->nr_ops;
	p->nr_ops += code->nr;
	statements[p->nr_statements].end = p->nr_ops;
	return p->first_result + p->nr_statements++;
}

/* Returns the slot that holds the count of an event in a group. */
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
 * Returns the view from which the counts of a line are taken: BPMU_PACK_TOTAL() if all groups of
 * the bank have the line's events, because all groups together count all the time; else @group.
 */
static int total_of(const struct bpmu_compiler *c, int bank,
		    const struct bpmu_event_set *events, int group)
{
	const struct bpmu_event_set *total = &c->pack->group[BPMU_PACK_TOTAL(bank)];

	return bpmu_event_set_size(events) && bpmu_event_set_inside(events, total) ?
	       BPMU_PACK_TOTAL(bank) : group;
}

/*
 * Returns the group from which the count of an event is taken if the count is to be divided by the
 * clock: a group that has both the event and the clock, or else any group with the event.
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
 * Compiles the count of an event divided by the clock of its group; returns the slot of the
 * quotient. Formulas can combine such quotients even if the groups ran at different times.
 */
static int per_clock(struct bpmu_compiler *c, unsigned int event)
{
	int bank = bpmu_needs_bank(c->needs, event);
	struct bpmu_event_set events = c->needs->clock_events[bank];
	int clock = c->needs->clock[bank];
	int home = home_of(c, event);
	struct code code = { .nr = 0 };
	int ret;

	if (c->per_clock[event] || home < 0)
		return c->per_clock[event];
	bpmu_event_set_add(&events, event);
	home = total_of(c, bank, &events, home);
	ret = emit_slot(c, &code, count_slot(c, event, home));
	if (!ret && clock >= 0)
		ret = emit_slot(c, &code, bpmu_compile_line(c, clock, home));
	if (!ret && clock >= 0)
		ret = metric_compile_emit(c, &code, BPMU_EXPR_DIV, 0, 0);
	if (!ret)
		ret = metric_compile_finish(c, &code);
	if (ret > 0)
		c->per_clock[event] = ret;
	free(code.op);
	return ret;
}

/**
 * bpmu_compile_view() - find the group whose counts of a set of events a compiled line reads
 * @c: from bpmu_compile_begin()
 *
 * Return: BPMU_PACK_TOTAL() of the bank if each group of the bank has all events, else the first
 * group that has all events, or BPMU_VIEW_MIXED if no group has them.
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

static int compile_name(struct bpmu_compiler *c, struct code *code,
			const char *name, int view)
{
	int i = bpmu_metrics_find(c->needs->metrics, name);
	int event;

	if (i >= 0)
		return emit_slot(c, code, bpmu_compile_line(c, i, view));
	i = bpmu_metric_constant(name);
	if (i >= 0)
		return emit_slot(c, code, i);
	event = bpmu_needs_event(c->needs, name);
	if (view == BPMU_VIEW_MIXED)
		return emit_slot(c, code, per_clock(c, event));
	return emit_slot(c, code, count_slot(c, event, view));
}

/*
 * Returns the view of an operand of an expression with events of several groups. A ratio may be of
 * another time than the rest of the expression, so it is taken from a single group if possible. The
 * view of any other operand is BPMU_VIEW_MIXED.
 */
static int own_view(struct bpmu_compiler *c, const struct bpmu_expr *expr)
{
	struct bpmu_event_set events = { .word = { 0 } };

	if (bpmu_needs_degree(c->needs, expr) ||
	    bpmu_needs_of(c->needs, expr, &events, c->err))
		return BPMU_VIEW_MIXED;
	return bpmu_compile_view(c, &events);
}

static int compile_expr(struct bpmu_compiler *c, struct code *code,
			const struct bpmu_expr *expr, int view)
{
	int ret = 0;
	int i;

	expr = bpmu_expr_taken(expr, c->needs->smt);
	if (expr->op == BPMU_EXPR_NUMBER)
		return metric_compile_emit(c, code, expr->op, 0, expr->number);
	if (view == BPMU_VIEW_MIXED)
		view = own_view(c, expr);
	if (expr->op == BPMU_EXPR_NAME)
		return compile_name(c, code, expr->name, view);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = compile_expr(c, code, expr->arg[i], view);
	return ret ? ret : metric_compile_emit(c, code, expr->op, 0, 0);
}

/*
 * Converts a value that was computed from counts per clock back to a count: multiplies it by the
 * clock of the whole interval.
 */
static int unscale(struct bpmu_compiler *c, struct code *code,
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
	ret = emit_slot(c, code, bpmu_compile_line(c, clock, view));
	return ret ? ret : metric_compile_emit(c, code, BPMU_EXPR_MUL, 0, 0);
}

/**
 * bpmu_compile_line() - compile a line's formula
 * @c: from bpmu_compile_begin()
 * @line: index of the line
 * @view: group from which counts are taken, or BPMU_VIEW_MIXED
 *
 * Return: slot of the value, or a negative errno.
 */
int bpmu_compile_line(struct bpmu_compiler *c, unsigned int line, int view)
{
	unsigned int *made = &c->made[line * (BPMU_PACK_GROUPS + 1) + view + 1];
	struct code code = { .nr = 0 };
	int ret;

	if (*made)
		return *made;
	ret = compile_expr(c, &code, c->needs->metrics->metric[line].expr,
			   view);
	if (!ret)
		ret = metric_compile_finish(c, &code);
	if (ret > 0)
		*made = ret;
	free(code.op);
	return ret;
}

/**
 * bpmu_compile_node() - compile the formula of a metric that is displayed as a node
 * @c: from bpmu_compile_begin()
 * @line: index of a line added by bpmu_needs_add()
 * @view: set to the group with all events of the line, or BPMU_VIEW_MIXED
 *
 * Return: slot of the value, or a negative errno.
 */
int bpmu_compile_node(struct bpmu_compiler *c, unsigned int line, int *view)
{
	const struct bpmu_metric *metric = &c->needs->metrics->metric[line];
	struct code code = { .nr = 0 };
	int ret;

	*view = bpmu_compile_view(c, &c->needs->line[line].events);
	ret = bpmu_compile_line(c, line, *view);
	if (*view != BPMU_VIEW_MIXED ||
	    bpmu_needs_degree(c->needs, metric->expr) != 1)
		return ret;
	ret = emit_slot(c, &code, ret);
	if (!ret)
		ret = unscale(c, &code, line);
	if (!ret)
		ret = metric_compile_finish(c, &code);
	free(code.op);
	return ret;
}

/*
 * Compiles the condition of a flag. It may use displayed nodes, constants, and definitions that are
 * computed from displayed nodes and constants only.
 */
static int compile_condition(struct bpmu_compiler *c, struct code *code,
			     const struct bpmu_expr *expr, const int *slots)
{
	int ret = 0;
	int i;

	if (expr->op == BPMU_EXPR_NUMBER)
		return metric_compile_emit(c, code, expr->op, 0, expr->number);
	if (expr->op != BPMU_EXPR_NAME) {
		for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
			ret = compile_condition(c, code, expr->arg[i], slots);
		return ret ? ret : metric_compile_emit(c, code, expr->op, 0, 0);
	}
	i = bpmu_metrics_find(c->needs->metrics, expr->name);
	if (i >= 0 && slots[i] > 0)
		return emit_slot(c, code, slots[i]);
	if (i >= 0 && !c->needs->metrics->metric[i].level)
		return compile_condition(c, code,
					 c->needs->metrics->metric[i].expr,
					 slots);
	i = bpmu_metric_constant(expr->name);
	return i >= 0 ? emit_slot(c, code, i) :
			metric_compile_emit(c, code, BPMU_EXPR_NUMBER, 0, NAN);
}

/**
 * bpmu_compile_flag() - compile the condition of a line's flag
 * @c: from bpmu_compile_begin()
 * @flag: the condition
 * @slots: [nr lines], slot of the line's value, 0 if the line is not displayed
 *
 * Return: slot of the condition's value, or a negative errno.
 */
int bpmu_compile_flag(struct bpmu_compiler *c, const struct bpmu_expr *flag,
		      const int *slots)
{
	struct code code = { .nr = 0 };
	int ret;

	ret = compile_condition(c, &code, flag, slots);
	if (!ret)
		ret = metric_compile_finish(c, &code);
	free(code.op);
	return ret;
}

/**
 * bpmu_compile_begin() - start to compile formulas into a program
 * @c: set; to be ended with bpmu_compile_end() in any case
 * @program: set; to be freed in any case
 * @needs: events of all lines; must outlive @c
 * @pack: groups; must outlive @c
 * @err: set on failure of this function or of another function that gets @c
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
 * @c: from bpmu_compile_begin()
 */
void bpmu_compile_end(struct bpmu_compiler *c)
{
	free(c->made);
	c->made = NULL;
}

void bpmu_program_free(struct bpmu_program *program)
{
	free(program->op);
	free(program->statement);
	memset(program, 0, sizeof(*program));
}
