// SPDX-License-Identifier: GPL-2.0
#include "metric_expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define DEPTH_MAX 64
#define NODES_MAX 10000

static const struct {
	const char *sign;
	enum bpmu_expr_op op;
} comparisons[] = {
	{ "<=", BPMU_EXPR_LE },
	{ ">=", BPMU_EXPR_GE },
	{ "<", BPMU_EXPR_LT },
	{ ">", BPMU_EXPR_GT },
	{ "=", BPMU_EXPR_EQ },
};

/**
 * bpmu_expr_set() - replace an expression of a metric file by a number
 * @expr: the expression; on return it is the number, and its former arguments are freed
 * @number: the number
 */
void bpmu_expr_set(struct bpmu_expr *expr, double number)
{
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS; i++)
		bpmu_expr_free(expr->arg[i]);
	free(expr->name);
	memset(expr, 0, sizeof(*expr));
	expr->op = BPMU_EXPR_NUMBER;
	expr->number = number;
}

/**
 * bpmu_expr_take() - replace an expression of a metric file by one of its arguments
 * @expr: the expression; on return it is the argument, and its other arguments are freed
 * @arg: index of the argument
 */
void bpmu_expr_take(struct bpmu_expr *expr, int arg)
{
	struct bpmu_expr *kept = expr->arg[arg];
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS; i++)
		if (i != arg)
			bpmu_expr_free(expr->arg[i]);
	free(expr->name);
	*expr = *kept;
	free(kept);
}

/**
 * bpmu_expr_free() - free an expression of a metric file
 * @expr: the expression, or NULL
 */
void bpmu_expr_free(struct bpmu_expr *expr)
{
	int i;

	if (!expr)
		return;
	for (i = 0; i < BPMU_EXPR_ARGS; i++)
		bpmu_expr_free(expr->arg[i]);
	free(expr->name);
	free(expr);
}

static struct bpmu_expr *metric_expr_fail(struct bpmu_text *text, const char *what)
{
	bpmu_text_error(text, text->at, "%s", what);
	return NULL;
}

static struct bpmu_expr *metric_expr_leaf(struct bpmu_text *text, enum bpmu_expr_op op)
{
	struct bpmu_expr *expr;

	if (text->nodes == NODES_MAX)
		return metric_expr_fail(text, "too long an expression; name parts of it by NAME := EXPRESSION");
	text->nodes++;
	expr = calloc(1, sizeof(*expr));
	if (!expr)
		return metric_expr_fail(text, "no memory; free some");
	expr->op = op;
	return expr;
}

/*
 * Returns a new expression of type @op with the arguments @a and @b, which then belong to the new
 * expression. If out of memory, or if @a or @b is NULL because of an earlier error, it frees both
 * and returns NULL.
 */
static struct bpmu_expr *metric_expr_join(struct bpmu_text *text, enum bpmu_expr_op op,
					  struct bpmu_expr *a, struct bpmu_expr *b)
{
	struct bpmu_expr *expr = a && b ? metric_expr_leaf(text, op) : NULL;

	if (!expr) {
		bpmu_expr_free(a);
		bpmu_expr_free(b);
		return NULL;
	}
	expr->arg[0] = a;
	expr->arg[1] = b;
	return expr;
}

static bool metric_expr_take(struct bpmu_text *text, const char *sign)
{
	size_t len;

	bpmu_text_skip_blanks(text);
	if (*text->at != *sign)
		return false;
	len = strlen(sign);
	if (strncmp(text->at, sign, len))
		return false;
	if (isalpha((unsigned char)*sign) &&
	    (isalnum((unsigned char)text->at[len]) || text->at[len] == '_'))
		return false;
	text->at += len;
	return true;
}

/*
 * Parses what follows "(": the arguments, separated by commas, if @op is min(), max() or either(),
 * else one expression. Returns NULL on an error.
 */
static struct bpmu_expr *parse_list(struct bpmu_text *text,
				    enum bpmu_expr_op op)
{
	struct bpmu_expr *expr = bpmu_expr_parse(text);

	while (expr && op != BPMU_EXPR_NUMBER && metric_expr_take(text, ","))
		expr = metric_expr_join(text, op, expr, bpmu_expr_parse(text));
	return expr;
}

