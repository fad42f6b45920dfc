// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the samples of another process's session as long as the session counts the requested
 * events; then waits for the next session that counts these events. While samples are being read, a
 * new run of the session may begin. The number of the run is therefore requested after each read:
 * if the number is the same as before, all samples that were read belong to one run.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach.h"
#include "base/clock.h"
#include "base/signals.h"
#include "events.h"
#include "report_map.h"
#include "series.h"

/* number of bytes that are first allocated for records */
#define RECORDS_ROOM 65536

/* Shortest and longest time in ms between two fetches of samples from the module */
#define FETCH_MS_MIN 20
#define FETCH_MS_MAX 500

#define SENTENCE 320

/**
 * struct attach_reading - state of reading a session of another process
 * @attach: the session that is being read, or the one that was read last
 * @watch: what has to be read, and the callback for messages
 * @counted: parameters of a measurement of all groups that the session counts
 * @map: map from the counted groups to the requested groups
 * @series: series of the session's groups; NULL while no session is read
 * @from: number of the next sample to read, [CPU of the session]
 * @begun: true after the first sample was read, [CPU of the session]
 * @positioned: true after @from was set by a first read, whose records are old and not used
 * @records: records that were read, but not yet added to @series, since they may be of another run
 * @bytes: size of these records in bytes
 * @room: size of the memory at @records in bytes
 * @failed: true if records were lost because there was no memory for them
 */
struct attach_reading {
	struct bpmu_attach *attach;
	const struct bpmu_attach_watch *watch;
	struct bpmu_measure counted;
	struct bpmu_map map;
	struct bpmu_series *series;
	struct bpmu_position *from;
	bool *begun;
	bool positioned;
	char *records;
	size_t bytes;
	size_t room;
	bool failed;
};

/*
 * Calls the callback for messages. @counts is true if counts begin to arrive, false if they cease
 * to arrive. @why is the reason, for the user.
 */
static void attach_say(const struct attach_reading *reading, bool counts,
		       const char *why)
{
	reading->watch->changed(reading->watch->measure->data, counts, why);
}

static void attach_read_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_interval mapped = *interval;
	struct attach_reading *reading = data;

	bpmu_map_interval(&reading->map, &mapped);
	reading->watch->measure->emit(reading->watch->measure->data, &mapped);
}

static int attach_read_check_cpus(const struct attach_reading *reading,
				  struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &reading->attach->about.cpus;
	const struct bpmu_measure *m = reading->watch->measure;
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

static int attach_read_check_interval(const struct attach_reading *reading,
				      struct bpmu_error *err)
{
	u64 round = bpmu_attach_round_ns(reading->attach);

	if (!round)
		return bpmu_error_set(err, -ENODATA,
			"session: takes no samples before its end; start it with -I");
	if (reading->watch->measure->interval_ns >= round)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-I: shorter than the %.6g ms in which the session counts all its groups once; use a longer one",
		round / 1e6);
}

static int attach_read_check(const struct attach_reading *reading,
			     struct bpmu_error *err)
{
	const struct bpmu_info *wanted = reading->watch->measure->info;
	int code;

	if (bpmu_part_described(wanted->pmu.part) !=
	    reading->attach->about.info.pmu.part)
		return bpmu_error_set(err, -ENODEV,
			"session: is on the other core type; start one on the CPUs of %s",
			wanted->title);
	code = attach_read_check_cpus(reading, err);
	return code ? code : attach_read_check_interval(reading, err);
}

static int alloc_positions(struct attach_reading *reading,
			   struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &reading->attach->about.cpus;
	unsigned int i;

	reading->positioned = false;
	reading->from = calloc(cpus->nr, sizeof(*reading->from));
	reading->begun = calloc(cpus->nr, sizeof(*reading->begun));
	if (!reading->from || !reading->begun)
		return bpmu_error_no_memory(err, "session");
	for (i = 0; i < cpus->nr; i++)
		reading->from[i].cpu = cpus->cpu[i];
	return 0;
}

