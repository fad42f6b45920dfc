/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of an interval, and estimates from them.
 *
 * A cell holds the count of one event on one CPU. It also holds moments: sums of squares and
 * products of the counts and lengths of the rotation slices. From these moments a ratio estimator
 * scales the count and computes its variance (Cochran, Sampling Techniques, chapter 6).
 *
 * During an interval the slices of a group on a CPU are added to a struct bpmu_slice_sums, which is
 * written to the cells of the group's events at the end of the interval. This is faster than adding
 * to the cells: a sum that is the same for all events of the group, such as the sum of the slices'
 * lengths, is formed only once, and counts of two events at a time are added in vector registers,
 * over several slices.
 */
#ifndef BPMU_INTERVAL_H
#define BPMU_INTERVAL_H

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "delta.h"
#include "event/groups.h"

/* For each event and CPU this many of the largest counts of rotation slices are kept. */
#define BPMU_CELL_TOP 9

/**
 * struct bpmu_cell - count of one event on one CPU, and moments of the counts of its slices
 * @count: number of events counted while the event's group was scheduled
 * @running: TSC ticks for which the event's group was scheduled
 * @slices: number of rotation slices of the event's group. The members below are 0 if the group is
 *	not multiplexed
 * @sum_tt: sum of t^2, with t a slice's length in TSC ticks
 * @sum_tx: sum of t * x, with x the slice's count
 * @sum_xx: sum of x^2
 * @top: the largest counts of slices, in descending order. If a slice is longer than the mean of
 *	the earlier slices, its count is scaled down to this mean length, and rounded down. Unused
 *	entries are 0
 */
struct bpmu_cell {
	u64 count;
	u64 running;
	u64 slices;
	double sum_tt;
	double sum_tx;
	double sum_xx;
	double top[BPMU_CELL_TOP];
};

/*
 * Maximum number of batches into which the rotation slices of an event on a CPU are divided. With n
 * batches, each batch has every n-th slice.
 */
#define BPMU_BATCHES 32

/**
 * struct bpmu_batch - sums over a batch of an event's slices: every n-th slice, with n batches
 * @count: events counted in the slices of the batch
 * @ticks: length of these slices in TSC ticks
 */
struct bpmu_batch {
	u64 count;
	u64 ticks;
};

/**
 * struct bpmu_estimate - a count with its uncertainty
 * @value: number of events, scaled to @enabled if the group was multiplexed
 * @variance: variance of @value, 0 if it is exact
 * @freedom: degrees of freedom of @variance
 * @enabled: TSC ticks that the session ran, summed over CPUs
 * @running: TSC ticks that the event was on a counter, summed over CPUs
 * @slices: number of slices from which @value is scaled, 0 if @value is exact
 * @others: number of slices in which other groups were counted
 * @scaled: sum of the scaled counts of all slices
 * @squares: sum of the squares of these scaled counts
 * @largest: number of slices in the tail (the slices with the largest counts of a CPU: an eighth
 *	of the CPU's slices, but two of 12 to 15, one of fewer, and at most BPMU_CELL_TOP - 1),
 *	summed over CPUs
 * @spacing: sum of ln(count of a slice in the tail / largest count outside the tail of the same
 *	CPU) over these @largest slices
 * @missing: the group was never scheduled on one of the CPUs, so that @value lacks the count
 *	of this CPU
 */
struct bpmu_estimate {
	double value;
	double variance;
	double freedom;
	u64 enabled;
	u64 running;
	u64 slices;
	double others;
	double scaled;
	double squares;
	unsigned int largest;
	double spacing;
	bool missing;
};

void bpmu_cell_add_large(struct bpmu_cell *cell, u64 count, u64 ticks, u64 running, u64 slices);

/**
 * bpmu_cell_add_slice() - add a rotation slice, or a piece of one, to an event's count on a CPU
 * @cell: count of the event, and moments of the counts of its slices
 * @count: events counted in the slice
 * @ticks: length of the slice in TSC ticks
 *
 * A slice can be added in pieces. Each piece then counts as a slice of its own.
 */
