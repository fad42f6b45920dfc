// SPDX-License-Identifier: GPL-2.0
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "spread.h"

/*
 * Indices of the arrays in &bpmu_runs.tail, each of which has one number per CPU. SHARED + b is the
 * index of the array &bpmu_interval.shared[b], the times of counter bank b.
 */
enum tail { ENABLED, LOST, SPENT, FLAWS, SHARED, NR_TAILS = SHARED + BPMU_BANKS };

/**
 * bpmu_runs_init() - begin the statistics over several runs, before the first run
 * @runs: filled in; free it with bpmu_runs_free()
 * @cells: number of cells (counts of one counter on one CPU) of an interval, of all CPUs and core
 *	types
 * @nr_cpus: number of CPUs of an interval, of all core types
 */
void bpmu_runs_init(struct bpmu_runs *runs, size_t cells, unsigned int nr_cpus)
{
	memset(runs, 0, sizeof(*runs));
	runs->cells = cells;
	runs->nr_cpus = nr_cpus;
}

static u64 *runs_tail(const struct bpmu_runs *runs, unsigned int which)
{
	return runs->tail + (size_t)which * runs->nr_cpus;
}

static bool runs_begin(struct bpmu_runs *runs, const struct bpmu_interval *interval)
{
	struct bpmu_interval *sum = &runs->sum;
	unsigned int bank;

	runs->cell = calloc(runs->cells, sizeof(*runs->cell));
	runs->tail = calloc((size_t)runs->nr_cpus * NR_TAILS, sizeof(*runs->tail));
	if (interval->batches)
		runs->batch = calloc(runs->cells * interval->batches,
				     sizeof(*runs->batch));
	if (!runs->cell || !runs->tail || (interval->batches && !runs->batch))
		return false;
	*sum = *interval;
	sum->seconds = 0;
	sum->duration = 0;
	sum->cell = runs->cell;
	sum->batch = runs->batch;
	sum->enabled = runs_tail(runs, ENABLED);
	sum->lost = runs_tail(runs, LOST);
	sum->spent = runs_tail(runs, SPENT);
	sum->flaws = NULL;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (interval->shared[bank])
			sum->shared[bank] = runs_tail(runs, SHARED + bank);
	return true;
}

/*
 * Adds cell @i (the counts of one counter of a group on one CPU) of a run to the sum over runs. The
 * sum is to look like one long run, in which rotation slice n is in batch n modulo the number of
 * batches. The first slice of the run therefore has to be in the batch that follows the batch of
 * the previous run's last slice, and the numbers of the run's batches are shifted accordingly.
 */
static void add_cell(struct bpmu_runs *runs, const struct bpmu_interval *interval, size_t i)
{
	const struct bpmu_cell *cell = &interval->cell[i];
	struct bpmu_cell *sum = &runs->cell[i];
	const struct bpmu_batch *batch;
	struct bpmu_batch *to;
	unsigned int r;

	for (r = 0; r < interval->batches; r++) {
		batch = &interval->batch[i * interval->batches + r];
		to = &runs->batch[i * interval->batches +
				  (sum->slices + r) % interval->batches];
		to->count += batch->count;
		to->ticks += batch->ticks;
	}
	bpmu_cell_add(sum, cell);
}

static void add_tails(struct bpmu_runs *runs, const struct bpmu_interval *interval)
{
	unsigned int bank, pos;

	for (pos = 0; pos < runs->nr_cpus; pos++) {
		runs_tail(runs, ENABLED)[pos] += interval->enabled[pos];
		runs_tail(runs, LOST)[pos] += interval->lost[pos];
		runs_tail(runs, SPENT)[pos] += interval->spent[pos];
		if (interval->flaws)
			runs_tail(runs, FLAWS)[pos] |= interval->flaws[pos];
		for (bank = 0; bank < BPMU_BANKS; bank++)
			if (interval->shared[bank])
				runs_tail(runs, SHARED + bank)[pos] +=
					interval->shared[bank][pos];
	}
	if (interval->flaws)
		runs->sum.flaws = runs_tail(runs, FLAWS);
}

/**
 * bpmu_runs_add() - add a run to the sums over several runs
 * @runs: sum of the earlier runs; on return &bpmu_runs.failed is true if out of memory
 * @interval: the only interval of the run, with the same groups and CPUs as the earlier runs, and
 *	as many batches (with n batches, each has every n-th rotation slice)
 *
 * The module begins each run with a random group. The rotation slices in which a group was counted
 * in all runs are therefore a random sample of the time, like those of one long run.
 */
void bpmu_runs_add(struct bpmu_runs *runs, const struct bpmu_interval *interval)
{
	size_t i;

	if (!runs->nr && !runs_begin(runs, interval))
		runs->failed = true;
	if (runs->failed)
		return;
	for (i = 0; i < runs->cells; i++)
		add_cell(runs, interval, i);
	add_tails(runs, interval);
	runs->sum.seconds += interval->seconds;
	runs->sum.duration += interval->duration;
	runs->nr++;
}

/**
 * bpmu_runs_enough() - check if all runs together have enough slices of each group
 * @interval: sum over the runs so far
 * @groups: groups of a core type
 * @nr_cpus: number of CPUs of @interval with these groups
 *
 * The result depends on running times, not on counts. A caller may therefore end the repetitions as
 * soon as this function returns true: this makes the counts neither larger nor smaller on average.
 *
 * Return: true if each group was counted in %BPMU_SPREAD_SLICES rotation slices on each CPU, or all
 * the time.
 */
bool bpmu_runs_enough(const struct bpmu_interval *interval,
		      const struct bpmu_groups *groups, unsigned int nr_cpus)
{
	const struct bpmu_group *group;
	const struct bpmu_cell *cell;
	unsigned int g, pos;
	u64 time;

	for (g = 0; g < groups->nr; g++) {
		group = &groups->group[g];
		if (!group->sched.nr ||
		    !bpmu_interval_multiplexed(groups, interval, group->sched.bank))
			continue;
		for (pos = 0; pos < nr_cpus; pos++) {
			cell = &interval->cell[(size_t)pos * groups->slots + group->first];
			time = bpmu_interval_time(interval, group->sched.bank, pos);
			if (cell->running < time && cell->slices < BPMU_SPREAD_SLICES)
				return false;
		}
	}
	return true;
}

/**
 * bpmu_runs_free() - free the sums over several runs
 * @runs: from bpmu_runs_init()
 */
void bpmu_runs_free(struct bpmu_runs *runs)
{
	free(runs->cell);
	free(runs->batch);
	free(runs->tail);
}
