// SPDX-License-Identifier: GPL-2.0
#include "event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "event_core.h"
#include "event_counters.h"
#include "event_ibs.h"
#include "event_name.h"
#include "intel.h"
#include "pfm.h"

#define PER ":per="
#define FILTERS (BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY | BPMU_SEL_EQ)

/**
 * struct bpmu_event_filter - the filters that follow the name of an event
 * @given: mask of the bits of the event select that filters set or clear
 * @bits: values of the bits in @given
 * @privileges: BPMU_SEL_USR, BPMU_SEL_OS, both, or 0 if not given
 * @cmask_max: maximum counter mask of the event's unit
 * @counter: mask of the only counter that may count the event, 0 for any
 * @equal: the filter is [=N], and the counter mask in @bits is N
 * @fields: mask of the event select's bits that belong to named fields (&struct bpmu_select_field)
 *	to which the user has given values
 * @values: values of the bits in @fields
 * @unless: bits of the event select that must be 0, because otherwise the hardware ignores the
 *	fields in @fields
 * @box_fields: mask of the bits of the filter register to which the user has given values; each
 *	box (instance of an uncore unit) may have such a register
 * @box_values: values of the bits in @box_fields
 * @extra: perf's name of the extra register to which the user has given a value, or NULL
 * @extra_value: value of this extra register
 */
struct bpmu_event_filter {
	u64 given;
	u64 bits;
	u64 privileges;
	u64 cmask_max;
	u64 counter;
	bool equal;
	u64 fields;
	u64 values;
	u64 unless;
	u64 box_fields;
	u64 box_values;
	const char *extra;
	u64 extra_value;
};

static const struct {
	const char *word;
	u64 bit;
} switches[] = {
	{ "i", BPMU_SEL_INV },
	{ "inv", BPMU_SEL_INV },
	{ "e", BPMU_SEL_EDGE },
	{ "edge", BPMU_SEL_EDGE },
	{ "eq", BPMU_SEL_EQ },
	{ "t", BPMU_SEL_ANY },
	{ "any", BPMU_SEL_ANY },
};

static const struct {
	const char *word;
	u64 privileges;
} privileges[] = {
	{ "u", BPMU_SEL_USR },
	{ "user", BPMU_SEL_USR },
	{ "k", BPMU_SEL_OS },
	{ "sup", BPMU_SEL_OS },
	{ "uk", BPMU_SEL_USR | BPMU_SEL_OS },
	{ "ku", BPMU_SEL_USR | BPMU_SEL_OS },
};

static u64 find_privileges(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(privileges); i++)
		if (!strcasecmp(word, privileges[i].word))
			return privileges[i].privileges;
	return 0;
}

/*
 * Parses a word such as "e", "e1", "e=1", "e0" or "e=0", which switches one bit of the event select
 * on or off. Returns this bit, or 0 if @word is not such a word.
 */
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

/* Returns the text of the counter mask in "c=4", "c4" or "cmask=4"; NULL for another word. */
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

/*
 * Letters of perf's event modifiers, which stand together in one word such as "ukHG" or "pp":
 * privilege levels, hypervisor, guests, host, precise levels, and how perf groups and reads
 * counters (perf-list(1), EVENT MODIFIERS)
 */
#define MODIFIERS "ukhGHpPSWDeIb"

static bool is_modifiers(const char *word)
{
	return *word && !word[strspn(word, MODIFIERS)];
}

/**
 * bpmu_event_is_precise() - check if an event's modifiers ask for precise samples
 * @text: the event as typed, such as "cycles:upp" or "cpu/event=0xc0/p"
 *
 * Return: true if the modifiers include "p", which does not change what is counted, and for events
 * of IBS.
 */
bool bpmu_event_is_precise(const char *text)
{
	const char *at = text;
	size_t size;

	if (bpmu_event_is_ibs(text))
		return true;
	while ((at = strpbrk(at, ":/"))) {
		size = strcspn(++at, ":/");
		if (strspn(at, MODIFIERS) >= size &&
		    (memchr(at, 'p', size) || memchr(at, 'P', size)))
			return true;
	}
	return false;
}

/* Parses LIKWID's name of a counter, such as PMC0 or FIXC1; returns the counter's mask, or 0. */
static u64 find_counter(const char *word)
{
	bool fixed = !strncasecmp(word, "fixc", 4);
	const char *digits = word + (fixed ? 4 : 3);
	unsigned long number;
	char *end;

	if ((!fixed && strncasecmp(word, "pmc", 3)) ||
	    !isdigit((unsigned char)*digits))
		return 0;
	number = strtoul(digits, &end, 10);
	if (*end || number >= BPMU_FIXED_BASE)
		return 0;
	return fixed ? BPMU_FIXED_BIT(number) : BPMU_BIT(number);
}

static const struct bpmu_select_field *
field_among(const struct bpmu_select_field *field, const char *word)
{
	size_t len = strcspn(word, "=");

	for (; word[len] && field && field->name; field++)
		if (strlen(field->name) == len &&
		    !strncasecmp(field->name, word, len))
			return field;
	return NULL;
}

/*
 * Returns the name of the extra register to which a word such as "offcore_rsp=0x10001" gives a
 * value; NULL for another word.
 */
static const char *find_extra(const struct bpmu_part *part, const char *word)
{
	const struct bpmu_extra *extra = part->extras;
	size_t len = strcspn(word, "=");
	const char *name;

	for (; word[len] && extra && extra->code; extra++) {
		name = bpmu_extra_name(extra->id);
		if (strlen(name) == len && !strncasecmp(name, word, len))
			return name;
	}
	return NULL;
}

