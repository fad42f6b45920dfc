// SPDX-License-Identifier: GPL-2.0
#include "sched.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "event_counters.h"
#include "intel.h"

#define FIXED_COUNTERS	(~BPMU_COUNTERS_GENERAL)
#define NOBODY		(-1)

#define UNIT_BITS	BPMU_COUNTERS_PER_BOX

const struct bpmu_sched_rules bpmu_sched_no_rules = { .leak = { -1, -1 } };

/**
 * struct matching - state of choosing a counter for each event of a group (bipartite matching)
 * @pmu: PMU that has the counters
 * @rules: which counters events may not use, in all groups
 * @thread: thread of a core for which counters are chosen: 0 for the first, 1 for the second
 * @sched: the group; a slot of it is an event and the counter that is chosen for the event
 * @owner: [nr counters], index of the slot that has the counter, or NOBODY
 * @taken: mask of the counters that a slot has
 * @tried: mask of the counters that the current search has visited
 */
struct matching {
	const struct bpmu_pmu *pmu;
	const struct bpmu_sched_rules *rules;
	unsigned int thread;
	struct bpmu_sched *sched;
	int owner[64];
	u64 taken;
	u64 tried;
};

/*
 * Checks if @term (what an event has to be counted by) and @slot (a counter of a group) are the
 * same off-core event with different off-core response registers. An event counts the same with
 * either of these registers.
 */
static bool is_twin(const struct bpmu_part *part, const struct bpmu_sched_slot *slot,
		    const struct bpmu_event_term *term)
{
	const struct bpmu_extra *own, *its;
	u64 select = slot->select;

	if (slot->unit != BPMU_UNIT_CORE || !slot->filter)
		return false;
	own = bpmu_extra_of(part, slot->select);
	its = bpmu_extra_of(part, term->select);
	if (!own || !its ||
	    (slot->counters != term->counters &&
	     (slot->counters != own->counters || term->counters != its->counters)))
		return false;
	do
		select = bpmu_extra_twin(part, select);
	while (select && select != slot->select && select != term->select);
	return select == term->select;
}

/**
 * bpmu_sched_is() - check if a slot of a schedule counts an event, or one of its two counts
 * @part: descriptor of the CPU model
 * @slot: the counter and what it counts
 * @term: the event; for an event that is a difference or quotient of two counts, one of them
 *
 * An event of the uncore has a slot for each box (instance of its unit). An off-core event may use
 * any of the off-core response registers.
 *
 * Return: true if the counter of @slot counts @term.
 */
bool bpmu_sched_is(const struct bpmu_part *part, const struct bpmu_sched_slot *slot,
		   const struct bpmu_event_term *term)
{
	if (slot->filter != term->filter || slot->unit != term->unit)
		return false;
	return (slot->select == term->select && slot->counters == term->counters) ||
	       is_twin(part, slot, term);
}

static int sched_find_slot(const struct bpmu_part *part,
			   const struct bpmu_sched *sched,
			   const struct bpmu_event_term *term)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (bpmu_sched_is(part, &sched->slot[i], term))
			return i;
	return NOBODY;
}

/**
 * bpmu_sched_has() - check if an event is scheduled on counters of a group already
 * @part: descriptor of the CPU model
 * @sched: schedule of the group; zeroed for an empty group
 *
 * Return: true if the event needs no further counter.
 */
bool bpmu_sched_has(const struct bpmu_part *part, const struct bpmu_sched *sched,
		    const struct bpmu_event_spec *spec)
{
	unsigned int t;

	for (t = 0; t < spec->nr; t++)
		if (sched_find_slot(part, sched, &spec->term[t]) == NOBODY)
			return false;
	return true;
}

/**
 * bpmu_sched_is_fixed() - check if an event can be scheduled on fixed counters alone
 * @part: descriptor of the CPU model
 *
 * A fixed counter counts only one event. Such an event can therefore be added to any group without
 * taking a counter from other events.
 *
 * Return: true if the event is on fixed counters of the core, or on those of an uncore unit; an
 * event that is a difference or quotient of two counts needs two counters.
 */
