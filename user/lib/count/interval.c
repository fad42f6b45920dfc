// SPDX-License-Identifier: GPL-2.0
/*
 * The count of an event of a multiplexed group is estimated with the ratio estimator of survey
 * sampling. The interval consists of rotation slices, in each of which one of the groups is on the
 * counters; those of the event's group are a sample of all slices. The rate of the event is its
 * count in this sample divided by the TSC ticks of the sample. The variance follows from the
 * deviations of the single slices' counts from this rate (Cochran, Sampling Techniques, 6.4). It is
 * multiplied by the finite population correction, which reduces it.
 */
#include "interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric/value_flag.h"

/*
 * The count of an event has a confidence interval only if its group had at least SLICES_MIN
 * rotation slices, and if the effective number of slices, (sum of counts)^2 / sum of counts^2, is
 * at least EFFECTIVE_MIN. In simulations of steady, bursty, idle and rare events, with 12 to 200
 * slices in 2 to 8 groups, 92 to 99 % of the confidence intervals held the true count if both
 * limits were met. Otherwise sometimes no interval held it.
 */
#define SLICES_MIN 16
#define EFFECTIVE_MIN 5

/* bpmu_estimate_at_most() returns a limit that is exceeded with at most this probability. */
#define BEYOND 0.05

/*
 * The tail of the distribution of the slices' counts: one in TAIL_SHARE of a CPU's slices, those
 * with the largest counts. It has fewer slices if they are not all in the list of the largest
 * counts (&bpmu_cell.top): the last element of this list is the bound of the tail, not in it. From
 * TAIL_PAIR slices on, which are enough for a metric to have an interval, the tail is at least two:
 * a single logarithmic spacing exceeds SPACING_MAX by chance several times as often as the mean of
 * two does.
 */
#define TAIL_SHARE 8
#define TAIL_PAIR 12

/*
 * Largest mean logarithmic spacing for which the variance of the slices' counts is finite. The mean
 * logarithmic spacing is the mean of ln(count / bound of the tail) over the slices in the tail of
 * the distribution, see bpmu_estimate_flags(). The inverse of this mean is the index of the tail;
 * with an index below 2 the variance is infinite.
 */
#define SPACING_MAX 0.5

/**
 * bpmu_cell_add_large() - insert a slice's count into @cell->top, the largest counts, if it is one
 * @cell: count of an event on a CPU in an interval, and sums over its rotation slices
 * @count: events counted in the slice
 * @ticks: length of the slice in TSC ticks
 * @running: TSC ticks of the earlier slices
 * @slices: number of earlier slices
 *
 * After lost samples a slice is longer than others. If a slice is longer than the mean of the
 * earlier slices, its count is scaled down to this mean length before it is compared with
 * @cell->top. A slice without a length (@ticks is 0) is never scaled down.
 */
void bpmu_cell_add_large(struct bpmu_cell *cell, u64 count, u64 ticks, u64 running, u64 slices)
{
	double *top = cell->top + (slices < BPMU_CELL_TOP - 1 ? slices : BPMU_CELL_TOP - 1);
	double large = count;

	if ((double)ticks * slices > running)
		large = (long long)(count * ((double)running / slices / ticks));
	if (large <= *top)
		return;
	for (; top > cell->top && large > top[-1]; top--)
		top[0] = top[-1];
	*top = large;
}

/**
 * bpmu_cell_add() - add a count of an event on a CPU in an interval (a cell) to another cell
 * @sum: cell to which the count and the sums over rotation slices are added
 * @cell: cell of the same event on the same CPU, with other slices of the same interval
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
		bpmu_cell_add_large(sum, cell->top[i], 0, 0, BPMU_CELL_TOP);
}

/*
 * Checks if bpmu_slice_sums_add() can add the counts of a group two counters at a time. For this
 * the counters must have less than 53 bits, a sample must have their values in the order of the
 * slots (counters with what they count), and all counts must be differences of two values.
 */
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
	if (!sums->pair)
		return false;
	for (i = 0; i < sums->nr; i++)
		sums->pair[i / 2].mask[i % 2] = sums->delta[i].mask;
	return true;
}

