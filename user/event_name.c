// SPDX-License-Identifier: GPL-2.0
#include "event_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events.h"

#define OFFERS 5
#define NAME_MAX_LEN 128

static const struct bpmu_event *find(const struct bpmu_part *part,
				     const char *name)
{
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcasecmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

/**
 * bpmu_event_row() - the row of a name
 * @part: descriptor
 * @name: vendor's name or perf's generic one, in any case
 *
 * Context: any.
 * Return: the row, or NULL if there is none.
 */
const struct bpmu_event *bpmu_event_row(const struct bpmu_part *part,
					const char *name)
{
	const struct bpmu_event_alias *aliases;
	size_t nr;
	size_t i;

	aliases = bpmu_event_aliases(part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcasecmp(aliases[i].name, name))
			return find(part, aliases[i].event);
	return find(part, name);
}

/**
 * bpmu_event_family() - is a name the part before the "." of a row's
 * @part: descriptor
 * @name: as typed
 *
 * libpfm4 takes such a name for one of the events, which we will not guess.
 *
 * Context: any.
 * Return: whether there is such a row.
 */
bool bpmu_event_family(const struct bpmu_part *part, const char *name)
{
	const struct bpmu_event *rows;
	size_t len = strlen(name);
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (!strncasecmp(rows[i].name, name, len) &&
		    rows[i].name[len] == '.')
			return true;
	return false;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein's distance without regard to case */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[NAME_MAX_LEN + 1];
	size_t len = strlen(b);
	unsigned int diagonal;
	unsigned int above;
	size_t i;
	size_t j;

	if (len > NAME_MAX_LEN)
		return ~0U;
	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		diagonal = row[0];
		row[0] = i + 1;
		for (j = 1; j <= len; j++) {
			above = row[j];
			diagonal += toupper((unsigned char)a[i]) !=
				    toupper((unsigned char)b[j - 1]);
			row[j] = min3(above + 1, row[j - 1] + 1, diagonal);
			diagonal = above;
		}
	}
	return row[len];
}

/**
 * struct offers - the nearest names so far, the nearest first
 * @name: the names
 * @score: how far away
 * @nr: their number
 */
struct offers {
	const char *name[OFFERS];
	unsigned int score[OFFERS];
	unsigned int nr;
};

static void offer(struct offers *o, const char *name, unsigned int score)
{
	unsigned int i;

	if (o->nr == OFFERS && score >= o->score[OFFERS - 1])
		return;
	if (o->nr < OFFERS)
		o->nr++;
	for (i = o->nr - 1; i && o->score[i - 1] > score; i--) {
		o->name[i] = o->name[i - 1];
		o->score[i] = o->score[i - 1];
	}
	o->name[i] = name;
	o->score[i] = score;
}

/*
 * One slip in four letters is a typing error; a text that is part of a name is
 * as near as its place, not its length, tells.
 */
static void judge(struct offers *o, const char *typed, const char *name)
{
	unsigned int limit = strlen(typed) / 4 + 1;
	unsigned int score = distance(typed, name);

	if (score <= limit)
		offer(o, name, score);
	else if (strlen(typed) > 2 && strcasestr(name, typed))
		offer(o, name, strcasestr(name, typed) == name ? limit + 1 :
				limit + 2);
}

/**
 * bpmu_event_unknown() - refuse a name and offer the nearest ones
 * @part: descriptor
 * @name: as typed
 * @err: filled in
 *
 * Context: any.
 * Return: -ENOENT.
 */
int bpmu_event_unknown(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	struct offers o = { .nr = 0 };
	char list[NAME_MAX_LEN * OFFERS] = "";
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		judge(&o, name, rows[i].name);
	aliases = bpmu_event_aliases(part, &nr);
	for (i = 0; i < nr; i++)
		judge(&o, name, aliases[i].name);
	if (!o.nr)
		return bpmu_error_set(err, -ENOENT,
				      "event '%s': not known on %s; see 'barepmu list'",
				      name, part->name);
	for (i = 0; i < o.nr; i++) {
		strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
		strncat(list, o.name[i], sizeof(list) - strlen(list) - 1);
	}
	return bpmu_error_set(err, -ENOENT,
			      "event '%s': not known on %s; did you mean %s? See 'barepmu list'",
			      name, part->name, list);
}
