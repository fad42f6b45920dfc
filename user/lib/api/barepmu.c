// SPDX-License-Identifier: GPL-2.0
#include "barepmu.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/version.h"
#include "count/flaw.h"
#include "count/spread.h"
#include "event/part.h"
#include "metric/metric_constant.h"
#include "replay/report_replay.h"
#include "source/analysis.h"
#include "source/live.h"
#include "source/series.h"

/*
 * The timer of barepmu_fd() expires this many ns after the end of an interval. By then all CPUs
 * have taken the sample that ends the interval.
 */
#define LATE_NS (2 * BPMU_NS_PER_MS)

/* Error messages that are not about an event, a metric or a file begin with this name. */
#define LIBRARY "libbarepmu"

#define EXPORT __attribute__((visibility("default")))

/*
 * Asserts that a flag has the same value in &enum barepmu_flag, which programs see, as in &enum
 * bpmu_value_flag, which the library uses. So the library copies a mask of flags as it is.
 */
#define SAME(flag) _Static_assert((int)BAREPMU_##flag == (int)BPMU_VALUE_##flag, #flag)
SAME(BELOW_0);
SAME(ABOVE_1);
SAME(DIVIDED_BY_0);
SAME(MISSING);
SAME(WRAPPED);
SAME(ERRATUM);
SAME(UNSURE);
SAME(UNDECIDED);
SAME(DISTURBED);
SAME(FAILED);
SAME(PREFETCH);
SAME(UNCORRECTED);
SAME(NORMALISED);
SAME(UNSEEN);
SAME(BURSTY);
_Static_assert((int)BAREPMU_FEW_SLICES == (int)BPMU_VALUE_FEW, "few slices");
_Static_assert((int)BAREPMU_MIXED_GROUPS == (int)BPMU_VALUE_MIXED, "mixed");

/**
 * struct result - an interval with its values, in the queue for barepmu_read()
 * @next: next interval in the queue, or NULL
 * @interval: description of the interval
 * @metric: values, [nr_metrics]
 * @event: values, [nr_events][1 + nr_cpus]: element 0 of an event is the sum over all
 *	CPUs, element 1 + i is the count on the CPU with index i in the handle's list of CPUs
 */
struct result {
	struct result *next;
	struct barepmu_interval interval;
	struct barepmu_value *metric;
	struct barepmu_value event[];
};

/* State of a handle: barepmu_start() has not been called, has succeeded, or has failed. */
enum state { OPEN, STARTED, FAILED };

/**
 * struct barepmu - a handle of the library
 * @state: whether the handle was started
 * @type: CPUs and PMU of the handle's core type, and what is counted: events, or metrics and their
 *	groups of events
 * @path: path of the recording; NULL for a live handle
 * @file: recording; NULL for a live handle
 * @replay: parameters of the replay of @file
 * @replaying: state of the replay, or NULL
 * @more: true until the last interval of @file was read
 * @event: names of the events, [@nr_events]
 * @nr_events: number of events
 * @metric: names of the metrics, [@nr_metrics]
 * @nr_metrics: number of metrics
 * @spec: @event, parsed, [@nr_events]. Empty if the handle has no metrics: @type then has the
 *	parsed events
 * @own: those events in @spec that no metric needs
 * @index: index of each metric of @metric in the list of metrics of @type, [@nr_metrics]
 * @measure: parameters of the measurement, such as the length of an interval
 * @series: converts samples to intervals; NULL for a recording
 * @fd: epoll descriptor for barepmu_fd(), or -1
 * @timer: timer for the end of an interval, in @fd, or -1
 * @running: true while the handle owns the module's only session (the right to count)
 * @nr_intervals: number of intervals that were queued
 * @oldest: queue of intervals, oldest first
 * @newest: last interval in the queue, or NULL
 * @read: interval that barepmu_read() returned last, or NULL
 * @failed: true if an interval was lost for lack of memory
 */