/*
 * Returns the field to which a word such as "threadmask=3" gives a value; NULL for another word.
 * The fields of the event selects of all uncore units of the CPU model are searched.
 */
static const struct bpmu_select_field *find_field(const struct bpmu_part *part,
						  const char *word)
{
	const struct bpmu_box *box = part->uncore ? part->uncore->boxes : NULL;
	const struct bpmu_select_field *field = NULL;

	for (; box && box->unit && !field; box++) {
		field = field_among(box->fields, word);
		if (!field)
			field = field_among(box->filters, word);
	}
	return field;
}

/**
 * event_filter_known() - check if a word after a ":" of an event looks like a filter
 * @part: descriptor of the CPU model
 * @word: the word, without the ":"
 *
 * Return: true if event_filter_add() parses the word as a filter; any other word may be a part of
 * the event's name in the syntax of libpfm4.
 */
static bool event_filter_known(const struct bpmu_part *part, const char *word)
{
	bool on;

	return word[0] == '[' || find_privileges(word) || find_switch(word, &on) ||
	       cmask_number(word) || find_counter(word) ||
	       find_field(part, word) || find_extra(part, word) ||
	       is_modifiers(word);
}

static int refuse_repeated(const char *event, const char *word,
			   struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL,
			      "event '%s': '%s' repeats another filter; drop one",
			      event, word);
}

static int set_bits(struct bpmu_event_filter *filter, const char *event,
		    const char *word, u64 mask, u64 bits,
		    struct bpmu_error *err)
{
	if (filter->given & mask)
		return refuse_repeated(event, word, err);
	filter->given |= mask;
	filter->bits |= bits;
	return 0;
}

static int event_number(const char *text, const char *end, unsigned long *value)
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
			      "event '%s': '%s' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn",
			      event, word);
}

static int add_cmask(struct bpmu_event_filter *filter, const char *event,
		     const char *word, const char *text,
		     struct bpmu_error *err)
{
	unsigned long value;

	if (event_number(text, text + strlen(text), &value))
		return bad_word(event, word, err);
	if (value > filter->cmask_max)
		return bpmu_error_set(err, -ERANGE,
				      "event '%s': counter mask %lu is too large; %llu is the highest",
				      event, value, filter->cmask_max);
	return set_bits(filter, event, word, BPMU_SEL_CMASK,
			(u64)value << BPMU_SEL_CMASK_SHIFT, err);
}

/* Operator and number of a filter in brackets, such as "[>=2]" */
struct threshold {
	bool less;
	bool equal;
	unsigned long mask;
};

static int event_read_threshold(const char *word, struct threshold *t)
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
	if (event_number(p, word + len - 1, &t->mask))
		return -EINVAL;
	t->less = op == '<';
	t->equal = op == '=';
	if ((op == '>' && !or_equal) || (op == '<' && or_equal))
		t->mask++;
	return 0;
}

/*
 * Adds the filter "[>=2]" or the like as a counter mask. In the event select a counter mask N means
 * "at least N" and, with the bit invert, "less than N"; N = 0 disables the comparison (SDM Vol. 3,
 * 19.2.1.1).
 */
static int add_threshold(struct bpmu_event_filter *filter, const char *event,
			 const char *word, struct bpmu_error *err)
{
	struct threshold t;
	u64 bits;

	if (event_read_threshold(word, &t))
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

/*
 * Parses the value in a word such as "slicemask=3". Sets @bits to the value, shifted to the
 * position of the field.
 */
static int field_value(const char *event, const struct bpmu_select_field *field,
		       const char *word, u64 *bits, struct bpmu_error *err)
{
	const char *text = strchr(word, '=') + 1;
	u64 most = field->bits >> __builtin_ctzll(field->bits);
	unsigned long value;

	if (event_number(text, text + strlen(text), &value))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' is not a number; write it as 0x1f or 31",
				      event, word);
	if (value > most)
		return bpmu_error_set(err, -ERANGE,
				      "event '%s': '%s' is too large; 0x%llx is the highest %s",
				      event, word, most, field->name);
	if (field->some && !value)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' counts nothing; set a bit of 0x%llx, or leave it out to count all",
				      event, word, most);
	*bits = (u64)value << __builtin_ctzll(field->bits);
	return 0;
}

static int add_field(struct bpmu_event_filter *filter, const char *event,
		     const struct bpmu_select_field *field, const char *word,
		     struct bpmu_error *err)
{
	u64 bits;
	int ret;

	if (filter->fields & field->bits)
		return refuse_repeated(event, word, err);
	ret = field_value(event, field, word, &bits, err);
	if (ret)
		return ret;
	filter->fields |= field->bits;
	filter->values |= bits;
	filter->unless |= field->unless;
	return 0;
}

/* Adds the value of a field of an uncore unit's filter register to the filters of an event. */
static int add_box_field(struct bpmu_event_filter *filter, const char *event,
			 const struct bpmu_select_field *field,
			 const char *word, struct bpmu_error *err)
{
	u64 bits;
	int ret;

	if (filter->box_fields & field->bits)
		return refuse_repeated(event, word, err);
	ret = field_value(event, field, word, &bits, err);
	if (ret)
		return ret;
	filter->box_fields |= field->bits;
	filter->box_values |= bits;
	return 0;
}

