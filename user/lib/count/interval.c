// SPDX-License-Identifier: GPL-2.0
#include "interval.h"

#include <string.h>

/**
 * bpmu_interval_time() - how long a CPU counted what groups of a side count
 * @interval: what was counted
 * @side: &enum bpmu_side
 * @pos: position of the CPU
 *
 * Return: TSC ticks, 0 for a CPU that does not.
 */
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_side side, unsigned int pos)
{
	const u64 *shared = interval->shared[side];

	return shared ? shared[pos] : interval->enabled[pos];
}

/**
 * bpmu_interval_multiplexed() - was a group multiplexed
 * @groups: made
 * @interval: what was counted
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
 * @slots: of the event there
 * @interval: what was counted
 * @first: position of the first CPU
 * @end: position behind the last one
 * @sum: over CPUs, zeroed before the first
 */
void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.side] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, g);
	const struct bpmu_cell *cell;
	struct bpmu_cell all;
	unsigned int pos, i;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		memset(&all, 0, sizeof(all));
		for (i = 0; i < slots->nr; i++)
			bpmu_cell_sum(&all, &cell[slots->slot[i]],
				      slots->sign[i]);
		bpmu_cell_estimate(&all, time[pos], multiplexed, sum);
	}
}

/**
 * bpmu_interval_raw() - add what was counted of an event on a CPU
 * @groups: made; of those that have the event the first one tells
 * @interval: what was counted
 * @pos: position of the CPU
 * @spec: the event
 * @raw: over CPUs and intervals, zeroed before the first
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
 * @groups: made; of those that have the event the first one tells
 * @interval: what was counted
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
 * bpmu_interval_sum() - an event's count in a group on all CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @interval: what was counted
 * @nr_cpus: of the interval
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
 * bpmu_interval_behind() - what was counted on the CPUs behind the first ones
 * @interval: of all
 * @nr_cpus: the first ones, such as those of the first kind
 * @groups: counted on these
 *
 * Return: the interval as if there were no others; valid as long as @interval.
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
