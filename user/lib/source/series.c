// SPDX-License-Identifier: GPL-2.0
#include "series.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/flaw.h"

/* Maximum number of intervals that wait for samples of a CPU; more would need too much memory. */
#define ROOM_MAX (1ULL << 24)

#define SAMPLE_FIRST (BPMU_SAMPLE_START | BPMU_SAMPLE_ONLINE)

/* value of &cpu.tick if the timer did not take the latest sample of the CPU */
#define NO_INTERVAL (~0ULL)

/* Fraction of an interval by which a timer sample may precede the scheduled end of the interval. */
#define EARLY 0.05

/*
 * Indices of the values that an interval has for each CPU besides the counts of events. The index
 * SHARED + bank is for the time that a bank (the counters of a kind of uncore unit) ran, if several
 * CPUs share this bank.
 */
enum tail {
	ENABLED,
	SHARED,
	LOST = SHARED + BPMU_BANKS, SPENT,
	/* The values of all samples are added up; only flaws, which are bit masks, are ORed. */
	FLAWS,
	TAILS
};

/*
 * Whether a series gets more samples (GOES_ON), or why not: BPMU_CMD_SWAP has replaced its event
 * groups, or the run has ended.
 */
enum ending { GOES_ON, GROUPS_REPLACED, RUN_ENDED };

/**
 * struct series_type - groups counted on the CPUs of one core type
 * @groups: the groups; they may be freed before the series
 * @nr: number of groups
 * @first: number of the first group of each bank, [bank]. A bank is the counters of the cores, or
 *	those of one kind of uncore unit
 * @gathered: values that the CPUs gather between two intervals: &enum tail without FLAWS, and
 *	without the time of banks that have no groups or that belong to one CPU, [@nr_gathered]
 * @nr_gathered: number of @gathered
 * @delta: how counts are computed from raw counter values, [counters of all groups]
 */
struct series_type {
	const struct bpmu_groups *groups;
	unsigned int nr;
	unsigned int first[BPMU_BANKS];
	unsigned int gathered[FLAWS];
	unsigned int nr_gathered;
	struct bpmu_delta *delta;
};

/**
 * struct series_group - state of a group on a CPU
 * @based: the group has had a sample; the next count is the difference from this sample's values
 * @running: running time that the group's latest sample reports, in TSC ticks
 * @sums: values of the latest sample, and counts that are not added to the interval yet
 */
struct series_group {
	bool based;
	u64 running;
	struct bpmu_slice_sums sums;
};

/**
 * struct cpu - state of a CPU
 * @core_type: groups of the CPU's core type
 * @cell: index of the CPU's first cell in an interval
 * @away: the CPU is offline or failed, so that intervals do not wait for it
 * @failed: the CPU came online again and could not be programmed
 * @since: first interval for which @failed holds
 * @back: TSC ticks by which the CPU's TSC was set back so far, such as by a suspend; they are added
 *	to the CPU's time stamps, so that these never decrease
 * @seq: sequence number of the next sample, 0 before the first
 * @start: TSC of the first sample
 * @end: TSC of the latest sample
 * @grid: TSC at which the latest interval was scheduled to end; the next intervals are scheduled to
 *	end one interval's length later, two lengths later, and so on
 * @past: number of intervals that the CPU has delivered
 * @enabled: enabled time that the latest sample reports
 * @time: enabled time that the latest sample of each bank reports, [bank]
 * @bank: bank of the latest sample
 * @tick: number of the interval to which the latest sample belongs if the timer took this sample,
 *	else NO_INTERVAL
 * @spent: total handler time that the latest sample reports
 * @group: state of the groups, [nr groups]
 * @pending: interval to which the CPU's latest counts were added, or NULL
 * @pending_at: number of the interval @pending
 * @tail: values to be added to the CPU's values in @pending->tail, [&enum tail]; give_tail() still
 *	adds @enabled and @spent to two of them
 */
struct cpu {
	const struct series_type *core_type;
	size_t cell;
	bool away;
	bool failed;
	u64 since;
	u64 back;
	u64 seq;
	u64 start;
	u64 end;
	double grid;
	u64 past;
	u64 enabled;
	u64 time[BPMU_BANKS];
	enum bpmu_bank_id bank;
	u64 tick;
	u64 spent;
	struct series_group *group;
	struct pending *pending;
	u64 pending_at;
	u64 tail[TAILS];
};

/**
 * struct pending - an interval to which counts are still added, in one block of memory
 * @next: if nobody reads the interval any more: next element of &bpmu_series.spare, or NULL
 * @interval: the interval as it is emitted. Its pointers to this block of memory, except the one to
 *	flaws, and the number of batches are set once; what differs between intervals is set when it
 *	is emitted
 * @tail: [TAILS][nr_cpus], first index &enum tail
 * @batch: as in &struct bpmu_interval, or NULL
 * @cell: as in &struct bpmu_interval
 */
struct pending {
	struct pending *next;
	struct bpmu_interval interval;
	u64 *tail;
	struct bpmu_batch *batch;
	struct bpmu_cell cell[];
};

