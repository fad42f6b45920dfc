/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replays a recording: emits its intervals as a live measurement would.
 */
#ifndef BPMU_REPORT_REPLAY_H
#define BPMU_REPORT_REPLAY_H

#include "recording/recording_read.h"
#include "report_by.h"
#include "source/analysis.h"
#include "source/measure.h"

/**
 * struct bpmu_replay_time - argument of --from or --to
 * @given: true if the option was given
 * @percent: true if @value is in per cent of the recording's length, false if it is in seconds
 * @value: time since the start of the recording
 */
struct bpmu_replay_time {
	bool given;
	bool percent;
	double value;
};

/*
 * Returns the address of the instruction that the thread @who has executed before that at its
 * address, by the branches before; 0 if it is not known. @symbols has the mappings of processes.
 */
typedef u64 bpmu_replay_cause_fn(void *data, const struct bpmu_by_symbols *symbols,
				 const struct bpmu_who *who, const struct bpmu_branches *branches);

/**
 * struct bpmu_replay - a recording, and the part of its time that is replayed (window)
 * @name: name of the file, for errors
 * @file: the open recording
 * @from: start of the window; if not given, that of the recording
 * @to: end of the window; if not given, that of the recording
 * @threads: number of threads that decode the CPUs' samples in parallel; 0 means one
 * @by: sums by the key of --by; unless @by.type is BPMU_BY_NOTHING, they are emitted in place of
 *	intervals
 * @warned: true if the warning that the recording was cut off has been printed
 * @cause: called for precise interrupts that have the address of the instruction after the one that
 *	caused the event, and branches: they get the address that it returns. NULL: they keep theirs
 * @cause_data: first argument of @cause
 */
struct bpmu_replay {
	const char *name;
	struct bpmu_recording_file *file;
	struct bpmu_replay_time from;
	struct bpmu_replay_time to;
	unsigned int threads;
	struct bpmu_by by;
	bool warned;
	bpmu_replay_cause_fn *cause;
	void *cause_data;
};

/**
 * struct bpmu_event_shares - interrupts by one event, summed by the key of --by
 * @by: sums of the interrupts by key, such as by interrupted function
 * @shares: totals over all keys
 */
struct bpmu_event_shares {
	struct bpmu_by by;
	struct bpmu_shares shares;
};

/**
 * struct bpmu_interrupt - an interrupt by an event, with all that is recorded of it
 * @overflow: event, time, period and interrupted task
 * @chains: call chains; NULL if they were not recorded
 * @branches: branch records; NULL if they were not recorded
 * @counts: counts of all events; NULL if they were not recorded
 * @op: the op that the CPU has sampled (IBS); NULL if there is none
 * @fetch: the fetch that the CPU has sampled (IBS); NULL if there is none
 * @retired: retire latency; NULL if it is not known
 * @caused: the address is the one that &bpmu_replay.cause has returned
 */
struct bpmu_interrupt {
	const struct bpmu_overflow *overflow;
	const struct bpmu_chains *chains;
	const struct bpmu_branches *branches;
	const struct bpmu_counts *counts;
	const struct bpmu_tagged_op *op;
	const struct bpmu_fetched *fetch;
	const struct bpmu_retired *retired;
	bool caused;
};

struct bpmu_replaying;

typedef void bpmu_replay_interrupt_fn(void *data, const struct bpmu_interrupt *interrupt);

int bpmu_replay_take_time(struct bpmu_replay_time *time, const char *name, const char *text,
			  struct bpmu_error *err);
int bpmu_replay_target(const struct bpmu_replay *replay,
		       struct bpmu_target *target, const char *cpus,
		       struct bpmu_error *err);
int bpmu_replay_analyse(const struct bpmu_replay *replay, struct bpmu_analysis *analysis,
			const char *cpus, struct bpmu_error *err);
int bpmu_replay_entries(struct bpmu_replay *replay,
			const struct bpmu_target *target,
			const struct bpmu_groups *wanted, struct bpmu_error *err);
const struct bpmu_sched_slot *bpmu_replay_interrupting(const struct bpmu_recording_about *about,
						       unsigned int number);
bool bpmu_replay_interrupted(const struct bpmu_replay *replay);
int bpmu_replay_choose(const struct bpmu_replay *replay, const struct bpmu_recording_about *about,
		       const char *event, const struct bpmu_sched_slot **slot,
		       struct bpmu_error *err);
bool bpmu_shares_add(struct bpmu_event_shares *event, const struct bpmu_interrupt *interrupt);
int bpmu_replay_shares(struct bpmu_replay *replay, const struct bpmu_target *target,
		       struct bpmu_event_shares *events, unsigned int nr, struct bpmu_error *err);
int bpmu_replay_overflows(struct bpmu_replay *replay, const struct bpmu_sched_slot *only,
			  const struct bpmu_target *target, bpmu_replay_interrupt_fn *each,
			  void *data, struct bpmu_error *err);
int bpmu_replay_length(const struct bpmu_replay *replay, double *seconds,
		       u64 *samples, struct bpmu_error *err);
int bpmu_replay_begin(struct bpmu_replaying **r,
		      const struct bpmu_replay *replay,
		      const struct bpmu_measure *measures, unsigned int nr,
		      struct bpmu_error *err);
int bpmu_replay_step(struct bpmu_replaying *r, struct bpmu_error *err);
void bpmu_replay_end(struct bpmu_replaying *r);
int bpmu_replay_run(const struct bpmu_replay *replay,
		    const struct bpmu_measure *measures, unsigned int nr,
		    struct bpmu_error *err);

#endif /* BPMU_REPORT_REPLAY_H */