/* Stops reading the session, and discards the counts of incomplete intervals. */
static void leave_session(struct attach_reading *reading)
{
	bpmu_series_free(reading->series);
	bpmu_map_free(&reading->map);
	free(reading->from);
	free(reading->begun);
	reading->series = NULL;
	reading->from = NULL;
	reading->begun = NULL;
}

/*
 * Begins to read the session; returns -ENODATA if the session does not count all requested events.
 */
static int enter_session(struct attach_reading *reading, struct bpmu_error *err)
{
	unsigned int batches;
	int code;

	reading->counted = *reading->watch->measure;
	reading->counted.info = &reading->attach->about.info;
	reading->counted.groups[0] = &reading->attach->about.groups;
	reading->counted.emit = attach_read_on_interval;
	reading->counted.data = reading;
	batches = bpmu_measure_batches(&reading->counted);
	code = attach_read_check(reading, err);
	if (!code)
		code = bpmu_map_make(&reading->map, reading->watch->measure,
				     &reading->counted, batches, err);
	if (!code)
		code = alloc_positions(reading, err);
	if (!code) {
		reading->series = bpmu_series_new(&reading->counted, batches);
		code = reading->series ? 0 : bpmu_error_no_memory(err, "session");
	}
	if (code)
		leave_session(reading);
	return code;
}

static int end_session(struct attach_reading *reading, const char *why, struct bpmu_error *err)
{
	int code = bpmu_series_finish(reading->series);

	leave_session(reading);
	attach_say(reading, false, why);
	return code ? bpmu_error_no_memory(err, "session") : 0;
}

static bool attach_read_keep(struct attach_reading *reading, const void *records,
			     size_t bytes)
{
	size_t room = reading->room ?: RECORDS_ROOM;
	char *grown;

	while (room - reading->bytes < bytes)
		room *= 2;
	if (room != reading->room) {
		grown = realloc(reading->records, room);
		if (!grown)
			return false;
		reading->records = grown;
		reading->room = room;
	}
	memcpy(reading->records + reading->bytes, records, bytes);
	reading->bytes += bytes;
	return true;
}

/*
 * Returns the index of a sample's CPU in the session's list of CPUs, or the length of the list if
 * the CPU is not in it.
 */
static unsigned int position_of(const struct attach_reading *reading,
				const struct bpmu_sample *sample)
{
	const struct bpmu_cpulist *cpus = &reading->attach->about.cpus;
	unsigned int i;

	for (i = 0; i < cpus->nr; i++)
		if (cpus->cpu[i] == sample->cpu)
			break;
	return i;
}

/*
 * Called with the records of one CPU, oldest first. Stores them, and notes from which sample on the
 * next read has to continue. The records of the first read are not stored, because they are old.
 */
static void attach_read_on_records(void *data, const void *records, size_t bytes)
{
	struct attach_reading *reading = data;
	u32 size = bpmu_client_record_size(reading->attach->client);
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_sample last;
	unsigned int i;

	bpmu_client_record((const char *)records + bytes - size, size, &last,
			   values);
	i = position_of(reading, &last);
	if (i < reading->attach->about.cpus.nr)
		reading->from[i].seq = last.seq + 1;
	if (reading->positioned && !attach_read_keep(reading, records, bytes))
		reading->failed = true;
}

/*
 * Adds a sample to the series, unless the session has replaced its event groups (its plan) between
 * the sample and the start of the series. The first sample of a CPU yields no counts, because a
 * count is the difference between two samples.
 */
static void attach_read_add(struct attach_reading *reading,
			    struct bpmu_sample *sample, const u64 *values)
{
	unsigned int i = position_of(reading, sample);

