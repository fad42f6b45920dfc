// SPDX-License-Identifier: GPL-2.0
#include "recording_session.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "client/holder.h"
#include "command.h"
#include "count/flaw.h"
#include "fold.h"
#include "recording/recording_who_seen.h"
#include "recording/recording_write.h"
#include "replay/report_progress.h"
#include "source/live.h"
#include "trial/ceilings.h"

/**
 * struct recorder - state of writing a recording; with --switch-output it has several files
 * @recording: the file that is being written
 * @about: description of each core type, which is written at the start of each file
 * @measure: parameters of the measurement
 * @seen: processes and addresses that the samples of the current file have interrupted, to be
 *	described at the end of the file
 * @progress: progress display
 * @flaws: flaws of the measurement that the samples report, such as lost samples
 * @origin: TSC at the start of the first sample, from which the recording's time is counted
 * @recorder: options of the recording
 * @names: names of the files with --switch-output, [@nr_names], in the order in which they were
 *	begun
 * @nr_names: number of files begun so far
 * @first_kept: index of the oldest file that was not removed
 * @began_ns: time at which the current file was begun, CLOCK_MONOTONIC in ns
 * @samples: number of samples in the files before the current one
 * @bytes: number of bytes in the files before the current one
 * @code: 0, or the errno with which a new file could not be begun
 * @err: error message that belongs to @code
 * @overflows: number of overflow interrupts that were written
 * @between_rounds: true if a round (one sample of each CPU) is complete, and no sample of the next
 *	round has been written
 * @full: true if writing failed, because the disk is full for example
 */
struct recorder {
	struct bpmu_recording recording;
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	const struct bpmu_measure *measure;
	struct bpmu_who_seen seen;
	struct bpmu_progress progress;
	struct bpmu_flaws flaws;
	u64 origin;
	const struct bpmu_recorder *recorder;
	char **names;
	unsigned int nr_names;
	unsigned int first_kept;
	u64 began_ns;
	u64 samples;
	u64 bytes;
	int code;
	struct bpmu_error err;
	u64 overflows;
	bool between_rounds;
	bool full;
};

static int rec_session_on_ready(void *data, struct bpmu_error *err)
{
	struct recorder *r = data;

	return bpmu_recording_describe(&r->recording, r->about,
		bpmu_client_record_size(r->measure->client), err);
}

static void note_flaws(struct recorder *r, const struct bpmu_sample *sample)
{
	double end = (double)(long long)(sample->tsc_end - r->origin) /
		     (1e3 * r->about->info.tsc_khz);
	double begin = end - r->about->period_ns / 1e9;

	bpmu_flaws_note(&r->flaws, bpmu_flaw_flags(sample), sample->cpu,
			begin > 0 ? begin : 0, end);
}

static void rec_session_look(struct recorder *r, const char *records, size_t bytes)
{
	size_t size = r->recording.record_bytes;
	struct bpmu_sample sample;
	const char *end;
	u32 flags;

	if (!r->origin && bytes >= size) {
		memcpy(&sample, records, sizeof(sample));
		r->origin = sample.tsc_begin;
	}
	for (end = records + bytes; records < end; records += size) {
		memcpy(&flags, records + offsetof(struct bpmu_sample, flags),
		       sizeof(flags));
		if (!(flags & BPMU_FLAW_FLAGS))
			continue;
		memcpy(&sample, records, sizeof(sample));
		note_flaws(r, &sample);
	}
}

static void seen_on_block(void *data, int type, const char *text, size_t size)
{
	struct recorder *r = data;

	(void)size;
	bpmu_recording_block(&r->recording, type, text);
}

/* Notes the tasks that samples interrupt from now on, for the current file. */
static void begin_seen(struct recorder *r)
{
	r->seen = (struct bpmu_who_seen){ .block = seen_on_block, .data = r };
}

static bool is_switched(const struct bpmu_recorder *recorder)
{
	return recorder->switch_bytes || recorder->switch_ns;
}

/*
 * Returns a name for the next file, with the time in UTC, to be freed; NULL if memory runs out. In
 * alphabetical order the name comes after the names of all previous files, even if the clock was
 * set back.
 */
