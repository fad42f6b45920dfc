// SPDX-License-Identifier: GPL-2.0
#include "series.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_FIRST (BPMU_SAMPLE_START | BPMU_SAMPLE_ONLINE)

/**
 * struct cpu - one CPU's progress
 * @counting: @last is the start of a difference
 * @away: offline: it holds up nobody
 * @seq: number of its next sample
 * @start: TSC of its first sample
 * @end: TSC of its latest sample
 * @grid: TSC at which its latest interval ended, or should have
 * @past: intervals that it has delivered
 * @enabled: of its latest sample
 * @running: of its latest sample
 * @last: raw values of its latest sample
 */
struct cpu {
	bool counting;
	bool away;
	u64 seq;
	u64 start;
	u64 end;
	double grid;
	u64 past;
	u64 enabled;
	u64 running;
	u64 last[BPMU_MAX_COUNTERS];
};

/**
 * struct pending - an interval that is being gathered
 * @next: the one after it
 * @cells: counts, then enabled, running and lost of each CPU position
 */
struct pending {
	struct pending *next;
	u64 cells[];
};

/**
 * struct bpmu_series - all of it
 * @measure: what is measured
 * @terms: counters of the schedule
 * @cpu: by position
 * @first: oldest interval not emitted
 * @index: its number
 * @ticks: TSC ticks of an interval, 0 if there is only one
 * @failed: memory ran out
 */
struct bpmu_series {
	const struct bpmu_measure *measure;
	unsigned int terms;
	struct cpu *cpu;
	struct pending *first;
	u64 index;
	double ticks;
	bool failed;
};

/**
 * bpmu_series_new() - nothing yet
 * @measure: what is measured; outlives the series
 *
 * Return: the series, or NULL without memory.
 */
struct bpmu_series *bpmu_series_new(const struct bpmu_measure *measure)
{
	struct bpmu_series *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->measure = measure;
	s->terms = measure->sched->nr;
	s->ticks = measure->interval_ns * (double)measure->info->tsc_khz / 1e6;
	s->cpu = calloc(measure->nr_cpus, sizeof(*s->cpu));
	if (s->cpu)
		return s;
	free(s);
	return NULL;
}

static void drop_first(struct bpmu_series *s)
{
	struct pending *gone = s->first;

	s->first = gone->next;
	s->index++;
	free(gone);
}

/**
 * bpmu_series_free() - free it
 * @series: or NULL
 */
void bpmu_series_free(struct bpmu_series *series)
{
	if (!series)
		return;
	while (series->first)
		drop_first(series);
	free(series->cpu);
	free(series);
}

static struct pending *pending_at(struct bpmu_series *s, u64 index)
{
	size_t cells = (size_t)s->measure->nr_cpus * (s->terms + 3);
	struct pending **at = &s->first;
	u64 i;

	for (i = s->index;; i++, at = &(*at)->next) {
		if (!*at)
			*at = calloc(1, sizeof(**at) + cells * sizeof(u64));
		if (!*at)
			s->failed = true;
		if (!*at || i >= index)
			return *at;
	}
}

static int position(const struct bpmu_measure *m, u32 cpu)
{
	unsigned int i;

	for (i = 0; i < m->nr_cpus; i++)
		if (m->cpus[i] == cpu)
			return i;
	return -1;
}

/* so far before its time a tick may come, in intervals */
#define EARLY 0.05
/* so much faster than its nominal rate the TSC may run */
#define DRIFT 0.0005

/*
 * Intervals that a tick ends: none if the tick before was late, several if
 * samples were lost or not taken. Ticks are late, never early: the earliest
 * ones tell where the grid is, whatever the TSC's exact rate.
 */
static u64 intervals_ended(const struct bpmu_series *s, struct cpu *cpu,
			   const struct bpmu_sample *sample)
{
	double late = sample->tsc_begin - cpu->grid;
	u64 nr;

	if (!s->ticks || !(sample->flags & BPMU_SAMPLE_TIMER))
		return 0;
	nr = late / s->ticks + EARLY;
	late -= nr * s->ticks;
	if (nr && late > s->ticks * DRIFT * nr)
		late = s->ticks * DRIFT * nr;
	cpu->grid += nr ? nr * s->ticks + late : 0;
	return nr;
}

static u64 width_mask(const struct bpmu_measure *m, unsigned int term)
{
	u8 width = bpmu_pmu_width(&m->info->pmu,
				  m->sched->slot[term].counter);

	return width < 64 ? BPMU_BIT(width) - 1 : ~0ULL;
}

