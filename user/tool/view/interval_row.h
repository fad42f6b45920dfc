/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts of an interval, restricted to the CPUs of one row.
 */
#ifndef BPMU_INTERVAL_ROW_H
#define BPMU_INTERVAL_ROW_H

#include "event/rows.h"
#include "source/measure.h"

/**
 * struct bpmu_interval_row - an interval of one row
 * @interval: as the whole interval, but with the CPUs of the row only; its arrays are
 *	those below
 * @nr_cpus: number of CPUs of the row
 * @cell: [nr_cpus][slots]
 * @batch: [nr_cpus][slots][batches]
 * @ticks: TSC ticks: [nr_cpus] enabled, [nr_cpus] flaws (&enum bpmu_flaw bits), then
 *	[BPMU_NR_SIDES][nr_cpus] shared counters and registers
 */
struct bpmu_interval_row {
	struct bpmu_interval interval;
	unsigned int nr_cpus;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	u64 *ticks;
};

int bpmu_interval_row_init(struct bpmu_interval_row *part,
			   const struct bpmu_groups *groups,
			   const struct bpmu_interval *interval,
			   unsigned int nr_cpus, struct bpmu_error *err);
void bpmu_interval_row_take(struct bpmu_interval_row *part,
			    const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    const struct bpmu_rows *rows, unsigned int r);
void bpmu_interval_row_free(struct bpmu_interval_row *part);

#endif /* BPMU_INTERVAL_ROW_H */
