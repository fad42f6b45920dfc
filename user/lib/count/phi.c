// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics of Knights Corner. The variance of a metric is that of its first-order expansion in the
 * counts (the delta method). The derivative by a count is computed from the metric's values with
 * this count one standard deviation higher and lower. Counts are taken as independent. This
 * overestimates the variance of a ratio of two counts of the same slices. The degrees of freedom
 * are computed with the formula of Welch and Satterthwaite.
 */
#include "phi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spread.h"

/*
 * A count of unknown variance is changed by this fraction to find out if a metric depends on the
 * count. If the metric depends on it, the variance of the metric is unknown, too.
 */
#define NUDGE 0.01

#define NOTHING BPMU_PHI_EVENTS

/**
 * struct view - what is needed to look up the values of the names in a formula
 * @method: metrics and definitions of the file phi.bpm, to which the formula belongs
 * @settings: what the user knows of the program and the card, such as the frequency
 * @sums: counts of a thread, a core or the card
 * @shifted: index of the event whose count is varied, or NOTHING
 * @factor: factor by which the count of @shifted is multiplied
 */
struct view {
	const struct bpmu_phi_method *method;
	const struct bpmu_phi_settings *settings;
	const struct bpmu_phi_sums *sums;
	unsigned int shifted;
	double factor;
};

static struct bpmu_value some(bool known, double number)
{
	return (struct bpmu_value){ .known = known, .number = number };
}

static struct bpmu_value count_at(const struct view *view, unsigned int i)
{
	const struct bpmu_estimate *count = &view->sums->count[i];

	return some(!count->missing,
		    count->value * (i == view->shifted ? view->factor : 1));
}

/*
 * Returns @number, the clocks of a core or of several cores, as the value of a name. If @view
 * varies the count of the event "clocks" (the sum over threads), @number is multiplied by the same
 * factor, because @number is computed from this count and has the same relative error.
 */
static struct bpmu_value phi_clocks(const struct view *view, double number)
{
	bool known = view->sums->scope != BPMU_PHI_THREAD &&
		     !view->sums->count[BPMU_PHI_CLOCKS].missing;

	if (view->shifted == BPMU_PHI_CLOCKS)
		number *= view->factor;
	return some(known, number);
}

/*
 * Returns the value of a name in a formula that is no event: a number of threads, clocks of threads
 * or cores, or a number that the user has set, such as "GHZ".
 */
static struct bpmu_value lookup_own(const struct view *view, const char *name)
{
	const struct bpmu_phi_settings *settings = view->settings;
	const struct bpmu_phi_sums *sums = view->sums;

	if (!strcmp(name, "THREADS"))
		return some(sums->per_core > 0, sums->per_core);
	if (!strcmp(name, "THREAD_CLOCKS"))
		return count_at(view, BPMU_PHI_CLOCKS);
	if (!strcmp(name, "CORE_CLOCKS"))
		return phi_clocks(view, sums->core_clocks);
	if (!strcmp(name, "ELAPSED_CLOCKS"))
		return phi_clocks(view, sums->elapsed);
	if (!strcmp(name, "GHZ"))
		return some(true, settings->ghz);
	if (!strcmp(name, "ELEMENTS"))
		return some(settings->elements, settings->elements);
	if (!strcmp(name, "ELEMENTS_MAX"))
		return some(true, settings->elements ? settings->elements : 16);
	if (!strcmp(name, "WALK_CLOCKS"))
		return some(true, settings->huge ? 8 : 25);
	if (!strcmp(name, "CARD"))
		return some(true, sums->scope == BPMU_PHI_CARD);
	return some(!strcmp(name, "PAPER"), settings->paper);
}

static struct bpmu_value phi_lookup(void *ctx, const char *name)
{
	const struct view *view = ctx;
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		if (bpmu_phi_event(i) && !strcmp(bpmu_phi_event(i), name))
			return count_at(view, i);
	return lookup_own(view, name);
}

static struct bpmu_value phi_value(const struct view *view, const struct bpmu_formula *formula)
{
	return bpmu_formula_eval(formula, phi_lookup, (void *)view);
}

/*
 * Computes a metric twice, with the count of @event increased and decreased by the fraction @part
 * of itself. Returns half of the difference between both values.
 */
static double swing(const struct view *view, const struct bpmu_formula *formula,
		    unsigned int event, double part)
{
	struct view shifted = *view;
	struct bpmu_value up, down;

	shifted.shifted = event;
	shifted.factor = 1 + part;
	up = phi_value(&shifted, formula);
	shifted.factor = 1 - part;
	down = phi_value(&shifted, formula);
	return up.known && down.known ? (up.number - down.number) / 2 :
					INFINITY;
}