/**
 * bpmu_slice_sums_init() - initialise the sums over a group's rotation slices, without a sample
 * @sums: filled in; free it with bpmu_slice_sums_free(), on an error too
 * @delta: how the counts of the group's counters are computed, [@nr]; must outlive @sums
 * @nr: number of slots of the group (a slot is a counter and what it counts)
 * @batches: number of batches for which sums are formed, too; slice n is in batch n modulo
 *	@batches. 0 if the group is not multiplexed: its counts are then exact, and neither moments
 *	nor the largest counts are formed
 *
 * Return: false if out of memory.
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
	free(sums->last);
}

/**
 * bpmu_slice_sums_keep() - store in the sums of a group the counters' values at a slice's begin
 * @sums: sums over rotation slices of the group
 * @values: raw values of the sample at which the slice begins
 */
void bpmu_slice_sums_keep(struct bpmu_slice_sums *sums, const u64 *values)
{
	unsigned int i;

	bpmu_slice_sums_flush(sums);
	for (i = 0; i < sums->nr; i++)
		if (sums->pairs)
			sums->pair[i / 2].last[i % 2] = values[i];
		else
			sums->last[i] = values[sums->delta[i].value];
}

/**
 * bpmu_slice_sums_open() - begin to sum over rotation slices of a group, starting from given sums
 * @sums: set to the sums in @cells
 * @cells: sums so far, one element per slot of the group (a counter and what it counts), all over
 *	the same slices. They must exist until bpmu_slice_sums_close() writes the new sums to them
 * @batch: batches of @cells (sums over every n-th slice); must exist as long as @cells. Not used if
 *	@sums was initialised without batches
 */
void bpmu_slice_sums_open(struct bpmu_slice_sums *sums, struct bpmu_cell *cells,
			  struct bpmu_batch *batch)
{
	struct bpmu_slots_pair *pair;
	unsigned int p, i, k;

	for (p = 0; sums->batches && !cells->slices && p < sums->pairs; p++) {
		pair = &sums->pair[p];
		memset(&pair->sum_tx, 0, sizeof(pair->sum_tx));
		memset(&pair->sum_xx, 0, sizeof(pair->sum_xx));
		memset(pair->top, 0, sizeof(pair->top));
	}
	for (i = 0; sums->batches && cells->slices && sums->pairs && i < sums->nr; i++) {
		pair = &sums->pair[i / 2];
		pair->sum_tx[i % 2] = cells[i].sum_tx;
		pair->sum_xx[i % 2] = cells[i].sum_xx;
		for (k = 0; k < BPMU_CELL_TOP; k++)
			pair->top[k][i % 2] = cells[i].top[k];
	}
	sums->cells = cells;
	sums->batch = batch;
	sums->slices = cells->slices;
	sums->running = cells->running;
	sums->sum_tt = cells->sum_tt;
	if (sums->batches)
		bpmu_slice_sums_flush(sums);
}

/*
 * Adds the slices that are held to the sums of pair @p of the slots, whose second half is unused if
 * @single, and to their batches. @ticks has the length of each slice, twice; @first is the batch of
 * the first slice. Sets @counts to the counts of the slices. Returns whether one of them may be among
 * the largest counts.
 *
 * SSE2 has no instruction that converts vectors of 64-bit integers to doubles. Instead a count,
 * which is below 2^52, is put into the mantissa of the double 2^52, and 2^52 is subtracted.
 */
static inline __attribute__((always_inline)) bool
sums_flush_pair(struct bpmu_slice_sums *sums, unsigned int p, bool single,
		const bpmu_pair_real *ticks, unsigned int first, bpmu_pair_real *counts)
{
	const bpmu_pair exponent = { 0x433ULL << 52, 0x433ULL << 52 };
	struct bpmu_batch *batch = sums->batch + 2 * p * sums->batches + first;
	struct bpmu_batch *second = batch + sums->batches;
	struct bpmu_slots_pair *pair = &sums->pair[p];
	bpmu_pair_real sum_tx = pair->sum_tx, sum_xx = pair->sum_xx, large = { }, x;
	bpmu_pair mask = pair->mask, last = pair->last, sum = pair->count, value, count;
	size_t n, nr = sums->nr_held;

	for (n = 0; n < nr; n++) {
		if (single)
			value = (bpmu_pair){ sums->held[n][2 * p] };
		else
			memcpy(&value, sums->held[n] + 2 * p, sizeof(value));
		count = (value - last) & mask;
		last = value;
		sum += count;
		batch[n].count += count[0];
		batch[n].ticks += sums->held_ticks[n];
		if (!single) {
			second[n].count += count[1];
			second[n].ticks += sums->held_ticks[n];
		}
		x = (bpmu_pair_real)(count | exponent) - (bpmu_pair_real)exponent;
		counts[n] = x;
		large = __builtin_ia32_maxpd(large, x);
		sum_tx += ticks[n] * x;
		sum_xx += x * x;
	}
	pair->last = last;
	pair->count = sum;
	pair->sum_tx = sum_tx;
	pair->sum_xx = sum_xx;
	return __builtin_ia32_movmskpd((bpmu_pair_real)(large > pair->top[BPMU_CELL_TOP - 1]));
}

