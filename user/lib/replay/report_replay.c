// SPDX-License-Identifier: GPL-2.0
#include "report_replay.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/team.h"
#include "event/event.h"
#include "recording/recording_op.h"
#include "recording/recording_overflow.h"
#include "report_progress.h"
#include "source/report_map.h"
#include "source/series.h"

/**
 * struct counting - a series of intervals of the same length, with counts of all recorded groups
 * @replaying: the replay to which this series belongs
 * @recorded: parameters of a measurement of all recorded groups, in intervals of this length
 * @series: converts samples to intervals
 * @seen: true if at least one interval was emitted
 */
struct counting {
	struct bpmu_replaying *replaying;
	struct bpmu_measure recorded;
	struct bpmu_series *series;
	bool seen;
};

/**
 * struct output - a requested measurement
 * @measure: parameters of the measurement
 * @map: tells which recorded counters counted the requested events
 * @counting: the series with the length of intervals that this measurement requests
 */
struct output {
	const struct bpmu_measure *measure;
	struct bpmu_map map;
	const struct counting *counting;
};

/**
 * struct bpmu_replaying - state of a replay
 * @replay: the recording, and the part of its time that is replayed (window)
 * @output: requested measurements, [@nr_outputs]
 * @nr_outputs: number of requested measurements, 0 with --by
 * @counting: series of intervals, [@nr_countings]; no two have intervals of the same length
 * @nr_countings: number of series
 * @team: threads that decode samples, or NULL
 * @first_run: index, as for bpmu_recording_decode(), of the first CPU that @team decodes
 * @by: sums by what the option --by names, such as the interrupted function; NULL without --by
 * @progress: progress display
 * @origin: TSC of the first sample, 0 if none was read yet
 * @from: TSC ticks from @origin to the start of the window
 * @to: TSC ticks from @origin to the end of the window
 * @clocks: number of blocks with the time of day (the recording has one after the samples of each
 *	fetch) that were read before the latest sample
 */
struct bpmu_replaying {
	const struct bpmu_replay *replay;
	struct output *output;
	unsigned int nr_outputs;
	struct counting *counting;
	unsigned int nr_countings;
	struct bpmu_team *team;
	unsigned int first_run;
	struct bpmu_by *by;
	struct bpmu_progress progress;
	u64 origin;
	u64 from;
	u64 to;
	u64 clocks;
};

/**
 * bpmu_replay_take_time() - parse the time at which a replay begins or ends, --from or --to
 * @time: set
 * @name: name of the option, for errors
 * @text: seconds since the start of the recording, or a percentage of its length, such as "50%"
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_replay_take_time(struct bpmu_replay_time *time, const char *name, const char *text,
			  struct bpmu_error *err)
{
	char *end;

	time->given = true;
	time->value = strtod(text, &end);
	time->percent = !strcmp(end, "%");
	if (isdigit((unsigned char)*text) && (!*end || time->percent ||
					      !strcmp(end, "s")) &&
	    time->value < 1e9)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"%s '%s': not a time; write seconds, such as 2.5, or 25%%",
		name, text);
}

/**
 * bpmu_replay_target() - prepare the replay of a recording with a single core type
 * @replay: open recording
 * @target: filled in; close it with bpmu_target_close()
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that were measured
 *
 * Return: 0 or a negative errno, as of bpmu_target_recorded().
 */
int bpmu_replay_target(const struct bpmu_replay *replay,
		       struct bpmu_target *target, const char *cpus,
		       struct bpmu_error *err)
{
	return bpmu_target_recorded(target, bpmu_recording_about(replay->file),
				    replay->name, cpus, err);
}

/**
 * bpmu_replay_analyse() - prepare the replay of a recording: find its core types
 * @replay: open recording
 * @analysis: analysis without core types; the core types of the recording are added
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that were measured
 *
 * Return: 0 or a negative errno, as of bpmu_analysis_recorded().
 */
int bpmu_replay_analyse(const struct bpmu_replay *replay, struct bpmu_analysis *analysis,
			const char *cpus, struct bpmu_error *err)
{
	return bpmu_analysis_recorded(analysis, bpmu_recording_about(replay->file),
				      replay->name, cpus, err);
}

static double tsc_hz(const struct bpmu_replay *replay)
{
	return 1e3 * bpmu_recording_about(replay->file)->info.tsc_khz;
}

/**
 * bpmu_replay_length() - length of a recording to be replayed
 * @replay: open recording, of which no sample has been read. On return the recording is at its
 *	start again
 * @seconds: set to the time from the first sample to the last, in seconds
 * @samples: set to the number of samples; or NULL
 */
int bpmu_replay_length(const struct bpmu_replay *replay, double *seconds,
		       u64 *samples, struct bpmu_error *err)
{
	struct bpmu_recording_extent extent;
	int code = bpmu_recording_skim(replay->file, &extent, err);

	if (code)
		return code;
	*seconds = extent.last > extent.first ?
		   (extent.last - extent.first) / tsc_hz(replay) : 0;
	if (samples)
		*samples = extent.samples;
	return 0;
}

/* Sets @r->from and @r->to, the ends of the replayed time, to TSC ticks from the first sample. */
static int find_window(struct bpmu_replaying *r, struct bpmu_error *err)
{
	const struct bpmu_replay_time *from = &r->replay->from;
	const struct bpmu_replay_time *to = &r->replay->to;
	double hz = tsc_hz(r->replay);
	double percent = 0;
	int code;

	r->to = ~0ULL;
	if ((from->given && from->percent) || (to->given && to->percent)) {
		code = bpmu_replay_length(r->replay, &percent, NULL, err);
		if (code)
			return code;
		percent /= 100;
	}
	if (from->given)
		r->from = from->value * (from->percent ? percent : 1) * hz;
	if (to->given)
		r->to = to->value * (to->percent ? percent : 1) * hz;
	if (r->from < r->to)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"--to: is not after --from; give a later one");
}

/*
 * Returns the wall-clock time and the monotonic time that the measured machine had @seconds after
 * its TSC was @origin.
 */
static struct bpmu_stamp stamp_of(const struct bpmu_replay *replay, u64 origin,
				  double seconds)
{
	const struct bpmu_recording_clock *first =
		&bpmu_recording_state(replay->file)->first;
	long long ns = (long long)(origin - first->tsc) / tsc_hz(replay) * 1e9 +
		       seconds * 1e9;

	return (struct bpmu_stamp){
		.wall_ns = first->wall_ns + ns,
		.monotonic_ns = first->monotonic_ns + ns,
	};
}

