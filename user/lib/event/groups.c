// SPDX-License-Identifier: GPL-2.0
#include "groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"

/*
 * Pairs of counters, in order of preference, for events that leak: an erratum also counts them on
 * the sibling thread. The first counter of a pair is used on one thread of a core, the second on
 * the other thread.
 */
static const int leak_pairs[][2] = {
	{ 3, 1 }, { 3, 0 }, { 1, 3 }, { 0, 3 }, { 1, 0 }, { 0, 1 }, { 2, 3 },
	{ 3, 2 }, { 2, 1 }, { 2, 0 },
};

#define NR_PAIRS (sizeof(leak_pairs) / sizeof(leak_pairs[0]))

/**
 * bpmu_groups_begin() - initialise an empty list of groups
 * @groups: set
 * @pmu: counters of the CPU
 */
void bpmu_groups_begin(struct bpmu_groups *groups, const struct bpmu_pmu *pmu)
{
	memset(groups, 0, sizeof(*groups));
	groups->pmu = pmu;
	groups->rules = bpmu_sched_no_rules;
}

/**
 * bpmu_groups_free() - free a list of groups
 * @groups: initialised list; empty on return
 */
void bpmu_groups_free(struct bpmu_groups *groups)
{
	while (groups->nr)
		free(groups->group[--groups->nr].events.spec);
	free(groups->group);
	groups->group = NULL;
	memset(groups->nr_of, 0, sizeof(groups->nr_of));
	groups->slots = 0;
}

static enum bpmu_bank_id groups_bank_of(const struct bpmu_event_spec *spec)
{
	return bpmu_unit_facts[spec->term[0].unit].bank;
}

/*
 * Appends a copy of an event to a list. The copy points to the text of @spec; the text still
 * belongs to @spec.
 */
static int groups_append(struct bpmu_event_list *list,
			 const struct bpmu_event_spec *spec, struct bpmu_error *err)
{
	if (bpmu_event_list_grow(list))
		return bpmu_error_no_memory(err, "groups");
	list->spec[list->nr++] = *spec;
	return 0;
}

static int groups_grow(struct bpmu_groups *groups, struct bpmu_error *err)
{
	struct bpmu_group *grown;

	if (groups->nr == BPMU_GROUPS_MAX)
		return bpmu_error_set(err, -ENOSPC,
			"events: they need more than the %d groups that a session can have; measure them in several runs",
			BPMU_MAX_GROUPS);
	grown = reallocarray(groups->group, groups->nr + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "groups");
	groups->group = grown;
	memset(&grown[groups->nr], 0, sizeof(*grown));
	groups->nr++;
	return 0;
}

static int reassign(struct bpmu_groups *groups, struct bpmu_group *group,
		    struct bpmu_error *err)
{
	if (groups->of)
		return bpmu_sched_list(groups->pmu, &group->events, &group->sched, err);
	return bpmu_sched_assign(groups->pmu, &group->events, &groups->rules,
				 &group->sched, err);
}

/*
 * Adds an event to a group; returns -ENOSPC, without a change of the group, if the event does not
 * fit on the counters.
 */
static int try_group(struct bpmu_groups *groups, struct bpmu_group *group,
		     const struct bpmu_event_spec *spec, struct bpmu_error *err)
{
	int code;

	code = groups_append(&group->events, spec, err);
	if (code || bpmu_sched_has(groups->pmu->part, &group->sched, spec))
		return code;
	code = reassign(groups, group, err);
	if (code) {
		struct bpmu_error ignored;

		group->events.nr--;
		if (group->events.nr)
			reassign(groups, group, &ignored);
	}
	return code;
}

/*
 * Adds an event to the first group in which it fits on the counters, or to a new group. A group has
 * events of one bank (set of counters, such as those of the memory controllers). With @together,
 * only the first group of each bank is used, and an event that does not fit is refused.
 */