static void add_variance(const struct view *view, const struct bpmu_formula *formula,
			 struct bpmu_estimate *estimate)
{
	const struct bpmu_estimate *count = view->sums->count;
	double squares = 0;
	double part, square;
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++) {
		if (!(count[i].variance > 0) || !count[i].value)
			continue;
		if (isinf(count[i].variance)) {
			if (swing(view, formula, i, NUDGE) != 0)
				estimate->variance = INFINITY;
			continue;
		}
		part = sqrt(count[i].variance) / count[i].value;
		square = pow(swing(view, formula, i, part), 2);
		estimate->variance += square;
		if (count[i].freedom > 0)
			squares += square * square / count[i].freedom;
	}
	if (squares > 0)
		estimate->freedom = pow(estimate->variance, 2) / squares;
}

static void find_limit(const struct view *view, const char *name, const char *which,
		       struct bpmu_phi_limit *limit)
{
	struct bpmu_value value;
	char line[96];
	int i;

	snprintf(line, sizeof(line), "%s.%s", name, which);
	i = bpmu_metrics_find(&view->method->metrics, line);
	if (i < 0)
		return;
	value = phi_value(view, &view->method->formulas[i].value);
	limit->known = value.known;
	limit->number = value.number;
	limit->why = view->method->metrics.metric[i].text;
}

static void check_limits(struct bpmu_phi_value *value)
{
	double half = bpmu_estimate_half_width(&value->estimate);
	double number = value->estimate.value;

	value->below = value->least.known && number < value->least.number;
	value->above = value->most.known && number > value->most.number;
	value->unsure =
		(value->below && number + half >= value->least.number) ||
		(value->above && number - half <= value->most.number);
}

/*
 * Result of comparing a value with a limit: OVER_OR_NOT if the confidence interval of the value
 * includes the limit
 */
enum truth { OVER_NOT, OVER_OR_NOT, OVER };

static enum truth lesser(enum truth a, enum truth b)
{
	return a < b ? a : b;
}

static enum truth phi_compare(const struct view *view,
			      const struct bpmu_phi_comparison *comparison)
{
	struct bpmu_value value = phi_value(view, &comparison->value);
	struct bpmu_estimate estimate = { };
	double half;

	if (comparison->margin.slot) {
		add_variance(view, &comparison->margin, &estimate);
		estimate.value = phi_value(view, &comparison->margin).number;
		half = bpmu_estimate_half_width(&estimate);
		if (half > 0 && fabs(estimate.value) <= half)
			return OVER_OR_NOT;
	}
	return value.number != 0 ? OVER : OVER_NOT;
}

static bool is_compound(const struct bpmu_expr *condition)
{
	return condition->op == BPMU_EXPR_AND || condition->op == BPMU_EXPR_OR;
}

/*
 * Evaluates a condition; all names in it must have values. On entry @next is the first comparison
 * of the condition, on return the comparison behind its last one.
 */
static enum truth truth_of(const struct view *view, const struct bpmu_expr *condition,
			   const struct bpmu_phi_comparison **next)
{
	enum truth a, b;

	if (!is_compound(condition))
		return phi_compare(view, (*next)++);
	a = truth_of(view, condition->arg[0], next);
	b = truth_of(view, condition->arg[1], next);
	return condition->op == BPMU_EXPR_AND ? lesser(a, b) :
						OVER - lesser(OVER - a, OVER - b);
}

static void phi_judge(const struct view *view, unsigned int i, struct bpmu_phi_value *value)
{
	const struct bpmu_phi_formulas *formulas = &view->method->formulas[i];
	const struct bpmu_expr *flag = view->method->metrics.metric[i].flag;
	const struct bpmu_phi_comparison *next = formulas->comparison;
	enum truth truth;

	if (!flag)
		return;
	value->judged = phi_value(view, &formulas->flag).known;
	if (!value->judged)
		return;
	truth = truth_of(view, flag, &next);
	value->flagged = truth == OVER;
	value->undecided = truth == OVER_OR_NOT;
}

/* Returns the first name in a formula that has no value; NULL if all names have values. */
static const char *phi_unknown(const struct view *view, const struct bpmu_formula *formula)
{
	unsigned int i;

	for (i = 0; i < formula->nr; i++)
		if (!phi_lookup((void *)view, formula->operand[i]).known)
			return formula->operand[i];
	return NULL;
}

static bool is_comparison(const struct bpmu_expr *condition)
{
	return condition->op == BPMU_EXPR_LT || condition->op == BPMU_EXPR_LE ||
	       condition->op == BPMU_EXPR_GT || condition->op == BPMU_EXPR_GE;
}

/* Compiles the comparisons of a condition, from left to right. */
static int make_comparisons(struct bpmu_phi_formulas *formulas,
			    const struct bpmu_metrics *metrics, const struct bpmu_expr *condition,
			    struct bpmu_error *err)
{
	const struct bpmu_expr margin = {
		.op = BPMU_EXPR_SUB, .arg = { condition->arg[0], condition->arg[1] },
	};
	struct bpmu_phi_comparison *grown;
	int code;

