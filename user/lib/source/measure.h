/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of a measurement, in which groups of events are counted on CPUs. It lasts as long
 * as a command runs, for a given time, or until a signal.
 */
#ifndef BPMU_MEASURE_H
#define BPMU_MEASURE_H

#include <stdbool.h>
#include <stdio.h>

#include "client/client.h"
#include "count/interval.h"
#include "event/groups.h"

/**
 * struct bpmu_measure - parameters of a measurement
 * @client: open connection to the module
 * @info: what the module tells about itself and about the machine
 * @cpus: numbers of the CPUs to measure, first all CPUs of the first core type, [@nr_cpus]
 * @nr_cpus: number of CPUs
 * @groups: groups to count, [core type]; NULL after the last core type
 * @first: index in @cpus of the first CPU of each core type, [core type]
 * @most: the largest groups that @next may choose, [core type]; the length of rotation slices is
 *	computed for them. NULL if @next never chooses more groups than @groups has
 * @interval_ns: length of an interval in ns; 0 if the whole run is one interval
 * @tree: true if only the values of a tree are computed from an interval, not counts of events
 * @period_ns: time from one sample to the next in ns, from bpmu_measure_period_ns()
 * @timer: kind of the module's timer, &enum bpmu_timer
 * @take_over: true to use counters even if another program has enabled them
 * @prefetch: mask of the prefetchers to disable; NULL to change none
 * @max_intervals: number of intervals after which the run ends, 0 for no limit
 * @timeout_ns: time in ns after which the run ends, 0 for no limit
 * @delay_ns: time in ns for which the command runs before counting starts
 * @who: true if sample records have to name the task that the sample interrupted
 * @argv: command to run; NULL for none
 * @stop: flag that a callback sets to end the run; NULL if no callback ends the run
 * @emit: called with the counts of each interval when the interval is complete
 * @kept: true if the arrays of an interval must stay valid until @emit returns for the next
 *	interval, or the run ends; false if they need to be valid only during the call of @emit
 * @out: stream to which @emit writes. It is flushed after all complete intervals were emitted. NULL
 *	if @emit flushes its output
 * @emitted: called when all intervals that a fetch has completed were emitted, before @out is
 *	flushed; NULL if @emit leaves no output for later
 * @watched: true if somebody watches @out, so that each interval is emitted as soon as it ends
 * @merge: true to merge an interval in which a CPU took no sample, because the CPU was idle or
 *	late, with the next interval
 * @records: called with sample records instead of @emit, and with NULL at the end of each fetch;
 *	NULL if @emit is called
 * @overflows: called with the records of counter interrupts, as in &struct bpmu_reader; NULL if no
 *	event of @groups interrupts
 * @overflows_lost: called with the number of a CPU and how many interrupt records of it were lost
 * @chain: maximum number of addresses in the call chain of an interrupt, 0 for no call chains
 * @branches: true to record the last branches before an interrupt
 * @calls: with @chain: find callers in user space by branch records, not by frame pointers
 * @next: called after intervals were emitted; NULL if the groups never change. It sets the groups
 *	to count instead of @groups, or leaves them NULL to keep the current groups. Old and new
 *	groups must stay valid until an interval of the new groups was emitted. An error ends the
 *	run
 * @input: called when @input_fd can be read; NULL if nothing is read
 * @input_fd: file descriptor to watch for @input
 * @ready: called after the session was configured, or NULL; an error ends the run
 * @data: argument for all callbacks
 */
struct bpmu_measure {
	struct bpmu_client *client;
	const struct bpmu_info *info;
	const u32 *cpus;
	unsigned int nr_cpus;
	const struct bpmu_groups *groups[BPMU_CORE_TYPES];
	unsigned int first[BPMU_CORE_TYPES];
	const struct bpmu_groups *most[BPMU_CORE_TYPES];
	u64 interval_ns;
	bool tree;
	u64 period_ns;
	u32 timer;
	bool take_over;
	const u32 *prefetch;
	unsigned int max_intervals;
	u64 timeout_ns;
	u64 delay_ns;
	bool who;
	char **argv;
	const bool *stop;
	void (*emit)(void *data, const struct bpmu_interval *interval);
	bool kept;
	FILE *out;
	void (*emitted)(void *data);
	bool watched;
	bool merge;
	void (*records)(void *data, const void *records, size_t bytes);
	void (*overflows)(void *data, const void *records, size_t bytes);
	void (*overflows_lost)(void *data, u32 cpu, u64 lost);
	u32 chain;
	bool branches;
	bool calls;
	int (*next)(void *data, const struct bpmu_groups *groups[BPMU_CORE_TYPES],
		    struct bpmu_error *err);
	void (*input)(void *data);
	int input_fd;
	int (*ready)(void *data, struct bpmu_error *err);
	void *data;
};

unsigned int bpmu_measure_core_types(const struct bpmu_measure *measure);
unsigned int bpmu_measure_cpus(const struct bpmu_measure *measure,
			       unsigned int type);
u64 bpmu_measure_period_ns(const struct bpmu_measure *measure);
bool bpmu_measure_counts(const struct bpmu_measure *measure);
unsigned int bpmu_measure_batches(const struct bpmu_measure *measure);

#endif /* BPMU_MEASURE_H */
