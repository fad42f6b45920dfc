// SPDX-License-Identifier: GPL-2.0
#include "wanted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arbiter.h"
#include "data_access.h"
#include "event/event_ibs.h"
#include "ibs.h"
#include "intel.h"
#include "precise.h"

/**
 * bpmu_wanted_add() - add the wanted events of an option -e
 * @wanted: the wanted events so far, zeroed before the first call
 * @text: events, separated by commas
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_wanted_add(struct bpmu_wanted *wanted, const char *text,
		    struct bpmu_error *err)
{
	size_t have = wanted->text ? strlen(wanted->text) + 1 : 0;
	char *joined;

	joined = realloc(wanted->text, have + strlen(text) + 1);
	if (!joined)
		return bpmu_error_no_memory(err, "-e");
	if (have)
		joined[have - 1] = ',';
	strcpy(joined + have, text);
	wanted->text = joined;
	return 0;
}

/* Sets how often a counter interrupts: the value of -c or -F. */
static void set_pace(struct bpmu_sched_slot *slot, char option, u32 value)
{
	if (option == 'F')
		slot->frequency = value;
	else
		slot->period = value;
}

/*
 * Checks that a group counts the auxiliary event of its load latencies, if these need one. Returns 0
 * or -EINVAL.
 */
static int check_aux(const struct bpmu_wanted *wanted, const struct bpmu_sched *sched,
		     struct bpmu_error *err)
{
	const struct bpmu_part *part = wanted->groups.pmu->part;
	const struct bpmu_sched_slot *slot, *needs = NULL;

	for (slot = sched->slot; slot < sched->slot + sched->nr; slot++) {
		if (slot->counter >= BPMU_FIXED_BASE)
			continue;
		if (bpmu_data_access_is_aux(slot->select))
			return 0;
		if (slot->data && bpmu_data_access_needs_aux(part, slot->select))
			needs = slot;
	}
	if (!needs)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-%c: '%s' needs LD_BLOCKS.STORE_FORWARD beside it on %s, or the source of the data is not known; add it with the period 0: -e %s,LD_BLOCKS.STORE_FORWARD -%c N,0",
		wanted->periods.option, needs->text, part->name, needs->text,
		wanted->periods.option);
}

/*
 * Sets the period or the frequency with which the counter of an event interrupts. Returns -EINVAL
 * if the event cannot interrupt.
 */
static int let_interrupt(struct bpmu_wanted *wanted, const struct bpmu_event_spec *spec,
			 u32 value, struct bpmu_error *err)
{
	const struct bpmu_group *group = bpmu_groups_find(&wanted->groups, spec);
	const struct bpmu_pmu *pmu = wanted->groups.pmu;
	char option = wanted->periods.option;
	struct bpmu_sched_slot *slot;
	struct bpmu_sched *sched;
	struct bpmu_slots slots;

	sched = &wanted->groups.group[group - wanted->groups.group].sched;
	bpmu_groups_slots(&wanted->groups, group - wanted->groups.group, spec, &slots);
	if (sched->bank != BPMU_BANK_CORE || slots.nr != 1)
		return bpmu_error_set(err, -EINVAL,
			"-%c: '%s' is not one event of a core, only such interrupt; give it the %s 0, which counts it: -%c %s,0",
			option, spec->text, option == 'F' ? "frequency" : "period", option,
			option == 'F' ? "HZ" : "PERIOD");
	slot = &sched->slot[slots.slot[0]];
	set_pace(slot, option, value);
	slot->precise = bpmu_event_is_precise(spec->text) && !bpmu_event_is_ibs(spec->text);
	slot->data = bpmu_pmu_has_store(pmu) && bpmu_precise_has_data(pmu->part, slot);
	return 0;
}

/* Returns the period or frequency of event @i of -e, 0 if it does not interrupt. */
static u32 period_of(const struct bpmu_wanted *wanted, unsigned int i)
{
	const struct bpmu_periods *periods = &wanted->periods;

	return periods->of[periods->nr == 1 ? 0 : i];
}

/*
 * Checks that the CPU model has IBS for an event of it. Lets IBS sample precise events on AMD's
 * parts. Returns 0, or a negative errno.
 */
