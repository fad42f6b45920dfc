/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trial for errata: executes a loop with known counts on one CPU, and counts the loop's events
 * with chosen counters.
 */
#ifndef BPMU_ERRATA_TRIAL_H
#define BPMU_ERRATA_TRIAL_H

#include <stdbool.h>

#include "client/client.h"
#include "errata_bench.h"

/**
 * struct bpmu_trial - configuration of a trial, a loop whose events are counted
 * @client: open connection to the module
 * @info: information of the module, with the counters of @cpu
 * @cpu: CPU on which the loop runs, with the calling thread
 * @sibling: the other thread of the core of @cpu if its events are counted, too; else -1
 * @config: configuration of the session; CPUs and groups are set by bpmu_trial_begin()
 * @arena: memory that the loops access, from bpmu_bench_arena()
 * @groups: groups of the session, of which @group is the only one
 * @group: events and their counters
 */
struct bpmu_trial {
	struct bpmu_client *client;
	const struct bpmu_info *info;
	u32 cpu;
	int sibling;
	struct bpmu_config config;
	void *arena;
	struct bpmu_groups groups;
	struct bpmu_group group;
};

/**
 * struct bpmu_trial_counts - counts of a trial
 * @own: counts on the loop's CPU, [slot]
 * @other: counts on the sibling of the loop's CPU, [slot]
 * @first: counter values of the loop's CPU before the loop, [slot]
 * @last: counter values of the loop's CPU after the loop, [slot]
 * @ticks: TSC ticks between @first and @last
 * @interrupts: number of interrupts on the CPU during the loop
 */
struct bpmu_trial_counts {
	u64 own[BPMU_MAX_COUNTERS];
	u64 other[BPMU_MAX_COUNTERS];
	u64 first[BPMU_MAX_COUNTERS];
	u64 last[BPMU_MAX_COUNTERS];
	u64 ticks;
	u64 interrupts;
};

int bpmu_trial_pin(u32 cpu, struct bpmu_error *err);
int bpmu_trial_settle(u32 cpu, struct bpmu_error *err);
void bpmu_trial_clear(struct bpmu_trial *trial);
void bpmu_trial_count(struct bpmu_trial *trial, const char *name, u64 select,
		      u32 counter, u32 sibling);
int bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err);
int bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench,
		   u64 rounds, bool quiet, struct bpmu_trial_counts *counts,
		   struct bpmu_error *err);
int bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err);

#endif /* BPMU_ERRATA_TRIAL_H */
