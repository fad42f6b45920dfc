/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libbarepmu: counts and metrics of whole CPUs, measured live or from a
 * recording.
 *
 *	struct barepmu *b;
 *	struct barepmu_error err;
 *
 *	barepmu_open(&b, "0-3", &err);
 *	int ipc = barepmu_add_metric(b, "IPC", &err);
 *	int loads = barepmu_add_event(b, "MEM_UOPS_RETIRED.ALL_LOADS:u", &err);
 *	barepmu_start(b, 100000000, &err);	an interval each 100 ms
 *	struct pollfd fd = { barepmu_fd(b), POLLIN };
 *	while (poll(&fd, 1, -1) > 0)
 *		while (barepmu_read(b, &interval, &err) > 0)
 *			barepmu_metric(b, ipc, &value);
 *	barepmu_close(b);
 *
 * To read a recording, call barepmu_open_recording() instead of barepmu_open(), and
 * barepmu_read() without poll().
 *
 * On failure a function returns a negative errno and describes the failure in @err,
 * which may be NULL. The library prints nothing, ends no process, handles no signal and
 * starts no thread. A handle must not be used by two threads at the same time;
 * each thread may have handles of its own. But the module has a single session:
 * on a machine only one live handle or barepmu command can count at a time.
 */
#ifndef BAREPMU_H
#define BAREPMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a CPU number: all CPUs together */
#define BAREPMU_ALL_CPUS (-1)

struct barepmu;

/**
 * struct barepmu_error - the reason why a function of the library failed
 * @text: "<object>: <problem>; <remedy>", one line without a newline. The command barepmu prints
 *	the same texts, so a remedy may name an option of this command. Option -C then stands for
 *	the parameter @cpus of barepmu_open(), -I for @interval_ns of barepmu_start()
 */
struct barepmu_error {
	char text[512];
};

/**
 * enum barepmu_flag - reasons why a value is missing or not reliable
 * @BAREPMU_BELOW_0: a metric that is a fraction is below 0
 * @BAREPMU_ABOVE_1: a metric that is a fraction is above 1
 * @BAREPMU_DIVIDED_BY_0: there is no value, because the divisor is 0
 * @BAREPMU_MISSING: there is no value, because an event was not counted
 * @BAREPMU_MIXED_GROUPS: a metric's events were multiplexed, so they were counted at
 *	different times
 * @BAREPMU_WRAPPED: a counter may have wrapped unnoticed
 * @BAREPMU_ERRATUM: an erratum affects the event, or one of the metric's events
 * @BAREPMU_UNSURE: a metric that is a fraction is below 0 or above 1, but its confidence
 *	interval contains values from 0 to 1, too
 * @BAREPMU_UNDECIDED: it is not certain whether the command barepmu would flag the metric as a
 *	bottleneck: the confidence interval of the metric, or of another value on which the
 *	decision depends, contains the threshold
 * @BAREPMU_DISTURBED: other software, such as perf, wrote counter registers
 * @BAREPMU_FAILED: counters of a CPU, or of an uncore box (instance of an uncore unit) that the
 *	CPU reads, could not be programmed, or the box's PCI device was removed
 * @BAREPMU_PREFETCH: prefetchers are not set as the recording requested
 * @BAREPMU_UNCORRECTED: an event that the metric's formula only needs for a correction
 *	was not counted
 * @BAREPMU_NORMALISED: the fields of PERF_METRICS do not add up to the slots; each field
 *	is taken as a share of the sum of the fields
 * @BAREPMU_FEW_SLICES: too few rotation slices for a confidence interval. A rotation slice is
 *	a time for which one of the multiplexed groups of events is on the counters
 * @BAREPMU_UNSEEN: the count is 0, but the event was multiplexed: it may have occurred while other
 *	groups were counted
 * @BAREPMU_BURSTY: a few slices have far more events than the others, so the confidence interval
 *	may not hold the true value
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
	BAREPMU_PREFETCH = 1 << 11,
	BAREPMU_UNCORRECTED = 1 << 12,
	BAREPMU_NORMALISED = 1 << 13,
	BAREPMU_FEW_SLICES = 1 << 15,
	BAREPMU_UNSEEN = 1 << 16,
	BAREPMU_BURSTY = 1 << 17
};

/**
 * struct barepmu_value - value of an event or a metric
 * @known: true if there is a value; else @value and @half_width have no meaning, and
 *	@flags says why
 * @value: value of the metric, or count of the event in the interval; a multiplexed
 *	count is scaled to the whole interval. The value is never clamped
 * @half_width: half-width of the value's 95 % confidence interval, in the unit of the value; 0 if
 *	the value is exact, INFINITY if its uncertainty is unknown
 * @running: fraction of the interval in which a counter counted the event, 0 to 1; 1
 *	for metrics
 * @flags: mask of &enum barepmu_flag
 */