static int choose_samplers(struct bpmu_wanted *wanted, const struct bpmu_target *target,
			   struct bpmu_error *err)
{
	const struct bpmu_info *info = &target->info;
	struct bpmu_event_spec *spec = wanted->events.spec;
	unsigned int i;
	int code = 0;

	for (i = 0; i < wanted->events.nr && !code; i++, spec++) {
		if (!period_of(wanted, i))
			continue;
		if (bpmu_event_is_precise(spec->text))
			code = bpmu_precise_choose(&info->pmu, spec, err);
		if (!code && bpmu_event_is_ibs(spec->text) && !info->pmu.ibs)
			return bpmu_error_set(err, -EOPNOTSUPP,
				"-%c: event '%s': this CPU has no IBS, or a hypervisor hides it; sample another event without p, or by time, with --who",
				wanted->periods.option, spec->text);
		if (!code && bpmu_event_is_fetch(spec->text) &&
		    !(info->pmu.ibs & BPMU_IBS_FETCHES))
			return bpmu_error_set(err, -EOPNOTSUPP,
				"-%c: event '%s': IBS of this CPU samples no fetches, or a hypervisor hides it; sample ops, by ibs_op",
				wanted->periods.option, spec->text);
	}
	return code;
}

static int check_periods(const struct bpmu_wanted *wanted, struct bpmu_error *err)
{
	const struct bpmu_periods *periods = &wanted->periods;

	if (periods->nr < 2 || periods->nr == wanted->events.nr)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-%c: %u %s for %u events of -e; give one for all, or one for each",
		periods->option, periods->nr,
		periods->option == 'F' ? "frequencies" : "periods", wanted->events.nr);
}

static int let_all_interrupt(struct bpmu_wanted *wanted, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < wanted->events.nr && !code; i++)
		if (period_of(wanted, i))
			code = let_interrupt(wanted, &wanted->events.spec[i],
					     period_of(wanted, i), err);
	for (i = 0; i < wanted->groups.nr && !code; i++)
		if (wanted->groups.group[i].sched.bank == BPMU_BANK_CORE)
			code = check_aux(wanted, &wanted->groups.group[i].sched, err);
	return code;
}

/**
 * bpmu_wanted_schedule() - parse the wanted events and schedule them on counters
 * @wanted: wanted events; BPMU_WANTED_DEFAULT is scheduled if there are none. Its events and groups
 *	are filled in; free it with bpmu_wanted_free(), also after an error
 * @target: open target
 *
 * Return: 0, -EOPNOTSUPP if events have to interrupt and the CPU model cannot tell which counter
 * interrupts, or another negative errno.
 */
int bpmu_wanted_schedule(struct bpmu_wanted *wanted, struct bpmu_target *target,
			 struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &target->info.pmu;
	struct bpmu_groups_wish wish = {
		.siblings = bpmu_target_has_siblings(target),
		.together = wanted->together,
		.of = bpmu_target_counted(target),
	};
	int code = bpmu_event_list_parse(pmu, target->smt, wanted->text ?: BPMU_WANTED_DEFAULT,
					 &wanted->events, err);

	if (!code && wanted->periods.nr)
		code = check_periods(wanted, err);
	if (!code && wanted->periods.nr)
		code = choose_samplers(wanted, target, err);
	if (!code)
		code = bpmu_arbiter_probe(target, &wanted->events,
					  &wish.arb_both, err);
	if (!code)
		code = bpmu_groups_make(&wanted->groups, pmu, &wanted->events, &wish, err);
	return code || !wanted->periods.nr ? code : let_all_interrupt(wanted, err);
}

/*
 * Lets cycles interrupt alone, in a group with PERF_METRICS, by precise records that have the counts
 * of all events.
 */
static int let_cycles_interrupt(const struct bpmu_periods *periods, const struct bpmu_target *target,
				struct bpmu_sched *sched, const char *metric,
				struct bpmu_error *err)
{
	struct bpmu_sched_slot *slot = sched->slot;

	while (slot < sched->slot + sched->nr && slot->counter != BPMU_FIXED_CYCLES)
		slot++;
	if (!bpmu_info_has_counts(&target->info) || slot == sched->slot + sched->nr)
		return bpmu_error_set(err, -EINVAL,
			"-%c: this part counts '%s' in PERF_METRICS, which does not interrupt, and writes no precise records that have it; record events with -e",
			periods->option, metric);
	slot->precise = true;
	slot->text = "cycles:pp";
	set_pace(slot, periods->option, periods->of[0]);
	return 0;
}