static void replay_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct counting *counting = data;
	const struct bpmu_replaying *r = counting->replaying;
	double before = r->from / tsc_hz(r->replay);
	struct bpmu_interval begun = *interval, mapped;
	unsigned int i;

	begun.stamp = stamp_of(r->replay, r->origin, before + begun.seconds);
	/*
	 * The time of an interval is the time of its end, in seconds since the start of the
	 * recording. If the whole replay is a single interval, its time is its length.
	 */
	if (counting->recorded.interval_ns)
		begun.seconds += before;
	counting->seen = true;
	for (i = 0; i < r->nr_outputs; i++) {
		if (r->output[i].counting != counting)
			continue;
		mapped = begun;
		bpmu_map_interval(&r->output[i].map, &mapped);
		r->output[i].measure->emit(r->output[i].measure->data, &mapped);
	}
}

/*
 * Adds samples of one CPU to all series of intervals or, with --by, to the sums of what each sample
 * interrupted, such as a function.
 */
static void replay_add_all(struct bpmu_replaying *r, const struct bpmu_taken_sample *samples,
			   unsigned int nr)
{
	unsigned int i;

	for (i = 0; r->by && i < nr; i++)
		bpmu_by_add(r->by, &samples[i]);
	for (i = 0; i < r->nr_countings; i++)
		bpmu_series_add(r->counting[i].series, samples, nr);
}

/*
 * Adds a sample from before the replayed time as if it were the first sample, which has no counts.
 * The counts of the next sample are then the differences from the values of this one.
 */
static void add_before(struct bpmu_replaying *r, struct bpmu_taken_sample sample)
{
	struct bpmu_sample head = *sample.head;

	head.flags |= BPMU_SAMPLE_START;
	head.flags &= ~BPMU_SAMPLE_DISTURBED;
	head.tsc_begin = r->origin + r->from;
	head.tsc_end = head.tsc_begin;
	sample.head = &head;
	replay_add_all(r, &sample, 1);
}

static void replay_add(void *data, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	struct bpmu_replaying *r = data;
	unsigned int i;
	u64 begin, time;

	for (i = 0; i < nr && !r->origin; i++)
		r->origin = samples[i].head->tsc_begin;
	if (!r->from && r->to == ~0ULL) {
		replay_add_all(r, samples, nr);
		return;
	}
	for (i = 0; i < nr; i++) {
		begin = samples[i].head->tsc_begin;
		time = begin > r->origin ? begin - r->origin : 0;
		/* A sample at the beginning ends the counts before it: "--to 9" has those. */
		if (r->from && time <= r->from)
			add_before(r, samples[i]);
		else if (time <= r->to)
			replay_add_all(r, &samples[i], 1);
	}
}

/* Prints a warning if the recording was cut off; called after all other output. */
static void warn_if_cut(const struct bpmu_replay *replay, FILE *out)
{
	const struct bpmu_recording_state *state =
		bpmu_recording_state(replay->file);

	if (!state->cut || state->ended || replay->warned)
		return;
	if (out)
		fflush(out);
	fprintf(stderr,
		"barepmu: %s: was cut off after %llu bytes and %llu samples; the samples before are shown\n",
		replay->name, state->bytes, state->samples);
}

static int replay_no_memory(const struct bpmu_replaying *r, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM,
			      "%s: out of memory; choose longer intervals with -I",
			      r->replay->name);
}

/*
 * A recording has a block with the time of day (clock block) after the samples of each fetch. This
 * function is called when all samples up to a clock block have been added. It emits the intervals
 * that are now complete. Returns 1 if further samples are needed, 0 if not, or -ENOMEM.
 */
static int end_round(struct bpmu_replaying *r, struct bpmu_error *err)
{
	const struct bpmu_recording_state *state =
		bpmu_recording_state(r->replay->file);
	const struct bpmu_measure *m;
	bool ends = false;
	unsigned int i;

	if (state->size)
		bpmu_progress_fraction(&r->progress,
				       (double)state->bytes / state->size);
	if (r->by)
		return !r->by->failed;
	for (i = 0; i < r->nr_countings; i++) {
		m = &r->counting[i].recorded;
		if (bpmu_series_emit(r->counting[i].series, UINT_MAX) < 0)
			return replay_no_memory(r, err);
		ends |= (m->max_intervals &&
			 bpmu_series_index(r->counting[i].series) >= m->max_intervals) ||
			(m->stop && *m->stop);
	}
	return !ends;
}

static void add_run(void *data, unsigned int i)
{
	struct bpmu_replaying *r = data;

	bpmu_recording_decode(r->replay->file, r->first_run + i, replay_add, r);
}

/*
 * If the blocks of samples that were read from the recording together have fewer bytes than this, a
 * single thread decodes them. To wake other threads would take longer.
 */
#define TEAM_BYTES 65536

/*
 * Decodes the fetched samples and adds them to the series. The first sample determines the start of
 * the recording. After it, several threads decode samples in parallel, each thread those of its own
 * CPUs.
 */
static int add_fetched(struct bpmu_replaying *r, struct bpmu_error *err)
{
	struct bpmu_recording_file *file = r->replay->file;
	unsigned int runs;
	size_t bytes;

	runs = bpmu_recording_runs(file, &bytes);
	r->first_run = 0;
	while (r->first_run < runs && !bpmu_series_begun(r->counting->series)) {
		add_run(r, 0);
		r->first_run++;
	}
	if (!r->team && r->replay->threads > 1 && bytes >= TEAM_BYTES)
		r->team = bpmu_team_new(r->replay->threads);
	bpmu_team_run(bytes >= TEAM_BYTES ? r->team : NULL, add_run, r,
		      runs - r->first_run);
	return bpmu_recording_decoded(file, err);
}

/**
 * bpmu_replay_step() - replay the next samples of a recording, and emit complete intervals
 * @r: replay from bpmu_replay_begin()
 *
 * Return: 1 if samples may follow, 0 at the end of the recording or of the replayed time, or a
 * negative errno.
 */
int bpmu_replay_step(struct bpmu_replaying *r, struct bpmu_error *err)
{
	const struct bpmu_recording_state *state =
		bpmu_recording_state(r->replay->file);
	bool across = true;
	unsigned int i;
	int code;

	for (i = 0; i < r->nr_countings; i++)
		across &= !r->counting[i].recorded.interval_ns;
	code = bpmu_recording_fetch(r->replay->file, across, err);
	for (i = 0; i < r->nr_countings && !code; i++)
		if (bpmu_series_finish(r->counting[i].series))
			return replay_no_memory(r, err);
	if (code <= 0)
		return code;
	if (state->clocks != r->clocks) {
		code = end_round(r, err);
		if (code <= 0)
			return code;
	}
	r->clocks = state->clocks;
	return add_fetched(r, err) ?: 1;
}