/*
 * Adds the value of an extra register to the filters of an event. finish_extra() checks later if
 * the event uses this register.
 */
static int add_extra(struct bpmu_event_filter *filter, const char *event,
		     const char *name, const char *word,
		     struct bpmu_error *err)
{
	const char *text = strchr(word, '=') + 1;
	unsigned long value;

	if (filter->extra)
		return refuse_repeated(event, word, err);
	errno = 0;
	if (event_number(text, text + strlen(text), &value) || errno)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' is not a number of 64 bits; write it as 0x10001",
				      event, word);
	if (!value)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%s' counts nothing; set the bits of what to count",
				      event, word);
	filter->extra = name;
	filter->extra_value = value;
	return 0;
}

/*
 * Adds perf's modifiers to the filters of an event. Modifiers of precise sampling are ignored,
 * because they change no count. Modifiers that let perf split a group, or read all counters of a
 * group at once, are ignored, too: this tool always does so.
 */
static int add_modifiers(struct bpmu_event_filter *filter, const char *event,
			 const char *word, struct bpmu_error *err)
{
	const char *other = word + strcspn(word, "DeIb");
	bool guests = strchr(word, 'G'), host = strchr(word, 'H');
	u64 privileges = (strchr(word, 'u') ? BPMU_SEL_USR : 0) |
			 (strchr(word, 'k') ? BPMU_SEL_OS : 0);

	if (*other)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': '%c' of '%s' says how perf counts; leave it out",
				      event, *other, word);
	if (guests != host)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': counters count in the host and in its guests, not %s alone; leave '%c' out",
				      event, guests ? "in guests" : "in the host",
				      guests ? 'G' : 'H');
	if (!privileges)
		return 0;
	filter->privileges |= privileges;
	return set_bits(filter, event, word, privileges, 0, err);
}

/**
 * event_filter_add() - parse one filter of an event
 * @filter: filters of the event so far, to which the filter is added
 * @part: descriptor of the CPU model
 * @box: boxes (instances) of the uncore unit that counts the event, or NULL
 * @event: the event as typed, for errors
 * @word: the filter, without ":"
 *
 * Return: 0, -EINVAL if the word is not a filter or repeats an earlier one, -ERANGE if a number is
 * too large.
 */
static int event_filter_add(struct bpmu_event_filter *filter,
			    const struct bpmu_part *part,
			    const struct bpmu_box *box, const char *event,
			    const char *word, struct bpmu_error *err)
{
	const struct bpmu_select_field *field =
		field_among(box ? box->fields : NULL, word);
	const struct bpmu_select_field *box_field =
		field_among(box ? box->filters : NULL, word);
	const char *text = cmask_number(word);
	u64 privilege = find_privileges(word);
	u64 bit;
	bool on;

	if (field)
		return add_field(filter, event, field, word, err);
	if (box_field)
		return add_box_field(filter, event, box_field, word, err);
	if (!box && find_extra(part, word))
		return add_extra(filter, event, find_extra(part, word), word, err);
	if (!box && part->extras && !strncasecmp(word, "ldlat=", 6))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': such an event counts nothing unless PEBS samples it, which is not used here; use 'perf mem record', or 'barepmu list events mem_load' for loads by where they hit",
				      event);
	if (word[0] == '[')
		return add_threshold(filter, event, word, err);
	if (text)
		return add_cmask(filter, event, word, text, err);
	if (privilege) {
		filter->privileges |= privilege;
		return set_bits(filter, event, word, privilege, 0, err);
	}
	if (find_counter(word)) {
		if (filter->counter)
			return refuse_repeated(event, word, err);
		filter->counter = find_counter(word);
		return 0;
	}
	bit = find_switch(word, &on);
	if (!bit && is_modifiers(word))
		return add_modifiers(filter, event, word, err);
	if (!bit)
		return bad_word(event, word, err);
	return set_bits(filter, event, word, bit, on ? bit : 0, err);
}

static int apply_privileges(const struct bpmu_event_filter *filter,
			    const char *event, const struct bpmu_event *row,
			    const struct bpmu_box *box, u64 *select,
			    struct bpmu_error *err)
{
	if (row && row->unit != BPMU_UNIT_CORE) {
		if (!filter->privileges)
			return 0;
		if (bpmu_unit_is_free(row->unit))
			return bpmu_error_set(err, -EINVAL,
					      "event '%s': %s is a register that always counts; leave out u and k",
					      event, row->name);
		if (box->base)
			return bpmu_error_set(err, -EINVAL,
					      "event '%s': the %s counts for all CPUs that share it; leave out u and k",
					      event, box->title);
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': the uncore counts for the whole package; leave out u and k",
				      event);
	}
	*select |= filter->privileges;
	if (!(*select & (BPMU_SEL_USR | BPMU_SEL_OS)))
		*select |= BPMU_SEL_USR | BPMU_SEL_OS;
	return 0;
}

/**
 * event_filter_apply() - apply filters to the event select of an event
 * @filter: the filters
 * @event: the event as typed, for errors
 * @row: event in the CPU model's table of events, or NULL
 * @box: boxes (instances) of the uncore unit that counts the event, or NULL
 * @select: on entry the event select without filters, on return with filters
 *
 * An event in the table may have filters, such as a counter mask, as a part of its definition. The
 * filters of the user must not change these.
 *
 * Return: 0, or -EINVAL if a filter contradicts @row or has no effect.
 */
