// SPDX-License-Identifier: GPL-2.0
#include "metric_pack.h"

#include <errno.h>
#include <string.h>

#include "sched.h"

/* groups tried before a search is given up: a moment, not minutes */
#define TRIES_MAX 20000

/**
 * struct search - bundles on their way into groups
 * @needs: what is needed
 * @bundle: the bundles to place, the largest first
 * @nr: their number
 * @pack: groups so far
 * @groups: number of groups that may be used
 * @tries: how often a group was tried
 */
struct search {
	const struct bpmu_needs *needs;
	u64 bundle[BPMU_NEEDS_BUNDLES];
	unsigned int nr;
	struct bpmu_pack *pack;
	unsigned int groups;
	unsigned int tries;
};

static int assign(const struct bpmu_needs *needs, u64 events,
		  struct bpmu_error *err)
{
	struct bpmu_event_spec spec[BPMU_NEEDS_EVENTS];
	struct bpmu_event_list list = { .spec = spec };
	struct bpmu_sched sched;
	unsigned int i;

	for (i = 0; i < needs->events.nr; i++)
		if (events >> i & 1)
			spec[list.nr++] = needs->events.spec[i];
	return bpmu_sched_assign(needs->pmu, &list, &bpmu_sched_no_rules,
				 &sched, err);
}

static bool fits(const struct bpmu_needs *needs, u64 events)
{
	struct bpmu_error ignored;

	return !assign(needs, events, &ignored);
}

/* put @bundle and all behind it into the groups, moving on where it fails */
static bool place(struct search *s, unsigned int b)
{
	unsigned int end = s->pack->nr < s->groups ? s->pack->nr + 1 :
						     s->groups;
	unsigned int nr = s->pack->nr;
	unsigned int g;
	u64 old;

	if (b == s->nr)
		return true;
	for (g = 0; g < end; g++) {
		old = g < nr ? s->pack->group[g] : s->needs->clock;
		if (s->tries++ == TRIES_MAX)
			return false;
		if (!fits(s->needs, old | s->bundle[b]))
			continue;
		s->pack->group[g] = old | s->bundle[b];
		s->pack->nr = g < nr ? nr : nr + 1;
		if (place(s, b + 1))
			return true;
		s->pack->group[g] = old;
		s->pack->nr = nr;
	}
	return false;
}

/* a bundle inside another one has its place already */
static void insert(struct search *s, u64 bundle)
{
	unsigned int i;
	unsigned int to = 0;

	for (i = 0; i < s->nr; i++)
		if (!(bundle & ~s->bundle[i]))
			return;
	for (i = 0; i < s->nr; i++)
		if (s->bundle[i] & ~bundle)
			s->bundle[to++] = s->bundle[i];
	s->nr = to;
	for (i = s->nr; i > 0 && __builtin_popcountll(s->bundle[i - 1]) <
				 __builtin_popcountll(bundle); i--)
		s->bundle[i] = s->bundle[i - 1];
	s->bundle[i] = bundle;
	s->nr++;
}

static bool pack_bundles(const struct bpmu_needs *needs, const bool *granted,
			 unsigned int groups, struct bpmu_pack *pack)
{
	struct search s = { .needs = needs, .pack = pack, .groups = groups };
	unsigned int i;

	pack->nr = 0;
	for (i = 0; i < needs->nr_bundles; i++)
		if (granted[i])
			insert(&s, needs->bundle[i].events);
	return place(&s, 0);
}

static int check_bundles(const struct bpmu_needs *needs, struct bpmu_error *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < needs->nr_bundles && !ret; i++)
		if (!needs->bundle[i].wish)
			ret = assign(needs,
				     needs->bundle[i].events | needs->clock,
				     err);
	return ret;
}

/* the first event that only one of them has decides */
static bool before(u64 a, u64 b)
{
	u64 differ = a ^ b;

	return a & differ & -differ;
}

/* groups with events of upper levels come first */
static void sort(struct bpmu_pack *pack)
{
	unsigned int i;
	unsigned int j;
	u64 group;

	for (i = 1; i < pack->nr; i++) {
		group = pack->group[i];
		for (j = i; j > 0 && before(group, pack->group[j - 1]); j--)
			pack->group[j] = pack->group[j - 1];
		pack->group[j] = group;
	}
}

/**
 * bpmu_pack_groups() - share events out to groups
 * @needs: what is needed
 * @pack: filled in
 * @err: set on failure
 *
 * First the smallest number of groups that holds all bundles that must be held
 * together, then as many wishes as that number of groups allows, those of
 * upper levels first.
 *
 * Context: any.
 * Return: 0, or -ENOSPC if a bundle does not fit on the counters or there are
 * too many.
 */
int bpmu_pack_groups(const struct bpmu_needs *needs, struct bpmu_pack *pack,
		     struct bpmu_error *err)
{
	bool granted[BPMU_NEEDS_BUNDLES];
	unsigned int groups;
	unsigned int i;
	int ret;

	ret = check_bundles(needs, err);
	if (ret)
		return ret;
	for (i = 0; i < needs->nr_bundles; i++)
		granted[i] = !needs->bundle[i].wish;
	for (groups = 1; groups <= BPMU_PACK_GROUPS; groups++)
		if (pack_bundles(needs, granted, groups, pack))
			break;
	if (groups > BPMU_PACK_GROUPS)
		return bpmu_error_set(err, -ENOSPC,
				      "metrics: need more than %d groups of events; ask for a lower level",
				      BPMU_PACK_GROUPS);
	for (i = 0; i < needs->nr_bundles; i++) {
		if (granted[i])
			continue;
		granted[i] = true;
		granted[i] = pack_bundles(needs, granted, groups, pack);
	}
	pack_bundles(needs, granted, groups, pack);
	sort(pack);
	return 0;
}