bool bpmu_sched_is_fixed(const struct bpmu_part *part,
			 const struct bpmu_event_spec *spec)
{
	const struct bpmu_event_term *term;
	const struct bpmu_box *box;
	unsigned int t;

	for (t = 0; t < spec->nr; t++) {
		term = &spec->term[t];
		if (term->unit == BPMU_UNIT_CORE) {
			if (term->counters & ~FIXED_COUNTERS)
				return false;
			continue;
		}
		box = bpmu_uncore_box(part, term->unit);
		if (term->unit != BPMU_UNIT_CLOCK &&
		    (!box || !box->fixed_select ||
		     term->counters != BPMU_BIT(box->counters - 1)))
			return false;
	}
	return spec->nr;
}

static unsigned int general_slots(const struct bpmu_sched *sched)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		nr += !(sched->slot[i].counters & FIXED_COUNTERS);
	return nr;
}

/**
 * bpmu_sched_is_full() - check if a schedule has too few free general-purpose counters for an event
 * @pmu: counters of the CPU
 * @sched: schedule of a group that uses the same kind of counters as @spec
 *
 * This test is faster than bpmu_sched_assign(), which may refuse the event for other reasons, too.
 *
 * Return: true if bpmu_sched_assign() would refuse the event in this group for lack of counters.
 */
bool bpmu_sched_is_full(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
			const struct bpmu_event_spec *spec)
{
	unsigned int nr = 0;
	unsigned int t;

	for (t = 0; t < spec->nr; t++)
		nr += !(spec->term[t].counters & FIXED_COUNTERS) &&
		      sched_find_slot(pmu->part, sched, &spec->term[t]) == NOBODY;
	return nr && sched->bank == BPMU_BANK_CORE &&
	       general_slots(sched) + nr > pmu->gp_counters;
}

static int full(const char *text, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOSPC,
		"event '%s': is one more than the %d that a group can hold; measure them in several runs",
		text, BPMU_MAX_COUNTERS);
}

/*
 * Checks if two events of an uncore unit need different values in the unit's only filter register.
 * @a and @b are the counters of a group that count them.
 */
static bool filters_differ(const struct bpmu_box *box,
			   const struct bpmu_sched_slot *a,
			   const struct bpmu_sched_slot *b)
{
	return (a->filter ^ b->filter) & bpmu_filter_used(box, a->select) &
	       bpmu_filter_used(box, b->select);
}

/*
 * Returns a counter before @slot in the group whose event needs another value in the extra register
 * (such as MSR_OFFCORE_RSP_0) that the event of @slot uses; NULL if there is none.
 */
static const struct bpmu_sched_slot *
extra_rival(const struct bpmu_part *part, const struct bpmu_sched *sched,
	    const struct bpmu_sched_slot *slot)
{
	const struct bpmu_extra *extra = bpmu_extra_of(part, slot->select);
	const struct bpmu_sched_slot *other;

	for (other = sched->slot; slot->filter && other < slot; other++)
		if (other->filter && other->filter != slot->filter &&
		    bpmu_extra_of(part, other->select)->id == extra->id)
			return other;
	return NULL;
}

/*
 * Lets the event of @slot use another extra register: its event select becomes @select, which
 * counts the same event with that register. Returns false, without a change, if that register lacks
 * bits of the value that the event needs, or if another event of the group needs another value in
 * that register.
 */
static bool takes(const struct bpmu_part *part, const struct bpmu_sched *sched,
		  struct bpmu_sched_slot *slot, u64 select)
{
	const struct bpmu_extra *own = bpmu_extra_of(part, slot->select);
	const struct bpmu_extra *its = bpmu_extra_of(part, select);
	const struct bpmu_sched_slot old = *slot;

	if (slot->filter & ~its->legal)
		return false;
	slot->select = select;
	slot->counters = slot->counters == own->counters ? its->counters :
							   slot->counters & its->counters;
	if (slot->counters && !extra_rival(part, sched, slot))
		return true;
	*slot = old;
	return false;
}