static int groups_add_event(struct bpmu_groups *groups, bool together,
			    const struct bpmu_event_spec *spec, struct bpmu_error *err)
{
	enum bpmu_bank_id bank = groups_bank_of(spec);
	int code = -ENOSPC;
	unsigned int g;

	for (g = 0; g < groups->nr; g++) {
		if (groups->group[g].sched.bank != bank ||
		    (!together && bpmu_sched_is_full(groups->pmu,
						     &groups->group[g].sched, spec)))
			continue;
		code = try_group(groups, &groups->group[g], spec, err);
		if (code != -ENOSPC || together)
			return code;
	}
	code = groups_grow(groups, err);
	if (code)
		return code;
	code = try_group(groups, &groups->group[groups->nr - 1], spec, err);
	if (code) {
		groups->nr--;
		free(groups->group[groups->nr].events.spec);
	}
	return code;
}

static int groups_compare(const void *a, const void *b)
{
	const struct bpmu_group *x = a, *y = b;

	if (x->sched.bank != y->sched.bank)
		return x->sched.bank < y->sched.bank ? -1 : 1;
	return x->first < y->first ? -1 : 1;
}

/*
 * Adds each event that a fixed counter counts to all other groups in which this counter is free.
 * The groups must be of the same bank (set of counters) as the event. The event takes no counter
 * from other events there, and is then counted all the time.
 */
static int groups_fill(struct bpmu_groups *groups, struct bpmu_error *err)
{
	struct bpmu_error ignored;
	struct bpmu_event_spec spec;
	unsigned int g, i, to;
	int code;

	for (g = 0; g < groups->nr; g++) {
		for (i = 0; i < groups->group[g].events.nr; i++) {
			spec = groups->group[g].events.spec[i];
			if (!bpmu_sched_is_fixed(groups->pmu->part, &spec))
				continue;
			for (to = 0; to < groups->nr; to++) {
				if (groups->group[to].sched.bank !=
				    groups->group[g].sched.bank ||
				    bpmu_sched_has(groups->pmu->part,
						   &groups->group[to].sched, &spec))
					continue;
				code = try_group(groups, &groups->group[to], &spec,
						 &ignored);
				if (code && code != -ENOSPC)
					return bpmu_error_no_memory(err, "groups");
			}
		}
	}
	return 0;
}

static void groups_number(struct bpmu_groups *groups)
{
	unsigned int g;

	groups->slots = 0;
	memset(groups->nr_of, 0, sizeof(groups->nr_of));
	for (g = 0; g < groups->nr; g++) {
		groups->group[g].first = groups->slots;
		groups->slots += groups->group[g].sched.nr;
		groups->nr_of[groups->group[g].sched.bank]++;
	}
}

static int groups_finish(struct bpmu_groups *groups, struct bpmu_error *err)
{
	unsigned int g;
	int bank;
	int code;

	if (groups->of) {
		groups_number(groups);
		return 0;
	}
	code = groups_fill(groups, err);
	if (code)
		return code;
	for (g = 0; g < groups->nr; g++)
		groups->group[g].first = g;
	qsort(groups->group, groups->nr, sizeof(*groups->group), groups_compare);
	groups_number(groups);
	for (bank = 0; bank < BPMU_BANKS; bank++) {
		unsigned int most = bpmu_bank_facts[bank].free ? 1 :
				    BPMU_MAX_GROUPS;

		if (groups->nr_of[bank] > most)
			return bpmu_error_set(err, -ENOSPC,
				"events: they need %u groups, a session can have %u; measure them in several runs",
				groups->nr_of[bank], most);
	}
	return 0;
}

/*
 * Adds an event to groups of which a recording or another session has counted more than is wanted
 * now. @groups->of has the groups as they were counted. The event is added to each group with whose
 * index there is one in @groups->of that has the event.
 */
static int groups_add_counted(struct bpmu_groups *groups,
			      const struct bpmu_event_spec *spec,
			      struct bpmu_error *err)
{
	bool found = false;
	unsigned int g;
	int code;

