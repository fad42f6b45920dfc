// SPDX-License-Identifier: GPL-2.0
#include "share_set.h"

#include <stdlib.h>

/*
 * Finds the events whose interrupts are read: the event with the text @event or, if @event is NULL,
 * all events that interrupted.
 */
static int share_set_choose(struct bpmu_share_set *set, const struct bpmu_replay *replay,
			    const char *event, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = set->target.recorded;

	if (event || !bpmu_replay_interrupting(about, 0)) {
		set->nr = 1;
		return bpmu_replay_choose(replay, about, event, &set->event->shares.slot, err);
	}
	while ((set->event[set->nr].shares.slot = bpmu_replay_interrupting(about, set->nr)))
		set->nr++;
	return 0;
}

/**
 * bpmu_share_set_read() - read a set of shares: a recording's interrupts, by function or the like
 * @set: filled in; to be freed with bpmu_share_set_free(), on an error too
 * @replay: open recording, at its start; &bpmu_replay.by is the key by which interrupts are summed,
 *	such as the function. The recording must stay open as long as @set is used
 * @event: text of the event, NULL for all events that interrupted
 * @cpus: argument of -C, or NULL
 *
 * Return: what bpmu_replay_shares() returns, or -EINVAL if @event did not interrupt.
 */
int bpmu_share_set_read(struct bpmu_share_set *set, struct bpmu_replay *replay, const char *event,
			const char *cpus, struct bpmu_error *err)
{
	int code;

	*set = (struct bpmu_share_set){ .name = replay->name };
	set->event = calloc(BPMU_MAX_COUNTERS + 1, sizeof(*set->event));
	if (!set->event)
		return bpmu_error_no_memory(err, replay->name);
	code = bpmu_replay_target(replay, &set->target, cpus, err);
	if (!code)
		code = share_set_choose(set, replay, event, err);
	if (!code)
		code = bpmu_replay_shares(replay, &set->target, set->event, set->nr, err);
	return code;
}

void bpmu_share_set_free(struct bpmu_share_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		bpmu_by_free(&set->event[i].by);
	free(set->event);
	bpmu_target_close(&set->target);
	*set = (struct bpmu_share_set){ };
}