/*
 * Element @k of the largest counts makes room for @count, or for itself: the smaller is element
 * k + 1, the larger the next @count. A loop over @k would take a fourteenth of "top" on many CPUs.
 */
#define MAKE_ROOM(top, k, count)						\
	do {									\
		const bpmu_pair_real max = __builtin_ia32_maxpd((top)[k], count);	\
										\
		(top)[(k) + 1] = __builtin_ia32_minpd((top)[k], count);		\
		(count) = max;							\
	} while (0)

/*
 * Inserts those counts of the slices that are held which are large enough into @top, the largest
 * counts of a pair of slots. As bpmu_cell_add_large() does, the count of slice n is first scaled by
 * @scale[n] if that is below 1: the mean length of the slices before it, divided by its own length.
 * @scaled: whether @scale is set already, as it is the same for all pairs; set to true
 */
static __attribute__((noinline)) void
sums_add_large(const struct bpmu_slice_sums *sums, bpmu_pair_real *top,
	       const bpmu_pair_real *counts, double *scale, bool *scaled)
{
	u64 running = sums->running, slices = sums->slices;
	bpmu_pair_real count, larger;
	size_t n, before;
	double length;

	for (n = 0; n < sums->nr_held && !*scaled; n++, slices++) {
		length = (long long)sums->held_ticks[n];
		scale[n] = length * slices > running ? (double)running / slices / length : 1;
		running += sums->held_ticks[n];
	}
	*scaled = true;
	for (n = 0; n < sums->nr_held; n++) {
		count = counts[n];
		before = sums->slices + n;
		larger = (bpmu_pair_real)(count > top[BPMU_CELL_TOP - 1]);
		if (before >= BPMU_CELL_TOP && !__builtin_ia32_movmskpd(larger))
			continue;
		if (scale[n] < 1)
			count = (bpmu_pair_real){ (long long)(count[0] * scale[n]),
						  (long long)(count[1] * scale[n]) };
		/* From the smallest on: only as many are there as slices before it, or all. */
		count = __builtin_ia32_maxpd(top[BPMU_CELL_TOP - 1], count);
		switch (before) {
		default:
			MAKE_ROOM(top, 7, count);
			__attribute__((fallthrough));
		case 7:
			MAKE_ROOM(top, 6, count);
			__attribute__((fallthrough));
		case 6:
			MAKE_ROOM(top, 5, count);
			__attribute__((fallthrough));
		case 5:
			MAKE_ROOM(top, 4, count);
			__attribute__((fallthrough));
		case 4:
			MAKE_ROOM(top, 3, count);
			__attribute__((fallthrough));
		case 3:
			MAKE_ROOM(top, 2, count);
			__attribute__((fallthrough));
		case 2:
			MAKE_ROOM(top, 1, count);
			__attribute__((fallthrough));
		case 1:
			MAKE_ROOM(top, 0, count);
			__attribute__((fallthrough));
		case 0:
			top[0] = count;
		}
	}
}

/**
 * bpmu_slice_sums_flush() - add the slices that are held to the sums over slices
 * @sums: open, or without slices that are held
 *
 * To add several slices together is faster. Consecutive slices go to different batches, so that all
 * batches are spread over the same time. The next slices are held until the last batch has one, or
 * as many as there is room for.
 */
