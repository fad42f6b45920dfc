/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libbarepmu: counts and metrics of whole CPUs, live or of a recording.
 *
 *	struct barepmu *b;
 *	struct barepmu_error err;
 *
 *	barepmu_open(&b, "0-3", &err);		or barepmu_open_recording()
 *	int ipc = barepmu_add_metric(b, "IPC", &err);
 *	int loads = barepmu_add_event(b, "MEM_UOPS_RETIRED.ALL_LOADS:u", &err);
 *	barepmu_start(b, 100000000, &err);	an interval each 100 ms
 *	while (barepmu_read(b, &interval, &err) > 0)
 *		barepmu_metric(b, ipc, &value);
 *	barepmu_close(b);
 *
 * Calls return a negative errno when they fail, and say why in the error, of
 * which NULL may be given. The library prints nothing, ends no process, handles
 * no signal, starts no thread. One handle is for one thread at a time; several
 * handles are for as many threads.
 */
#ifndef BAREPMU_H
#define BAREPMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* all CPUs together, where a CPU is asked for */
#define BAREPMU_ALL_CPUS (-1)

struct barepmu;

/**
 * struct barepmu_error - why a call failed
 * @text: "<object>: <what>; <what to do>", one line without its end
 */
struct barepmu_error {
	char text[512];
};

/**
 * enum barepmu_flag - what else is to be known of a value
 * @BAREPMU_BELOW_0: a share is below 0
 * @BAREPMU_ABOVE_1: a share is above 1
 * @BAREPMU_DIVIDED_BY_0: there is no value: the divisor is 0
 * @BAREPMU_MISSING: there is no value: an event was not counted
 * @BAREPMU_MIXED_GROUPS: its events were multiplexed, each has its own time
 * @BAREPMU_WRAPPED: a counter may have wrapped unseen
 * @BAREPMU_ERRATUM: an erratum touches one of its events
 * @BAREPMU_UNSURE: the uncertainty is itself badly known
 * @BAREPMU_UNDECIDED: whether it is over its threshold is not certain
 * @BAREPMU_DISTURBED: somebody else wrote the counters' registers
 * @BAREPMU_FAILED: a CPU could not be programmed
 * @BAREPMU_PREFETCH: a prefetcher is not as it was asked for
 */
enum barepmu_flag {
	BAREPMU_BELOW_0 = 1 << 0,
	BAREPMU_ABOVE_1 = 1 << 1,
	BAREPMU_DIVIDED_BY_0 = 1 << 2,
	BAREPMU_MISSING = 1 << 3,
	BAREPMU_MIXED_GROUPS = 1 << 4,
	BAREPMU_WRAPPED = 1 << 5,
	BAREPMU_ERRATUM = 1 << 6,
	BAREPMU_UNSURE = 1 << 7,
	BAREPMU_UNDECIDED = 1 << 8,
	BAREPMU_DISTURBED = 1 << 9,
	BAREPMU_FAILED = 1 << 10,
	BAREPMU_PREFETCH = 1 << 11
};

/**
 * struct barepmu_value - a count, or a metric
 * @known: there is a value
 * @value: as counted or computed, never clamped
 * @half_width: of its 95 % interval: 0 if it is exact, INFINITY if nothing is
 *	known of it
 * @running: share of the time in which its event was on a counter; 1 for metrics
 * @flags: set of &enum barepmu_flag
 */
struct barepmu_value {
	bool known;
	double value;
	double half_width;
	double running;
	unsigned int flags;
};

/**
 * struct barepmu_interval - what is between two readings
 * @index: 0 for the first
 * @seconds: from the start to its end
 * @duration: seconds that it took
 * @lost: samples lost in it, over all CPUs: counts are whole all the same, but
 *	may belong to an interval beside it
 * @flags: set of &enum barepmu_flag that holds for all of it
 * @last: nothing comes after it
 */
struct barepmu_interval {
	unsigned int index;
	double seconds;
	double duration;
	uint64_t lost;
	unsigned int flags;
	bool last;
};

/**
 * struct barepmu_count - of an event, taken somewhere else
 * @event: its name, as of barepmu_add_event()
 * @value: the count
 * @half_width: of its 95 % interval, 0 if it is exact
 */
struct barepmu_count {
	const char *event;
	double value;
	double half_width;
};

/**
 * barepmu_version() - of the library
 *
 * Return: such as "0.1".
 */
const char *barepmu_version(void);

/**
 * barepmu_open() - connect to the module
 * @b: set; barepmu_close() undoes it
 * @cpus: such as "0-3,8", or a kind of cores such as "adl-e"; NULL for all
 * @err: why not
 *
 * Needs CAP_PERFMON from barepmu_start() on.
 *
 * Return: 0 or a negative errno.
 */