static inline void bpmu_cell_add_slice(struct bpmu_cell *cell, u64 count,
				       u64 ticks)
{
	if ((long long)count > cell->top[BPMU_CELL_TOP - 1])
		bpmu_cell_add_large(cell, count, ticks, cell->running, cell->slices);
	cell->count += count;
	cell->running += ticks;
	cell->slices++;
	cell->sum_tt += (double)ticks * ticks;
	cell->sum_tx += (double)ticks * count;
	cell->sum_xx += (double)count * count;
}

/* typedef bpmu_pair - counts of two counters of a group, to be added by vector instructions */
typedef u64 bpmu_pair __attribute__((vector_size(16)));

/* typedef bpmu_pair_real - counts of two counters of a group as floating-point numbers */
typedef double bpmu_pair_real __attribute__((vector_size(16)));

/**
 * struct bpmu_slots_pair - sums over slices of two counters of a group, or of its last one alone
 * @mask: valid bits of the counters; 0 for an unused half
 * @last: raw values of the latest sample that is in the sums
 * @count: events counted since the sums were last written to the cells
 * @sum_tx: sum of t * x, with t a slice's length in TSC ticks and x its count
 * @sum_xx: sum of x^2
 * @top: the largest counts of slices, as in &bpmu_cell.top
 */
struct bpmu_slots_pair {
	bpmu_pair mask;
	bpmu_pair last;
	bpmu_pair count;
	bpmu_pair_real sum_tx;
	bpmu_pair_real sum_xx;
	bpmu_pair_real top[BPMU_CELL_TOP];
};

/* Number of slices that are kept until they are added to the sums together */
#define BPMU_SLICES_HELD 16

/**
 * struct bpmu_slice_sums - sums over slices of a group, and the values of the group's latest sample
 * @delta: how the counts of the group's slots (counters and what they count) are computed, [@nr]
 * @nr: number of slots
 * @batches: number of batches into which the slices are divided: slice n is in batch n modulo
 *	@batches; 0 for no batches: counts are exact then, and have no moments
 * @pairs: number of @pair. If the count of some slot is not the difference of two raw values, or
 *	can be 2^52 or more, @pairs is 0, and each slice is added directly to @cells
 * @pair: sums of the slots, two slots in each element
 * @held: raw values at the end of slices that are not in any sum yet, [@nr_held]
 * @held_ticks: length of these slices in TSC ticks, [@nr_held]
 * @nr_held: number of these slices
 * @most_held: number of slices at which they are added to the sums: the last is in the last batch,
 *	or is the last for which there is room
 * @last: raw values of the latest sample, [@nr]; used only if @pairs is 0
 * @cells: counts of the interval on a CPU, to which the sums will be written, [@nr]; NULL before
 *	the first slice
 * @batch: counts of the interval per batch, to which slices are added at once, [@nr][@batches]
 * @slices: number of slices in the sums
 * @running: sum of t, with t a slice's length in TSC ticks
 * @sum_tt: sum of t^2
 */
struct bpmu_slice_sums {
	const struct bpmu_delta *delta;
	unsigned int nr;
	unsigned int batches;
	unsigned int pairs;
	struct bpmu_slots_pair *pair;
	const u64 *held[BPMU_SLICES_HELD];
	u64 held_ticks[BPMU_SLICES_HELD];
	unsigned int nr_held;
	unsigned int most_held;
	u64 *last;
	struct bpmu_cell *cells;
	struct bpmu_batch *batch;
	u64 slices;
	u64 running;
	double sum_tt;
};

bool bpmu_slice_sums_init(struct bpmu_slice_sums *sums, const struct bpmu_delta *delta,
			  unsigned int nr, unsigned int batches);
void bpmu_slice_sums_free(struct bpmu_slice_sums *sums);
void bpmu_slice_sums_keep(struct bpmu_slice_sums *sums, const u64 *values);
void bpmu_slice_sums_open(struct bpmu_slice_sums *sums, struct bpmu_cell *cells,
			  struct bpmu_batch *batch);
void bpmu_slice_sums_close(struct bpmu_slice_sums *sums);
void bpmu_slice_sums_flush(struct bpmu_slice_sums *sums);
void bpmu_slice_sums_add_exact(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks);
void bpmu_slice_sums_add_single(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks);