/*
 * Adds each sample to the sums of what it interrupted (--by), such as a function. A single thread
 * does this for the samples of all CPUs, because they are added to the same sums.
 */
static int feed_entries(struct bpmu_replaying *r, struct bpmu_error *err)
{
	const struct bpmu_recording_state *state =
		bpmu_recording_state(r->replay->file);
	struct bpmu_taken_sample sample;
	int code;

	while ((code = bpmu_recording_next(r->replay->file, &sample, err)) > 0) {
		if (state->clocks != r->clocks) {
			code = end_round(r, err);
			if (code <= 0)
				return code;
		}
		r->clocks = state->clocks;
		replay_add(r, &sample, 1);
	}
	return code;
}

static int replay_feed(struct bpmu_replaying *r, struct bpmu_error *err)
{
	int code;

	bpmu_progress_begin(&r->progress, "reading");
	do
		code = r->by ? feed_entries(r, err) : bpmu_replay_step(r, err);
	while (code > 0);
	bpmu_progress_end(&r->progress);
	if (!code)
		warn_if_cut(r->replay, r->nr_outputs ? r->output->measure->out : NULL);
	return code;
}

static int replay_check_interval(const struct bpmu_replay *replay, u64 interval_ns,
				 struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(replay->file);
	u64 least = about->interval_ns ?: about->period_ns;

	if (!interval_ns || interval_ns >= least)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-I: shorter than the %.6g ms of the recording's intervals; use a longer one",
		least / 1e6);
}

/*
 * Finds the series whose intervals have the length that @measure requests, or begins such a series.
 */
static int find_counting(struct bpmu_replaying *r, const struct bpmu_measure *measure,
			 struct counting **counting, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(r->replay->file);
	struct bpmu_measure *recorded;
	unsigned int k;
	int code;

	for (*counting = r->counting; *counting < r->counting + r->nr_countings; ++*counting)
		if ((*counting)->recorded.interval_ns == measure->interval_ns)
			return 0;
	code = replay_check_interval(r->replay, measure->interval_ns, err);
	if (code)
		return code;
	(*counting)->replaying = r;
	recorded = &(*counting)->recorded;
	*recorded = *measure;
	recorded->info = &about->info;
	for (k = 0; k < bpmu_measure_core_types(measure); k++)
		recorded->groups[k] = bpmu_recording_groups(about,
							    measure->cpus[measure->first[k]]);
	recorded->period_ns = about->period_ns;
	recorded->emit = replay_on_interval;
	recorded->data = *counting;
	(*counting)->series = bpmu_series_new(recorded, bpmu_measure_batches(recorded));
	if (!(*counting)->series)
		return bpmu_error_no_memory(err, r->replay->name);
	r->nr_countings++;
	return 0;
}

static int begin_output(struct bpmu_replaying *r, const struct bpmu_measure *measure,
			struct bpmu_error *err)
{
	struct output *output = &r->output[r->nr_outputs++];
	struct counting *counting;
	int code;

	output->measure = measure;
	code = find_counting(r, measure, &counting, err);
	if (code)
		return code;
	output->counting = counting;
	return bpmu_map_make(&output->map, measure, &counting->recorded,
			     bpmu_measure_batches(&counting->recorded), err);
}

/*
 * Calls @each for all blocks of the file that have memory mappings of processes, or addresses of
 * kernel functions. This is done before samples are read, because the blocks with the functions
 * that samples interrupted may come after these samples.
 */
static int read_symbol_blocks(const struct bpmu_replay *replay, bpmu_recording_block_fn *each,
			      void *data, struct bpmu_error *err)
{
	struct bpmu_recording_extent extent;
	int code;

	if (!bpmu_by_needs_symbols(replay->by.type))
		return 0;
	bpmu_recording_on_block(replay->file, each, data);
	code = bpmu_recording_skim(replay->file, &extent, err);
	bpmu_recording_on_block(replay->file, NULL, NULL);
	return code;
}

/**
 * bpmu_replay_interrupting() - get one of the events whose interrupts a replay can report
 * @about: description of the recording for one core type
 * @number: number of the event among those that interrupted, from 0
 *
 * Return: the event's counter, with the requested period or frequency; NULL if fewer events
 * interrupted.
 */
const struct bpmu_sched_slot *bpmu_replay_interrupting(const struct bpmu_recording_about *about,
						       unsigned int number)
{
	const struct bpmu_sched *sched = &about->groups.group[0].sched;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (bpmu_sched_interrupts(&sched->slot[i]) && !number--)
			return &sched->slot[i];
	return NULL;
}

/**
 * bpmu_replay_interrupted() - check if events interrupted while a recording was made
 * @replay: open recording
 *
 * Return: true if an event interrupted on any of the recorded core types.
 */
bool bpmu_replay_interrupted(const struct bpmu_replay *replay)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(replay->file);
	unsigned int i;

	for (i = 0; i <= about->others; i++)
		if (bpmu_replay_interrupting(&about[i], 0))
			return true;
	return false;
}

/* Writes the names of the events that interrupted, separated by commas. */
static void list_interrupting(const struct bpmu_recording_about *about, char *text, size_t size)
{
	const struct bpmu_sched_slot *slot;
	size_t used = 0;
	unsigned int i;

	*text = '\0';
	for (i = 0; used < size && (slot = bpmu_replay_interrupting(about, i)); i++)
		used += snprintf(text + used, size - used, "%s%s", i ? ", " : "", slot->text);
}

/**
 * bpmu_replay_choose() - choose the event whose interrupts are replayed
 * @replay: open recording
 * @about: description of the recording for the core type that is replayed
 * @event: text of the event, as it was recorded; NULL if only one event interrupted
 * @slot: set to the counter of the event
 *
 * Return: 0, -ENODATA if no event interrupted, or -EINVAL if @event did not interrupt, or if
 * @event is NULL and several events interrupted.
 */
int bpmu_replay_choose(const struct bpmu_replay *replay, const struct bpmu_recording_about *about,
		       const char *event, const struct bpmu_sched_slot **slot,
		       struct bpmu_error *err)
{
	char all[512];
	unsigned int i;

	*slot = bpmu_replay_interrupting(about, 0);
	if (!*slot)
		return bpmu_error_set(err, -ENODATA,
			"%s: no event interrupted while it was recorded; record with -c or -F",
			replay->name);
	list_interrupting(about, all, sizeof(all));
	if (!event && bpmu_replay_interrupting(about, 1))
		return bpmu_error_set(err, -EINVAL,
			"%s: several events interrupted; choose one with --event: %s",
			replay->name, all);
	for (i = 0; event && *slot && strcmp((*slot)->text, event); i++)
		*slot = bpmu_replay_interrupting(about, i + 1);
	if (*slot)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"--event '%s': did not interrupt while %s was recorded; choose from: %s", event,
		replay->name, all);
}