static struct bpmu_expr *parse_inner(struct bpmu_text *text,
				     enum bpmu_expr_op op)
{
	struct bpmu_expr *expr;

	if (text->depth == DEPTH_MAX)
		return metric_expr_fail(text, "too many parentheses; write it flatter");
	text->depth++;
	expr = parse_list(text, op);
	text->depth--;
	if (!expr || metric_expr_take(text, ")"))
		return expr;
	bpmu_expr_free(expr);
	if (*text->at == ',')
		return metric_expr_fail(text, "a list is for min(A, B) and max(A, B); write one of them");
	return metric_expr_fail(text, "a ')' is missing; add it");
}

static const char *digits_end(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

/*
 * Returns the end of the number at @p, such as 1, 1.5, .5, 1e6 or 2.5E-3. The end that strtod()
 * finds is not used, because strtod() also accepts "inf" and hexadecimal numbers.
 */
static const char *number_end(const char *p)
{
	const char *end = digits_end(p);
	const char *exponent;

	if (*end == '.')
		end = digits_end(end + 1);
	if (end == p || (end == p + 1 && *p == '.'))
		return NULL;
	if (*end != 'e' && *end != 'E')
		return end;
	exponent = end + 1;
	exponent += *exponent == '+' || *exponent == '-';
	return digits_end(exponent) > exponent ? digits_end(exponent) : NULL;
}

static struct bpmu_expr *parse_number(struct bpmu_text *text)
{
	const char *end = number_end(text->at);
	struct bpmu_expr *expr;

	if (!end)
		return metric_expr_fail(text, "not a number; write it as 12, 0.5 or 2.5e9");
	expr = metric_expr_leaf(text, BPMU_EXPR_NUMBER);
	if (!expr)
		return NULL;
	expr->number = strtod(text->at, NULL);
	if (isfinite(expr->number)) {
		text->at = end;
		return expr;
	}
	bpmu_expr_free(expr);
	return metric_expr_fail(text, "too large a number; the largest is about 1e308");
}

/* Checks if a name begins at the next character. */
static bool at_name(const struct bpmu_text *text)
{
	return isalpha((unsigned char)*text->at) || *text->at == '_';
}

static struct bpmu_expr *parse_name(struct bpmu_text *text)
{
	struct bpmu_expr *expr;

	if (!at_name(text))
		return metric_expr_fail(text, "no value here; write a number, a name or '('");
	expr = metric_expr_leaf(text, BPMU_EXPR_NAME);
	if (!expr)
		return NULL;
	expr->offset = text->at - text->start;
	expr->name = bpmu_text_name(text);
	if (expr->name)
		return expr;
	bpmu_expr_free(expr);
	return NULL;
}

static struct bpmu_expr *parse_call(struct bpmu_text *text,
				    enum bpmu_expr_op op)
{
	if (!metric_expr_take(text, "("))
		return metric_expr_fail(text, "no '(' here; write min(A, B), max(A, B) or either(A, B)");
	return parse_inner(text, op);
}

static struct bpmu_expr *parse_primary(struct bpmu_text *text)
{
	struct bpmu_expr *zero;

	bpmu_text_skip_blanks(text);
	if (metric_expr_take(text, "-")) {
		if (text->depth == DEPTH_MAX)
			return metric_expr_fail(text, "too many signs; leave some out");
		text->depth++;
		zero = metric_expr_leaf(text, BPMU_EXPR_NUMBER);
		zero = metric_expr_join(text, BPMU_EXPR_SUB, zero, parse_primary(text));
		text->depth--;
		return zero;
	}
	if (metric_expr_take(text, "("))
		return parse_inner(text, BPMU_EXPR_NUMBER);
	if (metric_expr_take(text, "min"))
		return parse_call(text, BPMU_EXPR_MIN);
	if (metric_expr_take(text, "max"))
		return parse_call(text, BPMU_EXPR_MAX);
	if (metric_expr_take(text, "either"))
		return parse_call(text, BPMU_EXPR_EITHER);
	if (isdigit((unsigned char)*text->at) || *text->at == '.')
		return parse_number(text);
	return parse_name(text);
}

static struct bpmu_expr *parse_product(struct bpmu_text *text)
{
	struct bpmu_expr *expr = parse_primary(text);

	while (expr) {
		if (metric_expr_take(text, "*"))
			expr = metric_expr_join(text, BPMU_EXPR_MUL, expr,
						parse_primary(text));
		else if (metric_expr_take(text, "/"))
			expr = metric_expr_join(text, BPMU_EXPR_DIV, expr,
						parse_primary(text));
		else
			break;
	}
	return expr;
}

static struct bpmu_expr *parse_sum(struct bpmu_text *text)
{
	struct bpmu_expr *expr = parse_product(text);

	while (expr) {
		if (metric_expr_take(text, "+"))
			expr = metric_expr_join(text, BPMU_EXPR_ADD, expr,
						parse_product(text));
		else if (metric_expr_take(text, "-"))
			expr = metric_expr_join(text, BPMU_EXPR_SUB, expr,
						parse_product(text));
		else
			break;
	}
	return expr;
}

/*
 * If a comparison operator follows the left operand @expr, parses it and the right operand, and
 * returns the comparison; else returns @expr.
 */
static struct bpmu_expr *metric_expr_compare(struct bpmu_text *text, struct bpmu_expr *expr)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(comparisons); i++)
		if (expr && metric_expr_take(text, comparisons[i].sign))
			return metric_expr_join(text, comparisons[i].op, expr,
						parse_sum(text));
	return expr;
}

