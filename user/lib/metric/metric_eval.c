// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric_program.h"

/**
 * bpmu_value_of() - make the value of an evaluated formula from a number
 * @number: any number
 *
 * Return: the value; it is unknown if @number is not finite.
 */
struct bpmu_value bpmu_value_of(double number)
{
	struct bpmu_value value = { .known = isfinite(number) };

	value.number = value.known ? number : 0;
	return value;
}

/*
 * Returns the number if it is finite, else NAN: the difference of an infinite number and itself is
 * NAN. The compiler can vectorise this without a comparison.
 */
static inline double finite_or_nan(double number)
{
	return number - (number - number);
}

static inline double truth(double a, double b, bool is)
{
	return isunordered(a, b) ? NAN : is;
}

/*
 * Computes "and" (@decides is false) and "or" (@decides is true). If one argument determines the
 * result, the result is known even if the other argument is unknown. So a node that was not
 * measured does not make a whole condition unknown.
 */
static inline double logical(double a, double b, bool decides)
{
	if ((!isnan(a) && !!a == decides) || (!isnan(b) && !!b == decides))
		return decides;
	return truth(a, b, !decides);
}

/*
 * Computes the number of an operation; NAN is an unknown one. The result is unknown if an
 * argument is, or if a divisor is 0.
 */
static inline double metric_eval_number(enum bpmu_expr_op op, double a, double b, double c)
{
	switch (op) {
	case BPMU_EXPR_IF:
		return isnan(b) ? NAN : b != 0 ? a : c;
	case BPMU_EXPR_EITHER:
		return isnan(a) ? b : a;
	case BPMU_EXPR_AND:
		return logical(a, b, false);
	case BPMU_EXPR_OR:
		return logical(a, b, true);
	case BPMU_EXPR_ADD:
		return finite_or_nan(a + b);
	case BPMU_EXPR_SUB:
		return finite_or_nan(a - b);
	case BPMU_EXPR_MUL:
		return finite_or_nan(a * b);
	case BPMU_EXPR_DIV:
		return finite_or_nan(a / b);
	case BPMU_EXPR_MIN:
		return isunordered(a, b) ? NAN : a < b ? a : b;
	case BPMU_EXPR_MAX:
		return isunordered(a, b) ? NAN : a > b ? a : b;
	case BPMU_EXPR_LT:
		return truth(a, b, a < b);
	case BPMU_EXPR_LE:
		return truth(a, b, a <= b);
	case BPMU_EXPR_GT:
		return truth(a, b, a > b);
	case BPMU_EXPR_GE:
		return truth(a, b, a >= b);
	case BPMU_EXPR_EQ:
		return truth(a, b, a == b);
	default:
		return NAN;
	}
}

static double number_of(const struct bpmu_value *value)
{
	return value->known ? value->number : NAN;
}

/* Computes an operation; the result has the flags of the arguments that it depends on. */
static struct bpmu_value metric_eval_compute(enum bpmu_expr_op op,
					     const struct bpmu_value *arg)
{
	const struct bpmu_value *a = &arg[0], *b = &arg[1];
	unsigned int flags = a->flags | b->flags;
	struct bpmu_value value;

	if (op == BPMU_EXPR_IF) {
		if (!b->known)
			return *b;
		value = arg[b->number != 0 ? 0 : 2];
		value.flags |= b->flags;
		return value;
	}
	if (op == BPMU_EXPR_EITHER)
		return arg[!a->known];
	value = bpmu_value_of(metric_eval_number(op, number_of(a), number_of(b), NAN));
	if (op == BPMU_EXPR_DIV) {
		/*
		 * Without the event that corrects it, the divisor is not above 0, so that its
		 * true value is unknown.
		 */
		if (b->flags & BPMU_VALUE_UNCORRECTED && b->number <= 0) {
			value = bpmu_value_of(NAN);
			flags |= BPMU_VALUE_MISSING;
		} else if (a->known && b->known && b->number == 0) {
			flags |= BPMU_VALUE_DIVIDED_BY_0;
		}
	}
	value.flags = value.known ? flags & ~BPMU_VALUE_NONE : flags;
	return value;
}

/**
 * bpmu_program_run() - evaluate compiled formulas: execute the statements of a program
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

static bool statement_depends(const struct bpmu_program *program, unsigned int statement,
			      const bool *changed)
{
	const struct bpmu_op *op = program->op + program->statement[statement].first;
	const struct bpmu_op *end = program->op + program->statement[statement].end;

	for (; op < end; op++)
		if (op->op == BPMU_EXPR_NAME && changed[op->slot])
			return true;
	return false;
}

/**
 * bpmu_program_reach() - find the statements whose results change if some slots have other values
 * @program: compiled program
 * @slot: index of the first slot with other values
 * @nr: number of slots with other values
 * @end: index after the last statement to consider
 * @reach: filled in; &bpmu_reach.statement is to be freed with free()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_program_reach(const struct bpmu_program *program, unsigned int slot,
		       unsigned int nr, unsigned int end, struct bpmu_reach *reach)
{
	bool *changed = calloc(program->first_result + program->nr_statements + 1,
			       sizeof(*changed));
	unsigned int i;

	reach->nr = 0;
	reach->statement = calloc(end + 1, sizeof(*reach->statement));
	if (!changed || !reach->statement) {
		free(changed);
		free(reach->statement);
		reach->statement = NULL;
		return -ENOMEM;
	}
	memset(changed + slot, true, nr);
	for (i = 0; i < end; i++) {
		if (!statement_depends(program, i, changed))
			continue;
		changed[program->first_result + i] = true;
		reach->statement[reach->nr++] = i;
	}
	free(changed);
	return 0;
}

/**
 * bpmu_replicates_make() - allocate replicates, with which a program can be evaluated
 * @program: compiled program
 * @replicates: filled in; to be freed with bpmu_replicates_free() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_replicates_make(const struct bpmu_program *program, struct bpmu_replicates *replicates)
{
	unsigned int nr = program->first_result + program->nr_statements + 1;

	replicates->now = 1;
	replicates->number = calloc(nr, sizeof(*replicates->number));
	replicates->turn = calloc(nr, sizeof(*replicates->turn));
	return replicates->number && replicates->turn ? 0 : -ENOMEM;
}

/**
 * bpmu_replicates_free() - free the room in which bpmu_program_try() evaluates several values
 * @replicates: the replicates, or zeroed
 */
