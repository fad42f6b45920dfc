/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the slices of a group on a CPU. At the end of an interval they are added to its cells.
 * Summing here first is faster: a sum that is the same for all slots of the group, such as the sum
 * of the slices' lengths, is formed only once, and sums of counts are formed for two slots at a
 * time in vector registers.
 */
#ifndef BPMU_SLICE_SUMS_H
#define BPMU_SLICE_SUMS_H

#include <string.h>

#include "delta.h"
#include "interval.h"

/* typedef bpmu_pair - counts of two slots */
typedef u64 bpmu_pair __attribute__((vector_size(16)));

/* typedef bpmu_pair_real - counts of two slots as floating-point numbers */
typedef double bpmu_pair_real __attribute__((vector_size(16)));

/**
 * struct bpmu_slots_pair - sums of two slots of a group; if a group has an odd number of slots, the
 *	second half of its last pair is unused
 * @mask: valid bits of the registers; 0 for an unused half
 * @last: raw values of the latest sample
 * @least: smallest count in &bpmu_cell.top of the slot's cell
 * @count: sum of the counts
 * @sum_tx: sum of t * x, with t a slice's length in TSC ticks and x its count
 * @sum_xx: sum of x^2
 */
struct bpmu_slots_pair {
	bpmu_pair mask;
	bpmu_pair last;
	bpmu_pair least;
	bpmu_pair count;
	bpmu_pair_real sum_tx;
	bpmu_pair_real sum_xx;
};

/**
 * struct bpmu_slice_sums - sums over slices of a group, and the values of the group's latest sample
 * @delta: how the counts of the slots are computed, [@nr]
 * @nr: number of slots
 * @batches: number of batches of each slot's slices, or 0
 * @pairs: number of @pair. It is 0, and each slice is added directly to the cells, if the count of
 *	some slot is not the difference of two raw values, or can be 2^52 or more
 * @pair: sums of the slots, two slots in each element
 * @batch_pair: counts of a batch, [@batches][@pairs]
 * @batch_ticks: length of a batch's slices in TSC ticks, [@batches]
 * @last: raw values of the latest sample, [@nr]; used only if @pairs is 0
 * @cells: cells to which the sums will be added, [@nr]; NULL before the first slice
 * @batch: batches of these cells, [@nr][@batches]
 * @opened: number of slices whose sums are in @cells already
 * @slices: number of all slices: @opened plus those that were added here
 * @running: sum of t, with t a slice's length in TSC ticks
 * @sum_tt: sum of t^2
 */
struct bpmu_slice_sums {
	const struct bpmu_delta *delta;
	unsigned int nr;
	unsigned int batches;
	unsigned int pairs;
	struct bpmu_slots_pair *pair;
	bpmu_pair *batch_pair;
	u64 *batch_ticks;
	u64 *last;
	struct bpmu_cell *cells;
	struct bpmu_batch *batch;
	u64 opened;
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
void bpmu_slice_sums_add_single(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks);
void bpmu_slice_sums_add_large(struct bpmu_slice_sums *sums, const bpmu_pair *counts, u64 ticks);

/*
 * Adds a slice to the sums of two slots, and returns the counts of the slice. SSE2 has no
 * instruction that converts vectors of 64-bit integers to doubles. Instead a count, which is below
 * 2^52, is put into the mantissa of the double 2^52, and 2^52 is subtracted.
 */
static inline bpmu_pair bpmu_slots_pair_add(struct bpmu_slots_pair *pair, bpmu_pair values,
					    bpmu_pair_real ticks)
{
	const bpmu_pair exponent = { 0x433ULL << 52, 0x433ULL << 52 };
	bpmu_pair counts = (values - pair->last) & pair->mask;
	bpmu_pair_real x = (bpmu_pair_real)(counts | exponent) - (bpmu_pair_real)exponent;

	pair->last = values;
	pair->count += counts;
	pair->sum_tx += ticks * x;
	pair->sum_xx += x * x;
	return counts;
}

/**
 * bpmu_slice_sums_add() - add a slice, or a piece of one, to the sums over slices
 * @sums: open, with an earlier sample
 * @values: raw values of the next sample
 * @ticks: length of the slice in TSC ticks
 *
 * This function updates the largest counts in the cells at once. bpmu_slice_sums_close() adds the
 * sums to the cells. Consecutive slices go to different batches, so that all batches are spread
 * over the same time.
 */
static inline __attribute__((always_inline)) void
bpmu_slice_sums_add(struct bpmu_slice_sums *sums, const u64 *values, u64 ticks)
{
	bpmu_pair counts[BPMU_MAX_COUNTERS / 2], value, above = { }, *count = counts;
	struct bpmu_slots_pair *pair = sums->pair, *end;
	bpmu_pair_real t = { ticks, ticks };
	bpmu_pair *batch;
	unsigned int at;

	if (!pair) {
		bpmu_slice_sums_add_single(sums, values, ticks);
		return;
	}
	end = pair + sums->nr / 2;
	/* @pair->least minus the count is negative if the count belongs into &bpmu_cell.top. */
	for (; pair < end; pair++, values += 2) {
		memcpy(&value, values, sizeof(value));
		*count = bpmu_slots_pair_add(pair, value, t);
		above |= pair->least - *count++;
	}
	if (sums->nr & 1) {
		*count = bpmu_slots_pair_add(pair, (bpmu_pair){ *values }, t);
		above |= pair->least - *count++;
	}
	if ((above[0] | above[1]) >> 63)
		bpmu_slice_sums_add_large(sums, counts, ticks);
	if (sums->batches) {
		at = (unsigned int)sums->slices % sums->batches;
		sums->batch_ticks[at] += ticks;
		batch = sums->batch_pair + (at + 1) * sums->pairs;
		while (count > counts)
			*--batch += *--count;
	}
	sums->slices++;
	sums->running += ticks;
	sums->sum_tt += t[0] * t[0];
}

#endif /* BPMU_SLICE_SUMS_H */
