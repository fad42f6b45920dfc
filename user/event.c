// SPDX-License-Identifier: GPL-2.0
#include "event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event_filter.h"
#include "event_name.h"
#include "events.h"
#include "intel.h"
#include "pfm.h"

#define SELECT_CODE	(BPMU_SEL_EVENT | BPMU_SEL_UMASK)
#define SELECT_FILTER	(BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE)
#define SELECT_RINGS	(BPMU_SEL_USR | BPMU_SEL_OS)

/**
 * struct parse - an event on its way from text to select value
 * @pmu: as found
 * @smt: whether threads share a core
 * @text: as typed
 * @row: the part's row, if it has one
 * @select: event and umask so far
 * @filter: what the words behind the name said
 * @err: where to say what is wrong
 */
struct parse {
	const struct bpmu_pmu *pmu;
	int smt;
	const char *text;
	const struct bpmu_event *row;
	u64 select;
	struct bpmu_event_filter filter;
	struct bpmu_error *err;
};

static u64 row_counters(const struct parse *p, const struct bpmu_event *row)
{
	return p->smt ? row->counters : row->counters_noht;
}

static bool is_fixed(const struct parse *p)
{
	return p->row && row_counters(p, p->row) >> BPMU_FIXED_BASE;
}

/*
 * A limit of the hardware belongs to the code, whatever name it has: all rows
 * with the same code and filters apply, and if there is none of these, all
 * rows with the same code.
 */
static u64 allowed_counters(const struct parse *p, u64 select)
{
	u64 all = bpmu_pmu_counters(p->pmu);
	const struct bpmu_event *rows;
	u64 masks[2] = { SELECT_CODE | SELECT_FILTER, SELECT_CODE };
	bool found = p->row;
	u64 set;
	size_t nr;
	size_t i;
	int m;

	if (is_fixed(p))
		return row_counters(p, p->row) & all;
	set = all & (BPMU_FIXED_BIT(0) - 1);
	if (p->row)
		set &= row_counters(p, p->row);
	rows = bpmu_events(p->pmu->part, &nr);
	for (m = 0; m < 2 && (!m || !found); m++) {
		for (i = 0; i < nr; i++) {
			if (((rows[i].select ^ select) & masks[m]) ||
			    row_counters(p, &rows[i]) >> BPMU_FIXED_BASE)
				continue;
			set &= row_counters(p, &rows[i]);
			found = true;
		}
	}
	return set;
}

static int refuse_bits(const struct parse *p, u64 bits)
{
	unsigned int bit = __builtin_ctzll(bits);

	return bpmu_error_set(p->err, -EINVAL,
			      "event '%s': bit %u, %s, must not be set on %s; leave it out",
			      p->text, bit, bpmu_select_bit_name(bit),
			      p->pmu->part->name);
}

static int refuse_fixed(const struct parse *p)
{
	const struct bpmu_event *general;
	char *name;

	if (asprintf(&name, "%s_P", p->row->name) < 0)
		return bpmu_error_set(p->err, -ENOMEM,
				      "event '%s': no memory; free some",
				      p->text);
	general = bpmu_event_row(p->pmu->part, name);
	free(name);
	if (!general)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': %s is on a fixed counter, which has no filters but u, k and t; leave the others out",
				      p->text, p->row->name);
	return bpmu_error_set(p->err, -EINVAL,
			      "event '%s': %s is on a fixed counter, which has no filters but u, k and t; use %s",
			      p->text, p->row->name, general->name);
}

static int add_term(const struct parse *p, struct bpmu_event_spec *spec,
		    u64 select, int sign)
{
	struct bpmu_event_term *term = &spec->term[spec->nr];
	u64 counters = allowed_counters(p, select);
	u64 bits;

	if (!counters)
		return bpmu_error_set(p->err, -ENODEV,
				      "event '%s': no counter of this PMU can hold it; use another event",
				      p->text);
	bits = bpmu_select_illegal(p->pmu->part, __builtin_ctzll(counters),
				   select);
	if (bits && is_fixed(p))
		return refuse_fixed(p);
	if (bits)
		return refuse_bits(p, bits);
	term->select = select;
	term->counters = counters;
	term->sign = sign;
	spec->nr++;
	return 0;
}

static int finish(struct parse *p, struct bpmu_event_spec *spec)
{
	const char *what = p->row ? p->row->name : "it";
	u64 select = p->select;
	int ret;

	if (!p->row && p->pmu->fixed_counters && !(select & BPMU_SEL_EVENT))
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': code 0 counts nothing on a general counter of %s; use a name from 'barepmu list'",
				      p->text, p->pmu->part->name);
	ret = bpmu_event_filter_apply(&p->filter, p->text, what, &select,
				      p->err);
	if (ret)
		return ret;
	spec->row = p->row;
	ret = add_term(p, spec, select, 1);
	if (ret || !p->filter.equal)
		return ret;
	return add_term(p, spec, select + (1ULL << BPMU_SEL_CMASK_SHIFT), -1);
}