/*
 * Chooses an off-core response register for the event of @slot: a register that no other event of
 * the group uses, or one in which other events need the same value.
 */
static int choose_extra(const struct bpmu_part *part,
			const struct bpmu_sched *sched,
			struct bpmu_sched_slot *slot, struct bpmu_error *err)
{
	static const char *const numbers[] = { "no", "one", "two", "three", "four" };
	const struct bpmu_sched_slot *rival = extra_rival(part, sched, slot);
	u64 first = slot->select;
	unsigned int nr = 1;
	u64 select;

	if (!rival)
		return 0;
	for (select = bpmu_extra_twin(part, first); select && select != first;
	     select = bpmu_extra_twin(part, select)) {
		if (takes(part, sched, slot, select))
			return 0;
		nr++;
	}
	return bpmu_error_set(err, -ENOSPC,
		"event '%s': wants another %s than '%s', and a CPU has %s such register%s; measure them in several runs",
		slot->text, bpmu_extra_name(bpmu_extra_of(part, first)->id),
		rival->text, numbers[nr], nr > 1 ? "s" : "");
}

static int check_filter(const struct bpmu_pmu *pmu,
			const struct bpmu_sched *sched,
			const struct bpmu_sched_slot *slot,
			struct bpmu_error *err)
{
	const struct bpmu_box *box = bpmu_uncore_box(pmu->part, slot->unit);
	const struct bpmu_sched_slot *other;

	for (other = sched->slot; other < slot; other++)
		if (filters_differ(box, other, slot))
			return bpmu_error_set(err, -ENOSPC,
				"event '%s': wants another filter than '%s', and a %s has but one; measure them in several runs",
				slot->text, other->text, box->title);
	return 0;
}

static int sched_collect(const struct bpmu_pmu *pmu,
			 const struct bpmu_event_list *events,
			 struct bpmu_sched *sched, struct bpmu_error *err)
{
	const struct bpmu_event_spec *spec;
	struct bpmu_sched_slot *slot;
	unsigned int i;
	unsigned int t;
	int code;

	memset(sched, 0, sizeof(*sched));
	for (i = 0; i < events->nr; i++) {
		spec = &events->spec[i];
		for (t = 0; t < spec->nr; t++) {
			if (sched_find_slot(pmu->part, sched, &spec->term[t]) !=
			    NOBODY)
				continue;
			if (sched->nr == BPMU_MAX_COUNTERS)
				return full(spec->text, err);
			slot = &sched->slot[sched->nr++];
			slot->select = spec->term[t].select;
			slot->filter = spec->term[t].filter;
			slot->counters = spec->term[t].counters;
			slot->unit = spec->term[t].unit;
			slot->text = spec->text;
			sched->bank = bpmu_unit_facts[slot->unit].bank;
			code = slot->unit == BPMU_UNIT_CORE ?
				choose_extra(pmu->part, sched, slot, err) :
				check_filter(pmu, sched, slot, err);
			if (code)
				return code;
		}
	}
	return 0;
}

/*
 * Returns the counter of a set that is to be tried first. Fixed counters come before
 * general-purpose counters, so that these stay free for events that need them.
 */
static unsigned int next_counter(u64 set)
{
	if (set & FIXED_COUNTERS)
		set &= FIXED_COUNTERS;
	return __builtin_ctzll(set);
}

/*
 * Returns the number that the first counter of a unit has in the search for counters. Only the
 * uncore of client CPUs has several units whose counters are read together. Their counters are
 * numbered one unit after the other. The arbiter (ARB) and the global queue have the same numbers,
 * because no CPU model has both.
 */
static unsigned int unit_shift(u8 unit)
{
	if (unit == BPMU_UNIT_GQ)
		unit = BPMU_UNIT_ARB;
	return unit <= BPMU_UNIT_CBO ? (unit - BPMU_UNIT_CLOCK) * UNIT_BITS : 0;
}