/**
 * struct sharing - state of bpmu_replay_shares() and bpmu_replay_overflows()
 * @r: the replay, whose samples are summed by CPU
 * @events: events whose interrupts are summed by key, [@nr]
 * @nr: number of events
 * @chains: copy of the latest block of call chains in the recording, which belong to the interrupts
 *	in the next block of interrupts; NULL if these interrupts have no call chains
 * @chains_size: size of @chains in bytes
 * @branches: copy of the latest block of branch records in the recording, which belong to the
 *	interrupts in the next block of interrupts; NULL if these have no branch records
 * @branches_size: size of @branches in bytes
 * @counts: copy of the latest block of counts in the recording, which belong to the interrupts in
 *	the next block of interrupts; NULL if these have no counts
 * @counts_size: size of @counts in bytes
 * @ops: copy of the latest block of sampled ops in the recording, which belong to the interrupts in
 *	the next block of interrupts; NULL if these have none
 * @ops_size: size of @ops in bytes
 * @fetches: block of sampled fetches of the next block of interrupts; NULL if there is none
 * @fetches_size: size of @fetches in bytes
 * @retired: copy of the latest block of retire latencies in the recording, which belong to the
 *	interrupts in the next block of interrupts; NULL if these have none
 * @retired_size: size of @retired in bytes
 * @only: event whose interrupts are passed to @each; NULL for the interrupts of all events
 * @each: called for each interrupt; NULL if the interrupts are summed
 * @data: first argument of @each
 * @seen: number of interrupts in the replayed time that were summed or passed to @each
 * @malformed: true if a block of interrupts is malformed
 * @failed: true if out of memory
 */
struct sharing {
	struct bpmu_replaying r;
	struct bpmu_event_shares *events;
	unsigned int nr;
	void *chains;
	size_t chains_size;
	void *branches;
	size_t branches_size;
	void *counts;
	size_t counts_size;
	void *ops;
	size_t ops_size;
	void *fetches;
	size_t fetches_size;
	void *retired;
	size_t retired_size;
	const struct bpmu_sched_slot *only;
	bpmu_replay_interrupt_fn *each;
	void *data;
	u64 seen;
	bool malformed;
	bool failed;
};

/*
 * Adds the branches before an interrupt to the sums of each branch (--by branch). The branches
 * before one interrupt depend on each other. Together they therefore count as one sample: each of n
 * branches adds 1 / n to the events of its sum.
 */
static void share_branches(struct sharing *sharing, struct bpmu_event_shares *event,
			   const struct bpmu_taken_sample *sample,
			   const struct bpmu_branches *branches)
{
	struct bpmu_by_entry *entry[BPMU_MAX_BRANCHES];
	unsigned int i, k, same;

	for (i = 0; i < branches->nr; i++) {
		const struct bpmu_branch *branch = &branches->branch[i];
		struct bpmu_by_branches *sums;

		event->by.branch = branch;
		entry[i] = bpmu_by_entry(&event->by, sample);
		event->by.branch = NULL;
		if (!entry[i]) {
			sharing->failed = true;
			return;
		}
		sums = &entry[i]->branches;
		sums->nr++;
		sums->told += !!(branch->flags & (BPMU_BRANCH_MISPREDICTED |
						  BPMU_BRANCH_PREDICTED));
		sums->mispredicted += !!(branch->flags & BPMU_BRANCH_MISPREDICTED);
		sums->timed += !!(branch->flags & BPMU_BRANCH_CYCLES);
		sums->cycles += branch->flags & BPMU_BRANCH_CYCLES ? branch->cycles : 0;
	}
	for (i = 0; i < branches->nr; i++) {
		for (k = i, same = 0; k < branches->nr && entry[i]; k++) {
			if (k == i || entry[k] != entry[i])
				continue;
			same++;
			entry[k] = NULL;
		}
		if (!entry[i])
			continue;
		entry[i]->samples++;
		bpmu_weights_add(&entry[i]->events, (same + 1.0) / branches->nr);
	}
	if (!branches->nr)
		return;
	event->by.samples++;
	event->shares.interrupts++;
	bpmu_weights_add(&event->shares.all, 1);
}

/**
 * bpmu_shares_add() - add an interrupt to the shares of its event, as a replay of them does
 * @event: shares of the event, by another key than BPMU_BY_BRANCH
 * @interrupt: the interrupt, by this event
 *
 * Return: true, or false if out of memory.
 */
bool bpmu_shares_add(struct bpmu_event_shares *event, const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_overflow *overflow = interrupt->overflow;
	const struct bpmu_sample head = { .cpu = overflow->cpu };
	const struct bpmu_taken_sample sample = { .head = &head, .who = &overflow->who };
	struct bpmu_shares *shares = &event->shares;
	struct bpmu_by_entry *entry;

	event->by.chains = interrupt->chains;
	event->by.op = interrupt->op;
	event->by.fetch = interrupt->fetch;
	entry = bpmu_by_entry(&event->by, &sample);
	event->by.chains = NULL;
	event->by.op = NULL;
	event->by.fetch = NULL;
	if (!entry)
		return false;
	entry->samples++;
	bpmu_by_ops_add(&entry->ops, interrupt->op);
	shares->ops += !!interrupt->op;
	bpmu_by_fetches_add(&entry->fetches, interrupt->fetch);
	shares->fetches += !!interrupt->fetch;
	bpmu_weights_add(&entry->events, overflow->period);
	event->by.samples++;
	shares->interrupts++;
	bpmu_weights_add(&shares->all, overflow->period);
	if (overflow->period > shares->longest)
		shares->longest = overflow->period;
	shares->caused += interrupt->caused;
	return true;
}

/*
 * Adds an interrupt to the sums of what it interrupted, such as a function (the key of --by). One
 * without what the key is of is not added.
 */
static void share_add(struct sharing *sharing, struct bpmu_event_shares *event,
		      const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_sample head = { .cpu = interrupt->overflow->cpu };
	const struct bpmu_taken_sample sample = { .head = &head, .who = &interrupt->overflow->who };
	enum bpmu_by_type type = event->by.type;

	if (type == BPMU_BY_BRANCH ? !interrupt->branches :
				     bpmu_by_is_of_records(type) && !interrupt->op &&
				     !(type == BPMU_BY_SOURCE && interrupt->fetch))
		return;
	if (type == BPMU_BY_BRANCH)
		share_branches(sharing, event, &sample, interrupt->branches);
	else
		sharing->failed |= !bpmu_shares_add(event, interrupt);
	sharing->seen++;
}

