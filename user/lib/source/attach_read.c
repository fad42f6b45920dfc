// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of a session's samples. The number of the run is asked for after each
 * read: only then is it known whose samples these were.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "attach_own.h"
#include "events.h"

/* of records, to begin with */
#define RECORDS_ROOM 65536

/**
 * bpmu_attach_say() - tell who reads that counts come, or come no more
 * @reading: of a session or of none
 * @counts: they come
 * @why: a sentence
 */
void bpmu_attach_say(const struct bpmu_attach_reading *reading, bool counts,
		     const char *why)
{
	reading->watch->changed(reading->watch->measure->data, counts, why);
}

static void attach_read_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_interval mapped = *interval;
	struct bpmu_attach_reading *reading = data;

	bpmu_map_interval(&reading->map, &mapped);
	reading->watch->measure->emit(reading->watch->measure->data, &mapped);
}

static int attach_read_check_cpus(const struct bpmu_attach_reading *reading,
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

static int attach_read_check_interval(const struct bpmu_attach_reading *reading,
				      struct bpmu_error *err)
{
	u64 round = bpmu_attach_round_ns(reading->attach);

	if (!round)
		return bpmu_error_set(err, -ENODATA,
			"session: takes no samples before its end; start it with -I");
	if (reading->watch->measure->interval_ns >= round)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-I: shorter than the %.6g ms in which the session counts all; take at least these",
		round / 1e6);
}

static int attach_read_check(const struct bpmu_attach_reading *reading,
			     struct bpmu_error *err)
{
	const struct bpmu_info *wanted = reading->watch->measure->info;
	int code;

	if (bpmu_part_described(wanted->pmu.part) !=
	    reading->attach->about.info.pmu.part)
		return bpmu_error_set(err, -ENODEV,
			"session: is on the other core type; start one on those of %s",
			wanted->title);
	code = attach_read_check_cpus(reading, err);
	return code ? code : attach_read_check_interval(reading, err);
}

static int place_readers(struct bpmu_attach_reading *reading,
			 struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &reading->attach->about.cpus;
	unsigned int i;

	reading->placed = false;
	reading->from = calloc(cpus->nr, sizeof(*reading->from));
	reading->begun = calloc(cpus->nr, sizeof(*reading->begun));
	if (!reading->from || !reading->begun)
		return bpmu_error_no_memory(err, "session");
	for (i = 0; i < cpus->nr; i++)
		reading->from[i].cpu = cpus->cpu[i];
	return 0;
}

static int map_events(struct bpmu_attach_reading *reading,
		      unsigned int batches, struct bpmu_error *err)
{
	const struct bpmu_measure *m = reading->watch->measure;
	int code;

	code = bpmu_map_make(&reading->map, m, &reading->counted, batches, err);
	if (code == -ENODATA)
		bpmu_error_set(err, code,
			"event '%s': the session does not count it; start one that does, or ask for less",
			reading->map.missing);
	return code;
}

/**
 * bpmu_attach_leave() - read it no more
 * @reading: in any state; counts that are not complete are dropped
 */
void bpmu_attach_leave(struct bpmu_attach_reading *reading)
{
	bpmu_series_free(reading->series);
	bpmu_map_free(&reading->map);
	free(reading->from);
	free(reading->begun);
	reading->series = NULL;
	reading->from = NULL;
	reading->begun = NULL;
}

/**
 * bpmu_attach_enter() - read the session from now on
 * @reading: of none
 * @err: set on failure; then nothing is read
 *
 * Return: 0, -ENODATA if an event is not counted, or another negative errno.
 */
int bpmu_attach_enter(struct bpmu_attach_reading *reading,
		      struct bpmu_error *err)
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
		code = map_events(reading, batches, err);
	if (!code)
		code = place_readers(reading, err);
	if (!code) {
		reading->series = bpmu_series_new(&reading->counted, batches);
		code = reading->series ? 0 : bpmu_error_no_memory(err, "session");
	}
	if (code)
		bpmu_attach_leave(reading);
	return code;
}

static void lose(struct bpmu_attach_reading *reading, const char *why)
{
	bpmu_series_finish(reading->series);
	bpmu_attach_leave(reading);
	bpmu_attach_say(reading, false, why);
}