/*
 * Returns the mask of the counters that can count the event of slot @s of the group (an event and
 * its counter) on thread @m->thread of a core.
 */
static u64 possible(const struct matching *m, int s)
{
	const struct bpmu_sched_slot *slot = &m->sched->slot[s];
	const struct bpmu_sched_rules *rules = m->rules;
	int own = rules->leak[m->thread];
	int other = rules->leak[!m->thread];

	if (slot->unit == BPMU_UNIT_ARB && slot->select & BPMU_SEL_CMASK &&
	    bpmu_event_is_occupancy(slot->select))
		return (rules->arb_both ? 3ULL : 1ULL) <<
		       unit_shift(slot->unit);
	if (slot->unit != BPMU_UNIT_CORE)
		return slot->counters << unit_shift(slot->unit);
	if (own < 0)
		return slot->counters;
	if (bpmu_select_leaks(m->pmu->part, slot->select))
		return slot->counters & BPMU_BIT(own);
	return slot->counters & ~BPMU_BIT(other);
}

static void give(struct matching *m, int s, unsigned int c)
{
	m->owner[c] = s;
	m->taken |= 1ULL << c;
	if (m->thread)
		m->sched->slot[s].sibling = c;
	else
		m->sched->slot[s].counter = c;
}

/*
 * Gives the event of slot @s of the group (an event and its counter) a counter; moves other events
 * to other counters if necessary (Kuhn's algorithm).
 */
static bool sched_assign(struct matching *m, int s)
{
	u64 set = possible(m, s);
	unsigned int c;

	if (set == BPMU_BIT(BPMU_METRICS_COUNTER)) {
		give(m, s, BPMU_METRICS_COUNTER);
		return true;
	}
	if (set & ~m->taken) {
		give(m, s, next_counter(set & ~m->taken));
		return true;
	}
	while (set & ~m->tried) {
		c = next_counter(set & ~m->tried);
		m->tried |= 1ULL << c;
		if (!sched_assign(m, m->owner[c]))
			continue;
		give(m, s, c);
		return true;
	}
	return false;
}

static const char *sched_counter_name(unsigned int c, char *buf, size_t size)
{
	if (c == BPMU_IBS_COUNTER || c == BPMU_FETCH_COUNTER)
		snprintf(buf, size, "IBS");
	else if (c >= BPMU_FIXED_BASE)
		snprintf(buf, size, "fixed counter %u", c - BPMU_FIXED_BASE);
	else
		snprintf(buf, size, "counter %u", c);
	return buf;
}

static int refuse_uncore(const struct matching *m, int s,
			 struct bpmu_error *err)
{
	const struct bpmu_sched_slot *slot = &m->sched->slot[s];
	const struct bpmu_box *box = bpmu_uncore_box(m->pmu->part, slot->unit);

	return bpmu_error_set(err, -ENOSPC,
		"event '%s': the %s's counters for it are taken by others; measure them in several runs",
		slot->text, box->base ? box->title : "package");
}

static int refuse_leak(const struct matching *m, int s, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOSPC,
		"event '%s': with hyper-threading on, %s keeps a counter of the sibling idle and leaves too few; measure them in several runs, or one thread of each core (-C)",
		m->sched->slot[s].text, "erratum BJ122/BV98/HSD29");
}

/*
 * Sets the error for the event of slot @s of the group, for which no counter was found. The error
 * names the events in conflict: this event, and the events on the counters in @m->tried. The failed
 * search has tried all counters that any of these events can use, so that there is one event more
 * than counters.
 */