void bpmu_slice_sums_flush(struct bpmu_slice_sums *sums)
{
	bpmu_pair_real ticks[BPMU_SLICES_HELD], counts[BPMU_SLICES_HELD];
	double sum_tt = sums->sum_tt, scale[BPMU_SLICES_HELD], length;
	bool large, scaled = false;
	u64 running = sums->running;
	unsigned int first, left, p;
	size_t n, nr = sums->nr_held;

	if (!sums->pairs || !sums->batches)
		return;
	first = sums->slices % sums->batches;
	for (n = 0; n < nr; n++) {
		length = (long long)sums->held_ticks[n];
		ticks[n] = (bpmu_pair_real){ length, length };
		running += sums->held_ticks[n];
		sum_tt += length * length;
	}
	for (p = 0; nr && p < sums->pairs; p++) {
		if (2 * p + 1 < sums->nr)
			large = sums_flush_pair(sums, p, false, ticks, first, counts);
		else
			large = sums_flush_pair(sums, p, true, ticks, first, counts);
		/* Only few slices are among the largest of a long interval. */
		if (large)
			sums_add_large(sums, sums->pair[p].top, counts, scale, &scaled);
	}
	sums->running = running;
	sums->sum_tt = sum_tt;
	sums->slices += nr;
	sums->nr_held = 0;
	left = sums->batches - (first + nr) % sums->batches;
	sums->most_held = left < BPMU_SLICES_HELD ? left : BPMU_SLICES_HELD;
}

/**
 * bpmu_slice_sums_close() - write the sums over rotation slices to the counts of the interval
 * @sums: the sums. They are written to the cells (counts of the interval on a CPU) that were given
 *	to bpmu_slice_sums_open(). Nothing is done if this function was called since then
 */
void bpmu_slice_sums_close(struct bpmu_slice_sums *sums)
{
	struct bpmu_slots_pair *pair;
	struct bpmu_cell *cell;
	unsigned int i, k;

	if (!sums->cells)
		return;
	if (sums->batches)
		bpmu_slice_sums_flush(sums);
	for (i = 0; sums->pairs && i < sums->nr; i++) {
		cell = &sums->cells[i];
		pair = &sums->pair[i / 2];
		cell->count += pair->count[i % 2];
		pair->count[i % 2] = 0;
		cell->running = sums->running;
		cell->slices = sums->slices;
		if (!sums->batches)
			continue;
		cell->sum_tt = sums->sum_tt;
		cell->sum_tx = pair->sum_tx[i % 2];
		cell->sum_xx = pair->sum_xx[i % 2];
		for (k = 0; k < BPMU_CELL_TOP; k++)
			cell->top[k] = pair->top[k][i % 2];
	}
	sums->cells = NULL;
}

/**
 * bpmu_slice_sums_add_exact() - add a slice to the sums of a group that is not multiplexed
 *
 * bpmu_slice_sums_add() calls this function for sums without batches. They need no moments, so
 * that there is nothing to hold for later.
 */
void bpmu_slice_sums_add_exact(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks)
{
	const u64 *last = values + sums->nr - 1;
	struct bpmu_slots_pair *pair = sums->pair;
	bpmu_pair value;

	for (; values <= last; pair++, values += 2) {
		if (values < last)
			memcpy(&value, values, sizeof(value));
		else
			value = (bpmu_pair){ *values };
		pair->count += (value - pair->last) & pair->mask;
		pair->last = value;
	}
	sums->slices++;
	sums->running += ticks;
}

/**
 * bpmu_slice_sums_add_single() - add a slice to the counts of an interval, counter after counter
 *
 * bpmu_slice_sums_add() calls this function for a group whose counters cannot be added two at a
 * time.
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
 * bpmu_cell_estimate() - estimate the count of an event on a CPU in an interval; add it to a sum
 * @cell: events counted, and sums over the rotation slices of the event's group on the CPU
 * @enabled: TSC ticks to which the count is scaled
 * @multiplexed: true if the group was multiplexed; otherwise the count is exact
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
	u64 tail;

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
	/* The group was on the counters for only a part of the time: scale its count up. */
	scaled = (double)(long long)cell->count * all / running;
	sum->value += scaled;
	sum->slices += cell->slices;
	sum->others += slices * (all - running) / running;
	sum->scaled += scaled;
	sum->squares += cell->sum_xx * all / running * all / running;
	/*
	 * The tail, the @nr slices with the largest counts, is meant to be a small share of the
	 * slices. If the event occurred in no more than @nr slices, the tail is only the half of
	 * these slices that has the larger counts: the counts in the other half are not large.
	 */
	tail = cell->slices / TAIL_SHARE;
	if (tail < 2)
		tail = cell->slices < TAIL_PAIR ? 1 : 2;
	nr = tail < BPMU_CELL_TOP ? tail : BPMU_CELL_TOP - 1;
	for (i = 0; i <= nr && cell->top[i] > 0; i++)
		;
	if (i <= nr)
		nr = i / 2;
	for (i = 0; i < nr; i++)
		product *= cell->top[i] / cell->top[nr];
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