struct barepmu {
	enum state state;
	struct bpmu_core_type type;
	char *path;
	struct bpmu_recording_file *file;
	struct bpmu_replay replay;
	struct bpmu_replaying *replaying;
	bool more;
	char **event;
	unsigned int nr_events;
	char **metric;
	unsigned int nr_metrics;
	struct bpmu_event_list spec;
	struct bpmu_event_list own;
	int *index;
	struct bpmu_measure measure;
	struct bpmu_series *series;
	int fd;
	int timer;
	bool running;
	unsigned int nr_intervals;
	struct result *oldest;
	struct result *newest;
	struct result *read;
	bool failed;
};

/* Copies the message of a failed call (@code < 0) to @to unless @to is NULL; returns @code. */
static int give_error(struct barepmu_error *to, const struct bpmu_error *from,
		      int code)
{
	if (to && code < 0)
		snprintf(to->text, sizeof(to->text), "%s", from->text);
	return code;
}

EXPORT const char *barepmu_version(void)
{
	return BPMU_VERSION;
}

static struct barepmu *new_handle(struct bpmu_error *err)
{
	struct barepmu *b = calloc(1, sizeof(*b));

	if (!b) {
		bpmu_error_no_memory(err, LIBRARY);
		return NULL;
	}
	b->fd = -1;
	b->timer = -1;
	return b;
}

EXPORT int barepmu_open(struct barepmu **handle, const char *cpus,
			struct barepmu_error *error)
{
	struct bpmu_error err = { };
	struct barepmu *b = new_handle(&err);
	int code;

	*handle = NULL;
	if (!b)
		return give_error(error, &err, -ENOMEM);
	code = bpmu_target_open(&b->type.target, cpus, &err);
	if (code)
		barepmu_close(b);
	else
		*handle = b;
	return give_error(error, &err, code);
}

static int open_recording(struct barepmu *b, const char *path,
			  const char *cpus, struct bpmu_error *err)
{
	int code;

	b->path = strdup(path);
	if (!b->path)
		return bpmu_error_no_memory(err, LIBRARY);
	code = bpmu_recording_open(&b->file, path, err);
	if (code)
		return code;
	b->replay.name = b->path;
	b->replay.file = b->file;
	return bpmu_replay_target(&b->replay, &b->type.target, cpus, err);
}

EXPORT int barepmu_open_recording(struct barepmu **handle, const char *path,
				  const char *cpus, struct barepmu_error *error)
{
	struct bpmu_error err = { };
	struct barepmu *b = new_handle(&err);
	int code;

	*handle = NULL;
	if (!b)
		return give_error(error, &err, -ENOMEM);
	code = open_recording(b, path, cpus, &err);
	if (code)
		barepmu_close(b);
	else
		*handle = b;
	return give_error(error, &err, code);
}

static void free_result(struct result *result)
{
	if (result)
		free(result->metric);
	free(result);
}

static void release_session(struct barepmu *b)
{
	struct bpmu_error ignored;

	if (b->running)
		bpmu_client_release(b->type.target.client, &ignored);
	b->running = false;
}

EXPORT void barepmu_close(struct barepmu *b)
{
	struct result *result;
	unsigned int i;

	if (!b)
		return;
	release_session(b);
	bpmu_replay_end(b->replaying);
	bpmu_series_free(b->series);
	while ((result = b->oldest)) {
		b->oldest = result->next;
		free_result(result);
	}
	free_result(b->read);
	bpmu_core_type_free(&b->type);
	bpmu_event_list_free(&b->spec);
	free(b->own.spec);
	for (i = 0; i < b->nr_events; i++)
		free(b->event[i]);
	for (i = 0; i < b->nr_metrics; i++)
		free(b->metric[i]);
	free(b->event);
	free(b->metric);
	free(b->index);
	if (b->file)
		bpmu_recording_shut(b->file);
	free(b->path);
	if (b->timer >= 0)
		close(b->timer);
	if (b->fd >= 0)
		close(b->fd);
	free(b);
}

EXPORT const char *barepmu_part(const struct barepmu *b)
{
	return b->type.target.info.part;
}

