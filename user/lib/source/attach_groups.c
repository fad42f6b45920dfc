// SPDX-License-Identifier: GPL-2.0
/*
 * From counters and selects back to events with names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach.h"
#include "event/event_counters.h"
#include "events.h"
#include "free.h"
#include "intel.h"

#define NAME_MAX_LEN 160
#define LEVELS (BPMU_SEL_USR | BPMU_SEL_OS)

/**
 * struct naming - a slot whose name is looked for
 * @pmu: on whose counters it is
 * @smt: cores run more than one thread
 * @slot: with all but its name
 * @name: the name
 */
struct naming {
	const struct bpmu_pmu *pmu;
	int smt;
	struct bpmu_sched_slot *slot;
	char name[NAME_MAX_LEN];
};

/* does the name, read as one that was typed, mean what is on the counter */
static bool means(const struct naming *n)
{
	const struct bpmu_sched_slot *slot = n->slot;
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	bool same;

	if (bpmu_event_parse(n->pmu, n->smt, n->name, &spec, &ignored))
		return false;
	same = spec.nr == 1 && spec.term[0].select == slot->select &&
	       spec.term[0].filter == slot->filter &&
	       spec.term[0].unit == slot->unit &&
	       spec.term[0].counters & slot->counters;
	bpmu_event_free(&spec);
	return same;
}

/* what the event wants of its box's filter, as it is typed */
static void add_filter(struct naming *n)
{
	const struct bpmu_box *box = bpmu_uncore_box(n->pmu->part, n->slot->unit);
	size_t len = strlen(n->name);

	if (!bpmu_filter_used(box, n->slot->select) || len + 1 >= sizeof(n->name))
		return;
	n->name[len++] = ':';
	if (!bpmu_event_filter_write(box, n->slot->select, n->slot->filter,
				     n->name + len, sizeof(n->name) - len))
		n->name[len - 1] = '\0';
}

/* the same of the event's extra register */
static void name_extra(struct naming *n)
{
	const struct bpmu_extra *extra = bpmu_extra_of(n->pmu->part, n->slot->select);
	size_t len = strlen(n->name);

	if (n->slot->unit == BPMU_UNIT_CORE && n->slot->filter && extra &&
	    len < sizeof(n->name))
		snprintf(n->name + len, sizeof(n->name) - len, ":%s=0x%llx",
			 bpmu_extra_name(extra->id), n->slot->filter);
}

/* the name alone first: it may say itself what the filter holds */
static bool try(struct naming *n, const char *name, bool filter)
{
	u64 levels = n->slot->select & LEVELS;
	const char *suffix = "";

	if (levels == BPMU_SEL_USR)
		suffix = ":u";
	else if (levels == BPMU_SEL_OS)
		suffix = ":k";
	snprintf(n->name, sizeof(n->name), "%s%s", name, suffix);
	if (filter)
		add_filter(n);
	return means(n);
}

static bool try_raw(struct naming *n)
{
	char raw[32];

	if (n->slot->unit != BPMU_UNIT_CORE)
		return false;
	snprintf(raw, sizeof(raw), "r%llx", n->slot->select & ~LEVELS);
	return try(n, raw, false) || (name_extra(n), means(n));
}

static bool attach_could_be(const struct naming *n, const struct bpmu_event *row)
{
	const struct bpmu_sched_slot *slot = n->slot;

	return row->unit == slot->unit &&
	       !((row->select ^ slot->select) & ~LEVELS);
}

static bool try_rows(struct naming *n, const struct bpmu_event *rows, size_t nr,
		     bool filter)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (attach_could_be(n, &rows[i]) && try(n, rows[i].name, filter))
			return true;
	return false;
}

/* perf's names first: they are the same on all parts */
static bool find_name(struct naming *n)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	aliases = bpmu_event_aliases(n->pmu->part, &nr);
	for (i = nr; i--; )
		if (try(n, aliases[i].name, false))
			return true;
	rows = bpmu_cache_events(n->pmu->part, &nr);
	if (try_rows(n, rows, nr, false))
		return true;
	if (bpmu_free_at(n->slot->counter)) {
		rows = bpmu_free_events(&nr);
		return try(n, rows[n->slot->counter - BPMU_COUNTER_FREE].name, false);
	}
	rows = bpmu_events(n->pmu->part, &nr);
	return try_rows(n, rows, nr, false) || try_rows(n, rows, nr, true) || try_raw(n);
}

