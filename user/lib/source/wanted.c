// SPDX-License-Identifier: GPL-2.0
#include "wanted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arbiter.h"
#include "live.h"

/**
 * bpmu_wanted_add() - add the argument of -e
 * @wanted: zeroed before the first
 * @text: events with commas
 * @err: filled on an error
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

/**
 * bpmu_wanted_schedule() - understand the events and put them on counters
 * @wanted: with or without -e
 * @target: opened
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
 */
int bpmu_wanted_schedule(struct bpmu_wanted *wanted, struct bpmu_target *target,
		     struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &target->info.pmu;
	struct bpmu_groups_wish wish = {
		.siblings = bpmu_target_has_siblings(target),
		.together = wanted->together,
	};
	int code;

	code = bpmu_event_list_parse(pmu, target->smt,
				     wanted->text ?: BPMU_WANTED_DEFAULT,
				     &wanted->events, err);
	if (!code)
		code = bpmu_arbiter_probe(target, &wanted->events,
					  &wish.arb_both, err);
	if (code)
		return code;
	return bpmu_groups_make(&wanted->groups, pmu, &wanted->events, &wish,
				err);
}

/**
 * bpmu_wanted_try() - does the module take the counters of events now
 * @target: opened, of the machine and not of a recording, without a session
 * @text: events with commas
 * @take_over: counters that are enabled already are taken all the same
 * @err: filled with the reason if it does not
 *
 * A session of its own takes the counters and gives them back.
 *
 * Return: 0 or a negative errno; -EADDRINUSE if a driver or another program uses counters
 * outside the core.
 */
int bpmu_wanted_try(struct bpmu_target *target, const char *text,
		    bool take_over, struct bpmu_error *err)
{
	struct bpmu_wanted wanted = { .text = NULL };
	const struct bpmu_measure m = {
		.client = target->client,
		.info = &target->info,
		.cpus = target->cpus.cpu,
		.nr_cpus = target->cpus.nr,
		.groups = { &wanted.groups },
		.take_over = take_over,
	};
	int code;

	code = bpmu_wanted_add(&wanted, text, err);
	if (!code)
		code = bpmu_wanted_schedule(&wanted, target, err);
	if (!code)
		code = bpmu_live_configure(&m, err);
	if (!code)
		code = bpmu_client_release(target->client, err);
	bpmu_wanted_free(&wanted);
	return code;
}

/**
 * bpmu_wanted_free() - free all of it
 * @wanted: in any state
 */
void bpmu_wanted_free(struct bpmu_wanted *wanted)
{
	bpmu_groups_free(&wanted->groups);
	bpmu_event_list_free(&wanted->events);
	free(wanted->text);
}
