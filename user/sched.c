// SPDX-License-Identifier: GPL-2.0
#include "sched.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "array.h"

#define FIXED_COUNTERS	(~(BPMU_FIXED_BIT(0) - 1))
#define NOBODY		(-1)

/**
 * struct matching - slots and counters, each with at most one of the other
 * @sched: the slots
 * @owner: for each counter the slot that has it, or NOBODY
 * @taken: counters that have an owner
 * @tried: counters that the current search has looked at
 */
struct matching {
	struct bpmu_sched *sched;
	int owner[64];
	u64 taken;
	u64 tried;
};

static int find_slot(const struct bpmu_sched *sched,
		     const struct bpmu_event_term *term)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].select == term->select &&
		    sched->slot[i].counters == term->counters)
			return i;
	return NOBODY;
}

static int collect(const struct bpmu_event_list *events,
		   struct bpmu_sched *sched, struct bpmu_error *err)
{
	const struct bpmu_event_spec *spec;
	struct bpmu_sched_slot *slot;
	unsigned int i;
	unsigned int t;

	sched->nr = 0;
	for (i = 0; i < events->nr; i++) {
		spec = &events->spec[i];
		for (t = 0; t < spec->nr; t++) {
			if (find_slot(sched, &spec->term[t]) != NOBODY)
				continue;
			if (sched->nr == BPMU_MAX_COUNTERS)
				return bpmu_error_set(err, -ENOSPC,
						      "event '%s': is one more than the %d that a group can hold; measure them in several runs",
						      spec->text,
						      BPMU_MAX_COUNTERS);
			slot = &sched->slot[sched->nr++];
			slot->select = spec->term[t].select;
			slot->counters = spec->term[t].counters;
			slot->text = spec->text;
		}
	}
	return 0;
}

/* fixed counters first: an event that can live there leaves a general one */
static unsigned int next_counter(u64 set)
{
	if (set & FIXED_COUNTERS)
		set &= FIXED_COUNTERS;
	return __builtin_ctzll(set);
}

static void give(struct matching *m, int s, unsigned int c)
{
	m->owner[c] = s;
	m->taken |= 1ULL << c;
	m->sched->slot[s].counter = c;
}

/* Kuhn's augmenting path: give @s a counter, moving others if need be */
static bool place(struct matching *m, int s)
{
	u64 set = m->sched->slot[s].counters;
	unsigned int c;

	if (set & ~m->taken) {
		give(m, s, next_counter(set & ~m->taken));
		return true;
	}
	while (set & ~m->tried) {
		c = next_counter(set & ~m->tried);
		m->tried |= 1ULL << c;
		if (!place(m, m->owner[c]))
			continue;
		give(m, s, c);
		return true;
	}
	return false;
}

static const char *counter_name(unsigned int c, char *buf, size_t size)
{
	if (c >= BPMU_FIXED_BASE)
		snprintf(buf, size, "fixed counter %u", c - BPMU_FIXED_BASE);
	else
		snprintf(buf, size, "counter %u", c);
	return buf;
}

static unsigned int general_slots(const struct bpmu_sched *sched)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		nr += !(sched->slot[i].counters & FIXED_COUNTERS);
	return nr;
}

/*
 * After a failed search @tried holds exactly the counters that the events in
 * conflict can use: one more event wants them than there are.
 */
static int refuse(const struct bpmu_pmu *pmu, const struct matching *m, int s,
		  struct bpmu_error *err)
{
	const struct bpmu_sched_slot *slot = &m->sched->slot[s];
	unsigned int nr = general_slots(m->sched);
	unsigned int c = __builtin_ctzll(m->tried);
	char name[32];

	if (nr > pmu->gp_counters && !(slot->counters & FIXED_COUNTERS))
		return bpmu_error_set(err, -ENOSPC,
				      "event '%s': %u events need general counters, this CPU has %u; measure them in several runs",
				      slot->text, nr, pmu->gp_counters);
	if (!(m->tried & (m->tried - 1)))
		return bpmu_error_set(err, -ENOSPC,
				      "event '%s': needs %s, which '%s' already takes; measure them in several runs",
				      slot->text,
				      counter_name(c, name, sizeof(name)),
				      m->sched->slot[m->owner[c]].text);
	return bpmu_error_set(err, -ENOSPC,
			      "event '%s': is one more than the %d that fit on counters %u to %d, the only ones for it; measure them in several runs",
			      slot->text, __builtin_popcountll(m->tried), c,
			      63 - __builtin_clzll(m->tried));
}

/**
 * bpmu_sched_assign() - put events on counters
 * @pmu: as found
 * @events: the events
 * @sched: filled in; it points to texts of @events
 * @err: set on failure
 *
 * The assignment is exact: if it fails, no assignment exists. Equal events get
 * the same assignment each time.
 *
 * Context: any.
 * Return: 0, or -ENOSPC if the events do not fit together.
 */
int bpmu_sched_assign(const struct bpmu_pmu *pmu,
		      const struct bpmu_event_list *events,
		      struct bpmu_sched *sched, struct bpmu_error *err)
{
	struct matching m = { .sched = sched };
	unsigned int i;
	int ret;

	ret = collect(events, sched, err);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(m.owner); i++)
		m.owner[i] = NOBODY;
	for (i = 0; i < sched->nr; i++) {
		m.tried = 0;
		if (!place(&m, i))
			return refuse(pmu, &m, i, err);
	}
	return 0;
}

/**
 * bpmu_sched_count() - the count of an event
 * @sched: where the event was put
 * @spec: one of the events given to bpmu_sched_assign()
 * @deltas: what each slot's counter counted
 *
 * Context: any.
 * Return: the count; below 0 only if the two terms of [=N] contradict.
 */
long long bpmu_sched_count(const struct bpmu_sched *sched,
			   const struct bpmu_event_spec *spec,
			   const u64 *deltas)
{
	long long count = 0;
	unsigned int t;

	for (t = 0; t < spec->nr; t++)
		count += spec->term[t].sign *
			 (long long)deltas[find_slot(sched, &spec->term[t])];
	return count;
}
