// SPDX-License-Identifier: GPL-2.0
#include "interval_row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_interval_row_init() - allocate arrays that are large enough for any row
 * @part: filled in; must be freed also on failure
 * @groups: groups of @interval
 * @interval: an interval of all rows
 * @nr_cpus: number of CPUs of @interval
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_interval_row_init(struct bpmu_interval_row *part,
			   const struct bpmu_groups *groups,
			   const struct bpmu_interval *interval,
			   unsigned int nr_cpus, struct bpmu_error *err)
{
	size_t cells = (size_t)nr_cpus * groups->slots;

	memset(part, 0, sizeof(*part));
	part->cell = calloc(cells + 1, sizeof(*part->cell));
	part->batch = calloc(cells * interval->batches + 1,
			     sizeof(*part->batch));
	part->ticks = calloc((BPMU_NR_SIDES + 2) * (size_t)nr_cpus + 1, sizeof(*part->ticks));
	if (part->cell && part->batch && part->ticks)
		return 0;
	return bpmu_error_no_memory(err, "rows");
}

/**
 * bpmu_interval_row_take() - copy the counts of a row's CPUs
 * @part: initialised for @groups and the size of @interval; overwritten
 * @groups: groups of @interval
 * @interval: an interval of all rows
 * @rows: assigns the CPUs of @interval to rows
 * @r: index of the row
 */
void bpmu_interval_row_take(struct bpmu_interval_row *part,
			    const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    const struct bpmu_rows *rows, unsigned int r)
{
	size_t slots = groups->slots;
	size_t batches = slots * interval->batches;
	unsigned int pos, side;
	unsigned int to = 0;

	part->interval = *interval;
	part->interval.cell = part->cell;
	part->interval.batch = interval->batches ? part->batch : NULL;
	for (pos = 0; pos < rows->positions; pos++)
		to += rows->of[pos] == r;
	part->nr_cpus = to;
	part->interval.enabled = part->ticks;
	part->interval.flaws = interval->flaws ? part->ticks + to : NULL;
	for (side = 0; side < BPMU_NR_SIDES; side++)
		if (interval->shared[side])
			part->interval.shared[side] =
				part->ticks + (2 + side) * to;
	for (pos = 0, to = 0; pos < rows->positions; pos++) {
		if (rows->of[pos] != r)
			continue;
		memcpy(part->cell + to * slots, interval->cell + pos * slots,
		       slots * sizeof(*part->cell));
		if (batches)
			memcpy(part->batch + to * batches,
			       interval->batch + pos * batches,
			       batches * sizeof(*part->batch));
		part->ticks[to] = interval->enabled[pos];
		if (interval->flaws)
			part->ticks[part->nr_cpus + to] = interval->flaws[pos];
		for (side = 0; side < BPMU_NR_SIDES; side++)
			if (interval->shared[side])
				part->ticks[(2 + side) * part->nr_cpus + to] =
					interval->shared[side][pos];
		to++;
	}
}

/**
 * bpmu_interval_row_free() - undo bpmu_interval_row_init()
 * @part: initialised, or zeroed
 */
void bpmu_interval_row_free(struct bpmu_interval_row *part)
{
	free(part->cell);
	free(part->batch);
	free(part->ticks);
	memset(part, 0, sizeof(*part));
}