/*
 * Estimates the count of an event whose interrupts were summed, and adds it to a sum. How many
 * interrupts are in a part of a program is taken as Poisson-distributed, so that the variance of the
 * count is the sum of the squared periods.
 */
static void estimate_interrupts(const struct bpmu_cell *cell, u64 enabled,
				struct bpmu_estimate *sum)
{
	sum->enabled += enabled;
	if (!cell->running) {
		sum->missing = true;
		return;
	}
	sum->running += cell->running;
	sum->value += (long long)cell->count;
	sum->variance += cell->sum_xx;
	sum->freedom += fmax(cell->slices, 1);
	if (!cell->slices)
		return;
	sum->slices += cell->slices;
	sum->scaled += (long long)cell->count;
	sum->squares += cell->sum_xx;
}

/**
 * bpmu_estimate_flags() - flags of a count that is estimated from slices of an interval
 * @estimate: sum over all CPUs
 *
 * %BPMU_VALUE_UNSEEN: the event occurred in no slice of its group. It may have occurred in slices
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
 * bpmu_estimate_at_most() - in how many slices of an interval an event with the count 0 may occur
 * @estimate: sum over all CPUs, with %BPMU_VALUE_UNSEEN: no slice of the event's group has it
 *
 * Suppose that the event occurred in b of all slices. The probability that such a slice is one of
 * another group is the other groups' share of the slices. The limit is the largest b for which all
 * b slices are slices of other groups in more than 5 % of the cases. It is about 3 divided by the
 * share of the event's own group if this share is small.
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
 * bpmu_estimate_share_at_most() - in what share of an interval an event with the count 0 may occur
 * @estimate: sum over all CPUs, with %BPMU_VALUE_UNSEEN: no slice of the event's group has it
 *
 * If the slices are interrupts that have the counts of all events, there are no slices of other
 * groups. The share of the code in which the event occurs is then not known exactly either: with a
 * share p none of n interrupts has the event with the probability (1 - p)^n. The limit is the p for
 * which this is 5 %, about 3 / n if there are many interrupts.
 *
 * Return: the limit, between 0 and 1, with a confidence of 95 %.
 */
double bpmu_estimate_share_at_most(const struct bpmu_estimate *estimate)
{
	if (!(estimate->others > 0))
		return 1 - pow(BEYOND, 1.0 / estimate->slices);
	return bpmu_estimate_at_most(estimate) / (estimate->slices + estimate->others);
}

/**
 * bpmu_interval_time() - for how much of an interval a CPU counted with a bank (kind of counters)
 * @interval: counts of an interval
 * @bank: the kind of counters, &enum bpmu_bank_id
 * @pos: index of the CPU in the list of measured CPUs
 *
 * Return: TSC ticks; 0 for a CPU that reads no counters of the bank.
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
 * @bank: the bank (the kind of counters, such as those of the memory controllers)
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
 * Returns the count of an event on a CPU, and its sums over the rotation slices: those of the
 * event's counter, or *@all, which is set. An event may be a sum or difference of counters, its
 * terms. The deviations of the terms from their means are taken
 * as independent, although the terms are counted in the same slices. This overestimates the
 * variance of a difference. The largest counts of the added terms are assumed to be in the same
 * slices. A subtracted term does not change the largest counts. Interrupts, if @interrupts, are of
 * one term each, and of a term without a period there are none, so that the event is missing.
 */
static const struct bpmu_cell *interval_cell(const struct bpmu_cell *cells,
					     const struct bpmu_slots *slots, bool interrupts,
					     struct bpmu_cell *all)
{
	const struct bpmu_cell *term;
	unsigned int i, k;