EXPORT size_t barepmu_cpus(const struct barepmu *b, const uint32_t **cpus)
{
	if (cpus)
		*cpus = b->type.target.cpus.cpu;
	return b->type.target.cpus.nr;
}

/* Appends a copy of a name to a list; returns the index of the copy, or -ENOMEM. */
static int keep_copy(char ***names, unsigned int *nr, const char *name,
		     struct bpmu_error *err)
{
	char **grown = reallocarray(*names, *nr + 1, sizeof(*grown));

	if (!grown)
		return bpmu_error_no_memory(err, LIBRARY);
	*names = grown;
	grown[*nr] = strdup(name);
	return grown[*nr] ? (int)(*nr)++ : bpmu_error_no_memory(err, LIBRARY);
}

static int check_open(const struct barepmu *b, const char *name,
		      struct bpmu_error *err)
{
	if (b->state == OPEN)
		return 0;
	return bpmu_error_set(err, -EALREADY,
		"%s: counting has begun; add it before barepmu_start()", name);
}

static int add_event(struct barepmu *b, const char *event,
		     struct bpmu_error *err)
{
	struct bpmu_event_list one = { };
	int code;

	code = check_open(b, event, err);
	if (code)
		return code;
	code = bpmu_event_list_parse(&b->type.target.info.pmu, b->type.target.smt, event,
				     &one, err);
	if (!code && one.nr != 1)
		code = bpmu_error_set(err, -EINVAL,
				      "%s: several events; add them one by one",
				      event);
	bpmu_event_list_free(&one);
	return code ? code : keep_copy(&b->event, &b->nr_events, event, err);
}

EXPORT int barepmu_add_event(struct barepmu *b, const char *event,
			     struct barepmu_error *error)
{
	struct bpmu_error err = { };

	return give_error(error, &err, add_event(b, event, &err));
}

/*
 * Returns the index of the metric that the user's text @name has chosen. -EINVAL if @name has
 * chosen no metric or more than one metric.
 */
static int single_metric(const struct bpmu_choice *choice, const char *name,
			 struct bpmu_error *err)
{
	int index = -1;
	unsigned int i;

	for (i = 0; i < choice->lines->nr; i++) {
		if (!choice->chosen[i])
			continue;
		if (index >= 0)
			return bpmu_error_set(err, -EINVAL,
				"%s: several metrics; name one",
				name);
		index = i;
	}
	return index >= 0 ? index : bpmu_error_set(err, -EINVAL,
				"%s: no such metric; see 'barepmu list metrics'",
				name);
}

static int add_metric(struct barepmu *b, const char *metric,
		      struct bpmu_error *err)
{
	struct bpmu_choice choice = { };
	int code;

	code = check_open(b, metric, err);
	if (code)
		return code;
	bpmu_vendor_this_cpu(&choice.vendor);
	choice.board = &b->type.target.info.pmu;
	code = bpmu_choice_add_names(&choice, metric, err);
	if (!code)
		code = bpmu_choice_load(&choice, &b->type.target.info.pmu, err);
	if (!code)
		code = single_metric(&choice, metric, err);
	if (code >= 0)
		code = keep_copy(&b->metric, &b->nr_metrics,
				 choice.lines->metric[code].name, err);
	bpmu_choice_free(&choice);
	return code;
}

EXPORT int barepmu_add_metric(struct barepmu *b, const char *metric,
			      struct barepmu_error *error)
{
	struct bpmu_error err = { };

	return give_error(error, &err, add_metric(b, metric, &err));
}

/*
 * Parses the events that barepmu_add_event() was called for. If an event is also needed by a
 * metric, a group has this event already; all other events are put into additional groups.
 */
static int join_events(struct barepmu *b, struct bpmu_error *err)
{
	int code = bpmu_event_list_parse(&b->type.target.info.pmu, b->type.target.smt,
					 b->type.wanted.text, &b->spec, err);

	if (code)
		return code;
	if (bpmu_tree_beside(&b->type.tree, &b->type.target.info.pmu, b->type.target.smt,
			     &b->spec, &b->own))
		return bpmu_error_no_memory(err, LIBRARY);
	return bpmu_tree_join(&b->type.tree, &b->own, false, err);
}