	for (g = 0; g < groups->nr; g++) {
		if (!bpmu_counted_has(groups->of->pmu, &groups->of->group[g].sched, spec))
			continue;
		code = try_group(groups, &groups->group[g], spec, err);
		if (code)
			return code;
		found = true;
	}
	return found ? 0 : bpmu_counted_lacks(groups->of->pmu, groups->of->live,
					      spec->text, err);
}

static int groups_add_events(struct bpmu_groups *groups,
			     const struct bpmu_event_list *events, bool together,
			     struct bpmu_error *err)
{
	unsigned int i;
	int code;

	for (i = 0; i < events->nr; i++) {
		code = groups->of ?
			groups_add_counted(groups, &events->spec[i], err) :
			groups_add_event(groups, together, &events->spec[i], err);
		if (code)
			return code;
	}
	return groups_finish(groups, err);
}

/**
 * bpmu_groups_leak() - check if groups of these events need a pair of counters for leaking events
 * @pmu: counters of the CPU
 * @events: the events
 *
 * An event leaks if an erratum also counts it on the sibling thread.
 *
 * Return: true if at least one event leaks.
 */
bool bpmu_groups_leak(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events)
{
	unsigned int i, t;

	for (i = 0; i < events->nr; i++)
		for (t = 0; t < events->spec[i].nr; t++)
			if (groups_bank_of(&events->spec[i]) == BPMU_BANK_CORE &&
			    bpmu_select_leaks(pmu->part,
					      events->spec[i].term[t].select))
				return true;
	return false;
}

/**
 * bpmu_groups_leak_pair() - get a pair of counters on which groups may place leaking events
 * @i: index of the pair, in order of preference. An event leaks if an erratum also counts it on the
 *	sibling thread
 * @rules: &bpmu_sched_rules.leak is set to the pair
 *
 * Return: true, or false if there is no pair with this index.
 */
bool bpmu_groups_leak_pair(unsigned int i, struct bpmu_sched_rules *rules)
{
	if (i >= NR_PAIRS)
		return false;
	memcpy(rules->leak, leak_pairs[i], sizeof(leak_pairs[i]));
	return true;
}

/**
 * bpmu_groups_begin_of() - initialise groups whose events are chosen from groups that were counted
 * @groups: set, without events; free it with bpmu_groups_free(), also after an error
 * @pmu: counters of the CPU
 * @of: groups that a recording or another session counted
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_groups_begin_of(struct bpmu_groups *groups, const struct bpmu_pmu *pmu,
			 const struct bpmu_groups *of, struct bpmu_error *err)
{
	unsigned int g;

	bpmu_groups_begin(groups, pmu);
	groups->of = of;
	groups->live = of->live;
	groups->group = calloc(of->nr, sizeof(*groups->group));
	if (!groups->group)
		return bpmu_error_no_memory(err, "groups");
	groups->nr = of->nr;
	for (g = 0; g < of->nr; g++)
		groups->group[g].sched.bank = of->group[g].sched.bank;
	groups_number(groups);
	return 0;
}

/**
 * bpmu_groups_set() - put events of a counted group into the group with the same index
 * @groups: initialised by bpmu_groups_begin_of()
 * @g: index of the group; the counted group has the same index
 * @events: events that the counted group @g has; must outlive the groups
 *
 * Return: 0, -ENOSPC if the events need more than BPMU_MAX_COUNTERS counters, or -ENOMEM.
 */
int bpmu_groups_set(struct bpmu_groups *groups, unsigned int g,
		    const struct bpmu_event_list *events, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < events->nr && !code; i++)
		code = try_group(groups, &groups->group[g], &events->spec[i], err);
	groups_number(groups);
	return code;
}

/**
 * bpmu_groups_make() - distribute a list of events over groups
 * @groups: set; free it with bpmu_groups_free(), also after an error
 * @pmu: counters of the CPU
 * @events: the events; must outlive the groups
 * @wish: constraints
 *
 * Each event is put into the first group in which it fits on the counters. Events on fixed counters
 * are then added to all groups that use the same kind of counters (bank). Events that an erratum
 * also counts on the sibling thread are all put on one pair of counters, one for each thread: the
 * first pair with which all events fit. If @wish->of is not NULL, an event is instead put into all
 * groups that have counted it.
 *
 * Return: 0, -ENOSPC if an event fits into no group, -ENODATA if no group in @wish->of has counted
 * an event, or -ENOMEM.
 */
