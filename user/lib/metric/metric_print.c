// SPDX-License-Identifier: GPL-2.0
#include "metric_expr.h"

/* Precedence of operators: an operator with a higher value binds its operands more tightly. */
enum binding {
	BINDS_IF,
	BINDS_OR,
	BINDS_AND,
	BINDS_COMPARISON,
	BINDS_SUM,
	BINDS_PRODUCT,
	BINDS_TERM
};

static const struct {
	const char *text;
	enum binding binds;
} operators[] = {
	[BPMU_EXPR_NUMBER] = { "", BINDS_TERM },
	[BPMU_EXPR_NAME] = { "", BINDS_TERM },
	[BPMU_EXPR_ADD] = { "+", BINDS_SUM },
	[BPMU_EXPR_SUB] = { "-", BINDS_SUM },
	[BPMU_EXPR_MUL] = { "*", BINDS_PRODUCT },
	[BPMU_EXPR_DIV] = { "/", BINDS_PRODUCT },
	[BPMU_EXPR_MIN] = { "min", BINDS_TERM },
	[BPMU_EXPR_MAX] = { "max", BINDS_TERM },
	[BPMU_EXPR_EITHER] = { "either", BINDS_TERM },
	[BPMU_EXPR_LT] = { "<", BINDS_COMPARISON },
	[BPMU_EXPR_LE] = { "<=", BINDS_COMPARISON },
	[BPMU_EXPR_GT] = { ">", BINDS_COMPARISON },
	[BPMU_EXPR_GE] = { ">=", BINDS_COMPARISON },
	[BPMU_EXPR_EQ] = { "=", BINDS_COMPARISON },
	[BPMU_EXPR_AND] = { "and", BINDS_AND },
	[BPMU_EXPR_OR] = { "or", BINDS_OR },
	[BPMU_EXPR_IF] = { "if", BINDS_IF },
};

/**
 * struct printer - where and how an expression is printed
 * @out: stream to which the expression is printed
 * @names: replacements of names, or NULL
 */
struct printer {
	FILE *out;
	const struct bpmu_expr_names *names;
};

static void metric_print_expr(const struct printer *p, const struct bpmu_expr *expr,
			      enum binding least);

static void print_two(const struct printer *p, const struct bpmu_expr *expr,
		      enum binding left, const char *between,
		      enum binding right)
{
	metric_print_expr(p, expr->arg[0], left);
	fprintf(p->out, " %s ", between);
	metric_print_expr(p, expr->arg[1], right);
}

static void metric_print_name(const struct printer *p, const struct bpmu_expr *expr)
{
	if (!p->names || !p->names->write ||
	    !p->names->write(p->names->ctx, p->out, expr->name))
		fputs(expr->name, p->out);
}

static void print_bare(const struct printer *p, const struct bpmu_expr *expr)
{
	enum binding binds = operators[expr->op].binds;
	const char *text = operators[expr->op].text;

	switch (expr->op) {
	case BPMU_EXPR_NUMBER:
		fprintf(p->out, "%.15g", expr->number);
		break;
	case BPMU_EXPR_NAME:
		metric_print_name(p, expr);
		break;
	case BPMU_EXPR_MIN:
	case BPMU_EXPR_MAX:
	case BPMU_EXPR_EITHER:
		fprintf(p->out, "%s(", text);
		metric_print_expr(p, expr->arg[0], BINDS_IF);
		fputs(", ", p->out);
		metric_print_expr(p, expr->arg[1], BINDS_IF);
		fputc(')', p->out);
		break;
	case BPMU_EXPR_IF:
		print_two(p, expr, BINDS_OR, text, BINDS_OR);
		fputs(" else ", p->out);
		metric_print_expr(p, expr->arg[2], BINDS_IF);
		break;
	default:
		print_two(p, expr, binds, text, binds + 1);
		break;
	}
}

static const struct bpmu_expr *replaced(const struct printer *p,
					const struct bpmu_expr *expr)
{
	const struct bpmu_expr *other = NULL;

	if (p->names)
		other = p->names->replace(p->names->ctx, expr);
	return other ? replaced(p, other) : expr;
}

static void metric_print_expr(const struct printer *p, const struct bpmu_expr *expr,
			      enum binding least)
{
	bool inside;

	expr = replaced(p, expr);
	inside = operators[expr->op].binds < least;
	if (inside)
		fputc('(', p->out);
	print_bare(p, expr);
	if (inside)
		fputc(')', p->out);
}

/**
 * bpmu_expr_print() - print an expression in the syntax of metric files
 * @expr: the expression; only necessary parentheses are printed
 */
void bpmu_expr_print(FILE *out, const struct bpmu_expr *expr)
{
	bpmu_expr_print_as(out, expr, NULL);
}

/**
 * bpmu_expr_text() - print an expression in the syntax of metric files to a string
 * @expr: the expression
 *
 * Return: the string, which the caller frees; NULL if out of memory.
 */
char *bpmu_expr_text(const struct bpmu_expr *expr)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	bpmu_expr_print(out, expr);
	fclose(out);
	return text;
}

/**
 * bpmu_expr_print_as() - print an expression of a metric file with replaced names
 * @expr: the expression; only necessary parentheses are printed
 * @names: replacements of names, or NULL
 */
void bpmu_expr_print_as(FILE *out, const struct bpmu_expr *expr,
			const struct bpmu_expr_names *names)
{
	const struct printer p = { .out = out, .names = names };

	metric_print_expr(&p, expr, BINDS_IF);
}
