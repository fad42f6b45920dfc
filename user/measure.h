/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One measurement: a group of events on some CPUs, while a command runs, for a
 * time, or until a signal.
 */
#ifndef BPMU_MEASURE_H
#define BPMU_MEASURE_H

#include <stdbool.h>

#include "client.h"
#include "sched.h"

/**
 * struct bpmu_interval - what was counted between two samples
 * @index: number of the interval, 0 for the first; the last one of a run is
 *	shorter than the others
 * @last: nothing comes after it
 * @seconds: from the start of the run to the end of this interval
 * @duration: seconds that this interval took
 * @count: one sum for each term of the schedule and CPU, at
 *	[cpu position * nr terms + term]; differences of raw values modulo the
 *	counter's width
 * @enabled: TSC ticks that the session was running, for each CPU position
 * @running: TSC ticks that the group was on the counters, the same
 * @lost: samples lost in this interval, or not taken because the timer came too
 *	late, for each CPU position; the counts are whole nevertheless, only
 *	their division into intervals is coarser
 */
struct bpmu_interval {
	unsigned int index;
	bool last;
	double seconds;
	double duration;
	const u64 *count;
	const u64 *enabled;
	const u64 *running;
	const u64 *lost;
};

/**
 * struct bpmu_measure - a measurement
 * @client: open
 * @info: of the module
 * @cpus: CPU numbers
 * @nr_cpus: how many
 * @sched: what to count, on which counters
 * @interval_ns: 0 for one interval, the whole run
 * @max_intervals: stop after so many, 0 for no limit
 * @timeout_ns: stop after so long, 0 for no limit
 * @argv: command to run, NULL for none
 * @emit: called for each interval as it is complete
 * @data: passed to @emit
 */
struct bpmu_measure {
	struct bpmu_client *client;
	const struct bpmu_info *info;
	const u32 *cpus;
	unsigned int nr_cpus;
	const struct bpmu_sched *sched;
	u64 interval_ns;
	unsigned int max_intervals;
	u64 timeout_ns;
	char **argv;
	void (*emit)(void *data, const struct bpmu_interval *interval);
	void *data;
};

int bpmu_measure_run(const struct bpmu_measure *measure, int *exit_status,
		     struct bpmu_error *err);

#endif /* BPMU_MEASURE_H */