static int event_filter_apply(const struct bpmu_event_filter *filter,
			      const char *event, const struct bpmu_event *row,
			      const struct bpmu_box *box, u64 *select,
			      struct bpmu_error *err)
{
	u64 given = filter->given & FILTERS;
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
	*select = (*select & ~(filter->fields | filter->unless)) |
		  filter->values;
	if ((*select & BPMU_SEL_INV) && !(*select & BPMU_SEL_CMASK))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': invert does nothing without a counter mask; add c=N",
				      event);
	if (box && filter->given & BPMU_SEL_EQ)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': counters of the %s have no eq; leave it out",
				      event, box->title);
	if (!box && (*select & BPMU_SEL_EQ) && !(*select & BPMU_SEL_CMASK))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': eq does nothing without a counter mask; add c=N",
				      event);
	if (!box && (*select & BPMU_SEL_EQ) && filter->equal)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': [=N] is eq with a counter mask; leave one out",
				      event);
	return apply_privileges(filter, event, row, box, select, err);
}

/**
 * struct parse - an event that is being parsed
 * @pmu: counters of the CPU
 * @smt: true if hyper-threading is on
 * @text: the event as typed
 * @row: event in the CPU model's table of events, or NULL
 * @select: event select so far
 * @extra: value that the table gives for the event's extra register, such as MSR_OFFCORE_RSP_0, or
 *	for the filter register of its uncore unit; 0 if it gives none
 * @filter: filters after the name
 * @err: set on failure
 */
struct parse {
	const struct bpmu_pmu *pmu;
	int smt;
	const char *text;
	const struct bpmu_event *row;
	u64 select;
	u64 extra;
	struct bpmu_event_filter filter;
	struct bpmu_error *err;
};

/*
 * Returns the boxes (instances) of the uncore unit that counts the parsed event, or NULL for an
 * event of the core.
 */
static const struct bpmu_box *box_of(const struct parse *p)
{
	return p->row ? bpmu_uncore_box(p->pmu->part, p->row->unit) : NULL;
}

static int refuse_bits(const struct parse *p, u64 bits)
{
	const struct bpmu_box *box = box_of(p);
	u64 hidden = box ? 0 : bits & p->pmu->part->legal & ~p->pmu->legal;
	unsigned int bit = __builtin_ctzll(hidden ? hidden : bits);

	if (box && !box->legal)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': %s has a counter of its own, without filters; leave them out",
				      p->text, p->row->name);
	if (hidden)
		return bpmu_error_set(p->err, -ENODEV,
				      "event '%s': needs %s of the event select, and CPUID of this CPU does not have it, or a hypervisor hides it; use another event",
				      p->text, bpmu_select_bit_name(p->pmu->part, bit));
	return bpmu_error_set(p->err, -EINVAL,
			      "event '%s': bit %u, %s, must not be set on %s%s%s; leave it out",
			      p->text, bit, bpmu_select_bit_name(p->pmu->part, bit),
			      box ? box->name : "", box ? " of " : "",
			      p->pmu->part->name);
}

static int refuse_fixed(const struct parse *p)
{
	bool any = p->pmu->part->legal & BPMU_SEL_ANY;
	const struct bpmu_event *general =
		bpmu_event_general(p->pmu->part, p->row->counters);

	return bpmu_error_set(p->err, -EINVAL,
			      "event '%s': %s is on a fixed counter, which has no filters but %s; %s%s",
			      p->text, p->row->name,
			      any ? "u, k and t" : "u and k",
			      general ? "use " : "leave the others out",
			      general ? general->name : "");
}

static int refuse_counter(const struct parse *p, u64 counters)
{
	char list[128] = "";
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < 64 && len < sizeof(list); i++)
		if (counters >> i & 1)
			len += snprintf(list + len, sizeof(list) - len,
					"%s%s%u", len ? ", " : "",
					i < BPMU_FIXED_BASE ? "PMC" : "FIXC",
					i % BPMU_FIXED_BASE);
	return bpmu_error_set(p->err, -ENODEV,
			      "event '%s': that counter cannot hold it; %s can, or leave the counter out",
			      p->text, list);
}

static int add_term(const struct parse *p, struct bpmu_event_spec *spec,
		    u64 select, int sign)
{
	struct bpmu_event_term *term = &spec->term[spec->nr];
	u64 counters = bpmu_event_counters(p->pmu, p->smt, p->row, select);
	const struct bpmu_box *box = box_of(p);
	bool free_running = p->row &&
			    bpmu_unit_is_free(p->row->unit);
	u64 bits;

	if (!counters && free_running)
		return bpmu_error_set(p->err, -ENODEV,
				      "event '%s': this board does not have %s, or a hypervisor hides it; 'barepmu info' lists the registers that can be read",
				      p->text, p->row->name);
	if (free_running && (select || p->filter.counter))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': %s is a register that always counts, without filters; leave them out",
				      p->text, p->row->name);
	if (!counters && box && box->base)
		return bpmu_error_set(p->err, -ENODEV,
				      "event '%s': this CPU's %s has no counters, or a hypervisor hides them; use an event of the core",
				      p->text, box->title);
	if (!counters)
		return bpmu_error_set(p->err, -ENODEV,
				      "event '%s': no counter of this PMU can hold it; use another event",
				      p->text);
	if (p->filter.counter && !(counters & p->filter.counter))
		return refuse_counter(p, counters);
	if (p->filter.counter)
		counters = p->filter.counter;
	bits = box || free_running ? select & ~(box ? box->legal : 0) :
		bpmu_select_illegal(p->pmu, __builtin_ctzll(counters), select);
	if (bits && bpmu_event_fixed(p->row, p->smt))
		return refuse_fixed(p);
	if (bits)
		return refuse_bits(p, bits);
	term->select = select;
	term->filter = box ? p->filter.box_values : p->filter.extra_value;
	term->counters = counters;
	term->unit = p->row ? p->row->unit : BPMU_UNIT_CORE;
	term->sign = sign;
	spec->nr++;
	return 0;
}

