// SPDX-License-Identifier: GPL-2.0
#include "metric_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Limits of a statement (compiled formula): the depth of the stack on which its operations work,
 * and the number of its operations
 */
#define STACK_MAX 4096
#define CODE_MAX 65536

/**
 * bpmu_code_emit() - append an operation to the code of a statement
 * @code: the statement; before the first operation only @program and @err are set, the rest is
 *	zeroed
 * @op: the operation
 * @slot: for BPMU_EXPR_NAME, the number of the program's variable whose value is pushed
 * @number: for BPMU_EXPR_NUMBER, the number that is pushed; NAN for an unknown number
 *
 * Return: 0; -E2BIG if the statement is too long; -ENOMEM.
 */
int bpmu_code_emit(struct bpmu_code *code, enum bpmu_expr_op op, unsigned int slot,
		   double number)
{
	struct bpmu_op *grown;

	grown = reallocarray(code->op, code->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(code->err, "metrics");
	code->op = grown;
	grown[code->nr++] = (struct bpmu_op){
		.op = op, .slot = slot, .number = number,
	};
	if (op == BPMU_EXPR_NAME || op == BPMU_EXPR_NUMBER)
		code->height++;
	else
		code->height -= op == BPMU_EXPR_IF ? 2 : 1;
	if (code->height > code->program->depth)
		code->program->depth = code->height;
	if (code->height <= STACK_MAX && code->nr <= CODE_MAX)
		return 0;
	return bpmu_error_set(code->err, -E2BIG,
			      "metrics: a formula is too long; define names for parts of it");
}

/**
 * bpmu_code_slot() - append to the code of a statement the operation that pushes a variable's value
 * @code: the statement (a formula that is being compiled)
 * @slot: number of the variable; or a negative errno, if the function that was to return this
 *	number has failed
 *
 * Return: 0, @slot if it is negative, or an error of bpmu_code_emit().
 */
int bpmu_code_slot(struct bpmu_code *code, int slot)
{
	return slot < 0 ? slot : bpmu_code_emit(code, BPMU_EXPR_NAME, slot, 0);
}

/**
 * bpmu_code_expr() - append the code (operations) of an expression to a statement
 * @name: called for each name in the expression, to append an operation that pushes its value
 * @ctx: passed to @name
 *
 * Return: 0, or the first error of @name or of bpmu_code_emit().
 */
int bpmu_code_expr(struct bpmu_code *code, const struct bpmu_expr *expr,
		   bpmu_code_name_fn *name, void *ctx)
{
	int ret = 0;
	int i;

	if (expr->op == BPMU_EXPR_NUMBER)
		return bpmu_code_emit(code, expr->op, 0, expr->number);
	if (expr->op == BPMU_EXPR_NAME)
		return name(ctx, code, expr->name);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = bpmu_code_expr(code, expr->arg[i], name, ctx);
	return ret ? ret : bpmu_code_emit(code, expr->op, 0, 0);
}

/*
 * Appends a statement to its program; returns the number of the variable that the statement sets to
 * its result, or -ENOMEM.
 */
static int code_finish(const struct bpmu_code *code)
{
	struct bpmu_program *p = code->program;
	struct bpmu_statement *statements;
	struct bpmu_op *ops;

	ops = reallocarray(p->op, p->nr_ops + code->nr, sizeof(*ops));
	if (!ops)
		return bpmu_error_no_memory(code->err, "metrics");
	p->op = ops;
	statements = reallocarray(p->statement, p->nr_statements + 1, sizeof(*statements));
	if (!statements)
		return bpmu_error_no_memory(code->err, "metrics");
	p->statement = statements;
	memcpy(ops + p->nr_ops, code->op, code->nr * sizeof(*ops));
	statements[p->nr_statements].first = p->nr_ops;
	p->nr_ops += code->nr;
	statements[p->nr_statements].end = p->nr_ops;
	return p->first_result + p->nr_statements++;
}

/**
 * bpmu_code_end() - append the code of a statement to its program, and free the operations
 * @result: 0 to append the statement; or the negative errno of an operation that failed, to free
 *	the operations only
 *
 * Return: number of the variable that the statement sets to its result, @result if it is negative,
 * or -ENOMEM.
 */
int bpmu_code_end(struct bpmu_code *code, int result)
{
	if (!result)
		result = code_finish(code);
	free(code->op);
	code->op = NULL;
	return result;
}

void bpmu_program_free(struct bpmu_program *program)
{
	free(program->op);
	free(program->statement);
	memset(program, 0, sizeof(*program));
}
