/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of several runs of a command, summed as if they were one long run.
 */
#ifndef BPMU_RUNS_H
#define BPMU_RUNS_H

#include "interval.h"

/**
 * struct bpmu_runs - sum over several runs of a command, each of which is one interval
 * @nr: number of runs
 * @sum: counts and times of all runs, as one interval
 * @cells: number of cells (counts of one counter on one CPU) of each run's interval
 * @nr_cpus: number of CPUs of each run's interval
 * @cell: memory for the cells of @sum, [@cells]
 * @batch: memory for the sums over the batches of @sum (with n batches, each has every n-th
 *	rotation slice), [@cells][@sum.batches], or NULL
 * @tail: memory for the times, the lost samples and the flaws in @sum, several arrays of [@nr_cpus]
 * @failed: true if an allocation failed
 */
struct bpmu_runs {
	unsigned int nr;
	struct bpmu_interval sum;
	size_t cells;
	unsigned int nr_cpus;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	u64 *tail;
	bool failed;
};

void bpmu_runs_init(struct bpmu_runs *runs, size_t cells, unsigned int nr_cpus);
void bpmu_runs_add(struct bpmu_runs *runs, const struct bpmu_interval *interval);
bool bpmu_runs_enough(const struct bpmu_interval *interval,
		      const struct bpmu_groups *groups, unsigned int nr_cpus);
void bpmu_runs_free(struct bpmu_runs *runs);

#endif /* BPMU_RUNS_H */
