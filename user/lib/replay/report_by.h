/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of a recording's samples by a key, such as the interrupted thread, process or function, or
 * the CPU. The counts of a sample, and the time since the previous sample, are attributed to the
 * code that the sample interrupted.
 */
#ifndef BPMU_REPORT_BY_H
#define BPMU_REPORT_BY_H

#include "count/delta.h"
#include "count/flaw.h"
#include "count/share.h"
#include "event/rows.h"
#include "recording/recording_branch.h"
#include "recording/recording_counts.h"
#include "recording/recording_chain.h"
#include "recording/recording_read.h"
#include "report_by_fetch.h"
#include "report_by_op.h"
#include "report_by_symbol.h"
#include "source/measure.h"

/**
 * enum bpmu_by_type - key by which samples are summed, the argument of --by
 * @BPMU_BY_NOTHING: no key, all samples are summed
 * @BPMU_BY_COMM: name of the thread
 * @BPMU_BY_PID: process
 * @BPMU_BY_SYMBOL: function
 * @BPMU_BY_LINE: source line
 * @BPMU_BY_ADDRESS: instruction
 * @BPMU_BY_STACK: call stack
 * @BPMU_BY_BRANCH: branch before the sample, with its target
 * @BPMU_BY_CACHELINE: cache line that the sampled op loads or stores
 * @BPMU_BY_SOURCE: where the sampled op found its data
 * @BPMU_BY_CPU: CPU
 */
enum bpmu_by_type {
	BPMU_BY_NOTHING,
	BPMU_BY_COMM,
	BPMU_BY_PID,
	BPMU_BY_SYMBOL,
	BPMU_BY_LINE,
	BPMU_BY_ADDRESS,
	BPMU_BY_STACK,
	BPMU_BY_BRANCH,
	BPMU_BY_CACHELINE,
	BPMU_BY_SOURCE,
	BPMU_BY_CPU
};

/**
 * struct bpmu_by_branches - sums over the records of a branch
 * @nr: number of records
 * @told: number of records that tell whether the branch was mispredicted
 * @mispredicted: number of records that tell that the branch was mispredicted
 * @timed: number of records with cycles
 * @cycles: cycles since the previous branch, summed over the records with cycles
 */
struct bpmu_by_branches {
	u64 nr;
	u64 told;
	u64 mispredicted;
	u64 timed;
	u64 cycles;
};

/**
 * struct bpmu_by_entry - sums of the samples with one key, such as one function
 * @key: text that identifies the entry
 * @label: text for the user
 * @samples: number of samples with this key
 * @ticks: TSC ticks of the intervals before these samples
 * @lost: number of samples that were lost just before samples of this entry, or after a CPU's last
 *	sample if this is of this entry
 * @flaws: flaws that these samples report, see bpmu_flaw_flags(); with BPMU_BY_CPU the flaws of all
 *	samples of the CPU
 * @spent: TSC ticks that sampling took
 * @events: if interrupts by an event are summed: number of events that the interrupts with this key
 *	stand for. With BPMU_BY_BRANCH, each interrupt adds the fraction of its branches that have
 *	this key
 * @branches: with BPMU_BY_BRANCH, sums over the records of the branch
 * @ops: sums over the sampled ops with this key
 * @fetches: sums over the sampled fetches with this key
 * @place: with BPMU_BY_ADDRESS, location of the instruction; valid as long as &bpmu_by.symbols
 * @batch: of interrupts with counts, sums over each batch of them, as of &bpmu_interval.batch, [slots
 *	of the recorded groups][%BPMU_BATCHES]; NULL if there are none
 * @cell: counts, [slots of the recorded groups]
 */
struct bpmu_by_entry {
	char *key;
	char *label;
	u64 samples;
	u64 ticks;
	u64 lost;
	u32 flaws;
	u64 spent;
	struct bpmu_weights events;
	struct bpmu_by_branches branches;
	struct bpmu_by_ops ops;
	struct bpmu_by_fetches fetches;
	struct bpmu_by_location place;
	struct bpmu_batch *batch;
	struct bpmu_cell cell[];
};

/**
 * struct bpmu_shares - totals of the interrupts by one event
 * @slot: counter of the event, with the requested period
 * @interrupts: number of interrupts
 * @all: number of events that the interrupts stand for
 * @counted: number of events that the counters counted in the replayed time; interrupts need not
 *	stand for all of them
 * @lost: number of interrupts, by this or any other event, of which there is no record
 * @others: true if interrupts by other events were recorded, too
 * @longest: largest number of events that an interrupt stands for
 * @ops: number of interrupts with a sampled op
 * @fetches: number of interrupts with a sampled fetch
 * @retired: number of interrupts whose retire latency is known
 * @latency: sum of these latencies, in core cycles
 * @least: smallest of them
 * @most: largest of them
 * @next: precise interrupts have the address of the instruction after the one that caused the event
 * @caused: number of those that have the address of the one that caused it all the same, by their
 *	branches
 */
struct bpmu_shares {
	const struct bpmu_sched_slot *slot;
	u64 interrupts;
	struct bpmu_weights all;
	u64 counted;
	u64 lost;
	bool others;
	u64 longest;
	u64 ops;
	u64 fetches;
	u64 retired;
	u64 latency;
	u32 least;
	u32 most;
	bool next;
	u64 caused;
};