/**
 * bpmu_slice_sums_add() - add a slice, or a piece of one, to the sums over slices of a group
 * @sums: the sums, after bpmu_slice_sums_open() and bpmu_slice_sums_keep()
 * @values: raw values of the sample that ends the slice; must exist until bpmu_slice_sums_flush()
 *	is called
 * @ticks: length of the slice in TSC ticks
 *
 * The sums become counts of the interval when bpmu_slice_sums_close() is called.
 */
static inline void bpmu_slice_sums_add(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks)
{
	if (!sums->pairs) {
		bpmu_slice_sums_add_single(sums, values, ticks);
		return;
	}
	if (!sums->batches) {
		bpmu_slice_sums_add_exact(sums, values, ticks);
		return;
	}
	sums->held[sums->nr_held] = values;
	sums->held_ticks[sums->nr_held++] = ticks;
	if (sums->nr_held == sums->most_held)
		bpmu_slice_sums_flush(sums);
}

/**
 * struct bpmu_interval - counts between two samples
 * @index: number of the interval, from 0; the last interval of a run, or before the groups are
 *	replaced, may be shorter than the others
 * @plan: 0 while the first groups of a session are counted, 1 for the groups that replace them, and
 *	so on
 * @whole: the interval has its full length
 * @last: no interval follows
 * @seconds: end of this interval, in seconds of the run
 * @duration: length of this interval in seconds
 * @stamp: time of the interval's end, for a recording; zeros while measuring
 * @cell: counts, [nr_cpus][groups->slots]. The counts of CPUs of a second core type follow, with
 *	the slots of this core type's groups, see bpmu_interval_behind()
 * @batch: sums over each batch of the slices, in the order of @cell, [cells][@batches]; 0 for
 *	groups that are not multiplexed; NULL if none is
 * @batches: number of batches into which the slices are divided, 0 without multiplexing; slice n
 *	is in batch n modulo @batches
 * @enabled: TSC ticks that the session ran, [nr_cpus]
 * @shared: TSC ticks that the counters of a bank (such as those of the memory controllers) ran, 0
 *	for a CPU that does not read these counters, [banks][nr_cpus]; NULL for a bank whose
 *	counters ran for @enabled
 * @lost: number of samples lost in this interval, [nr_cpus]. The counts of a lost sample are in the
 *	next sample, which may belong to a later interval
 * @spent: TSC ticks that sampling took, [nr_cpus]
 * @flaws: flaws of samples in the form of bpmu_flaw_flags(), and BPMU_SAMPLE_OFFLINE for CPUs that
 *	are offline, [nr_cpus]; NULL if no sample has a flaw and all CPUs are online
 * @multiplexed: groups of a bank were multiplexed when the interval was recorded, even if
 *	the groups that are evaluated fit on the counters, [core types][banks]
 * @interrupts: counts of the core are sums over interrupts, each of which stands for the events of
 *	its period. &bpmu_cell.slices is the number of interrupts, @sum_xx the sum of their squared
 *	periods, or without interrupts that of one usual period; @running is 0 if the event did not
 *	interrupt. If @batch is not NULL, each interrupt has the counts of all events since the
 *	interrupt before, and the batches are of interrupts: interrupt n is in batch n modulo
 *	@batches
 * @sampled: the bank was counted for only a part of the time, so that counts are incomplete even
 *	for events that all groups of the bank have, [core types][banks]
 */
struct bpmu_interval {
	unsigned int index;
	unsigned int plan;
	bool whole;
	bool last;
	double seconds;
	double duration;
	struct bpmu_stamp stamp;
	const struct bpmu_cell *cell;
	const struct bpmu_batch *batch;
	unsigned int batches;
	const u64 *enabled;
	const u64 *shared[BPMU_BANKS];
	const u64 *lost;
	const u64 *spent;
	const u64 *flaws;
	bool interrupts;
	bool multiplexed[BPMU_CORE_TYPES][BPMU_BANKS];
	bool sampled[BPMU_CORE_TYPES][BPMU_BANKS];
};

/**
 * struct bpmu_raw - raw counts of an event
 * @count: number of events; below 0 only for a difference of two events
 * @enabled: TSC ticks that the session ran
 * @running: TSC ticks for which the event was on a counter, at most @enabled
 */