static int sched_refuse(const struct matching *m, int s, struct bpmu_error *err)
{
	const struct bpmu_sched_slot *slot = &m->sched->slot[s];
	unsigned int nr = general_slots(m->sched);
	unsigned int c;
	char name[32];

	if (m->sched->bank != BPMU_BANK_CORE)
		return refuse_uncore(m, s, err);
	if (m->rules->leak[0] >= 0 || !m->tried)
		return refuse_leak(m, s, err);
	c = __builtin_ctzll(m->tried);
	if (nr > m->pmu->gp_counters && !(slot->counters & FIXED_COUNTERS))
		return bpmu_error_set(err, -ENOSPC,
				      "event '%s': %u events need general counters, this CPU has %u; measure them in several runs",
				      slot->text, nr, m->pmu->gp_counters);
	if (!(m->tried & (m->tried - 1)))
		return bpmu_error_set(err, -ENOSPC,
				      "event '%s': needs %s, which '%s' already takes; measure them in several runs",
				      slot->text,
				      sched_counter_name(c, name, sizeof(name)),
				      m->sched->slot[m->owner[c]].text);
	return bpmu_error_set(err, -ENOSPC,
			      "event '%s': is one more than the %d that fit on counters %u to %d, the only ones for it; measure them in several runs",
			      slot->text, __builtin_popcountll(m->tried), c,
			      63 - __builtin_clzll(m->tried));
}

static int sched_match(struct matching *m, struct bpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(m->owner); i++)
		m->owner[i] = NOBODY;
	m->taken = 0;
	for (i = 0; i < m->sched->nr; i++) {
		m->tried = 0;
		if (!sched_assign(m, i))
			return sched_refuse(m, i, err);
	}
	return 0;
}

/*
 * If an event is one of an uncore unit with several boxes (instances), replaces its slot by one
 * slot for each box.
 */
static int sched_spread(const struct bpmu_pmu *pmu, struct bpmu_sched *sched,
			struct bpmu_error *err)
{
	unsigned int nr = sched->nr;
	unsigned int i, box, first, boxes;

	for (i = 0; i < nr; i++) {
		struct bpmu_sched_slot *slot = &sched->slot[i];
		const struct bpmu_box *type = bpmu_uncore_box(pmu->part,
							      slot->unit);
		unsigned int index = type->base ? slot->counter :
						  slot->counter % UNIT_BITS;

		boxes = bpmu_uncore_boxes(pmu, slot->unit, &first);
		slot->counter = (type->base ? type->base : BPMU_COUNTER_UNCORE) +
				index + first * BPMU_COUNTERS_PER_BOX;
		slot->sibling = slot->counter;
		for (box = 1; box < boxes; box++) {
			if (sched->nr == BPMU_MAX_COUNTERS)
				return full(slot->text, err);
			sched->slot[sched->nr] = *slot;
			sched->slot[sched->nr].counter +=
				box * BPMU_COUNTERS_PER_BOX;
			sched->slot[sched->nr].sibling =
				sched->slot[sched->nr].counter;
			sched->nr++;
		}
	}
	return 0;
}

/* Gives each event of free-running registers its register: each register counts one event. */
static void assign_free(struct bpmu_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		struct bpmu_sched_slot *slot = &sched->slot[i];

		slot->counter = BPMU_COUNTER_FREE +
				__builtin_ctzll(slot->counters);
		slot->sibling = slot->counter;
	}
}

/*
 * Numbers the values that a sample of the group will have: one for each counter. The fields of
 * PERF_METRICS have a slot each, but one value in common.
 */
static void number_values(struct bpmu_sched *sched)
{
	int metrics = NOBODY;
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		struct bpmu_sched_slot *slot = &sched->slot[i];

		if (slot->counter != BPMU_METRICS_COUNTER) {
			slot->value = sched->values++;
			continue;
		}
		if (metrics == NOBODY)
			metrics = sched->values++;
		slot->value = metrics;
		slot->field = slot->select >> BPMU_SEL_UMASK_SHIFT & 7;
	}
}

static bool wants_metrics(const struct bpmu_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].counters & BPMU_BIT(BPMU_METRICS_COUNTER))
			return true;
	return false;
}

