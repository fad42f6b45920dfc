// SPDX-License-Identifier: GPL-2.0
#include "metric_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/counted.h"

/*
 * A search for groups tries one assignment of events to groups after another (backtracking). It is
 * given up after this many groups; without a limit it could take minutes.
 */
#define TRIES_MAX 20000
/*
 * Maximum number of groups that all searches together try for wishes: sets of events that should
 * be, but need not be, in one group
 */
#define TRIES_WISHES 200000

/**
 * struct search - state of a search for groups such that events of a bundle are in one group
 * @needs: the events that are needed, and the bundles (sets of events to be in one group)
 * @bundle: bundles to assign to groups, those with most events first
 * @nr: number of bundles
 * @group: [@used], events that were assigned to each group so far
 * @used: number of groups that have events so far
 * @limit: maximum number of groups
 * @tries: number of groups that this search may still try
 * @wishes: number of groups that may still be tried for wishes (bundles that need not be in one
 *	group)
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

static bool is_packed(const struct search *s, const struct bpmu_event_set *set)
{
	unsigned int g;

	for (g = 0; g < s->used; g++)
		if (bpmu_event_set_inside(set, &s->group[g]))
			return true;
	return false;
}

/*
 * Assigns bundle @b (events to be in one group) and all bundles after it to groups by backtracking;
 * returns false, without a change, if no assignment was found.
 */
static bool metric_pack_assign(struct search *s, unsigned int b)
{
	unsigned int used = s->used;
	struct bpmu_event_set old;
	unsigned int g;

	if (b == s->nr)
		return true;
	if (is_packed(s, &s->bundle[b]))
		return metric_pack_assign(s, b + 1);
	for (g = 0; g < used && s->tries; g++) {
		s->tries--;
		old = s->group[g];
		bpmu_event_set_join(&s->group[g], &s->bundle[b]);
		if (fits(s->needs, &s->group[g]) && metric_pack_assign(s, b + 1))
			return true;
		s->group[g] = old;
		s->used = used;
	}
	if (used == s->limit)
		return false;
	s->group[used] = s->bundle[b];
	s->used = used + 1;
	if (metric_pack_assign(s, b + 1))
		return true;
	s->used = used;
	return false;
}

/*
 * Inserts a bundle (events to be in one group) before all bundles with fewer events. Nothing is
 * inserted if all of its events are in another bundle. Other bundles are removed if all of their
 * events are in the inserted one.
 */
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
	return metric_pack_assign(s, 0);
}

/*
 * Counts the events in @events that unit @unit counts, and that no counter outside of @set can
 * count.
 */
static unsigned int nr_restricted(const struct search *s, u64 set, u8 unit,
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

/*
 * Returns a lower bound of the number of groups that are needed for the events that use the kind of
 * counters @bank: in a group each counter counts one event.
 */
static unsigned int min_groups(const struct search *s, int bank)
{
	const struct bpmu_event_set *clock = &s->needs->clock_events[bank];
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
		own = nr_restricted(s, term->counters, term->unit, clock);
		room = __builtin_popcountll(term->counters);
		if (!bpmu_event_set_has(&all, i) || own >= room)
			continue;
		nr = nr_restricted(s, term->counters, term->unit, &all) - own;
		room -= own;
		if ((nr + room - 1) / room > least)
			least = (nr + room - 1) / room;
	}
	return least;
}

/*
 * Searches again for groups, with one more set of events to be in one group, @wish. Returns false,
 * without a change, if no groups were found.
 */
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

/*
 * Puts the events @wish, which should be, but need not be, counted together, into one group if
 * possible. They then have to stay in one group, even if groups are changed for later wishes.
 */
