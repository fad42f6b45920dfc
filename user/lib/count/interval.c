// SPDX-License-Identifier: GPL-2.0
/*
 * Counts are estimated with the ratio estimator of survey sampling. The slices of a group are a
 * sample of all slices of the interval. The rate of an event is its count in these slices divided
 * by the TSC ticks of these slices. The variance follows from the deviations of the single slices'
 * counts from this rate (Cochran, Sampling Techniques, 6.4), and is reduced by the finite
 * population correction.
 */
#include "interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric/value_flag.h"

/*
 * A count has a confidence interval if it is from at least SLICES_MIN slices, and if the effective
 * number of slices, (sum of counts)^2 / sum of counts^2, is at least EFFECTIVE_MIN. In simulations
 * of steady, bursty, idle and rare events, with 12 to 200 slices in 2 to 8 groups, 92 to 99 % of
 * the confidence intervals held the true count if both limits were met. Otherwise sometimes no
 * interval held it.
 */
#define SLICES_MIN 16
#define EFFECTIVE_MIN 5

/* bpmu_estimate_at_most() returns a limit that is exceeded with at most this probability. */
#define BEYOND 0.05

/*
 * The tail of the distribution of slices is the eighth of a CPU's slices with the largest counts,
 * but at most all slices of &bpmu_cell.top except the last.
 */
#define TAIL_SHARE 8

/*
 * Largest mean logarithmic spacing (&bpmu_estimate.spacing) for which the variance is finite. The
 * index of the tail is the inverse of this mean. With an index below 2 the variance is infinite.
 */
#define SPACING_MAX 0.5

/**
 * bpmu_cell_add_large() - insert a slice's count into a cell's list of largest counts, if it is one
 * @cell: the cell
 * @count: events counted in the slice
 * @ticks: length of the slice in TSC ticks
 * @running: TSC ticks of the earlier slices
 * @slices: number of earlier slices
 *
 * After lost samples a slice is longer than others. If a slice is longer than the mean of the
 * earlier slices, its count is scaled down to this mean length before it is compared with
 * @cell->top.
 *
 * Return: the smallest count that is in @cell->top afterwards.
 */
long long bpmu_cell_add_large(struct bpmu_cell *cell, u64 count, u64 ticks, u64 running,
			      u64 slices)
{
	double mean = slices ? (double)running / slices : ticks;
	long long *least = cell->top + BPMU_CELL_TOP - 1, *top = least;
	long long large = count;

	if (ticks > mean)
		large = count * (mean / ticks);
	if (large <= *least)
		return *least;
	for (; top > cell->top && large > top[-1]; top--)
		top[0] = top[-1];
	*top = large;
	return *least;
}

/**
 * bpmu_cell_add() - add the counts of an interval's cell to another cell of this interval
 * @sum: cell to which the slices are added
 * @cell: cell with other slices of the same event
 */
void bpmu_cell_add(struct bpmu_cell *sum, const struct bpmu_cell *cell)
{
	unsigned int i;

	sum->count += cell->count;
	sum->running += cell->running;
	sum->slices += cell->slices;
	sum->sum_tt += cell->sum_tt;
	sum->sum_tx += cell->sum_tx;
	sum->sum_xx += cell->sum_xx;
	for (i = 0; i < BPMU_CELL_TOP; i++)
		bpmu_cell_add_large(sum, cell->top[i], 0, 0, 0);
}

/* Checks if bpmu_slice_sums_add() can add the counts of a group two slots at a time. */
static bool sums_are_of_pairs(const struct bpmu_delta *delta, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (delta[i].form != BPMU_DELTA_COUNT || delta[i].value != i ||
		    delta[i].mask >> 52)
			return false;
	return true;
}