/* a slot that has no name, as typed by people, has an empty one */
static int name_slot(struct naming *n, struct bpmu_error *err)
{
	n->slot->text = strdup(find_name(n) ? n->name : "");
	return n->slot->text ? 0 :
		bpmu_error_no_memory(err, "session");
}

static int attach_groups_unknown(u32 counter, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EPROTO,
		"session: uses counter %u, which this tool does not know; do module and tool belong together?",
		counter);
}

static int place_slot(struct naming *n, struct bpmu_error *err)
{
	struct bpmu_sched_slot *slot = n->slot;
	struct bpmu_place place;

	const struct bpmu_free *reg = bpmu_free_at(slot->counter);

	if (reg) {
		slot->unit = reg->unit;
		slot->counters = BPMU_BIT(slot->counter - BPMU_FREE_BASE);
	} else if (slot->counter < BPMU_UNCORE_BASE) {
		slot->unit = BPMU_UNIT_CORE;
		slot->counters = BPMU_BIT(slot->counter);
	} else if (bpmu_uncore_place(n->pmu, slot->counter, &place)) {
		slot->unit = place.box->unit;
		slot->counters = BPMU_BIT(place.index);
	} else {
		return attach_groups_unknown(slot->counter, err);
	}
	return name_slot(n, err);
}

/* whoever has PERF_METRICS on a counter has all of its fields */
static int add_fields(struct naming *n, struct bpmu_sched *sched,
		      struct bpmu_error *err)
{
	struct bpmu_sched_slot first = *n->slot;
	unsigned int field;
	int code = 0;

	sched->nr--;
	for (field = 0; field < n->pmu->metrics && !code; field++) {
		if (sched->nr == BPMU_MAX_COUNTERS)
			break;
		n->slot = &sched->slot[sched->nr++];
		*n->slot = first;
		n->slot->field = field;
		n->slot->select = (first.select & ~BPMU_METRICS_FIELD) |
				  (u64)field << BPMU_SEL_UMASK_SHIFT;
		code = place_slot(n, err);
	}
	return code;
}

static int attach_groups_take_group(struct bpmu_sched *sched, const struct bpmu_sched *plan,
				    struct naming *n, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	sched->side = plan->side;
	sched->values = plan->values;
	for (i = 0; i < plan->nr && !code; i++) {
		if (sched->nr == BPMU_MAX_COUNTERS)
			break;
		n->slot = &sched->slot[sched->nr++];
		*n->slot = plan->slot[i];
		if (n->slot->counter == BPMU_METRICS_COUNTER)
			code = add_fields(n, sched, err);
		else
			code = place_slot(n, err);
	}
	return code;
}

/**
 * bpmu_attach_groups() - groups of a plan, with units and names
 * @groups: zeroed; what was made is in it on an error too
 * @plan: as the module tells it
 * @pmu: of its CPUs
 * @smt: cores run more than one thread
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_attach_groups(struct bpmu_groups *groups,
		       const struct bpmu_client_plan *plan,
		       const struct bpmu_pmu *pmu, int smt,
		       struct bpmu_error *err)
{
	struct naming n = { .pmu = pmu, .smt = smt };
	struct bpmu_group *group;
	int code = 0;

	groups->pmu = pmu;
	groups->rules = bpmu_sched_no_rules;
	groups->group = calloc(plan->nr_groups, sizeof(*groups->group));
	if (!groups->group)
		return bpmu_error_no_memory(err, "session");
	while (groups->nr < plan->nr_groups && !code) {
		group = &groups->group[groups->nr];
		group->first = groups->slots;
		code = attach_groups_take_group(&group->sched, &plan->group[groups->nr++],
						&n, err);
		groups->slots += group->sched.nr;
		groups->nr_of[group->sched.side]++;
	}
	return code;
}