static bool attach_read_keep(struct bpmu_attach_reading *reading, const void *records,
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

/* position of a sample's CPU, or that behind all of them */
static unsigned int position_of(const struct bpmu_attach_reading *reading,
				const struct bpmu_sample *sample)
{
	const struct bpmu_cpulist *cpus = &reading->attach->about.cpus;
	unsigned int i;

	for (i = 0; i < cpus->nr; i++)
		if (cpus->cpu[i] == sample->cpu)
			break;
	return i;
}

/* records of one CPU, the oldest first */
static void attach_read_on_records(void *data, const void *records, size_t bytes)
{
	struct bpmu_attach_reading *reading = data;
	u32 size = bpmu_client_record_size(reading->attach->client);
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_sample last;
	unsigned int i;

	bpmu_client_record((const char *)records + bytes - size, size, &last,
			   values);
	i = position_of(reading, &last);
	if (i < reading->attach->about.cpus.nr)
		reading->from[i].seq = last.seq + 1;
	if (reading->placed && !attach_read_keep(reading, records, bytes))
		reading->failed = true;
}

/* those of a later plan are not ours; each CPU begins with its first sample */
static void attach_read_add(struct bpmu_attach_reading *reading,
			    struct bpmu_sample *sample, const u64 *values)
{
	unsigned int i = position_of(reading, sample);

	if (sample->plan != reading->attach->number ||
	    i == reading->attach->about.cpus.nr)
		return;
	/* what was before it is not ours either */
	if (!reading->begun[i]) {
		sample->flags |= BPMU_SAMPLE_START;
		sample->flags &= ~BPMU_SAMPLE_DISTURBED;
	}
	reading->begun[i] = true;
	bpmu_series_add(reading->series, sample, values);
}

/* the samples that were read are of the run */
static int attach_read_feed(struct bpmu_attach_reading *reading, struct bpmu_error *err)
{
	u32 size = bpmu_client_record_size(reading->attach->client);
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_sample sample;
	size_t at;

	for (at = 0; at < reading->bytes; at += size) {
		bpmu_client_record(reading->records + at, size, &sample, values);
		attach_read_add(reading, &sample, values);
	}
	if (reading->failed || bpmu_series_failed(reading->series))
		return bpmu_error_no_memory(err, "session");
	reading->placed = true;
	return 0;
}

/* why there is no more to come, or NULL */
static const char *attach_read_over(const struct bpmu_attach_reading *reading,
				    const struct bpmu_client_plan *plan)
{
	if (plan->number != reading->attach->number)
		return "the session counts other groups now";
	if (plan->state != BPMU_STATE_RUNNING)
		return "the session was stopped";
	return NULL;
}

static int attach_read_judge(struct bpmu_attach_reading *reading,
			     const struct bpmu_client_plan *plan, struct bpmu_error *err)
{
	int code;

	if (plan->run != reading->attach->run) {
		lose(reading, "the session has ended, and another run began");
		return 0;
	}
	code = attach_read_feed(reading, err);
	if (code)
		return code;
	if (attach_read_over(reading, plan))
		lose(reading, attach_read_over(reading, plan));
	else
		bpmu_series_emit(reading->series, UINT_MAX);
	return 0;
}

/**
 * bpmu_attach_fetch() - give what the session has counted until now
 * @reading: of a session; of none when it turns out that there are no more
 *	counts, which is said
 * @err: set on failure
 *
 * Return: 0, or a negative errno if nothing can be read any more.
 */
int bpmu_attach_fetch(struct bpmu_attach_reading *reading,
		      struct bpmu_error *err)
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
	/* the plan then tells of another run, whose samples begin anew */
	if (!code || code == -EINTR)
		code = bpmu_client_plan(client, &plan, err);
	if (!code)
		code = attach_read_judge(reading, &plan, err);
	else if (code == -ENOTCONN)
		lose(reading, "the session has ended");
	else if (code == -EPERM)
		lose(reading, err->text);
	else
		return code;
	bpmu_client_plan_free(&plan);
	return code == -ENOMEM ? code : 0;
}