static char *new_name(const struct recorder *r)
{
	u64 centiseconds = bpmu_clock_ns(CLOCK_REALTIME) / 10000000;
	const char *last = r->nr_names ? r->names[r->nr_names - 1] : "";
	char *name = NULL;
	char text[32];
	struct tm tm;
	time_t time;

	do {
		free(name);
		time = centiseconds / 100;
		gmtime_r(&time, &tm);
		strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
		if (asprintf(&name, "%s.%s%02u", r->recorder->name, text,
			     (unsigned int)(centiseconds++ % 100)) < 0)
			return NULL;
	} while (strcmp(name, last) <= 0);
	return name;
}

/*
 * Makes a name for the next file, and adds the name to @r->names. Returns the name; NULL if memory
 * runs out.
 */
static const char *rec_session_add_name(struct recorder *r)
{
	char **names = reallocarray(r->names, r->nr_names + 1, sizeof(*names));
	char *name;

	if (!names)
		return NULL;
	r->names = names;
	name = new_name(r);
	if (!name)
		return NULL;
	r->about->file++;
	return names[r->nr_names++] = name;
}

static void remove_oldest(struct recorder *r)
{
	unsigned int most = r->recorder->max_files;

	for (; most && r->nr_names - r->first_kept > most; r->first_kept++)
		unlink(r->names[r->first_kept]);
}

static u64 rec_session_samples_of(const struct bpmu_recording *recording)
{
	u64 samples = 0;
	unsigned int i;

	for (i = 0; recording->cpu && i < recording->nr_cpus; i++)
		samples += recording->cpu[i].samples;
	return samples;
}

/*
 * Ends the current file with descriptions of the processes that its samples interrupted, and begins
 * the next file. On an error @r->code is set.
 */
static void switch_file(struct recorder *r)
{
	u64 samples = rec_session_samples_of(&r->recording);
	u64 bytes = r->recording.bytes;
	const char *name;

	bpmu_who_seen_end(&r->seen);
	begin_seen(r);
	name = rec_session_add_name(r);
	if (name)
		r->code = bpmu_recording_switch(&r->recording, name, r->about,
						&r->err);
	else
		r->code = bpmu_error_no_memory(&r->err, r->recording.name);
	r->full = r->code;
	if (r->code)
		return;
	r->samples += samples;
	r->bytes += bytes;
	r->began_ns = bpmu_clock_ns(CLOCK_MONOTONIC);
	remove_oldest(r);
}

static bool is_time_to_switch(const struct recorder *r)
{
	const struct bpmu_recorder *recorder = r->recorder;

	return (recorder->switch_bytes &&
		r->recording.bytes >= recorder->switch_bytes) ||
	       (recorder->switch_ns &&
		bpmu_clock_ns(CLOCK_MONOTONIC) - r->began_ns >=
		recorder->switch_ns);
}

static void rec_session_on_records(void *data, const void *records, size_t bytes)
{
	struct recorder *r = data;

	/*
	 * A new file is begun only when there are samples to write to it, so that no file is empty.
	 */
	if (records && r->between_rounds && is_time_to_switch(r))
		switch_file(r);
	r->between_rounds = false;
	if (r->full)
		return;
	if (r->recording.who || (!records && r->recorder->periods.nr))
		bpmu_who_seen_add(&r->seen, records, bytes, r->recording.record_bytes);
	if (!records) {
		bpmu_recording_round(&r->recording);
		r->between_rounds = true;
		return;
	}
	bpmu_recording_add(&r->recording, records, bytes);
	rec_session_look(r, records, bytes);
	r->full = r->recording.error;
	bpmu_progress_time(&r->progress, r->measure->timeout_ns / 1e9);
}

static void rec_session_on_overflows(void *data, const void *records, size_t bytes)
{
	struct recorder *r = data;

	if (r->full)
		return;
	r->overflows += bpmu_recording_add_overflows(&r->recording, records, bytes);
	r->full = r->recording.error;
}

static void rec_session_on_overflows_lost(void *data, u32 cpu, u64 lost)
{
	struct recorder *r = data;

	if (!r->full)
		bpmu_recording_lose_overflows(&r->recording, cpu, lost);
}

