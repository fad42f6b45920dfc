/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of an interval that belongs to the CPUs of a row.
 */
#ifndef BPMU_INTERVAL_ROW_H
#define BPMU_INTERVAL_ROW_H

#include "event/rows.h"
#include "source/measure.h"

/**
 * struct bpmu_interval_row - such a part
 * @interval: like the whole one, with only these CPUs
 * @nr_cpus: of @interval
 * @cell: of @interval
 * @batch: of @interval
 * @ticks: of @interval: enabled, then package, then those of the
 *	free-running registers of cores and packages, then flaws
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