static void try_wish(struct search *s, const struct bpmu_event_set *wish)
{
	bool granted = is_packed(s, wish);
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

/* Compares two sets: @a is before @b if @a has the lowest event that only one of both has. */
static bool is_before(const struct bpmu_event_set *a,
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

/*
 * Appends the groups of a search in the order of their first events. The events of nodes near the
 * root of the tree have lower indices, so that their groups are first.
 */
static void metric_pack_append(struct bpmu_pack *pack, const struct search *s)
{
	unsigned int first = pack->nr;
	unsigned int i;
	unsigned int j;

	for (i = 0; i < s->used; i++) {
		for (j = pack->nr; j > first; j--) {
			if (!is_before(&s->group[i], &pack->group[j - 1]))
				break;
			pack->group[j] = pack->group[j - 1];
		}
		pack->group[j] = s->group[i];
		pack->nr++;
	}
}

static int pack_bank(const struct bpmu_needs *needs, int bank,
		     struct search *s, struct bpmu_error *err)
{
	const struct bpmu_bundle *bundle = needs->bundle;
	unsigned int groups;
	unsigned int i;

	for (i = 0; i < needs->nr_bundles; i++)
		if (bundle[i].bank == bank && !bundle[i].wish)
			metric_pack_insert(s, &bundle[i].events);
	if (!s->nr)
		return 0;
	s->wishes = TRIES_WISHES;
	for (groups = min_groups(s, bank); groups <= BPMU_MAX_GROUPS; groups++)
		if (metric_pack_search(s, groups))
			break;
	if (groups > BPMU_MAX_GROUPS)
		return bpmu_error_set(err, -ENOSPC,
				      "metrics: need more than %d groups of events; ask for a lower level",
				      BPMU_MAX_GROUPS);
	for (i = 0; i < needs->nr_bundles; i++)
		if (bundle[i].bank == bank && bundle[i].wish)
			try_wish(s, &bundle[i].events);
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
 * Removes the clock (the events that tell how long a group was counted) from groups that do not
 * need it. A group needs the clock if a formula combines counts of this and of other groups. If
 * every formula has all of its events in one group, only a group whose formulas name the events of
 * the clock needs them.
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
	for (i = 0; i < BPMU_BANKS; i++)
		bpmu_event_set_join(&clocks, &needs->clock_events[i]);
	for (g = 0; g < pack->nr; g++)
		for (i = 0; i < BPMU_EVENT_SET_WORDS; i++)
			pack->group[g].word[i] &= named.word[i] |
						  ~clocks.word[i];
}

static int bank_of_group(const struct bpmu_needs *needs,
			 const struct bpmu_event_set *group)
{
	unsigned int i;

	for (i = 0; i < needs->events.nr; i++)
		if (bpmu_event_set_has(group, i))
			return bpmu_needs_bank(needs, i);
	return -1;
}

/*
 * Adds each event that a fixed counter counts to all groups that leave this counter free and use
 * the same kind of counters (bank).
 */
static void fill_fixed(const struct bpmu_needs *needs, struct bpmu_pack *pack)
{
	struct bpmu_event_set packed = { .word = { 0 } }, old;
	unsigned int i;
	unsigned int g;

	for (g = 0; g < pack->nr; g++)
		bpmu_event_set_join(&packed, &pack->group[g]);
	for (i = 0; i < needs->events.nr; i++) {
		if (!bpmu_event_set_has(&packed, i) ||
		    !bpmu_sched_is_fixed(needs->pmu->part, &needs->events.spec[i]))
			continue;
		for (g = 0; g < pack->nr; g++) {
			if (bank_of_group(needs, &pack->group[g]) !=
			    bpmu_needs_bank(needs, i))
				continue;
			old = pack->group[g];
			bpmu_event_set_add(&pack->group[g], i);
			if (!fits(needs, &pack->group[g]))
				pack->group[g] = old;
		}
	}
}

/*
 * Finds for each bank (set of counters, such as those of the memory controllers) the events that
 * all of its groups have, and that are therefore counted all the time. @nr_of: number of groups of
 * each bank, including groups without any event of the formulas
 */
static void find_totals(const struct bpmu_needs *needs, struct bpmu_pack *pack,
			const unsigned int nr_of[BPMU_BANKS])
{
	struct bpmu_event_set *total;
	unsigned int nr;
	unsigned int i;
	unsigned int g;
	int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		total = &pack->group[BPMU_PACK_TOTAL(bank)];
		memset(total, 0, sizeof(*total));
		for (i = 0; nr_of[bank] > 1 && i < needs->events.nr; i++) {
			if (bpmu_needs_bank(needs, i) != bank)
				continue;
			for (g = 0, nr = 0; g < pack->nr; g++)
				nr += bpmu_event_set_has(&pack->group[g], i);
			if (nr == nr_of[bank])
				bpmu_event_set_add(total, i);
		}
	}
}

/**
 * bpmu_pack_groups() - pack events that formulas need into as few groups as possible
 * @needs: the events, and bundles of them: sets of events to be counted in one group
 * @pack: set
 *
 * The result has the smallest number of groups that the search finds such that the events of each
 * bundle are in one group. Wishes are bundles that need not be in one group. With this number of
 * groups, as many wishes as possible are satisfied, beginning with those of the tree's upper
 * levels. The clock (the events that tell how long a group was counted) is counted only if a
 * formula needs it. Events on fixed counters are added to all groups of the same kind of counters
 * in which the fixed counter is free.
 *
 * Return: 0, -ENOMEM, or -ENOSPC if there are too many groups.
 */
int bpmu_pack_groups(const struct bpmu_needs *needs, struct bpmu_pack *pack,
		     struct bpmu_error *err)
{
	unsigned int nr_of[BPMU_BANKS] = { 0 };
	struct search s = { .needs = needs };
	int ret = 0;
	int bank;

	pack->nr = 0;
	s.bundle = calloc(needs->nr_bundles + 1, sizeof(*s.bundle));
	if (!s.bundle)
		return bpmu_error_no_memory(err, "metrics");
	for (bank = 0; bank < BPMU_BANKS && !ret; bank++) {
		s.nr = 0;
		s.used = 0;
		ret = pack_bank(needs, bank, &s, err);
		if (!ret)
			metric_pack_append(pack, &s);
		nr_of[bank] = s.used;
	}
	free(s.bundle);
	if (ret)
		return ret;
	drop_clocks(needs, pack);
	fill_fixed(needs, pack);
	find_totals(needs, pack, nr_of);
	return 0;
}

/*
 * Checks if a group that uses the kind of counters @bank lacks the clock: the events that tell how
 * long the group was counted.
 */
static bool lacks_clock(const struct bpmu_needs *needs,
			const struct bpmu_event_set *group, int bank)
{
	return bank_of_group(needs, group) == bank &&
	       !bpmu_event_set_inside(&needs->clock_events[bank], group);
}

/**
 * bpmu_pack_counted() - pack events that formulas need into groups that were counted already
 * @needs: events of the formulas. The clock of a kind of counters (the events that tell how long a
 *	group was counted) is removed from @needs if any of the groups lacks it; counts of different
 *	groups are scaled by running times instead
 * @counted: groups that a recording or another session counted
 * @wanted: events of the metrics that are evaluated
 * @pack: set; it has as many groups as @counted, some of them possibly without events
 *
 * The group from which a metric is computed does not depend on which other metrics are computed.
 *
 * Return: 0, or -ENODATA if an event was not counted.
 */
int bpmu_pack_counted(struct bpmu_needs *needs, const struct bpmu_groups *counted,
		      const struct bpmu_event_set *wanted, struct bpmu_pack *pack,
		      struct bpmu_error *err)
{
	const struct bpmu_event_spec *spec;
	bool found;
	unsigned int i;
	unsigned int g;
	int bank;

	memset(pack, 0, sizeof(*pack));
	pack->nr = counted->nr;
	for (i = 0; i < needs->events.nr; i++) {
		spec = &needs->events.spec[i];
		for (g = 0, found = false; g < counted->nr; g++) {
			if (!bpmu_counted_has(counted->pmu, &counted->group[g].sched, spec))
				continue;
			bpmu_event_set_add(&pack->group[g], i);
			found = true;
		}
		if (!found && bpmu_event_set_has(wanted, i))
			return bpmu_counted_lacks(counted->pmu, counted->live,
						  spec->text, err);
	}
	for (bank = 0; bank < BPMU_BANKS; bank++)
		for (g = 0; g < pack->nr; g++)
			if (needs->clock[bank] >= 0 &&
			    lacks_clock(needs, &pack->group[g], bank))
				needs->clock[bank] = -1;
	find_totals(needs, pack, counted->nr_of);
	return 0;
}
