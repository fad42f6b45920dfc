/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of a statement that is being compiled, before the statement is in a program.
 */
#ifndef BPMU_METRIC_CODE_H
#define BPMU_METRIC_CODE_H

#include "metric_program.h"

/**
 * struct bpmu_code - operations of a statement that is being compiled
 * @program: the program to which the statement will be appended
 * @err: filled in when compiling fails
 * @op: [@nr], the operations; bpmu_code_end() frees them
 * @nr: number of operations
 * @height: number of values on the stack after the operations
 */
struct bpmu_code {
	struct bpmu_program *program;
	struct bpmu_error *err;
	struct bpmu_op *op;
	unsigned int nr;
	unsigned int height;
};

/*
 * Function that appends the operations which push the value of a name in an expression; it returns
 * 0 or a negative errno.
 */
typedef int bpmu_code_name_fn(void *ctx, struct bpmu_code *code, const char *name);

int bpmu_code_emit(struct bpmu_code *code, enum bpmu_expr_op op, unsigned int slot,
		   double number);
int bpmu_code_slot(struct bpmu_code *code, int slot);
int bpmu_code_expr(struct bpmu_code *code, const struct bpmu_expr *expr,
		   bpmu_code_name_fn *name, void *ctx);
int bpmu_code_end(struct bpmu_code *code, int result);

#endif /* BPMU_METRIC_CODE_H */