	if (slots->nr == 1 && slots->sign[0] > 0)
		return &cells[slots->slot[0]];
	*all = (struct bpmu_cell){ };
	for (i = 0; i < slots->nr; i++) {
		term = &cells[slots->slot[i]];
		all->count += slots->sign[i] * term->count;
		if (!i || term->running < all->running)
			all->running = term->running;
		all->slices = interrupts ? all->slices + term->slices : term->slices;
		all->sum_tt = term->sum_tt;
		all->sum_tx += slots->sign[i] * term->sum_tx;
		all->sum_xx += term->sum_xx;
		for (k = 0; slots->sign[i] > 0 && k < BPMU_CELL_TOP; k++)
			all->top[k] += term->top[k];
	}
	return all;
}

/**
 * bpmu_interval_add() - add an event's count in an interval, in one group on some CPUs, to a sum
 * @groups: groups from bpmu_groups_make()
 * @g: number of a group that has the event
 * @slots: which counters of that group count the event
 * @interval: counts of an interval
 * @first: index of the first CPU in the list of measured CPUs
 * @end: index of the last CPU in this list, plus 1
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
	bool interrupts = interval->interrupts && group->sched.bank == BPMU_BANK_CORE;
	const struct bpmu_cell *cell, *of;
	struct bpmu_cell all;
	unsigned int pos;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		of = interval_cell(cell, slots, interval->interrupts, &all);
		if (interrupts)
			estimate_interrupts(of, time[pos], sum);
		else
			bpmu_cell_estimate(of, time[pos], multiplexed, sum);
	}
}

/*
 * Returns the count of an event in batch @r (with n batches, every n-th interrupt) of an interval
 * whose counts are of interrupts.
 */
static double batch_of_interrupts(const struct bpmu_groups *groups, unsigned int g,
				  const struct bpmu_slots *slots,
				  const struct bpmu_interval *interval, unsigned int nr_cpus,
				  unsigned int r)
{
	const struct bpmu_batch *batch;
	long long count = 0;
	unsigned int pos, i;

	batch = interval->batch + (size_t)groups->group[g].first * interval->batches + r;
	for (pos = 0; pos < nr_cpus; pos++, batch += (size_t)groups->slots * interval->batches)
		for (i = 0; i < slots->nr; i++)
			count += slots->sign[i] * batch[slots->slot[i] * interval->batches].count;
	return count;
}

/*
 * Sets counts as bpmu_interval_counts() does, of an interval whose counts are of interrupts. Those
 * without a batch are not scaled up to the other interrupts.
 */
static void counts_of_interrupts(const struct bpmu_groups *groups, unsigned int g,
				 const struct bpmu_slots *slots, unsigned int nr_events,
				 const struct bpmu_interval *interval, unsigned int nr_cpus,
				 unsigned int without, double *counts, size_t stride)
{
	unsigned int e, r;

	for (e = 0; e < nr_events; e++) {
		struct bpmu_estimate sum = { };

		if (slots[e].quotient)
			continue;
		bpmu_interval_add(groups, g, &slots[e], interval, 0, nr_cpus, &sum);
		counts[e * stride] = bpmu_estimate_seen(&sum) ? sum.value : NAN;
		for (r = without; r--; )
			counts[e * stride + r] = *(counts + e * stride) -
				batch_of_interrupts(groups, g, &slots[e], interval, nr_cpus, r);
	}
}

/**
 * bpmu_interval_counts() - counts of events in an interval, in one group and on all CPUs
 * @groups: groups from bpmu_groups_make()
 * @g: number of a group that has the events
 * @slots: which counters of that group count an event, [@nr_events]
 * @nr_events: number of events; for an event that is a quotient of two counts nothing is computed
 * @interval: counts of an interval; if @without is not 0, with the sums over each batch of rotation
 *	slices
 * @nr_cpus: number of CPUs
 * @without: number of batches (every n-th slice) of which each is left out once, at most
 *	%BPMU_BATCHES; 0 to leave out none
 * @sampled: whether the group ran for only a part of the time on a CPU, [@nr_cpus]; on the other
 *	CPUs the count is exact, and no batch is left out. Not used if @without is 0
 * @counts: [@nr_events][@stride]. For event i, [i][r] is set to its count without batch r of each
 *	CPU, or if @without is 0, [i][0] is set to its count. A count is what bpmu_interval_add()
 *	estimates, without the uncertainty; NAN if the event was not counted
 * @stride: distance between the @counts of two events, at least @without
 */