/* "r" and hexadecimal digits: a select value as perf takes it */
static bool parse_raw(struct parse *p, const char *name)
{
	char *end;

	if (tolower((unsigned char)name[0]) != 'r' ||
	    !isxdigit((unsigned char)name[1]))
		return false;
	p->select = strtoull(name + 1, &end, 16);
	return !*end;
}

static int lookup(struct parse *p, const char *name)
{
	int ret;

	p->row = bpmu_event_row(p->pmu->part, name);
	if (p->row) {
		p->select = p->row->select;
		return 0;
	}
	if (parse_raw(p, name))
		return 0;
	if (bpmu_event_family(p->pmu->part, name))
		return bpmu_event_unknown(p->pmu->part, name, p->err);
	ret = bpmu_pfm_encode(p->pmu->part, name, &p->select, p->err);
	if (ret == -ENOENT)
		return bpmu_event_unknown(p->pmu->part, name, p->err);
	return ret;
}

/*
 * The ":" that begins the filters. libpfm4 writes NAME:UMASK where the vendor
 * writes NAME.UMASK, so what is not a filter belongs to the name, unless the
 * name is known without it.
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
		known |= !longer && bpmu_event_filter_known(end + 1);
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
	ret = lookup(p, words);
	while (!ret && word) {
		words = strsep(&word, ":");
		ret = bpmu_event_filter_add(&p->filter, p->text, words, p->err);
	}
	return ret;
}

/* one "key=value" of perf's form; names of the filters are the same there */
static int parse_key(struct parse *p, const char *key)
{
	const char *value = strchr(key, '=');
	unsigned long long number;
	u64 mask = BPMU_SEL_EVENT;
	char *end;

	if (value && !strncasecmp(key, "config=", 7))
		mask = ~0ULL;
	else if (value && !strncasecmp(key, "umask=", 6))
		mask = BPMU_SEL_UMASK;
	else if (!value || strncasecmp(key, "event=", 6))
		return bpmu_event_filter_add(&p->filter, p->text, key, p->err);
	number = strtoull(value + 1, &end, 0);
	if (mask == BPMU_SEL_UMASK)
		number <<= BPMU_SEL_UMASK_SHIFT;
	if (!isdigit((unsigned char)value[1]) || *end || number & ~mask)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': '%s' is not a number that fits; write it as 0x1f or 31",
				      p->text, key);
	p->select |= number;
	return 0;
}

static int parse_perf(struct parse *p, char *words)
{
	char *rings = strchr(words, '/');
	char *key;
	int ret = 0;

	if (!rings)
		return bpmu_error_set(p->err, -EINVAL,
				      "event '%s': the second '/' is missing; write cpu/event=1,umask=2/",
				      p->text);
	*rings++ = '\0';
	if (*rings == ':')
		rings++;
	if (!strchr(words, '=') ||
	    (strncasecmp(words, "event", 5) && strncasecmp(words, "umask", 5) &&
	     strncasecmp(words, "config", 6))) {
		ret = lookup(p, strsep(&words, ","));
	}
	while (!ret && words) {
		key = strsep(&words, ",");
		ret = parse_key(p, key);
	}
	if (!ret && *rings)
		ret = bpmu_event_filter_add(&p->filter, p->text, rings, p->err);
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

/**
 * bpmu_event_parse() - read one event
 * @pmu: as found, or made up from a part's own numbers
 * @smt: whether threads share a core (hyper-threading is on)
 * @text: the event
 * @spec: filled in; to be freed with bpmu_event_free() on success only
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOENT if nothing has that name, -EINVAL or -ERANGE for filters
 * that cannot be, -ENODEV if no counter can hold the event, -ENOMEM.
 */
int bpmu_event_parse(const struct bpmu_pmu *pmu, int smt, const char *text,
		     struct bpmu_event_spec *spec, struct bpmu_error *err)
{
	struct parse p = { .pmu = pmu, .smt = smt, .err = err };
	char *words;
	int ret;

	memset(spec, 0, sizeof(*spec));
	spec->text = copy_trimmed(text);
	words = spec->text ? strdup(spec->text) : NULL;
	p.text = spec->text;
	if (!words)
		ret = bpmu_error_set(err, -ENOMEM,
				     "event '%s': no memory; free some", text);
	else if (!*words)
		ret = bpmu_error_set(err, -EINVAL,
				     "event list: an event is empty; leave out a comma");
	else if (!strncasecmp(words, "cpu/", 4))
		ret = parse_perf(&p, words + 4);
	else
		ret = parse_named(&p, words);
	free(words);
	if (!ret)
		ret = finish(&p, spec);
	if (ret)
		bpmu_event_free(spec);
	return ret;
}

/**
 * bpmu_event_free() - undo bpmu_event_parse()
 * @spec: the event
 *
 * Context: any.
 */
void bpmu_event_free(struct bpmu_event_spec *spec)
{
	free(spec->text);
	memset(spec, 0, sizeof(*spec));
}