static bool sums_alloc_pairs(struct bpmu_slice_sums *sums)
{
	unsigned int i;

	sums->pairs = (sums->nr + 1) / 2;
	sums->pair = calloc(sums->pairs, sizeof(*sums->pair));
	sums->batch_pair = calloc(sums->batches * sums->pairs + 1, sizeof(*sums->batch_pair));
	sums->batch_ticks = calloc(sums->batches + 1, sizeof(*sums->batch_ticks));
	if (!sums->pair || !sums->batch_pair || !sums->batch_ticks)
		return false;
	for (i = 0; i < sums->nr; i++)
		sums->pair[i / 2].mask[i % 2] = sums->delta[i].mask;
	return true;
}

/**
 * bpmu_slice_sums_init() - initialise the slice sums of a group, without a sample
 * @sums: filled in; free it with bpmu_slice_sums_free(), on an error too
 * @delta: computation of the slots' counts, [@nr]; must outlive @sums
 * @nr: number of slots of the group
 * @batches: number of batches of each slot's slices, or 0
 *
 * Return: false without memory.
 */
bool bpmu_slice_sums_init(struct bpmu_slice_sums *sums, const struct bpmu_delta *delta,
			  unsigned int nr, unsigned int batches)
{
	*sums = (struct bpmu_slice_sums){ .delta = delta, .nr = nr, .batches = batches };
	if (nr && sums_are_of_pairs(delta, nr))
		return sums_alloc_pairs(sums);
	sums->last = calloc(nr + 1, sizeof(*sums->last));
	return sums->last;
}

void bpmu_slice_sums_free(struct bpmu_slice_sums *sums)
{
	free(sums->pair);
	free(sums->batch_pair);
	free(sums->batch_ticks);
	free(sums->last);
}

/**
 * bpmu_slice_sums_keep() - remember for the slice sums the values at which a slice begins
 * @sums: sums over slices of the group
 * @values: raw values of the sample
 */
void bpmu_slice_sums_keep(struct bpmu_slice_sums *sums, const u64 *values)
{
	unsigned int i;

	for (i = 0; i < sums->nr; i++)
		if (sums->pairs)
			sums->pair[i / 2].last[i % 2] = values[i];
		else
			sums->last[i] = values[sums->delta[i].value];
}

/**
 * bpmu_slice_sums_open() - begin to sum over slices; the sums will be added to cells
 * @sums: closed
 * @cells: cells of the group's slots; all of them have the same slices. They must exist until
 *	bpmu_slice_sums_close() is called
 * @batch: batches of these cells; must exist as long as @cells. Not used if @sums has no batches
 */
void bpmu_slice_sums_open(struct bpmu_slice_sums *sums, struct bpmu_cell *cells,
			  struct bpmu_batch *batch)
{
	struct bpmu_slots_pair *pair;
	unsigned int i;

	for (i = 0; sums->pairs && i < sums->nr; i++) {
		pair = &sums->pair[i / 2];
		pair->least[i % 2] = cells[i].top[BPMU_CELL_TOP - 1];
		pair->count[i % 2] = cells[i].count;
		pair->sum_tx[i % 2] = cells[i].sum_tx;
		pair->sum_xx[i % 2] = cells[i].sum_xx;
	}
	sums->cells = cells;
	sums->batch = batch;
	sums->opened = cells->slices;
	sums->slices = cells->slices;
	sums->running = cells->running;
	sums->sum_tt = cells->sum_tt;
}

/**
 * bpmu_slice_sums_close() - add the sums over slices to the cells, and reset the sums to 0
 * @sums: open or closed
 */
void bpmu_slice_sums_close(struct bpmu_slice_sums *sums)
{
	const struct bpmu_slots_pair *pair;
	struct bpmu_batch *to;
	struct bpmu_cell *cell;
	unsigned int i, k, at;
	bpmu_pair *counts;

	for (i = 0; sums->cells && sums->pairs && i < sums->nr; i++) {
		cell = &sums->cells[i];
		pair = &sums->pair[i / 2];
		cell->count = pair->count[i % 2];
		cell->running = sums->running;
		cell->slices = sums->slices;
		cell->sum_tt = sums->sum_tt;
		cell->sum_tx = pair->sum_tx[i % 2];
		cell->sum_xx = pair->sum_xx[i % 2];
	}
	/* Update only the batches to which slices were added since bpmu_slice_sums_open(). */
	for (k = 0; k < sums->batches && sums->opened < sums->slices; k++) {
		at = sums->opened++ % sums->batches;
		counts = sums->batch_pair + at * sums->pairs;
		to = sums->batch + at;
		for (i = 0; i < sums->nr; i++, to += sums->batches) {
			to->count += counts[i / 2][i % 2];
			to->ticks += sums->batch_ticks[at];
		}
		memset(counts, 0, sums->pairs * sizeof(*counts));
		sums->batch_ticks[at] = 0;
	}
	sums->cells = NULL;
}