static int schedule_metrics(struct barepmu *b, struct bpmu_error *err)
{
	struct bpmu_core_type *type = &b->type;
	unsigned int i;
	int code = 0;

	for (i = 0; i < b->nr_metrics && !code; i++)
		code = bpmu_choice_add_names(&type->choice, b->metric[i], err);
	if (!code)
		code = bpmu_core_type_load(type, err);
	type->wish.level = BPMU_TREE_ALL;
	if (!code)
		code = bpmu_core_type_tree(type, err);
	if (code)
		return code;
	b->index = calloc(b->nr_metrics, sizeof(*b->index));
	if (!b->index)
		return bpmu_error_no_memory(err, LIBRARY);
	for (i = 0; i < b->nr_metrics; i++)
		b->index[i] = bpmu_metrics_find(&type->tree.metrics, b->metric[i]);
	return b->nr_events ? join_events(b, err) : 0;
}

static int schedule_all(struct barepmu *b, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	if (!b->nr_events && !b->nr_metrics)
		return bpmu_error_set(err, -EINVAL,
				      LIBRARY ": nothing to count; add an event or a metric");
	for (i = 0; i < b->nr_events && !code; i++)
		code = bpmu_wanted_add(&b->type.wanted, b->event[i], err);
	if (!code && b->nr_metrics)
		code = schedule_metrics(b, err);
	else if (!code)
		code = bpmu_core_type_schedule(&b->type, err);
	b->measure.groups[0] = b->type.groups;
	return code;
}

static void set_value(struct barepmu_value *value,
		      const struct bpmu_estimate *sum, unsigned int flags)
{
	value->known = bpmu_estimate_seen(sum);
	value->value = sum->value;
	value->half_width = bpmu_estimate_half_width(sum);
	value->running = sum->enabled ? (double)sum->running / sum->enabled : 0;
	value->flags = flags;
	if (!value->known)
		value->flags |= BPMU_VALUE_MISSING;
}

/*
 * Returns the parsed event @i, whose counters are looked up in the groups. If a metric needs the
 * same event, it is the event of the metric tree.
 */
static const struct bpmu_event_spec *event_of_groups(const struct barepmu *b,
						     unsigned int i)
{
	if (!b->nr_metrics)
		return &b->type.wanted.events.spec[i];
	return bpmu_tree_event(&b->type.tree, &b->spec.spec[i]) ?: &b->spec.spec[i];
}

static void fill_events(const struct barepmu *b,
			const struct bpmu_interval *interval,
			struct result *result)
{
	unsigned int nr = b->type.target.cpus.nr, pos, i;
	struct bpmu_estimate sum, all;
	const struct bpmu_event_spec *spec;
	struct barepmu_value *value;

	for (i = 0; i < b->nr_events; i++) {
		value = &result->event[(size_t)i * (1 + nr)];
		spec = event_of_groups(b, i);
		memset(&all, 0, sizeof(all));
		for (pos = 0; pos < nr; pos++) {
			memset(&sum, 0, sizeof(sum));
			bpmu_interval_estimate(b->measure.groups[0], interval,
					       pos, spec, &sum);
			set_value(&value[1 + pos], &sum,
				  result->interval.flags);
			bpmu_interval_estimate(b->measure.groups[0], interval,
					       pos, spec, &all);
		}
		set_value(&value[0], &all, result->interval.flags);
	}
}

/* Evaluates the metrics of an interval into @result; returns false if out of memory. */
static bool fill_metrics(struct barepmu *b, const struct bpmu_interval *interval,
			 struct result *result)
{
	struct bpmu_tree_value *values;
	unsigned int i;
	bool ok;

