// SPDX-License-Identifier: GPL-2.0
#include "eval_record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* on a counter for less than this, a count is an estimate from its turns */
#define ALL_PERCENT 99.95

/**
 * struct set - the counts of one time and place
 * @where: CPUs, core, socket
 * @counts: for each column; NAN for none
 * @seen: for each column whether it was there
 * @room: in both
 * @flags: set of &enum bpmu_value_flag
 */
struct set {
	char *where;
	double *counts;
	bool *seen;
	unsigned int room;
	unsigned int flags;
};

/**
 * struct bpmu_eval_sets - all sets of one time
 * @eval: the call
 * @in: the input, for errors
 * @time: of the sets
 * @set: the sets
 * @nr: their number
 * @last_set: where the last record went
 * @last_column: and its column; the next one is likely near
 * @matched: number of columns when they were matched last
 */
struct bpmu_eval_sets {
	struct bpmu_eval *eval;
	struct bpmu_eval_input *in;
	char *time;
	struct set *set;
	unsigned int nr;
	unsigned int last_set;
	unsigned int last_column;
	unsigned int matched;
};

static int no_memory(struct bpmu_eval_sets *s)
{
	return bpmu_error_set(s->eval->err, -ENOMEM,
			      "eval: no memory; free some");
}

/**
 * bpmu_eval_sets_new() - no sets yet
 * @eval: the call
 * @in: its input
 *
 * Context: process.
 * Return: the sets, or NULL with the call's error set.
 */
struct bpmu_eval_sets *bpmu_eval_sets_new(struct bpmu_eval *eval,
					  struct bpmu_eval_input *in)
{
	struct bpmu_eval_sets *s = calloc(1, sizeof(*s));

	if (!s) {
		bpmu_error_set(eval->err, -ENOMEM,
			       "eval: no memory; free some");
		return NULL;
	}
	s->eval = eval;
	s->in = in;
	return s;
}

static void forget(struct bpmu_eval_sets *s)
{
	while (s->nr) {
		s->nr--;
		free(s->set[s->nr].where);
		free(s->set[s->nr].counts);
		free(s->set[s->nr].seen);
	}
	free(s->time);
	s->time = NULL;
	s->last_set = 0;
}

/**
 * bpmu_eval_sets_free() - forget all sets
 * @sets: the sets, or NULL
 *
 * Context: any.
 */
void bpmu_eval_sets_free(struct bpmu_eval_sets *sets)
{
	if (!sets)
		return;
	forget(sets);
	free(sets->set);
	free(sets);
}

static int grow(struct bpmu_eval_sets *s, struct set *set)
{
	unsigned int nr = s->eval->nr_columns;
	double *counts;
	bool *seen;

	if (nr <= set->room)
		return 0;
	counts = reallocarray(set->counts, nr, sizeof(*counts));
	if (!counts)
		return no_memory(s);
	set->counts = counts;
	seen = reallocarray(set->seen, nr, sizeof(*seen));
	if (!seen)
		return no_memory(s);
	set->seen = seen;
	for (; set->room < nr; set->room++) {
		counts[set->room] = s->eval->column[set->room].otherwise;
		seen[set->room] = false;
	}
	return 0;
}

static int emit(struct bpmu_eval_sets *s, struct set *set)
{
	char label[256];
	int ret = grow(s, set);

	if (ret)
		return ret;
	snprintf(label, sizeof(label), "%s%s%s", s->time,
		 *s->time && *set->where ? " " : "", set->where);
	return bpmu_eval_set(s->eval, label, set->counts, set->flags);
}

/**
 * bpmu_eval_sets_flush() - evaluate the sets, which are complete
 * @sets: none afterwards
 *
 * Context: process.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_sets_flush(struct bpmu_eval_sets *sets)
{
	unsigned int i;
	int ret = 0;

	if (sets->matched != sets->eval->nr_columns)
		ret = bpmu_eval_match(sets->eval);
	sets->matched = sets->eval->nr_columns;
	for (i = 0; i < sets->nr && !ret; i++)
		ret = emit(sets, &sets->set[i]);
	forget(sets);
	return ret;
}

static int column_of(struct bpmu_eval_sets *s, const char *name)
{
	unsigned int nr = s->eval->nr_columns;
	unsigned int i;
	unsigned int c;

	for (i = 0; i < nr; i++) {
		c = (s->last_column + i) % nr;
		if (strcmp(s->eval->column[c].name, name))
			continue;
		s->last_column = c;
		return c;
	}
	return bpmu_eval_column(s->eval, name);
}

static struct set *set_of(struct bpmu_eval_sets *s, const char *where)
{
	struct set *grown;
	unsigned int i;
	unsigned int n;

	for (i = 0; i < s->nr; i++) {
		n = (s->last_set + i) % s->nr;
		if (strcmp(s->set[n].where, where))
			continue;
		s->last_set = n;
		return &s->set[n];
	}
	grown = reallocarray(s->set, s->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	s->set = grown;
	memset(&grown[s->nr], 0, sizeof(*grown));
	grown[s->nr].where = strdup(where);
	if (!grown[s->nr].where)
		return NULL;
	s->last_set = s->nr;
	return &grown[s->nr++];
}

static int new_time(struct bpmu_eval_sets *s, const char *time)
{
	int ret;

	if (s->time && !strcmp(s->time, time))
		return 0;
	ret = s->time ? bpmu_eval_sets_flush(s) : 0;
	if (ret)
		return ret;
	s->time = strdup(time);
	return s->time ? 0 : no_memory(s);
}

/**
 * bpmu_eval_sets_add() - one more count
 * @sets: the sets; those of another time are evaluated first
 * @record: the count
 *
 * Events that the part does not have are left out: programs count others too.
 *
 * Context: process.
 * Return: 0, -EINVAL if it is there twice, or -ENOMEM.
 */
int bpmu_eval_sets_add(struct bpmu_eval_sets *sets,
		       const struct bpmu_eval_record *record)
{
	struct set *set;
	int ret = new_time(sets, record->time);
	int c;

	if (ret)
		return ret;
	c = column_of(sets, record->event);
	if (c < 0)
		return c;
	set = set_of(sets, record->where);
	if (!set)
		return no_memory(sets);
	ret = grow(sets, set);
	if (ret || !sets->eval->column[c].known)
		return ret;
	if (set->seen[c])
		return bpmu_eval_wrong(sets->eval, sets->in, 1,
				       "event '%s' is there twice; leave one out, or measure with -I to tell times apart",
				       record->event);
	set->seen[c] = true;
	set->counts[c] = record->count;
	if (record->percent < ALL_PERCENT && !isnan(record->count))
		set->flags |= BPMU_VALUE_MIXED;
	return 0;
}
