// SPDX-License-Identifier: GPL-2.0
/*
 * The estimate is the ratio estimator of survey sampling: a group's slices are a
 * sample of the time, its rate is counts over ticks, and the slices' deviations
 * from that rate give the variance (Cochran, Sampling Techniques, 6.4), with the
 * finite population correction.
 */
#include "interval.h"

#include <math.h>
#include <string.h>

/**
 * bpmu_cell_estimate() - add a cell to an estimate
 * @cell: cell of one CPU
 * @enabled: TSC ticks to which the count is scaled
 * @multiplexed: the group was multiplexed; else the count is exact
 * @sum: sum over CPUs, zeroed before the first
 */
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool multiplexed,
			struct bpmu_estimate *sum)
{
	double running = cell->running;
	double slices = cell->slices;
	double all = enabled;
	double rate, squares;

	sum->enabled += enabled;
	sum->running += multiplexed ? cell->running : enabled;
	if (!multiplexed) {
		sum->value += (long long)cell->count;
		return;
	}
	if (!cell->running) {
		sum->missing |= enabled != 0;
		return;
	}
	if (all <= cell->running) {
		sum->value += (long long)cell->count;
		return;
	}
	sum->value += (double)(long long)cell->count * all / cell->running;
	if (cell->slices < 2) {
		sum->variance = INFINITY;
		return;
	}
	/*
	 * Variance of the rate over the slices, and of the count that is
	 * extrapolated from it.
	 */
	rate = (double)(long long)cell->count / running;
	squares = cell->sum_xx - 2 * rate * cell->sum_tx + rate * rate * cell->sum_tt;
	if (squares > 0)
		sum->variance += squares * slices / (slices - 1) /
				 (running * running) * all * all;
	sum->freedom += slices - 1;
}

/**
 * bpmu_estimate_seen() - check if an event was counted at all
 * @estimate: sum over all CPUs
 *
 * Return: false if its group never ran, or if no sample ended in the interval because the
 * CPU was idle or samples were lost; the count is unknown then, not 0.
 */
bool bpmu_estimate_seen(const struct bpmu_estimate *estimate)
{
	return estimate->running;
}

/**
 * bpmu_interval_time() - time for which a CPU counted the groups of a side
 * @interval: counts of an interval
 * @side: &enum bpmu_side
 * @pos: position of the CPU
 *
 * Return: TSC ticks, 0 for a CPU that does not count them.
 */
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_side side, unsigned int pos)
{
	const u64 *shared = interval->shared[side];

	return shared ? shared[pos] : interval->enabled[pos];
}

/**
 * bpmu_interval_multiplexed() - check if a group was multiplexed
 * @groups: made
 * @interval: counts of an interval
 * @g: number of the group
 *
 * Return: true if so.
 */
bool bpmu_interval_multiplexed(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int g)
{
	enum bpmu_side side = groups->group[g].sched.side;

	return interval->multiplexed[0][side] ||
	       groups->nr_of[side] > 1;
}

/**
 * bpmu_interval_add() - add an event's count on some CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @sum: sum over CPUs, zeroed before the first
 *
 * The deviations of an event's terms are taken as independent, although they are counted
 * in the same slices; for the two terms of a difference this overestimates the variance.
 */
void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.side] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, g);
	const struct bpmu_cell *cell, *term;
	struct bpmu_cell all;
	unsigned int pos, i;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		memset(&all, 0, sizeof(all));
		for (i = 0; i < slots->nr; i++) {
			term = &cell[slots->slot[i]];
			all.count += slots->sign[i] * term->count;
			all.running = term->running;
			all.slices = term->slices;
			all.sum_tt = term->sum_tt;
			all.sum_tx += slots->sign[i] * term->sum_tx;
			all.sum_xx += term->sum_xx;
		}
		bpmu_cell_estimate(&all, time[pos], multiplexed, sum);
	}
}

/**
 * bpmu_interval_raw() - add the raw count of an event on a CPU
 * @groups: made; the count is from the first group with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @spec: the event
 * @raw: sum over CPUs and intervals, zeroed before the first
 */
void bpmu_interval_raw(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval, unsigned int pos,
		       const struct bpmu_event_spec *spec, struct bpmu_raw *raw)
{
	const struct bpmu_group *group = bpmu_groups_find(groups, spec);
	u64 enabled = bpmu_interval_time(interval, group->sched.side, pos);
	const struct bpmu_cell *cell;
	struct bpmu_slots slots;
	u64 running = 0;
	unsigned int i;

	cell = interval->cell + (size_t)pos * groups->slots + group->first;
	bpmu_groups_slots(groups, group - groups->group, spec, &slots);
	for (i = 0; i < slots.nr; i++) {
		raw->count += slots.sign[i] *
			      (long long)cell[slots.slot[i]].count;
		running = cell[slots.slot[i]].running;
	}
	if (!bpmu_interval_multiplexed(groups, interval, group - groups->group))
		running = enabled;
	raw->enabled += enabled;
	raw->running += running;
}

/**
 * bpmu_interval_estimate() - add an event's count on a CPU
 * @groups: made; the count is from the first group with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @spec: the event
 * @sum: over CPUs, zeroed before the first
 */
void bpmu_interval_estimate(const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    unsigned int pos, const struct bpmu_event_spec *spec,
			    struct bpmu_estimate *sum)
{
	unsigned int g = bpmu_groups_find(groups, spec) - groups->group;
	struct bpmu_slots slots;

	bpmu_groups_slots(groups, g, spec, &slots);
	bpmu_interval_add(groups, g, &slots, interval, pos, pos + 1, sum);
}

/**
 * bpmu_interval_sum() - sum an event's count in a group over all CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
 * @spec: the event
 *
 * Return: the count.
 */
struct bpmu_estimate bpmu_interval_sum(const struct bpmu_groups *groups,
				       unsigned int g,
				       const struct bpmu_interval *interval,
				       unsigned int nr_cpus,
				       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	struct bpmu_slots slots;

	bpmu_groups_slots(groups, g, spec, &slots);
	bpmu_interval_add(groups, g, &slots, interval, 0, nr_cpus, &sum);
	return sum;
}

/**
 * bpmu_interval_behind() - an interval without its first CPUs
 * @interval: counts of all CPUs
 * @nr_cpus: number of CPUs to skip, such as those of the first core type
 * @groups: groups counted on the skipped CPUs
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups)
{
	size_t cells = (size_t)nr_cpus * groups->slots;
	struct bpmu_interval behind = *interval;
	unsigned int side;

	behind.cell += cells;
	if (behind.batch)
		behind.batch += cells * behind.batches;
	behind.enabled += nr_cpus;
	for (side = 0; side < BPMU_NR_SIDES; side++)
		if (behind.shared[side])
			behind.shared[side] += nr_cpus;
	behind.lost += nr_cpus;
	behind.spent += nr_cpus;
	if (behind.flaws)
		behind.flaws += nr_cpus;
	memcpy(behind.multiplexed[0], interval->multiplexed[1], sizeof(behind.multiplexed[0]));
	return behind;
}