/* Adds TOPDOWN.SLOTS to a group with PERF_METRICS, whose fields are fractions of the slots. */
static int add_slots(const struct bpmu_part *part, struct bpmu_sched *sched,
		     struct bpmu_error *err)
{
	const struct bpmu_event_term slots = {
		.counters = BPMU_BIT(BPMU_FIXED_SLOTS),
		.select = BPMU_SEL_USR | BPMU_SEL_OS,
	};
	struct bpmu_sched_slot *slot;

	if (!wants_metrics(sched) ||
	    sched_find_slot(part, sched, &slots) != NOBODY)
		return 0;
	if (sched->nr == BPMU_MAX_COUNTERS)
		return full("slots", err);
	slot = &sched->slot[sched->nr++];
	slot->counters = slots.counters;
	slot->select = slots.select;
	slot->text = "slots";
	return 0;
}

/**
 * bpmu_sched_assign() - schedule events on counters that can count them
 * @pmu: counters of the CPU
 * @events: the events, which all use the same kind of counters (bank)
 * @rules: counters that events may not use, because of errata for example
 * @sched: set; points to texts of @events
 *
 * If there is a way to count the events together, the function finds it. The same events always get
 * the same counters.
 *
 * Return: 0, or -ENOSPC if the events do not fit on the counters at the same time.
 */
int bpmu_sched_assign(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events,
		      const struct bpmu_sched_rules *rules,
		      struct bpmu_sched *sched, struct bpmu_error *err)
{
	struct matching m = { .pmu = pmu, .rules = rules, .sched = sched };
	int ret;

	ret = sched_collect(pmu, events, sched, err);
	if (!ret && bpmu_bank_facts[sched->bank].free) {
		assign_free(sched);
		number_values(sched);
		return 0;
	}
	if (!ret)
		ret = add_slots(pmu->part, sched, err);
	if (!ret)
		ret = sched_match(&m, err);
	m.thread = 1;
	if (!ret)
		ret = sched_match(&m, err);
	if (!ret && sched->bank != BPMU_BANK_CORE)
		ret = sched_spread(pmu, sched, err);
	if (!ret)
		number_values(sched);
	return ret;
}

/**
 * bpmu_sched_list() - schedule events that another tool has counted; they need no free counters
 * @pmu: counters of the machine that counted the events
 * @events: the events, which all use the same kind of counters (bank)
 * @sched: set; points to texts of @events. Each event has a counter that could count it, and
 *	several events may have the same counter
 *
 * Return: 0, or -ENOSPC if a group does not have as many slots as the events need. An event that is
 * a difference or quotient of two counts needs two slots.
 */
int bpmu_sched_list(const struct bpmu_pmu *pmu,
		    const struct bpmu_event_list *events,
		    struct bpmu_sched *sched, struct bpmu_error *err)
{
	unsigned int i;
	int ret;

	ret = sched_collect(pmu, events, sched, err);
	if (ret)
		return ret;
	if (bpmu_bank_facts[sched->bank].free) {
		assign_free(sched);
		number_values(sched);
		return 0;
	}
	for (i = 0; i < sched->nr; i++)
		sched->slot[i].counter = next_counter(sched->slot[i].counters);
	if (sched->bank != BPMU_BANK_CORE)
		ret = sched_spread(pmu, sched, err);
	if (!ret)
		number_values(sched);
	return ret;
}

/**
 * bpmu_sched_count() - compute the count of a scheduled event from the counts of its counters
 * @part: descriptor of the CPU model
 * @sched: schedule of a group
 * @spec: event of this group
 * @deltas: [@sched->nr], counts of the counters of the group
 *
 * Return: the count; negative only if the event has the filter [=N], which is [>=N] minus [>=N+1],
 * and the count of [>=N] is too small.
 */
long long bpmu_sched_count(const struct bpmu_part *part,
			   const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas)
{
	long long count = 0;
	unsigned int i, t;

	for (t = 0; t < spec->nr; t++)
		for (i = 0; i < sched->nr; i++)
			if (bpmu_sched_is(part, &sched->slot[i], &spec->term[t]))
				count += spec->term[t].sign *
					 (long long)deltas[i];
	return count;
}