/*
 * Sets the error for an event with a field of the uncore unit's filter register: the user gave the
 * field a value, but the event does not use the field.
 */
static int refuse_filter(const struct parse *p,
			 const struct bpmu_select_field *field, u64 select)
{
	const struct bpmu_box *box = box_of(p);
	const struct bpmu_select_field *own = box->fields;

	for (; own && own->name; own++)
		if (bpmu_filter_used(box, select | own->bits) & field->bits)
			return bpmu_error_set(p->err, -EINVAL,
					      "event '%s': %s works with %s=1 alone; add that",
					      p->text, field->name, own->name);
	return bpmu_error_set(p->err, -EINVAL,
			      "event '%s': what %s counts does not depend on %s; leave it out",
			      p->text, p->row->name, field->name);
}

/*
 * Returns the value of the filter register of an uncore unit with which an event counts without
 * restriction. If the user has given a value to a field, whose bits are in @said, those default
 * bits are left out that would make the hardware ignore the field.
 */
static u64 open_filter(const struct bpmu_box *box, u64 said)
{
	const struct bpmu_select_field *field = box ? box->filters : NULL;
	u64 unless = 0;
	u64 open = 0;

	for (; field && field->name; field++) {
		open |= field->open;
		if (said & field->bits)
			unless |= field->unless;
	}
	return open & ~unless;
}

static int write_fields(const struct bpmu_select_field *field, u64 used, u64 bits,
			char *text, size_t size)
{
	size_t len = 0;
	u64 value;

	*text = '\0';
	for (; field && field->name; field++) {
		value = bits & field->bits;
		if (used & field->bits && (value || field->asked || field->open) &&
		    len < size)
			len += snprintf(text + len, size - len, "%s%s=0x%llx",
					len ? ":" : "", field->name,
					value >> __builtin_ctzll(field->bits));
	}
	return len != 0;
}

/**
 * bpmu_event_fields_write() - format the named fields of an event as users type them
 * @box: boxes (instances) of the uncore unit that counts the event, or NULL
 * @select: the event select
 * @text: set to a text such as "ch_mask=0x1:fc_mask=0x7"; empty if all fields are 0
 * @size: size of @text in bytes
 *
 * Return: nonzero if @text is not empty, else 0.
 */
int bpmu_event_fields_write(const struct bpmu_box *box, u64 select, char *text,
			    size_t size)
{
	return write_fields(box ? box->fields : NULL, ~0ULL, select, text, size);
}

/**
 * bpmu_event_filter_write() - write the filter of an event as users type it after the event
 * @box: boxes (instances) of the uncore unit that counts the event, or NULL
 * @select: the event select
 * @filter: value of the unit's filter register for the event
 * @text: set to a text such as "filter_opc0=0x202:filter_nc=0x1"; empty for an event without filter
 * @size: size of @text in bytes
 *
 * Return: nonzero if @text is not empty, else 0.
 */
int bpmu_event_filter_write(const struct bpmu_box *box, u64 select, u64 filter,
			    char *text, size_t size)
{
	return write_fields(box ? box->filters : NULL, bpmu_filter_used(box, select), filter,
			    text, size);
}

/*
 * Sets the value of the filter register of an uncore unit for an event: the user's value; without
 * it, the value in the table of events; without both, the value with which the event counts without
 * restriction. Some fields have no such value (&bpmu_select_field.asked): an event that uses the
 * field is refused unless the user gives the field a value.
 */
static int finish_filter(struct parse *p, u64 select)
{
	const struct bpmu_box *box = box_of(p);
	const struct bpmu_select_field *field = box ? box->filters : NULL;
	u64 used = bpmu_filter_used(box, select);
	u64 said = p->filter.box_fields;
	u64 own = box ? p->extra : 0;
	u64 open = own ? own : open_filter(box, said);

	for (; field && field->name; field++) {
		if (said & field->bits & ~used)
			return refuse_filter(p, field, select);
		if (said & field->bits && own & field->bits && !field->open)
			return bpmu_error_set(p->err, -EINVAL,
					      "event '%s': %s has %s=%#llx of its own; leave yours out",
					      p->text, p->row->name, field->name,
					      (own & field->bits) >>
					      __builtin_ctzll(field->bits));
		if (said & field->bits || !(used & field->bits))
			continue;
		if (field->asked)
			return bpmu_error_set(p->err, -EINVAL,
					      "event '%s': %s counts what %s= says; add it, as %s:%s=%#x",
					      p->text, p->row->name, field->name,
					      p->text, field->name, field->asked);
		p->filter.box_values |= open & field->bits;
	}
	return 0;
}

/*
 * Sets the value of an event's extra register, such as MSR_OFFCORE_RSP_0: the user's value, else
 * the value in the table of events. An event without either is refused, because it would count
 * nothing.
 */