/* Adds the retire latency of an interrupt to those of its event. */
static void share_retired(struct bpmu_shares *shares, const struct bpmu_retired *retired)
{
	if (!shares->retired || retired->latency < shares->least)
		shares->least = retired->latency;
	if (retired->latency > shares->most)
		shares->most = retired->latency;
	shares->latency += retired->latency;
	shares->retired++;
}

/* Returns true if an interrupt has the address of the instruction after the one of its event. */
static bool names_next(const struct sharing *sharing, const struct bpmu_overflow *overflow)
{
	const struct bpmu_recording_about *about = sharing->r.by->about;
	const struct bpmu_sched_slot *slot;
	unsigned int i = 0;

	if (!(about->info.pmu.part->quirks & BPMU_QUIRK_PEBS_NEXT))
		return false;
	while ((slot = bpmu_replay_interrupting(about, i++)))
		if (slot->value == overflow->event)
			return bpmu_event_is_precise(slot->text);
	return false;
}

/*
 * If the instruction that caused the event is found, sets @moved to the record of the interrupt,
 * with the address of this instruction, and lets @interrupt have it.
 */
static void name_cause(const struct sharing *sharing, struct bpmu_interrupt *interrupt,
		       struct bpmu_overflow *moved)
{
	const struct bpmu_replay *replay = sharing->r.replay;
	u64 cause;

	interrupt->caused = false;
	if (!replay->cause || !interrupt->branches || !names_next(sharing, interrupt->overflow))
		return;
	cause = replay->cause(replay->cause_data,
			      sharing->each ? &replay->by.symbols : &sharing->events->by.symbols,
			      &interrupt->overflow->who, interrupt->branches);
	if (!cause)
		return;
	*moved = *interrupt->overflow;
	moved->who.ip = cause;
	interrupt->overflow = moved;
	interrupt->caused = true;
}

/*
 * Ignores an interrupt that is not in the replayed time. Passes any other interrupt to
 * @sharing->each, or adds it to the sums of its event. @lost is the number of interrupts by any
 * event that were lost just before this interrupt. It is added to the totals of each event.
 */
static void share_interrupt(struct sharing *sharing, const struct bpmu_interrupt *interrupt,
			    u64 lost)
{
	const struct bpmu_overflow *overflow = interrupt->overflow;
	const struct bpmu_replaying *r = &sharing->r;
	u64 time = overflow->tsc > r->origin ? overflow->tsc - r->origin : 0;
	unsigned int i;

	if (!r->origin || time < r->from || time > r->to)
		return;
	if (sharing->each && (!sharing->only || overflow->event == sharing->only->value)) {
		sharing->each(sharing->data, interrupt);
		sharing->seen++;
	}
	for (i = 0; i < sharing->nr; i++) {
		sharing->events[i].shares.lost += lost;
		if (overflow->event != sharing->events[i].shares.slot->value)
			continue;
		share_add(sharing, &sharing->events[i], interrupt);
		if (interrupt->retired)
			share_retired(&sharing->events[i].shares, interrupt->retired);
	}
}

/* Replaces *copy by a copy of a block. The copy is needed with the interrupts in the next block. */
static void keep_block(struct sharing *sharing, void **copy, size_t *copied, const char *text,
		       size_t size)
{
	free(*copy);
	*copy = malloc(size ?: 1);
	if (*copy)
		memcpy(*copy, text, size);
	else
		sharing->failed = true;
	*copied = size;
}

static void drop_blocks(struct sharing *sharing)
{
	free(sharing->chains);
	free(sharing->branches);
	free(sharing->counts);
	free(sharing->ops);
	free(sharing->fetches);
	free(sharing->retired);
	sharing->chains = NULL;
	sharing->branches = NULL;
	sharing->counts = NULL;
	sharing->ops = NULL;
	sharing->fetches = NULL;
	sharing->retired = NULL;
}

/*
 * Decodes the interrupts of a block, with their call chains, branch records, counts, sampled ops and
 * fetches if these were recorded. Returns false if an interrupt is malformed.
 */
static bool share_records(struct sharing *sharing, const char *text, size_t size)
{
	const struct bpmu_by *by = sharing->r.by;
	struct bpmu_interrupt interrupt = { };
	struct bpmu_branches_code branches_code;
	struct bpmu_retired_code retired_code;
	struct bpmu_counts_code counts_code;
	struct bpmu_chains_code chains_code;
	struct bpmu_overflow_code code;
	struct bpmu_fetch_code fetch_code;
	struct bpmu_op_code op_code;
	struct bpmu_branches branches;
	struct bpmu_overflow overflow, moved;
	struct bpmu_retired retired;
	struct bpmu_counts counts;
	struct bpmu_chains chains;
	struct bpmu_fetched fetch;
	struct bpmu_tagged_op op;
	bool has_fetch = false;
	bool has_op = false;
	bool known = false;
	unsigned int i;
	u64 lost;

	if (!bpmu_overflow_open(&code, text, size))
		return false;
	if (code.cpu >= by->nr_at || by->at[code.cpu] < 0)
		return true;
	for (i = 0; i < sharing->nr; i++)
		sharing->events[i].shares.lost += code.lost;
	bpmu_chains_open(&chains_code, sharing->chains, sharing->chains_size);
	bpmu_branches_open(&branches_code, sharing->branches, sharing->branches_size);
	bpmu_counts_open(&counts_code, sharing->counts, sharing->counts_size);
	bpmu_op_open(&op_code, sharing->ops, sharing->ops_size);
	bpmu_fetch_open(&fetch_code, sharing->fetches, sharing->fetches_size);
	interrupt.chains = sharing->chains ? &chains : NULL;
	interrupt.branches = sharing->branches ? &branches : NULL;
	interrupt.counts = sharing->counts ? &counts : NULL;
	bpmu_retired_open(&retired_code, sharing->retired, sharing->retired_size);
	while (code.at < code.end) {
		if (!bpmu_overflow_get(&code, &overflow, &lost) ||
		    (sharing->chains && !bpmu_chains_get(&chains_code, &chains)) ||
		    (sharing->branches && !bpmu_branches_get(&branches_code, &branches)) ||
		    (sharing->counts && !bpmu_counts_get(&counts_code, &counts)) ||
		    (sharing->ops && !bpmu_op_get(&op_code, &op, &has_op)) ||
		    (sharing->fetches && !bpmu_fetch_get(&fetch_code, &fetch, &has_fetch)) ||
		    (sharing->retired && !bpmu_retired_get(&retired_code, &retired, &known)))
			return false;
		interrupt.op = has_op ? &op : NULL;
		interrupt.fetch = has_fetch ? &fetch : NULL;
		interrupt.retired = known ? &retired : NULL;
		interrupt.overflow = &overflow;
		name_cause(sharing, &interrupt, &moved);
		share_interrupt(sharing, &interrupt, lost);
	}
	return true;
}

