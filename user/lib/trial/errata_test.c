// SPDX-License-Identifier: GPL-2.0
#include "errata_test.h"

#include <stdio.h>

#include "event/event_name.h"
#include "intel.h"

/**
 * bpmu_errata_add() - one more test
 * @check: the call
 * @what: it tells
 * @slot: of the trial's group, the count that is tested
 * @per: what its deviation is divided by, for people
 *
 * Return: the test, without a trial.
 */
struct bpmu_errata_test *bpmu_errata_add(struct bpmu_errata_check *check,
					 enum bpmu_erratum_sign what,
					 unsigned int slot, const char *per)
{
	const struct bpmu_sched_slot *of = &check->trial.group.sched.slot[slot];
	struct bpmu_errata_test *test = &check->test[check->nr++];

	*test = (struct bpmu_errata_test){
		.what = what,
		.event = of->text,
		.counter = of->counter,
		.per = per,
	};
	return test;
}

/**
 * bpmu_errata_add_all() - one more test for each count of the trial's group
 * @check: the call
 * @what: they tell
 * @per: what their deviations are divided by, for people
 *
 * Return: the first; the others follow in the order of the slots.
 */
struct bpmu_errata_test *bpmu_errata_add_all(struct bpmu_errata_check *check,
					     enum bpmu_erratum_sign what,
					     const char *per)
{
	struct bpmu_errata_test *first = &check->test[check->nr];
	unsigned int i;

	for (i = 0; i < check->trial.group.sched.nr; i++)
		bpmu_errata_add(check, what, i, per);
	return first;
}

/**
 * bpmu_errata_skip() - something cannot be tested here
 * @check: the call
 * @why: "<what>: <why>", a constant sentence
 */
void bpmu_errata_skip(struct bpmu_errata_check *check, const char *why)
{
	if (check->nr_skips < BPMU_ERRATA_SKIPS)
		check->skip[check->nr_skips++] = why;
}

/**
 * bpmu_errata_event() - an event in user space
 * @check: the call
 * @names: of it, what the parts call it; NULL ends them
 * @select: set to its event select
 * @counters: set to the counters that can hold it
 * @name: set to its name here
 *
 * Return: whether this part has it.
 */
bool bpmu_errata_event(const struct bpmu_errata_check *check,
		       const char *const *names, u64 *select, u64 *counters,
		       const char **name)
{
	const struct bpmu_pmu *pmu = &check->trial.info->pmu;
	const struct bpmu_event *row = NULL;
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	char text[128];

	for (; *names && !row; names++)
		row = bpmu_event_row(pmu->part, *names);
	if (!row)
		return false;
	snprintf(text, sizeof(text), "%s:u", row->name);
	if (bpmu_event_parse(pmu, check->smt, text, &spec, &ignored))
		return false;
	*select = spec.term[0].select;
	*counters = spec.term[0].counters;
	*name = row->name;
	bpmu_event_free(&spec);
	return true;
}

static u64 used(const struct bpmu_sched *sched)
{
	u64 set = 0;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		set |= BPMU_BIT(sched->slot[i].counter);
	return set;
}

/**
 * bpmu_errata_count() - let the trial count one more event, where it can
 * @check: the call
 * @names: of the event, what the parts call it; NULL ends them
 *
 * Return: whether it does.
 */
bool bpmu_errata_count(struct bpmu_errata_check *check,
		       const char *const *names)
{
	struct bpmu_trial *trial = &check->trial;
	u64 select, counters;
	const char *name;
	u32 counter;

	if (trial->group.sched.nr == BPMU_MAX_COUNTERS ||
	    !bpmu_errata_event(check, names, &select, &counters, &name))
		return false;
	counters &= ~used(&trial->group.sched);
	if (!counters)
		return false;
	counter = __builtin_ctzll(counters);
	bpmu_trial_count(trial, name, select, counter, counter);
	return true;
}

/**
 * bpmu_errata_count_instructions() - let the trial count on all counters
 * @check: the call
 */
void bpmu_errata_count_instructions(struct bpmu_errata_check *check)
{
	static const char *const fixed[] = { "instructions", NULL };
	static const char *const general[] = {
		"INST_RETIRED.ANY_P", "instructions", NULL
	};

	while (bpmu_errata_count(check, general))
		;
	while (bpmu_errata_count(check, fixed))
		;
}
