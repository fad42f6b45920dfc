/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu stat" counts and how it is printed.
 */
#ifndef BPMU_STAT_H
#define BPMU_STAT_H

#include <stdio.h>

#include "event.h"
#include "measure.h"
#include "options.h"
#include "target.h"

/**
 * struct bpmu_stat - a call of the command
 * @options: shared ones
 * @target: what it measures on
 * @events: what was asked for
 * @sched: the same on counters
 * @per_cpu: a row for each CPU
 * @out: where results go
 * @lost: samples lost so far
 */
struct bpmu_stat {
	struct bpmu_options options;
	struct bpmu_target target;
	struct bpmu_event_list events;
	struct bpmu_sched sched;
	bool per_cpu;
	FILE *out;
	u64 lost;
};

void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval);

#endif /* BPMU_STAT_H */