/**
 * struct ring - ring buffer of intervals that were begun and not emitted
 * @room: capacity in intervals, a power of two
 * @old: previous, smaller ring buffer, which other threads may still read
 * @at: interval number i is at index i modulo @room; NULL if nothing was counted in it
 */
struct ring {
	u64 room;
	struct ring *old;
	struct pending *at[];
};

/**
 * struct absence - intervals in which a CPU could not be programmed
 * @pos: position of the CPU in &bpmu_measure.cpus
 * @since: number of the first interval
 * @until: number of the last interval
 */
struct absence {
	unsigned int pos;
	u64 since;
	u64 until;
};

/**
 * struct bpmu_series - a series of intervals
 * @measure: parameters of the measurement
 * @batches: number of batches (sets of rotation slices) for which a count is summed separately; 0
 *	for none
 * @core_type: groups, [bpmu_measure_core_types()]
 * @cpu: state of the CPUs, [position in &bpmu_measure.cpus]
 * @shared: mask of the banks whose counters several CPUs share, so that only one reads them
 * @cells: number of counts of all CPUs in an interval
 * @counts: size in bytes of an interval's cells, tail and batches, which begin at 0
 * @at: position of a CPU, -1 if it is not measured, [CPU number]
 * @nr_at: length of @at
 * @ring: intervals that are not emitted yet; read by all threads that add samples
 * @spare: list of the memory of intervals that were emitted, for use by the next intervals
 * @kept: memory of the interval that was emitted last, with &bpmu_measure.kept; or NULL
 * @inherited: @kept is of the previous plan (the groups before the latest BPMU_CMD_SWAP), whose
 *	intervals have another size
 * @absent: absences that have ended, until all intervals in them have been emitted
 * @nr_absent: number of @absent
 * @lock: protects @ring, @absent, @end and @failed while samples are added
 * @index: number of the oldest interval in @ring
 * @end: number after the newest interval in @ring
 * @ticks: TSC ticks of an interval, 0 if there is only one
 * @early: fraction of an interval by which a timer sample may precede the interval's end
 * @origin: TSC of the first sample of all CPUs
 * @newest: TSC of the newest sample of all CPUs when intervals were last emitted
 * @plan: number of the plan whose groups this series has
 * @next: series of the next plan, once its samples may arrive; or NULL
 * @merged: number of intervals that were merged into the oldest interval in @ring
 * @emitted: number of intervals emitted, including the intervals of earlier plans
 * @before: number of intervals of earlier plans
 * @began: time at which the groups of this plan started, in seconds since the start of the run
 * @until: end of the latest interval, in seconds since the start of the run
 * @ending: whether more samples will be added
 * @failed: memory ran out
 */
struct bpmu_series {
	const struct bpmu_measure *measure;
	unsigned int batches;
	struct series_type core_type[BPMU_CORE_TYPES];
	struct cpu *cpu;
	u64 shared;
	size_t cells;
	size_t counts;
	int *at;
	u32 nr_at;
	struct ring *ring;
	struct pending *spare;
	struct pending *kept;
	bool inherited;
	struct absence *absent;
	unsigned int nr_absent;
	pthread_mutex_t lock;
	u64 index;
	u64 end;
	double ticks;
	double early;
	u64 origin;
	u64 newest;
	unsigned int plan;
	struct bpmu_series *next;
	u64 merged;
	unsigned int emitted;
	unsigned int before;
	double began;
	double until;
	enum ending ending;
	bool failed;
};

static void free_groups(struct cpu *cpu)
{
	unsigned int i;

	for (i = 0; cpu->group && i < cpu->core_type->nr; i++)
		bpmu_slice_sums_free(&cpu->group[i].sums);
	free(cpu->group);
}

static void free_cpus(struct bpmu_series *s)
{
	unsigned int i;

	for (i = 0; s->cpu && i < s->measure->nr_cpus; i++)
		free_groups(&s->cpu[i]);
	for (i = 0; i < ARRAY_SIZE(s->core_type); i++)
		free(s->core_type[i].delta);
	free(s->cpu);
	free(s->at);
}

static bool alloc_core_types(struct bpmu_series *s)
{
	struct series_type *type;
	unsigned int i;
	int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (bpmu_bank_facts[bank].domain != BPMU_DOMAIN_THREAD)
			s->shared |= 1ull << bank;
	for (i = 0; i < bpmu_measure_core_types(s->measure); i++) {
		type = &s->core_type[i];
		type->groups = s->measure->groups[i];
		type->nr = type->groups->nr;
		for (bank = 0; bank < BPMU_BANKS; bank++) {
			type->first[bank] = bpmu_groups_first(type->groups, bank);
			if (s->shared >> bank & 1 && type->groups->nr_of[bank])
				type->gathered[type->nr_gathered++] = SHARED + bank;
		}
		type->gathered[type->nr_gathered++] = ENABLED;
		type->gathered[type->nr_gathered++] = LOST;
		type->gathered[type->nr_gathered++] = SPENT;
		type->delta = bpmu_deltas_new(type->groups->pmu, type->groups);
		if (!type->delta)
			return false;
	}
	return true;
}

/*
 * Slices of groups are divided into @batches only where groups are multiplexed: the counts of a
 * group that has its bank for itself are exact, even if other groups are multiplexed.
 */
