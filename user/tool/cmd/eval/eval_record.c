// SPDX-License-Identifier: GPL-2.0
#include "eval_record.h"

#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"

/*
 * A count whose event was on a counter for a smaller share of the time is an estimate
 * from its slices.
 */
#define ALL_PERCENT 99.95

/**
 * struct named - an entry of a tree that is searched by name
 * @name: of a column or a set
 * @number: of it
 */
struct named {
	const char *name;
	unsigned int number;
};

/**
 * struct set - the counts of one time and row
 * @where: CPUs, core, socket
 * @counts: [nr columns]; NAN for none
 * @seen: whether the column was there, [nr columns]
 * @nr: columns in both
 * @room: capacity
 * @flags: set of &enum bpmu_value_flag
 */
struct set {
	char *where;
	double *counts;
	bool *seen;
	unsigned int nr;
	unsigned int room;
	unsigned int flags;
};

/**
 * struct bpmu_eval_sets - all sets of one time
 * @eval: the call
 * @time: of the sets
 * @set: the sets
 * @nr: number of @set
 * @room: capacity
 * @where: &struct named of each set
 * @names: &struct named of each column
 * @nr_names: columns that are in @names
 * @last_set: where the last record went
 * @last_column: and its column; the next one is likely that or the one behind it
 * @matched: number of columns when they were matched last
 */
struct bpmu_eval_sets {
	struct bpmu_eval *eval;
	char *time;
	struct set *set;
	unsigned int nr;
	unsigned int room;
	void *where;
	void *names;
	unsigned int nr_names;
	unsigned int last_set;
	unsigned int last_column;
	unsigned int matched;
};

/**
 * bpmu_eval_sets_new() - no sets yet
 * @eval: the call
 *
 * Return: the sets, or NULL with the call's error set.
 */
struct bpmu_eval_sets *bpmu_eval_sets_new(struct bpmu_eval *eval)
{
	struct bpmu_eval_sets *s = calloc(1, sizeof(*s));

	if (!s) {
		bpmu_error_no_memory(eval->err, "eval");
		return NULL;
	}
	s->eval = eval;
	return s;
}

static int eval_record_compare(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Returns the number of the entry with this name, or -1. */
static int eval_record_find(void *const *tree, const char *name)
{
	const struct named key = { .name = name };
	struct named **at = tfind(&key, tree, eval_record_compare);

	return at ? (int)(*at)->number : -1;
}

/* If two entries have the same name, the first one is found. */
static bool remember(void **tree, const char *name, unsigned int number)
{
	struct named *new = malloc(sizeof(*new));
	struct named **at;

	if (!new)
		return false;
	*new = (struct named){ name, number };
	at = tsearch(new, tree, eval_record_compare);
	if (!at || *at != new)
		free(new);
	return at;
}

static void forget(struct bpmu_eval_sets *s)
{
	tdestroy(s->where, free);
	s->where = NULL;
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
 */
void bpmu_eval_sets_free(struct bpmu_eval_sets *sets)
{
	if (!sets)
		return;
	forget(sets);
	tdestroy(sets->names, free);
	free(sets->set);
	free(sets);
}

static int eval_record_grow(struct bpmu_eval_sets *s, struct set *set)
{
	unsigned int nr = s->eval->nr_columns;
	unsigned int room;
	double *counts;
	bool *seen;

	if (nr <= set->nr)
		return 0;
	if (nr > set->room) {
		/* The array grows by doubling, because records arrive one by one. */
		room = set->room ? 2 * nr : nr;
		counts = reallocarray(set->counts, room, sizeof(*counts));
		if (!counts)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->counts = counts;
		seen = reallocarray(set->seen, room, sizeof(*seen));
		if (!seen)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->seen = seen;
		set->room = room;
	}
	for (; set->nr < nr; set->nr++) {
		set->counts[set->nr] = s->eval->column[set->nr].otherwise;
		set->seen[set->nr] = false;
	}
	return 0;
}

static int eval_record_emit(struct bpmu_eval_sets *s, struct set *set)
{
	char label[256];
	int ret = eval_record_grow(s, set);

	if (ret)
		return ret;
	snprintf(label, sizeof(label), "%s%s%s", s->time,
		 *s->time && *set->where ? " " : "", set->where);
	bpmu_plain(label, "");
	return bpmu_eval_set(s->eval, label, set->counts, set->flags);
}

/**
 * bpmu_eval_sets_flush() - evaluate the sets, which are complete
 * @sets: none afterwards
 *
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
		ret = eval_record_emit(sets, &sets->set[i]);
	forget(sets);
	return ret;
}

static int eval_record_column_of(struct bpmu_eval_sets *s, const char *name)
{
	const struct bpmu_eval *eval = s->eval;
	unsigned int c;
	int found;

	for (c = s->last_column; c < eval->nr_columns &&
	     c < s->last_column + 2; c++) {
		if (strcmp(eval->column[c].name, name))
			continue;
		s->last_column = c;
		return c;
	}
	for (; s->nr_names < eval->nr_columns; s->nr_names++)
		if (!remember(&s->names, eval->column[s->nr_names].name,
			      s->nr_names))
			return bpmu_error_no_memory(s->eval->err, "eval");
	found = eval_record_find(&s->names, name);
	if (found < 0)
		return bpmu_eval_column(s->eval, name);
	s->last_column = found;
	return found;
}

static struct set *set_of(struct bpmu_eval_sets *s, const char *where)
{
	struct set *grown;
	int found;

	if (s->nr && !strcmp(s->set[s->last_set].where, where))
		return &s->set[s->last_set];
	found = eval_record_find(&s->where, where);
	if (found >= 0) {
		s->last_set = found;
		return &s->set[found];
	}
	grown = s->set;
	if (s->nr == s->room) {
		grown = reallocarray(s->set, 2 * s->nr + 16, sizeof(*grown));
		if (!grown)
			return NULL;
		s->set = grown;
		s->room = 2 * s->nr + 16;
	}
	memset(&grown[s->nr], 0, sizeof(*grown));
	grown[s->nr].where = strdup(where);
	if (!grown[s->nr].where ||
	    !remember(&s->where, grown[s->nr].where, s->nr)) {
		free(grown[s->nr].where);
		return NULL;
	}
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
	return s->time ? 0 : bpmu_error_no_memory(s->eval->err, "eval");
}

/**
 * bpmu_eval_sets_add() - add a count
 * @sets: the sets; those of another time are evaluated first
 * @record: the count
 *
 * Events that the part does not have are left out: programs count others too.
 *
 * Return: 0, -EEXIST without an error in the call if it is there twice, -EINVAL or -ENOMEM.
 */
int bpmu_eval_sets_add(struct bpmu_eval_sets *sets,
		       const struct bpmu_eval_record *record)
{
	struct set *set;
	int ret = new_time(sets, record->time);
	int c;

	if (ret)
		return ret;
	c = eval_record_column_of(sets, record->event);
	if (c < 0)
		return c;
	set = set_of(sets, record->where);
	if (!set)
		return bpmu_error_no_memory(sets->eval->err, "eval");
	ret = eval_record_grow(sets, set);
	if (ret || !sets->eval->column[c].known)
		return ret;
	if (set->seen[c])
		return -EEXIST;
	set->seen[c] = true;
	set->counts[c] = record->count;
	if (record->percent < ALL_PERCENT && !isnan(record->count))
		set->flags |= BPMU_VALUE_MIXED;
	return 0;
}