	result->metric = calloc(b->nr_metrics, sizeof(*result->metric));
	values = calloc(b->type.tree.metrics.nr, sizeof(*values));
	ok = result->metric && values;
	if (ok)
		bpmu_spread_eval(&b->type.tree, interval, b->type.target.cpus.nr, values);
	for (i = 0; i < b->nr_metrics && ok; i++)
		result->metric[i] = (struct barepmu_value){
			.known = values[b->index[i]].known,
			.value = values[b->index[i]].value,
			.half_width = bpmu_tree_half_width(&values[b->index[i]]),
			.running = 1,
			.flags = values[b->index[i]].flags |
				 result->interval.flags,
		};
	free(values);
	return ok;
}

static void queue_interval(void *data, const struct bpmu_interval *interval)
{
	unsigned int pos, nr, flaws;
	struct result *result;
	struct barepmu *b = data;

	nr = b->type.target.cpus.nr;
	result = calloc(1, sizeof(*result) +
			   (size_t)b->nr_events * (1 + nr) *
				   sizeof(result->event[0]));
	if (!result) {
		b->failed = true;
		return;
	}
	flaws = bpmu_flaws_of_values(bpmu_flaws_of(interval, nr));
	result->interval = (struct barepmu_interval){
		.index = b->nr_intervals++, .seconds = interval->seconds,
		.duration = interval->duration, .flags = flaws,
		.last = interval->last,
	};
	for (pos = 0; pos < nr; pos++)
		result->interval.lost += interval->lost[pos];
	fill_events(b, interval, result);
	if (b->nr_metrics && !fill_metrics(b, interval, result)) {
		b->failed = true;
		free_result(result);
		return;
	}
	if (b->oldest)
		b->newest->next = result;
	else
		b->oldest = result;
	b->newest = result;
}

static int fetch_samples(struct barepmu *b, struct bpmu_error *err)
{
	const struct bpmu_reader reader = {
		.samples = bpmu_series_add, .data = b->series,
	};

	return bpmu_client_read(b->type.target.client, &reader, err);
}

static int make_poll_fd(struct barepmu *b, struct bpmu_error *err)
{
	const u64 every = b->measure.interval_ns;
	const struct itimerspec time = {
		.it_interval = { every / BPMU_NS_PER_S, every % BPMU_NS_PER_S },
		.it_value = { (every + LATE_NS) / BPMU_NS_PER_S,
			      (every + LATE_NS) % BPMU_NS_PER_S },
	};
	struct epoll_event event = { .events = EPOLLIN };
	int listen = bpmu_client_listen_fd(b->type.target.client);

	b->fd = epoll_create1(EPOLL_CLOEXEC);
	if (b->fd < 0 || epoll_ctl(b->fd, EPOLL_CTL_ADD, listen, &event))
		return bpmu_error_set(err, -errno, "epoll: %s",
				      strerror(errno));
	if (!every)
		return 0;
	b->timer = timerfd_create(CLOCK_MONOTONIC,
				  TFD_CLOEXEC | TFD_NONBLOCK);
	if (b->timer < 0 || timerfd_settime(b->timer, 0, &time, NULL) ||
	    epoll_ctl(b->fd, EPOLL_CTL_ADD, b->timer, &event))
		return bpmu_error_set(err, -errno, "timer: %s",
				      strerror(errno));
	return 0;
}

static int start_session(struct barepmu *b, struct bpmu_error *err)
{
	struct bpmu_measure *m = &b->measure;
	int code;

	/*
	 * The module samples each CPU at the end of each interval, as for "barepmu stat -I". If a
	 * CPU took no sample then, because it was idle or its sample came late, the interval is
	 * merged with the next interval (@merge).
	 */
	m->merge = m->interval_ns;
	if (m->merge)
		m->timer = BPMU_TIMER_HARD;
	m->period_ns = bpmu_measure_period_ns(m);
	b->series = bpmu_series_new(m, bpmu_measure_batches(m));
	if (!b->series)
		return bpmu_error_no_memory(err, LIBRARY);
	code = bpmu_live_configure(m, err);
	if (code)
		return code;
	b->running = true;
	code = bpmu_client_start(b->type.target.client, err);
	/*
	 * The timer is started after the session, so that it never expires before an interval ends.
	 */
	return code ? code : make_poll_fd(b, err);
}

