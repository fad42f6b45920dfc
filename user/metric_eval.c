// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "metric_expr.h"

static const struct bpmu_value no_value;

static struct bpmu_value some(double number)
{
	struct bpmu_value value = { .known = isfinite(number) };

	value.number = value.known ? number : 0;
	return value;
}

static struct bpmu_value compute(enum bpmu_expr_op op, double a, double b)
{
	switch (op) {
	case BPMU_EXPR_ADD:
		return some(a + b);
	case BPMU_EXPR_SUB:
		return some(a - b);
	case BPMU_EXPR_MUL:
		return some(a * b);
	case BPMU_EXPR_DIV:
		return b != 0 ? some(a / b) : no_value;
	case BPMU_EXPR_MIN:
		return some(a < b ? a : b);
	case BPMU_EXPR_MAX:
		return some(a > b ? a : b);
	case BPMU_EXPR_LT:
		return some(a < b);
	case BPMU_EXPR_LE:
		return some(a <= b);
	case BPMU_EXPR_GT:
		return some(a > b);
	case BPMU_EXPR_GE:
		return some(a >= b);
	default:
		return no_value;
	}
}

static bool is_true(struct bpmu_value value)
{
	return value.number != 0;
}

/*
 * What decides alone decides also when the other side has no value: a flag on
 * a node that was not measured must not hide one that was.
 */
static struct bpmu_value logic(enum bpmu_expr_op op, struct bpmu_value a,
			       struct bpmu_value b)
{
	bool decides = op == BPMU_EXPR_OR;

	if ((a.known && is_true(a) == decides) ||
	    (b.known && is_true(b) == decides))
		return some(decides);
	return a.known && b.known ? some(!decides) : no_value;
}

static struct bpmu_value choose(const struct bpmu_expr *expr,
				bpmu_lookup_fn *lookup, void *ctx)
{
	struct bpmu_value condition;

	condition = bpmu_expr_eval(expr->arg[1], lookup, ctx);
	if (!condition.known)
		return no_value;
	return bpmu_expr_eval(expr->arg[is_true(condition) ? 0 : 2], lookup,
			      ctx);
}

/**
 * bpmu_expr_eval() - the value of an expression
 * @expr: the expression
 * @lookup: gives the value of a name, or none
 * @ctx: for @lookup
 *
 * Nothing is made up: no value in, or a division by zero, gives no value out.
 *
 * Context: any.
 * Return: the value, always finite, or none.
 */
struct bpmu_value bpmu_expr_eval(const struct bpmu_expr *expr,
				 bpmu_lookup_fn *lookup, void *ctx)
{
	struct bpmu_value a;
	struct bpmu_value b;

	if (expr->op == BPMU_EXPR_NUMBER)
		return some(expr->number);
	if (expr->op == BPMU_EXPR_NAME)
		return lookup(ctx, expr->name);
	if (expr->op == BPMU_EXPR_IF)
		return choose(expr, lookup, ctx);
	a = bpmu_expr_eval(expr->arg[0], lookup, ctx);
	b = bpmu_expr_eval(expr->arg[1], lookup, ctx);
	if (expr->op == BPMU_EXPR_AND || expr->op == BPMU_EXPR_OR)
		return logic(expr->op, a, b);
	return a.known && b.known ? compute(expr->op, a.number, b.number) :
				    no_value;
}