static void share_block(void *data, int type, const char *text, size_t size)
{
	struct sharing *sharing = data;

	if (type == BPMU_RECORDING_CHAINS)
		keep_block(sharing, &sharing->chains, &sharing->chains_size, text, size);
	if (type == BPMU_RECORDING_BRANCHES)
		keep_block(sharing, &sharing->branches, &sharing->branches_size, text, size);
	if (type == BPMU_RECORDING_RETIRED)
		keep_block(sharing, &sharing->retired, &sharing->retired_size, text, size);
	if (type == BPMU_RECORDING_COUNTS)
		keep_block(sharing, &sharing->counts, &sharing->counts_size, text, size);
	if (type == BPMU_RECORDING_OPS)
		keep_block(sharing, &sharing->ops, &sharing->ops_size, text, size);
	if (type == BPMU_RECORDING_FETCHES)
		keep_block(sharing, &sharing->fetches, &sharing->fetches_size, text, size);
	if (type != BPMU_RECORDING_OVERFLOWS)
		return;
	sharing->malformed |= !share_records(sharing, text, size);
	drop_blocks(sharing);
}

/* Returns the count of an event in the replayed time. */
static u64 replayed_count(const struct sharing *sharing, const struct bpmu_sched_slot *event)
{
	const struct bpmu_group *group = sharing->r.by->about->groups.group;
	const struct bpmu_by *counted = sharing->r.by;
	unsigned int slot = group->first + (event - group->sched.slot);
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < counted->nr; i++)
		sum += counted->entry[i]->cell[slot].count;
	return sum;
}

static int share_check(const struct sharing *sharing, struct bpmu_error *err)
{
	const struct bpmu_sched_slot *only = sharing->nr == 1 ? sharing->events->shares.slot :
								sharing->only;
	const char *name = sharing->r.replay->name;

	if (sharing->failed)
		return bpmu_error_no_memory(err, "--by");
	if (sharing->malformed)
		return bpmu_error_set(err, -EBADMSG,
			"%s: a block of interrupts is malformed; the file is damaged, restore it or record again",
			name);
	if (sharing->seen)
		return 0;
	if (sharing->nr && sharing->events->by.type == BPMU_BY_BRANCH)
		return bpmu_error_set(err, -ENODATA,
			"%s: no interrupt in this time has branches; record with -b", name);
	if (sharing->nr && bpmu_by_is_of_records(sharing->events->by.type))
		return bpmu_error_set(err, -ENODATA,
			"%s: no interrupt in this time has a sampled op; record ibs_op with -c, on AMD's parts",
			name);
	return bpmu_error_set(err, -ENODATA,
		"%s: %s interrupted nothing in this time; choose another one with --from and --to, or record with a shorter -c",
		name, only ? only->text : "what was sampled");
}

/* Reads the recording, and sums or passes on the interrupts in the replayed time. */
static int share_read(struct sharing *sharing, const struct bpmu_target *target,
		      struct bpmu_error *err)
{
	struct bpmu_replaying *r = &sharing->r;
	int code;

	code = bpmu_by_begin(r->by, target->recorded, &target->cpus, err);
	if (!code)
		code = find_window(r, err);
	if (code)
		return code;
	bpmu_recording_on_block(r->replay->file, share_block, sharing);
	code = replay_feed(r, err);
	bpmu_recording_on_block(r->replay->file, NULL, NULL);
	return code ? code : share_check(sharing, err);
}

/*
 * Adds a block with memory mappings or kernel functions, from which the names of interrupted
 * functions are found. Interrupts are summed separately for each event, so each event has a copy.
 */
static void share_symbols(void *data, int type, const char *text, size_t size)
{
	struct sharing *sharing = data;
	unsigned int i;

	for (i = 0; i < sharing->nr; i++)
		bpmu_by_symbols_add_block(&sharing->events[i].by.symbols, type, text, size);
}

/* Begins to sum the interrupts of each event by the key @type. */
static int share_begin(struct sharing *sharing, enum bpmu_by_type type,
		       const struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_event_shares *event;
	int code = 0;

	for (event = sharing->events; event < sharing->events + sharing->nr && !code; event++) {
		event->by = (struct bpmu_by){ .type = type };
		event->shares = (struct bpmu_shares){
			.slot = event->shares.slot,
			.others = bpmu_replay_interrupting(target->recorded, 1),
		};
		code = bpmu_by_begin(&event->by, target->recorded, &target->cpus, err);
	}
	return code;
}

/**
 * bpmu_replay_shares() - sum a recording's interrupts by key (--by), separately for each event
 * @replay: open recording, at its start. The type of &bpmu_replay.by is the key, such as the
 *	interrupted function
 * @target: CPUs of the recording; must outlive @events
 * @events: events that interrupted, [@nr]. They are zeroed, but &bpmu_shares.slot is set. They are
 *	filled in, also if there were no interrupts in the replayed time. The caller frees the @by
 *	of each event with bpmu_by_free(), also after an error
 * @nr: number of events, at least 1
 *
 * Return: 0, -EBADMSG if a block is malformed, -ENODATA if none of the events interrupted in the
 * replayed time, or another negative errno.
 */
int bpmu_replay_shares(struct bpmu_replay *replay, const struct bpmu_target *target,
		       struct bpmu_event_shares *events, unsigned int nr, struct bpmu_error *err)
{
	struct bpmu_by counted = { .type = BPMU_BY_CPU };
	struct sharing sharing = {
		.r = { .replay = replay, .by = &counted }, .events = events, .nr = nr,
	};
	unsigned int i;
	int code;

	code = share_begin(&sharing, replay->by.type, target, err);
	if (!code)
		code = read_symbol_blocks(replay, share_symbols, &sharing, err);
	if (!code)
		code = share_read(&sharing, target, err);
	for (i = 0; i < nr && (!code || code == -ENODATA); i++) {
		events[i].shares.counted = replayed_count(&sharing, events[i].shares.slot);
		events[i].shares.next = target->info.pmu.part->quirks & BPMU_QUIRK_PEBS_NEXT;
		bpmu_by_sort(&events[i].by);
	}
	drop_blocks(&sharing);
	bpmu_by_free(&counted);
	return code;
}

