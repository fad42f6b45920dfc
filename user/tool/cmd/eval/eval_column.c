// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "eval.h"
#include "eval_derive.h"
#include "metric/metric_expr.h"

/*
 * Returns true if the metric tree needs an event of this name, even one that the CPU model does not
 * have.
 */
static bool is_wanted(const struct bpmu_eval *eval, const char *name)
{
	const struct bpmu_event_list *events = &eval->tree.events[0];
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		if (!strcasecmp(events->spec[i].text, name))
			return true;
	return false;
}

/**
 * bpmu_eval_column() - add a column, an event or a constant, of the input of eval
 * @eval: state of "barepmu eval"
 * @name: name of the column as the input writes it
 *
 * Return: index into &bpmu_eval.column, or -ENOMEM.
 */
int bpmu_eval_column(struct bpmu_eval *eval, const char *name)
{
	struct bpmu_eval_column *column;
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];
	struct bpmu_error ignored;

	if (eval->nr_columns == eval->room) {
		column = reallocarray(eval->column, 2 * eval->room + 16,
				      sizeof(*column));
		if (!column)
			return bpmu_error_no_memory(eval->err, "eval");
		eval->column = column;
		eval->room = 2 * eval->room + 16;
	}
	column = eval->column + eval->nr_columns;
	memset(column, 0, sizeof(*column));
	column->otherwise = NAN;
	column->name = strdup(name);
	if (!column->name)
		return bpmu_error_no_memory(eval->err, "eval");
	column->constant = bpmu_metric_constant(name);
	if (column->constant >= 0)
		column->before = eval->tree.slot[column->constant];
	/* The input may name events as Intel's metric files do: such a name is converted. */
	if (!eval->choice.vendor.files ||
	    bpmu_vendor_name(&eval->choice.vendor, name, text, why))
		snprintf(text, sizeof(text), "%s", name);
	column->known = !bpmu_event_parse(&eval->pmu, eval->smt, text,
					  &column->spec, &ignored) ||
			column->constant >= 0 ||
			bpmu_vendor_known(&eval->choice.vendor, name) ||
			bpmu_eval_derives(name) || is_wanted(eval, name);
	return eval->nr_columns++;
}

/*
 * Returns true if the name of an event is the name of a column: the name that the input writes, or
 * the name into which Intel's name was converted.
 */
static bool eval_column_named(const struct bpmu_event_spec *spec,
			      const struct bpmu_eval_column *column)
{
	return !strcasecmp(spec->text, column->name) ||
	       (column->spec.nr && !strcasecmp(spec->text, column->spec.text));
}

/* Returns how well a column matches an event of the metric tree: 0 for no match, 3 for the best. */
static int eval_column_fit(const struct bpmu_eval *eval, const struct bpmu_event_spec *spec,
			   const struct bpmu_eval_column *column)
{
	if (!column->known || column->constant >= 0)
		return 0;
	/*
	 * Intel's metric files may name one event in several ways, and the input may have a count
	 * under each of these names. The column with the same name as the tree's event matches
	 * best.
	 */
	if ((!spec->nr || eval->choice.lines != &eval->choice.own) &&
	    eval_column_named(spec, column))
		return 3;
	if (!spec->nr || !column->spec.nr || !bpmu_eval_same(eval, spec, &column->spec))
		return 0;
	if (bpmu_eval_privileges(spec) == bpmu_eval_privileges(&column->spec))
		return 2;
	/*
	 * If the tree's event is to be counted at one privilege level only, the column must be of
	 * this level. If the tree's event is to be counted at both levels, a column of one level is
	 * taken, too.
	 */
	return bpmu_eval_privileges(spec) == BPMU_EVAL_PRIVILEGES;
}

/*
 * Stores in @eval->source the columns that match event number @event of the metric tree best. There
 * may be several: perf and "stat -e" print an event once for each name under which it was asked
 * for. Returns 0 or -EINVAL.
 */