struct bpmu_raw {
	long long count;
	u64 enabled;
	u64 running;
};

/**
 * bpmu_estimate_seen() - check if an event was counted at all in an interval
 * @estimate: sum over all CPUs
 *
 * Return: false if the group of the event never ran, or if no sample was taken in the interval
 * because the CPU was idle or samples were lost. The count is then unknown, not 0.
 */
static inline bool bpmu_estimate_seen(const struct bpmu_estimate *estimate)
{
	return estimate->running;
}

void bpmu_cell_add(struct bpmu_cell *sum, const struct bpmu_cell *cell);
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool multiplexed,
			struct bpmu_estimate *sum);
unsigned int bpmu_estimate_flags(const struct bpmu_estimate *estimate);
double bpmu_estimate_at_most(const struct bpmu_estimate *estimate);
double bpmu_estimate_share_at_most(const struct bpmu_estimate *estimate);

void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum);
void bpmu_interval_counts(const struct bpmu_groups *groups, unsigned int g,
			  const struct bpmu_slots *slots, unsigned int nr_events,
			  const struct bpmu_interval *interval, unsigned int nr_cpus,
			  unsigned int without, const bool *sampled, double *counts, size_t stride);
void bpmu_interval_total(const struct bpmu_groups *groups,
			 const struct bpmu_interval *interval,
			 unsigned int first, unsigned int end,
			 const struct bpmu_event_slots *slots, struct bpmu_estimate *sum);
struct bpmu_estimate bpmu_interval_sum(const struct bpmu_groups *groups,
				       unsigned int g,
				       const struct bpmu_interval *interval,
				       unsigned int nr_cpus,
				       const struct bpmu_event_spec *spec);
void bpmu_interval_estimate(const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    unsigned int pos, const struct bpmu_event_spec *spec,
			    struct bpmu_estimate *sum);
void bpmu_interval_raw(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval, unsigned int pos,
		       const struct bpmu_event_slots *slots, struct bpmu_raw *raw);
bool bpmu_interval_multiplexed(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval, enum bpmu_bank_id bank);
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_bank_id bank, unsigned int pos);
struct bpmu_interval bpmu_interval_from(const struct bpmu_interval *interval,
					unsigned int nr_cpus,
					const struct bpmu_groups *groups);
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups);

/**
 * bpmu_interval_single() - check if an event's count in an interval is that of a single counter
 * @interval: counts of an interval
 * @slots: the counter of the only group of its bank, which counts the event and nothing else
 *
 * Return: true if this counter of each CPU counted the event in the whole interval. The count is
 * then that of bpmu_interval_single_count(), which takes a third of the time of
 * bpmu_interval_total().
 */
static inline bool bpmu_interval_single(const struct bpmu_interval *interval,
					const struct bpmu_event_slots *slots)
{
	return !interval->multiplexed[0][slots->bank] && !interval->sampled[0][slots->bank];
}

/**
 * bpmu_interval_single_count() - count of an event that a single counter counted
 * @groups: groups from bpmu_groups_make()
 * @interval: counts of an interval
 * @first: index of the first CPU in the list of measured CPUs
 * @end: index of the last CPU in this list, plus 1; more than @first
 * @slots: the counter, for which bpmu_interval_single() returned true
 * @ticks: set to the TSC ticks for which the CPUs counted
 *
 * Return: the sum over the CPUs, which is exact.
 */
static inline long long bpmu_interval_single_count(const struct bpmu_groups *groups,
						   const struct bpmu_interval *interval,
						   unsigned int first, unsigned int end,
						   const struct bpmu_event_slots *slots,
						   u64 *ticks)
{
	const u64 *time = interval->shared[slots->bank] ?: interval->enabled;
	const struct bpmu_cell *cell = interval->cell + (size_t)first * groups->slots + slots->cell;
	const u64 *last = time + end - 1;
	u64 count = cell->count, sum;

	time += first;
	for (sum = *time; time < last; sum += *++time) {
		cell += groups->slots;
		count += cell->count;
	}
	*ticks = sum;
	return count;
}

#endif /* BPMU_INTERVAL_H */