static int start_counting(struct barepmu *b, u64 interval_ns,
			  struct bpmu_error *err)
{
	int code;

	code = schedule_all(b, err);
	if (code)
		return code;
	b->measure.client = b->type.target.client;
	b->measure.info = &b->type.target.info;
	b->measure.cpus = b->type.target.cpus.cpu;
	b->measure.nr_cpus = b->type.target.cpus.nr;
	b->measure.interval_ns = interval_ns;
	b->measure.emit = queue_interval;
	b->measure.data = b;
	if (!b->file) {
		code = start_session(b, err);
		if (code)
			release_session(b);
		return code;
	}
	code = bpmu_replay_begin(&b->replaying, &b->replay, &b->measure, 1, err);
	b->more = !code;
	return code;
}

EXPORT int barepmu_start(struct barepmu *b, uint64_t interval_ns,
			 struct barepmu_error *error)
{
	struct bpmu_error err = { };
	int code;

	if (b->state != OPEN) {
		code = bpmu_error_set(&err, -EALREADY,
				      LIBRARY ": barepmu_start() was called before; open another handle");
		return give_error(error, &err, code);
	}
	code = start_counting(b, interval_ns, &err);
	b->state = code ? FAILED : STARTED;
	return give_error(error, &err, code);
}

EXPORT int barepmu_fd(const struct barepmu *b)
{
	return b->fd;
}

/* Reads the recording up to the end of the next interval. */
static int read_recording(struct barepmu *b, struct bpmu_error *err)
{
	int code;

	while (b->more && !b->oldest) {
		code = bpmu_replay_step(b->replaying, err);
		if (code < 0)
			return code;
		b->more = code;
	}
	return b->failed ? bpmu_error_no_memory(err, LIBRARY) : 0;
}

/* Fetches samples from the module; queues the next interval if the samples complete it. */
static int read_session(struct barepmu *b, struct bpmu_error *err)
{
	u64 expirations;
	int code;

	/* After the timer is read, poll() waits for its next expiry. */
	if (b->timer >= 0 && read(b->timer, &expirations, sizeof(expirations)) < 0 &&
	    errno != EAGAIN)
		return bpmu_error_set(err, -errno, "timer: %s",
				      strerror(errno));
	code = bpmu_client_listen_drain(b->type.target.client, err);
	if (!code)
		code = fetch_samples(b, err);
	if (!code)
		b->failed |= bpmu_series_emit(b->series, 1) < 0;
	return code || !b->failed ? code : bpmu_error_no_memory(err, LIBRARY);
}

static int read_interval(struct barepmu *b, struct barepmu_interval *interval,
			 struct bpmu_error *err)
{
	int code = 0;

	if (b->state != STARTED)
		return bpmu_error_set(err, -EINVAL,
			LIBRARY ": nothing is counted; call barepmu_start() before barepmu_read()");
	if (!b->oldest && b->file)
		code = read_recording(b, err);
	else if (!b->oldest && b->running)
		code = read_session(b, err);
	if (code || !b->oldest)
		return code;
	free_result(b->read);
	b->read = b->oldest;
	b->oldest = b->read->next;
	*interval = b->read->interval;
	return 1;
}

EXPORT int barepmu_read(struct barepmu *b, struct barepmu_interval *interval,
			struct barepmu_error *error)
{
	struct bpmu_error err = { };

	return give_error(error, &err, read_interval(b, interval, &err));
}

EXPORT int barepmu_event(const struct barepmu *b, unsigned int event, int cpu,
			 struct barepmu_value *value)
{
	const size_t nr = b->type.target.cpus.nr;
	size_t pos = 0;

	if (!b->read || event >= b->nr_events)
		return -EINVAL;
	if (cpu != BAREPMU_ALL_CPUS) {
		while (pos < nr && b->type.target.cpus.cpu[pos] != (u32)cpu)
			pos++;
		if (pos == nr)
			return -EINVAL;
		pos++;
	}
	*value = b->read->event[event * (1 + nr) + pos];
	return 0;
}