static int finish_extra(struct parse *p, u64 select)
{
	const struct bpmu_part *part = p->pmu->part;
	const struct bpmu_extra *extra = NULL;
	const char *name = p->row ? p->row->name : "it";
	const char *said = p->filter.extra;
	u64 wrong;

	if (!p->row || p->row->unit == BPMU_UNIT_CORE)
		extra = bpmu_event_fixed(p->row, p->smt) ? NULL :
			bpmu_extra_of(part, select);
	if (said && (!extra || strcmp(said, bpmu_extra_name(extra->id))))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': what %s counts does not depend on %s; leave it out",
				      p->text, name, said);
	if (!extra)
		return 0;
	if (!said && p->extra)
		p->filter.extra_value = p->extra;
	else if (!said)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': %s counts what %s= says; add it, as in cpu/event=0x%llx,umask=0x%llx,%s=%s/",
				      p->text, name, bpmu_extra_name(extra->id),
				      select & BPMU_SEL_EVENT,
				      (select & BPMU_SEL_UMASK) >> BPMU_SEL_UMASK_SHIFT,
				      bpmu_extra_name(extra->id),
				      extra->id == BPMU_EXTRA_LATENCY  ? "30" :
				      extra->id == BPMU_EXTRA_FRONTEND ? "0x11" : "0x10001");
	if (extra->id == BPMU_EXTRA_LATENCY && !bpmu_event_is_precise(p->text))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': the load latency counts nothing without precise records; record it with -c, and with :pp",
				      p->text);
	wrong = p->filter.extra_value & ~extra->legal;
	if (wrong)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': bit %d of %s is reserved on %s; leave it out",
				      p->text, __builtin_ctzll(wrong),
				      bpmu_extra_name(extra->id), part->name);
	return 0;
}

/*
 * Refuses an event that can occur more often in a cycle than one counter can add. Such an event
 * needs two adjacent counters that are merged to one.
 */
static int refuse_merged(const struct parse *p, u64 select)
{
	u64 code = select & (BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH);
	const struct bpmu_part *part = p->pmu->part;

	if (!part->merged || code != part->merged ||
	    (p->row && p->row->unit != BPMU_UNIT_CORE))
		return 0;
	return bpmu_error_set(p->err, -ENOTSUP,
			      "event '%s': counts up to 64 in a cycle, and a counter of %s adds 15 at most unless two are merged, which barepmu does not do; use perf stat",
			      p->text, part->name);
}

/* Checks if the event is counted by a fixed counter of its uncore unit. */
static bool has_fixed(const struct parse *p, const struct bpmu_box *box)
{
	return box && box->fixed_select &&
	       p->row->counters == BPMU_BIT(box->counters - 1);
}

static int event_finish(struct parse *p, struct bpmu_event_spec *spec)
{
	const struct bpmu_box *box = box_of(p);
	u64 select = p->select;
	int ret;

	if (!p->row && p->pmu->fixed_counters && !(select & BPMU_SEL_EVENT))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': code 0 counts nothing on a general counter of %s; use a name from 'barepmu list'",
				      p->text, p->pmu->part->name);
	/*
	 * If the event select of an uncore unit has no threshold (counter mask), the bits that
	 * other units have for edge, invert and counter mask mean something else.
	 */
	if (box && box->base && !box->thresholds && p->filter.given & FILTERS)
		return refuse_bits(p, p->filter.given & FILTERS);
	if (has_fixed(p, box) && (p->filter.given & FILTERS || p->filter.fields))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': %s has a counter of its own, without filters; leave them out",
				      p->text, p->row->name);
	/*
	 * Bit 21 is ANY only in the event select of a core. In the event select of an uncore unit
	 * it may belong to the event code.
	 */
	if (box && p->filter.given & BPMU_SEL_ANY)
		return refuse_bits(p, BPMU_SEL_ANY);
	ret = event_filter_apply(&p->filter, p->text, p->row, box, &select,
				 p->err);
	if (!ret)
		ret = finish_filter(p, select);
	if (!ret)
		ret = finish_extra(p, select);
	if (!ret)
		ret = refuse_merged(p, select);
	if (ret)
		return ret;
	spec->row = p->row;
	ret = add_term(p, spec, select, 1);
	if (ret || !p->filter.equal)
		return ret;
	return add_term(p, spec, select + (1ULL << BPMU_SEL_CMASK_SHIFT), -1);
}

/* Parses a raw event as perf writes it: "r" and the event select in hexadecimal. */
static bool parse_raw(struct parse *p, const char *name)
{
	char *end;

	if (tolower((unsigned char)name[0]) != 'r' ||
	    !isxdigit((unsigned char)name[1]))
		return false;
	p->select = strtoull(name + 1, &end, 16);
	return !*end;
}

/*
 * Notes that the event is @row of the CPU model's table of events. Sets the largest counter mask
 * that the event's unit can have: 8 bits in the core, fewer bits in most uncore units.
 */
static void set_row(struct parse *p, const struct bpmu_event *row)
{
	const struct bpmu_box *box;
	u64 cmask;

	p->row = row;
	p->select = row->select;
	p->extra = row->extra;
	box = box_of(p);
	cmask = box ? bpmu_box_thresholds(box) : 0;
	if (cmask)
		p->filter.cmask_max = cmask >> BPMU_SEL_CMASK_SHIFT;
}