int bpmu_groups_make(struct bpmu_groups *groups, const struct bpmu_pmu *pmu,
		     const struct bpmu_event_list *events,
		     const struct bpmu_groups_wish *wish,
		     struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	if (wish->of) {
		code = bpmu_groups_begin_of(groups, pmu, wish->of, err);
		return code ? code : groups_add_events(groups, events, false, err);
	}
	bpmu_groups_begin(groups, pmu);
	groups->rules.arb_both = wish->arb_both;
	if (!wish->siblings || !bpmu_groups_leak(pmu, events))
		return groups_add_events(groups, events, wish->together, err);
	for (i = 0; bpmu_groups_leak_pair(i, &groups->rules); i++) {
		bpmu_groups_free(groups);
		code = groups_add_events(groups, events, wish->together, err);
		if (code != -ENOSPC)
			break;
	}
	return code;
}

/**
 * bpmu_groups_add() - add a group with all of the given events to a list of groups
 * @groups: initialised list
 * @events: events that use the same kind of counters (bank); must outlive the groups
 *
 * Return: 0, -ENOSPC if the events do not fit on the counters together, or -ENOMEM.
 */
int bpmu_groups_add(struct bpmu_groups *groups,
		    const struct bpmu_event_list *events,
		    struct bpmu_error *err)
{
	unsigned int i;
	int code;

	code = groups_grow(groups, err);
	for (i = 0; i < events->nr && !code; i++)
		code = try_group(groups, &groups->group[groups->nr - 1],
				 &events->spec[i], err);
	return code ? code : groups_finish(groups, err);
}

/**
 * bpmu_groups_join() - add events to existing groups
 * @groups: the groups; if a group has to be added, the indices of other groups may change
 * @events: the events; must outlive the groups
 * @together: true to return -ENOSPC instead of adding a group
 *
 * Return: 0 or a negative errno, see bpmu_groups_make().
 */
int bpmu_groups_join(struct bpmu_groups *groups,
		     const struct bpmu_event_list *events, bool together,
		     struct bpmu_error *err)
{
	return groups_add_events(groups, events, together, err);
}

/**
 * bpmu_groups_find() - find the first of the groups that has an event
 *
 * The event is recognised by the address of its text: the group has it only if it, or a copy of its
 * structure, was put into the group.
 *
 * Return: the group, or NULL if no group has the event.
 */
const struct bpmu_group *bpmu_groups_find(const struct bpmu_groups *groups,
					  const struct bpmu_event_spec *spec)
{
	unsigned int g, i;

	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < groups->group[g].events.nr; i++)
			if (groups->group[g].events.spec[i].text == spec->text)
				return &groups->group[g];
	return NULL;
}

/**
 * bpmu_groups_slots() - find the slots (counters) that count an event in one of the groups
 * @g: index of the group
 * @slots: set; &bpmu_slots.nr is 0 if the group does not have the event
 */
void bpmu_groups_slots(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_event_spec *spec,
		       struct bpmu_slots *slots)
{
	const struct bpmu_sched *sched = &groups->group[g].sched;
	unsigned int i, t;

	slots->quotient = bpmu_event_is_quotient(spec);
	slots->nr = 0;
	for (t = 0; t < spec->nr; t++)
		for (i = 0; i < sched->nr; i++) {
			if (!bpmu_sched_is(groups->pmu->part, &sched->slot[i],
					   &spec->term[t]))
				continue;
			slots->slot[slots->nr] = i;
			slots->sign[slots->nr++] = spec->term[t].sign;
		}
}