/* Returns the slot of PERF_METRICS in the first group of a tree, or NULL if it has none. */
static const struct bpmu_sched_slot *perf_metrics_of(const struct bpmu_groups *groups)
{
	const struct bpmu_sched *sched = &groups->group[0].sched;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].counter == BPMU_METRICS_COUNTER)
			return &sched->slot[i];
	return NULL;
}

/**
 * bpmu_wanted_interrupt_all() - let all events of a tree's groups interrupt at the wanted periods
 * @periods: the period or frequency of all events; nothing is done if there is none
 * @target: open target
 * @groups: groups of the tree, whose slots get the period. If PERF_METRICS is among them, only
 *	cycles interrupt, and each interrupt has the counts of all events
 *
 * Return: 0, or -EINVAL if there are several periods, the events do not fit on the counters at once,
 * or one cannot interrupt.
 */
int bpmu_wanted_interrupt_all(const struct bpmu_periods *periods, const struct bpmu_target *target,
			      struct bpmu_groups *groups, struct bpmu_error *err)
{
	struct bpmu_sched *sched = &groups->group[0].sched;
	const struct bpmu_sched_slot *metrics;
	unsigned int g, i;

	if (!periods->nr)
		return 0;
	if (periods->nr > 1)
		return bpmu_error_set(err, -EINVAL,
			"-%c: all events of a tree interrupt alike; give one %s", periods->option,
			periods->option == 'F' ? "frequency" : "period");
	for (g = 0; g < groups->nr; g++)
		if (groups->group[g].sched.bank != BPMU_BANK_CORE)
			return bpmu_error_set(err, -EINVAL,
				"-%c: '%s' is not counted by a core, and only its counters interrupt; record a lower level",
				periods->option, groups->group[g].sched.slot->text);
	if (groups->nr != 1)
		return bpmu_error_set(err, -EINVAL,
			"-%c: the events of this level do not fit on the core's counters at once, and events that interrupt are not multiplexed; record a lower level",
			periods->option);
	metrics = perf_metrics_of(groups);
	if (metrics)
		return let_cycles_interrupt(periods, target, sched, metrics->text, err);
	for (i = 0; i < sched->nr; i++)
		set_pace(&sched->slot[i], periods->option, periods->of[0]);
	return 0;
}

/**
 * bpmu_wanted_interrupt_like() - let a core type interrupt as the other one of a hybrid machine does
 * @periods: the period or frequency of all events; nothing is done if there is none
 * @target: open target of the core type
 * @groups: groups of its tree, after bpmu_wanted_interrupt_all()
 * @other: groups of the other core type's tree, after that too. If PERF_METRICS is among them, only
 *	cycles interrupt on both: either all interrupts of a session have the counts of all events,
 *	or none
 *
 * Return: 0, or -EINVAL if precise records of the core type cannot have all counts.
 */
int bpmu_wanted_interrupt_like(const struct bpmu_periods *periods, const struct bpmu_target *target,
			       struct bpmu_groups *groups, const struct bpmu_groups *other,
			       struct bpmu_error *err)
{
	struct bpmu_sched *sched = &groups->group[0].sched;
	u64 held = bpmu_pmu_held(&target->info.pmu);
	struct bpmu_sched_slot *slot;

	if (!periods->nr || !perf_metrics_of(other) || perf_metrics_of(groups))
		return 0;
	for (slot = sched->slot; slot < sched->slot + sched->nr; slot++) {
		if (~held & (BPMU_BIT(slot->counter) | BPMU_BIT(slot->sibling)))
			return bpmu_error_set(err, -EINVAL,
				"-%c: the core types do not interrupt alike: precise records of CPU %s lack the counter of '%s'; choose one core type with -C",
				periods->option, target->cpus_text, slot->text);
		set_pace(slot, periods->option, 0);
	}
	return let_cycles_interrupt(periods, target, sched, sched->slot->text, err);
}

/**
 * bpmu_wanted_free() - free the wanted events
 * @wanted: the wanted events, or zeroed
 */
void bpmu_wanted_free(struct bpmu_wanted *wanted)
{
	bpmu_groups_free(&wanted->groups);
	bpmu_event_list_free(&wanted->events);
	free(wanted->text);
}
