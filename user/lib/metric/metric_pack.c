// SPDX-License-Identifier: GPL-2.0
#include "metric_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Number of groups tried before a search is given up: a moment, not minutes. */
#define TRIES_MAX 20000
/* The same for all wishes together. */
#define TRIES_WISHES 200000

/**
 * struct search - search for groups that hold all bundles
 * @needs: events that are needed
 * @bundle: bundles to place, largest first
 * @nr: number of @bundle
 * @group: groups so far
 * @used: number of groups so far
 * @limit: number of groups that may be used
 * @tries: number of groups that may still be tried
 * @wishes: number of groups that may still be tried for all wishes together
 */
struct search {
	const struct bpmu_needs *needs;
	struct bpmu_event_set *bundle;
	unsigned int nr;
	struct bpmu_event_set group[BPMU_MAX_GROUPS];
	unsigned int used;
	unsigned int limit;
	unsigned int tries;
	unsigned int wishes;
};

static bool fits(const struct bpmu_needs *needs,
		 const struct bpmu_event_set *events)
{
	struct bpmu_error ignored;

	return !bpmu_needs_assign(needs, events, &ignored);
}

static bool has_place(const struct search *s, const struct bpmu_event_set *set)
{
	unsigned int g;

	for (g = 0; g < s->used; g++)
		if (bpmu_event_set_inside(set, &s->group[g]))
			return true;
	return false;
}

/*
 * Puts @bundle and all following ones into groups, and tries others where that
 * fails.
 */
static bool metric_pack_place(struct search *s, unsigned int b)
{
	unsigned int used = s->used;
	struct bpmu_event_set old;
	unsigned int g;

	if (b == s->nr)
		return true;
	if (has_place(s, &s->bundle[b]))
		return metric_pack_place(s, b + 1);
	for (g = 0; g < used && s->tries; g++) {
		s->tries--;
		old = s->group[g];
		bpmu_event_set_join(&s->group[g], &s->bundle[b]);
		if (fits(s->needs, &s->group[g]) && metric_pack_place(s, b + 1))
			return true;
		s->group[g] = old;
		s->used = used;
	}
	if (used == s->limit)
		return false;
	s->group[used] = s->bundle[b];
	s->used = used + 1;
	if (metric_pack_place(s, b + 1))
		return true;
	s->used = used;
	return false;
}

/* A bundle inside another one needs no group of its own. */
static void metric_pack_insert(struct search *s, const struct bpmu_event_set *bundle)
{
	unsigned int size = bpmu_event_set_size(bundle);
	unsigned int to = 0;
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		if (bpmu_event_set_inside(bundle, &s->bundle[i]))
			return;
	for (i = 0; i < s->nr; i++)
		if (!bpmu_event_set_inside(&s->bundle[i], bundle))
			s->bundle[to++] = s->bundle[i];
	s->nr = to;
	for (i = s->nr; i > 0 && bpmu_event_set_size(&s->bundle[i - 1]) < size;
	     i--)
		s->bundle[i] = s->bundle[i - 1];
	s->bundle[i] = *bundle;
	s->nr++;
}

static bool metric_pack_search(struct search *s, unsigned int limit)
{
	s->used = 0;
	s->limit = limit;
	s->tries = TRIES_MAX;
	return metric_pack_place(s, 0);
}

/* Number of terms, among @events or all needed, that only counters of @set can hold. */
static unsigned int held_by(const struct search *s, u64 set, u8 unit,
			    const struct bpmu_event_set *events)
{
	const struct bpmu_event_spec *spec;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < s->needs->events.nr; i++) {
		spec = &s->needs->events.spec[i];
		nr += bpmu_event_set_has(events, i) &&
		      spec->term[0].unit == unit &&
		      !(spec->term[0].counters & ~set);
	}
	return nr;
}

/* Minimum number of groups: each holds one event per counter, and the clock. */
static unsigned int fewest(const struct search *s, int side)
{
	const struct bpmu_event_set *clock = &s->needs->clock_events[side];
	struct bpmu_event_set all = { .word = { 0 } };
	const struct bpmu_event_term *term;
	unsigned int least = 1;
	unsigned int i;
	unsigned int room;
	unsigned int nr;
	unsigned int own;

	for (i = 0; i < s->nr; i++)
		if (bpmu_event_set_inside(clock, &s->bundle[i]))
			bpmu_event_set_join(&all, &s->bundle[i]);
	for (i = 0; i < s->needs->events.nr; i++) {
		term = s->needs->events.spec[i].term;
		own = held_by(s, term->counters, term->unit, clock);
		room = __builtin_popcountll(term->counters);
		if (!bpmu_event_set_has(&all, i) || own >= room)
			continue;
		nr = held_by(s, term->counters, term->unit, &all) - own;
		room -= own;
		if ((nr + room - 1) / room > least)
			least = (nr + room - 1) / room;
	}
	return least;
}

/* Makes room for a wish by moving bundles. */
static bool rearrange(struct search *s, const struct bpmu_event_set *wish)
{
	struct search other = *s;
	bool found;

	if (s->wishes < TRIES_MAX)
		return false;
	other.bundle = malloc((s->nr + 1) * sizeof(*s->bundle));
	if (!other.bundle)
		return false;
	memcpy(other.bundle, s->bundle, s->nr * sizeof(*s->bundle));
	metric_pack_insert(&other, wish);
	found = metric_pack_search(&other, s->limit);
	free(other.bundle);
	s->wishes -= TRIES_MAX - other.tries;
	if (!found)
		return false;
	memcpy(s->group, other.group, sizeof(s->group));
	s->used = other.used;
	return true;
}