struct bpmu_by_cpu;

/**
 * struct bpmu_by - samples of a recording, summed by key
 * @type: key by which samples are summed
 * @about: description of the recording
 * @cpus: CPUs whose samples are summed
 * @at: index in @cpus of each CPU number, -1 if the CPU's samples are not summed, [@nr_at]
 * @nr_at: length of @at
 * @cpu: latest sample of each CPU, [@nr_cpus]
 * @delta: how counts are computed from raw counter values, [slots of the recorded groups]
 * @nr_cpus: number of CPUs
 * @symbols: mappings and functions in the recording, if the labels of entries name functions
 * @chains: call chains of the sample that is added next, for BPMU_BY_STACK; NULL if there are none
 * @branch: branch that is added next, for BPMU_BY_BRANCH; NULL if there is none
 * @op: sampled op of the interrupt that is added next, for BPMU_BY_CACHELINE and BPMU_BY_SOURCE;
 *	NULL if there is none
 * @fetch: its sampled fetch, for BPMU_BY_SOURCE; NULL if there is none
 * @stack: memory for the text of a call stack, with BPMU_BY_STACK
 * @tree: search tree of the entries, by key
 * @entry: entries, [@nr]; after bpmu_by_end() in the order of bpmu_by_sort()
 * @nr: number of entries
 * @samples: number of samples of all entries
 * @ticks: TSC ticks of all entries
 * @begin: TSC of the first sample, 0 before it
 * @end: TSC of the last sample
 * @unattributed: true if a sample does not name the interrupted task
 * @interrupts: counts and times are estimated from interrupts, by bpmu_by_add_interrupt()
 * @shares: with @interrupts, totals of each event that interrupted, [@nr_shares]; freed with @by
 * @nr_shares: number of events that interrupted
 * @spent: with @interrupts, TSC ticks that sampling took on all CPUs
 * @clock: with @interrupts, after bpmu_by_end(), the event whose interrupts tell the time of the
 *	entries: an entry has that share of @ticks that it has of this event
 * @within: after bpmu_by_end(), number of events of @clock in all entries
 * @counted: number of events of @clock that the counters counted, also outside of the entries
 * @broken: number of interrupts that should have counts, but whose records lack them
 * @flaws: flaws that samples report, by CPU
 * @failed: true if out of memory
 * @cell: after bpmu_by_end(), counts of all entries, [@nr][slots of the recorded groups]
 * @batch: after bpmu_by_end(), batches of all entries if interrupts have counts, [@nr][slots of the
 *	recorded groups][%BPMU_BATCHES]; else NULL
 * @tail: after bpmu_by_end(), times, losses, sampling times and flaws of the entries, [4][@nr]
 */
struct bpmu_by {
	enum bpmu_by_type type;
	const struct bpmu_recording_about *about;
	const struct bpmu_cpulist *cpus;
	int *at;
	u32 nr_at;
	struct bpmu_by_cpu *cpu;
	struct bpmu_delta *delta;
	unsigned int nr_cpus;
	struct bpmu_by_symbols symbols;
	const struct bpmu_chains *chains;
	const struct bpmu_branch *branch;
	const struct bpmu_tagged_op *op;
	const struct bpmu_fetched *fetch;
	char *stack;
	void *tree;
	struct bpmu_by_entry **entry;
	unsigned int nr;
	u64 samples;
	u64 ticks;
	u64 begin;
	u64 end;
	bool unattributed;
	bool interrupts;
	struct bpmu_shares *shares;
	unsigned int nr_shares;
	u64 spent;
	const struct bpmu_sched_slot *clock;
	double within;
	u64 counted;
	u64 broken;
	struct bpmu_flaws flaws;
	bool failed;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	u64 *tail;
};

int bpmu_by_parse(const char *text, enum bpmu_by_type *type,
		  struct bpmu_error *err);

bool bpmu_by_needs_symbols(enum bpmu_by_type type);
bool bpmu_by_is_of_records(enum bpmu_by_type type);
const char *bpmu_by_name(enum bpmu_by_type type);
void bpmu_by_set_type(struct bpmu_by *by, enum bpmu_by_type type);
int bpmu_by_begin(struct bpmu_by *by, const struct bpmu_recording_about *about,
		  const struct bpmu_cpulist *cpus, struct bpmu_error *err);
void bpmu_by_add(struct bpmu_by *by,
		 const struct bpmu_taken_sample *sample);
void bpmu_by_sort(struct bpmu_by *by);
void bpmu_by_add_interrupt(struct bpmu_by *by, const struct bpmu_overflow *overflow,
			   const struct bpmu_chains *chains, const struct bpmu_counts *counts);
int bpmu_by_end(struct bpmu_by *by, const char *name, struct bpmu_error *err);
int bpmu_by_rows(const struct bpmu_by *by, struct bpmu_rows *rows,
		 struct bpmu_error *err);
struct bpmu_interval bpmu_by_interval(const struct bpmu_by *by);
void bpmu_by_clear(struct bpmu_by *by);
void bpmu_by_free(struct bpmu_by *by);

struct bpmu_by_entry *bpmu_by_entry(struct bpmu_by *by,
				    const struct bpmu_taken_sample *sample);

#endif /* BPMU_REPORT_BY_H */