struct barepmu_value {
	bool known;
	double value;
	double half_width;
	double running;
	unsigned int flags;
};

/**
 * struct barepmu_interval - an interval of a measurement or of a recording
 * @index: number of the interval, from 0
 * @seconds: end of the interval, in seconds since the start of counting, or of
 *	the recording
 * @duration: length of the interval in seconds. In a live measurement it exceeds the requested
 *	length if a CPU took no sample at the end of the interval: the interval is then continued
 *	until this CPU has taken its next sample
 * @lost: number of samples lost during the interval, on all CPUs together. Samples have running
 *	totals, so no count is lost, but some counts may be attributed to an adjacent interval
 * @flags: mask of those &enum barepmu_flag that concern all values of the interval
 * @last: true if no interval follows
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
 * struct barepmu_count - a count that the caller gives to barepmu_evaluate()
 * @event: name of the event, as for barepmu_add_event(); or name of a constant of formulas, such as
 *	"SECONDS", see barepmu-metrics(5)
 * @value: count, or value of the constant
 * @half_width: half-width of the count's 95 % confidence interval, 0 if it is
 *	exact, INFINITY if its uncertainty is unknown; not used for a constant
 */
struct barepmu_count {
	const char *event;
	double value;
	double half_width;
};

/**
 * barepmu_version() - version of the library barepmu that the program is linked to
 *
 * Return: the version, such as "0.1"; a static string.
 */
const char *barepmu_version(void);

/**
 * barepmu_open() - open a handle of the library, connected to the module
 * @b: set to a handle, which barepmu_close() closes; NULL on failure
 * @cpus: CPUs such as "0-3,8", or a core type such as "adl-e"; NULL for all online
 *	CPUs. All CPUs must be of one core type
 * @err: filled in on failure
 *
 * Return: 0, -ENOENT if the module is not loaded, -EINVAL if @cpus is malformed or
 *	has two core types, -ENODEV if there is no such CPU, or another negative
 *	errno.
 */
int barepmu_open(struct barepmu **b, const char *cpus,
		 struct barepmu_error *err);

/**
 * barepmu_open_recording() - open a handle of the library on a recording of "barepmu record"
 * @b: set to a handle, which barepmu_close() closes; NULL on failure
 * @path: path of the recording
 * @cpus: some of the recorded CPUs, as for barepmu_open(); NULL for all recorded CPUs
 * @err: filled in on failure
 *
 * This needs neither the module nor any permission except to read the file.
 *
 * Return: 0 or a negative errno, such as -ENOENT if there is no such file.
 */
int barepmu_open_recording(struct barepmu **b, const char *path,
			   const char *cpus, struct barepmu_error *err);

/**
 * barepmu_close() - close a handle of the library
 * @b: handle, or NULL; if it counts, counting is stopped
 */
void barepmu_close(struct barepmu *b);

/**
 * barepmu_part() - short name of the CPU model of a library handle
 * @b: handle
 *
 * Return: the name, such as "ivb"; valid until the handle is closed.
 */
const char *barepmu_part(const struct barepmu *b);

/**
 * barepmu_cpus() - CPUs of a library handle
 * @b: handle
 * @cpus: NULL, or set to the CPU numbers in ascending order, [return value]; valid until the handle
 *	is closed
 *
 * Return: the number of CPUs.
 */
size_t barepmu_cpus(const struct barepmu *b, const uint32_t **cpus);

/**
 * barepmu_add_event() - add an event to a library handle
 * @b: handle that is not started
 * @event: name of one event with modifiers, as for "barepmu stat -e"
 * @err: filled in on failure
 *
 * Return: the number of the event, from 0 in the order of addition; -ENOENT if
 *	the CPU model has no such event, -EALREADY after barepmu_start(), or another
 *	negative errno.
 */
int barepmu_add_event(struct barepmu *b, const char *event,
		      struct barepmu_error *err);

/**
 * barepmu_add_metric() - let a library handle count a metric and the events that it needs
 * @b: handle that is not started
 * @metric: name of one metric, as for "barepmu stat -M"
 * @err: filled in on failure
 *
 * Metrics and events are numbered separately. The events that a metric needs get no
 * numbers: barepmu_event() cannot read them.
 *
 * Return: the number of the metric, from 0 in the order of addition; -EALREADY
 *	after barepmu_start(), or another negative errno.
 */