/**
 * bpmu_slice_sums_add_single() - add a slice to the cells without forming sums over slices
 *
 * bpmu_slice_sums_add() calls this function for a group whose counts cannot be computed in pairs.
 */
void bpmu_slice_sums_add_single(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks)
{
	struct bpmu_batch *batch = sums->batch;
	unsigned int i;
	u64 count;

	if (sums->batches)
		batch += sums->cells->slices % sums->batches;
	for (i = 0; i < sums->nr; i++) {
		count = bpmu_delta(&sums->delta[i], sums->last, values, ticks);
		bpmu_cell_add_slice(&sums->cells[i], count, ticks);
		if (!sums->batches)
			continue;
		batch->count += count;
		batch->ticks += ticks;
		batch += sums->batches;
	}
	bpmu_slice_sums_keep(sums, values);
}

/**
 * bpmu_cell_estimate() - estimate the count of an interval's cell, and add this count to a sum
 * @cell: cell of one CPU
 * @enabled: TSC ticks to which the count is scaled
 * @multiplexed: the group was multiplexed; else the count is exact
 * @sum: sum over CPUs; the caller zeroes it before the first CPU
 */
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool multiplexed,
			struct bpmu_estimate *sum)
{
	double running = cell->running;
	double slices = cell->slices;
	double all = enabled;
	double rate, scaled, squares, product = 1;
	unsigned int i, nr;

	sum->enabled += enabled;
	sum->running += multiplexed ? cell->running : enabled;
	/* The count is exact, or the event was never counted. */
	if (!multiplexed || all <= running) {
		sum->value += (long long)cell->count;
		return;
	}
	if (!cell->running) {
		sum->missing = true;
		return;
	}
	/* Otherwise the count is an estimate. */
	scaled = (double)(long long)cell->count * all / running;
	sum->value += scaled;
	sum->slices += cell->slices;
	sum->others += slices * (all - running) / running;
	sum->scaled += scaled;
	sum->squares += cell->sum_xx * all / running * all / running;
	/*
	 * If the event occurred in fewer slices than the tail would have, the tail is only the half
	 * of these slices that has the larger counts. The counts in the other half are not large.
	 */
	nr = fmin(fmax(cell->slices / TAIL_SHARE, 1), BPMU_CELL_TOP - 1);
	for (i = 0; i <= nr && cell->top[i] > 0; i++)
		;
	if (i <= nr)
		nr = i / 2;
	for (i = 0; i < nr; i++)
		product *= (double)cell->top[i] / cell->top[nr];
	sum->largest += nr;
	sum->spacing += log(product);
	if (cell->slices < 2) {
		sum->variance = INFINITY;
		return;
	}
	/*
	 * @squares is the sum of the squared deviations of the slices' counts from the rate. It
	 * gives the variance that the count has after it is scaled to the whole time.
	 */
	rate = (double)(long long)cell->count / running;
	squares = cell->sum_xx - 2 * rate * cell->sum_tx + rate * rate * cell->sum_tt;
	if (squares > 0)
		sum->variance += squares * slices / (slices - 1) /
				 (running * running) * all * (all - running);
	sum->freedom += slices - 1;
}

