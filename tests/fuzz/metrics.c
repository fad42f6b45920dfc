// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of files with definitions of metrics, for Ivy Bridge. A file must be refused with an error
 * message, or all its metrics must have the properties that metric.h states. For each metric, the
 * tool and a second evaluator in this program, which walks the parsed expression, must yield the
 * same value.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "metric/metric.h"
#include "metric/metric_formula.h"

/*
 * Returns a count for the event @name, made from the letters of its name: some counts are 0, some
 * unknown (NAN).
 */
static double count_of(const char *name)
{
	unsigned int sum = 0;

	for (; *name; name++)
		sum = sum * 31 + (unsigned char)*name;
	if (!(sum % 11))
		return NAN;
	return sum % 7 ? sum : 0;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	(void)ctx;
	return bpmu_value_of(count_of(name));
}

/*
 * Returns the result of an operator like "<", whose operands are @a and @b: @value if both operands
 * are known, otherwise NAN.
 */
static double truth(double a, double b, bool value)
{
	return isnan(a) || isnan(b) ? NAN : value;
}

/*
 * Returns the result of the operator "and": 0 if one operand is 0, even if the other operand is
 * unknown (NAN). If no operand is 0 and one is unknown, the result is NAN. Otherwise it is 1.
 */
static double both(double a, double b)
{
	if (a == 0 || b == 0)
		return 0;
	return truth(a, b, true);
}

static double finite_or_unknown(double number)
{
	return isfinite(number) ? number : NAN;
}

/* Returns the value of an expression, or NAN if it is unknown. */
static double expected(const struct bpmu_metrics *metrics, const struct bpmu_expr *expr)
{
	double arg[BPMU_EXPR_ARGS] = { NAN, NAN, NAN };
	double a, b;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? count_of(expr->name) : expected(metrics, metrics->metric[i].expr);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		arg[i] = expected(metrics, expr->arg[i]);
	a = arg[0];
	b = arg[1];
	switch (expr->op) {
	case BPMU_EXPR_NUMBER:
		return finite_or_unknown(expr->number);
	case BPMU_EXPR_ADD:
		return finite_or_unknown(a + b);
	case BPMU_EXPR_SUB:
		return finite_or_unknown(a - b);
	case BPMU_EXPR_MUL:
		return finite_or_unknown(a * b);
	case BPMU_EXPR_DIV:
		return finite_or_unknown(a / b);
	case BPMU_EXPR_MIN:
		return isnan(a) || isnan(b) ? NAN : fmin(a, b);
	case BPMU_EXPR_MAX:
		return isnan(a) || isnan(b) ? NAN : fmax(a, b);
	case BPMU_EXPR_EITHER:
		return isnan(a) ? b : a;
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
	case BPMU_EXPR_AND:
		return both(a, b);
	case BPMU_EXPR_OR:
		return 1 - both(isnan(a) ? a : !a, isnan(b) ? b : !b);
	case BPMU_EXPR_IF:
		return isnan(b) ? NAN : b != 0 ? a : arg[2];
	default:
		return NAN;
	}
}

static void evaluate(struct bpmu_metrics *metrics, const struct bpmu_expr *expr)
{
	double number = expected(metrics, expr);
	struct bpmu_formula formula;
	struct bpmu_value value;
	struct bpmu_error err;

	fuzz_hold(!bpmu_formula_make(&formula, metrics, expr, &err), "a formula is not too long");
	value = bpmu_formula_eval(&formula, lookup, NULL);
	bpmu_formula_free(&formula);
	fuzz_hold(!value.known || isfinite(value.number), "values are finite");
	fuzz_hold(value.known == !isnan(number) && (!value.known || value.number == number),
		  "a compiled formula has the value of its expression");
}

static void check_line(struct bpmu_metrics *metrics, int i)
{
	const struct bpmu_metric *m = &metrics->metric[i];

	fuzz_hold(m->parent < i, "a node comes before its children");
	fuzz_hold(m->parent < 0 || metrics->metric[m->parent].level + 1 == m->level,
		  "a child is one level deeper");
	fuzz_hold(m->parent >= 0 || m->level <= 1, "only roots have no parent");
	fuzz_hold(bpmu_metrics_find(metrics, m->name) == i, "names differ");
	evaluate(metrics, m->expr);
	if (m->flag)
		evaluate(metrics, m->flag);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_error err = { .text = "" };
	char *text = fuzz_text(data, size);
	unsigned int i;
	int ret;

	ret = bpmu_metrics_add(&metrics, "fuzz.bpm", text,
			       bpmu_part_by_name("ivb"), &err);
	fuzz_refused(ret, &err);
	fuzz_hold(!ret || strchr(err.text, ';'), "an error says what to do");
	for (i = 0; !ret && i < metrics.nr; i++)
		check_line(&metrics, i);
	bpmu_metrics_free(&metrics);
	free(text);
	return 0;
}
