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
#include "source/live.h"
#include "source/machine.h"
#include "source/series.h"
#include "source/target.h"
#include "source/tree_target.h"
#include "source/wanted.h"
#include "tree/metric_choice.h"

/* A timer for the descriptor expires a little after the end of an interval. */
#define LATE_NS (2 * BPMU_NS_PER_MS)

#define EXPORT __attribute__((visibility("default")))

/* The library's flags equal those of the files below it. */
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
_Static_assert((int)BAREPMU_MIXED_GROUPS == (int)BPMU_VALUE_MIXED, "mixed");

/**
 * struct result - an interval in the queue for barepmu_read()
 * @next: next interval
 * @interval: description of the interval
 * @metric: values, [metric]
 * @event: values, [event][1 + nr_cpus]: element 0 is over all CPUs, 1 +
 *	position of one CPU
 */
struct result {
	struct result *next;
	struct barepmu_interval interval;
	struct barepmu_value *metric;
	struct barepmu_value event[];
};

/**
 * struct barepmu - state of a handle
 * @target: CPUs and PMU
 * @file: recording, or NULL
 * @replay: replay of @file
 * @replaying: the replay has started
 * @more: @file has further intervals
 * @event: names of the events, [@nr_events]
 * @nr_events: number of events
 * @metric: names of the metrics, [@nr_metrics]
 * @nr_metrics: number of metrics
 * @wanted: events on counters, if there are no metrics
 * @spec: events as they are counted
 * @own: the events of @spec that no metric needs
 * @choice: definitions of the metrics
 * @tree: tree of the metrics
 * @line: line of each metric, [metric]
 * @errata: errata of the CPU
 * @machine: constants of the machine for metrics
 * @measure: parameters of the measurement
 * @series: converts samples to intervals
 * @fd: epoll descriptor for barepmu_fd(), or -1
 * @timer: timer for the end of an interval, in @fd, or -1
 * @running: the module counts
 * @oldest: queue of intervals, oldest first
 * @newest: last interval in the queue
 * @read: interval that was read last
 * @failed: an interval could not be kept
 */
struct barepmu {
	struct bpmu_target target;
	struct bpmu_recording_file *file;
	struct bpmu_replay replay;
	struct bpmu_replaying *replaying;
	bool more;
	char **event;
	unsigned int nr_events;
	char **metric;
	unsigned int nr_metrics;
	struct bpmu_wanted wanted;
	struct bpmu_event_list spec;
	struct bpmu_event_list own;
	struct bpmu_choice choice;
	struct bpmu_tree tree;
	int *line;
	struct bpmu_errata_cpu errata;
	struct bpmu_machine machine;
	struct bpmu_measure measure;
	struct bpmu_series *series;
	int fd;
	int timer;
	bool running;
	struct result *oldest;
	struct result *newest;
	struct result *read;
	bool failed;
};

/* Users of the library only get the sentence. */
static int tell(struct barepmu_error *to, const struct bpmu_error *from,
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
		bpmu_error_no_memory(err, "libbarepmu");
		return NULL;
	}
	b->fd = -1;
	b->timer = -1;
	return b;
}

EXPORT int barepmu_open(struct barepmu **to, const char *cpus,
			struct barepmu_error *said)
{
	struct bpmu_error err = { };
	struct barepmu *b = new_handle(&err);
	int code;

	*to = NULL;
	if (!b)
		return tell(said, &err, -ENOMEM);
	code = bpmu_target_open(&b->target, cpus, &err);
	if (code)
		barepmu_close(b);
	else
		*to = b;
	return tell(said, &err, code);
}

static int open_file(struct barepmu *b, const char *path, const char *cpus,
		     struct bpmu_error *err)
{
	int code;

	b->replay.name = strdup(path);
	if (!b->replay.name)
		return bpmu_error_no_memory(err, "libbarepmu");
	code = bpmu_recording_open(&b->file, path, err);
	if (code)
		return code;
	b->replay.file = b->file;
	return bpmu_replay_target(&b->replay, &b->target, cpus, err);
}