EXPORT int barepmu_metric(const struct barepmu *b, unsigned int metric,
			  struct barepmu_value *value)
{
	if (!b->read || metric >= b->nr_metrics)
		return -EINVAL;
	*value = b->read->metric[metric];
	return 0;
}

static int stop_session(struct barepmu *b, struct bpmu_error *err)
{
	int code;

	if (!b->running)
		return 0;
	code = bpmu_client_stop(b->type.target.client, err);
	if (!code)
		code = fetch_samples(b, err);
	if (!code)
		b->failed |= bpmu_series_finish(b->series) < 0;
	if (!code && b->failed)
		code = bpmu_error_no_memory(err, LIBRARY);
	release_session(b);
	return code;
}

EXPORT int barepmu_stop(struct barepmu *b, struct barepmu_error *error)
{
	struct bpmu_error err = { };

	return give_error(error, &err, stop_session(b, &err));
}

/**
 * struct evaluation - evaluation of a metric from counts that barepmu_evaluate() was given
 * @pmu: PMU of the CPU model: its counters and events
 * @choice: the metric that is evaluated
 * @tree: this metric, and all metrics and events that its formula needs
 * @index: index of this metric in @tree.metrics
 * @given: index of an event's count in the caller's array of counts; -1 if the caller gave no count
 *	of the event, [nr events of @tree]. Events of several names have the same count
 * @count: count of an event; NAN if the caller gave none, [nr events of @tree]
 * @values: values of @tree.metrics, [nr metrics]
 */
struct evaluation {
	struct bpmu_pmu pmu;
	struct bpmu_choice choice;
	struct bpmu_tree tree;
	int index;
	int *given;
	double *count;
	struct bpmu_tree_value *values;
};

/*
 * Sets @k to the index of the event with the name @event in the array of the events that the metric
 * needs. An event can have several names. If the metric needs no event of this name, @k is set to
 * the number of elements of this array. Returns 0, or a negative errno if the CPU model has no
 * event of this name.
 */
static int find_needed(const struct evaluation *e, const char *event,
		       unsigned int *k, struct bpmu_error *err)
{
	const struct bpmu_event_list *needed = &e->tree.events[0];
	const struct bpmu_event_spec *same;
	struct bpmu_event_spec spec;
	int code;

	for (*k = 0; *k < needed->nr; ++*k)
		if (!strcasecmp(needed->spec[*k].text, event))
			return 0;
	code = bpmu_event_parse(&e->pmu, 0, event, &spec, err);
	if (code)
		return code;
	same = bpmu_tree_event(&e->tree, &spec);
	if (same)
		*k = same - needed->spec;
	bpmu_event_free(&spec);
	return 0;
}

/* Enters the count @counts[@i] for each event of the tree that counts the same. */
static int enter_count(struct evaluation *e, const struct barepmu_count *counts,
		       size_t i, struct bpmu_error *err)
{
	const struct bpmu_event_list *needed = &e->tree.events[0];
	const struct bpmu_event_spec *same;
	unsigned int k;
	int code;

	code = find_needed(e, counts[i].event, &k, err);
	if (code || k == needed->nr)
		return code;
	if (e->given[k] >= 0)
		return bpmu_error_set(err, -EINVAL,
			"%s: counts the same as %s; leave one of them out",
			counts[i].event, counts[e->given[k]].event);
	same = bpmu_tree_event(&e->tree, &needed->spec[k]);
	for (k = 0; k < needed->nr; k++) {
		if (bpmu_tree_event(&e->tree, &needed->spec[k]) != same)
			continue;
		e->given[k] = i;
		e->count[k] = counts[i].value;
	}
	return 0;
}

static int enter_counts(struct evaluation *e,
			const struct barepmu_count *counts, size_t nr,
			struct bpmu_error *err)
{
	unsigned int k, events = e->tree.events[0].nr;
	int constant, code = 0;
	size_t i;