static void put_size(double size)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units) - 1 && size >= 1000; i++)
		size /= 1000;
	fprintf(stderr, "%.*f %s", i ? 1 : 0, size, units[i]);
}

static u64 rec_session_lost_of(const struct bpmu_recording *recording)
{
	u64 lost = 0;
	unsigned int i;

	for (i = 0; recording->cpu && i < recording->nr_cpus; i++)
		lost += recording->cpu[i].overflows_lost;
	return lost;
}

static void print_samples(const struct recorder *r, u64 samples)
{
	char number[BPMU_PRINT_NUMBER];

	fprintf(stderr, "barepmu: %s samples", bpmu_print_number(number, samples));
	if (r->recorder->periods.nr)
		fprintf(stderr, " and %s interrupts", bpmu_print_number(number, r->overflows));
}

/* Prints how large the recording is, and by which command the user can read it. */
static void print_end(const struct recorder *r, u64 samples, u64 bytes)
{
	const char *name = r->recording.name;
	unsigned int kept = r->nr_names - r->first_kept;
	struct stat file;

	if (is_switched(r->recorder)) {
		print_samples(r, r->samples + samples);
		fputs(" (", stderr);
		put_size(r->bytes + bytes);
		fprintf(stderr, ") to %u file%s", r->nr_names,
			r->nr_names == 1 ? "" : "s");
		if (r->first_kept && kept == 1)
			fputs(", of which the last is kept", stderr);
		else if (r->first_kept)
			fprintf(stderr, ", of which the last %u are kept", kept);
		fprintf(stderr, "; barepmu report %s.*\n", r->recorder->name);
		return;
	}
	if (stat(name, &file) || !S_ISREG(file.st_mode))
		return;
	print_samples(r, samples);
	fprintf(stderr, " to %s (", name);
	put_size(file.st_size);
	fprintf(stderr, "); barepmu report %s\n", name);
}

static int begin_file(struct recorder *r, const struct bpmu_recorder *recorder,
		      struct bpmu_error *err)
{
	const char *name = recorder->name;
	int code;

	r->recorder = recorder;
	if (is_switched(recorder)) {
		r->about->session = bpmu_clock_ns(CLOCK_REALTIME);
		name = rec_session_add_name(r);
		if (!name)
			return bpmu_error_no_memory(err, recorder->name);
	}
	code = bpmu_recording_create(&r->recording, name, err);
	if (code)
		return code;
	r->began_ns = bpmu_clock_ns(CLOCK_MONOTONIC);
	r->recording.who = recorder->who;
	r->recording.seen = &r->seen;
	begin_seen(r);
	return 0;
}

static int write_file(struct recorder *r, const struct bpmu_recorder *recorder,
		      const struct bpmu_measure *measure, int *status,
		      struct bpmu_error *err)
{
	struct bpmu_measure m = *measure;
	struct bpmu_error ignored;
	char number[BPMU_PRINT_NUMBER];
	u64 samples, bytes, lost;
	int code, closed;

	m.records = rec_session_on_records;
	m.emitted = NULL;
	m.ready = rec_session_on_ready;
	m.stop = &r->full;
	m.data = r;
	m.who = recorder->who;
	if (recorder->periods.nr) {
		m.overflows = rec_session_on_overflows;
		m.overflows_lost = rec_session_on_overflows_lost;
		m.chain = recorder->chain;
		m.branches = recorder->branches;
		m.calls = recorder->calls;
	}
	r->measure = &m;
	code = begin_file(r, recorder, err);
	if (code)
		return code;
	bpmu_progress_begin(&r->progress, "recording");
	code = bpmu_live_run(&m, status, err);
	bpmu_progress_end(&r->progress);
	bpmu_who_seen_end(&r->seen);
	samples = rec_session_samples_of(&r->recording);
	bytes = r->recording.bytes;
	lost = rec_session_lost_of(&r->recording);
	closed = bpmu_recording_close(&r->recording, code ? &ignored : err);
	bpmu_flaws_text(&r->flaws, stderr, "barepmu: record: ");
	if (!code && r->code) {
		*err = r->err;
		code = r->code;
	}
	if (lost)
		fprintf(stderr, "barepmu: record: %s interrupts were lost because they were not read in time; use a longer period\n",
			bpmu_print_number(number, lost));
	if (!code && !closed && !r->recorder->quiet)
		print_end(r, samples, bytes);
	return code ? code : closed;
}