static bool alloc_groups(struct cpu *cpu, unsigned int batches)
{
	const struct series_type *type = cpu->core_type;
	const struct bpmu_groups *groups = type->groups;
	const struct bpmu_group *group = groups->group;
	struct series_group *of;
	unsigned int i;

	cpu->group = calloc(groups->nr + 1, sizeof(*cpu->group));
	if (!cpu->group)
		return false;
	for (i = 0, of = cpu->group; i < groups->nr; i++, group++, of++)
		if (!bpmu_slice_sums_init(&of->sums, type->delta + group->first, group->sched.nr,
					  groups->nr_of[group->sched.bank] > 1 ? batches : 0))
			return false;
	return true;
}

static bool alloc_cpus(struct bpmu_series *s)
{
	const struct bpmu_measure *m = s->measure;
	unsigned int i, end, k;
	struct cpu *cpu;

	for (i = 0; i < m->nr_cpus; i++)
		if (m->cpus[i] >= s->nr_at)
			s->nr_at = m->cpus[i] + 1;
	s->at = malloc(s->nr_at * sizeof(*s->at));
	if (!s->at)
		return false;
	for (i = 0; i < s->nr_at; i++)
		s->at[i] = -1;
	for (i = 0; i < m->nr_cpus; i++)
		s->at[m->cpus[i]] = i;
	s->cpu = calloc(m->nr_cpus, sizeof(*s->cpu));
	if (!s->cpu)
		return false;
	for (k = 0; k < bpmu_measure_core_types(m); k++) {
		end = m->first[k] + bpmu_measure_cpus(m, k);
		for (i = m->first[k]; i < end; i++) {
			cpu = &s->cpu[i];
			cpu->core_type = &s->core_type[k];
			cpu->cell = s->cells;
			s->cells += cpu->core_type->groups->slots;
			if (!alloc_groups(cpu, s->batches))
				return false;
		}
	}
	s->counts = s->cells * (sizeof(struct bpmu_cell) + s->batches * sizeof(struct bpmu_batch)) +
		    (size_t)m->nr_cpus * TAILS * sizeof(u64);
	return true;
}

/**
 * bpmu_series_new() - create an empty series of intervals
 * @measure: parameters of the measurement; must outlive the series
 * @batches: number of batches (sets of rotation slices) for which each count of an interval is
 *	summed separately if its group is multiplexed; 0 for none
 *
 * Return: the series, or NULL without memory.
 */
struct bpmu_series *bpmu_series_new(const struct bpmu_measure *measure,
				    unsigned int batches)
{
	struct bpmu_series *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->measure = measure;
	s->batches = batches;
	s->ticks = measure->interval_ns * (double)measure->info->tsc_khz / 1e6;
	s->early = EARLY;
	if (measure->period_ns && measure->period_ns < measure->interval_ns)
		s->early *= measure->period_ns / (double)measure->interval_ns;
	pthread_mutex_init(&s->lock, NULL);
	if (alloc_core_types(s) && alloc_cpus(s))
		return s;
	pthread_mutex_destroy(&s->lock);
	free_cpus(s);
	free(s);
	return NULL;
}

/* Keeps the memory of @pending, an interval that nobody reads any more, for a later interval. */
static void reuse(struct bpmu_series *s, struct pending *pending)
{
	if (!pending)
		return;
	pending->next = s->spare;
	s->spare = pending;
}

/* Removes the oldest interval from the ring buffer, and returns it; NULL if it has no counts. */
static struct pending *take_first(struct bpmu_series *s)
{
	struct pending **at = &s->ring->at[s->index & (s->ring->room - 1)];
	struct pending *first = *at;

	s->index++;
	*at = NULL;
	return first;
}

static void drop_first(struct bpmu_series *s)
{
	reuse(s, take_first(s));
}

/* Removes the oldest interval, but keeps its memory until the next interval has been emitted. */
static void series_keep_first(struct bpmu_series *s)
{
	struct pending *before = s->kept;

	s->kept = take_first(s);
	if (s->inherited)
		free(before);
	else
		reuse(s, before);
	s->inherited = false;
}

/*
 * Frees the old ring buffers. No other thread reads them, because no other thread adds samples now.
 */
static void drop_old_rings(struct ring *ring)
{
	struct ring *old;

	while ((old = ring->old)) {
		ring->old = old->old;
		free(old);
	}
}

/**
 * bpmu_series_free() - free a series of intervals
 * @series: or NULL
 */
void bpmu_series_free(struct bpmu_series *series)
{
	struct pending *spare;

	if (!series)
		return;
	while (series->index < series->end)
		drop_first(series);
	if (series->ring)
		drop_old_rings(series->ring);
	free(series->ring);
	while ((spare = series->spare)) {
		series->spare = spare->next;
		free(spare);
	}
	free(series->kept);
	free(series->absent);
	pthread_mutex_destroy(&series->lock);
	free_cpus(series);
	free(series);
}

/*
 * Makes the ring buffer large enough for interval @index in addition to all intervals that are not
 * emitted yet. The caller holds the lock of @s.
 */
