// SPDX-License-Identifier: GPL-2.0
#include "arbiter.h"

#include <string.h>

#include "intel.h"
#include "live.h"
#include "measure.h"

/* duration of the probe in ns: long enough for some memory requests */
#define PROBE_NS 20000000ULL

/* the event that is probed: cycles with at least one outstanding request */
#define ANY_REQUEST "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST"

/**
 * struct probe - counts of the same event on both counters of the arbiter
 * @groups: a group with the event on both counters
 * @counted: sum of a slot's counts over all packages, [nr slots]
 */
struct probe {
	struct bpmu_groups groups;
	u64 counted[2];
};

/*
 * Checks if the events need both counters of the arbiter. They do if there is more than one
 * occupancy event with a counter mask, because counter 0 can count only one.
 */
static bool needs_both(const struct bpmu_event_list *events)
{
	const struct bpmu_event_term *term;
	unsigned int nr = 0;
	unsigned int i, t;

	for (i = 0; i < events->nr; i++)
		for (t = 0; t < events->spec[i].nr; t++) {
			term = &events->spec[i].term[t];
			nr += term->unit == BPMU_UNIT_ARB &&
			      term->select & BPMU_SEL_CMASK &&
			      bpmu_event_is_occupancy(term->select);
		}
	return nr > 1;
}

/* Checks if sources disagree about counter 1 of a part, so that it has to be probed. */
static bool may_have_both(const struct bpmu_part *part)
{
	return part == bpmu_part_by_name("snb") ||
	       part == bpmu_part_by_name("ivb");
}

static void arbiter_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct probe *probe = data;

	probe->counted[0] += interval->cell[0].count;
	probe->counted[1] += interval->cell[1].count;
}

/* Puts the probed event on both counters. The scheduler would put it on only one of them. */
static void count_on_both(struct bpmu_groups *groups)
{
	struct bpmu_sched *sched = &groups->group[0].sched;

	sched->slot[1] = sched->slot[0];
	sched->slot[1].counter++;
	sched->slot[1].sibling++;
	sched->slot[1].value++;
	sched->nr = 2;
	sched->values = 2;
	groups->slots = 2;
}

static int arbiter_run(struct bpmu_target *target, struct probe *probe,
		       struct bpmu_error *err)
{
	const struct bpmu_measure m = {
		.client = target->client,
		.info = &target->info,
		.cpus = target->cpus.cpu,
		.nr_cpus = 1,
		.groups = { &probe->groups },
		.timeout_ns = PROBE_NS,
		.emit = arbiter_on_interval,
		.data = probe,
	};
	int status;

	count_on_both(&probe->groups);
	return bpmu_live_run(&m, &status, err);
}

/**
 * bpmu_arbiter_probe() - find out if counter 1 of the arbiter counts occupancy
 * @target: opened, no session
 * @events: events to be counted; counter 1 is probed only if two or more of them are occupancy
 *	events with a counter mask
 * @both: set to true if counter 1 counted as much as counter 0, and more than 0
 *
 * Takes 20 ms in a separate session on the first CPU's package.
 */
int bpmu_arbiter_probe(struct bpmu_target *target,
		       const struct bpmu_event_list *events, bool *both,
		       struct bpmu_error *err)
{
	const struct bpmu_groups_wish wish = { .together = true };
	struct bpmu_event_list list = { };
	struct probe probe = { };
	int code;

	*both = false;
	if (target->recorded) {
		*both = target->recorded->arb_both;
		return 0;
	}
	if (!may_have_both(target->info.pmu.part) || !needs_both(events))
		return 0;
	code = bpmu_event_list_parse(&target->info.pmu, target->smt,
				     ANY_REQUEST, &list, err);
	if (!code)
		code = bpmu_groups_make(&probe.groups, &target->info.pmu,
					&list, &wish, err);
	if (!code)
		code = arbiter_run(target, &probe, err);
	if (!code)
		*both = probe.counted[0] &&
			probe.counted[0] == probe.counted[1];
	bpmu_groups_free(&probe.groups);
	bpmu_event_list_free(&list);
	return code;
}