int barepmu_add_metric(struct barepmu *b, const char *metric,
		       struct barepmu_error *err);

/**
 * barepmu_start() - schedule all events of a library handle and start to count
 * @b: handle with events or metrics. It can be started only once; after a failure it
 *	can only be closed
 * @interval_ns: length of an interval in ns; 0 for a single interval, which ends with
 *	barepmu_stop() or with the recording. Intervals of a recording must not be shorter
 *	than those that were recorded
 * @err: filled in on failure
 *
 * Events that do not fit on the counters at once are multiplexed. The
 * half-widths of values include the resulting uncertainty.
 *
 * Return: 0; -EPERM without CAP_PERFMON; -EBUSY if another session or perf uses
 * the counters; -EADDRINUSE if a driver uses the counters of the uncore; -EALREADY
 * if the handle was started before; or another negative errno.
 */
int barepmu_start(struct barepmu *b, uint64_t interval_ns,
		  struct barepmu_error *err);

/**
 * barepmu_fd() - file descriptor by which a library's user waits for an interval
 * @b: started handle
 *
 * Return: a descriptor for poll(), which barepmu_close() closes. It is readable when
 * an interval may have ended; then call barepmu_read() until that returns 0. -1 for a
 * recording, which needs no wait, and before barepmu_start().
 */
int barepmu_fd(const struct barepmu *b);

/**
 * barepmu_read() - read the next interval of a library handle
 * @b: handle, started or stopped
 * @interval: filled in if there is an interval
 * @err: filled in on failure
 *
 * This function does not wait.
 *
 * Return: 1 if @interval was filled in; 0 if the next interval has not ended yet, or if
 * no interval is left at the end of a recording or after barepmu_stop(); -EINVAL if the
 * handle is not started; or another negative errno.
 */
int barepmu_read(struct barepmu *b, struct barepmu_interval *interval,
		 struct barepmu_error *err);

/**
 * barepmu_event() - value of an event in the interval that a library handle has read last
 * @b: handle with which barepmu_read() has read an interval
 * @event: number from barepmu_add_event()
 * @cpu: number of one of the handle's CPUs, or %BAREPMU_ALL_CPUS for the sum over them
 * @value: filled in
 *
 * An event that is counted once for a whole package, such as an event of the uncore, is
 * read by one CPU of each package; it has no value on the other CPUs.
 *
 * Return: 0, or -EINVAL if there is no such event, CPU or interval.
 */
int barepmu_event(const struct barepmu *b, unsigned int event, int cpu,
		  struct barepmu_value *value);

/**
 * barepmu_metric() - value of a metric in the interval that a library handle has read last
 * @b: handle with which barepmu_read() has read an interval
 * @metric: number from barepmu_add_metric()
 * @value: filled in
 *
 * Return: 0, or -EINVAL if there is no such metric or interval.
 */
int barepmu_metric(const struct barepmu *b, unsigned int metric,
		   struct barepmu_value *value);

/**
 * barepmu_stop() - let a library handle stop counting
 * @b: handle; barepmu_read() still returns the intervals up to the stop
 * @err: filled in on failure
 *
 * This does nothing if the handle is not counting; the handle of a recording never is.
 *
 * Return: 0 or a negative errno; counting has stopped even after an error.
 */
int barepmu_stop(struct barepmu *b, struct barepmu_error *err);

/**
 * barepmu_evaluate() - let the library evaluate a metric from given counts, without a PMU
 * @part: short name of the CPU model of the counts, such as "ivb"
 * @metric: name of the metric, as for barepmu_add_metric()
 * @counts: counts of the events that the metric needs, [@nr]; other events are allowed. Names such
 *	as "SECONDS" stand for constants, see barepmu-metrics(5)
 * @nr: number of counts
 * @value: filled in on success; its half-width assumes independent errors of the
 *	counts
 * @err: filled in on failure
 *
 * If @counts lacks an event that the metric needs, &barepmu_value.known is false and
 * the flag %BAREPMU_MISSING is set in @value.
 *
 * Return: 0, -ENOENT if @part or an event is unknown, -EINVAL if an event is given
 *	twice, or another negative errno.
 */
int barepmu_evaluate(const char *part, const char *metric,
		     const struct barepmu_count *counts, size_t nr,
		     struct barepmu_value *value, struct barepmu_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAREPMU_H */
