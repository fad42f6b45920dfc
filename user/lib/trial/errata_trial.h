/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trial: a loop of known length on one CPU, counted by chosen counters.
 */
#ifndef BPMU_ERRATA_TRIAL_H
#define BPMU_ERRATA_TRIAL_H

#include <stdbool.h>

#include "client/client.h"
#include "errata_bench.h"

/**
 * struct bpmu_trial - how to count
 * @client: open
 * @info: of the module, of the CPU's counters
 * @cpu: where the loop runs; the caller runs there too
 * @sibling: the other thread of its core, if it is counted too, else -1
 * @config: the rest of the configuration
 * @arena: where the loops are in it
 * @groups: of one group; which counters count what
 * @group: this group
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
 * struct bpmu_trial_counts - what was counted
 * @own: on the loop's CPU, by slot
 * @other: on its sibling
 * @first: what the counters of the loop's CPU held before, by slot
 * @last: what they held afterwards
 * @ticks: TSC ticks between the two
 * @interrupts: that the CPU took meanwhile
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
