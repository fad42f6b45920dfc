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
 * An event that was counted for less than this percentage of the time was multiplexed: its count is
 * an estimate.
 */
#define FULL_PERCENT 99.95
/*
 * Two event groups may both count an event all the time. They do not start at the same moment, so
 * that their counts may differ by this fraction. Two counts of an event that differ by more must be
 * from two runs of perf.
 */
#define SAME_COUNT 0.05

/**
 * struct named - node of a tsearch(3) tree of columns or of sets of counts
 * @name: key of the node: name of a column; or text that names the CPUs of a set
 * @number: index of the column or the set
 */
struct named {
	const char *name;
	unsigned int number;
};

/**
 * struct again - a further count of an event in a set, from another event group
 * @column: index of the event's column
 * @count: the count
 * @running: time for which the event was counted, in nanoseconds
 */
struct again {
	unsigned int column;
	struct bpmu_eval_count count;
	double running;
};

/**
 * struct set - counts of one interval on the same CPUs
 * @where: text that names the CPUs, the core or the socket
 * @counts: count of each column, [@nr]
 * @running: time in ns for which each event was counted, [@nr]; equal for all events of an event
 *	group
 * @seen: true if the input has a count of the column, [@nr]
 * @nr: number of columns that the set has room for at present
 * @room: capacity of @counts, @running and @seen
 * @again: further counts of events that @counts already has, [@nr_again]
 * @nr_again: number of counts in @again
 * @room_again: capacity of @again
 */
struct set {
	char *where;
	struct bpmu_eval_count *counts;
	double *running;
	bool *seen;
	unsigned int nr;
	unsigned int room;
	struct again *again;
	unsigned int nr_again;
	unsigned int room_again;
};

/**
 * struct bpmu_eval_sets - the counts of one interval: a set for each CPU, core or socket
 * @eval: state of "barepmu eval"
 * @time: time stamp of the interval, as text
 * @set: the sets, [@nr]
 * @nr: number of sets
 * @room: capacity of @set
 * @where: tsearch(3) tree of the sets by their CPUs
 * @names: tsearch(3) tree of the columns by their names
 * @nr_names: number of columns in @names
 * @last_set: index in @set of the set with the latest record
 * @last_column: index of the column of the latest record; it is tried first, because the next
 *	record probably has the same column or the following one
 * @matched: number of columns when bpmu_eval_match() was called last
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
 * bpmu_eval_sets_new() - allocate an empty collection for the records of eval's input
 * @eval: state of "barepmu eval"
 *
 * Return: the collection, to be freed with bpmu_eval_sets_free(); NULL if memory runs out, with
 * &bpmu_eval.err set.
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

/* Returns &named.number of the node with this name in a tsearch(3) tree; -1 if there is none. */
static int find_number(void *const *tree, const char *name)
{
	const struct named key = { .name = name };
	struct named **at = tfind(&key, tree, eval_record_compare);

	return at ? (int)(*at)->number : -1;
}

/*
 * Adds a node with name and number to a tsearch(3) tree, unless the tree has a node with this name.
 * Returns false if memory runs out.
 */
static bool add_name(void **tree, const char *name, unsigned int number)
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

static void free_sets(struct bpmu_eval_sets *s)
{
	tdestroy(s->where, free);
	s->where = NULL;
	while (s->nr) {
		s->nr--;
		free(s->set[s->nr].where);
		free(s->set[s->nr].counts);
		free(s->set[s->nr].running);
		free(s->set[s->nr].seen);
		free(s->set[s->nr].again);
	}
	free(s->time);
	s->time = NULL;
	s->last_set = 0;
}

/**
 * bpmu_eval_sets_free() - free the collection of records of eval's input
 * @sets: the collection, or NULL
 */
void bpmu_eval_sets_free(struct bpmu_eval_sets *sets)
{
	if (!sets)
		return;
	free_sets(sets);
	tdestroy(sets->names, free);
	free(sets->set);
	free(sets);
}

