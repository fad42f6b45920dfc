/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of one measurement: which groups of events are counted on which CPUs, while a
 * command runs, for a given time, or until a signal.
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
 * @info: information of the module about the machine
 * @cpus: numbers of the CPUs to measure, [@nr_cpus]
 * @nr_cpus: number of CPUs
 * @groups: groups to count, [core type]; NULL after the last core type
 * @first: index in @cpus of the first CPU of the core type, [core type]
 * @most: the groups of which @next may set most, [core type]; the length of rotation slices is
 * chosen for them. NULL if @next sets no more groups than @groups has
 * @interval_ns: length of an interval in ns; 0 for a single interval, the whole run
 * @period_ns: time from one sample to the next in ns, set when the groups are known
 * @timer: &enum bpmu_timer
 * @take_over: true to use counters even if another agent has enabled them
 * @prefetch: mask of the prefetchers to disable; NULL to leave the prefetchers as they are
 * @max_intervals: number of intervals after which the run stops, 0 for no limit
 * @timeout_ns: ns after which the run stops, 0 for no limit
 * @delay_ns: ns for which the command runs before counting starts
 * @who: true if sample records name the task that the sample interrupted
 * @argv: command to run, NULL for none
 * @stop: flag that @emit or @records sets to true to end the run; NULL if no callback ends the run
 * @emit: called with each complete interval
 * @kept: true if the arrays of an interval must stay valid until the call of @emit for the next
 * interval returns, or the run ends; false if they are used only during the call of @emit
 * @out: output of @emit, which is flushed after all intervals that have ended were emitted;
 * NULL if @emit flushes its output
 * @watched: true if somebody watches @out, so that each interval is emitted as soon as it ends
 * @merge: true to merge an interval in which a CPU took no sample, because the CPU was idle or
 * late, with the next interval
 * @records: if not NULL, called with sample records in place of @emit, and with NULL at the end of
 * each fetch of samples
 * @overflows: called with records of interrupts, as of &struct bpmu_reader; NULL if no event
 *	of @groups interrupts
 * @overflows_lost: called with a CPU and the number of its records of interrupts that were lost
 * @chain: maximum number of addresses of an interrupt's call chain, 0 to record no call chains
 * @branches: true to record the last branches before an interrupt
 * @next: called after intervals were emitted, or NULL. It sets the groups that are to replace
 *	@groups, or leaves them NULL. Old and new groups must stay valid until an interval of the
 *	new groups was emitted. An error ends the run
 * @input: called when @input_fd is readable, or NULL
 * @input_fd: file descriptor for @input
 * @ready: called after the session was configured, or NULL; an error ends the run
 * @data: passed to all callbacks
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
	bool watched;
	bool merge;
	void (*records)(void *data, const void *records, size_t bytes);
	void (*overflows)(void *data, const void *records, size_t bytes);
	void (*overflows_lost)(void *data, u32 cpu, u64 lost);
	u32 chain;
	bool branches;
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
unsigned int bpmu_measure_batches(const struct bpmu_measure *measure);

#endif /* BPMU_MEASURE_H */