/**
 * bpmu_estimate_flags() - flags of a count that is estimated from slices of an interval
 * @estimate: sum over all CPUs
 *
 * %BPMU_VALUE_UNSEEN: no slice of the group has seen the event, which may have occurred in slices
 * of other groups, see bpmu_estimate_at_most().
 *
 * %BPMU_VALUE_FEW: the group had few slices, or a few slices have most of the events. It is then
 * unknown how many slices with as many events there were while the group was not counted.
 *
 * %BPMU_VALUE_BURSTY: the tail of the distribution of slices is heavy: a slice that was not counted
 * may have more events than all slices that were counted. Hill's estimate of the tail's index (B.
 * M. Hill, A simple general approach to inference about the tail of a distribution, Annals of
 * Statistics 3, 1975) is the inverse of the mean logarithmic spacing. If the index is below 2, the
 * variance of the distribution is infinite, and a confidence interval that is computed from the
 * variance of the slices is wrong. The estimate of the index is valid even if no slice with an
 * extreme count was seen.
 *
 * Return: mask of these flags, 0 for an exact count.
 */
unsigned int bpmu_estimate_flags(const struct bpmu_estimate *estimate)
{
	unsigned int flags = 0;

	if (!estimate->slices)
		return 0;
	if (!(estimate->squares > 0))
		return BPMU_VALUE_UNSEEN;
	if (estimate->slices < SLICES_MIN ||
	    estimate->scaled * estimate->scaled < EFFECTIVE_MIN * estimate->squares)
		flags |= BPMU_VALUE_FEW;
	if (estimate->spacing > SPACING_MAX * estimate->largest)
		flags |= BPMU_VALUE_BURSTY;
	return flags;
}

/**
 * bpmu_estimate_at_most() - largest number of slices of an interval with an event whose count is 0
 * @estimate: sum over all CPUs, with %BPMU_VALUE_UNSEEN
 *
 * Suppose that the event occurred in b of all slices. The probability that the group misses one of
 * these slices is the other groups' share of the slices. The limit is the largest b for which the
 * group misses all b slices in more than 5 % of the cases: about 3 divided by the group's own share
 * if this share is small.
 *
 * Return: the limit, a number of slices of other groups, with a confidence of 95 %.
 */
double bpmu_estimate_at_most(const struct bpmu_estimate *estimate)
{
	double share = estimate->slices / (estimate->slices + estimate->others);
	double most = ceil(log(BEYOND) / log1p(-share));

	return fmin(most, ceil(estimate->others));
}

/**
 * bpmu_interval_time() - for how much of an interval's time a CPU counted the groups of a bank
 * @interval: counts of an interval
 * @bank: &enum bpmu_bank_id
 * @pos: position of the CPU
 *
 * Return: TSC ticks; 0 for a CPU that does not count on the bank.
 */
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_bank_id bank, unsigned int pos)
{
	const u64 *shared = interval->shared[bank];

	return shared ? shared[pos] : interval->enabled[pos];
}

/**
 * bpmu_interval_multiplexed() - check if the groups of a bank were multiplexed in an interval
 * @groups: groups from bpmu_groups_make()
 * @interval: counts of an interval
 * @bank: the bank
 *
 * Return: true if each group shared its counters with other groups in the interval.
 */
bool bpmu_interval_multiplexed(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval, enum bpmu_bank_id bank)
{
	return interval->multiplexed[0][bank] ||
	       groups->nr_of[bank] > 1;
}

/*
 * Returns the cell of an event whose count is a sum or difference of terms. The deviations of the
 * terms are taken as independent, although the terms are counted in the same slices. This
 * overestimates the variance of a difference. The largest counts of the added terms are assumed to
 * be in the same slices. A subtracted term does not change the largest counts.
 */
static struct bpmu_cell interval_cell(const struct bpmu_cell *cells,
				      const struct bpmu_slots *slots)
{
	struct bpmu_cell all = { };
	const struct bpmu_cell *term;
	unsigned int i, k;

	for (i = 0; i < slots->nr; i++) {
		term = &cells[slots->slot[i]];
		all.count += slots->sign[i] * term->count;
		all.running = term->running;
		all.slices = term->slices;
		all.sum_tt = term->sum_tt;
		all.sum_tx += slots->sign[i] * term->sum_tx;
		all.sum_xx += term->sum_xx;
		for (k = 0; slots->sign[i] > 0 && k < BPMU_CELL_TOP; k++)
			all.top[k] += term->top[k];
	}
	return all;
}

