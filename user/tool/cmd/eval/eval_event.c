// SPDX-License-Identifier: GPL-2.0
/*
 * Decides whether an event in the input of "barepmu eval" is the same as an event that a metric
 * tree needs, although their names differ.
 */
#include <string.h>
#include <strings.h>

#include "eval.h"
#include "event/event_counters.h"

static bool eval_event_twins(const struct bpmu_event_spec *a,
			     const struct bpmu_event_spec *b)
{
	return a->row && b->row && a->nr == 1 && b->nr == 1 &&
	       !((a->term[0].select ^ a->row->select) & ~BPMU_EVAL_PRIVILEGES) &&
	       !((b->term[0].select ^ b->row->select) & ~BPMU_EVAL_PRIVILEGES) &&
	       bpmu_event_twins(a->row, b->row);
}

static bool same_term(const struct bpmu_event_term *a,
		      const struct bpmu_event_term *b)
{
	/*
	 * Different events of fixed counters, or of free-running registers, may have the same event
	 * select. So the numbers of their counters are compared, too.
	 */
	bool fixed = (a->counters | b->counters) & ~BPMU_COUNTERS_GENERAL ||
		     bpmu_unit_is_free(a->unit);

	return !((a->select ^ b->select) & ~BPMU_EVAL_PRIVILEGES) &&
	       a->filter == b->filter && a->unit == b->unit &&
	       a->sign == b->sign && (!fixed || a->counters == b->counters);
}

/*
 * @fixed is an event that a fixed counter counts. General-purpose counters may count the same event
 * with an event select. Returns true if @raw, an event given by its event select instead of a name,
 * has this event select.
 */
static bool is_code_of(const struct bpmu_eval *eval, const struct bpmu_event_spec *fixed,
		       const struct bpmu_event_spec *raw)
{
	const struct bpmu_event *general;

	if (!bpmu_event_fixed(fixed->row, eval->smt) || raw->row || fixed->nr != 1 || raw->nr != 1 ||
	    raw->term[0].unit != BPMU_UNIT_CORE)
		return false;
	general = bpmu_event_general(eval->pmu.part, fixed->row->counters);
	return general && bpmu_event_twins(fixed->row, general) &&
	       !((fixed->term[0].select ^ fixed->row->select) & ~BPMU_EVAL_PRIVILEGES) &&
	       !((general->select ^ raw->term[0].select) & ~BPMU_EVAL_PRIVILEGES);
}

/**
 * bpmu_eval_same() - eval: check if an event of the input is one of the tree, apart from privileges
 */
bool bpmu_eval_same(const struct bpmu_eval *eval, const struct bpmu_event_spec *a,
		    const struct bpmu_event_spec *b)
{
	unsigned int t;

	if (eval_event_twins(a, b) || eval_event_twins(b, a) ||
	    is_code_of(eval, a, b) || is_code_of(eval, b, a))
		return true;
	if (a->nr != b->nr)
		return false;
	for (t = 0; t < a->nr; t++)
		if (!same_term(&a->term[t], &b->term[t]))
			return false;
	return true;
}

/**
 * bpmu_eval_privileges() - privilege levels at which an event of eval was or must be counted
 *
 * Return: mask of BPMU_SEL_USR and BPMU_SEL_OS.
 */
u64 bpmu_eval_privileges(const struct bpmu_event_spec *spec)
{
	return spec->term[0].select & BPMU_EVAL_PRIVILEGES;
}

/**
 * bpmu_eval_counts() - check if a name is that of a given event of eval's tree
 * @name: the name, which specifies no privilege level
 * @spec: the event of the tree
 */
bool bpmu_eval_counts(const struct bpmu_eval *eval, const char *name,
		      const struct bpmu_event_spec *spec)
{
	struct bpmu_event_spec named;
	struct bpmu_error ignored;
	bool same;

	if (!strcasecmp(spec->text, name))
		return true;
	if (!spec->nr || bpmu_event_parse(&eval->pmu, eval->smt, name, &named,
					  &ignored))
		return false;
	same = bpmu_eval_same(eval, spec, &named) &&
	       bpmu_eval_privileges(spec) == bpmu_eval_privileges(&named);
	bpmu_event_free(&named);
	return same;
}

/**
 * bpmu_eval_find() - find an event of eval by its name
 * @eval: state of "barepmu eval", with all columns so far
 * @name: name of the event, in upper or lower case
 *
 * Return: index into &bpmu_eval.column; -1 if there is no such column.
 */
int bpmu_eval_find(const struct bpmu_eval *eval, const char *name)
{
	unsigned int i;

	for (i = 0; i < eval->nr_columns; i++)
		if (!strcasecmp(eval->column[i].name, name))
			return i;
	for (i = 0; i < eval->nr_columns; i++)
		if (eval->column[i].spec.nr &&
		    bpmu_eval_counts(eval, name, &eval->column[i].spec))
			return i;
	return -1;
}
