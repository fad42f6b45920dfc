// SPDX-License-Identifier: GPL-2.0
#include "event_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "intel.h"

static const struct {
	const char *word;
	u64 bit;
} switches[] = {
	{ "i", BPMU_SEL_INV },
	{ "inv", BPMU_SEL_INV },
	{ "e", BPMU_SEL_EDGE },
	{ "edge", BPMU_SEL_EDGE },
	{ "t", BPMU_SEL_ANY },
	{ "any", BPMU_SEL_ANY },
};

static const struct {
	const char *word;
	u64 rings;
} rings[] = {
	{ "u", BPMU_SEL_USR },
	{ "user", BPMU_SEL_USR },
	{ "k", BPMU_SEL_OS },
	{ "sup", BPMU_SEL_OS },
	{ "uk", BPMU_SEL_USR | BPMU_SEL_OS },
	{ "ku", BPMU_SEL_USR | BPMU_SEL_OS },
};

static u64 find_rings(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rings); i++)
		if (!strcasecmp(word, rings[i].word))
			return rings[i].rings;
	return 0;
}

/* "e", "e1", "e=1", "e0", "e=0" */
static u64 find_switch(const char *word, bool *on)
{
	const char *tail;
	size_t len;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		len = strlen(switches[i].word);
		if (strncasecmp(word, switches[i].word, len))
			continue;
		tail = word + len;
		if (*tail == '=')
			tail++;
		*on = strcmp(tail, "0");
		if (!word[len] || !strcmp(tail, "0") || !strcmp(tail, "1"))
			return switches[i].bit;
	}
	return 0;
}

/* the number of "c=4", "c4" or "cmask=4" */
static const char *cmask_number(const char *word)
{
	if (!strncasecmp(word, "cmask=", 6))
		return word + 6;
	if (!strncasecmp(word, "c=", 2))
		return word + 2;
	if (tolower((unsigned char)word[0]) == 'c' &&
	    isdigit((unsigned char)word[1]))
		return word + 1;
	return NULL;
}

/**
 * bpmu_event_filter_known() - does a word behind a ":" look like a filter
 * @word: one word, without the ":"
 *
 * Context: any.
 * Return: whether bpmu_event_filter_add() would look into it; if not, it may
 * be a part of the event's name in libpfm4's form.
 */
bool bpmu_event_filter_known(const char *word)
{
	bool on;

	return word[0] == '[' || find_rings(word) || find_switch(word, &on) ||
	       cmask_number(word);
}

static int set_bits(struct bpmu_event_filter *filter, const char *event,
		    const char *word, u64 mask, u64 bits,
		    struct bpmu_error *err)
{
	if (filter->given & mask)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' says again what another filter says; leave one out",
				      event, word);
	filter->given |= mask;
	filter->bits |= bits;
	return 0;
}

static int number(const char *text, const char *end, unsigned long *value)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	*value = strtoul(text, &stop, 0);
	return stop == end ? 0 : -EINVAL;
}

static int bad_word(const char *event, const char *word,
		    struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL,
			      "event '%s': '%s' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u or k",
			      event, word);
}

static int add_cmask(struct bpmu_event_filter *filter, const char *event,
		     const char *word, const char *text,
		     struct bpmu_error *err)
{
	unsigned long value;

	if (number(text, text + strlen(text), &value))
		return bad_word(event, word, err);
	if (value > filter->cmask_max)
		return bpmu_error_set(err, -ERANGE,
				      "event '%s': counter mask %lu is too large; %llu is the highest",
				      event, value, filter->cmask_max);
	return set_bits(filter, event, word, BPMU_SEL_CMASK,
			(u64)value << BPMU_SEL_CMASK_SHIFT, err);
}

/* what stands between the brackets: operator and number */
struct threshold {
	bool less;
	bool equal;
	unsigned long mask;
};

static int read_threshold(const char *word, struct threshold *t)
{
	size_t len = strlen(word);
	const char *p = word + 1;
	bool or_equal;
	char op;

	if (len < 4 || word[len - 1] != ']')
		return -EINVAL;
	op = *p++;
	if (!strchr("<>=", op))
		return -EINVAL;
	or_equal = *p == '=';
	p += or_equal;
	p += strspn(p, " ");
	if (number(p, word + len - 1, &t->mask))
		return -EINVAL;
	t->less = op == '<';
	t->equal = op == '=';
	if ((op == '>' && !or_equal) || (op == '<' && or_equal))
		t->mask++;
	return 0;
}