/**
 * bpmu_interval_add() - add an event's count in an interval, in one group on some CPUs, to a sum
 * @groups: groups from bpmu_groups_make()
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @sum: sum over CPUs; the caller zeroes it before the first call
 */
void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, group->sched.bank);
	const struct bpmu_cell *cell;
	struct bpmu_cell all;
	unsigned int pos;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		all = interval_cell(cell, slots);
		bpmu_cell_estimate(&all, time[pos], multiplexed, sum);
	}
}

/*
 * Returns the count of an event on a CPU; sets @running to the TSC ticks for which the event was
 * counted.
 */
static u64 group_count(const struct bpmu_cell *cells, const struct bpmu_slots *slots,
		       u64 *running)
{
	u64 count = 0;
	unsigned int i;

	*running = 0;
	for (i = 0; i < slots->nr; i++) {
		count += slots->sign[i] * cells[slots->slot[i]].count;
		*running = cells[slots->slot[i]].running;
	}
	return count;
}

/**
 * bpmu_interval_count() - count of an event in an interval, in one group and on all CPUs
 * @groups: groups from bpmu_groups_make()
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs
 *
 * Return: the value that bpmu_interval_add() estimates, without the uncertainty; NAN if the event
 * was not counted.
 */
double bpmu_interval_count(const struct bpmu_groups *groups, unsigned int g,
			   const struct bpmu_slots *slots,
			   const struct bpmu_interval *interval, unsigned int nr_cpus)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, group->sched.bank);
	const struct bpmu_cell *cell = interval->cell + group->first;
	u64 running, enabled, counted = 0;
	double value = 0, count;
	unsigned int pos;

	for (pos = 0; pos < nr_cpus; pos++, cell += groups->slots) {
		enabled = time[pos];
		count = (long long)group_count(cell, slots, &running);
		if (!multiplexed)
			running = enabled;
		counted += running;
		if (running)
			value += (double)enabled <= running ? count : count * enabled / running;
	}
	return counted ? value : NAN;
}

/**
 * bpmu_interval_counts_without() - counts of an interval without one batch of slices
 * @groups: groups from bpmu_groups_make()
 * @g: number of a multiplexed group
 * @slots: slots of the events in that group, [@nr_events]
 * @nr_events: number of events; for a quotient of two events nothing is computed
 * @interval: counts of an interval, with batches
 * @nr_cpus: number of CPUs
 * @sampled: whether the group ran for only a part of the time on a CPU, [@nr_cpus]; on the other
 *	CPUs no batch is left out
 * @first: number of the first batch to leave out
 * @nr: number of batches, at most %BPMU_BATCHES
 * @counts: [@nr_events][@stride]. For event i, [i][k] is set to what bpmu_interval_count() would
 *	return without batch @first + k of each CPU. For a quotient nothing is set
 * @stride: distance between the @counts of two events, at least @nr
 */
