/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_EXPR_H
#define BPMU_METRIC_EXPR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "value_flag.h"

#define BPMU_EXPR_ARGS 3

/**
 * enum bpmu_expr_op - types of the nodes of an expression; a, b, c are the arguments of a node
 * @BPMU_EXPR_NUMBER: leaf: a number
 * @BPMU_EXPR_NAME: leaf: an event, a constant, or the name of a metric or definition
 * @BPMU_EXPR_ADD: a + b
 * @BPMU_EXPR_SUB: a - b
 * @BPMU_EXPR_MUL: a * b
 * @BPMU_EXPR_DIV: a / b
 * @BPMU_EXPR_MIN: the smaller of a and b
 * @BPMU_EXPR_MAX: the larger of a and b
 * @BPMU_EXPR_EITHER: a if the CPU model has all events of a, else b
 * @BPMU_EXPR_LT: a < b; the value of comparisons and logical operators is 1 or 0
 * @BPMU_EXPR_LE: a <= b
 * @BPMU_EXPR_GT: a > b
 * @BPMU_EXPR_GE: a >= b
 * @BPMU_EXPR_EQ: a = b
 * @BPMU_EXPR_AND: a and b are not 0
 * @BPMU_EXPR_OR: a or b is not 0
 * @BPMU_EXPR_IF: a if b is not 0, else c
 */
enum bpmu_expr_op {
	BPMU_EXPR_NUMBER,
	BPMU_EXPR_NAME,
	BPMU_EXPR_ADD,
	BPMU_EXPR_SUB,
	BPMU_EXPR_MUL,
	BPMU_EXPR_DIV,
	BPMU_EXPR_MIN,
	BPMU_EXPR_MAX,
	BPMU_EXPR_EITHER,
	BPMU_EXPR_LT,
	BPMU_EXPR_LE,
	BPMU_EXPR_GT,
	BPMU_EXPR_GE,
	BPMU_EXPR_EQ,
	BPMU_EXPR_AND,
	BPMU_EXPR_OR,
	BPMU_EXPR_IF
};

/**
 * struct bpmu_expr - a node of an expression, and with its arguments the whole expression
 * @op: type of the node
 * @number: the number of a BPMU_EXPR_NUMBER
 * @name: the name of a BPMU_EXPR_NAME, without blanks; else NULL
 * @offset: position of the name in its file in bytes, for error messages
 * @arg: arguments, NULL after the last one
 */
struct bpmu_expr {
	enum bpmu_expr_op op;
	double number;
	char *name;
	unsigned int offset;
	struct bpmu_expr *arg[BPMU_EXPR_ARGS];
};

/**
 * struct bpmu_value - value of an expression, which may be unknown
 * @known: true if the value is known
 * @flags: mask of &enum bpmu_value_flag
 * @number: the number, valid only if @known
 */
struct bpmu_value {
	bool known;
	unsigned int flags;
	double number;
};

/**
 * struct bpmu_text - text of a metric file that is being parsed
 * @file: name of the file, for errors
 * @start: start of the text
 * @at: the next character to parse
 * @depth: number of open parentheses
 * @nodes: number of nodes that the expression has so far
 * @err: set on a syntax error
 */
struct bpmu_text {
	const char *file;
	const char *start;
	const char *at;
	unsigned int depth;
	unsigned int nodes;
	struct bpmu_error *err;
};

typedef struct bpmu_value bpmu_lookup_fn(void *ctx, const char *name);

__printf(3, 4)
int bpmu_text_error(struct bpmu_text *text, const char *at, const char *fmt,
		    ...);
void bpmu_text_skip_blanks(struct bpmu_text *text);
char *bpmu_text_name(struct bpmu_text *text);

struct bpmu_expr *bpmu_expr_parse(struct bpmu_text *text);
struct bpmu_expr *bpmu_expr_parse_condition(struct bpmu_text *text,
					    const char *name);
void bpmu_expr_take(struct bpmu_expr *expr, int arg);
void bpmu_expr_set(struct bpmu_expr *expr, double number);
void bpmu_expr_free(struct bpmu_expr *expr);
/**
 * struct bpmu_expr_names - functions that replace names when an expression is printed
 * @replace: returns the expression that is printed instead of expr; NULL if expr itself is printed
 * @write: prints something in place of name and returns true, or returns false if the name itself
 *	is to be printed; or NULL
 * @ctx: first argument of both functions
 */
struct bpmu_expr_names {
	const struct bpmu_expr *(*replace)(void *ctx,
					   const struct bpmu_expr *expr);
	bool (*write)(void *ctx, FILE *out, const char *name);
	void *ctx;
};

void bpmu_expr_print(FILE *out, const struct bpmu_expr *expr);
char *bpmu_expr_text(const struct bpmu_expr *expr);
void bpmu_expr_print_as(FILE *out, const struct bpmu_expr *expr,
			const struct bpmu_expr_names *names);

struct bpmu_value bpmu_value_of(double number);
const struct bpmu_expr *bpmu_expr_taken(const struct bpmu_expr *expr, int smt);

#endif /* BPMU_METRIC_EXPR_H */
