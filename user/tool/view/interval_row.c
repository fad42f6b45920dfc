// SPDX-License-Identifier: GPL-2.0
#include "interval_row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_interval_row_init() - allocate arrays that are large enough for any row
 * @row: filled in; must be freed on failure too
 * @groups: groups of @interval
 * @interval: interval with all CPUs; only its number of batches is used
 * @nr_cpus: number of CPUs of @interval
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_interval_row_init(struct bpmu_interval_row *row,
			   const struct bpmu_groups *groups,
			   const struct bpmu_interval *interval,
			   unsigned int nr_cpus, struct bpmu_error *err)
{
	size_t cells = (size_t)nr_cpus * groups->slots;

	memset(row, 0, sizeof(*row));
	row->cell = calloc(cells + 1, sizeof(*row->cell));
	row->batch = calloc(cells * interval->batches + 1,
			    sizeof(*row->batch));
	row->ticks = calloc((BPMU_BANKS + 2) * (size_t)nr_cpus + 1, sizeof(*row->ticks));
	if (row->cell && row->batch && row->ticks)
		return 0;
	return bpmu_error_no_memory(err, "rows");
}

/**
 * bpmu_interval_row_copy() - copy the CPUs of a row out of an interval
 * @row: initialised for @groups and for the batches and CPUs of @interval; overwritten
 * @groups: groups of @interval
 * @interval: interval with all CPUs
 * @rows: assigns the CPUs of @interval to rows
 * @r: index of the row
 */
void bpmu_interval_row_copy(struct bpmu_interval_row *row,
			    const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    const struct bpmu_rows *rows, unsigned int r)
{
	size_t slots = groups->slots;
	size_t batches = slots * interval->batches;
	unsigned int pos, bank;
	unsigned int to = 0;

	row->interval = *interval;
	row->interval.cell = row->cell;
	row->interval.batch = interval->batches ? row->batch : NULL;
	for (pos = 0; pos < rows->positions; pos++)
		to += rows->of[pos] == r;
	row->nr_cpus = to;
	row->interval.enabled = row->ticks;
	row->interval.flaws = interval->flaws ? row->ticks + to : NULL;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (interval->shared[bank])
			row->interval.shared[bank] =
				row->ticks + (2 + bank) * to;
	for (pos = 0, to = 0; pos < rows->positions; pos++) {
		if (rows->of[pos] != r)
			continue;
		memcpy(row->cell + to * slots, interval->cell + pos * slots,
		       slots * sizeof(*row->cell));
		if (batches)
			memcpy(row->batch + to * batches,
			       interval->batch + pos * batches,
			       batches * sizeof(*row->batch));
		row->ticks[to] = interval->enabled[pos];
		if (interval->flaws)
			row->ticks[row->nr_cpus + to] = interval->flaws[pos];
		for (bank = 0; bank < BPMU_BANKS; bank++)
			if (interval->shared[bank])
				row->ticks[(2 + bank) * row->nr_cpus + to] =
					interval->shared[bank][pos];
		to++;
	}
}

/**
 * bpmu_interval_row_free() - free the arrays
 * @row: initialised, or zeroed
 */
void bpmu_interval_row_free(struct bpmu_interval_row *row)
{
	free(row->cell);
	free(row->batch);
	free(row->ticks);
	memset(row, 0, sizeof(*row));
}