void bpmu_interval_counts_without(const struct bpmu_groups *groups, unsigned int g,
				  const struct bpmu_slots *slots, unsigned int nr_events,
				  const struct bpmu_interval *interval, unsigned int nr_cpus,
				  const bool *sampled, unsigned int first, unsigned int nr,
				  double *counts, size_t stride)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	double factor[BPMU_BATCHES], divisor[BPMU_BATCHES], ticks;
	const struct bpmu_batch *batch, *slice;
	long long count[BPMU_BATCHES];
	u64 left[BPMU_BATCHES] = { };
	const struct bpmu_cell *cell;
	size_t at = group->first;
	unsigned int pos, e, i, r;
	u64 whole, ran;

	for (e = 0; e < nr_events; e++)
		for (r = 0; r < nr && !slots[e].quotient; r++)
			counts[e * stride + r] = 0;
	for (pos = 0; pos < nr_cpus; pos++, at += groups->slots) {
		cell = interval->cell + at;
		batch = sampled[pos] ? interval->batch + at * interval->batches + first : NULL;

		/*
		 * Without batch @first + r, a count is multiplied by @factor[r] and divided by
		 * @divisor[r]: this scales it from the ticks that are left to the whole time.
		 */
		for (r = 0; r < nr; r++) {
			ran = batch ? cell->running - batch[r].ticks : cell->running;
			left[r] += ran;
			ticks = (long long)ran;
			factor[r] = !ran ? 0 : time[pos] <= ticks ? 1 : time[pos];
			divisor[r] = factor[r] > 1 ? ticks : 1;
		}

		/* Sum the terms of each event, and subtract those of the batches. */
		for (e = 0; e < nr_events; e++) {
			if (slots[e].quotient)
				continue;
			whole = group_count(cell, &slots[e], &ran);
			for (r = 0; r < nr; r++)
				count[r] = whole;
			for (i = 0; i < slots[e].nr && batch; i++) {
				slice = batch + slots[e].slot[i] * interval->batches;
				for (r = 0; r < nr; r++)
					count[r] -= slots[e].sign[i] * slice[r].count;
			}
			for (r = 0; r < nr; r++)
				counts[e * stride + r] += count[r] * factor[r] / divisor[r];
		}
	}
	for (e = 0; e < nr_events; e++)
		for (r = 0; r < nr && !slots[e].quotient; r++)
			if (!left[r])
				counts[e * stride + r] = NAN;
}

/*
 * Sums the slices on a CPU over all groups that have an event. If the bank was counted for only a
 * part of the time (&bpmu_interval.sampled), the groups may have slices in common. Then only the
 * first group with slices is used.
 */
static struct bpmu_cell gather(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int pos, const struct bpmu_event_slots *slots)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots;
	struct bpmu_cell sum = { }, cell;
	unsigned int i;

	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && sum.slices); i++) {
		cell = interval_cell(cells + groups->group[slots->group[i]].first,
				     &slots->slots[i]);
		if (sum.slices)
			bpmu_cell_add(&sum, &cell);
		else
			sum = cell;
	}
	return sum;
}

/* Returns only the count that gather() computes; sets @running to the TSC ticks of its slices. */
static u64 gather_count(const struct bpmu_groups *groups,
			const struct bpmu_interval *interval,
			unsigned int pos, const struct bpmu_event_slots *slots, u64 *running)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots, *first;
	u64 count = 0, slices = 0, ticks;
	unsigned int i;

	*running = 0;
	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && slices); i++) {
		first = cells + groups->group[slots->group[i]].first;
		count += group_count(first, &slots->slots[i], &ticks);
		*running += ticks;
		slices += first[slots->slots[i].slot[0]].slices;
	}
	return count;
}

/**
 * bpmu_interval_total() - add an event's count in an interval, from all its groups, to a sum
 * @groups: groups from bpmu_groups_make()
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @slots: slots of the event; or slots of a second event in the groups that have the event, for
 *	example to count unhalted cycles in just those slices in which the event was counted
 * @sum: sum over CPUs; the caller zeroes it before the first call. The count is exact if the event
 *	is in all groups of its bank, and missing if a group with the event lacks the second event
 */
void bpmu_interval_total(const struct bpmu_groups *groups,
			 const struct bpmu_interval *interval,
			 unsigned int first, unsigned int end,
			 const struct bpmu_event_slots *slots, struct bpmu_estimate *sum)
{
	const u64 *time = interval->shared[slots->bank] ?: interval->enabled;
	bool sampled = interval->sampled[0][slots->bank] ||
		       (bpmu_interval_multiplexed(groups, interval, slots->bank) &&
			!slots->everywhere);
	struct bpmu_cell cell;
	unsigned int pos;
	u64 running;

	for (pos = first; pos < end; pos++) {
		if (sampled) {
			cell = gather(groups, interval, pos, slots);
			bpmu_cell_estimate(&cell, time[pos], true, sum);
			continue;
		}
		/* The sum of the counts of all groups is exact. */
		sum->value += (long long)gather_count(groups, interval, pos, slots, &running);
		sum->enabled += time[pos];
		sum->running += time[pos];
	}
}

