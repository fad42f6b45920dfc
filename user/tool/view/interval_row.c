// SPDX-License-Identifier: GPL-2.0
#include "interval_row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "metric/value_flag.h"

/**
 * bpmu_interval_row_init() - allocate the arrays of an interval restricted to one row of CPUs
 * @row: filled in; the caller calls bpmu_interval_row_free() on failure, too
 * @groups: groups of @interval
 * @interval: interval with all CPUs; only its number of batches is used
 * @nr_cpus: number of CPUs of @interval
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
	/* The arrays need no initial values: bpmu_interval_row_copy() writes what is read. */
	row->cell = reallocarray(NULL, cells + 1, sizeof(*row->cell));
	row->batch = reallocarray(NULL, cells * interval->batches + 1, sizeof(*row->batch));
	row->ticks = reallocarray(NULL, (BPMU_BANKS + 2) * (size_t)nr_cpus + 1,
				  sizeof(*row->ticks));
	if (row->cell && row->batch && row->ticks)
		return 0;
	return bpmu_error_no_memory(err, "rows");
}

/**
 * bpmu_interval_row_copy() - make the interval of one row: copy the counts of the row's CPUs
 * @row: from bpmu_interval_row_init() for the same groups, batches and CPUs. Its contents are
 *	overwritten, and are valid as long as @interval is valid
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
	unsigned int first = rows->pos[rows->row[r].first];
	unsigned int i = 0, to = 0;
	unsigned int pos, bank;

	row->nr_cpus = rows->row[r].cpus;
	if (rows->pos[rows->row[r].first + row->nr_cpus - 1] == first + row->nr_cpus - 1) {
		row->interval = bpmu_interval_from(interval, first, groups);
		return;
	}
	row->interval = *interval;
	row->interval.cell = row->cell;
	row->interval.batch = interval->batches ? row->batch : NULL;
	row->interval.enabled = row->ticks;
	row->interval.flaws = interval->flaws ? row->ticks + row->nr_cpus : NULL;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (interval->shared[bank])
			row->interval.shared[bank] =
				row->ticks + (2 + bank) * row->nr_cpus;
	while (bpmu_rows_next(rows, r, &i, &pos)) {
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

void bpmu_interval_row_free(struct bpmu_interval_row *row)
{
	free(row->cell);
	free(row->batch);
	free(row->ticks);
	memset(row, 0, sizeof(*row));
}

/**
 * bpmu_interval_row_reads() - check if a row of CPUs has read counters in an interval
 * @interval: an interval with all CPUs
 * @rows: assigns the CPUs of @interval to rows
 * @r: index of the row
 * @bank: &enum bpmu_bank_id of the counters
 *
 * Return: true if one of the row's CPUs took a sample of the counters in the interval.
 */
bool bpmu_interval_row_reads(const struct bpmu_interval *interval, const struct bpmu_rows *rows,
			     unsigned int r, enum bpmu_bank_id bank)
{
	unsigned int i = 0, pos;

	while (bpmu_rows_next(rows, r, &i, &pos))
		if (bpmu_interval_time(interval, bank, pos))
			return true;
	return false;
}

/*
 * Sets the flag "shared" of each value whose counters belong to more CPUs than the row has. If no
 * CPU of the row reads these counters, the value is not flagged as missing, because another row has
 * it. Returns true if a value is shared.
 */
static bool mark_shared(const struct bpmu_tree *tree, const struct bpmu_interval *interval,
			const struct bpmu_rows *rows, unsigned int r,
			struct bpmu_tree_value *value)
{
	enum bpmu_bank_id bank;
	bool shared = false;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++, value++)
		for (bank = 0; bank < BPMU_BANKS; bank++) {
			if (!(tree->banks[i] & BPMU_BIT(bank)) ||
			    !bpmu_row_is_part(&rows->row[r], bank))
				continue;
			value->flags |= BPMU_VALUE_SHARED;
			shared = true;
			if (!value->known && !bpmu_interval_row_reads(interval, rows, r, bank))
				value->flags &= ~BPMU_VALUE_MISSING;
		}
	return shared;
}

/**
 * bpmu_interval_rows_eval() - divide an interval into rows of CPUs, and evaluate a tree for each
 * @tree: the tree. Its number of packages becomes that of each row in turn, and stays that of the
 *	last row
 * @groups: groups of @interval
 * @interval: interval with all CPUs
 * @rows: assigns the CPUs of @interval to rows
 * @sockets: number of packages of the machine, 0 if unknown
 * @values: filled in, [nr rows][nr metrics]; if memory runs out, no value is known
 *
 * Return: true if a value has counters that belong to more CPUs than the row of the value has.
 */
bool bpmu_interval_rows_eval(struct bpmu_tree *tree, const struct bpmu_groups *groups,
			     const struct bpmu_interval *interval,
			     const struct bpmu_rows *rows, unsigned int sockets,
			     struct bpmu_tree_value *values)
{
	struct bpmu_interval_row part;
	struct bpmu_tree_value *value = values;
	struct bpmu_error ignored;
	bool shared = false;
	unsigned int r;

	memset(values, 0, (size_t)rows->nr * tree->metrics.nr * sizeof(*values));
	if (!bpmu_interval_row_init(&part, groups, interval, rows->positions, &ignored)) {
		for (r = 0; r < rows->nr; r++, value += tree->metrics.nr) {
			bpmu_interval_row_copy(&part, groups, interval, rows, r);
			if (rows->row[r].packages || sockets)
				bpmu_tree_set(tree, BPMU_CONSTANT_SOCKETS,
					      rows->row[r].packages ?: sockets);
			bpmu_spread_eval(tree, &part.interval, part.nr_cpus, value);
			shared |= mark_shared(tree, interval, rows, r, value);
		}
	}
	bpmu_interval_row_free(&part);
	return shared;
}