int barepmu_open(struct barepmu **b, const char *cpus,
		 struct barepmu_error *err);

/**
 * barepmu_open_recording() - open a file of "barepmu record"
 * @b: set; barepmu_close() undoes it
 * @path: the file
 * @cpus: of those that were measured; NULL for all
 * @err: why not
 *
 * Return: 0 or a negative errno.
 */
int barepmu_open_recording(struct barepmu **b, const char *path,
			   const char *cpus, struct barepmu_error *err);

/**
 * barepmu_close() - end what barepmu_open() or barepmu_open_recording() began
 * @b: open, or NULL; counting ends
 */
void barepmu_close(struct barepmu *b);

/**
 * barepmu_part() - the processor
 * @b: open
 *
 * Return: its short name, such as "ivb".
 */
const char *barepmu_part(const struct barepmu *b);

/**
 * barepmu_cpus() - the CPUs
 * @b: open
 * @cpus: set to their numbers, which are @b's; or NULL
 *
 * Return: how many.
 */
size_t barepmu_cpus(const struct barepmu *b, const uint32_t **cpus);

/**
 * barepmu_add_event() - count an event
 * @b: open, not started
 * @event: its name with modifiers, as behind "barepmu stat -e"
 * @err: why not
 *
 * Return: its number, 0 for the first event, or a negative errno.
 */
int barepmu_add_event(struct barepmu *b, const char *event,
		      struct barepmu_error *err);

/**
 * barepmu_add_metric() - count what a metric needs, and compute it
 * @b: open, not started
 * @metric: its name, as behind "barepmu stat -M"
 * @err: why not
 *
 * Return: its number, 0 for the first metric, or a negative errno.
 */
int barepmu_add_metric(struct barepmu *b, const char *metric,
		       struct barepmu_error *err);

/**
 * barepmu_start() - put all that was added on counters, and count
 * @b: open, with events or metrics
 * @interval_ns: length of an interval; 0 for one, which barepmu_stop() ends
 * @err: why not
 *
 * What does not fit on the counters at once is multiplexed, as the values'
 * half widths say.
 *
 * Return: 0 or a negative errno.
 */
int barepmu_start(struct barepmu *b, uint64_t interval_ns,
		  struct barepmu_error *err);

/**
 * barepmu_fd() - wait until there may be an interval
 * @b: started
 *
 * Return: a descriptor for poll(), readable when barepmu_read() should be
 * called; -1 for a recording, where nothing is to be waited for.
 */
int barepmu_fd(const struct barepmu *b);

/**
 * barepmu_read() - the next interval
 * @b: started, or stopped
 * @interval: filled in
 * @err: why not
 *
 * Return: 1, 0 if there is none yet, or none any more, or a negative errno.
 */
int barepmu_read(struct barepmu *b, struct barepmu_interval *interval,
		 struct barepmu_error *err);

/**
 * barepmu_event() - a count of the interval that was read last
 * @b: with an interval
 * @event: number from barepmu_add_event()
 * @cpu: number of one of its CPUs, or %BAREPMU_ALL_CPUS
 * @value: filled in
 *
 * Return: 0, or -EINVAL if there is no such event, CPU or interval.
 */
int barepmu_event(const struct barepmu *b, unsigned int event, int cpu,
		  struct barepmu_value *value);

/**
 * barepmu_metric() - a metric of the interval that was read last, over all CPUs
 * @b: with an interval
 * @metric: number from barepmu_add_metric()
 * @value: filled in
 *
 * Return: 0, or -EINVAL if there is no such metric or interval.
 */
int barepmu_metric(const struct barepmu *b, unsigned int metric,
		   struct barepmu_value *value);

/**
 * barepmu_stop() - end counting
 * @b: started; its last interval waits for barepmu_read()
 * @err: why not
 *
 * Return: 0 or a negative errno; then nothing is counted any more either.
 */
int barepmu_stop(struct barepmu *b, struct barepmu_error *err);

/**
 * barepmu_evaluate() - a metric from counts, without a PMU
 * @part: processor that counted, such as "ivb"
 * @metric: as of barepmu_add_metric()
 * @counts: of the events that it needs, and others; "SECONDS" and the like are
 *	constants, see barepmu-metrics(5)
 * @nr: their number
 * @value: filled in; its half width assumes that counts err independently
 * @err: why not
 *
 * Return: 0 or a negative errno.
 */
int barepmu_evaluate(const char *part, const char *metric,
		     const struct barepmu_count *counts, size_t nr,
		     struct barepmu_value *value, struct barepmu_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAREPMU_H */