/*
 * Measures the machine's ceilings for roofline plots: the peak rates of memory traffic, FLOPs and
 * uops that all CPUs reach together. If other programs disturb the measurement, the ceilings stay
 * unknown, which is no error. Returns 0 or a negative errno.
 */
static int find_ceilings(struct bpmu_recording_about *about,
			 struct bpmu_error *err)
{
	struct bpmu_cpulist cpus = { };
	unsigned int k, nr = 0;
	int code;

	for (k = 0; k <= about->others; k++)
		nr += about[k].cpus.nr;
	cpus.cpu = calloc(nr, sizeof(*cpus.cpu));
	if (!cpus.cpu)
		return bpmu_error_no_memory(err, "--ceilings");
	for (k = 0; k <= about->others; k++) {
		memcpy(cpus.cpu + cpus.nr, about[k].cpus.cpu,
		       about[k].cpus.nr * sizeof(*cpus.cpu));
		cpus.nr += about[k].cpus.nr;
	}
	code = bpmu_ceilings_measure(&cpus, &about->ceilings, err);
	free(cpus.cpu);
	if (code != -EBUSY)
		return code;
	fprintf(stderr, "barepmu: record: %s\n", err->text);
	return 0;
}

static int record(const struct bpmu_options *options,
		  const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		  const struct bpmu_measure *measure, int *status,
		  struct bpmu_error *err)
{
	unsigned int types = bpmu_measure_core_types(measure);
	char host[256] = "";
	struct recorder r = {
		.about[0] = {
			.interval_ns = measure->interval_ns,
			.period_ns = bpmu_measure_period_ns(measure),
			.timer = measure->timer,
			.smt = targets[0]->smt,
			.arb_both = measure->groups[0]->rules.arb_both,
			.counts = options->recorder->periods.nr && bpmu_measure_counts(measure),
			.asked = options->recorder->asked,
			.command = options->argv,
			.host = host,
			.others = types - 1,
		},
	};
	unsigned int k;
	int code;

	for (k = 0; k < types; k++) {
		r.about[k].info = targets[k]->info;
		r.about[k].cpus = targets[k]->cpus;
		r.about[k].groups = *measure->groups[k];
		r.about[k].tree = (char *)options->recorder->tree[k];
	}
	gethostname(host, sizeof(host) - 1);
	code = bpmu_recording_find_topology(r.about, err);
	if (!code && options->recorder->ceilings)
		code = find_ceilings(r.about, err);
	if (!code)
		code = write_file(&r, options->recorder, measure, status, err);
	for (k = 0; k < types; k++)
		free(r.about[k].topology);
	free(r.about->machine_topology);
	while (r.nr_names)
		free(r.names[--r.nr_names]);
	free(r.names);
	return code;
}

/**
 * bpmu_session_open() - open the target of a session: this machine, or the one of a recording
 * @target: output; to be closed with bpmu_target_close()
 * @options: options of the subcommand. If the options name a recording, &bpmu_options.argv is set
 *	to the command that was recorded
 */
int bpmu_session_open(struct bpmu_target *target, struct bpmu_options *options,
		      struct bpmu_error *err)
{
	int code;

	if (!options->replay) {
		code = bpmu_target_open(target, options->cpus, err);
		bpmu_tell_left_out(target);
		return code;
	}
	options->argv = bpmu_recording_about(options->replay->file)->command;
	return bpmu_replay_target(options->replay, target, options->cpus, err);
}

/**
 * bpmu_session_analyse() - find the core types that a session measures, or that its recording has
 * @analysis: an analysis without core types, to which the core types are added. To be freed with
 *	bpmu_analysis_free(), on an error too
 * @options: options of the subcommand. With several core types, the option --by is an error. If the
 *	options name a recording, &bpmu_options.argv is set to the command that was recorded
 */