/* what the CPU counted since its latest sample */
static void add_difference(struct bpmu_series *s, unsigned int pos,
			   const struct bpmu_sample *sample, const u64 *values)
{
	unsigned int nr_cpus = s->measure->nr_cpus;
	struct cpu *cpu = &s->cpu[pos];
	struct pending *pending;
	u64 missed, ended;
	u64 *tail;
	unsigned int i;

	ended = intervals_ended(s, cpu, sample);
	pending = pending_at(s, cpu->past + (ended ? ended - 1 : 0));
	if (!pending)
		return;
	cpu->past += ended;
	missed = sample->seq - cpu->seq;
	if (ended > missed + 1)
		missed = ended - 1;
	for (i = 0; i < s->terms; i++)
		pending->cells[pos * s->terms + i] +=
			(values[i] - cpu->last[i]) & width_mask(s->measure, i);
	tail = pending->cells + (size_t)nr_cpus * s->terms;
	tail[pos] += sample->enabled - cpu->enabled;
	tail[nr_cpus + pos] += sample->running - cpu->running;
	tail[2 * nr_cpus + pos] += missed;
}

/* the CPU's timer starts here */
static void start_grid(struct bpmu_series *s, struct cpu *cpu,
		       const struct bpmu_sample *sample)
{
	if (sample->flags & BPMU_SAMPLE_START)
		cpu->start = sample->tsc_begin;
	cpu->grid = sample->tsc_end;
	if (s->ticks)
		cpu->past = (sample->tsc_begin - cpu->start) / s->ticks;
}

static void note(struct bpmu_series *s, struct cpu *cpu,
		 const struct bpmu_sample *sample, const u64 *values)
{
	if (sample->flags & SAMPLE_FIRST)
		start_grid(s, cpu, sample);
	cpu->counting = !(sample->flags & BPMU_SAMPLE_OFFLINE);
	cpu->away = sample->flags & BPMU_SAMPLE_OFFLINE;
	cpu->seq = sample->seq + 1;
	cpu->end = sample->tsc_end;
	cpu->enabled = sample->enabled;
	cpu->running = sample->running;
	memcpy(cpu->last, values, s->terms * sizeof(*values));
}

/**
 * bpmu_series_add() - a sample
 * @series: of the measurement
 * @sample: of one of its CPUs, in that CPU's order
 * @values: raw counter values
 *
 * The difference to the CPU's sample before goes to the interval that ends with
 * this sample; where samples were lost that is the whole of it. A sample that
 * is not the timer's adds to the interval that is under way.
 */
void bpmu_series_add(struct bpmu_series *series,
		     const struct bpmu_sample *sample, const u64 *values)
{
	int pos = position(series->measure, sample->cpu);

	if (pos < 0)
		return;
	if (series->cpu[pos].counting &&
	    !(sample->flags & SAMPLE_FIRST))
		add_difference(series, pos, sample, values);
	note(series, &series->cpu[pos], sample, values);
}

static double seconds_until(const struct bpmu_series *s, u64 tsc_ticks)
{
	return tsc_ticks / (s->measure->info->tsc_khz * 1000.0);
}

static double elapsed(const struct bpmu_series *s)
{
	double longest = s->index * (s->measure->interval_ns / 1e9);
	double seconds;
	unsigned int i;

	for (i = 0; i < s->measure->nr_cpus; i++) {
		seconds = seconds_until(s, s->cpu[i].end - s->cpu[i].start);
		if (seconds > longest)
			longest = seconds;
	}
	return longest;
}

static void emit_first(struct bpmu_series *s, bool end)
{
	const struct bpmu_measure *m = s->measure;
	u64 *tail = s->first->cells + (size_t)m->nr_cpus * s->terms;
	double period = m->interval_ns / 1e9;
	struct bpmu_interval interval = {
		.index = s->index,
		.last = end || s->index + 1 == m->max_intervals,
		.seconds = end ? elapsed(s) : (s->index + 1) * period,
		.count = s->first->cells,
		.enabled = tail,
		.running = tail + m->nr_cpus,
		.lost = tail + 2 * m->nr_cpus,
	};

	interval.duration = interval.seconds - s->index * period;
	m->emit(m->data, &interval);
	drop_first(s);
}

static bool complete(const struct bpmu_series *s)
{
	unsigned int i;

	if (!s->ticks || !s->first)
		return false;
	for (i = 0; i < s->measure->nr_cpus; i++)
		if (!s->cpu[i].away && s->cpu[i].past <= s->index)
			return false;
	return true;
}

/**
 * bpmu_series_emit() - emit the intervals that all CPUs have delivered
 * @series: of the measurement
 *
 * Return: how many were emitted so far.
 */
unsigned int bpmu_series_emit(struct bpmu_series *series)
{
	unsigned int most = series->measure->max_intervals;

	while (complete(series) && (!most || series->index < most))
		emit_first(series, false);
	return series->index;
}

/**
 * bpmu_series_finish() - emit what is left
 * @series: of the measurement, with its last samples
 */
void bpmu_series_finish(struct bpmu_series *series)
{
	unsigned int most = series->measure->max_intervals;

	while (series->first && (!most || series->index < most))
		emit_first(series, !series->first->next);
}

/**
 * bpmu_series_failed() - did memory run out
 * @series: of the measurement
 *
 * Return: nonzero if counts are missing.
 */
int bpmu_series_failed(const struct bpmu_series *series)
{
	return series->failed;
}