static int event_lookup(struct parse *p, const char *name)
{
	const struct bpmu_event *row = bpmu_event_row(p->pmu->part, name);
	int ret;

	if (row) {
		set_row(p, row);
		return 0;
	}
	if (parse_raw(p, name))
		return 0;
	ret = bpmu_event_refused(p->pmu->part, name, p->err);
	if (ret)
		return ret;
	if (bpmu_event_family(p->pmu->part, name))
		return bpmu_event_unknown(p->pmu->part, name, p->err);
	ret = bpmu_pfm_encode(p->pmu->part, name, &p->select, &p->extra, p->err);
	if (ret == -ENOENT)
		return bpmu_event_unknown(p->pmu->part, name, p->err);
	return ret;
}

/*
 * Returns the ":" at which the name of the event ends and its filters begin. Because libpfm4 writes
 * NAME:UMASK for the vendor's NAME.UMASK, a word that is no filter belongs to the name, unless the
 * text before the word is a known name already.
 */
static char *name_end(const struct parse *p, char *words)
{
	char *end = strchr(words, ':');
	char *next;
	bool longer;
	bool known;

	while (end) {
		*end = '\0';
		known = bpmu_event_row(p->pmu->part, words);
		*end = '.';
		next = strchr(end + 1, ':');
		if (next)
			*next = '\0';
		longer = bpmu_event_row(p->pmu->part, words);
		known |= !longer && event_filter_known(p->pmu->part, end + 1);
		if (next)
			*next = ':';
		if (known)
			break;
		end = next;
	}
	if (end)
		*end = ':';
	return end;
}

static int parse_named(struct parse *p, char *words)
{
	char *word = name_end(p, words);
	int ret;

	if (word)
		*word++ = '\0';
	ret = event_lookup(p, words);
	while (!ret && word) {
		words = strsep(&word, ":");
		ret = event_filter_add(&p->filter, p->pmu->part, box_of(p), p->text,
				       words, p->err);
	}
	return ret;
}

/*
 * Returns the bits of the event select that hold an event code; 0 if the code has too many bits.
 * AMD's codes have 12 bits, the upper four of which are not next to the others.
 */
static u64 event_bits(const struct parse *p, u64 code)
{
	u64 legal = BPMU_SEL_EVENT | (p->pmu->part->legal & BPMU_SEL_EVENT_HIGH);
	u64 bits = (code & BPMU_SEL_EVENT) |
		   (code & ~BPMU_SEL_EVENT) << BPMU_SEL_EVENT_HIGH_SHIFT;

	return code >> 32 || bits & ~legal ? 0 : bits;
}

/*
 * Returns a unit mask as bits of the event select; 0 if the unit mask has too many bits. On CPU
 * models with unit masks of 16 bits, the upper eight bits are in the field UMASK2 of the event
 * select.
 */
static u64 umask_bits(const struct parse *p, u64 umask)
{
	u64 legal = BPMU_SEL_UMASK | (p->pmu->part->legal & BPMU_SEL_UMASK2);
	u64 bits = (umask & 0xff) << BPMU_SEL_UMASK_SHIFT |
		   (umask & 0xff00) << BPMU_SEL_UMASK2_SHIFT;

	return umask >> 16 || bits & ~legal ? 0 : bits;
}

/*
 * Parses a "key=value" within perf's cpu/.../. The key is "config", "event", "umask", or the name
 * of a filter. Filters have the same names in perf and here.
 */
static int parse_key(struct parse *p, const char *key)
{
	const char *value = strchr(key, '=');
	u64 field = ~0ULL;
	u64 number;
	u64 bits;
	char *end;

	if (!strncasecmp(key, "name=", 5))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': is shown as it is written here, without a name of its own; leave %s out",
				      p->text, key);
	if (!value || (strncasecmp(key, "config=", 7) &&
		       strncasecmp(key, "umask=", 6) &&
		       strncasecmp(key, "event=", 6)))
		return event_filter_add(&p->filter, p->pmu->part, box_of(p), p->text,
					key, p->err);
	number = strtoull(value + 1, &end, 0);
	bits = number;
	if (tolower((unsigned char)key[0]) == 'e') {
		bits = event_bits(p, number);
		field = BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH;
	} else if (tolower((unsigned char)key[0]) == 'u') {
		bits = umask_bits(p, number);
		field = BPMU_SEL_UMASK | (p->pmu->part->legal & BPMU_SEL_UMASK2);
	}
	if (!isdigit((unsigned char)value[1]) || *end || (number && !bits))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': '%s' is not a number that fits; write it as 0x1f or 31",
				      p->text, key);
	/*
	 * As in perf, a key can change a named event, for example its unit mask. The result is
	 * another event, which is not in the table of events.
	 */
	if (p->row && (p->select & field) != bits) {
		p->row = NULL;
		p->extra = 0;
	}
	p->select = (p->select & ~field) | bits;
	return 0;
}

static int parse_perf(struct parse *p, char *words)
{
	char *privileges = strchr(words, '/');
	char *key;
	int ret;

	ret = bpmu_event_core_check(p->pmu->part, p->text, p->err);
	if (ret)
		return ret;
	if (!privileges)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': the second '/' is missing; write cpu/event=1,umask=2/",
				      p->text);
	*privileges++ = '\0';
	if (*privileges == ':')
		privileges++;
	if (!strchr(words, '=') ||
	    (strncasecmp(words, "event", 5) && strncasecmp(words, "umask", 5) &&
	     strncasecmp(words, "config", 6))) {
		ret = parse_named(p, strsep(&words, ","));
	}
	while (!ret && words) {
		key = strsep(&words, ",");
		ret = parse_key(p, key);
	}
	if (!ret && *privileges)
		ret = event_filter_add(&p->filter, p->pmu->part, box_of(p), p->text,
				       privileges, p->err);
	return ret;
}