void bpmu_interval_counts(const struct bpmu_groups *groups, unsigned int g,
			  const struct bpmu_slots *slots, unsigned int nr_events,
			  const struct bpmu_interval *interval, unsigned int nr_cpus,
			  unsigned int without, const bool *sampled, double *counts, size_t stride)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, group->sched.bank);
	double factor[BPMU_BATCHES], divisor[BPMU_BATCHES], ticks, all, scaled;
	const struct bpmu_batch *batch, *slice;
	const size_t nr = without ?: 1;
	u64 left[BPMU_BATCHES];
	const struct bpmu_cell *cell;
	size_t at = group->first, r;
	unsigned int pos, e, i;
	u64 whole, ran, without_batch;
	double *of_event;
	long long count;
	bool single;

	if (interval->interrupts && group->sched.bank == BPMU_BANK_CORE) {
		counts_of_interrupts(groups, g, slots, nr_events, interval, nr_cpus, without,
				     counts, stride);
		return;
	}
	memset(left, 0, nr * sizeof(*left));
	for (e = 0; e < nr_events; e++)
		if (!slots[e].quotient && nr == 1)
			counts[e * stride] = 0;
		else if (!slots[e].quotient)
			memset(counts + e * stride, 0, nr * sizeof(*counts));
	for (pos = 0; pos < nr_cpus; pos++, at += groups->slots) {
		cell = interval->cell + at;
		batch = multiplexed && without && sampled[pos] ?
			interval->batch + at * interval->batches : NULL;

		/*
		 * A count without the slices of batch r (a batch has every n-th slice) has to be
		 * scaled up, because the other slices have fewer TSC ticks: it is multiplied by
		 * @factor[r] and divided by @divisor[r]. So has the count of all slices, which is
		 * that without any batch if none is left out on this CPU.
		 */
		all = (long long)time[pos];
		ran = multiplexed ? cell->running : time[pos];
		for (r = 0; r < nr; r++) {
			without_batch = batch ? ran - batch[r].ticks : ran;
			left[r] += without_batch;
			ticks = (long long)without_batch;
			divisor[r] = without_batch && ticks < all ? ticks : 1;
			factor[r] = !without_batch ? 0 : ticks < all ? all : 1;
		}
		for (e = 0; e < nr_events; e++) {
			if (slots[e].quotient)
				continue;
			/*
			 * The count of an event without a batch is the count by the event's
			 * counters in all slices (@whole), minus the count by these counters in the
			 * slices of the batch. Nearly all events have one counter.
			 */
			of_event = counts + e * stride;
			single = slots[e].nr == 1 && slots[e].sign[0] > 0;
			whole = single ? cell[slots[e].slot[0]].count : 0;
			for (i = 0; !single && i < slots[e].nr; i++)
				whole += slots[e].sign[i] * cell[slots[e].slot[i]].count;
			if (!batch) {
				scaled = (long long)whole * factor[0] / divisor[0];
				for (r = 0; r < nr; r++)
					of_event[r] += scaled;
			} else if (single) {
				slice = batch + slots[e].slot[0] * interval->batches;
#pragma GCC unroll 4
				for (r = 0; r < nr; r++) {
					count = whole - slice[r].count;
					of_event[r] += count * factor[r] / divisor[r];
				}
			} else {
				for (r = 0; r < nr; r++) {
					for (i = 0, count = whole; i < slots[e].nr; i++) {
						slice = batch + slots[e].slot[i] * interval->batches;
						count -= slots[e].sign[i] * slice[r].count;
					}
					of_event[r] += count * factor[r] / divisor[r];
				}
			}
		}
	}
	for (r = 0; r < nr; r++)
		for (e = 0; e < nr_events && !left[r]; e++)
			if (!slots[e].quotient)
				counts[e * stride + r] = NAN;
}

/*
 * Sums the slices on a CPU over all groups that have an event. If the event's counters ran for only
 * a part of the time (&bpmu_interval.sampled), a slice may be a slice of several groups at once.
 * Then only the first group with slices is used.
 */
static struct bpmu_cell gather(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int pos, const struct bpmu_event_slots *slots)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots;
	struct bpmu_cell sum = { }, all;
	const struct bpmu_cell *cell;
	unsigned int i;

	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && sum.slices); i++) {
		cell = interval_cell(cells + groups->group[slots->group[i]].first,
				     &slots->slots[i], interval->interrupts, &all);
		if (sum.slices)
			bpmu_cell_add(&sum, cell);
		else
			sum = *cell;
	}
	return sum;
}

