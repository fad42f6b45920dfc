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
 * Computes the result of an operation; NAN stands for an unknown number. The result is unknown if
 * an argument is unknown, or if a divisor is 0. The compiler can vectorise this function.
 */
static inline double metric_eval_number(enum bpmu_expr_op op, double a, double b, double c)
{
	double number;

	switch (op) {
	case BPMU_EXPR_IF:
		return isnan(b) ? NAN : b != 0 ? a : c;
	case BPMU_EXPR_EITHER:
		return isnan(a) ? b : a;
	/*
	 * If one argument of "and" is false, or one of "or" is true, the result is known even if
	 * the other argument is unknown. So a node that was not measured does not make a whole
	 * condition unknown. (In C "a == 0" is false if a is NAN.)
	 */
	case BPMU_EXPR_AND:
		return a == 0 || b == 0 ? 0 : isunordered(a, b) ? NAN : 1;
	case BPMU_EXPR_OR:
		return islessgreater(a, 0) || islessgreater(b, 0) ? 1 : isunordered(a, b) ? NAN : 0;
	case BPMU_EXPR_MIN:
		return isunordered(a, b) ? NAN : a < b ? a : b;
	case BPMU_EXPR_MAX:
		return isunordered(a, b) ? NAN : a > b ? a : b;
	case BPMU_EXPR_LT:
		return isunordered(a, b) ? NAN : a < b;
	case BPMU_EXPR_LE:
		return isunordered(a, b) ? NAN : a <= b;
	case BPMU_EXPR_GT:
		return isunordered(a, b) ? NAN : a > b;
	case BPMU_EXPR_GE:
		return isunordered(a, b) ? NAN : a >= b;
	case BPMU_EXPR_EQ:
		return isunordered(a, b) ? NAN : a == b;
	case BPMU_EXPR_ADD:
		number = a + b;
		break;
	case BPMU_EXPR_SUB:
		number = a - b;
		break;
	case BPMU_EXPR_MUL:
		number = a * b;
		break;
	case BPMU_EXPR_DIV:
		number = a / b;
		break;
	default:
		return NAN;
	}
	/* If the number is infinite, number - number is NAN, and the result is NAN, too. */
	return number - (number - number);
}

/**
 * bpmu_program_run() - evaluate compiled formulas: execute the statements of a program
 * @program: compiled program
 * @first: index of the first statement
 * @end: index after the last statement
 * @slot: values of the program's variables (slots): constants, counts, and results of the
 *	statements before @first. The results of the executed statements are written to it
 *
 * The result of an operation has the flags of the arguments that it depends on.
 */
void bpmu_program_run(const struct bpmu_program *program, unsigned int first,
		      unsigned int end, struct bpmu_value *slot)
{
	struct bpmu_value *result = slot + program->first_result + first;
	struct bpmu_value stack[program->depth + 1];
	const struct bpmu_op *op, *last;
	struct bpmu_value *a, *b;
	unsigned int i, flags;
	double number;

	for (i = first; i < end; i++) {
		/* @a is the top of the stack. The first element of @stack stays unused. */
		a = stack;
		op = program->op + program->statement[i].first;
		last = program->op + program->statement[i].end;
		for (; op < last; op++) {
			switch (op->op) {
			case BPMU_EXPR_NAME:
				*++a = slot[op->slot];
				continue;
			case BPMU_EXPR_NUMBER:
				*++a = (struct bpmu_value){
					.known = isfinite(op->number), .number = op->number,
				};
				continue;
			case BPMU_EXPR_IF:
				a -= 2;
				b = a + 1;
				flags = b->flags;
				*a = !b->known ? *b : b->number != 0 ? *a : a[2];
				a->flags |= flags;
				continue;
			case BPMU_EXPR_EITHER:
				a--;
				if (!a->known)
					*a = a[1];
				continue;
			default:
				a--;
				b = a + 1;
			}
			flags = a->flags | b->flags;
			number = metric_eval_number(op->op, a->known ? a->number : NAN,
						    b->known ? b->number : NAN, NAN);
			/*
			 * BPMU_VALUE_UNCORRECTED: the formula of the divisor has a correction, whose
			 * event was not counted. If the divisor is not above 0, its true value is
			 * unknown without the correction.
			 */
			if (op->op == BPMU_EXPR_DIV && b->flags & BPMU_VALUE_UNCORRECTED &&
			    b->number <= 0) {
				number = NAN;
				flags |= BPMU_VALUE_MISSING;
			} else if (op->op == BPMU_EXPR_DIV && a->known && b->known &&
				   b->number == 0) {
				flags |= BPMU_VALUE_DIVIDED_BY_0;
			}
			*a = isfinite(number) ?
				(struct bpmu_value){
					.known = true, .number = number,
					.flags = flags & ~BPMU_VALUE_NONE,
				} : (struct bpmu_value){ .flags = flags };
		}
		*result++ = *a;
	}
}

