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
 * @groups: groups of events counted in @interval
 * @interval: counts of all CPUs in an interval; used only for the number of batches (sets of slices
 *	of multiplexed time) that each count has
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
	/*
	 * The arrays need no initial values: bpmu_interval_row_copy() writes each element that is
	 * read later.
	 */
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
 * @row: from bpmu_interval_row_init() for the same @groups, number of CPUs and number of batches
 *	(sets of slices of multiplexed time). Its contents are overwritten. They point into
 *	@interval, and are valid as long as @interval is
 * @groups: groups of events counted in @interval
 * @interval: counts of all CPUs in an interval
 * @rows: assigns the CPUs of @interval to rows, each a CPU, core, package or the like
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
 * bpmu_interval_row_reads() - check if a CPU of a row has read counters in an interval
 * @interval: counts of all CPUs in an interval
 * @rows: assigns the CPUs of @interval to rows, each a CPU, core, package or the like
 * @r: index of the row
 * @bank: &enum bpmu_bank_id of the counters, such as those of an L3
 *
 * Return: true if one of the row's CPUs read the counters in the interval.
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
 * Sets the flag "shared" of each value whose counters belong to more CPUs than the row of CPUs has,
 * such as the counters of an L3 in the row of one core. One CPU reads such counters for all. If
 * that CPU is in another row, the value is printed there, and is not flagged as missing here.
 * Returns true if a value is shared.
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
 * bpmu_interval_rows_eval() - evaluate an interval row by row: a tree for each row of CPUs
 * @tree: the tree. Its number of packages is set to that of each row in turn, and is that of the
 *	last row in the end
 * @groups: groups of events counted in @interval
 * @interval: counts of all CPUs in an interval
 * @rows: assigns the CPUs of @interval to rows, each a CPU, core, package or the like
 * @sockets: number of packages of the machine, 0 if unknown
 * @values: filled in, [nr rows][nr metrics]; if memory runs out, no value is known
 *
 * Return: true if a value has counters that belong to CPUs of its row and of other rows.
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