/*
 * Reads the recording, and passes on the interrupts in the replayed time. Sets the time of
 * @replay->by, and the flaws that samples report in it.
 */
static int pass_overflows(struct bpmu_replay *replay, struct sharing *sharing,
			  const struct bpmu_target *target, struct bpmu_error *err)
{
	const struct bpmu_by *counted = sharing->r.by;
	int code;

	code = bpmu_by_begin(&replay->by, target->recorded, &target->cpus, err);
	if (!code)
		code = read_symbol_blocks(replay, bpmu_by_symbols_add_block, &replay->by.symbols,
					  err);
	if (!code)
		code = share_read(sharing, target, err);
	replay->by.ticks = counted->ticks;
	replay->by.begin = counted->begin;
	replay->by.end = counted->end;
	replay->by.flaws = counted->flaws;
	drop_blocks(sharing);
	return code;
}

/**
 * bpmu_replay_overflows() - replay a recording's interrupts one by one
 * @replay: open recording, at its start, in which at least one event interrupted. The type of
 *	&bpmu_replay.by is the key by which the caller will sum them. If the key needs symbols, these
 *	are loaded before @each is called
 * @only: event whose interrupts are replayed; NULL for the interrupts of all events
 * @target: CPUs of the recording
 * @each: called for each interrupt in the replayed time; interrupts of the same CPU come in the
 *	order of time
 * @data: first argument of @each
 *
 * On return &bpmu_replay.by has the replayed time as well.
 *
 * Return: 0 or a negative errno, as of bpmu_replay_shares().
 */
int bpmu_replay_overflows(struct bpmu_replay *replay, const struct bpmu_sched_slot *only,
			  const struct bpmu_target *target, bpmu_replay_interrupt_fn *each,
			  void *data, struct bpmu_error *err)
{
	struct bpmu_by counted = { .type = BPMU_BY_CPU };
	struct sharing sharing = {
		.r = { .replay = replay, .by = &counted }, .only = only, .each = each,
		.data = data,
	};
	int code = pass_overflows(replay, &sharing, target, err);

	bpmu_by_free(&counted);
	return code;
}

static void on_interrupt(void *data, const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_counts none = { .state = BPMU_COUNTS_BROKEN };
	const struct bpmu_counts *counts = interrupt->counts;
	struct bpmu_by *by = data;

	bpmu_by_add_interrupt(by, interrupt->overflow, interrupt->chains,
			      counts || !by->about->counts ? counts : &none);
}

/*
 * Keeps with the entries what the interrupts do not tell: how many events the counters counted, how
 * many interrupts were lost, and what samples report. It is not known what lost interrupts
 * interrupted, or which of the others were disturbed, so that each entry has all of them.
 */
static void keep_totals(const struct sharing *sharing, struct bpmu_by *by)
{
	const struct bpmu_by *counted = sharing->r.by;
	unsigned int i, k;

	for (i = 0; i < by->nr_shares; i++) {
		by->shares[i] = sharing->events[i].shares;
		by->shares[i].counted = replayed_count(sharing, by->shares[i].slot);
	}
	for (k = 0; k < counted->nr; k++)
		by->spent += counted->entry[k]->spent;
	for (i = 0; i < by->nr; i++) {
		by->entry[i]->lost = by->shares->lost;
		for (k = 0; k < counted->nr; k++)
			by->entry[i]->flaws |= counted->entry[k]->flaws;
	}
}

/* Sums interrupts of all events by the key of --by, and for their totals by CPU. */
static int entries_of_interrupts(struct bpmu_replay *replay, const struct bpmu_target *target,
				 struct bpmu_error *err)
{
	struct bpmu_by counted = { .type = BPMU_BY_CPU };
	struct bpmu_by *by = &replay->by;
	struct sharing sharing = {
		.r = { .replay = replay, .by = &counted }, .each = on_interrupt, .data = by,
	};
	int code = 0;
	unsigned int i;

	while (bpmu_replay_interrupting(target->recorded, sharing.nr))
		sharing.nr++;
	sharing.events = calloc(sharing.nr, sizeof(*sharing.events));
	by->shares = calloc(sharing.nr, sizeof(*by->shares));
	if (!sharing.events || !by->shares)
		code = bpmu_error_no_memory(err, "--by");
	for (i = 0; i < sharing.nr && !code; i++)
		sharing.events[i].shares.slot = bpmu_replay_interrupting(target->recorded, i);
	if (!code)
		code = share_begin(&sharing, BPMU_BY_CPU, target, err);
	if (!code)
		code = pass_overflows(replay, &sharing, target, err);
	if (!code) {
		by->nr_shares = sharing.nr;
		keep_totals(&sharing, by);
		code = bpmu_by_end(by, replay->name, err);
	}
	if (!code)
		by->counted = replayed_count(&sharing, by->clock);
	for (i = 0; i < sharing.nr && sharing.events; i++)
		bpmu_by_free(&sharing.events[i].by);
	free(sharing.events);
	bpmu_by_free(&counted);
	return code;
}

/*
 * Sets *@silent to the first requested event of the core that is not known of interrupts: it did not
 * interrupt, nor do the interrupts of others have its counts. Sets it to NULL if there is none.
 * Returns 0, or -ENODATA if an event was not recorded, or -ENOMEM.
 */
static int find_silent(const struct bpmu_groups *wanted, const struct bpmu_recording_about *about,
		       const struct bpmu_sched_slot **silent, struct bpmu_error *err)
{
	const struct bpmu_groups *recorded = &about->groups;
	const struct bpmu_measure to = { .groups = { wanted } }, from = { .groups = { recorded } };
	const struct bpmu_sched *sched = &recorded->group[0].sched;
	const struct bpmu_group *group;
	unsigned int g, i, slot;
	struct bpmu_map map;
	int code = bpmu_map_make(&map, &to, &from, 0, err);
	bool told;

	*silent = NULL;
	for (g = 0; g < wanted->nr && !code; g++) {
		group = &wanted->group[g];
		for (i = 0; i < group->sched.nr && group->sched.bank == BPMU_BANK_CORE; i++) {
			slot = map.core_type[0].slot[group->first + i];
			told = slot < sched->nr &&
			       (about->counts || bpmu_sched_interrupts(&sched->slot[slot]));
			if (!*silent && !told)
				*silent = &group->sched.slot[i];
		}
	}
	bpmu_map_free(&map);
	return code;
}

