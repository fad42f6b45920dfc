// SPDX-License-Identifier: GPL-2.0
#include "arbiter.h"

#include <string.h>

#include "intel.h"
#include "live.h"
#include "measure.h"

/*
 * Duration in ns of the session that tries both counters of the uncore's arbiter: long enough for
 * some memory requests
 */
#define PROBE_NS 20000000ULL

/* event that is counted on both counters of the arbiter: cycles with an outstanding request */
#define ANY_REQUEST "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST"

/**
 * struct probe - counts of the same event on both counters of the arbiter
 * @groups: a single group, which has the event on both counters
 * @counted: counts of both counters, each summed over all packages
 */
struct probe {
	struct bpmu_groups groups;
	u64 counted[2];
};

/*
 * Checks if the events need both counters of the arbiter. They do if two or more of them are
 * occupancy events with a counter mask, since counter 0 can count only one event at a time.
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

/*
 * Checks if @part is a CPU model for which sources disagree about counter 1 of the arbiter: Sandy
 * Bridge or Ivy Bridge.
 */
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

/*
 * Lets both counters of the arbiter count the only event of @groups. The scheduler has given the
 * event a single counter.
 */
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
 * @target: open target without a session
 * @events: events to be counted; counter 1 is tried only if two or more of them are occupancy
 *	events with a counter mask
 * @both: set to true if counter 1 counted as much as counter 0, and more than 0
 *
 * Trying counter 1 takes a session of 20 ms. For a recording, @both is what was found out when it
 * was recorded.
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
