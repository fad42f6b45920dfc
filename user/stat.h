/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu stat" counts and how it is printed.
 */
#ifndef BPMU_STAT_H
#define BPMU_STAT_H

#include <stdio.h>

#include "measure.h"
#include "options.h"
#include "target.h"
#include "wanted.h"

/**
 * struct bpmu_stat - a call of the command
 * @options: shared ones
 * @target: what it measures on
 * @wanted: what was asked for
 * @per_cpu: a row for each CPU
 * @out: where results go
 * @lost: samples lost so far
 * @spent: TSC ticks spent in taking samples so far, over all CPUs
 * @enabled: TSC ticks that they ran
 * @disturbed: a register was written by someone else
 */
struct bpmu_stat {
	struct bpmu_options options;
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	bool per_cpu;
	FILE *out;
	u64 lost;
	u64 spent;
	u64 enabled;
	bool disturbed;
};

void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval);

#endif /* BPMU_STAT_H */
