/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a session is to do: the configuration in the module's own terms.
 */
#ifndef BPMU_PLAN_H
#define BPMU_PLAN_H

#include <linux/barepmu.h>
#include <linux/cpumask.h>
#include <linux/types.h>

/**
 * struct bpmu_plan_event - one event on one counter
 * @counter: the counter's number
 * @select: a legal select value
 */
struct bpmu_plan_event {
	u32 counter;
	u64 select;
};

/**
 * struct bpmu_plan_group - events that count at the same time
 * @nr: number of events
 * @event: the events, in the order of the record's values
 */
struct bpmu_plan_group {
	u32 nr;
	struct bpmu_plan_event event[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_plan - a whole configuration
 * @cpus: CPUs to measure, all online when it was made
 * @nr_groups: number of groups
 * @group: the groups
 * @interval_ns: nanoseconds between samples, 0 for the counting mode
 * @buffer_samples: samples held per CPU
 * @watermark: samples in a buffer at which readers are told
 */
struct bpmu_plan {
	cpumask_var_t cpus;
	u32 nr_groups;
	struct bpmu_plan_group group[BPMU_MAX_GROUPS];
	u64 interval_ns;
	u32 buffer_samples;
	u32 watermark;
};

#endif /* BPMU_PLAN_H */