static bool series_make_room(struct bpmu_series *s, u64 index)
{
	struct ring *grown;
	u64 room, i;

	if (index - s->index >= ROOM_MAX)
		return false;
	for (room = s->ring ? s->ring->room : 16; index - s->index >= room;)
		room *= 2;
	grown = calloc(1, sizeof(*grown) + room * sizeof(*grown->at));
	if (!grown)
		return false;
	grown->room = room;
	grown->old = s->ring;
	for (i = s->index; i < s->end; i++)
		grown->at[i & (room - 1)] = s->ring->at[i & (s->ring->room - 1)];
	__atomic_store_n(&s->ring, grown, __ATOMIC_RELEASE);
	return true;
}

/*
 * Returns interval @index; allocates it if no other thread has. Returns NULL if out of memory. The
 * intervals before @index are not allocated here, because a corrupt time stamp can make @index very
 * large.
 */
static struct pending *pending_at(struct bpmu_series *s, u64 index)
{
	struct ring *ring = __atomic_load_n(&s->ring, __ATOMIC_ACQUIRE);
	const size_t nr_cpus = s->measure->nr_cpus;
	struct pending *pending = NULL;
	struct pending **at;
	unsigned int bank;
	u64 *tail;

	if (ring && index - s->index < ring->room)
		pending = __atomic_load_n(&ring->at[index & (ring->room - 1)],
					  __ATOMIC_ACQUIRE);
	if (pending)
		return pending;
	pthread_mutex_lock(&s->lock);
	if ((!s->ring || index - s->index >= s->ring->room) &&
	    !series_make_room(s, index)) {
		s->failed = true;
		goto unlock;
	}
	if (s->end <= index)
		s->end = index + 1;
	at = &s->ring->at[index & (s->ring->room - 1)];
	pending = *at;
	if (pending)
		goto unlock;
	pending = s->spare;
	if (pending) {
		s->spare = pending->next;
	} else {
		pending = malloc(sizeof(*pending) + s->counts);
		if (!pending) {
			s->failed = true;
			goto unlock;
		}
		tail = (u64 *)(pending->cell + s->cells);
		pending->tail = tail;
		pending->batch = s->batches ? (struct bpmu_batch *)(tail + TAILS * nr_cpus) : NULL;
		pending->interval = (struct bpmu_interval){
			.cell = pending->cell, .batch = pending->batch, .batches = s->batches,
			.enabled = tail + ENABLED * nr_cpus, .lost = tail + LOST * nr_cpus,
			.spent = tail + SPENT * nr_cpus,
		};
		for (bank = 0; bank < BPMU_BANKS; bank++)
			if (s->shared >> bank & 1)
				pending->interval.shared[bank] = tail + (SHARED + bank) * nr_cpus;
	}
	memset(pending->cell, 0, s->counts);
	__atomic_store_n(at, pending, __ATOMIC_RELEASE);
unlock:
	pthread_mutex_unlock(&s->lock);
	return pending;
}

/* maximum deviation of the TSC's rate from its nominal rate, as a fraction of this rate */
#define DRIFT 0.0005

/*
 * Adds the values that a CPU has gathered in &cpu.tail, such as the time that its counters ran, to
 * the CPU's interval. In the interval, the values of all CPUs are side by side: if they were added
 * at each sample, threads that add samples of different CPUs would write to the same cache lines.
 */
static void give_tail(struct bpmu_series *s, unsigned int pos)
{
	struct cpu *cpu = &s->cpu[pos];
	const size_t nr_cpus = s->measure->nr_cpus;
	unsigned int i, what;
	u64 *tail;

	if (!cpu->pending)
		return;
	for (i = 0; i < cpu->core_type->nr; i++)
		bpmu_slice_sums_close(&cpu->group[i].sums);
	cpu->tail[ENABLED] += cpu->enabled;
	cpu->tail[SPENT] += cpu->spent;
	tail = cpu->pending->tail + pos;
	for (i = 0; i < cpu->core_type->nr_gathered; i++) {
		what = cpu->core_type->gathered[i];
		tail[what * nr_cpus] += cpu->tail[what];
		cpu->tail[what] = 0;
	}
	tail[FLAWS * nr_cpus] |= cpu->tail[FLAWS];
	cpu->tail[FLAWS] = 0;
	cpu->pending = NULL;
}

/*
 * Lets an interval of the CPU begin at @sample, with which the timer starts, at first or after the
 * CPU came online again. The intervals are then scheduled to end at equal distances from @sample.
 */
static void start_grid(struct bpmu_series *s, struct cpu *cpu,
		       const struct bpmu_sample *sample)
{
	u64 begin = sample->tsc_begin + cpu->back;

	if (!s->origin)
		s->origin = begin;
	if (sample->flags & BPMU_SAMPLE_START)
		cpu->start = begin;
	else if (!cpu->start)
		cpu->start = s->origin < begin ? s->origin : begin;
	cpu->grid = sample->tsc_end + cpu->back;
	if (s->ticks)
		cpu->past = (begin - cpu->start) / s->ticks;
}

/* Adds the flaws of a sample, and the number of samples lost before it, to an interval. */
static void series_flag(struct bpmu_series *s, unsigned int pos, u64 at, u64 flaws, u64 lost)
{
	struct pending *pending;

	pending = pending_at(s, at < s->index ? s->index : at);
	if (!pending)
		return;
	pending->tail[FLAWS * s->measure->nr_cpus + pos] |= flaws;
	pending->tail[LOST * s->measure->nr_cpus + pos] += lost;
}

