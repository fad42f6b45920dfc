// SPDX-License-Identifier: GPL-2.0
#include "slice_sums.h"

#include <stdlib.h>

/* Checks if bpmu_slots_pair_add(), which takes two slots at a time, can be used for a group. */
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
 * bpmu_slice_sums_open() - begin to form sums over slices that are to be added to cells
 * @sums: closed
 * @cells: cells of the group's slots; all of them have the same slices. They must exist until
 *	bpmu_slice_sums_close() is called
 * @batch: batches of these cells, which must exist as long; not used if @sums has no batches
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
 * bpmu_slice_sums_add_large() - insert the counts of a slice into the largest counts of the cells
 * @sums: open sums over slices, to which this slice has not been added yet
 * @counts: counts of the slice, [pairs]
 * @ticks: length of the slice in TSC ticks
 */
void bpmu_slice_sums_add_large(struct bpmu_slice_sums *sums, const bpmu_pair *counts, u64 ticks)
{
	struct bpmu_slots_pair *pair, *end = sums->pair + sums->pairs;
	struct bpmu_cell *cell = sums->cells;

	for (pair = sums->pair; pair < end; pair++, counts++, cell += 2) {
		if ((*counts)[0] > pair->least[0])
			pair->least[0] = bpmu_cell_add_large(cell, (*counts)[0], ticks,
							     sums->running, sums->slices);
		if ((*counts)[1] > pair->least[1])
			pair->least[1] = bpmu_cell_add_large(cell + 1, (*counts)[1], ticks,
							     sums->running, sums->slices);
	}
}