	e->given = calloc(events, sizeof(*e->given));
	e->count = calloc(events, sizeof(*e->count));
	e->values = calloc(e->tree.metrics.nr, sizeof(*e->values));
	if ((events && (!e->given || !e->count)) || !e->values)
		return bpmu_error_no_memory(err, LIBRARY);
	for (k = 0; k < events; k++) {
		e->given[k] = -1;
		e->count[k] = NAN;
	}
	for (i = 0; i < nr && !code; i++) {
		constant = bpmu_metric_constant(counts[i].event);
		if (constant >= 0)
			bpmu_tree_set(&e->tree, constant, counts[i].value);
		else
			code = enter_count(e, counts, i, err);
	}
	return code;
}

/* Evaluates the metric from the counts; returns NAN if the metric has no value. */
static double compute_value(struct evaluation *e)
{
	const double *groups[BPMU_TREE_GROUPS] = { e->count };

	bpmu_tree_eval(&e->tree, groups, e->values);
	return e->values[e->index].known ? e->values[e->index].value : NAN;
}

/* Returns the metric's value if the caller's count @i were @count, which the evaluation keeps. */
static double value_at(struct evaluation *e, size_t i, double count)
{
	unsigned int k;

	for (k = 0; k < e->tree.events[0].nr; k++)
		if (e->given[k] == (int)i)
			e->count[k] = count;
	return compute_value(e);
}

/*
 * Returns the half-width of the metric's confidence interval. Each count contributes half of the
 * change of the metric between the lower and the upper end of the count's own confidence interval.
 * The result is the square root of the sum of the squared contributions, because the errors of the
 * counts are independent. It is INFINITY if the metric has no value at the end of some count's
 * interval.
 */
static double compute_half_width(struct evaluation *e,
				 const struct barepmu_count *counts, size_t nr)
{
	double up, down, half, square = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		half = counts[i].half_width;
		if (!(half > 0))
			continue;
		up = value_at(e, i, counts[i].value + half);
		down = value_at(e, i, counts[i].value - half);
		value_at(e, i, counts[i].value);
		if (!isfinite(up - down))
			return INFINITY;
		square += (up - down) * (up - down) / 4;
	}
	return sqrt(square);
}

static int evaluate_counts(struct evaluation *e, const char *part,
			   const char *metric,
			   const struct barepmu_count *counts, size_t nr,
			   struct barepmu_value *value, struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = {
		.pmu = &e->pmu, .level = BPMU_TREE_ALL, .apart = true,
	};
	int code;

	code = bpmu_part_named(&e->pmu, part, err);
	if (code)
		return code;
	bpmu_part_platform(part, &e->choice.vendor.cpu,
			   &e->choice.vendor.stepping);
	e->choice.apart = true;
	code = bpmu_choice_add_names(&e->choice, metric, err);
	if (!code)
		code = bpmu_choice_load(&e->choice, &e->pmu, err);
	if (!code)
		code = single_metric(&e->choice, metric, err);
	if (code < 0)
		return code;
	e->index = code;
	bpmu_choice_wish(&e->choice, &wish);
	code = bpmu_tree_make(&e->tree, &wish, err);
	if (!code)
		code = enter_counts(e, counts, nr, err);
	if (code)
		return code;
	value->half_width = compute_half_width(e, counts, nr);
	value->value = compute_value(e);
	value->known = e->values[e->index].known;
	value->flags = e->values[e->index].flags;
	value->running = 1;
	return 0;
}

EXPORT int barepmu_evaluate(const char *part, const char *metric,
			    const struct barepmu_count *counts, size_t nr,
			    struct barepmu_value *value,
			    struct barepmu_error *error)
{
	struct evaluation e = { };
	struct bpmu_error err = { };
	int code;

	code = evaluate_counts(&e, part, metric, counts, nr, value, &err);
	bpmu_tree_free(&e.tree);
	bpmu_choice_free(&e.choice);
	free(e.given);
	free(e.count);
	free(e.values);
	return give_error(error, &err, code);
}