static struct bpmu_expr *parse_and(struct bpmu_text *text,
				   struct bpmu_expr *left)
{
	struct bpmu_expr *expr = left;

	while (expr && metric_expr_take(text, "and"))
		expr = metric_expr_join(text, BPMU_EXPR_AND, expr,
					metric_expr_compare(text, parse_sum(text)));
	return expr;
}

static struct bpmu_expr *parse_or(struct bpmu_text *text,
				  struct bpmu_expr *left)
{
	struct bpmu_expr *expr = parse_and(text, metric_expr_compare(text, left));

	while (expr && metric_expr_take(text, "or"))
		expr = metric_expr_join(text, BPMU_EXPR_OR, expr,
					parse_and(text, metric_expr_compare(text, parse_sum(text))));
	return expr;
}

static struct bpmu_expr *parse_else(struct bpmu_text *text,
				    struct bpmu_expr *expr)
{
	if (!expr)
		return NULL;
	if (text->depth == DEPTH_MAX || !metric_expr_take(text, "else")) {
		bpmu_expr_free(expr);
		return metric_expr_fail(text, text->depth == DEPTH_MAX ?
					"too many 'if' in one another; write it flatter" :
					"'else' is missing; write A if B else C");
	}
	text->depth++;
	expr->arg[2] = bpmu_expr_parse(text);
	text->depth--;
	if (expr->arg[2])
		return expr;
	bpmu_expr_free(expr);
	return NULL;
}

/**
 * bpmu_expr_parse() - parse an expression of a metric file
 * @text: position in the file: on entry at the expression, on return behind it
 *
 * Return: the expression, which the caller frees; NULL with @text->err set on an error.
 */
struct bpmu_expr *bpmu_expr_parse(struct bpmu_text *text)
{
	struct bpmu_expr *expr = parse_or(text, parse_sum(text));

	if (!expr || !metric_expr_take(text, "if"))
		return expr;
	expr = metric_expr_join(text, BPMU_EXPR_IF, expr, parse_or(text, parse_sum(text)));
	return parse_else(text, expr);
}

/**
 * bpmu_expr_parse_condition() - parse an expression that is the condition of a flag
 * @text: position in the file: on entry at the condition, on return behind it
 * @name: name of the metric with this condition. It is the left operand of a comparison that has
 *	none, such as "> 0.2"
 *
 * Return: the expression, which the caller frees; NULL with @text->err set on an error.
 */
struct bpmu_expr *bpmu_expr_parse_condition(struct bpmu_text *text,
					    const char *name)
{
	struct bpmu_expr *own;

	bpmu_text_skip_blanks(text);
	if (*text->at != '<' && *text->at != '>')
		return bpmu_expr_parse(text);
	own = metric_expr_leaf(text, BPMU_EXPR_NAME);
	if (own)
		own->name = strdup(name);
	if (own && own->name)
		return parse_or(text, own);
	bpmu_expr_free(own);
	return metric_expr_fail(text, "no memory; free some");
}
