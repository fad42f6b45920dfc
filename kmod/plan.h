/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a session is to do: the configuration in the module's own terms.
 */
#ifndef BPMU_PLAN_H
#define BPMU_PLAN_H

#include <linux/barepmu.h>
#include <linux/cpumask.h>
#include <linux/types.h>

#include "arch.h"

/* enough for every part: SDM Vol. 3, CPUID leaf 0xA; checked in the probe */
#define BPMU_MAX_GP 16
#define BPMU_MAX_FIXED 4

/* a hybrid part has two kinds of cores */
#define BPMU_KINDS 2

/* threads of a core that need counters of their own: the second one too */
#define BPMU_THREADS 2

/**
 * struct bpmu_plan_event - one event on one counter
 * @counter: the counter's number
 * @sibling: its number on the second thread of a core
 * @select: a legal select value
 */
struct bpmu_plan_event {
	u32 counter;
	u32 sibling;
	u64 select;
};

/**
 * struct bpmu_setup - a core group as register values
 * @select: event select of each general counter, 0 for those not used
 * @fixed_ctrl: control of the fixed counters
 * @enable: counters used, as IA32_PERF_GLOBAL_CTRL wants them
 * @index: for each event how its counter is read
 * @metrics: PERF_METRICS is among the events
 */
struct bpmu_setup {
	u64 select[BPMU_MAX_GP];
	u64 fixed_ctrl;
	u64 enable;
	u32 index[BPMU_MAX_COUNTERS];
	bool metrics;
};

/**
 * struct bpmu_plan_group - events that count at the same time
 * @nr: number of events
 * @event: the events, in the order of the record's values
 * @setup: for the first and the second thread of a core; core groups only
 */
struct bpmu_plan_group {
	u32 nr;
	struct bpmu_plan_event event[BPMU_MAX_COUNTERS];
	struct bpmu_setup setup[BPMU_THREADS];
};

/**
 * struct bpmu_plan_groups - groups that take turns
 * @nr: number of groups
 * @group: the groups
 */
struct bpmu_plan_groups {
	u32 nr;
	struct bpmu_plan_group *group;
};

/**
 * struct bpmu_plan_kind - CPUs that are alike
 * @pmu: their counters
 * @core: groups on the counters of each of them
 */
struct bpmu_plan_kind {
	const struct bpmu_pmu *pmu;
	struct bpmu_plan_groups core;
};

/**
 * struct bpmu_plan - a whole configuration
 * @cpus: CPUs to measure, all online when it was made
 * @kind: kinds of them, the first CPU's first; all have core groups or none has
 * @nr_kinds: how many, more than one only on a hybrid part
 * @uncore: groups on the counters of each package
 * @number: of this plan in its session, 0 for the first
 * @run: each CONFIGURE and each START has a number of its own
 * @interval_ns: nanoseconds between samples, 0 for the counting mode
 * @tick: samples ride the timer tick and let an idle CPU sleep
 * @prefetchers: switch the cores' prefetchers
 * @prefetch: bits of BPMU_MSR_PREFETCH of those that are to be off
 * @top: at START core counters begin so much below their wrap, or 0
 * @check: set of &enum bpmu_check
 * @who: each sample says who was interrupted
 * @buffer_samples: samples held per CPU
 * @watermark: samples in a buffer at which readers are told
 */
struct bpmu_plan {
	cpumask_var_t cpus;
	struct bpmu_plan_kind kind[BPMU_KINDS];
	u32 nr_kinds;
	struct bpmu_plan_groups uncore;
	u32 number;
	u32 run;
	u64 interval_ns;
	bool tick;
	bool prefetchers;
	u32 prefetch;
	u32 top;
	u32 check;
	bool who;
	u32 buffer_samples;
	u32 watermark;
};

struct bpmu_plan *bpmu_plan_alloc(void);
void bpmu_plan_free(struct bpmu_plan *plan);
struct bpmu_plan_group *bpmu_plan_add(struct bpmu_plan_groups *groups);
const struct bpmu_plan_kind *bpmu_plan_kind_of(const struct bpmu_plan *plan,
					       unsigned int cpu);
u32 bpmu_plan_record_size(const struct bpmu_plan *plan);
u64 bpmu_plan_guard_ns(const struct bpmu_plan *plan);

#endif /* BPMU_PLAN_H */