/**
 * bpmu_interval_raw() - add the raw count of an event on a CPU in an interval
 * @groups: groups from bpmu_groups_make(); the count is from all groups with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @slots: slots of the event
 * @raw: sum over CPUs and intervals; the caller zeroes it before the first call
 */
void bpmu_interval_raw(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval, unsigned int pos,
		       const struct bpmu_event_slots *slots, struct bpmu_raw *raw)
{
	u64 enabled = bpmu_interval_time(interval, slots->bank, pos);
	bool sampled = interval->sampled[0][slots->bank] ||
		       (bpmu_interval_multiplexed(groups, interval, slots->bank) &&
			!slots->everywhere);
	u64 running;

	raw->count += (long long)gather_count(groups, interval, pos, slots, &running);
	raw->enabled += enabled;
	raw->running += sampled ? running : enabled;
}

/**
 * bpmu_interval_estimate() - look up an event, and add its count on a CPU in an interval to a sum
 * @groups: groups from bpmu_groups_make(); the count is from all groups with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @sum: sum over CPUs; the caller zeroes it before the first call
 *
 * Each call looks up the slots of the event. bpmu_interval_total() is faster, because its caller
 * has looked up the slots.
 */
void bpmu_interval_estimate(const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    unsigned int pos, const struct bpmu_event_spec *spec,
			    struct bpmu_estimate *sum)
{
	struct bpmu_event_slots slots;

	bpmu_groups_event_slots(groups, spec, spec, &slots);
	bpmu_interval_total(groups, interval, pos, pos + 1, &slots, sum);
}

/**
 * bpmu_interval_sum() - sum an event's count in a group over all CPUs of an interval
 * @groups: groups from bpmu_groups_make()
 * @g: number of a group that has the event
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
 *
 * Return: the count.
 */
struct bpmu_estimate bpmu_interval_sum(const struct bpmu_groups *groups,
				       unsigned int g,
				       const struct bpmu_interval *interval,
				       unsigned int nr_cpus,
				       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	struct bpmu_slots slots;

	bpmu_groups_slots(groups, g, spec, &slots);
	bpmu_interval_add(groups, g, &slots, interval, 0, nr_cpus, &sum);
	return sum;
}

/**
 * bpmu_interval_from() - make an interval that lacks the first CPUs of another interval
 * @interval: counts of CPUs of one core type
 * @nr_cpus: number of CPUs to skip
 * @groups: groups counted on these CPUs
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_from(const struct bpmu_interval *interval,
					unsigned int nr_cpus,
					const struct bpmu_groups *groups)
{
	size_t cells = (size_t)nr_cpus * groups->slots;
	struct bpmu_interval behind = *interval;
	unsigned int bank;

	behind.cell += cells;
	if (behind.batch)
		behind.batch += cells * behind.batches;
	behind.enabled += nr_cpus;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (behind.shared[bank])
			behind.shared[bank] += nr_cpus;
	if (behind.lost)
		behind.lost += nr_cpus;
	if (behind.spent)
		behind.spent += nr_cpus;
	if (behind.flaws)
		behind.flaws += nr_cpus;
	return behind;
}

/**
 * bpmu_interval_behind() - make an interval of the second core type from an interval of all CPUs
 * @interval: counts of all CPUs
 * @nr_cpus: number of CPUs of the first core type
 * @groups: groups counted on the CPUs of the first core type
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups)
{
	struct bpmu_interval behind = bpmu_interval_from(interval, nr_cpus, groups);

	memcpy(behind.multiplexed[0], interval->multiplexed[1], sizeof(behind.multiplexed[0]));
	memcpy(behind.sampled[0], interval->sampled[1], sizeof(behind.sampled[0]));
	return behind;
}