	if (sample->plan != reading->attach->number ||
	    i == reading->attach->about.cpus.nr)
		return;
	/* Counts of a CPU are not affected by what was disturbed before its first sample. */
	if (!reading->begun[i]) {
		sample->flags |= BPMU_SAMPLE_START;
		sample->flags &= ~BPMU_SAMPLE_DISTURBED;
	}
	reading->begun[i] = true;
	bpmu_series_add(reading->series,
			&(struct bpmu_taken_sample){ .head = sample, .values = values }, 1);
}

/* Adds the stored records to the series. The caller has checked that they are of the same run. */
static int attach_read_feed(struct attach_reading *reading, struct bpmu_error *err)
{
	u32 size = bpmu_client_record_size(reading->attach->client);
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_sample sample;
	size_t at;

	for (at = 0; at < reading->bytes; at += size) {
		bpmu_client_record(reading->records + at, size, &sample, values);
		attach_read_add(reading, &sample, values);
	}
	if (reading->failed)
		return bpmu_error_no_memory(err, "session");
	reading->positioned = true;
	return 0;
}

/* Returns the reason why no further samples will arrive; NULL if the session goes on. */
static const char *attach_read_over(const struct attach_reading *reading,
				    const struct bpmu_client_plan *plan)
{
	if (plan->number != reading->attach->number)
		return "the session counts other groups now";
	if (plan->state != BPMU_STATE_RUNNING)
		return "the session was stopped";
	return NULL;
}

static int attach_read_judge(struct attach_reading *reading,
			     const struct bpmu_client_plan *plan, struct bpmu_error *err)
{
	int code;

	if (plan->run != reading->attach->run)
		return end_session(reading, "the session has ended, and another run began", err);
	code = attach_read_feed(reading, err);
	if (code)
		return code;
	if (attach_read_over(reading, plan))
		return end_session(reading, attach_read_over(reading, plan), err);
	return bpmu_series_emit(reading->series, UINT_MAX) < 0 ?
	       bpmu_error_no_memory(err, "session") : 0;
}

/*
 * Reads all samples that the session has taken since the last call, and emits the counts of
 * complete intervals. If the session is over, stops reading it.
 */
static int attach_fetch(struct attach_reading *reading, struct bpmu_error *err)
{
	const struct bpmu_reader reader = {
		.records = attach_read_on_records, .data = reading,
	};
	struct bpmu_client *client = reading->attach->client;
	struct bpmu_client_plan plan = { };
	int code;

	reading->bytes = 0;
	code = bpmu_client_copy(client, reading->from, reading->attach->about.cpus.nr,
				&reader, err);
	/* -EINTR means that another run has begun. The plan tells what this run counts. */
	if (!code || code == -EINTR)
		code = bpmu_client_plan(client, &plan, err);
	if (code && code != -ENOTCONN && code != -EPERM) {
		bpmu_client_plan_free(&plan);
		return code;
	}
	if (!code)
		code = attach_read_judge(reading, &plan, err);
	else
		code = end_session(reading, code == -EPERM ? err->text : "the session has ended",
				   err);
	bpmu_client_plan_free(&plan);
	return code == -ENOMEM ? code : 0;
}

/**
 * struct run - state of bpmu_attach_run()
 * @reading: state of reading the session
 * @refused: number of the latest run of a session that does not count the requested events, or 0
 * @refused_number: number of this run's plan: the event groups that it counts
 * @signals: signals that are received while bpmu_attach_run() runs
 * @deadline: when reading ends, CLOCK_MONOTONIC in ns; 0 for no limit
 */
struct run {
	struct attach_reading reading;
	u32 refused;
	u32 refused_number;
	struct bpmu_signals signals;
	u64 deadline;
};

static void say_entered(const struct run *run)
{
	const struct bpmu_attach *attach = run->reading.attach;
	char text[SENTENCE];

	snprintf(text, sizeof(text), "reading the session of %s, process %u",
		 attach->owner_comm, attach->owner_pid);
	attach_say(&run->reading, true, text);
}