/* Adds the flaws and losses that a sample without counts reports to the CPU's present interval. */
static void series_add_flaws(struct bpmu_series *s, unsigned int pos, u64 flaws,
			     u64 lost)
{
	series_flag(s, pos, s->cpu[pos].past, flaws, lost);
}

/*
 * Adds a sample which reports that an uncore box cannot be read. The @ended intervals that end with
 * this sample are flagged; @at is the number of the last of them. The CPU that reads the box is not
 * marked as away, because its other counters still count.
 */
static void series_lack(struct bpmu_series *s, unsigned int pos, const struct bpmu_sample *sample,
			enum bpmu_bank_id bank, u64 at, u64 ended, u64 lost)
{
	struct cpu *cpu = &s->cpu[pos];

	for (cpu->past += ended; ended > 1 && !s->failed; ended--)
		series_flag(s, pos, at - (ended - 1), bpmu_flaw_flags(sample), 0);
	series_flag(s, pos, at, bpmu_flaw_flags(sample), lost);
	cpu->away = sample->flags & BPMU_SAMPLE_OFFLINE;
	cpu->seq = sample->seq + 1;
	cpu->end = sample->tsc_end + cpu->back;
	cpu->bank = bank;
	if (!(sample->flags & BPMU_SAMPLE_TIMER))
		cpu->tick = NO_INTERVAL;
}

/*
 * Marks a CPU as away, because it is offline or could not be programmed. It has no counts until it
 * is programmed again, so intervals do not wait for its samples.
 */
static void series_fail(struct bpmu_series *s, unsigned int pos,
			const struct bpmu_sample *sample, u64 lost)
{
	struct cpu *cpu = &s->cpu[pos];

	start_grid(s, cpu, sample);
	cpu->away = true;
	cpu->seq = sample->seq + 1;
	cpu->end = sample->tsc_end + cpu->back;
	if (!cpu->failed)
		cpu->since = cpu->past;
	cpu->failed = true;
	series_add_flaws(s, pos, bpmu_flaw_flags(sample), lost);
}

/*
 * Marks a CPU as present after the CPU was programmed again. Its absence is stored until all
 * intervals of the absence have been emitted, because these intervals must be flagged.
 */
static void series_recover(struct bpmu_series *s, unsigned int pos)
{
	struct cpu *cpu = &s->cpu[pos];
	struct absence *grown;

	series_add_flaws(s, pos, BPMU_SAMPLE_FAILED, 0);
	pthread_mutex_lock(&s->lock);
	grown = reallocarray(s->absent, s->nr_absent + 1, sizeof(*grown));
	if (grown) {
		grown[s->nr_absent++] = (struct absence){
			.pos = pos, .since = cpu->since, .until = cpu->past,
		};
		s->absent = grown;
	} else {
		s->failed = true;
	}
	pthread_mutex_unlock(&s->lock);
	cpu->failed = false;
}

/*
 * Adds a sample of @group that has the flags @flags and the counters of @bank. For the most
 * frequent samples the caller passes constants for both, so that the compiler leaves out the code
 * for all other samples. @counted is true if the group has an earlier sample: the differences
 * between the two samples are then counts.
 */
static inline __attribute__((always_inline)) void
add_sample(struct bpmu_series *s, unsigned int pos, struct cpu *cpu, struct series_group *group,
	   const struct bpmu_sample *sample, const u64 *values, unsigned int flags,
	   enum bpmu_bank_id bank, bool counted)
{
	unsigned int first = flags & SAMPLE_FIRST;
	u64 lost = bpmu_sample_lost(sample, cpu->seq);
	struct pending *pending = cpu->pending;
	u64 ended = 0, at = 0;
	double late;
	size_t cell;

	if (sample->tsc_begin + cpu->back < cpu->end)
		cpu->back = cpu->end - sample->tsc_begin;
	if (flags & BPMU_SAMPLE_FAILED && bank == BPMU_BANK_CORE) {
		series_fail(s, pos, sample, lost);
		return;
	}
	if (flags & BPMU_SAMPLE_FAILED && !cpu->start)
		start_grid(s, cpu, sample);

	/*
	 * Find the interval to which the sample belongs (@at), and the number of intervals that it
	 * ends (@ended): none if the previous timer sample was late, several if samples were lost
	 * or not taken.
	 *
	 * A timer tick reads one bank after another (the counters of the core, and those of each
	 * kind of uncore unit). The first sample of the tick ends an interval; the other samples of
	 * the tick belong to the same interval. The timer can be late, but not early. The scheduled
	 * ends of the intervals (cpu->grid) therefore follow the samples that were least late.
	 */
	if (bank > cpu->bank && cpu->tick != NO_INTERVAL && sample->seq == cpu->seq &&
	    flags & BPMU_SAMPLE_TIMER) {
		at = cpu->tick;
	} else if (counted || flags & BPMU_SAMPLE_FAILED) {
		late = (sample->tsc_begin + cpu->back) - cpu->grid;
		if (s->ticks > 0 && flags & BPMU_SAMPLE_TIMER && late >= 0)
			ended = late / s->ticks + s->early;
		if (ended) {
			late -= ended * s->ticks;
			if (late > s->ticks * DRIFT * ended)
				late = s->ticks * DRIFT * ended;
			cpu->grid += ended * s->ticks + late;
		}
		at = cpu->past + (ended ? ended - 1 : 0);
		cpu->tick = flags & BPMU_SAMPLE_TIMER ? at : NO_INTERVAL;
	}
	if (flags & BPMU_SAMPLE_FAILED) {
		series_lack(s, pos, sample, bank, at, ended, lost);
		return;
	}
	if (at < s->index)
		at = s->index;

