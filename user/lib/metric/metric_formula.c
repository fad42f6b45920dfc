// SPDX-License-Identifier: GPL-2.0
#include "metric_formula.h"

#include <stdlib.h>
#include <string.h>

#include "metric_code.h"

/*
 * Value in &formula_lines.state for a metric or definition (a line of a metric file) that the
 * formula uses and that is not compiled yet
 */
#define USED (-1)

/**
 * struct formula_lines - metrics and definitions that a formula uses, while it is compiled
 * @formula: the formula that is being compiled
 * @lines: all metrics and definitions (lines of metric files), or NULL
 * @state: [nr lines], 0 for a line that is not used; USED; or the number of the variable that has
 *	the value of the line, plus 1
 * @err: filled in on failure
 */
struct formula_lines {
	struct bpmu_formula *formula;
	const struct bpmu_metrics *lines;
	int *state;
	struct bpmu_error *err;
};

static int line_named(const struct formula_lines *f, const char *name)
{
	return f->lines ? bpmu_metrics_find(f->lines, name) : -1;
}

static int add_operand(struct formula_lines *f, const char *name)
{
	struct bpmu_formula *formula = f->formula;
	const char **grown;
	unsigned int i;

	for (i = 0; i < formula->nr; i++)
		if (!strcmp(formula->operand[i], name))
			return 0;
	grown = reallocarray(formula->operand, formula->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(f->err, "metrics");
	formula->operand = grown;
	grown[formula->nr++] = name;
	return 0;
}

/*
 * Appends the operands of an expression to those of the formula. This is done before anything is
 * compiled, because the variables (slots) of operands precede those of results.
 */
static int find_operands(struct formula_lines *f, const struct bpmu_expr *expr)
{
	int ret = 0;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = line_named(f, expr->name);
		if (i < 0)
			return add_operand(f, expr->name);
		if (f->state[i] == USED)
			return 0;
		f->state[i] = USED;
		return find_operands(f, f->lines->metric[i].expr);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = find_operands(f, expr->arg[i]);
	return ret;
}

static bpmu_code_name_fn formula_name;

/*
 * Compiles an expression to a statement; returns the number of the variable (slot) with its result,
 * or a negative errno.
 */
static int formula_statement(struct formula_lines *f, const struct bpmu_expr *expr)
{
	struct bpmu_code code = { .program = &f->formula->program, .err = f->err };

	return bpmu_code_end(&code, bpmu_code_expr(&code, expr, formula_name, f));
}

static int formula_name(void *ctx, struct bpmu_code *code, const char *name)
{
	struct formula_lines *f = ctx;
	int i = line_named(f, name);
	int slot = 0;

	if (i < 0) {
		while (strcmp(f->formula->operand[slot], name))
			slot++;
		return bpmu_code_slot(code, slot);
	}
	if (f->state[i] == USED) {
		slot = formula_statement(f, f->lines->metric[i].expr);
		if (slot < 0)
			return slot;
		f->state[i] = slot + 1;
	}
	return bpmu_code_slot(code, f->state[i] - 1);
}

/**
 * bpmu_formula_make() - compile a single formula, not those of a metric tree
 * @formula: filled in; the caller frees it with bpmu_formula_free(), also after an error
 * @lines: metrics and definitions whose names may be in the formula; must outlive @formula. All
 *	other names are operands, such as events; NULL if all names are operands
 * @expr: the expression of the formula; must outlive @formula
 *
 * Return: 0; -E2BIG if the formula is too long; -ENOMEM.
 */
int bpmu_formula_make(struct bpmu_formula *formula, const struct bpmu_metrics *lines,
		      const struct bpmu_expr *expr, struct bpmu_error *err)
{
	struct formula_lines f = { .formula = formula, .lines = lines, .err = err };
	int ret;

	memset(formula, 0, sizeof(*formula));
	f.state = calloc((lines ? lines->nr : 0) + 1, sizeof(*f.state));
	ret = f.state ? find_operands(&f, expr) : bpmu_error_no_memory(err, "metrics");
	formula->program.first_result = formula->nr;
	if (!ret)
		ret = formula_statement(&f, expr);
	free(f.state);
	if (ret < 0)
		return ret;
	formula->slot = calloc(ret + 1, sizeof(*formula->slot));
	return formula->slot ? 0 : bpmu_error_no_memory(err, "metrics");
}

/**
 * bpmu_formula_run() - evaluate a single compiled formula whose operands are set
 * @formula: compiled by bpmu_formula_make(); the first &bpmu_formula.nr elements of its slot are
 *	the values of its operands. Two threads must not evaluate it at the same time
 *
 * Return: as bpmu_formula_eval().
 */
struct bpmu_value bpmu_formula_run(const struct bpmu_formula *formula)
{
	const struct bpmu_program *program = &formula->program;

	bpmu_program_run(program, 0, program->nr_statements, formula->slot);
	return formula->slot[program->first_result + program->nr_statements - 1];
}

/**
 * bpmu_formula_eval() - evaluate a single compiled formula, not those of a metric tree
 * @formula: compiled by bpmu_formula_make(); two threads must not evaluate it at the same time
 * @lookup: function that returns the value of an operand
 * @ctx: passed to @lookup
 *
 * Return: the value. It is unknown if an operand that it depends on is unknown, if a divisor is 0,
 * or if the result is not finite.
 */
struct bpmu_value bpmu_formula_eval(const struct bpmu_formula *formula, bpmu_lookup_fn *lookup,
				    void *ctx)
{
	unsigned int i;

	for (i = 0; i < formula->nr; i++)
		formula->slot[i] = lookup(ctx, formula->operand[i]);
	return bpmu_formula_run(formula);
}

void bpmu_formula_free(struct bpmu_formula *formula)
{
	bpmu_program_free(&formula->program);
	free(formula->operand);
	free(formula->slot);
	memset(formula, 0, sizeof(*formula));
}

static struct bpmu_value lookup_smt(void *ctx, const char *name)
{
	const int *smt = ctx;

	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(*smt);
	return (struct bpmu_value){ .known = false };
}

/**
 * bpmu_expr_taken() - find the branch of an "if" formula whose condition depends on SMT only
 * @expr: any expression
 * @smt: true if hyper-threading is on
 *
 * Return: the branch that the condition selects; @expr itself if it is not such an "if", or if out
 * of memory.
 */
const struct bpmu_expr *bpmu_expr_taken(const struct bpmu_expr *expr, int smt)
{
	struct bpmu_value condition = { .known = true };
	struct bpmu_formula formula;
	struct bpmu_error ignored;

	while (expr->op == BPMU_EXPR_IF && condition.known) {
		condition.known = !bpmu_formula_make(&formula, NULL, expr->arg[1], &ignored);
		if (condition.known)
			condition = bpmu_formula_eval(&formula, lookup_smt, &smt);
		bpmu_formula_free(&formula);
		if (condition.known)
			expr = expr->arg[condition.number != 0 ? 0 : 2];
	}
	return expr;
}
