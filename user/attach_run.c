// SPDX-License-Identifier: GPL-2.0
/*
 * Reads beside the owner of a session, as long as it counts what is wanted, and
 * waits for the next one that does.
 *
 * The number of the run is asked for after each read: only then is it known
 * whose samples these were.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attach.h"
#include "report_map.h"
#include "series.h"
#include "signals.h"

#define NS_PER_MS 1000000ULL
#define NS_PER_S 1000000000ULL

/* how often samples are fetched: their owner takes the last ones with it */
#define FETCH_MS_MIN 20
#define FETCH_MS_MAX 500

/* of records, to begin with */
#define RECORDS_ROOM 65536

#define SENTENCE 320

/**
 * struct run - under way
 * @attach: the session, or the last one
 * @watch: who wants what
 * @counted: the same with all that the session counts
 * @map: from one to the other
 * @series: of the session's groups; NULL while none is read
 * @from: of each CPU of the session the next sample
 * @begun: of each of them a sample was taken as the first
 * @placed: @from is known
 * @records: that were read and are not yet known to be of the run
 * @bytes: their size
 * @room: of @records
 * @failed: there was no memory for them
 * @refused: run of a session that does not count what is wanted, or 0
 * @refused_number: of its plan
 * @signals: taken over
 * @deadline: monotonic nanoseconds, 0 for none
 */
struct run {
	struct bpmu_attach *attach;
	const struct bpmu_attach_watch *watch;
	struct bpmu_measure counted;
	struct bpmu_map map;
	struct bpmu_series *series;
	struct bpmu_position *from;
	bool *begun;
	bool placed;
	char *records;
	size_t bytes;
	size_t room;
	bool failed;
	u32 refused;
	u32 refused_number;
	struct bpmu_signals signals;
	u64 deadline;
};

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int no_memory(struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM, "session: out of memory");
}

static void say(const struct run *run, bool counts, const char *why)
{
	run->watch->changed(run->watch->measure->data, counts, why);
}

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_interval mapped = *interval;
	struct run *run = data;

	bpmu_map_interval(&run->map, &mapped);
	run->watch->measure->emit(run->watch->measure->data, &mapped);
}

static int check_cpus(const struct run *run, struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &run->attach->about.cpus;
	const struct bpmu_measure *m = run->watch->measure;
	unsigned int i, k;

	for (i = 0, k = 0; i < m->nr_cpus; i++) {
		while (k < cpus->nr && cpus->cpu[k] < m->cpus[i])
			k++;
		if (k == cpus->nr || cpus->cpu[k] != m->cpus[i])
			return bpmu_error_set(err, -ENODEV,
				"CPU %u: the session does not measure it; start one that does",
				m->cpus[i]);
	}
	return 0;
}

static int check_interval(const struct run *run, struct bpmu_error *err)
{
	u64 round = bpmu_attach_round_ns(run->attach);

	if (!round)
		return bpmu_error_set(err, -ENODATA,
			"session: takes no samples before its end; start it with -I");
	if (run->watch->measure->interval_ns >= round)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-I: shorter than the %.6g ms in which the session counts all; take at least these",
		round / 1e6);
}

static int check(const struct run *run, struct bpmu_error *err)
{
	const struct bpmu_info *wanted = run->watch->measure->info;
	int code;

	if (wanted->pmu.part != run->attach->about.info.pmu.part)
		return bpmu_error_set(err, -ENODEV,
			"session: is on the other kind of CPUs; start one on those of %s",
			wanted->title);
	code = check_cpus(run, err);
	return code ? code : check_interval(run, err);
}

static int place_readers(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &run->attach->about.cpus;
	unsigned int i;

	run->placed = false;
	run->from = calloc(cpus->nr, sizeof(*run->from));
	run->begun = calloc(cpus->nr, sizeof(*run->begun));
	if (!run->from || !run->begun)
		return no_memory(err);
	for (i = 0; i < cpus->nr; i++)
		run->from[i].cpu = cpus->cpu[i];
	return 0;
}

static int map_events(struct run *run, unsigned int batches,
		      struct bpmu_error *err)
{
	const struct bpmu_measure *m = run->watch->measure;
	int code;

	code = bpmu_map_make(&run->map, m->groups, run->counted.groups,
			     m->nr_cpus, batches, err);
	if (code == -ENODATA)
		bpmu_error_set(err, code,
			"event '%s': the session does not count it; start one that does, or ask for less",
			run->map.missing);
	return code;
}