	/*
	 * If the CPU's previous counts were added to another interval than number @at, add counts
	 * to interval @at from now on.
	 */
	if (counted && (!pending || at != cpu->pending_at)) {
		pending = pending_at(s, at);
		if (pending) {
			give_tail(s, pos);
			cpu->pending = pending;
			cpu->pending_at = at;
			cpu->tail[ENABLED] = -cpu->enabled;
			cpu->tail[SPENT] = -cpu->spent;
		}
	}

	/* Add the counts, and the times, losses and flaws that the sample reports. */
	if (counted && pending) {
		if (!group->sums.cells) {
			cell = cpu->cell +
			       cpu->core_type->groups->group[group - cpu->group].first;
			bpmu_slice_sums_open(&group->sums, &pending->cell[cell],
					     s->batches ? &pending->batch[cell * s->batches] :
							  NULL);
		}
		cpu->past += ended;
		bpmu_slice_sums_add(&group->sums, values, sample->running - group->running);
		if (bank != BPMU_BANK_CORE && s->shared >> bank & 1)
			cpu->tail[SHARED + bank] += sample->enabled - cpu->time[bank];
		cpu->tail[LOST] += lost;
		if (flags & BPMU_FLAW_FLAGS)
			cpu->tail[FLAWS] |= bpmu_flaw_flags(sample);
	}
	if (counted) {
		lost = 0;
	} else {
		/* The times up to the group's first sample are not of its counts. */
		cpu->tail[ENABLED] += cpu->enabled - sample->enabled;
		cpu->tail[SPENT] += cpu->spent - sample->spent;
		bpmu_slice_sums_keep(&group->sums, values);
		group->based = true;
	}

	/* Store what is needed when the CPU's next sample is added. */
	if (first || !cpu->start)
		start_grid(s, cpu, sample);
	cpu->away = flags & BPMU_SAMPLE_OFFLINE;
	cpu->seq = sample->seq + 1;
	cpu->end = sample->tsc_end + cpu->back;
	cpu->enabled = sample->enabled;
	cpu->spent = sample->spent;
	cpu->time[bank] = sample->enabled;
	cpu->bank = bank;
	if (!(flags & BPMU_SAMPLE_TIMER))
		cpu->tick = NO_INTERVAL;
	group->running = sample->running;
	if (cpu->failed)
		series_recover(s, pos);
	if (lost || (first && bpmu_flaw_flags(sample)))
		series_add_flaws(s, pos, first ? bpmu_flaw_flags(sample) : 0, lost);
}

/* Adds a sample of the timer that is not of the core's counters. */
static __attribute__((noinline)) void
add_box(struct bpmu_series *s, unsigned int pos, struct series_group *group,
	const struct bpmu_sample *sample, const u64 *values)
{
	add_sample(s, pos, &s->cpu[pos], group, sample, values, BPMU_SAMPLE_TIMER, sample->bank,
		   true);
}

/* Apart from the usual case, which then keeps more values in registers. */
static __attribute__((noinline)) void
add_unusual(struct bpmu_series *s, unsigned int pos, struct series_group *group,
	    const struct bpmu_sample *sample, const u64 *values)
{
	add_sample(s, pos, &s->cpu[pos], group, sample, values, sample->flags, sample->bank,
		   group->based && !(sample->flags & SAMPLE_FIRST));
}

/**
 * bpmu_series_add() - add samples of a CPU to a series of intervals
 * @series: &struct bpmu_series of the measurement
 * @samples: samples of one CPU, in the order of time, [@nr]
 * @nr: number of @samples, at least 1
 *
 * The counts are differences from the group's previous sample. The counts of a sample that the
 * timer took belong to the interval that the sample ends, even if samples since the previous one
 * were lost; the counts of any other sample belong to the CPU's present interval. A sample is
 * dropped unless its plan (its event groups, which BPMU_CMD_SWAP replaces during a run) is that of
 * the series or the next plan. To add many samples in one call is faster.
 *
 * After the first sample, see bpmu_series_begun(), several threads may add samples of different
 * CPUs concurrently.
 */