static int find_source(struct bpmu_eval *eval, unsigned int event)
{
	const struct bpmu_event_spec *spec = &eval->tree.events[0].spec[event];
	struct bpmu_eval_source *source = &eval->source[event];
	unsigned int i;
	int best = 0;
	int now;

	memset(source, 0, sizeof(*source));
	for (i = 0; i < eval->nr_columns; i++) {
		now = eval_column_fit(eval, spec, &eval->column[i]);
		if (!now || now < best)
			continue;
		if (now > best)
			source->nr = 0;
		best = now;
		if (source->nr == BPMU_EVAL_NAMES)
			return bpmu_error_set(eval->err, -EINVAL,
					      "event '%s': counted under %d other names already; leave some of them out",
					      eval->column[i].name,
					      BPMU_EVAL_NAMES);
		source->column[source->nr++] = i;
	}
	bpmu_eval_derive_from(eval, source, spec);
	return 0;
}

/*
 * Events of the tree that are to be counted at both privilege levels may be counted at one level in
 * the input. Refuses the input if these events have different levels. Returns 0 or -EINVAL.
 */
static int check_privileges(struct bpmu_eval *eval)
{
	const struct bpmu_eval_column *first = NULL;
	const struct bpmu_eval_column *column;
	const struct bpmu_event_spec *spec;
	unsigned int i;

	for (i = 0; i < eval->tree.events[0].nr; i++) {
		spec = &eval->tree.events[0].spec[i];
		if (!eval->source[i].nr || bpmu_eval_privileges(spec) != BPMU_EVAL_PRIVILEGES)
			continue;
		column = &eval->column[eval->source[i].column[0]];
		if (!column->spec.nr ||
		    column->spec.term[0].unit != BPMU_UNIT_CORE)
			continue;
		if (!first)
			first = column;
		if (bpmu_eval_privileges(&column->spec) != bpmu_eval_privileges(&first->spec))
			return bpmu_error_set(eval->err, -EINVAL,
					      "event '%s': '%s' has another privilege level; count all events in user space, all in the kernel, or all in both",
					      column->name, first->name);
	}
	return 0;
}

static bool has_counts(const struct bpmu_eval *eval, const struct bpmu_expr *expr)
{
	const struct bpmu_event_list *events = &eval->tree.events[0];
	unsigned int i;

	for (i = 0; expr->op == BPMU_EXPR_NAME && i < events->nr; i++)
		if (!events->spec[i].nr && !eval->source[i].nr &&
		    !strcmp(events->spec[i].text, expr->name))
			return false;
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		if (!has_counts(eval, expr->arg[i]))
			return false;
	return true;
}

/*
 * Leaves out metrics that the CPU model cannot measure, unless the input has all counts that they
 * need. Returns 0, or -ENOTSUP if no metric is left.
 */
static int eval_column_refuse(struct bpmu_eval *eval)
{
	struct bpmu_vendor_set *vendor = &eval->choice.vendor;
	struct bpmu_vendor_note *note;
	unsigned int i;

	if (eval->choice.lines != &vendor->metrics)
		return 0;
	for (i = 0; i < vendor->metrics.nr; i++) {
		note = &vendor->note[i];
		if (!note->why || !note->computable || !eval->choice.chosen[i])
			continue;
		note->given = has_counts(eval, vendor->metrics.metric[i].expr);
		eval->tree.shown[i] &= note->given;
	}
	return bpmu_choice_check(&eval->choice, eval->err);
}

/*
 * Returns the column of the event "unhalted cycles", at any privilege level; -1 if there is none.
 */
static int find_clock(const struct bpmu_eval *eval)
{
	struct bpmu_event_spec cycles;
	struct bpmu_error ignored;
	int found = -1;
	unsigned int i;

	if (bpmu_event_parse(&eval->pmu, eval->smt, "cycles", &cycles, &ignored))
		return -1;
	for (i = 0; i < eval->nr_columns && found < 0; i++)
		if (eval->column[i].spec.nr && bpmu_eval_same(eval, &cycles, &eval->column[i].spec))
			found = i;
	bpmu_event_free(&cycles);
	return found;
}

/**
 * bpmu_eval_match() - find the column of each event of the tree
 * @eval: state of "barepmu eval", with all columns so far
 *
 * Return: 0; -EINVAL if more than BPMU_EVAL_NAMES columns have the same event, or if events were
 * counted at different privilege levels; or -ENOTSUP if no metric can be computed.
 */
int bpmu_eval_match(struct bpmu_eval *eval)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < eval->tree.events[0].nr && !ret; i++)
		ret = find_source(eval, i);
	eval->clock = find_clock(eval);
	if (!ret)
		ret = eval_column_refuse(eval);
	return ret ? ret : check_privileges(eval);
}
