/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the shares of all events that interrupted while a recording was made.
 */
#ifndef BPMU_SHARE_SET_H
#define BPMU_SHARE_SET_H

#include "replay/report_replay.h"

/**
 * struct bpmu_share_set - shares of some events of a recording
 * @name: name of the recording
 * @event: the events, [@nr]
 * @nr: number of events
 * @target: CPUs of the recording
 */
struct bpmu_share_set {
	const char *name;
	struct bpmu_event_shares *event;
	unsigned int nr;
	struct bpmu_target target;
};

int bpmu_share_set_read(struct bpmu_share_set *set, struct bpmu_replay *replay, const char *event,
			const char *cpus, struct bpmu_error *err);
void bpmu_share_set_free(struct bpmu_share_set *set);

#endif /* BPMU_SHARE_SET_H */