EXPORT int barepmu_open_recording(struct barepmu **to, const char *path,
				  const char *cpus, struct barepmu_error *said)
{
	struct bpmu_error err = { };
	struct barepmu *b = new_handle(&err);
	int code;

	*to = NULL;
	if (!b)
		return tell(said, &err, -ENOMEM);
	code = open_file(b, path, cpus, &err);
	if (code)
		barepmu_close(b);
	else
		*to = b;
	return tell(said, &err, code);
}

static void free_result(struct result *result)
{
	if (result)
		free(result->metric);
	free(result);
}

static void end_live(struct barepmu *b)
{
	struct bpmu_error ignored;

	if (b->running)
		bpmu_client_release(b->target.client, &ignored);
	b->running = false;
}

EXPORT void barepmu_close(struct barepmu *b)
{
	struct result *result;
	unsigned int i;

	if (!b)
		return;
	end_live(b);
	bpmu_replay_end(b->replaying);
	bpmu_series_free(b->series);
	while ((result = b->oldest)) {
		b->oldest = result->next;
		free_result(result);
	}
	free_result(b->read);
	bpmu_tree_free(&b->tree);
	bpmu_choice_free(&b->choice);
	bpmu_event_list_free(&b->spec);
	free(b->own.spec);
	bpmu_wanted_free(&b->wanted);
	for (i = 0; i < b->nr_events; i++)
		free(b->event[i]);
	for (i = 0; i < b->nr_metrics; i++)
		free(b->metric[i]);
	free(b->event);
	free(b->metric);
	free(b->line);
	bpmu_target_close(&b->target);
	if (b->file)
		bpmu_recording_shut(b->file);
	free((char *)b->replay.name);
	if (b->timer >= 0)
		close(b->timer);
	if (b->fd >= 0)
		close(b->fd);
	free(b);
}

EXPORT const char *barepmu_part(const struct barepmu *b)
{
	return b->target.info.part;
}

EXPORT size_t barepmu_cpus(const struct barepmu *b, const uint32_t **cpus)
{
	if (cpus)
		*cpus = b->target.cpus.cpu;
	return b->target.cpus.nr;
}

/* Returns the number of the name, or -ENOMEM. */
static int keep_name(char ***names, unsigned int *nr, const char *name,
		     struct bpmu_error *err)
{
	char **grown = reallocarray(*names, *nr + 1, sizeof(*grown));

	if (!grown)
		return bpmu_error_no_memory(err, "libbarepmu");
	*names = grown;
	grown[*nr] = strdup(name);
	return grown[*nr] ? (int)(*nr)++ : bpmu_error_no_memory(err, "libbarepmu");
}

static int check_state(const struct barepmu *b, const char *name,
		       struct bpmu_error *err)
{
	if (!b->measure.groups[0])
		return 0;
	return bpmu_error_set(err, -EBUSY,
			      "%s: counting has begun; add it before", name);
}

static int add_event(struct barepmu *b, const char *event,
		     struct bpmu_error *err)
{
	struct bpmu_event_list one = { };
	int code;

	code = check_state(b, event, err);
	if (code)
		return code;
	code = bpmu_event_list_parse(&b->target.info.pmu, b->target.smt, event,
				     &one, err);
	if (!code && one.nr != 1)
		code = bpmu_error_set(err, -EINVAL,
				      "%s: several events; add one after the other",
				      event);
	bpmu_event_list_free(&one);
	return code ? code : keep_name(&b->event, &b->nr_events, event, err);
}

EXPORT int barepmu_add_event(struct barepmu *b, const char *event,
			     struct barepmu_error *said)
{
	struct bpmu_error err = { };

	return tell(said, &err, add_event(b, event, &err));
}

/* Finds the single line with a name; returns its number or -EINVAL. */
static int the_line(const struct bpmu_choice *choice, const char *name,
		    struct bpmu_error *err)
{
	int line = -1;
	unsigned int i;

