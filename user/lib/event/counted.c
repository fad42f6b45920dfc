// SPDX-License-Identifier: GPL-2.0
#include "counted.h"

#include <errno.h>

#include "event_counters.h"

static bool on_fixed(const struct bpmu_sched_slot *slot)
{
	return slot->unit == BPMU_UNIT_CORE &&
	       slot->counters >> BPMU_FIXED_BASE;
}

/*
 * Checks if the slots (counters) of two groups count the same event. General-purpose counters may
 * differ. Fixed counters must be the same, because the event select of a fixed counter does not
 * tell the event.
 */
static bool counted_alike(const struct bpmu_sched_slot *a,
			  const struct bpmu_sched_slot *b)
{
	return a->select == b->select && a->unit == b->unit &&
	       a->field == b->field &&
	       (a->counters == b->counters || (!on_fixed(a) && !on_fixed(b)));
}

/*
 * Returns the event select with which a general-purpose counter can count what @slot (a counter of
 * a group and its event) counts; 0 if only a fixed counter can count the event.
 */
static u64 general(const struct bpmu_part *part,
		   const struct bpmu_sched_slot *slot)
{
	const struct bpmu_event *row;

	if (!on_fixed(slot))
		return slot->select;
	row = bpmu_event_general(part, slot->counters);
	return row ? row->select | slot->select : 0;
}

/*
 * Checks if the slots (counters) of two groups count one event, one with a fixed and the other with
 * a general-purpose counter.
 */
static bool counted_twins(const struct bpmu_part *part,
			  const struct bpmu_sched_slot *a,
			  const struct bpmu_sched_slot *b)
{
	return on_fixed(a) != on_fixed(b) && a->unit == b->unit &&
	       general(part, a) == general(part, b);
}

/**
 * bpmu_counted_slot() - find the counter of a counted group that counted what another group counts
 * @part: descriptor of the CPU model
 * @counted: a group that was counted
 * @wanted: another group with the same kind of counters, whose counts are wanted
 * @slot: index of a slot in @wanted (a counter and its event); an event of an uncore unit with
 *	several boxes (instances) has a slot per box
 *
 * Return: index of the slot in @counted that counts the same, or -1 if @counted has no such slot.
 */
int bpmu_counted_slot(const struct bpmu_part *part, const struct bpmu_sched *counted,
		      const struct bpmu_sched *wanted, unsigned int slot)
{
	unsigned int nth = 0;
	unsigned int i;

	for (i = 0; i < slot; i++)
		nth += wanted->slot[i].counters ==
			       wanted->slot[slot].counters &&
		       counted_alike(&wanted->slot[i], &wanted->slot[slot]);
	for (i = 0; i < counted->nr; i++)
		if (counted_alike(&counted->slot[i], &wanted->slot[slot]) && !nth--)
			return i;
	for (i = 0; i < counted->nr; i++)
		if (counted_twins(part, &counted->slot[i], &wanted->slot[slot]))
			return i;
	return -1;
}

/**
 * bpmu_counted_has() - check if a group that was counted has counted a given event
 * @pmu: counters of the machine
 * @counted: a group that was counted
 * @spec: the event
 *
 * Return: true if the group has counted the event. If the event is the difference or the quotient
 * of two counts, the group must have counted both.
 */
bool bpmu_counted_has(const struct bpmu_pmu *pmu, const struct bpmu_sched *counted,
		      const struct bpmu_event_spec *spec)
{
	struct bpmu_event_spec copy = *spec;
	const struct bpmu_event_list one = { .spec = &copy, .nr = 1 };
	struct bpmu_error ignored;
	struct bpmu_sched sched;
	unsigned int i;

	if (bpmu_sched_list(pmu, &one, &sched, &ignored) ||
	    sched.bank != counted->bank)
		return false;
	for (i = 0; i < sched.nr; i++)
		if (bpmu_counted_slot(pmu->part, counted, &sched, i) < 0)
			return false;
	return true;
}

/**
 * bpmu_counted_lacks() - set the error for an event that was counted in no group
 * @pmu: counters of the machine
 * @live: true if the groups are those of another session, false if they are those of a recording
 * @event: text of the event
 *
 * Return: -ENODATA.
 */
int bpmu_counted_lacks(const struct bpmu_pmu *pmu, bool live, const char *event,
		       struct bpmu_error *err)
{
	if (live)
		return bpmu_error_set(err, -ENODATA,
			"event '%s': the session does not count it; start one that does, or leave it out",
			event);
	return bpmu_error_set(err, -ENODATA,
		"event '%s': was not recorded on %s; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists",
		event, pmu->part->name);
}