void bpmu_series_add(void *series, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	const struct bpmu_taken_sample *end = samples + nr;
	struct bpmu_series *s = series;
	u32 number = samples->head->cpu;
	int pos = number < s->nr_at ? s->at[number] : -1;
	struct series_group *group, *groups;
	const unsigned int *nr_of, *first;
	const struct bpmu_sample *sample;
	/*
	 * Each BPMU_CMD_SWAP replaces the event groups and increases the plan number of samples. If
	 * there is no swap during this run, plan numbers are not compared: they may be above 0
	 * because of swaps before this run.
	 */
	const bool swaps = s->plan || s->next;
	struct cpu *cpu;
	enum bpmu_bank_id bank;

	if (pos < 0)
		return;
	cpu = &s->cpu[pos];
	groups = cpu->group;
	nr_of = cpu->core_type->groups->nr_of;
	first = cpu->core_type->first;
	for (; samples < end; samples++) {
		sample = samples->head;
		if (swaps && sample->plan != s->plan) {
			if (s->next)
				bpmu_series_add(s->next, samples, 1);
			continue;
		}
		bank = sample->bank;
		if (bank >= BPMU_BANKS || sample->group >= nr_of[bank])
			continue;
		group = &groups[first[bank] + sample->group];
		/*
		 * Most samples are timer samples of the core's counters. The constants let the
		 * compiler make a faster copy of add_sample() for them.
		 */
		if (sample->flags != BPMU_SAMPLE_TIMER || !group->based)
			add_unusual(s, pos, group, sample, samples->values);
		else if (bank == BPMU_BANK_CORE)
			add_sample(s, pos, cpu, group, sample, samples->values, BPMU_SAMPLE_TIMER,
				   BPMU_BANK_CORE, true);
		else
			add_box(s, pos, group, sample, samples->values);
	}
	/* The values of the samples may exist only until this function returns. */
	for (group = groups; group < groups + cpu->core_type->nr; group++)
		if (group->sums.nr_held)
			bpmu_slice_sums_flush(&group->sums);
}

static double elapsed(const struct bpmu_series *s)
{
	double longest = s->index * (s->measure->interval_ns / 1e9);
	double hz = s->measure->info->tsc_khz * 1000.0;
	double seconds;
	unsigned int i;

	for (i = 0; i < s->measure->nr_cpus; i++) {
		seconds = (s->cpu[i].end - s->cpu[i].start) / hz;
		if (seconds > longest)
			longest = seconds;
	}
	return longest;
}

/*
 * Adds the counts of the oldest interval to those of the next one. Rotation slices are summed in
 * batches: slice n is in batch n modulo @s->batches. The slices of both intervals are numbered as
 * if both were one interval.
 */
static void merge_cells(const struct bpmu_series *s, const struct pending *first,
			struct pending *next)
{
	const struct bpmu_batch *from;
	struct bpmu_batch *to;
	size_t i;
	u64 b;

	for (i = 0; i < s->cells; i++) {
		for (b = 0; b < s->batches; b++) {
			from = &first->batch[i * s->batches + b];
			to = &next->batch[i * s->batches +
					  (next->cell[i].slices + b) % s->batches];
			to->count += from->count;
			to->ticks += from->ticks;
		}
		bpmu_cell_add(&next->cell[i], &first->cell[i]);
	}
}

/* longest time for which an interval waits for a CPU that took no sample in it */
#define MERGED_NS BPMU_NS_PER_S

/**
 * bpmu_series_emit() - emit the intervals of a series that all CPUs have delivered
 * @s: series of the measurement. No interval is emitted beyond &bpmu_measure.max_intervals of
 *	the whole run
 * @most: maximum number of intervals to emit in this call
 *
 * Return: 1 if more intervals may be ready to be emitted, else 0; -ENOMEM if memory ran out, so
 * that counts are missing.
 */