	for (i = 0; i < choice->lines->nr; i++) {
		if (!choice->chosen[i])
			continue;
		if (line >= 0)
			return bpmu_error_set(err, -EINVAL,
				"%s: several metrics; add one after the other",
				name);
		line = i;
	}
	return line >= 0 ? line : bpmu_error_set(err, -EINVAL,
				"%s: no metric; see 'barepmu list metrics'",
				name);
}

static int add_metric(struct barepmu *b, const char *metric,
		      struct bpmu_error *err)
{
	struct bpmu_choice choice = { };
	int code;

	code = check_state(b, metric, err);
	if (code)
		return code;
	bpmu_vendor_this_cpu(&choice.vendor);
	choice.board = &b->target.info.pmu;
	code = bpmu_choice_add_names(&choice, metric, err);
	if (!code)
		code = bpmu_choice_load(&choice, &b->target.info.pmu, err);
	if (!code)
		code = the_line(&choice, metric, err);
	if (code >= 0)
		code = keep_name(&b->metric, &b->nr_metrics,
				 choice.lines->metric[code].name, err);
	bpmu_choice_free(&choice);
	return code;
}

EXPORT int barepmu_add_metric(struct barepmu *b, const char *metric,
			      struct barepmu_error *said)
{
	struct bpmu_error err = { };

	return tell(said, &err, add_metric(b, metric, &err));
}

static int parse_events(struct barepmu *b, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < b->nr_events && !code; i++)
		code = bpmu_wanted_add(&b->wanted, b->event[i], err);
	if (!code)
		code = bpmu_event_list_parse(&b->target.info.pmu,
					     b->target.smt, b->wanted.text,
					     &b->spec, err);
	return code;
}

/* Events that no metric counts get groups of their own. */
static int join_events(struct barepmu *b, struct bpmu_error *err)
{
	if (bpmu_tree_beside(&b->tree, &b->target.info.pmu, b->target.smt,
			     &b->spec, &b->own))
		return bpmu_error_no_memory(err, "libbarepmu");
	return bpmu_groups_join(&b->tree.groups, &b->own, false, err);
}

static int api_schedule_metrics(struct barepmu *b, struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = {
		.errata = &b->errata, .level = BPMU_TREE_ALL,
	};
	unsigned int i;
	int code = 0;

	bpmu_errata_cpu_init(&b->errata, &b->target.info, b->target.smt);
	bpmu_vendor_this_cpu(&b->choice.vendor);
	b->choice.board = &b->target.info.pmu;
	for (i = 0; i < b->nr_metrics && !code; i++)
		code = bpmu_choice_add_names(&b->choice, b->metric[i], err);
	if (!code)
		code = bpmu_choice_load(&b->choice, &b->target.info.pmu, err);
	if (!code)
		code = bpmu_machine_find(&b->machine, &b->target, err);
	if (code)
		return code;
	bpmu_choice_wish(&b->choice, &wish);
	code = bpmu_tree_on_target(&b->tree, &wish, &b->target, err);
	if (code)
		return code;
	bpmu_machine_set(&b->machine, &b->tree);
	b->line = calloc(b->nr_metrics, sizeof(*b->line));
	if (!b->line)
		return bpmu_error_no_memory(err, "libbarepmu");
	for (i = 0; i < b->nr_metrics; i++)
		b->line[i] = bpmu_metrics_find(&b->tree.metrics, b->metric[i]);
	return b->nr_events ? join_events(b, err) : 0;
}