static void leave(struct run *run)
{
	bpmu_series_free(run->series);
	bpmu_map_free(&run->map);
	free(run->from);
	free(run->begun);
	run->series = NULL;
	run->from = NULL;
	run->begun = NULL;
}

/* what it counts from now on is wanted */
static int enter(struct run *run, struct bpmu_error *err)
{
	unsigned int batches;
	int code;

	run->counted = *run->watch->measure;
	run->counted.info = &run->attach->about.info;
	run->counted.groups = &run->attach->about.groups;
	run->counted.emit = on_interval;
	run->counted.data = run;
	batches = bpmu_measure_batches(&run->counted);
	code = check(run, err);
	if (!code)
		code = map_events(run, batches, err);
	if (!code)
		code = place_readers(run, err);
	if (!code) {
		run->series = bpmu_series_new(&run->counted, batches);
		code = run->series ? 0 : no_memory(err);
	}
	if (code)
		leave(run);
	return code;
}

static void enter_said(const struct run *run)
{
	char text[SENTENCE];

	snprintf(text, sizeof(text), "reading the session of %s, process %u",
		 run->attach->owner_comm, run->attach->owner_pid);
	say(run, true, text);
}

static void lose(struct run *run, const char *why)
{
	bpmu_series_finish(run->series);
	leave(run);
	say(run, false, why);
}

static bool keep(struct run *run, const void *records, size_t bytes)
{
	size_t room = run->room ?: RECORDS_ROOM;
	char *grown;

	while (room - run->bytes < bytes)
		room *= 2;
	if (room != run->room) {
		grown = realloc(run->records, room);
		if (!grown)
			return false;
		run->records = grown;
		run->room = room;
	}
	memcpy(run->records + run->bytes, records, bytes);
	run->bytes += bytes;
	return true;
}

/* the place of a sample's CPU, or that behind all of them */
static unsigned int place_of(const struct run *run,
			     const struct bpmu_sample *sample)
{
	const struct bpmu_cpulist *cpus = &run->attach->about.cpus;
	unsigned int i;

	for (i = 0; i < cpus->nr; i++)
		if (cpus->cpu[i] == sample->cpu)
			break;
	return i;
}

/* records of one CPU, the oldest first */
static void on_records(void *data, const void *records, size_t bytes)
{
	struct run *run = data;
	u32 size = bpmu_client_record_size(run->attach->client);
	u64 values[BPMU_MAX_COUNTERS];
	struct bpmu_sample last;
	unsigned int i;

	bpmu_client_record((const char *)records + bytes - size, size, &last,
			   values);
	i = place_of(run, &last);
	if (i < run->attach->about.cpus.nr)
		run->from[i].seq = last.seq + 1;
	if (run->placed && !keep(run, records, bytes))
		run->failed = true;
}

/* what was lost shows as gaps in the samples' numbers */
static void on_loss(void *data, const struct bpmu_client_loss *loss)
{
	(void)data;
	(void)loss;
}

/* those of a later plan are not ours; each CPU begins with its first sample */
static void add(struct run *run, struct bpmu_sample *sample, const u64 *values)
{
	unsigned int i = place_of(run, sample);

	if (sample->plan != run->attach->number ||
	    i == run->attach->about.cpus.nr)
		return;
	if (!run->begun[i])
		sample->flags |= BPMU_SAMPLE_START;
	run->begun[i] = true;
	bpmu_series_add(run->series, sample, values);
}

/* the samples that were read are of the run */
static int feed(struct run *run, struct bpmu_error *err)
{
	u32 size = bpmu_client_record_size(run->attach->client);
	u64 values[BPMU_MAX_COUNTERS];
	struct bpmu_sample sample;
	size_t at;

	for (at = 0; at < run->bytes; at += size) {
		bpmu_client_record(run->records + at, size, &sample, values);
		add(run, &sample, values);
	}
	if (run->failed || bpmu_series_failed(run->series))
		return no_memory(err);
	run->placed = true;
	return 0;
}

/* why there is no more to come, or NULL */
static const char *over(const struct run *run,
			const struct bpmu_client_plan *plan)
{
	if (plan->number != run->attach->number)
		return "the session counts other groups now";
	if (plan->state != BPMU_STATE_RUNNING)
		return "the session was stopped";
	return NULL;
}

static int judge(struct run *run, const struct bpmu_client_plan *plan,
		 struct bpmu_error *err)
{
	int code;

	if (plan->run != run->attach->run) {
		lose(run, "the session has ended, and another run began");
		return 0;
	}
	code = feed(run, err);
	if (code)
		return code;
	if (over(run, plan))
		lose(run, over(run, plan));
	else
		bpmu_series_emit(run->series, UINT_MAX);
	return 0;
}