	if (is_compound(condition)) {
		code = make_comparisons(formulas, metrics, condition->arg[0], err);
		return code ? code : make_comparisons(formulas, metrics, condition->arg[1], err);
	}
	grown = reallocarray(formulas->comparison, formulas->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "metrics");
	formulas->comparison = grown;
	grown += formulas->nr++;
	memset(grown, 0, sizeof(*grown));
	code = bpmu_formula_make(&grown->value, metrics, condition, err);
	if (!code && is_comparison(condition))
		code = bpmu_formula_make(&grown->margin, metrics, &margin, err);
	return code;
}

static int make_formulas(struct bpmu_phi_method *method, unsigned int i, struct bpmu_error *err)
{
	const struct bpmu_metric *metric = &method->metrics.metric[i];
	struct bpmu_phi_formulas *formulas = &method->formulas[i];
	int code;

	code = bpmu_formula_make(&formulas->value, &method->metrics, metric->expr, err);
	if (!code && metric->flag)
		code = bpmu_formula_make(&formulas->flag, &method->metrics, metric->flag, err);
	if (!code && metric->flag)
		code = make_comparisons(formulas, &method->metrics, metric->flag, err);
	return code;
}

/**
 * bpmu_phi_method_init() - load and compile the metrics of Xeon Phi
 * @method: filled in; the caller frees it with bpmu_phi_method_free(), also after an error
 * @part: description of the CPU model, which must be Knights Corner
 *
 * Return: 0; -ENOENT if @part is another CPU model; -ENOMEM.
 */
int bpmu_phi_method_init(struct bpmu_phi_method *method, const struct bpmu_part *part,
			 struct bpmu_error *err)
{
	unsigned int i;
	int code;

	memset(method, 0, sizeof(*method));
	code = bpmu_metrics_builtin(&method->metrics, "phi", part, err);
	if (code)
		return code;
	method->formulas = calloc(method->metrics.nr + 1, sizeof(*method->formulas));
	if (!method->formulas)
		return bpmu_error_no_memory(err, "metrics");
	for (i = 0; i < method->metrics.nr && !code; i++)
		code = make_formulas(method, i, err);
	return code;
}

static void free_formulas(struct bpmu_phi_formulas *formulas)
{
	unsigned int i;

	bpmu_formula_free(&formulas->value);
	bpmu_formula_free(&formulas->flag);
	for (i = 0; i < formulas->nr; i++) {
		bpmu_formula_free(&formulas->comparison[i].value);
		bpmu_formula_free(&formulas->comparison[i].margin);
	}
	free(formulas->comparison);
}

void bpmu_phi_method_free(struct bpmu_phi_method *method)
{
	unsigned int i;

	for (i = 0; method->formulas && i < method->metrics.nr; i++)
		free_formulas(&method->formulas[i]);
	free(method->formulas);
	bpmu_metrics_free(&method->metrics);
	memset(method, 0, sizeof(*method));
}

/**
 * bpmu_phi_eval() - evaluate a metric of Xeon Phi
 * @method: from bpmu_phi_method_init()
 * @settings: settings of the user
 * @sums: counts of a thread, a core or the card
 * @i: index of the metric in @method
 * @value: filled in
 *
 * Two threads must not use the same @method at the same time.
 */
void bpmu_phi_eval(const struct bpmu_phi_method *method,
		   const struct bpmu_phi_settings *settings,
		   const struct bpmu_phi_sums *sums, unsigned int i,
		   struct bpmu_phi_value *value)
{
	const struct bpmu_metric *metric = &method->metrics.metric[i];
	const struct bpmu_formula *formula = &method->formulas[i].value;
	const struct view view = {
		.method = method, .settings = settings, .sums = sums,
		.shifted = NOTHING,
	};
	struct bpmu_value number;

	memset(value, 0, sizeof(*value));
	find_limit(&view, metric->name, "Least", &value->least);
	find_limit(&view, metric->name, "Most", &value->most);
	number = phi_value(&view, formula);
	value->known = number.known;
	if (!number.known) {
		value->why = phi_unknown(&view, formula);
		return;
	}
	value->estimate.value = number.number;
	add_variance(&view, formula, &value->estimate);
	check_limits(value);
	phi_judge(&view, i, value);
}

static bool uses(const struct bpmu_formula *formula, const char *name)
{
	unsigned int i;

	for (i = 0; i < formula->nr; i++)
		if (!strcmp(formula->operand[i], name))
			return true;
	return false;
}

/**
 * bpmu_phi_shown() - check if a metric of Xeon Phi is meaningful for a thread, a core or the card
 * @method: from bpmu_phi_method_init()
 * @i: index in @method of a metric, or of a definition that formulas of metrics use
 * @scope: a thread, a core or the card
 *
 * Return: false for a definition; false if @scope is a thread and the formula has the clocks of a
 * core, because these are not known for a single thread; else true.
 */
bool bpmu_phi_shown(const struct bpmu_phi_method *method, unsigned int i,
		    enum bpmu_phi_scope scope)
{
	const struct bpmu_formula *formula = &method->formulas[i].value;

	if (!method->metrics.metric[i].level)
		return false;
	return scope != BPMU_PHI_THREAD ||
	       !(uses(formula, "CORE_CLOCKS") || uses(formula, "ELAPSED_CLOCKS"));
}