int bpmu_session_analyse(struct bpmu_analysis *analysis, struct bpmu_options *options,
			 struct bpmu_error *err)
{
	struct bpmu_replay *replay = options->replay;
	int code;

	if (!replay) {
		code = bpmu_analysis_open(analysis, options->cpus, err);
		bpmu_tell_left_out(&analysis->core[0].target);
		return code;
	}
	options->argv = bpmu_recording_about(replay->file)->command;
	code = bpmu_replay_analyse(replay, analysis, options->cpus, err);
	return !code && replay->by.type ? bpmu_analysis_choose(analysis, err) : code;
}

/**
 * bpmu_session_rows() - make the rows of the result of a session or its recording
 * @target: open target
 * @options: options of the subcommand. The option --by of "barepmu report" makes rows that sum
 *	samples: those of a function, for example. It replaces @by
 * @by: which CPUs a row sums, such as those of a core
 * @groups: groups of the events whose counts the rows have
 * @rows: output; to be freed with bpmu_rows_free(), on an error too
 */
int bpmu_session_rows(const struct bpmu_target *target,
		      const struct bpmu_options *options,
		      enum bpmu_rows_by by, const struct bpmu_groups *groups,
		      struct bpmu_rows *rows, struct bpmu_error *err)
{
	int code;

	if (!options->replay || !options->replay->by.type)
		return bpmu_target_rows(target, by, rows, err);
	memset(rows, 0, sizeof(*rows));
	code = bpmu_replay_entries(options->replay, target, groups, err);
	return code ? code : bpmu_by_rows(&options->replay->by, rows, err);
}

/**
 * bpmu_session_measure() - make the parameters of a session or its recording from options
 * @options: options of the subcommand
 * @target: open target, which must stay open as long as the result is used
 *
 * Return: parameters to measure all CPUs of @target. The caller adds the groups of events and the
 * callbacks.
 */
struct bpmu_measure bpmu_session_measure(const struct bpmu_options *options,
					 const struct bpmu_target *target)
{
	return (struct bpmu_measure){
		.client = target->client,
		.info = &target->info,
		.cpus = target->cpus.cpu,
		.nr_cpus = target->cpus.nr,
		.interval_ns = options->interval_ns,
		.timer = options->timer,
		.take_over = options->take_over,
		.max_intervals = options->max_intervals,
		.timeout_ns = options->timeout_ns,
		.delay_ns = options->delay_ns,
		.argv = options->argv,
	};
}

/**
 * bpmu_session_print_to() - set the stream to which a session or its recording prints results
 * @measure: the measurement
 * @out: the stream. If it is a terminal, &bpmu_measure.watched is set: someone may be watching the
 *	output
 */
void bpmu_session_print_to(struct bpmu_measure *measure, FILE *out)
{
	measure->out = out;
	measure->watched = bpmu_fold_is(out) || isatty(fileno(out));
}

/*
 * Measures and prints, without a recording. With -I each printed interval must have a sample of
 * each CPU, even of an idle one. Therefore an hrtimer takes the samples by default: it also wakes
 * idle CPUs. An interval that lacks a sample of a CPU is merged with the next interval. Returns 0
 * or a negative errno.
 */
static int print_live(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	struct bpmu_measure m = *measure;

	m.merge = m.interval_ns;
	if (m.merge && m.timer == BPMU_TIMER_AUTO)
		m.timer = BPMU_TIMER_HARD;
	return bpmu_live_run(&m, status, err);
}

/**
 * bpmu_session_run() - run the session of a subcommand: measure, record, or read a recording
 * @options: options of the subcommand. If their @replay is not NULL, a recording is read; if their
 *	@recorder is not NULL, the session is recorded in a file; else it is measured and printed
 * @targets: open targets (CPUs to measure), [core type]; NULL after the last
 * @measure: parameters of the measurement
 * @status: output: exit status of the measured command
 */
int bpmu_session_run(const struct bpmu_options *options,
		     const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		     const struct bpmu_measure *measure, int *status,
		     struct bpmu_error *err)
{
	int code;

	if (options->replay)
		return bpmu_replay_run(options->replay, measure, 1, err);
	if (options->recorder)
		code = record(options, targets, measure, status, err);
	else
		code = print_live(measure, status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}