/* A granted wish counts as needed for the following wishes. */
static void grant(struct search *s, const struct bpmu_event_set *wish)
{
	bool granted = has_place(s, wish);
	struct bpmu_event_set old;
	unsigned int g;

	for (g = 0; g < s->used && !granted; g++) {
		old = s->group[g];
		bpmu_event_set_join(&s->group[g], wish);
		granted = fits(s->needs, &s->group[g]);
		if (!granted)
			s->group[g] = old;
	}
	if (granted || rearrange(s, wish))
		metric_pack_insert(s, wish);
}

/* The order is decided by the first event that only one of them has. */
static bool before(const struct bpmu_event_set *a,
		   const struct bpmu_event_set *b)
{
	unsigned int i;
	u64 differ;

	for (i = 0; i < BPMU_EVENT_SET_WORDS; i++) {
		differ = a->word[i] ^ b->word[i];
		if (differ)
			return a->word[i] & differ & -differ;
	}
	return false;
}

/* Groups with events of upper levels come first. */
static void metric_pack_append(struct bpmu_pack *pack, const struct search *s)
{
	unsigned int first = pack->nr;
	unsigned int i;
	unsigned int j;

	for (i = 0; i < s->used; i++) {
		for (j = pack->nr; j > first; j--) {
			if (!before(&s->group[i], &pack->group[j - 1]))
				break;
			pack->group[j] = pack->group[j - 1];
		}
		pack->group[j] = s->group[i];
		pack->nr++;
	}
}

static int pack_side(const struct bpmu_needs *needs, int side,
		     struct search *s, struct bpmu_error *err)
{
	const struct bpmu_bundle *bundle = needs->bundle;
	unsigned int groups;
	unsigned int i;

	for (i = 0; i < needs->nr_bundles; i++)
		if (bundle[i].side == side && !bundle[i].wish)
			metric_pack_insert(s, &bundle[i].events);
	if (!s->nr)
		return 0;
	s->wishes = TRIES_WISHES;
	for (groups = fewest(s, side); groups <= BPMU_MAX_GROUPS; groups++)
		if (metric_pack_search(s, groups))
			break;
	if (groups > BPMU_MAX_GROUPS)
		return bpmu_error_set(err, -ENOSPC,
				      "metrics: need more than %d groups of events; ask for a lower level",
				      BPMU_MAX_GROUPS);
	for (i = 0; i < needs->nr_bundles; i++)
		if (bundle[i].side == side && bundle[i].wish)
			grant(s, &bundle[i].events);
	return 0;
}

static bool in_one_group(const struct bpmu_pack *pack,
			 const struct bpmu_event_set *events)
{
	unsigned int g;

	for (g = 0; g < pack->nr; g++)
		if (bpmu_event_set_inside(events, &pack->group[g]))
			return true;
	return false;
}

/*
 * Counts of several groups are taken per clock. If each line has a group with all
 * of its events, only clocks that lines name are counted.
 */
static void drop_clocks(const struct bpmu_needs *needs, struct bpmu_pack *pack)
{
	struct bpmu_event_set clocks = { .word = { 0 } };
	struct bpmu_event_set named = { .word = { 0 } };
	const struct bpmu_needs_line *line;
	unsigned int i;
	unsigned int g;

	for (i = 0; i < needs->metrics->nr; i++) {
		line = &needs->line[i];
		if (!line->bundled)
			continue;
		if (!in_one_group(pack, &line->events))
			return;
		bpmu_event_set_join(&named, &line->events);
	}
	for (i = 0; i < BPMU_NR_SIDES; i++)
		bpmu_event_set_join(&clocks, &needs->clock_events[i]);
	for (g = 0; g < pack->nr; g++)
		for (i = 0; i < BPMU_EVENT_SET_WORDS; i++)
			pack->group[g].word[i] &= named.word[i] |
						  ~clocks.word[i];
}

/**
 * bpmu_pack_groups() - share events out to groups
 * @needs: events that are needed
 * @pack: filled in
 * @err: set on failure
 *
 * First the smallest number of groups that holds all bundles that must be held
 * together, then as many wishes as that number of groups allows, those of
 * upper levels first. A clock that nothing is compared by is not counted.
 *
 * Return: 0, -ENOMEM, or -ENOSPC if there are too many.
 */
int bpmu_pack_groups(const struct bpmu_needs *needs, struct bpmu_pack *pack,
		     struct bpmu_error *err)
{
	struct search s = { .needs = needs };
	int ret = 0;
	int side;

	pack->nr = 0;
	s.bundle = calloc(needs->nr_bundles + 1, sizeof(*s.bundle));
	if (!s.bundle)
		return bpmu_error_no_memory(err, "metrics");
	for (side = 0; side < BPMU_NR_SIDES && !ret; side++) {
		s.nr = 0;
		s.used = 0;
		ret = pack_side(needs, side, &s, err);
		if (!ret)
			metric_pack_append(pack, &s);
	}
	free(s.bundle);
	if (!ret)
		drop_clocks(needs, pack);
	return ret;
}
