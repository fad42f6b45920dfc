/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trial executes a loop on one CPU, and counts the loop's events on counters that the caller
 * chooses. The correct counts of the loop are known.
 */
#ifndef BPMU_ERRATA_TRIAL_H
#define BPMU_ERRATA_TRIAL_H

#include <stdbool.h>

#include "client/client.h"
#include "errata_bench.h"

/**
 * struct bpmu_trial - configuration of a trial, a loop whose events are counted
 * @client: open connection to the module
 * @info: what the module tells about itself and about the counters of @cpu
 * @cpu: number of the CPU on which the loop runs
 * @sibling: number of the other logical CPU on the core of @cpu if events are counted there, too;
 *	else -1
 * @config: configuration of the session; CPUs and groups are set by bpmu_trial_begin()
 * @arena: address in the memory of bpmu_bench_arena() at which the next run of a loop that chases
 *	pointers begins
 * @groups: the groups of the session, which are only @group
 * @group: events, and the counters that count them
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

/* most records of interrupts that are kept of a run; further records are dropped */
#define BPMU_TRIAL_RECORDS 128

/**
 * struct bpmu_trial_record - an overflow interrupt during a trial's loop
 * @period: number of events counted since the interrupt before it, or since the start of the run
 * @ip: address of the interrupted instruction or, if the event is precise, of the instruction that
 *	the CPU has recorded
 * @slot: index of the event in the trial
 */
struct bpmu_trial_record {
	u64 period;
	u64 ip;
	unsigned int slot;
};

/**
 * struct bpmu_trial_counts - counts of one run of a trial's loop
 * @own: counts on the CPU that runs the loop, [slot]. A slot is the index of an event in the trial
 * @other: counts on the sibling of this CPU, [slot]
 * @first: counter values before the loop on the CPU that runs the loop, [slot]
 * @last: counter values after the loop on the CPU that runs the loop, [slot]
 * @ticks: TSC ticks between reading @first and reading @last
 * @interrupts: number of interrupts during the run on the CPU that runs the loop
 * @record: overflow interrupts of that CPU, in their order, [@nr_records]
 * @nr_records: number of overflow interrupts, at most BPMU_TRIAL_RECORDS
 */
struct bpmu_trial_counts {
	u64 own[BPMU_MAX_COUNTERS];
	u64 other[BPMU_MAX_COUNTERS];
	u64 first[BPMU_MAX_COUNTERS];
	u64 last[BPMU_MAX_COUNTERS];
	u64 ticks;
	u64 interrupts;
	struct bpmu_trial_record record[BPMU_TRIAL_RECORDS];
	unsigned int nr_records;
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
