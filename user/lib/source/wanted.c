// SPDX-License-Identifier: GPL-2.0
#include "wanted.h"

#include <stdlib.h>
#include <string.h>

#include "arbiter.h"

/**
 * bpmu_wanted_add() - add the argument of -e
 * @wanted: zeroed before the first
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

/**
 * bpmu_wanted_schedule() - parse the events and schedule them on counters
 * @wanted: requested events; BPMU_WANTED_DEFAULT without -e
 * @target: opened
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
 * bpmu_wanted_free() - free requested events
 * @wanted: zeroed or filled in
 */
void bpmu_wanted_free(struct bpmu_wanted *wanted)
{
	bpmu_groups_free(&wanted->groups);
	bpmu_event_list_free(&wanted->events);
	free(wanted->text);
}