void bpmu_replicates_free(struct bpmu_replicates *replicates)
{
	free(replicates->number);
	free(replicates->turn);
	memset(replicates, 0, sizeof(*replicates));
}

/**
 * bpmu_replicates_set() - let a slot of an evaluated program have several values
 * @replicates: from bpmu_replicates_make()
 * @slot: index of the slot
 *
 * After the next call of bpmu_program_try() the slot has a single value again.
 *
 * Return: [BPMU_REPLICATES], values of the slot, to be set by the caller; NAN for an unknown value.
 */
double *bpmu_replicates_set(struct bpmu_replicates *replicates, unsigned int slot)
{
	replicates->turn[slot] = replicates->now;
	return replicates->number[slot];
}

/* Replicates are computed in blocks of this many, so that the compiler can vectorise a block. */
#define BLOCK 4

/* Sets @nr replicates of a value, rounded up to whole blocks, to the same number. */
static const double *in_all(double *numbers, double number, unsigned int nr)
{
	const double *end = numbers + nr;
	unsigned int i;
	double *at;

	for (at = numbers; at < end; at += BLOCK)
		for (i = 0; i < BLOCK; i++)
			at[i] = number;
	return numbers;
}

#define IN_EACH(name)								\
	case name:								\
		for (; a < end; a += BLOCK, b += BLOCK, c += BLOCK, result += BLOCK) { \
			for (i = 0; i < BLOCK; i++)				\
				block[i] = metric_eval_number(name, a[i], b[i], c[i]); \
			memcpy(result, block, sizeof(block));			\
		}								\
		break

/*
 * Computes an operation for @nr replicates of its arguments, rounded up to whole blocks. Each
 * operator has a loop of its own, so that a block has no branches. @result may be one of the
 * arguments.
 */
static void compute_each(enum bpmu_expr_op op, const double *const *arg, double *result,
			 unsigned int nr)
{
	const double *a = arg[0], *b = arg[1], *c = op == BPMU_EXPR_IF ? arg[2] : arg[1];
	const double *end = a + nr;
	double block[BLOCK];
	unsigned int i;

	switch (op) {
	IN_EACH(BPMU_EXPR_IF);
	IN_EACH(BPMU_EXPR_EITHER);
	IN_EACH(BPMU_EXPR_AND);
	IN_EACH(BPMU_EXPR_OR);
	IN_EACH(BPMU_EXPR_ADD);
	IN_EACH(BPMU_EXPR_SUB);
	IN_EACH(BPMU_EXPR_MUL);
	IN_EACH(BPMU_EXPR_DIV);
	IN_EACH(BPMU_EXPR_MIN);
	IN_EACH(BPMU_EXPR_MAX);
	IN_EACH(BPMU_EXPR_LT);
	IN_EACH(BPMU_EXPR_LE);
	IN_EACH(BPMU_EXPR_GT);
	IN_EACH(BPMU_EXPR_GE);
	IN_EACH(BPMU_EXPR_EQ);
	default:
		in_all(result, NAN, nr);
	}
}

/**
 * bpmu_program_try() - evaluate compiled formulas for several values of slots at once
 * @program: compiled program
 * @reach: the statements, from bpmu_program_reach() of the slots that have several values
 * @slot: values of all other slots; none may be %BPMU_VALUE_UNCORRECTED
 * @replicates: has the values that were set with bpmu_replicates_set(); on return also the results
 *	of the statements
 * @nr: number of values of each slot, at most %BPMU_REPLICATES; the results have as many
 *
 * The results are the numbers that bpmu_program_run() computes, without their flags.
 */
void bpmu_program_try(const struct bpmu_program *program, const struct bpmu_reach *reach,
		      const struct bpmu_value *slot, struct bpmu_replicates *replicates,
		      unsigned int nr)
{
	/* An entry of the stack points to the replicates of a slot, or to its numbers in @own. */
	double own[program->depth + 1][BPMU_REPLICATES];
	const double *stack[program->depth + 1];
	const struct bpmu_op *op, *last;
	unsigned int i, at, top;
	double *result, *to;

	for (i = 0; i < reach->nr; i++) {
		at = reach->statement[i];
		op = program->op + program->statement[at].first;
		last = program->op + program->statement[at].end;
		result = bpmu_replicates_set(replicates, program->first_result + at);
		for (top = 0; op < last; op++, top++) {
			if (op->op == BPMU_EXPR_NUMBER) {
				stack[top] = in_all(own[top], finite_or_nan(op->number), nr);
			} else if (op->op != BPMU_EXPR_NAME) {
				top -= op->op == BPMU_EXPR_IF ? 3 : 2;
				to = op + 1 < last ? own[top] : result;
				compute_each(op->op, stack + top, to, nr);
				stack[top] = to;
			} else if (replicates->turn[op->slot] == replicates->now) {
				stack[top] = replicates->number[op->slot];
			} else {
				stack[top] = in_all(own[top], number_of(&slot[op->slot]), nr);
			}
		}
		if (stack[0] != result)
			memcpy(result, stack[0], nr * sizeof(*result));
	}
	replicates->now++;
}