static bool statement_depends(const struct bpmu_program *program, unsigned int statement,
			      double *const *changed)
{
	const struct bpmu_op *op = program->op + program->statement[statement].first;
	const struct bpmu_op *end = program->op + program->statement[statement].end;

	for (; op < end; op++)
		if (op->op == BPMU_EXPR_NAME && changed[op->slot])
			return true;
	return false;
}

/**
 * bpmu_program_reach() - find the statements whose results depend on some variables (slots)
 * @program: compiled program
 * @slot: number of the first of these variables
 * @nr: number of these variables
 * @end: index after the last statement to consider
 * @replicates: memory for further values of each variable, [variables of the program]
 * @reach: filled in; its members are to be freed with free(), on an error too
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_program_reach(const struct bpmu_program *program, unsigned int slot,
		       unsigned int nr, unsigned int end,
		       bpmu_replicates *replicates, struct bpmu_reach *reach)
{
	unsigned int i, at;

	reach->nr = 0;
	reach->statement = calloc(end + 1, sizeof(*reach->statement));
	reach->number = calloc(program->first_result + program->nr_statements + 1,
			       sizeof(*reach->number));
	if (!reach->statement || !reach->number)
		return -ENOMEM;
	for (i = slot; i < slot + nr; i++)
		reach->number[i] = replicates[i];
	for (i = 0; i < end; i++) {
		if (!statement_depends(program, i, reach->number))
			continue;
		at = program->first_result + i;
		reach->number[at] = replicates[at];
		reach->statement[reach->nr++] = i;
	}
	return 0;
}

/*
 * bpmu_program_try() computes with several values of a variable (replicates), in blocks of this
 * many values, so that the compiler can vectorise a block.
 */
#define BLOCK 4

/*
 * Computes the operation @name for all replicates of its arguments (an argument has several values,
 * its replicates), block by block. Each operation has a loop of its own, so that a block has no
 * branches.
 */
#define IN_EACH(name)								\
	case name:								\
		for (r = 0; r < nr; r += BLOCK) {				\
			for (k = 0; k < BLOCK; k++)				\
				block[k] = metric_eval_number(name, a[r + k], b[r + k], c[r + k]); \
			memcpy(to + r, block, sizeof(block));			\
		}								\
		break

/**
 * bpmu_program_try() - evaluate compiled formulas for several values of their variables at once
 * @program: compiled program
 * @reach: the statements to execute, from bpmu_program_reach() for those variables (slots) that
 *	have several values. &bpmu_reach.number has these values, NAN for an unknown value; on
 *	return it also has the results
 * @slot: values of all other variables; none may be %BPMU_VALUE_UNCORRECTED
 * @nr: number of values of each variable, at most %BPMU_REPLICATES; the results have as many
 *
 * The results are the numbers that bpmu_program_run() computes, without their flags.
 */
void bpmu_program_try(const struct bpmu_program *program, const struct bpmu_reach *reach,
		      const struct bpmu_value *slot, unsigned int nr)
{
	/*
	 * An element of @stack points to the values of a variable, or, for the result of an
	 * operation, to its values in @own.
	 */
	double own[program->depth + 1][BPMU_REPLICATES];
	const double *stack[program->depth + 1];
	const struct bpmu_op *op, *last;
	unsigned int i, at, top;
	const double *a, *b, *c;
	/* Indices of an address's width: with others the compiler does not load vectors. */
	size_t k, r;
	double *result, *to;
	double block[BLOCK];
	double single;

	for (i = 0; i < reach->nr; i++) {
		at = reach->statement[i];
		op = program->op + program->statement[at].first;
		last = program->op + program->statement[at].end;
		result = reach->number[program->first_result + at];
		for (top = 0; op < last; op++, top++) {
			if (op->op == BPMU_EXPR_NAME && reach->number[op->slot]) {
				stack[top] = reach->number[op->slot];
				continue;
			}
			/*
			 * A constant, or a variable with a single value, stands for as many equal
			 * values.
			 */
			if (op->op == BPMU_EXPR_NAME || op->op == BPMU_EXPR_NUMBER) {
				single = op->op == BPMU_EXPR_NAME ? slot[op->slot].number :
								    op->number;
				if (op->op == BPMU_EXPR_NAME ? !slot[op->slot].known :
							       !isfinite(single))
					single = NAN;
				for (r = 0; r < nr; r += BLOCK)
					for (k = 0; k < BLOCK; k++)
						own[top][r + k] = single;
				stack[top] = own[top];
				continue;
			}
			/*
			 * The result replaces the arguments. The result of the last operation is
			 * that of the statement.
			 */
			top -= op->op == BPMU_EXPR_IF ? 3 : 2;
			to = op + 1 < last ? own[top] : result;
			a = stack[top];
			b = stack[top + 1];
			c = op->op == BPMU_EXPR_IF ? stack[top + 2] : b;
			stack[top] = to;
			switch (op->op) {
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
			case BPMU_EXPR_NUMBER:
			case BPMU_EXPR_NAME:
				break;
			}
		}
		if (stack[0] != result)
			memcpy(result, stack[0], nr * sizeof(*result));
	}
}