static int api_schedule(struct barepmu *b, struct bpmu_error *err)
{
	int code = 0;

	if (!b->nr_events && !b->nr_metrics)
		return bpmu_error_set(err, -EINVAL,
				      "libbarepmu: nothing to count; add an event or a metric");
	if (b->nr_events)
		code = parse_events(b, err);
	if (!code && b->nr_metrics)
		code = api_schedule_metrics(b, err);
	else if (!code)
		code = bpmu_wanted_schedule(&b->wanted, &b->target, err);
	if (code)
		return code;
	b->measure.groups[0] = b->nr_metrics ? &b->tree.groups : &b->wanted.groups;
	return 0;
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

static void count(const struct barepmu *b, const struct bpmu_interval *interval,
		  struct result *result)
{
	unsigned int nr = b->target.cpus.nr, pos, i;
	struct bpmu_estimate sum, all;
	const struct bpmu_event_spec *spec;
	struct barepmu_value *value;

	for (i = 0; i < b->nr_events; i++) {
		value = &result->event[(size_t)i * (1 + nr)];
		spec = b->nr_metrics ? bpmu_tree_event(&b->tree,
						       &b->spec.spec[i]) : NULL;
		spec = spec ?: &b->spec.spec[i];
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

static bool compute(struct barepmu *b, const struct bpmu_interval *interval,
		    struct result *result)
{
	struct bpmu_tree_value *values;
	unsigned int i;
	bool ok;

	result->metric = calloc(b->nr_metrics, sizeof(*result->metric));
	values = calloc(b->tree.metrics.nr, sizeof(*values));
	ok = result->metric && values;
	if (ok)
		bpmu_spread_eval(&b->tree, interval, b->target.cpus.nr, values);
	for (i = 0; i < b->nr_metrics && ok; i++)
		result->metric[i] = (struct barepmu_value){
			.known = values[b->line[i]].known,
			.value = values[b->line[i]].value,
			.half_width = values[b->line[i]].uncertainty,
			.running = 1,
			.flags = values[b->line[i]].flags |
				 result->interval.flags,
		};
	free(values);
	return ok;
}

static void keep_interval(void *data, const struct bpmu_interval *interval)
{
	unsigned int pos, nr, flaws;
	struct result *result;
	struct barepmu *b = data;

	nr = b->target.cpus.nr;
	result = calloc(1, sizeof(*result) +
			   (size_t)b->nr_events * (1 + nr) *
				   sizeof(result->event[0]));
	if (!result) {
		b->failed = true;
		return;
	}
	flaws = bpmu_flaws_of_values(bpmu_flaws_of(interval, nr));
	result->interval = (struct barepmu_interval){
		.index = interval->index, .seconds = interval->seconds,
		.duration = interval->duration, .flags = flaws,
		.last = interval->last,
	};
	for (pos = 0; pos < nr; pos++)
		result->interval.lost += interval->lost[pos];
	count(b, interval, result);
	if (b->nr_metrics && !compute(b, interval, result)) {
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

static int fetch(struct barepmu *b, struct bpmu_error *err)
{
	const struct bpmu_reader reader = {
		.sample = bpmu_series_add, .data = b->series,
	};
	int code;

	code = bpmu_client_read(b->target.client, &reader, err);
	if (code)
		return code;
	return bpmu_series_failed(b->series) || b->failed ?
	       bpmu_error_no_memory(err, "libbarepmu") : 0;
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
	int listen = bpmu_client_listen_fd(b->target.client);

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

static int begin_live(struct barepmu *b, struct bpmu_error *err)
{
	struct bpmu_measure *m = &b->measure;
	int code;

	m->period_ns = bpmu_measure_period_ns(m);
	b->series = bpmu_series_new(m, bpmu_measure_batches(m));
	if (!b->series)
		return bpmu_error_no_memory(err, "libbarepmu");
	code = bpmu_live_configure(m, err);
	if (code)
		return code;
	b->running = true;
	code = make_poll_fd(b, err);
	return code ? code : bpmu_client_start(b->target.client, err);
}

static int start(struct barepmu *b, u64 interval_ns, struct bpmu_error *err)
{
	int code;

	code = check_state(b, "start", err);
	if (!code)
		code = api_schedule(b, err);
	if (code)
		return code;
	b->measure.client = b->target.client;
	b->measure.info = &b->target.info;
	b->measure.cpus = b->target.cpus.cpu;
	b->measure.nr_cpus = b->target.cpus.nr;
	b->measure.interval_ns = interval_ns;
	b->measure.emit = keep_interval;
	b->measure.data = b;
	if (!b->file) {
		code = begin_live(b, err);
		if (code)
			end_live(b);
		return code;
	}
	code = bpmu_replay_begin(&b->replaying, &b->replay, &b->measure, err);
	b->more = !code;
	return code;
}

EXPORT int barepmu_start(struct barepmu *b, uint64_t interval_ns,
			 struct barepmu_error *said)
{
	struct bpmu_error err = { };

	return tell(said, &err, start(b, interval_ns, &err));
}

EXPORT int barepmu_fd(const struct barepmu *b)
{
	return b->fd;
}

/* A recording is read up to the next interval. */
static int replay(struct barepmu *b, struct bpmu_error *err)
{
	int code;

	while (b->more && !b->oldest) {
		code = bpmu_replay_step(b->replaying, err);
		if (code < 0)
			return code;
		b->more = code;
	}
	return b->failed ? bpmu_error_no_memory(err, "libbarepmu") : 0;
}

static int take_live(struct barepmu *b, struct bpmu_error *err)
{
	u64 ticks;
	int code;

	/* The timer only tells that the time has come. */
	if (b->timer >= 0 && read(b->timer, &ticks, sizeof(ticks)) < 0 &&
	    errno != EAGAIN)
		return bpmu_error_set(err, -errno, "timer: %s",
				      strerror(errno));
	code = bpmu_client_listen_drain(b->target.client, err);
	if (!code)
		code = fetch(b, err);
	if (!code)
		bpmu_series_emit(b->series, 1);
	return code || !b->failed ? code : bpmu_error_no_memory(err, "libbarepmu");
}

static int read_interval(struct barepmu *b, struct barepmu_interval *interval,
			 struct bpmu_error *err)
{
	int code = 0;

	if (!b->oldest && b->file)
		code = replay(b, err);
	else if (!b->oldest && b->running)
		code = take_live(b, err);
	if (code || !b->oldest)
		return code;
	free_result(b->read);
	b->read = b->oldest;
	b->oldest = b->read->next;
	*interval = b->read->interval;
	return 1;
}

EXPORT int barepmu_read(struct barepmu *b, struct barepmu_interval *interval,
			struct barepmu_error *said)
{
	struct bpmu_error err = { };

	return tell(said, &err, read_interval(b, interval, &err));
}

EXPORT int barepmu_event(const struct barepmu *b, unsigned int event, int cpu,
			 struct barepmu_value *value)
{
	const size_t nr = b->target.cpus.nr;
	size_t pos = 0;

	if (!b->read || event >= b->nr_events)
		return -EINVAL;
	if (cpu != BAREPMU_ALL_CPUS) {
		while (pos < nr && b->target.cpus.cpu[pos] != (u32)cpu)
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

static int stop(struct barepmu *b, struct bpmu_error *err)
{
	int code;

	if (!b->running)
		return 0;
	code = bpmu_client_stop(b->target.client, err);
	if (!code)
		code = fetch(b, err);
	if (!code)
		bpmu_series_finish(b->series);
	if (!code && b->failed)
		code = bpmu_error_no_memory(err, "libbarepmu");
	end_live(b);
	return code;
}

EXPORT int barepmu_stop(struct barepmu *b, struct barepmu_error *said)
{
	struct bpmu_error err = { };

	return tell(said, &err, stop(b, &err));
}

/**
 * struct evaluation - evaluation of a metric from counts
 * @pmu: description of a PMU of the part
 * @choice: definition of the metric
 * @tree: tree of the metric
 * @line: line of the metric
 * @events: index of the count, or -1, [event of the tree]
 * @count: counts of the tree's events, [event]
 * @values: values of all lines, [line]
 */
struct evaluation {
	struct bpmu_pmu pmu;
	struct bpmu_choice choice;
	struct bpmu_tree tree;
	int line;
	int *events;
	double *count;
	struct bpmu_tree_value *values;
};

/* Returns 1 if the tree needs the event. */
static int match(struct evaluation *e, const struct barepmu_count *counts,
		 size_t i, struct bpmu_error *err)
{
	const struct bpmu_event_list *needed = &e->tree.events[0];
	const struct bpmu_event_spec *same;
	struct bpmu_event_spec spec;
	struct bpmu_error why;
	unsigned int k;

	for (k = 0; k < needed->nr; k++)
		if (!strcasecmp(needed->spec[k].text, counts[i].event))
			break;
	if (k == needed->nr &&
	    !bpmu_event_parse(&e->pmu, 0, counts[i].event, &spec, &why)) {
		same = bpmu_tree_event(&e->tree, &spec);
		k = same ? same - needed->spec : needed->nr;
		bpmu_event_free(&spec);
	} else if (k == needed->nr) {
		*err = why;
		return -EINVAL;
	}
	if (k < needed->nr && e->events[k] >= 0)
		return bpmu_error_set(err, -EINVAL,
			"%s: %s counts the same; leave one of them out",
			counts[i].event, counts[e->events[k]].event);
	if (k < needed->nr) {
		e->events[k] = i;
		e->count[k] = counts[i].value;
	}
	return 0;
}

static int match_all(struct evaluation *e, const struct barepmu_count *counts,
		     size_t nr, struct bpmu_error *err)
{
	unsigned int k, events = e->tree.events[0].nr;
	int constant, code = 0;
	size_t i;

	e->events = calloc(events, sizeof(*e->events));
	e->count = calloc(events, sizeof(*e->count));
	e->values = calloc(e->tree.metrics.nr, sizeof(*e->values));
	if ((events && (!e->events || !e->count)) || !e->values)
		return bpmu_error_no_memory(err, "libbarepmu");
	for (k = 0; k < events; k++) {
		e->events[k] = -1;
		e->count[k] = NAN;
	}
	for (i = 0; i < nr && !code; i++) {
		constant = bpmu_metric_constant(counts[i].event);
		if (constant >= 0)
			bpmu_tree_set(&e->tree, constant, counts[i].value);
		else
			code = match(e, counts, i, err);
	}
	return code;
}

static double value_of(struct evaluation *e)
{
	const double *groups[BPMU_TREE_GROUPS] = { e->count };

	bpmu_tree_eval(&e->tree, groups, e->values);
	return e->values[e->line].known ? e->values[e->line].value : NAN;
}

/*
 * Changes each count by its half-width, in both directions; their errors are
 * independent.
 */
static double half_width(struct evaluation *e,
			 const struct barepmu_count *counts)
{
	double up, down, half, square = 0;
	unsigned int k;

	for (k = 0; k < e->tree.events[0].nr; k++) {
		half = e->events[k] < 0 ? 0 : counts[e->events[k]].half_width;
		if (!(half > 0))
			continue;
		e->count[k] += half;
		up = value_of(e);
		e->count[k] -= 2 * half;
		down = value_of(e);
		e->count[k] += half;
		if (isnan(up) || isnan(down))
			return INFINITY;
		square += (up - down) * (up - down) / 4;
	}
	return sqrt(square);
}

static int evaluate_counts(struct evaluation *e, const char *part, const char *metric,
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
		code = the_line(&e->choice, metric, err);
	if (code < 0)
		return code;
	e->line = code;
	bpmu_choice_wish(&e->choice, &wish);
	code = bpmu_tree_make(&e->tree, &wish, err);
	if (!code)
		code = match_all(e, counts, nr, err);
	if (code)
		return code;
	value->half_width = half_width(e, counts);
	value->value = value_of(e);
	value->known = e->values[e->line].known;
	value->flags = e->values[e->line].flags;
	value->running = 1;
	return 0;
}

EXPORT int barepmu_evaluate(const char *part, const char *metric,
			    const struct barepmu_count *counts, size_t nr,
			    struct barepmu_value *value,
			    struct barepmu_error *said)
{
	struct evaluation e = { };
	struct bpmu_error err = { };
	int code;

	code = evaluate_counts(&e, part, metric, counts, nr, value, &err);
	bpmu_tree_free(&e.tree);
	bpmu_choice_free(&e.choice);
	free(e.events);
	free(e.count);
	free(e.values);
	return tell(said, &err, code);
}
