// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "metric_program.h"

/**
 * bpmu_value_of() - make a value of a number
 * @number: any number
 *
 * Return: the value, unknown if the number is not finite.
 */
struct bpmu_value bpmu_value_of(double number)
{
	struct bpmu_value value = { .known = isfinite(number) };

	value.number = value.known ? number : 0;
	return value;
}

/*
 * Computes an operation. The result is unknown if an argument is, or if a divisor is 0; it
 * has the flags of the arguments.
 *
 * Exception: logical operations have a value if one argument determines it, so that an
 * unmeasured node in a condition does not hide a measured one.
 */
static struct bpmu_value metric_eval_compute(enum bpmu_expr_op op,
					     const struct bpmu_value *arg)
{
	const struct bpmu_value *a = &arg[0], *b = &arg[1];
	unsigned int flags = a->flags | b->flags;
	bool known = a->known && b->known;
	struct bpmu_value value = { };
	double number = NAN;
	bool decides;

	switch (op) {
	case BPMU_EXPR_IF:
		if (!b->known)
			return *b;
		value = arg[b->number != 0 ? 0 : 2];
		value.flags |= b->flags;
		return value;
	case BPMU_EXPR_EITHER:
		return arg[!a->known];
	case BPMU_EXPR_AND:
	case BPMU_EXPR_OR:
		decides = op == BPMU_EXPR_OR;
		if ((a->known && !!a->number == decides) ||
		    (b->known && !!b->number == decides))
			number = decides;
		else if (known)
			number = !decides;
		known = true;
		break;
	case BPMU_EXPR_ADD:
		number = a->number + b->number;
		break;
	case BPMU_EXPR_SUB:
		number = a->number - b->number;
		break;
	case BPMU_EXPR_MUL:
		number = a->number * b->number;
		break;
	case BPMU_EXPR_DIV:
		/* Without its event it is no correction of the divisor, but the divisor. */
		if (b->flags & BPMU_VALUE_UNCORRECTED && b->number <= 0)
			flags |= BPMU_VALUE_MISSING;
		else if (b->number != 0)
			number = a->number / b->number;
		else if (known)
			flags |= BPMU_VALUE_DIVIDED_BY_0;
		break;
	case BPMU_EXPR_MIN:
		number = a->number < b->number ? a->number : b->number;
		break;
	case BPMU_EXPR_MAX:
		number = a->number > b->number ? a->number : b->number;
		break;
	case BPMU_EXPR_LT:
		number = a->number < b->number;
		break;
	case BPMU_EXPR_LE:
		number = a->number <= b->number;
		break;
	case BPMU_EXPR_GT:
		number = a->number > b->number;
		break;
	case BPMU_EXPR_GE:
		number = a->number >= b->number;
		break;
	case BPMU_EXPR_EQ:
		number = a->number == b->number;
		break;
	default:
		break;
	}
	value.known = known && isfinite(number);
	value.number = value.known ? number : 0;
	value.flags = value.known ? flags & ~BPMU_VALUE_NONE : flags;
	return value;
}

/**
 * bpmu_expr_eval() - evaluate an expression
 * @expr: the expression
 * @lookup: returns the value of a name
 * @ctx: argument of @lookup
 *
 * Return: the value, which is finite; unknown if an operand is, or if a divisor is 0.
 */
struct bpmu_value bpmu_expr_eval(const struct bpmu_expr *expr,
				 bpmu_lookup_fn *lookup, void *ctx)
{
	struct bpmu_value arg[BPMU_EXPR_ARGS] = { { .known = false } };
	int i;

	if (expr->op == BPMU_EXPR_NUMBER)
		return bpmu_value_of(expr->number);
	if (expr->op == BPMU_EXPR_NAME)
		return lookup(ctx, expr->name);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		arg[i] = bpmu_expr_eval(expr->arg[i], lookup, ctx);
	return metric_eval_compute(expr->op, arg);
}

/**
 * bpmu_program_run() - execute statements
 * @program: compiled program
 * @first: index of the first statement
 * @end: index after the last statement
 * @slot: slots with constants, counts and results of the statements before @first; set to the
 *	results of the statements
 */
void bpmu_program_run(const struct bpmu_program *program, unsigned int first,
		      unsigned int end, struct bpmu_value *slot)
{
	struct bpmu_value *result = slot + program->first_result + first;
	struct bpmu_value stack[program->depth + 1];
	const struct bpmu_op *op, *last;
	struct bpmu_value *top;
	unsigned int i;

	for (i = first; i < end; i++) {
		top = stack;
		op = program->op + program->statement[i].first;
		last = program->op + program->statement[i].end;
		for (; op < last; op++) {
			if (op->op == BPMU_EXPR_NAME) {
				*top++ = slot[op->slot];
			} else if (op->op == BPMU_EXPR_NUMBER) {
				*top++ = (struct bpmu_value){
					.known = isfinite(op->number),
					.number = op->number,
				};
			} else {
				top -= op->op == BPMU_EXPR_IF ? 3 : 2;
				*top = metric_eval_compute(op->op, top);
				top++;
			}
		}
		*result++ = top[-1];
	}
}

static struct bpmu_value lookup_smt(void *ctx, const char *name)
{
	const int *smt = ctx;

	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(*smt);
	return (struct bpmu_value){ .known = false };
}

/**
 * bpmu_expr_taken() - resolve an "if" whose condition is SMT
 * @expr: any expression
 * @smt: hyper-threading is on
 *
 * Return: the argument that is used; @expr for other expressions.
 */
const struct bpmu_expr *bpmu_expr_taken(const struct bpmu_expr *expr, int smt)
{
	struct bpmu_value condition;

	while (expr->op == BPMU_EXPR_IF) {
		condition = bpmu_expr_eval(expr->arg[1], lookup_smt, &smt);
		if (!condition.known)
			break;
		expr = expr->arg[condition.number != 0 ? 0 : 2];
	}
	return expr;
}