static int fetch(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_reader reader = {
		.loss = on_loss, .records = on_records, .data = run,
	};
	struct bpmu_client *client = run->attach->client;
	struct bpmu_client_plan plan = { };
	int code;

	run->bytes = 0;
	code = bpmu_client_copy(client, run->from, run->attach->about.cpus.nr,
				&reader, err);
	if (!code)
		code = bpmu_client_plan(client, &plan, err);
	if (!code)
		code = judge(run, &plan, err);
	else if (code == -ENOTCONN)
		lose(run, "the session has ended");
	else if (code == -EPERM)
		lose(run, err->text);
	else
		return code;
	bpmu_client_plan_free(&plan);
	return code == -ENOMEM ? code : 0;
}

/* one that does not suit is named once */
static void refuse(struct run *run, const struct bpmu_client_plan *plan,
		   const struct bpmu_error *why)
{
	run->refused = plan->run;
	run->refused_number = plan->number;
	say(run, false, why->text);
}

/* is there one that counts what is wanted */
static void follow(struct run *run)
{
	struct bpmu_client_plan plan;
	struct bpmu_error why;
	int code;

	code = bpmu_client_plan(run->attach->client, &plan, &why);
	if (!code && plan.state == BPMU_STATE_RUNNING &&
	    (plan.run != run->refused || plan.number != run->refused_number)) {
		code = bpmu_attach_take(run->attach, &plan, &why);
		if (!code)
			code = enter(run, &why);
		if (code)
			refuse(run, &plan, &why);
		else
			enter_said(run);
	}
	bpmu_client_plan_free(&plan);
}

static int wait_ms(const struct run *run)
{
	u64 wait = run->attach->about.period_ns / NS_PER_MS;
	u64 now = now_ns();
	u64 left;

	if (wait < FETCH_MS_MIN)
		wait = FETCH_MS_MIN;
	if (wait > FETCH_MS_MAX || !run->series)
		wait = FETCH_MS_MAX;
	if (!run->deadline)
		return wait;
	if (now >= run->deadline)
		return 0;
	left = (run->deadline - now) / NS_PER_MS + 1;
	return left < wait ? left : wait;
}

static bool signalled(const struct run *run)
{
	struct signalfd_siginfo info;

	return bpmu_signals_next(&run->signals, &info) &&
	       info.ssi_signo != SIGCHLD;
}

static int watch(struct run *run, struct bpmu_error *err)
{
	struct bpmu_client *client = run->attach->client;
	struct pollfd fds[] = {
		{ .fd = run->signals.fd, .events = POLLIN },
		{ .fd = bpmu_client_listen_fd(client), .events = POLLIN },
	};
	int code = 0;

	while (!code) {
		if (poll(fds, 2, wait_ms(run)) < 0 && errno != EINTR)
			return bpmu_error_set(err, -errno, "poll: %s",
					      strerror(errno));
		if (signalled(run) ||
		    (run->deadline && now_ns() >= run->deadline))
			break;
		if (fds[1].revents)
			code = bpmu_client_listen_drain(client, err);
		if (!code && run->series)
			code = fetch(run, err);
		if (!code && !run->series)
			follow(run);
	}
	return code;
}

static int start(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_measure *m = run->watch->measure;
	int code;

	code = enter(run, err);
	if (!code && m->ready)
		code = m->ready(m->data, err);
	if (code)
		return code;
	enter_said(run);
	if (m->timeout_ns)
		run->deadline = now_ns() + m->timeout_ns;
	return 0;
}

/**
 * bpmu_attach_run() - give its counts until a signal comes or time is up
 * @attach: open
 * @reader: to whom
 * @err: set on failure
 *
 * When the session ends, or counts something else, the next one that counts what
 * is wanted is read; its counts come as those of the first one did.
 *
 * Context: process; signals are taken over while it runs.
 * Return: 0, -ENODATA if an event is not counted, or another negative errno.
 */
int bpmu_attach_run(struct bpmu_attach *attach,
		    const struct bpmu_attach_watch *reader,
		    struct bpmu_error *err)
{
	struct run run = { .attach = attach, .watch = reader };
	int code;

	code = bpmu_signals_take(&run.signals, err);
	if (!code)
		code = start(&run, err);
	if (!code)
		code = watch(&run, err);
	bpmu_signals_give(&run.signals);
	leave(&run);
	free(run.records);
	return code;
}