/**
 * bpmu_replay_entries() - replay a recording, and sum its samples by the key of --by
 * @replay: open recording. The type of &bpmu_replay.by is the key, such as the interrupted
 *	function; &bpmu_replay.by receives an entry with the sums of each function
 * @target: CPUs of the recording
 * @wanted: groups of the requested events. If all these events interrupted, or interrupts have the
 *	counts of all events, counts are summed from interrupts; otherwise from samples, because an
 *	event that did not interrupt has no others
 *
 * Return: 0, -ENODATA if samples do not name interrupted tasks, an event was not recorded or nothing
 * was counted, -EINVAL for a key that only interrupts have, or another negative errno.
 */
int bpmu_replay_entries(struct bpmu_replay *replay,
			const struct bpmu_target *target,
			const struct bpmu_groups *wanted, struct bpmu_error *err)
{
	struct bpmu_replaying r = { .replay = replay, .by = &replay->by };
	bool interrupts = bpmu_replay_interrupting(target->recorded, 0);
	const struct bpmu_sched_slot *silent = NULL;
	int code = 0;

	if (bpmu_by_is_of_records(replay->by.type))
		return bpmu_error_set(err, -EINVAL,
			"--by %s: %s are known of interrupts, not of counts and metrics; leave out -l and -M, name one event that interrupted with -e, or use --by symbol",
			bpmu_by_name(replay->by.type),
			replay->by.type == BPMU_BY_BRANCH ? "branches" : "sampled ops");
	if (replay->by.type != BPMU_BY_CPU && interrupts)
		code = find_silent(wanted, target->recorded, &silent, err);
	if (code)
		return code;
	if (replay->by.type != BPMU_BY_CPU && interrupts && !silent)
		return entries_of_interrupts(replay, target, err);
	code = bpmu_by_begin(r.by, target->recorded, &target->cpus, err);
	if (!code)
		code = read_symbol_blocks(replay, bpmu_by_symbols_add_block, &replay->by.symbols,
					  err);
	if (!code)
		code = find_window(&r, err);
	if (code)
		return code;
	code = replay_feed(&r, err);
	if (!code && silent && r.by->unattributed)
		return bpmu_error_set(err, -ENODATA,
			"%s: '%s' did not interrupt, and samples do not name the interrupted process; record it with a period or frequency of its own, or record with --who",
			replay->name, silent->text);
	return code ? code : bpmu_by_end(r.by, replay->name, err);
}

/*
 * Emits the sums over the replayed time as one interval. Where other intervals have a count for
 * each CPU, this interval has a count for each entry of --by, such as each task.
 */
static int emit_entries(const struct bpmu_replay *replay,
			const struct bpmu_measure *measure,
			struct bpmu_error *err)
{
	struct bpmu_interval interval = bpmu_by_interval(&replay->by);
	const struct bpmu_measure recorded = {
		.groups = { &replay->by.about->groups },
	};
	const struct bpmu_measure wanted = {
		.groups = { measure->groups[0] }, .nr_cpus = replay->by.nr,
	};
	struct bpmu_map map;
	unsigned int bank;
	int code;

	code = bpmu_map_make(&map, &wanted, &recorded, interval.batches, err);
	if (!code) {
		bpmu_map_interval(&map, &interval);
	/*
	 * Counts of uncore units belong to no single task or function, because several CPUs share
	 * these units. Such counts are reported as missing: as if their groups had been multiplexed
	 * and never been counted.
	 */
		for (bank = BPMU_BANK_UNCORE; bank < BPMU_BANKS; bank++) {
			interval.sampled[0][bank] = true;
			interval.multiplexed[0][bank] = true;
		}
		interval.stamp = stamp_of(replay, replay->by.begin,
					  interval.seconds);
		measure->emit(measure->data, &interval);
	}
	bpmu_map_free(&map);
	return code;
}

/**
 * bpmu_replay_begin() - begin to replay a recording step by step
 * @r: set to the replay, which bpmu_replay_end() ends; NULL on failure
 * @replay: open recording, at its start; must outlive @r
 * @measures: the measurements to replay, on the same CPUs of the recording, [@nr]; must outlive
 *	@r
 * @nr: number of measurements, at least 1
 */
int bpmu_replay_begin(struct bpmu_replaying **r,
		      const struct bpmu_replay *replay,
		      const struct bpmu_measure *measures, unsigned int nr,
		      struct bpmu_error *err)
{
	struct bpmu_replaying *new = calloc(1, sizeof(*new));
	unsigned int i;
	int code;

	*r = NULL;
	if (!new)
		return bpmu_error_no_memory(err, replay->name);
	new->replay = replay;
	new->output = calloc(nr, sizeof(*new->output));
	new->counting = calloc(nr, sizeof(*new->counting));
	code = new->output && new->counting ? 0 : bpmu_error_no_memory(err, replay->name);
	for (i = 0; i < nr && !code; i++)
		code = begin_output(new, &measures[i], err);
	if (!code)
		code = find_window(new, err);
	if (code)
		bpmu_replay_end(new);
	else
		*r = new;
	return code;
}

/**
 * bpmu_replay_end() - free a replay of a recording
 * @r: replay from bpmu_replay_begin(), or NULL
 */
void bpmu_replay_end(struct bpmu_replaying *r)
{
	unsigned int i;

	if (!r)
		return;
	bpmu_team_free(r->team);
	for (i = 0; i < r->nr_countings; i++)
		bpmu_series_free(r->counting[i].series);
	for (i = 0; i < r->nr_outputs; i++)
		bpmu_map_free(&r->output[i].map);
	free(r->counting);
	free(r->output);
	free(r);
}

/**
 * bpmu_replay_run() - replay a recording: emit all of its intervals
 * @replay: open recording, at its start; with --by, bpmu_replay_entries() has summed the samples
 * @measures: the measurements to replay, on the same CPUs of the recording, [@nr]; the samples are
 *	decoded once for all of them. With --by there is only one measurement
 * @nr: number of measurements, at least 1
 */
int bpmu_replay_run(const struct bpmu_replay *replay,
		    const struct bpmu_measure *measures, unsigned int nr,
		    struct bpmu_error *err)
{
	struct bpmu_replaying *r;
	bool seen = false;
	unsigned int i;
	int code;

	if (replay->by.type)
		return emit_entries(replay, measures, err);
	code = bpmu_replay_begin(&r, replay, measures, nr, err);
	if (code)
		return code;
	code = replay_feed(r, err);
	for (i = 0; i < r->nr_countings; i++)
		seen |= r->counting[i].seen;
	if (!code && !seen)
		code = bpmu_error_set(err, -ENODATA,
				      "%s: nothing was counted in this time; choose another one with --from and --to",
				      replay->name);
	bpmu_replay_end(r);
	return code;
}