/*
 * Returns only the count that gather() would return; sets @running to the TSC ticks of the slices
 * from which this count is.
 */
static u64 gather_count(const struct bpmu_groups *groups,
			const struct bpmu_interval *interval,
			unsigned int pos, const struct bpmu_event_slots *slots, u64 *running)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots, *first;
	const struct bpmu_slots *terms;
	u64 count = 0, slices = 0;
	unsigned int i, k;

	*running = 0;
	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && slices); i++) {
		first = cells + groups->group[slots->group[i]].first;
		terms = &slots->slots[i];
		for (k = 0; k < terms->nr; k++)
			count += terms->sign[k] * first[terms->slot[k]].count;
		*running += terms->nr ? first[terms->slot[0]].running : 0;
		slices += first[terms->slot[0]].slices;
	}
	return count;
}

/*
 * Adds a count that is estimated from slices to a sum over CPUs. Not inlined: bpmu_interval_total()
 * would else save registers also for exact counts.
 */
static __attribute__((noinline)) void
total_sampled(const struct bpmu_groups *groups, const struct bpmu_interval *interval,
	      unsigned int first, unsigned int end, const struct bpmu_event_slots *slots,
	      struct bpmu_estimate *sum)
{
	const u64 *time = interval->shared[slots->bank] ?: interval->enabled;
	bool interrupts = interval->interrupts && slots->bank == BPMU_BANK_CORE;
	struct bpmu_cell cell;
	unsigned int pos;

	for (pos = first; pos < end; pos++) {
		cell = gather(groups, interval, pos, slots);
		if (interrupts)
			estimate_interrupts(&cell, time[pos], sum);
		else
			bpmu_cell_estimate(&cell, time[pos], true, sum);
	}
}

/**
 * bpmu_interval_total() - add an event's count in an interval, from all its groups, to a sum
 * @groups: groups from bpmu_groups_make()
 * @interval: counts of an interval
 * @first: index of the first CPU in the list of measured CPUs
 * @end: index of the last CPU in this list, plus 1
 * @slots: which counters of which groups count the event. They may be those of a second event in
 *	the groups that have the event: to count, for example, unhalted cycles in just those
 *	slices in which the event was counted
 * @sum: sum over CPUs; the caller zeroes it before the first call. The count is exact if all groups
 *	that use the same kind of counters have the event. It is missing if one of the groups with
 *	the event lacks the second event
 */
void bpmu_interval_total(const struct bpmu_groups *groups,
			 const struct bpmu_interval *interval,
			 unsigned int first, unsigned int end,
			 const struct bpmu_event_slots *slots, struct bpmu_estimate *sum)
{
	const u64 *time = interval->shared[slots->bank] ?: interval->enabled;
	const struct bpmu_cell *cell;
	const struct bpmu_slots *terms;
	u64 count = 0, ticks = 0;
	unsigned int pos, i, k;

	if (interval->sampled[0][slots->bank] ||
	    (bpmu_interval_multiplexed(groups, interval, slots->bank) && !slots->everywhere)) {
		total_sampled(groups, interval, first, end, slots, sum);
		return;
	}
	/* The sum of the counts of all groups is exact. */
	cell = interval->cell + (size_t)first * groups->slots;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		ticks += time[pos];
		for (i = 0; i < slots->nr; i++) {
			terms = &slots->slots[i];
			for (k = 0; k < terms->nr; k++)
				count += terms->sign[k] *
					 cell[groups->group[slots->group[i]].first +
					      terms->slot[k]].count;
		}
	}
	sum->value += (long long)count;
	sum->enabled += ticks;
	sum->running += ticks;
}

/**
 * bpmu_interval_raw() - add the raw (unscaled) count of an event on a CPU in an interval to a sum
 * @groups: groups from bpmu_groups_make(); the count is from all groups with the event
 * @interval: counts of an interval
 * @pos: index of the CPU in the list of measured CPUs
 * @slots: which counters of which groups count the event
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
 * @pos: index of the CPU in the list of measured CPUs
 * @sum: sum over CPUs; the caller zeroes it before the first call
 *
 * Each call looks up which counters of the groups count the event. bpmu_interval_total() is faster,
 * because its caller has looked up these counters.
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
 * @groups: groups counted on the CPUs of @interval
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
