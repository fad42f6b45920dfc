/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the interrupts by events while a recording was made, summed by function, task or the like.
 * The share of a function is the fraction of the interrupts that interrupted it.
 */
#ifndef BPMU_SHARE_SET_H
#define BPMU_SHARE_SET_H

#include "replay/report_replay.h"

/**
 * struct bpmu_share_set - interrupts by some events of a recording, summed by function or the like
 * @name: name of the recording's file
 * @event: the events that interrupted, with the sums, [@nr]
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