/*
 * The hardware knows "at least N" and, inverted, "less than N" (SDM Vol. 3,
 * 19.2.1.1); N = 0 is no condition at all.
 */
static int add_threshold(struct bpmu_event_filter *filter, const char *event,
			 const char *word, struct bpmu_error *err)
{
	struct threshold t;
	u64 bits;

	if (read_threshold(word, &t))
		return bad_word(event, word, err);
	if (t.equal && !t.mask) {
		t.equal = false;
		t.less = true;
		t.mask = 1;
	}
	if (!t.mask)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' holds in %s cycle; use a number above 0",
				      event, word, t.less ? "no" : "every");
	if (t.mask + t.equal > filter->cmask_max)
		return bpmu_error_set(err, -ERANGE,
				      "event '%s': '%s' needs counter mask %lu; %llu is the highest",
				      event, word, t.mask + t.equal,
				      filter->cmask_max);
	filter->equal = t.equal;
	bits = (u64)t.mask << BPMU_SEL_CMASK_SHIFT;
	if (t.less)
		bits |= BPMU_SEL_INV;
	return set_bits(filter, event, word, BPMU_SEL_CMASK | BPMU_SEL_INV,
			bits, err);
}

/**
 * bpmu_event_filter_add() - read one filter
 * @filter: what was said so far
 * @event: the event as typed, for errors
 * @word: the filter, without ":"
 * @err: set on failure
 *
 * Context: any.
 * Return: 0, -EINVAL for a word that is not a filter or says a thing again,
 * -ERANGE for a number too large.
 */
int bpmu_event_filter_add(struct bpmu_event_filter *filter, const char *event,
			  const char *word, struct bpmu_error *err)
{
	const char *text = cmask_number(word);
	u64 ring = find_rings(word);
	u64 bit;
	bool on;

	if (word[0] == '[')
		return add_threshold(filter, event, word, err);
	if (text)
		return add_cmask(filter, event, word, text, err);
	if (ring) {
		filter->rings |= ring;
		return set_bits(filter, event, word, ring, 0, err);
	}
	bit = find_switch(word, &on);
	if (!bit)
		return bad_word(event, word, err);
	return set_bits(filter, event, word, bit, on ? bit : 0, err);
}

static int apply_rings(const struct bpmu_event_filter *filter,
		       const char *event, const struct bpmu_event *row,
		       u64 *select, struct bpmu_error *err)
{
	if (row && row->unit != BPMU_UNIT_CORE) {
		if (!filter->rings)
			return 0;
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': the uncore counts for the whole package; leave out u and k",
				      event);
	}
	*select |= filter->rings;
	if (!(*select & (BPMU_SEL_USR | BPMU_SEL_OS)))
		*select |= BPMU_SEL_USR | BPMU_SEL_OS;
	return 0;
}

/**
 * bpmu_event_filter_apply() - put filters on an event
 * @filter: what was said
 * @event: the event as typed, for errors
 * @row: the row that @select comes from, or NULL
 * @select: the row's select value, changed
 * @err: set on failure
 *
 * A row that has a filter of its own means another event without it, so a
 * filter must not change it.
 *
 * Context: any.
 * Return: 0, or -EINVAL if a filter contradicts the row or does nothing.
 */
int bpmu_event_filter_apply(const struct bpmu_event_filter *filter,
			    const char *event, const struct bpmu_event *row,
			    u64 *select, struct bpmu_error *err)
{
	u64 all = BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY;
	u64 given = filter->given & all;
	u64 own = *select & given;

	if (own && own != filter->bits)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': %s has a filter of its own (counter mask %llu%s%s); leave yours out",
				      event, row ? row->name : "it",
				      (*select & BPMU_SEL_CMASK) >>
				      BPMU_SEL_CMASK_SHIFT,
				      *select & BPMU_SEL_INV ? ", invert" : "",
				      *select & BPMU_SEL_EDGE ? ", edge" : "");
	*select = (*select & ~given) | filter->bits;
	if ((*select & BPMU_SEL_INV) && !(*select & BPMU_SEL_CMASK))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': invert does nothing without a counter mask; add c=N",
				      event);
	return apply_rings(filter, event, row, select, err);
}