static int eval_record_grow(struct bpmu_eval_sets *s, struct set *set)
{
	unsigned int nr = s->eval->nr_columns;
	struct bpmu_eval_count *counts;
	double *running;
	unsigned int room;
	bool *seen;

	if (nr <= set->nr)
		return 0;
	if (nr > set->room) {
		/* The capacity is doubled each time, because columns are added one by one. */
		room = set->room ? 2 * nr : nr;
		counts = reallocarray(set->counts, room, sizeof(*counts));
		if (!counts)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->counts = counts;
		running = reallocarray(set->running, room, sizeof(*running));
		if (!running)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->running = running;
		seen = reallocarray(set->seen, room, sizeof(*seen));
		if (!seen)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->seen = seen;
		set->room = room;
	}
	for (; set->nr < nr; set->nr++) {
		set->counts[set->nr] = (struct bpmu_eval_count){
			.number = s->eval->column[set->nr].otherwise, .share = 1,
		};
		set->seen[set->nr] = false;
	}
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Returns how many of the @nr elements of @time are equal to @one. The elements are in ascending
 * order.
 */
static unsigned int times_like(const double *time, unsigned int nr, double one)
{
	const double *at = bsearch(&one, time, nr, sizeof(*time), compare_times);
	const double *first = at, *last = at;

	if (!at)
		return 0;
	while (first > time && first[-1] == one)
		first--;
	while (last < time + nr - 1 && last[1] == one)
		last++;
	return last - first + 1;
}

/*
 * The set may have several counts of an event, from several event groups. Chooses the count of the
 * largest event group. The input does not name event groups: events with equal running times are
 * taken to be in one group. Returns 0 or -ENOMEM.
 */
static int choose_groups(struct bpmu_eval_sets *s, struct set *set)
{
	double *time = calloc(set->nr + set->nr_again, sizeof(*time));
	const struct again *again;
	unsigned int i, c, nr = 0;

	if (!time)
		return bpmu_error_no_memory(s->eval->err, "eval");
	for (i = 0; i < set->nr; i++)
		if (set->seen[i] && !isnan(set->counts[i].number))
			time[nr++] = set->running[i];
	for (i = 0; i < set->nr_again; i++)
		if (!isnan(set->again[i].count.number))
			time[nr++] = set->again[i].running;
	qsort(time, nr, sizeof(*time), compare_times);
	for (i = 0; i < set->nr_again; i++) {
		again = &set->again[i];
		c = again->column;
		if (isnan(again->count.number) ||
		    (!isnan(set->counts[c].number) && times_like(time, nr, again->running) <=
						      times_like(time, nr, set->running[c])))
			continue;
		set->counts[c] = again->count;
		set->running[c] = again->running;
	}
	free(time);
	return 0;
}

static int eval_record_emit(struct bpmu_eval_sets *s, struct set *set)
{
	char label[256];
	int ret = eval_record_grow(s, set);

	if (!ret && set->nr_again)
		ret = choose_groups(s, set);
	if (ret)
		return ret;
	snprintf(label, sizeof(label), "%s%s%s", s->time,
		 *s->time && *set->where ? " " : "", set->where);
	bpmu_plain(label, "");
	return bpmu_eval_set(s->eval, label, set->counts);
}

/**
 * bpmu_eval_sets_flush() - evaluate eval's records of an interval, when all have been read
 * @sets: the records; empty afterwards
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
	free_sets(sets);
	return ret;
}

static int find_column(struct bpmu_eval_sets *s, const char *name)
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
		if (!add_name(&s->names, eval->column[s->nr_names].name,
			      s->nr_names))
			return bpmu_error_no_memory(s->eval->err, "eval");
	found = find_number(&s->names, name);
	if (found < 0)
		return bpmu_eval_column(s->eval, name);
	s->last_column = found;
	return found;
}

static struct set *find_set(struct bpmu_eval_sets *s, const char *where)
{
	struct set *grown;
	int found;

	if (s->nr && !strcmp(s->set[s->last_set].where, where))
		return &s->set[s->last_set];
	found = find_number(&s->where, where);
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
	    !add_name(&s->where, grown[s->nr].where, s->nr)) {
		free(grown[s->nr].where);
		return NULL;
	}
	s->last_set = s->nr;
	return &grown[s->nr++];
}

static int start_time(struct bpmu_eval_sets *s, const char *time)
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

static struct bpmu_eval_count count_of(const struct bpmu_eval_record *record)
{
	struct bpmu_eval_count count = { .number = record->count, .share = 1 };

	if (record->percent < FULL_PERCENT) {
		count.share = record->percent / 100;
		count.half = record->half;
		count.clock = record->clock;
	}
	return count;
}

/*
 * Returns true if two counts of the same event must be from two runs of perf: neither count was
 * multiplexed, and they differ by more than SAME_COUNT.
 */
static bool of_two_runs(const struct bpmu_eval_count *a, const struct bpmu_eval_count *b)
{
	return a->share == 1 && b->share == 1 &&
	       fabs(a->number - b->number) >
	       SAME_COUNT * fmax(fabs(a->number), fabs(b->number));
}

/*
 * Adds @count, the count of an event in an uncore box, to @sum, the sum of the event's counts in
 * other boxes. Also adds the half-widths, and keeps the smaller fraction of the time.
 */
static void add_up(struct bpmu_eval_count *sum, const struct bpmu_eval_count *count)
{
	sum->number += count->number;
	sum->half += count->half;
	sum->share = fmin(sum->share, count->share);
}

static int add_again(struct bpmu_eval_sets *s, struct set *set, unsigned int column,
		     const struct bpmu_eval_count *count, double running)
{
	unsigned int room = 2 * set->room_again + 16;
	struct again *grown;

	if (of_two_runs(&set->counts[column], count))
		return -EEXIST;
	if (set->nr_again == set->room_again) {
		grown = reallocarray(set->again, room, sizeof(*grown));
		if (!grown)
			return bpmu_error_no_memory(s->eval->err, "eval");
		set->again = grown;
		set->room_again = room;
	}
	set->again[set->nr_again++] = (struct again){ column, *count, running };
	s->eval->column[column].of_groups = true;
	return 0;
}

/**
 * bpmu_eval_sets_add() - add a record of eval, which is one count, to the records of its interval
 * @sets: the records so far; if they are of another interval, they are evaluated first
 * @record: the count
 *
 * A count of an event that the CPU model does not have is left out: perf counts software events,
 * too.
 *
 * Return: 0; -EINVAL; -ENOMEM; -EEXIST if @sets has a count of the event for the same CPUs already,
 * and the two counts cannot be from two event groups. For -EEXIST no error message is set: the
 * caller must set it.
 */
int bpmu_eval_sets_add(struct bpmu_eval_sets *sets,
		       const struct bpmu_eval_record *record)
{
	struct bpmu_eval_count count = count_of(record);
	struct set *set;
	int ret = start_time(sets, record->time);
	int c;

	if (ret)
		return ret;
	c = find_column(sets, record->event);
	if (c < 0)
		return c;
	sets->eval->column[c].counted |= !isnan(record->count);
	set = find_set(sets, record->where);
	if (!set)
		return bpmu_error_no_memory(sets->eval->err, "eval");
	ret = eval_record_grow(sets, set);
	if (ret || !sets->eval->column[c].known)
		return ret;
	if (set->seen[c] && record->of_box) {
		add_up(&set->counts[c], &count);
		return 0;
	}
	if (set->seen[c])
		return record->of_groups ?
		       add_again(sets, set, c, &count, record->running) : -EEXIST;
	set->seen[c] = true;
	set->counts[c] = count;
	set->running[c] = record->running;
	return 0;
}
