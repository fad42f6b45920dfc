// SPDX-License-Identifier: GPL-2.0
/*
 * A measurement on CPUs of two kinds: those of the first come first.
 */
#include "measure.h"

#include <string.h>

/**
 * bpmu_measure_groups() - what is counted on a CPU
 * @measure: what is measured
 * @pos: position of the CPU
 *
 * Context: any.
 * Return: the groups of its kind.
 */
const struct bpmu_groups *bpmu_measure_groups(const struct bpmu_measure *measure,
					      unsigned int pos)
{
	return measure->other && pos >= measure->nr_alike ? measure->other :
							    measure->groups;
}

/**
 * bpmu_measure_cells() - cells of an interval before those of a CPU
 * @measure: what is measured
 * @pos: position of the CPU; their number for all cells
 *
 * Context: any.
 * Return: how many.
 */
size_t bpmu_measure_cells(const struct bpmu_measure *measure, unsigned int pos)
{
	unsigned int alike = measure->other && pos > measure->nr_alike ?
			     measure->nr_alike : pos;
	size_t cells = (size_t)alike * measure->groups->slots;

	if (alike < pos)
		cells += (size_t)(pos - alike) * measure->other->slots;
	return cells;
}

/**
 * bpmu_interval_behind() - what was counted on the CPUs behind the first ones
 * @interval: of all
 * @nr_cpus: the first ones, such as those of the first kind
 * @groups: counted on these
 *
 * Context: any.
 * Return: the interval as if there were no others; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups)
{
	size_t cells = (size_t)nr_cpus * groups->slots;
	struct bpmu_interval behind = *interval;

	behind.cell += cells;
	if (behind.batch)
		behind.batch += cells * behind.batches;
	behind.enabled += nr_cpus;
	behind.package += nr_cpus;
	behind.lost += nr_cpus;
	behind.spent += nr_cpus;
	if (behind.flaws)
		behind.flaws += nr_cpus;
	memcpy(behind.turns[0], interval->turns[1], sizeof(behind.turns[0]));
	return behind;
}