static char *copy_trimmed(const char *text)
{
	size_t len;

	text += strspn(text, " \t\n");
	for (len = strlen(text); len; len--)
		if (!isspace((unsigned char)text[len - 1]))
			break;
	return strndup(text, len);
}

/* Cuts ":per=B" off an event such as A:per=B in a metric; returns B, or NULL without ":per=". */
static const char *event_cut_divisor(char *words)
{
	char *per = strstr(words, PER);

	if (!per)
		return NULL;
	*per = '\0';
	return per + strlen(PER);
}

/*
 * Parses B, the divisor of A:per=B, and adds it to the event @spec behind A (spec->term[1]). Both
 * must be events of the same unit.
 */
static int event_divide(const struct parse *p, const char *divisor,
			struct bpmu_event_spec *spec)
{
	struct bpmu_event_spec other;
	int ret;

	ret = bpmu_event_parse(p->pmu, p->smt, divisor, &other, p->err);
	if (ret)
		return ret;
	if (spec->nr != 1 || other.nr != 1 || spec->term[0].unit != other.term[0].unit)
		ret = bpmu_error_set(p->err, -EINVAL,
				     "event '%s': both events must be counted by one counter each of the same unit; use a quotient",
				     p->text);
	spec->term[1] = other.term[0];
	spec->term[1].sign = 0;
	spec->nr = 2;
	bpmu_event_free(&other);
	return ret;
}

/* Parses an event of IBS, which has filters of its own. */
static int parse_ibs(const struct parse *p, struct bpmu_event_spec *spec)
{
	struct bpmu_event_term *term = &spec->term[0];

	spec->nr = 1;
	term->counters = BPMU_BIT(bpmu_event_is_fetch(p->text) ? BPMU_FETCH_COUNTER :
								 BPMU_IBS_COUNTER);
	term->unit = BPMU_UNIT_CORE;
	term->sign = 1;
	return bpmu_event_ibs_parse(p->pmu, p->text, &term->select, p->err);
}

/**
 * bpmu_event_is_quotient() - check if an event is A:per=B, a quotient
 * @spec: a parsed event
 *
 * The count of A is divided by the count of B separately on each CPU that reads the counters, such
 * as one CPU of each package. The quotients are then added up.
 *
 * Return: true if @spec has ":per=".
 */
bool bpmu_event_is_quotient(const struct bpmu_event_spec *spec)
{
	return spec->nr == 2 && !spec->term[1].sign;
}

/**
 * bpmu_event_parse() - parse one event
 * @pmu: counters of the CPU; or, to parse without that CPU, counters that bpmu_part_make_up() has
 *	made for a CPU model
 * @smt: true if hyper-threading is on
 * @text: the event as typed
 * @spec: set on success; free it with bpmu_event_free() then
 *
 * Return: 0, -ENOENT for an unknown name, -EINVAL or -ERANGE for invalid filters,
 * -ENODEV if no counter can count the event, -ENOTSUP if the event would need two merged
 * counters, -EXDEV if it is an event of the other core type of a hybrid CPU, or -ENOMEM.
 */
int bpmu_event_parse(const struct bpmu_pmu *pmu, int smt, const char *text,
		     struct bpmu_event_spec *spec, struct bpmu_error *err)
{
	const char *divisor = NULL;
	struct parse p = {
		.pmu = pmu,
		.smt = smt,
		.filter.cmask_max = BPMU_SEL_CMASK >> BPMU_SEL_CMASK_SHIFT,
		.err = err,
	};
	char *words;
	int ret;

	memset(spec, 0, sizeof(*spec));
	spec->text = copy_trimmed(text);
	words = spec->text ? strdup(spec->text) : NULL;
	p.text = spec->text;
	if (words)
		divisor = event_cut_divisor(words);
	if (!words)
		ret = bpmu_error_set(err, -ENOMEM,
				     "event '%s': no memory; free some", text);
	else if (!*words)
		ret = bpmu_error_set(err, -EINVAL,
				     "event list: an event is empty; leave out a comma");
	else if (bpmu_event_is_ibs(words))
		ret = parse_ibs(&p, spec);
	else if (bpmu_event_core_end(words))
		ret = parse_perf(&p, words + bpmu_event_core_end(words));
	else
		ret = parse_named(&p, words);
	if (!ret && !spec->nr)
		ret = event_finish(&p, spec);
	if (!ret && divisor)
		ret = event_divide(&p, divisor, spec);
	free(words);
	if (ret)
		bpmu_event_free(spec);
	return ret;
}

/**
 * bpmu_event_free() - free an event that bpmu_event_parse() has parsed
 */
void bpmu_event_free(struct bpmu_event_spec *spec)
{
	free(spec->text);
	memset(spec, 0, sizeof(*spec));
}

/**
 * bpmu_event_is_occupancy() - check if an event sums outstanding requests over cycles (occupancy)
 * @select: event select of an arbiter event
 *
 * Occupancy is the number of outstanding requests, summed over cycles. Source of the event codes:
 * Linux, arch/x86/events/intel/uncore_snb.c, snb_uncore_arb_constraints.
 */
bool bpmu_event_is_occupancy(u64 select)
{
	u64 event = select & BPMU_SEL_EVENT;

	return event == 0x80 || event == 0x83;
}
