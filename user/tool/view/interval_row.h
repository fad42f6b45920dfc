/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts of an interval, restricted to the CPUs of one row of a result, such as one core.
 */
#ifndef BPMU_INTERVAL_ROW_H
#define BPMU_INTERVAL_ROW_H

#include "event/rows.h"
#include "source/measure.h"
#include "tree/tree.h"

/**
 * struct bpmu_interval_row - counts of an interval, restricted to the CPUs of a row, such as a core
 * @interval: the counts. If the row's CPUs follow each other in the list of all CPUs, the arrays of
 *	@interval are parts of the arrays of all CPUs; otherwise they are copies in the members
 *	below
 * @nr_cpus: number of CPUs of the row
 * @cell: memory of &bpmu_interval.cell, [nr_cpus][slots]
 * @batch: memory of &bpmu_interval.batch, [nr_cpus][slots][batches]
 * @ticks: three arrays one after the other: &bpmu_interval.enabled, [nr_cpus], TSC ticks;
 *	&bpmu_interval.flaws, [nr_cpus]; &bpmu_interval.shared, [BPMU_BANKS][nr_cpus], TSC ticks
 */
struct bpmu_interval_row {
	struct bpmu_interval interval;
	unsigned int nr_cpus;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	u64 *ticks;
};

int bpmu_interval_row_init(struct bpmu_interval_row *row,
			   const struct bpmu_groups *groups,
			   const struct bpmu_interval *interval,
			   unsigned int nr_cpus, struct bpmu_error *err);
void bpmu_interval_row_copy(struct bpmu_interval_row *row,
			    const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    const struct bpmu_rows *rows, unsigned int r);
void bpmu_interval_row_free(struct bpmu_interval_row *row);
bool bpmu_interval_row_reads(const struct bpmu_interval *interval, const struct bpmu_rows *rows,
			     unsigned int r, enum bpmu_bank_id bank);
bool bpmu_interval_rows_eval(struct bpmu_tree *tree, const struct bpmu_groups *groups,
			     const struct bpmu_interval *interval,
			     const struct bpmu_rows *rows, unsigned int sockets,
			     struct bpmu_tree_value *values);

#endif /* BPMU_INTERVAL_ROW_H */