int bpmu_series_emit(struct bpmu_series *s, unsigned int most)
{
	const struct bpmu_measure *m = s->measure;
	double period = m->interval_ns / 1e9;
	double patience = 1.5 * s->ticks;
	struct bpmu_interval *interval;
	struct pending *first, *next;
	unsigned int i, k, nr, index;
	const struct cpu *cpu;
	bool end, merge;
	u64 *flaws, any;

	if (s->failed)
		return -ENOMEM;
	s->newest = 0;
	for (i = 0; i < m->nr_cpus; i++)
		if (s->cpu[i].end > s->newest)
			s->newest = s->cpu[i].end;
	if (s->ring && s->ring->old)
		drop_old_rings(s->ring);
	if (m->merge)
		patience += MERGED_NS * (m->info->tsc_khz / 1e6);

	for (nr = 0; nr < most; nr++) {
		if (s->index == s->end ||
		    (m->max_intervals && s->before + s->index >= m->max_intervals))
			return 0;

		/*
		 * An interval is emitted if all CPUs have delivered it, or 1.5 intervals after its
		 * end, or later if intervals can be merged. The time is limited because an idle CPU
		 * takes no samples until it runs again; its counts then belong to the interval of
		 * that time. No interval waits when the series has ended.
		 */
		if (s->ending == GOES_ON && !s->ticks)
			return 0;
		for (i = 0; s->ending == GOES_ON && i < m->nr_cpus; i++) {
			cpu = &s->cpu[i];
			if (!cpu->away && cpu->past <= s->index &&
			    s->newest <= cpu->start + (s->index + 1) * s->ticks + patience)
				return 0;
		}

		/* Also complete the intervals after it, because it may be merged with the next. */
		for (i = 0; !nr && i < m->nr_cpus; i++)
			give_tail(s, i);
		first = pending_at(s, s->index);
		if (!first)
			return -ENOMEM;
		index = s->before + s->index;
		end = s->ending != GOES_ON && s->index + 1 == s->end;

		/*
		 * Add flaws that samples do not report: CPUs that could not be programmed, or are
		 * offline.
		 */
		flaws = first->tail + FLAWS * m->nr_cpus;
		any = 0;
		for (i = 0; i < s->nr_absent; ) {
			const struct absence *absence = &s->absent[i];

			if (absence->since <= s->index && s->index <= absence->until)
				flaws[absence->pos] |= BPMU_SAMPLE_FAILED;
			if (absence->until <= s->index)
				s->absent[i] = s->absent[--s->nr_absent];
			else
				i++;
		}
		for (i = 0; i < m->nr_cpus; i++) {
			if (s->cpu[i].failed && s->cpu[i].since <= s->index)
				flaws[i] |= BPMU_SAMPLE_FAILED;
			else if (s->cpu[i].away && s->cpu[i].past <= s->index)
				flaws[i] |= BPMU_SAMPLE_OFFLINE;
			any |= flaws[i];
		}

		/*
		 * If a CPU that is not away took no sample in the interval, the interval is merged
		 * with the next one: the counts of both are added up. Intervals are merged for at
		 * most MERGED_NS, because an idle CPU may take no sample for a long time.
		 */
		merge = false;
		for (i = 0; m->merge && !end && i < m->nr_cpus; i++)
			merge |= !s->cpu[i].away && !first->tail[ENABLED * m->nr_cpus + i];
		if (merge && (s->merged + 1) * m->interval_ns <= MERGED_NS &&
		    index + 1 != m->max_intervals) {
			next = pending_at(s, s->index + 1);
			if (!next)
				return -ENOMEM;
			merge_cells(s, first, next);
			for (i = 0; i < m->nr_cpus; i++) {
				for (k = 0; k < FLAWS; k++)
					next->tail[k * m->nr_cpus + i] +=
						first->tail[k * m->nr_cpus + i];
				next->tail[FLAWS * m->nr_cpus + i] |= flaws[i];
			}
			drop_first(s);
			s->merged++;
			continue;
		}

		interval = &first->interval;
		interval->index = s->emitted++;
		interval->plan = s->plan;
		interval->whole = !end;
		interval->last = (end && s->ending == RUN_ENDED) || index + 1 == m->max_intervals;
		interval->seconds = s->began + (end ? elapsed(s) : (s->index + 1) * period);
		interval->duration = interval->seconds - s->until;
		interval->flaws = any ? flaws : NULL;
		s->until = interval->seconds;
		m->emit(m->data, interval);
		if (m->kept)
			series_keep_first(s);
		else
			drop_first(s);
		s->merged = 0;
	}
	return 1;
}

/**
 * bpmu_series_index() - number of intervals that a series has emitted so far
 * @series: series of the measurement
 *
 * Return: the number, including the intervals before event groups were replaced by BPMU_CMD_SWAP.
 */
unsigned int bpmu_series_index(const struct bpmu_series *series)
{
	return series->before + series->index;
}

/**
 * bpmu_series_finish() - emit the remaining intervals of a series
 * @series: series of the measurement, with its last samples
 *
 * Return: 0, or -ENOMEM if memory ran out, so that counts are missing.
 */
int bpmu_series_finish(struct bpmu_series *series)
{
	series->ending = RUN_ENDED;
	bpmu_series_emit(series, UINT_MAX);
	return series->failed ? -ENOMEM : 0;
}

/**
 * bpmu_series_swap() - prepare a series for samples of other event groups, after BPMU_CMD_SWAP
 * @series: series of the present groups
 * @next: series of the new groups. If samples of the new groups are added to @series, they are
 *	passed on to @next
 *
 * CPUs do not switch to the new groups at the same time, so that samples of both can arrive mixed.
 * When no more samples of the present groups can arrive, call bpmu_series_follow().
 */
void bpmu_series_swap(struct bpmu_series *series, struct bpmu_series *next)
{
	series->next = next;
	next->plan = series->plan + 1;
}

/**
 * bpmu_series_follow() - end the series before a BPMU_CMD_SWAP, and continue it with another series
 * @series: series of the event groups after the swap, of which no interval was emitted yet
 * @old: series of the event groups before the swap, to which all samples of these were added
 *
 * The remaining intervals of @old are emitted; the last one may be short.
 */
void bpmu_series_follow(struct bpmu_series *series, struct bpmu_series *old)
{
	old->ending = GROUPS_REPLACED;
	bpmu_series_emit(old, UINT_MAX);
	series->failed |= old->failed;
	series->plan = old->plan + 1;
	series->before = bpmu_series_index(old);
	series->emitted = old->emitted;
	series->began = old->until;
	series->until = old->until;
	series->kept = old->kept;
	series->inherited = true;
	old->kept = NULL;
}

/**
 * bpmu_series_begun() - check if a series has a first sample, which is the start of its time
 * @series: series of the measurement
 *
 * Return: nonzero after a sample of a measured CPU was added.
 */
int bpmu_series_begun(const struct bpmu_series *series)
{
	return !!series->origin;
}