/* Finds the counters of a group that count an event; returns false if there are none. */
static bool slots_in(const struct bpmu_groups *groups, unsigned int g,
		     const struct bpmu_event_spec *spec, struct bpmu_slots *slots)
{
	bpmu_groups_slots(groups, g, spec, slots);
	if (spec->nr == 1)
		return slots->nr;
	/*
	 * An event that is a difference or a quotient needs counters for both of its counts. The
	 * number of counters does not tell that, because a unit of the uncore has counters in each
	 * of its instances.
	 */
	return bpmu_sched_has(groups->pmu->part, &groups->group[g].sched, spec);
}

/**
 * bpmu_groups_event_slots() - find the slots (counters) of an event in all groups that have it
 * @groups: the groups, as bpmu_groups_make() made them
 * @spec: the event that decides which groups are searched: those that have it
 * @counted: the event whose slots in these groups are found: @spec, or another event that the same
 *	unit (the core, or a unit of the uncore) counts
 * @slots: set
 */
void bpmu_groups_event_slots(const struct bpmu_groups *groups,
			     const struct bpmu_event_spec *spec,
			     const struct bpmu_event_spec *counted,
			     struct bpmu_event_slots *slots)
{
	unsigned int g, end;

	slots->bank = groups_bank_of(spec);
	slots->quotient = bpmu_event_is_quotient(counted);
	slots->lacking = false;
	slots->nr = 0;
	g = bpmu_groups_first(groups, slots->bank);
	end = g + groups->nr_of[slots->bank];
	for (; g < end; g++) {
		if (!slots_in(groups, g, spec, &slots->slots[slots->nr]))
			continue;
		slots->lacking |= counted != spec &&
				  !slots_in(groups, g, counted, &slots->slots[slots->nr]);
		slots->group[slots->nr++] = g;
	}
	slots->everywhere = slots->nr && slots->nr == groups->nr_of[slots->bank];
	if (slots->lacking)
		slots->nr = 0;
	slots->alone = slots->nr == 1 && slots->slots[0].nr == 1 && slots->slots[0].sign[0] == 1;
	slots->cell = slots->alone ?
		groups->group[slots->group[0]].first + slots->slots[0].slot[0] : 0;
}

/**
 * bpmu_groups_multiplexed() - check if the groups of a bank are multiplexed
 * @bank: the bank (set of counters, such as those of the memory controllers)
 *
 * Return: true if the bank has several groups.
 */
bool bpmu_groups_multiplexed(const struct bpmu_groups *groups,
			     enum bpmu_bank_id bank)
{
	return groups->nr_of[bank] > 1;
}

/**
 * bpmu_groups_first() - index of a bank's first group among all groups
 * @bank: the bank (set of counters, such as those of the memory controllers)
 *
 * Return: the index. If the bank has no groups, it is the index at which they would be.
 */
unsigned int bpmu_groups_first(const struct bpmu_groups *groups,
			       enum bpmu_bank_id bank)
{
	unsigned int first = 0;
	unsigned int i;

	for (i = 0; i < bank; i++)
		first += groups->nr_of[i];
	return first;
}

/**
 * bpmu_groups_most() - number of groups that are multiplexed on the same counters, at most
 *
 * Return: the largest number of groups of a bank (set of counters).
 */
unsigned int bpmu_groups_most(const struct bpmu_groups *groups)
{
	unsigned int most = 0;
	unsigned int i;

	for (i = 0; i < BPMU_BANKS; i++)
		if (groups->nr_of[i] > most)
			most = groups->nr_of[i];
	return most;
}

/**
 * bpmu_groups_of_sample() - find by a sample the one of the groups whose counters the sample holds
 * @groups: groups of the CPU
 *
 * Return: the group, or NULL if the sample has the number of a bank (set of counters) or of a group
 * that does not exist.
 */
const struct bpmu_group *
bpmu_groups_of_sample(const struct bpmu_groups *groups,
		      const struct bpmu_sample *sample)
{
	enum bpmu_bank_id bank = sample->bank;

	if (bank >= BPMU_BANKS || sample->group >= groups->nr_of[bank])
		return NULL;
	return &groups->group[bpmu_groups_first(groups, bank) + sample->group];
}