/* Tells the caller, once for each session, that the session does not count the requested events. */
static void attach_run_refuse(struct run *run, const struct bpmu_client_plan *plan,
			      const struct bpmu_error *why)
{
	run->refused = plan->run;
	run->refused_number = plan->number;
	attach_say(&run->reading, false, why->text);
}

/* Begins to read the running session if there is one and it counts the requested events. */
static void attach_run_follow(struct run *run)
{
	struct bpmu_client_plan plan;
	struct bpmu_error why;
	int code;

	code = bpmu_client_plan(run->reading.attach->client, &plan, &why);
	if (!code && plan.state == BPMU_STATE_RUNNING &&
	    (plan.run != run->refused || plan.number != run->refused_number)) {
		code = bpmu_attach_take(run->reading.attach, &plan, &why);
		if (!code)
			code = enter_session(&run->reading, &why);
		if (code)
			attach_run_refuse(run, &plan, &why);
		else
			say_entered(run);
	}
	bpmu_client_plan_free(&plan);
}

static int attach_run_wait_ms(const struct run *run)
{
	u64 wait = run->reading.attach->about.period_ns / BPMU_NS_PER_MS;

	if (wait < FETCH_MS_MIN)
		wait = FETCH_MS_MIN;
	if (wait > FETCH_MS_MAX || !run->reading.series)
		wait = FETCH_MS_MAX;
	return bpmu_clock_poll_ms(run->deadline, wait);
}

static bool signalled(const struct run *run)
{
	struct signalfd_siginfo info;

	return bpmu_signals_next(&run->signals, &info) &&
	       info.ssi_signo != SIGCHLD;
}

static int attach_run_watch(struct run *run, struct bpmu_error *err)
{
	struct bpmu_client *client = run->reading.attach->client;
	struct pollfd fds[] = {
		{ .fd = run->signals.fd, .events = POLLIN },
		{ .fd = bpmu_client_listen_fd(client), .events = POLLIN },
	};
	int code = 0;

	while (!code) {
		if (poll(fds, 2, attach_run_wait_ms(run)) < 0 && errno != EINTR)
			return bpmu_error_set(err, -errno, "poll: %s",
					      strerror(errno));
		if (signalled(run) ||
		    (run->deadline &&
		     bpmu_clock_ns(CLOCK_MONOTONIC) >= run->deadline))
			break;
		if (fds[1].revents)
			code = bpmu_client_listen_drain(client, err);
		if (!code && run->reading.series)
			code = attach_fetch(&run->reading, err);
		if (!code && !run->reading.series)
			attach_run_follow(run);
	}
	return code;
}

static int attach_run_start(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_measure *m = run->reading.watch->measure;
	int code;

	code = enter_session(&run->reading, err);
	if (!code && m->ready)
		code = m->ready(m->data, err);
	if (code)
		return code;
	say_entered(run);
	if (m->timeout_ns)
		run->deadline = bpmu_clock_ns(CLOCK_MONOTONIC) + m->timeout_ns;
	return 0;
}

/**
 * bpmu_attach_run() - read from an attached session until a signal or the timeout
 * @attach: connection from bpmu_attach_open()
 * @reader: what to read, and callbacks for the counts
 *
 * When the session ends, or counts other events, this function waits for the next session that
 * counts the requested events, and emits that session's counts in the same way. Until the function
 * returns, signals are received by bpmu_signals_take().
 *
 * Return: 0; -ENODATA if the session that runs when the function is called does not count a
 * requested event; or another negative errno.
 */
int bpmu_attach_run(struct bpmu_attach *attach,
		    const struct bpmu_attach_watch *reader,
		    struct bpmu_error *err)
{
	struct run run = { .reading = { .attach = attach, .watch = reader } };
	int code;

	code = bpmu_signals_take(&run.signals, err);
	if (!code)
		code = attach_run_start(&run, err);
	if (!code)
		code = attach_run_watch(&run, err);
	bpmu_signals_give(&run.signals);
	leave_session(&run.reading);
	free(run.reading.records);
	return code;
}
